"""What holds for every action: texts that have a place, and what is done is told as done."""

from __future__ import annotations

from pathlib import Path

import pytest

from relay_tui.actions.perform import TEXT_BYTES
from relay_tui.base.errors import RelayError
from tests.actions.acting import act, refused
from tests.room_fixture import Clock, House


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    house = House(str(tmp_path_factory.mktemp("perform")))
    house.join("a")
    return house


@pytest.mark.parametrize(("line", "word", "told"), [
    ("work import --file", "a\0b", "The path after --file has a character that no path has (NUL)."),
    ("log verify --archive", "a\0b", "The path after --archive has a character that no path has (NUL)."),
    ("work import --file", "a\udcffb", "The path after --file is not valid UTF-8."),
    ("inbox --older-than", "\udcff", "The text after --older-than is not valid UTF-8."),
    ("search", "\udcff", "The text is not valid UTF-8."),
])  # fmt: skip
def test_text_that_has_no_place_is_refused_by_the_name_it_has_in_the_line(
    house: House, line: str, word: str, told: str
) -> None:
    fault = refused(house.room, "a", line, word)
    assert (fault.code, fault.message) == ("invalid", told)


class FailsOnceItIsSent(Clock):
    """What leaves a sign asks for the time after the message is in the ledger."""

    def __init__(self, house: House) -> None:
        super().__init__()
        self._house = house

    def __call__(self) -> int:
        if self._house.rows("SELECT 1 FROM messages"):
            raise RelayError("left", "The sign cannot be left.")
        return super().__call__()


def test_what_was_written_is_told_as_done_whatever_becomes_of_the_sign(tmp_path: Path) -> None:
    house = House(str(tmp_path))
    house.join("a")
    house.room.clock = FailsOnceItIsSent(house)
    assert act(house.room, "a", "send --to operator --message x").recipients[0].agent == "operator"
    assert refused(house.room, "a", "whoami").code == "left"


def test_only_messages_may_be_long(house: House) -> None:
    """A megabyte in a status or a note would fill every list and stop the screen."""
    long = "é" * (TEXT_BYTES // 2 + 1)
    for line in ("status idle --text", "status idle --task", "claim src --note", "retire a --reason", "search"):
        assert refused(house.room, "a", line, long).code == "too_large", line
    act(house.room, "a", "status idle --text", long[1:])
    act(house.room, "a", "send --to operator --message", long)
