"""A room for tests: a home and a real repository in a temporary folder, a clock and ids that tests set.

house = House(str(tmp_path))
a, b = house.join("a"), house.join("b")
sent = house.send(a, "b", "ready")
"""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from relay_tui.actions.perform import open_room
from relay_tui.base.errors import RelayError
from relay_tui.base.resources import Resource, parse_resource
from relay_tui.base.times import SECOND
from relay_tui.room import claims, messages, registry
from relay_tui.room.chains import verify
from relay_tui.room.claims import Claimed
from relay_tui.room.ledger import Actor, Event, read_events
from relay_tui.room.mail import Mailbox
from relay_tui.room.mailbox import poll_inbox
from relay_tui.room.messages import Acknowledged, Draft, Sent
from relay_tui.room.rebuild import check_rebuild
from relay_tui.room.receipts import Receipt, read_receipts
from relay_tui.room.registry import Joining
from relay_tui.room.rooms import Room
from relay_tui.room.store import Store
from tests.repo.git_fixture import commit, make_repository

# In relay.toml: bounds that no machine passes, however busy the tests make it.
OPEN_GATES = "[gate]\nmax_swap = '900TiB'\nmax_load_per_cpu = 100000\nmin_free_disk = 0\n"
OPERATOR = Actor("operator", None, "cli", at_keyboard=True)
STARTED_AT = 1_796_029_200 * SECOND  # 2026-11-30T09:00:00Z


class Clock:
    """The moment that every room of a house is told; tests move it."""

    def __init__(self, now: int = STARTED_AT) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now

    def advance(self, microseconds: int) -> None:
        self.now += microseconds


class Ids:
    """`M0000001`, `M0000002`, …: one count for each letter."""

    def __init__(self) -> None:
        self._drawn: dict[str, int] = {}

    def __call__(self, letter: str) -> str:
        self._drawn[letter] = self._drawn.get(letter, 0) + 1
        return f"{letter}{self._drawn[letter]:07}"


class House:
    """A home and a repository in `folder`, and the repository's room as seen from its main worktree."""

    def __init__(self, folder: str, *, repository: str | None = None) -> None:
        self.folder = os.path.realpath(folder)
        self.home = os.path.join(self.folder, "home")
        self.repository = repository or _make_repository(os.path.join(self.folder, "repo"))
        self.clock = Clock()
        self.new_id = Ids()
        self.room = self.enter(self.repository)

    def enter(self, folder: str, room: str | None = None, **options: Any) -> Room:
        """The room as seen from another folder; `options` are those of `Store`."""
        return open_room(Store(self.home, **options), folder, room, clock=self.clock, new_id=self.new_id)

    def join(self, name: str, *, session: str | None = None, via: str = "cli", **said: Any) -> Actor:
        """Join as `name`; returns the actor that the other helpers take, with the session it got."""
        joined = registry.join(self.room, Actor(name, session, via), Joining(**said))
        return Actor(joined.agent.agent, joined.agent.session, via)

    @property
    def operator(self) -> Actor:
        return OPERATOR

    def send(self, me: Actor, to: str | None, body: str, **draft: Any) -> Sent:
        return messages.send(self.room, me, Draft(body, to, **draft))

    def poll(self, me: Actor, **options: Any) -> Mailbox:
        return poll_inbox(self.room, me, **options)

    def ack(self, me: Actor, *ids: str, note: str | None = None) -> Acknowledged:
        return messages.acknowledge(self.room, me, list(ids), note)

    def receipt(self, message: str, agent: str) -> Receipt:
        return next(one for one in read_receipts(self.room, message, "operator").recipients if one.agent == agent)

    def claim(self, me: Actor, *typed: str, scope: str | None = None, note: str | None = None) -> Claimed:
        return claims.take(self.room, me, self.resources(*typed, scope=scope), note=note)

    def resources(self, *typed: str, room: Room | None = None, scope: str | None = None) -> list[Resource]:
        """Canonical keys of what is typed in the folder of `room`."""
        room = room or self.room
        top = room.place.worktree if room.place and room.place.worktree else room.folder
        return [parse_resource(one, room.folder, top, scope) for one in typed]

    def rows(self, sql: str, *bounds: object) -> list[tuple[Any, ...]]:
        """What stands in the file, read behind every function's back."""
        with self.room.store.reading() as db:
            return db.execute(sql, bounds).fetchall()

    def events(self, kind: str | None = None) -> list[Event]:
        with self.room.reading() as db:
            return read_events(db, self.room.row.key, kind=kind, limit=100_000)

    def assert_whole(self) -> None:
        """Every chain holds, and the events make the very tables that stand in the file."""
        with self.room.store.reading() as db:
            verdict = verify(db)
            rebuilt = check_rebuild(db)
        assert verdict.first_bad is None
        assert rebuilt.equal, [table for table, check in rebuilt.tables.items() if not check.equal]


def refusal(act: Callable[..., object], *arguments: object, **named: object) -> RelayError:
    """What the act is refused with; an act that is not refused fails the test."""
    with pytest.raises(RelayError) as refused:
        act(*arguments, **named)
    return refused.value


@contextmanager
def disk_full_after(size: int) -> Iterator[None]:
    """No file of this process can grow beyond `size` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def _make_repository(folder: str) -> str:
    repository = make_repository(folder)
    commit(repository, "first", {"README.md": "a\n"})
    return repository
