"""What reaches a terminal, a pipe and a program: inert text, the original in JSON, and quiet ends."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
from typing import Any

import pytest

from relay_tui.cli.texts.layout import columns, width
from tests.cli.conftest import CommandLine, spawn
from tests.repo.git_fixture import commit
from tests.room_fixture import Clock

# Screen and clipboard commands, C1, bidi, a line of its own, markup, a fake prompt, and bytes that are harmless.
HOSTILE = (
    "\x1b[2J\x1b]52;c;aGk=\x07\x9b31m\u202egnp.exe\u2066\r\nrelay: all is well\x00\x08\x7f[/b][@click=app.quit]x[/]"
    " naïve 日本 🦆"
)
NAME = HOSTILE.replace("\x00", "").replace("\r\n", "").replace("/", "∕")
BRANCH = "fix/\u202egnp.exe\u2066\u009b31m-日本🦆"  # what git itself lets into a name
_UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


@pytest.fixture
def besieged(room: CommandLine) -> CommandLine:
    """A room in which every field that takes text has hostile text in it."""
    room.ok("send --as alice --to bob --message - --summary", HOSTILE.replace("\x00", ""), stdin=HOSTILE.encode())
    os.makedirs(os.path.join(room.repository, NAME))
    room.ok(
        "status --as alice blocked --needs operator --text",
        NAME,
        "--task",
        NAME,
        "--question",
        NAME,
        "--branch",
        BRANCH,
    )
    room.ok("claim --as alice --note", HOSTILE.replace("\x00", ""), "--", NAME)
    room.ok("join --as carol --runner", NAME, "--worktree", NAME)
    room.ok("work add --as bob --status blocked --title", NAME, "--owner", NAME, "--label", NAME, "--artifact", NAME)
    plan = f"# {NAME}\n\n- [ ] {NAME}\n- [!] {NAME} 2\n"
    commit(room.repository, NAME, {f"{NAME}.md": plan})
    room.ok("work import --as bob --file", f"{NAME}.md")
    room.ok("ack --as bob M0000001 --note", NAME)
    return room


LOOKS = (
    "inbox --as bob", "history --as bob", "outbox --as alice", "show --as bob M0000001", "thread --as bob M0000001",
    "receipt M0000001", "agents", "agents --state live", "whoami --as alice", "whoami --as carol", "claims", "branches",
    "branches --all --details", "work tree", "work show W1", "attention", "log --as operator",
    "log --as operator --limit 3", "rooms", "branch show main --patch", "doctor",
)  # fmt: skip


@pytest.mark.parametrize("line", LOOKS)
def test_hostile_text_is_inert_for_people(besieged: CommandLine, line: str) -> None:
    text = besieged.ok(line)
    assert text.endswith("\n")
    assert not _UNSAFE.search(text)
    assert "relay: all is well" not in [written.strip() for written in text.splitlines()]


def test_hostile_text_is_inert_in_what_a_write_answers(besieged: CommandLine) -> None:
    for line, more in (
        ("release --as alice --", [NAME]), ("work set W1 --as bob --title", [NAME + "2"]),
        ("status --as alice --text", [NAME]), ("status --as alice --needs bob --question", [NAME]),
    ):  # fmt: skip
        assert not _UNSAFE.search(besieged.ok(line, *more)), line


@pytest.mark.parametrize("line", [
    "inbox --as bob --from", "show --as bob", "claim --as bob", "send --as alice --message x --to", "agents --room",
    "agents --state", "log verify --expect", "inbox --as bob --since", "inbox --as bob --older-than", "bogus", "inbox",
    "join --as", "branch claim --as alice", "branch show", "work show", "work import --as bob --file",
    "work set W1 --as bob --unset", "claims --scope", "inbox --as", "send --as alice --to bob --message x --attach",
])  # fmt: skip
def test_hostile_text_is_inert_in_errors(besieged: CommandLine, line: str) -> None:
    answer = besieged.run(line, NAME)
    assert answer.out == b"" or answer.code == 0
    assert not _UNSAFE.search(answer.err.decode())


def test_programs_get_every_character_as_it_was_written(besieged: CommandLine) -> None:
    message = besieged.data("history --as bob")["messages"][0]
    assert message["body"] == HOSTILE
    assert message["summary"] == HOSTILE.replace("\x00", "")
    alice, *_ = besieged.data("agents --state live")["agents"]
    assert (alice["text"], alice["task"], alice["question"]["text"]) == (NAME,) * 3
    assert alice["branch"] == BRANCH
    claim, *_ = besieged.data("claims")["claims"]
    assert (claim["resource"], claim["note"]) == (NAME, HOSTILE.replace("\x00", ""))
    assert besieged.data("receipt M0000001 --as bob")["recipients"][0]["note"] == NAME
    item = besieged.data("work show W1")["item"]
    assert (item["title"], item["owner"], item["labels"], item["artifacts"]) == (NAME, NAME, [NAME], [NAME])


def test_json_is_ascii_on_one_line_whatever_it_carries(besieged: CommandLine) -> None:
    answer = besieged.run("history --as bob --json")
    assert answer.out.isascii()
    assert answer.out.count(b"\n") == 1


def test_wide_characters_keep_columns_straight() -> None:
    rows = list(columns([["日本", "x"], ["abcd", "y"], ["e\u0301f", "z"]]))
    assert [width(row) for row in rows] == [7, 7, 7]
    assert rows == ["日本  x", "abcd  y", "e\u0301f    z"]


@pytest.mark.parametrize("environ", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}, {"FORCE_COLOR": "1"}])
def test_what_is_printed_is_plain(room: CommandLine, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str]) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    for line in ("agents", "work tree", "branches", "inbox --help", "--help"):
        assert "\x1b" not in room.ok(line)
    assert b"\x1b" not in room.run("inbox --bogus").err


def finish(process: Any, written: bytes = b"") -> tuple[int, bytes, bytes]:
    out, err = process.communicate(written, timeout=30)
    return process.returncode, out, err


def test_a_closed_pipe_ends_quietly(room: CommandLine) -> None:
    for _ in range(8):
        room.ok("send --as alice --to bob --message -", stdin=b"x" * 60_000)
    for words, codes in (
        (["history", "--as", "bob", "--limit", "8"], {0}), (["history", "--as", "bob", "--json"], {0}),
        (["--help"], {0, 1}),  # Typer prints this itself, and leaves with 1
    ):  # fmt: skip
        process = spawn(*words)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) in codes
        process.stdin.close()
        process.stderr.close()


def test_an_answer_that_cannot_be_written_is_an_error(room: CommandLine) -> None:
    with open("/dev/full", "wb") as full:
        code, _, err = finish(spawn("agents", stdout=full))
        helped = finish(spawn("--help", stdout=full))
        exported = finish(spawn("export", "-", stdout=full, env={**os.environ, "RELAY_OPERATOR": "1"}))
    assert (code, helped[0], exported[0]) == (1, 1, 1)
    assert exported[2].decode().startswith("relay: What was asked for could not be written")
    assert helped[2].decode().startswith("relay: The help could not be written")
    assert err.decode().startswith("relay: It is done, but the answer could not be written")


def test_a_terminal_that_knows_only_ascii_gets_its_answer(room: CommandLine) -> None:
    room.ok("status --as alice --text", "日本")
    process = spawn("agents", env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
    code, out, err = finish(process)
    assert (code, err) == (0, b"")
    assert "日本" in out.decode()


def test_streams_that_are_closed_are_no_fault(room: CommandLine) -> None:
    """As a cron job or a supervisor may start it."""
    for words in ("send --as alice --to bob --message -", "agents", ""):
        process = spawn(*words.split(), stdin=None, stdout=subprocess.PIPE, preexec_fn=lambda: os.close(0))
        code, _, err = finish(process)
        assert b"failed" not in err
        assert code == (2 if words.startswith("send") else 0)


class StoppedClock(Clock):
    def __call__(self) -> int:
        raise ZeroDivisionError("the clock stopped")


def test_a_fault_of_relays_own_is_told_and_not_thrown(room: CommandLine) -> None:
    room.clock = StoppedClock()
    answer = room.run("agents --json")
    error = json.loads(answer.err)["error"]
    assert (answer.code, answer.out, error["code"]) == (1, b"", "internal")
    assert "ZeroDivisionError: the clock stopped" in error["message"]
    assert "RELAY_DEBUG=1" in error["hint"]


def test_what_cannot_be_said_on_standard_error_changes_no_exit_code(room: CommandLine) -> None:
    reader, closed = os.pipe()
    os.close(reader)
    with open("/dev/full", "wb") as full:
        for stream, before in ((full, None), (closed, None), (None, lambda: os.close(2))):
            process = spawn("show", "Mzzzz", "--as", "bob", stderr=stream, preexec_fn=before)
            assert finish(process)[0] == 3
    os.close(closed)


def test_a_line_end_in_a_name_makes_no_line_of_its_own(room: CommandLine) -> None:
    assert room.run("show --as bob", "M\nrelay: all is well").err.count(b"\n") == 2
    assert room.run("launch").err.startswith(b"relay: Missing argument 'CLIENT'. Choose from: claude, codex")


def test_a_person_who_wants_json_or_a_dry_run_gets_no_screen(room: CommandLine) -> None:
    ours, theirs = pty.openpty()
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), theirs)
    for words, environ, code, told in (
        ((), {"RELAY_JSON": "1"}, 0, b'"command":"attention"'),
        (("--dry-run",), {}, 2, b"The screen cannot run dry."),
    ):
        assert spawn(*words, env={**os.environ, "TERM": "xterm", **environ}, **streams).wait(30) == code
        assert told in os.read(ours, 65536)
    os.close(ours)
    os.close(theirs)


def test_csv_is_for_programs_and_inert_where_a_person_looks(room: CommandLine) -> None:
    room.ok("send --as alice --to bob --message hello --summary", "a\x1b[2Jb")
    ours, theirs = pty.openpty()
    words = ("db", "SELECT summary FROM messages", "--csv")
    environ = {**os.environ, "RELAY_OPERATOR": "1"}
    assert finish(spawn(*words, env=environ))[1] == b"summary\na\x1b[2Jb\n"
    assert finish(spawn(*words, env=environ, stdout=theirs))[0] == 0
    assert os.read(ours, 65536) == b"summary\r\na\\x1b[2Jb\r\n"
    assert finish(spawn(*words, env=environ, preexec_fn=lambda: os.close(1)))[0] == 0
    os.close(ours)
    os.close(theirs)
