"""Real processes that send, remind and watch: `python -m tests.room.messengers JOB HOME FOLDER …`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable

from relay_tui.actions.perform import open_room
from relay_tui.base.errors import RelayError
from relay_tui.room.followups import remind
from relay_tui.room.ledger import Actor
from relay_tui.room.messages import Draft, send
from relay_tui.room.store import Store
from relay_tui.room.watching import watch_inbox
from tests.room.workers import REPOSITORY_OF_RELAY, say


def start(job: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.room.messengers", job, *map(str, arguments)]
    return subprocess.Popen(command, cwd=REPOSITORY_OF_RELAY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def send_with_key(home: str, folder: str, key: str) -> None:
    sent = send(open_room(Store(home), folder, None), Actor("a"), Draft("once", "b", request=key))
    say(f"{sent.id} {sent.duplicate}")


def send_with_key_and_die(home: str, folder: str, key: str) -> None:
    """Stored, and killed before it could say so."""
    send(open_room(Store(home), folder, None), Actor("a"), Draft("once", "b", request=key))
    os.kill(os.getpid(), signal.SIGKILL)


def remind_at(home: str, folder: str, now: str) -> None:
    room = open_room(Store(home), folder, None, clock=lambda: int(now))
    say(" ".join(remind(room, Actor("a"), None).reminded))


def watch(home: str, folder: str, seconds: str) -> None:
    """Print the id of every notice until nothing came for so long."""
    room = open_room(Store(home), folder, None)
    try:
        for notice in watch_inbox(room, Actor("b"), after=None, timeout=int(seconds) * 1_000_000):
            say(notice.id)
    except RelayError as fault:
        if fault.code != "timeout":
            raise


JOBS: dict[str, Callable[..., None]] = {
    "send_with_key": send_with_key,
    "send_with_key_and_die": send_with_key_and_die,
    "remind_at": remind_at,
    "watch": watch,
}

if __name__ == "__main__":
    JOBS[sys.argv[1]](*sys.argv[2:])
