"""Pictures of the inbox's views and of the questions about mail and agents, over a furnished room."""

from __future__ import annotations

import pytest

from relay_tui.base.times import DAY, MINUTE
from relay_tui.room.ledger import Actor
from tests.room_fixture import House
from tests.tui.conftest import SIZES, Picture, in_either
from tests.tui.scenes import furnish
from tests.tui.visits import KEY_OF, make_app

NEXT = "right_square_bracket"
VIEWS = {
    "thread": ("inbox", ["j", "T"]), "outbox": ("inbox", [NEXT]), "followup": ("inbox", [NEXT, NEXT]),
    "history": ("inbox", [NEXT] * 3), "mailbox": ("agents", ["b", "j"]), "ack all": ("inbox", ["A"]),
    "remind": ("inbox", ["u"]), "prune": ("agents", ["P"]), "retire": ("agents", ["x"]),
    "force": ("agents", ["j", "X"]),
}  # fmt: skip


@pytest.fixture
def furnished(tmp_path, repository: str) -> House:
    made = House(str(tmp_path), repository=repository)
    furnish(made)
    made.join("worker-2")
    made.clock.advance(8 * DAY)
    for name in ("codex-3", "nimbus-2"):
        made.poll(Actor(name))
    freeze = made.send(made.operator, "*", "Freeze at 18:00.\nPlease push before.", summary="Freeze")
    made.clock.advance(MINUTE)
    made.poll(Actor("codex-3"))
    made.ack(Actor("codex-3"), freeze.id, note="ok, 了解")
    return made


@in_either
@pytest.mark.parametrize("view", VIEWS)
def test_view(picture: Picture, furnished: House, view: str, theme: str, size):
    screen, keys = VIEWS[view]
    picture(make_app(furnished), KEY_OF[screen], *keys, theme=theme, size=size)


@pytest.mark.parametrize("view", ["thread", "outbox", "mailbox"])
def test_view_without_colour(picture: Picture, furnished: House, monkeypatch, view: str):
    monkeypatch.setenv("NO_COLOR", "1")
    screen, keys = VIEWS[view]
    picture(make_app(furnished), KEY_OF[screen], *keys)


def test_archive(picture: Picture, furnished: House):
    furnished.clock.advance(40 * DAY)
    picture(make_app(furnished), "5", *[NEXT] * 4, size=SIZES[1])
