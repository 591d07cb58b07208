"""Persons: agents as the rooms of one home tell them from their namesakes. Pure.

A name is one agent's in its room only. Whoever asks who holds, gives or stands somewhere compares persons, and whoever
says it says how they are seen from where it is read.
"""

from __future__ import annotations

from relay_tui.base.text import inert

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple


class Person(NamedTuple):
    """An agent of a room; both are names."""

    room: str
    name: str

    def seen_from(self, here: str | None) -> str:
        """The name; with the room where it is another one than `here`, in which it means somebody else or nobody."""
        return with_room(self.name, self.room, here)

    def typed_in(self, here: str) -> str:
        """How `--to` names it there."""
        return self.name if here == self.room else f"{self.name}@{self.room}"


def with_room(word: str, room: str, here: str | None) -> str:
    """What means something in its room only, as it is seen from `here`."""
    return word if here in (None, room) else f"{word} of room {inert(room)}"


def person_named(written: str, here: str) -> Person:
    """Whom `NAME` or `NAME@ROOM` means, written in the room `here`."""
    name, _, room = written.partition("@")
    return Person(room or here, name)


def persons(names: Iterable[str], rooms: Iterable[str]) -> list[Person]:
    """As many persons as there are names, each with the room at the same place."""
    return [Person(room, name) for name, room in zip(names, rooms, strict=True)]


def whom_to_write(people: Iterable[Person], me: Person) -> str | None:
    """The first of them that `me` can write to: mail stays in its room, and nobody writes to themselves."""
    return next((one.name for one in people if one.room == me.room and one != me), None)
