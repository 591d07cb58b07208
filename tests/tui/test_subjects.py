from __future__ import annotations

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
