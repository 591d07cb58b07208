from __future__ import annotations

from relay_tui.room import handoffs
from relay_tui.room.attention import read_attention
from relay_tui.room.ledger import Actor
from relay_tui.tui.readings.subjects import find_subject
from tests.room_fixture import House


def test_what_the_room_no_longer_has_is_about_nothing(house: House):
    sent = house.send(Actor("codex-3"), "operator", "hi")
    item = read_attention(house.room, [], []).items[0]
    assert find_subject(item, house.room, "operator", []).message is not None
    gone = item._replace(id=item.id.replace(sent.id, "M9999999"))
    assert find_subject(gone, house.room, "operator", []).message is None
    blocked = item._replace(kind="blocked", subject="W9")
    assert find_subject(blocked, house.room, "operator", []).item is None


def test_of_all_agents_only_those_it_is_about_are_looked_up(house: House):
    house.claim(Actor("codex-3"), "src/a")
    handoffs.request(house.room, Actor("codex-3"), house.resources("src/a"), "claude-1", None)
    item = next(one for one in read_attention(house.room, [], []).items if one.kind == "handoff")
    assert set(find_subject(item, house.room, "operator", []).agents) == {"codex-3", "claude-1"}
