"""What reads words of others, as functions of bytes: each raises where relay would fail with a fault of its own.

`TARGETS` are by name, each made for a folder that it may write to; `SEEDS` are what each begins with.
"""

from __future__ import annotations

import contextlib
import io
import os
import sqlite3
from collections.abc import Callable
from functools import partial
from typing import Any

from relay_tui.actions.call import Call, parse, read_call, split_line
from relay_tui.actions.signature import Parameter
from relay_tui.actions.table import ACTIONS
from relay_tui.agents import hook_call
from relay_tui.agents.mcp.desk import Desk
from relay_tui.agents.mcp.identity import Standing
from relay_tui.agents.mcp.tools import CHOICE, TOOLS, Step, parameters_of, public_name, read_request
from relay_tui.base.canonical import decode, encode
from relay_tui.base.errors import RelayError
from relay_tui.cli.typer_app import read_line
from relay_tui.repo.branch_contents import _file_change
from relay_tui.repo.reader import _branch, _rows
from relay_tui.repo.runner import understood
from relay_tui.repo.worktrees import look_at_worktree, parse_worktrees
from relay_tui.roadmap.model import Choices
from relay_tui.roadmap.reader import read_roadmap
from relay_tui.roadmap.writer import Change, export
from relay_tui.room import schema
from relay_tui.room.chains import verify
from relay_tui.room.ledger import chain_hash, first_previous
from tests.repo.git_fixture import commit, make_repository

Target = Callable[[bytes], None]
ROOM = "R0000001"


def roadmap(_folder: str) -> Target:
    """A plan in Markdown is read or refused, and an export that changes nothing changes no byte."""

    def read(data: bytes) -> None:
        flags, text = (data[0] if data else 0), data[1:]
        try:
            plan = read_roadmap(text, name="x.md", choices=Choices(bool(flags & 1), bool(flags & 2), bool(flags & 4)))
        except RelayError:
            return
        nodes = plan.walk()
        assert export(text, "x.md", [Change(node, node.status) for node in nodes]) == (text, ())

    return read


def line(_folder: str) -> Target:
    """A line is a call that its own `argv` says again, or a usage error, or help."""
    names = [*ACTIONS, ""]

    def read(data: bytes) -> None:
        first = names[data[0] % len(names)] if data else ""
        rest = data[1:].decode("utf-8", "surrogateescape")
        words = [*first.split(), *(rest.split("\0") if rest else ())]
        with contextlib.suppress(RelayError), contextlib.redirect_stdout(io.StringIO()):
            line = split_line(words)
            call = read_call(line) or read_line(line)
            if isinstance(call, Call):
                assert parse(call.argv()[1:]) == call

    return read


def event(_folder: str) -> Target:
    """Whatever stands in a ledger as an event is found good or bad by `verify`."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    schema.create(db)

    def read(data: bytes) -> None:
        db.execute("BEGIN")
        try:
            hash_ = chain_hash(first_previous(ROOM), 1, data)
            db.execute("INSERT INTO events VALUES (1, 1, 1, 'room.created', 1, ?, ?)", (hash_, data))
            assert verify(db).events <= 1
        finally:
            db.execute("ROLLBACK")

    return read


def git(folder: str) -> Target:
    """What git answers is taken apart, or told to be no answer of git's."""
    repository = os.path.realpath(folder)

    def read(data: bytes) -> None:
        end = b"\n" if data[:1] == b"\n" else b"\0"
        with contextlib.suppress(RelayError), understood("worktree"):
            for place, record in enumerate(parse_worktrees(data, end)):
                look_at_worktree(record, not place, repository, (), by_lines=end == b"\n")
        with contextlib.suppress(RelayError), understood("for-each-ref"):
            for row in _rows(data):
                _branch(row)
        with contextlib.suppress(RelayError), understood("diff-tree"):
            for entry in data.decode("utf-8", "surrogateescape").split("\0"):
                _file_change(entry)

    return read


def hook(_folder: str) -> Target:
    """What a client says to a hook is read, or refused."""

    def read(data: bytes) -> None:
        with contextlib.suppress(RelayError):
            hook_call.read_call(data.decode("utf-8", "replace"), "claude", {}, "/")

    return read


def mcp(folder: str) -> Target:
    """A tool's call is answered in JSON, with a result or with a refusal that is no fault of relay's own."""
    repository = make_repository(os.path.join(folder, "repo"))
    commit(repository, "first", {"README.md": "a\n"})
    standing = Standing("fuzzer", "s-1", False, "", repository, None)
    desk = Desk(os.path.join(folder, "home"), None, standing, {})
    steps = [(tool, word, step) for tool in TOOLS.values() for word, step in tool.steps.items()]

    def read(data: bytes) -> None:
        tool, word, step = steps[data[0] % len(steps)] if data else steps[0]
        arguments = _arguments(step, data[1:])
        if len(tool.steps) > 1:
            arguments = {CHOICE: word, **arguments}
        answer = desk.carry_out(partial(read_request, tool, arguments), {})
        if isinstance(answer, RelayError):
            assert answer.code != "internal", answer
        else:
            encode(answer.document())

    return read


def _arguments(step: Step, data: bytes) -> dict[str, Any]:
    """A JSON object where the bytes are one, else a value for each parameter in turn, each ended by NUL NUL."""
    text = data.decode("utf-8", "surrogateescape")
    try:
        said = decode(text)
    except ValueError:
        said = None
    if isinstance(said, dict):
        return said
    values = zip(parameters_of(step).values(), text.split("\0\0"), strict=False)
    return {public_name(one.name): _value(one, spelled) for one, spelled in values if spelled}


def _value(one: Parameter, text: str) -> object:
    if one.kind == "list":
        return text.split("\1")
    if one.kind == "int":
        return len(text) if text.isprintable() else -len(text)
    return text if one.kind == "str" else one.choices[len(text) % len(one.choices)] if one.choices else bool(text)


TARGETS: dict[str, Callable[[str], Target]] = {one.__name__: one for one in (roadmap, line, event, git, hook, mcp)}

_PLAN = """# Plan

## Phase

- [ ] one @ana #x !high due:2026-12-24 <!-- relay:W1 -->
  - [x] two

| Task | Status |
|-|-|
| a | done |
"""
_EVENT = (
    '{"v":1,"room":"R0000001","number":1,"seq":1,"time":1,"actor":"a","session":null,"via":"cli",'
    '"kind":"room.created","data":{}}'
)
_TREES = "worktree /a\0HEAD 00\0branch refs/heads/x\0locked why\0\0worktree /b\0HEAD 11\0detached\0prunable gone\0\0"
_HOOK = (
    '{"session_id":"s","cwd":"/","tool_name":"apply_patch","tool_input":{"command":["*** Begin Patch\\n'
    '*** Update File: a\\n*** End Patch"],"file_path":"b"},"source":"startup"}'
)
SEEDS: dict[str, list[bytes]] = {
    "roadmap": [b"\7" + _PLAN.encode(), b"\0" + _PLAN.replace("\n", "\r\n").encode()],
    "line": [bytes([place]) + b"--as\0a\0--limit\0005\0--json\0x\0--\0-y" for place in range(0, len(ACTIONS), 8)],
    "event": [_EVENT.encode(), _EVENT.replace("{}", "[" * 2000 + "]" * 2000).encode()],
    "git": [_TREES.encode(), b"refs/heads/x\00011\0\0\01700000000\n", b"1\t-\ta\0002\t3\tb\0"],
    "hook": [_HOOK.encode(), b"[" * 3000],
    "mcp": [bytes([place]) + b"M1\0\0b\0\0src\1docs\0\0x" for place in range(24)] + [b'\1{"to":"*","message":"x"}'],
}
