"""Pictures of claims with handovers and of the questions about them, over a room with names in other scripts."""

from __future__ import annotations

import pytest

from relay_tui.base.times import DAY, HOUR, MINUTE
from relay_tui.room import handoffs
from relay_tui.room.ledger import Actor
from relay_tui.tui.widgets.glyphs import LETTERS
from tests.room_fixture import House
from tests.tui.conftest import Picture, in_either
from tests.tui.test_claims_screen import offer
from tests.tui.visits import make_app

LAST_VIEW = "left_square_bracket"
VIEWS = {
    "all": ["j"], "handovers": [LAST_VIEW], "answered": [LAST_VIEW, "j", "j"], "boxes": [LAST_VIEW, "a", "j", "space"],
    "claim": ["c"], "ask": ["j", "j", "t"], "force": ["X"], "back": [LAST_VIEW, "j", "x"],
}  # fmt: skip


@pytest.fixture
def furnished(tmp_path, repository: str, monkeypatch) -> House:
    made = House(str(tmp_path), repository=repository)
    vector = made.join("vector-4")
    made.claim(vector, "src/export.py", note="旧エクスポートを外す 🚀")
    _answered(made, vector)
    made.clock.advance(2 * DAY + 3 * HOUR)
    codex, claude = made.join("codex-3"), made.join("claude-1")
    made.claim(codex, "src/[id].tsx", note="[@click=app.quit]x[/] \x1b[31mred")
    offer(made, codex, "claude-1", "machine:search-index", reason="yours now")
    made.claim(claude, "branch:feat/検索", note="検索を直す")
    made.clock.advance(4 * MINUTE)
    offer(
        made, codex, "operator", "src/auth", "src/日本語/👩‍👩‍👧.py", "branch:feat/auth", reason="急ぎではありません 🚀"
    )
    made.claim(made.operator, "README.md", note="typos")
    return made


def _answered(house: House, me: Actor) -> None:
    id = offer(house, me, "operator", "lib/a.py", "lib/b.py")
    part = house.resources("lib/a.py")
    handoffs.respond(house.room, house.operator, id, accept=True, only=part, reason="only this one")
    declined = offer(house, me, "operator", "docs")
    handoffs.respond(house.room, house.operator, declined, accept=False, only=[], reason=None)


@in_either
@pytest.mark.parametrize("view", VIEWS)
def test_view(picture: Picture, furnished: House, view: str, theme: str, size):
    picture(make_app(furnished), "6", *VIEWS[view], theme=theme, size=size)


@pytest.mark.parametrize("view", ["all", "handovers", "boxes", "force"])
def test_view_without_colour(picture: Picture, furnished: House, monkeypatch, view: str):
    monkeypatch.setenv("NO_COLOR", "1")
    picture(make_app(furnished), "6", *VIEWS[view])


@pytest.mark.parametrize("view", ["all", "boxes"])
def test_view_in_letters(picture: Picture, furnished: House, view: str):
    picture(make_app(furnished, glyphs=LETTERS), "6", *VIEWS[view])


def test_narrow(picture: Picture, furnished: House):
    picture(make_app(furnished), "6", "j", size=(60, 15))


def test_wide(picture: Picture, furnished: House):
    picture(make_app(furnished), "6", "j", size=(160, 48))
