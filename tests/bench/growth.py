"""Whether a command costs more in a room with a longer past: counted in steps of SQLite's virtual machine, which do
not depend on the machine. The mail that is open, and who is live, are the same in each room."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from relay_tui.base.resources import Resource
from relay_tui.room import claims, mailbox, registry
from relay_tui.room.attention import read_attention
from relay_tui.room.guarding import guard_paths
from relay_tui.room.ledger import Actor
from relay_tui.room.mail import EVERYTHING
from relay_tui.room.messages import Draft, send
from tests.bench.filling import LAST_FIFTY, Past, build_room
from tests.bench.timing import Ratio, once

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from relay_tui.room.rooms import Room
    from tests.bench.stage import BenchStage, Size

AGENTS = 20
FLAT = 1.25
READER, WRITER, HOLDER = Actor("w-0"), Actor("w-1"), Actor("w-2")
_new = count()


def _path() -> list[Resource]:
    path = f"src/new-{next(_new)}.py"
    return [Resource("project", path, path)]


ACTS: Mapping[str, Callable[[Room], object]] = {
    "send": lambda room: send(room, WRITER, Draft("hello", "w-2")),
    "inbox with nothing new": lambda room: mailbox.poll_inbox(room, READER),
    "newest 50": lambda room: mailbox.read_history(room, "w-0", limit=50),
    "unread count": lambda room: mailbox.count_inbox(room, "w-0", EVERYTHING),
    "claim": lambda room: claims.take(room, WRITER, _path()),
    "claim by who holds many": lambda room: claims.take(room, HOLDER, _path()),
    "guard": lambda room: guard_paths(room, "w-1", _path(), advise=False),
    "attention": lambda room: read_attention(room, []),
    "status": lambda room: registry.report_status(room, WRITER, {"status": "working", "text": "on"}, None),
}


def measure(stage: BenchStage, size: Size) -> Iterator[Ratio]:
    counted = count_all(stage.folder / "growth", stage.repository, size.growth)
    least = size.growth[0]
    for name in ACTS:
        for many in size.growth[1:]:
            title = f"{name}, {many:,} messages and claims / {least:,}"
            yield once(title, counted[many][name], counted[least][name], FLAT, "steps")


def count_all(folder: Path, repository: Path, sizes: Sequence[int]) -> dict[int, dict[str, int]]:
    """Steps of every act in a room with so many messages and as many claims, by that number."""
    return {many: _count_in(folder / str(many), repository, many) for many in sizes}


def _count_in(home: Path, repository: Path, many: int) -> dict[str, int]:
    room = build_room(home, repository, Past(many, AGENTS, LAST_FIFTY, many))
    for act in ACTS.values():
        act(room)  # what is done for the first time may cost more
    steps = {name: _steps(room, lambda act=act: act(room)) for name, act in ACTS.items()}
    room.store.close()
    return steps


def _steps(room: Room, act: Callable[[], object]) -> int:
    taken = 0

    def step() -> int:
        nonlocal taken
        taken += 1
        return 0

    with room.store.writing() as db:
        connections = (db, room.store.reader)
    for connection in connections:
        connection.set_progress_handler(step, 1)
    act()
    for connection in connections:
        connection.set_progress_handler(None, 1)
    return taken
