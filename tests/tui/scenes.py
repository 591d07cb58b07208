"""A furnished room for pictures: agents in every state, mail in every stage, claims held and stale.

Names, bodies and notes have wide characters, emoji and text that tries to be markup.
"""

from __future__ import annotations

from relay_tui.base.times import DAY, HOUR, MINUTE, SECOND
from relay_tui.room import registry
from relay_tui.room.ledger import Actor
from tests.room_fixture import House


def furnish(house: House) -> None:
    """Three days in a room; the clock stands where they end."""
    vector, _ = house.join("vector-4", runner="codex"), house.join("worker-1", ephemeral=True)
    house.claim(vector, "src/export.py", note="旧エクスポートを外す 🚀")
    house.send(vector, "operator", "Old export is gone.\nNothing else uses it.", summary="Old export is gone")
    house.clock.advance(2 * DAY + 3 * HOUR)
    registry.leave(house.room, Actor("worker-1"))
    nimbus = house.join("nimbus-2", runner="claude", branch="feat/auth", task="W14")
    codex = house.join("codex-3", runner="codex", branch="feat/cart")
    house.claim(nimbus, "src/auth", "branch:main", note="moving to rotating tokens")
    house.claim(codex, "machine:search-index", "src/[id].tsx", "src/cart")
    house.claim(house.operator, "README.md")
    registry.report_status(house.room, nimbus, {"status": "working", "text": "日本語の検索を直しています"}, None)
    house.clock.advance(20 * MINUTE)
    _write(house, nimbus, codex)
    house.clock.advance(40 * SECOND)
    registry.report_status(house.room, codex, {"status": "waiting"}, ("operator", "Which base, main or 開発?"))
    house.clock.advance(6 * SECOND)


def _write(house: House, nimbus: Actor, codex: Actor) -> None:
    review = house.send(
        codex, "operator", "Auth rewrite is ready on feat/auth.\nPlease review before I release the claim.",
        summary="Review request",
    )  # fmt: skip
    house.clock.advance(7 * SECOND)
    house.poll(house.operator)
    house.send(house.operator, None, "Will do by noon.", reply_to=review.id)
    house.poll(codex)
    house.send(nimbus, "*", "Rebase before 17:00 👩‍👩‍👧 please [/] [@click=app.quit]x[/]")
    house.send(nimbus, "codex-3", "Two remarks: TTL belongs in settings.", summary="Two remarks \x1b[31m on tokens")
    house.send(codex, "operator", "レビューをお願いします。\n急ぎではありません。", summary="レビューのお願い 🚀")
