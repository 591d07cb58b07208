"""The writer answers every job, whatever stands in its way."""

from __future__ import annotations

import os

from relay_tui.actions.call import Call
from relay_tui.actions.screen import Stage
from relay_tui.room.ledger import Actor
from relay_tui.tui.acts.writer import Job, Performed, Writer
from relay_tui.tui.desk import Desk
from tests.room_fixture import House


def test_a_room_that_cannot_be_opened_is_an_answer_to_each_job(tmp_path):
    house = House(str(tmp_path))
    desk = Desk(Stage(house.room, Actor("operator"), False))
    os.makedirs(house.home)
    with open(os.path.join(house.home, "relay.db"), "wb") as file:
        file.write(b"not a database at all" * 100)
    heard: list[Performed] = []
    writer = Writer(desk, heard.append)
    for _ in range(2):
        writer.submit(Job(Call("claim", {"resources": ["src"]})))
    writer.close(10)
    assert [one.error.code for one in heard if one.error] == ["corrupt", "corrupt"]
