"""How often a send waits for the disk, counted by strace: what is stored is synced once, and nothing twice."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from relay_tui.actions.perform import open_room
from relay_tui.room.ledger import Actor
from relay_tui.room.messages import Draft, send
from relay_tui.room.store import Store
from tests.cli.conftest import PROJECT, CommandLine, command

SENDS = 5
LINE = ("send", "--as", "alice", "--to", "bob", "--message", "x")
# Sends with its connection open; the first, which opens it, is over when standard output says so.
_SENDER = f"""
import sys
sys.path[:0] = [{PROJECT!r}, *{[path for path in sys.path if path.endswith("-packages")]!r}]
from relay_tui.actions.perform import open_room
from relay_tui.room.ledger import Actor
from relay_tui.room.messages import Draft, send
from relay_tui.room.store import Store
room = open_room(Store(sys.argv[1], keep_open=True), sys.argv[2], None)
send(room, Actor("alice"), Draft("first", "bob"))
print("begin", flush=True)
for number in range({SENDS}):
    send(room, Actor("alice"), Draft(str(number), "bob"))
print("end", flush=True)
"""


def traced(tmp_path: Path, *command: str) -> list[str]:
    """Every fsync, fdatasync and write to a standard stream, in order, of a command that must succeed."""
    if shutil.which("strace") is None:
        pytest.skip("there is no strace here, so nothing counts the fsyncs")
    trace = str(tmp_path / "trace")
    words = ["strace", "-f", "-qq", "-o", trace, "-e", "trace=fsync,fdatasync,write", *command]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if "ptrace" in done.stderr:
        pytest.skip(f"strace may not trace here: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    with open(trace, encoding="utf-8", errors="replace") as file:
        return [line for line in file if re.search(r"f(data)?sync\(|write\(1, ", line)]


def fsyncs(lines: list[str]) -> int:
    return sum("sync(" in line for line in lines)


def test_a_send_on_an_open_connection_is_one(crew: CommandLine, tmp_path: Path) -> None:
    lines = traced(tmp_path, sys.executable, "-I", "-c", _SENDER, crew.home, crew.repository)
    begin, end = (next(place for place, line in enumerate(lines) if f'"{word}' in line) for word in ("begin", "end"))
    assert fsyncs(lines[begin:end]) == SENDS


def test_a_send_by_a_process_of_its_own_is_at_most_two_beside_another_that_writes(
    crew: CommandLine, tmp_path: Path
) -> None:
    """As beside the screen, which keeps its connection open."""
    other = open_room(Store(crew.home, keep_open=True), crew.repository, None)
    send(other, Actor("bob"), Draft("first", "alice"))
    assert 1 <= fsyncs(traced(tmp_path, *command(*LINE))) <= 2
    other.store.close()


def test_a_send_by_a_process_that_is_alone_is_at_most_five(crew: CommandLine, tmp_path: Path) -> None:
    """The last to close brings what was written into the file itself."""
    assert 1 <= fsyncs(traced(tmp_path, *command(*LINE))) <= 5
