"""`relay watch` as a process: one line a message, and an end that is quiet however it comes."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.cli.conftest import CommandLine, spawn


def read_line(process: subprocess.Popen[bytes], seconds: float = 20.0) -> bytes:
    assert process.stdout is not None
    assert select.select([process.stdout], [], [], seconds)[0], "no line came"
    return process.stdout.readline()


@contextmanager
def watching(relay: CommandLine, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A watch by bob that has told of one message and waits for the next."""
    relay.ok("send --as alice --to bob --message first")
    with spawn("watch", "--as", "bob", *words) as process:
        try:
            assert b"first" in read_line(process)
            yield process
        finally:
            process.kill()


def test_each_message_is_one_json_object_on_a_line(crew: CommandLine) -> None:
    with watching(crew, "--json") as process:
        sent = crew.data("send --as alice --to bob --message", "second\nline")
        notice = json.loads(read_line(process))
    assert (notice["id"], notice["seq"], notice["from"], notice["summary"]) == (
        sent["id"], sent["seq"], "alice", "second",
    )  # fmt: skip
    assert "body" not in notice
    told = crew.data(f"receipt {sent['id']}")["recipients"][0]
    assert (told["stage"], told["notified_by"], told["delivered_at"]) == ("notified", "watch", None)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_quietly(crew: CommandLine, number: signal.Signals) -> None:
    with watching(crew) as process:
        process.send_signal(number)
        _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0 if number == signal.SIGTERM else 130, b"")


@pytest.mark.parametrize("news", [False, True])
def test_a_reader_that_goes_away_ends_it_quietly(crew: CommandLine, news: bool) -> None:
    with watching(crew) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        if not news:
            assert process.wait(20) == 0
        sent = crew.data("send --as alice --to bob --message second")["id"]
        assert process.wait(20) == 0
        assert process.stderr.read() == b""
    if not news:
        assert crew.data(f"receipt {sent}")["recipients"][0]["notified_at"] is None


def test_a_reader_behind_a_socket_goes_away_as_well(crew: CommandLine) -> None:
    """What Node gives its children as standard output."""
    crew.ok("send --as alice --to bob --message first")
    ours, theirs = socket.socketpair()
    with spawn("watch", "--as", "bob", stdout=theirs) as process:
        theirs.close()
        assert b"first" in ours.recv(4096)
        ours.close()
        assert process.wait(20) == 0


def test_a_bounded_wait_ends_with_6_or_with_what_came(crew: CommandLine) -> None:
    began = time.monotonic()
    process = spawn("watch", "--as", "bob", "--timeout", "1s", "--json")
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, json.loads(err)["error"]["code"]) == (6, b"", "timeout")
    assert time.monotonic() - began >= 1
    crew.ok("send --as alice --to bob --message first")
    process = spawn("watch", "--as", "bob", "--timeout", "30s")
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out.count(b"\n"), err) == (0, 1, b"")


def test_a_file_that_is_replaced_does_not_end_it(crew: CommandLine) -> None:
    database = os.path.join(crew.home, "relay.db")
    with watching(crew) as process:
        shutil.copy(database, f"{database}.new")
        os.replace(f"{database}.new", database)
        crew.ok("send --as alice --to bob --message second")
        assert b"second" in read_line(process)
        process.terminate()
        assert process.wait(20) == 0


def test_a_watcher_is_no_sign_of_its_agent(crew: CommandLine) -> None:
    crew.ok("send --as alice --to bob --message first")
    before = crew.data("agents --as operator")["agents"]
    crew.ok("watch --as bob --timeout 0")
    crew.ok("log --as operator")
    told = [{one["agent"]: one["last_seen"] for one in agents} for agents in (before, crew.data("agents")["agents"])]
    assert told[0]["bob"] == told[1]["bob"]


def test_a_stream_leaves_no_handler_behind(crew: CommandLine) -> None:
    """The signal's handler is the process's own again, so that later lines end as they always did."""
    before = signal.getsignal(signal.SIGTERM)
    crew.ok("send --as alice --to bob --message first")
    crew.ok("watch --as bob --timeout 0")
    assert signal.getsignal(signal.SIGTERM) is before
