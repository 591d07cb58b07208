"""Where the gauntlet is run: a home and a repository of its own, its processes, and what must hold afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from typing import IO, Any

from relay_tui.actions.perform import open_room
from relay_tui.room.chains import verify
from relay_tui.room.ledger import Actor, Event, read_events
from relay_tui.room.rebuild import check_rebuild
from relay_tui.room.registry import Joining, join
from relay_tui.room.rooms import Room
from relay_tui.room.store import Store
from tests.cli.conftest import PROJECT
from tests.gauntlet.figures import Answer, read_answers
from tests.repo.git_fixture import commit, make_repository

_EVENTS = 10_000_000


class Worker:
    """One process of `tests.gauntlet.workers`; what it prints is taken off its pipe all the time."""

    def __init__(self, home: str, folder: str, job: str, *words: object) -> None:
        command = [sys.executable, "-m", "tests.gauntlet.workers", job, home, folder, *map(str, words)]
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self.process = subprocess.Popen(command, cwd=PROJECT, text=True, **pipes)
        self._parts: dict[str, str] = {}

    def wait_until_ready(self) -> None:
        assert self.process.stdout is not None
        if self.process.stdout.readline() != "ready\n":
            raise AssertionError(self.process.communicate()[1])
        self._readers = [
            threading.Thread(target=self._read, args=(name, getattr(self.process, name)))
            for name in ("stdout", "stderr")
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, name: str, stream: IO[str]) -> None:
        self._parts[name] = stream.read()

    def begin(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("go\n")
        self.process.stdin.close()

    def answers(self) -> list[Answer]:
        """Everything that it was answered; a worker that failed fails the scene."""
        status = self.process.wait()
        for reader in self._readers:
            reader.join()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        if status:
            raise AssertionError(self._parts["stderr"])
        return read_answers(self._parts["stdout"])


class Stage:
    """One home and one repository in `folder`."""

    def __init__(self, folder: str) -> None:
        self.home = os.path.join(folder, "home")
        self.repository = make_repository(os.path.join(folder, "repo"))
        commit(self.repository, "first", {"README.md": "a\n"})

    def room(self) -> Room:
        return open_room(Store(self.home), self.repository, None)

    def enter(self, names: Sequence[str]) -> list[str]:
        for name in names:
            join(self.room(), Actor(name), Joining())
        return list(names)

    def play(self, workers: Sequence[Worker]) -> tuple[float, list[Answer]]:
        """Begin all of them at once; the seconds until the last ended, and what they were answered."""
        for worker in workers:
            worker.wait_until_ready()
        began = time.perf_counter()
        for worker in workers:
            worker.begin()
        answers = [answer for worker in workers for answer in worker.answers()]
        return time.perf_counter() - began, answers

    def worker(self, job: str, *words: object) -> Worker:
        return Worker(self.home, self.repository, job, *words)

    def check(self, answers: Sequence[Answer], *, others_sent: int = 0) -> None:
        """Nothing lost, nothing twice, and the ledger makes the very tables that stand in the file.

        `others_sent` are messages that no worker sent.
        """
        room = self.room()
        with room.reading() as db:
            assert verify(db).first_bad is None
            rebuilt = check_rebuild(db)
            assert rebuilt.equal, [name for name, one in rebuilt.tables.items() if not one.equal]
            events = read_events(db, room.row.key, limit=_EVENTS)
            rows = db.execute(_DELIVERIES, (room.row.key,)).fetchall()
        room.store.close()
        sent = {one.data["id"]: one.data["recipients"] for one in events if one.kind == "message.sent"}
        answered = {one.what for one in answers if one.act == "sent"}
        assert answered <= sent.keys()
        assert len(sent) == len(answered) + others_sent
        assert Counter((message, agent) for message, agent, _ in rows) == Counter(
            (message, agent) for message, agents in sent.items() for agent in agents
        )
        for kind in ("message.delivered", "message.handled"):
            assert not repeated(events, kind), kind
        handled = {message for message, _, at in rows if at is not None}
        assert {message for one in answers if one.act == "acked" for message in one.what.split(",")} <= handled


_DELIVERIES = """
SELECT m.id, a.name, d.handled_at FROM deliveries AS d
JOIN messages AS m ON m.seq = d.message JOIN agents AS a ON a.key = d.agent WHERE m.room = ?
"""


def repeated(events: Sequence[Event], kind: str) -> list[tuple[str, str]]:
    """Messages to which an agent did one thing twice."""
    told = Counter(
        (message, one.data["agent"]) for one in events if one.kind == kind for message in one.data["messages"]
    )
    return [key for key, times in told.items() if times > 1]
