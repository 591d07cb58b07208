"""The one thread that changes the room for the screen. It performs calls in order and posts what came of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import contextmanager
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from textual.message import Message

from relay_tui.actions.call import Call
from relay_tui.actions.perform import perform
from relay_tui.base.errors import RelayError
from relay_tui.room.faults import no_database
from relay_tui.room.rooms import Room
from relay_tui.room.store import Store
from relay_tui.tui.desk import Desk
from relay_tui.tui.door import attempt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple

    from relay_tui.tui.dialogs.form import FormDialog
else:
    from relay_tui.base.record import NamedTuple

Then = Callable[[Any], None]
PutOff = Callable[[RelayError], bool]


class Job(NamedTuple):
    """A call to carry out, what the screen does with its result, and the form that it came from.

    `back` undoes it, where its answer does not say how; `ended` is told when it has ended, in whatever way. What
    the screen does by itself may be `put_off` where it is refused: whether it is, so that nobody hears of it.
    """

    call: Call
    then: Then | None = None
    form: FormDialog | None = None
    back: Call | None = None
    ended: Callable[[], object] | None = None
    put_off: PutOff | None = None


class Performed(Message):
    """A job has ended: with its result, or with an error."""

    def __init__(self, job: Job, millis: int, result: Any = None, error: RelayError | None = None) -> None:
        super().__init__()
        self.job = job
        self.millis = millis
        self.result = result
        self.error = error


class Writer:
    """Takes jobs from the screen's thread. The thread begins with the first of them."""

    def __init__(self, desk: Desk, post: Callable[[Message], object]) -> None:
        self._desk = desk
        self._post = post
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._room: Room | None = None  # the thread's own

    def submit(self, job: Job) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="relay-writer", daemon=True)
            self._thread.start()
        self._jobs.put(job)

    def close(self, patience: float | None = None) -> None:
        """Let what was asked for be done, then end the thread; two may wait for it at once."""
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join(patience)

    def _work(self) -> None:
        store = Store(self._desk.home, keep_open=True)
        while (job := self._jobs.get()) is not None:
            self._post(self._perform(job, store))
        store.close()

    def _perform(self, job: Job, store: Store) -> Performed:
        started = self._desk.now
        result, error = attempt(lambda: self._result(job, store))
        return Performed(job, max(self._desk.now - started, 0) // 1000, result=result, error=error)

    def _result(self, job: Job, store: Store) -> Any:
        _refuse_waiting(job.call)
        if self._room is None or not self._room.exists:
            self._room = self._desk.open_in(store)
        room = self._room
        _refuse_lost(room)
        if room.exists:
            with room.reading():  # who may is asked of the room as it is now
                pass
        with self._room_for(job.call, room) as there:
            me = self._desk.actor(job.call)._replace(unattended=job.put_off is not None)
            result = perform(job.call, there, me)
        if hasattr(result, "__next__"):
            said = f"relay {job.call.action} says more as time goes on, which has no place here."
            raise RelayError("refused", said, "Run it in a terminal.")
        return result

    @contextmanager
    def _room_for(self, call: Call, room: Room) -> Iterator[Room]:
        """The writer's own room; a dry run and another room get a store that is closed at once."""
        if not call.dry_run and call.room is None:
            yield room
            return
        store = Store(self._desk.home, dry_run=call.dry_run)
        try:
            yield self._desk.open_in(store, call.room)
        finally:
            store.close()


def _refuse_lost(room: Room) -> None:
    """A write would make an empty home in place of one that somebody took away. Raises `no_file`."""
    if room.exists and not room.store.exists:
        raise no_database(room.store.path, was_there=True)


def _refuse_waiting(call: Call) -> None:
    """Raises `refused` for a call that stands in line: whatever else is asked for would stand behind it."""
    if call.values.get("wait") is not None:
        said = "--wait would keep everything else waiting that is asked for here."
        raise RelayError("refused", said, "Leave it out, or run it in a terminal.")
