"""The issue's bad input, each through the command line: one clear error, its exit code, and nothing lost."""

from __future__ import annotations

import json
import os
import resource
import sqlite3
import threading
from typing import Any

import pytest

from relay_tui.room.lock import WriterLock
from tests.cli.conftest import CommandLine, spawn
from tests.repo.git_fixture import git


def refused(relay: CommandLine, code: str, exit_code: int, line: str, *more: str, stdin: bytes = b"") -> Any:
    """The error of a line, after seeing that the ledger has not moved."""
    before = relay.data("log head")
    fault = relay.fault(line, *more, stdin=stdin)
    assert (fault["code"], fault["exit"]) == (code, exit_code), fault
    assert fault["message"].endswith(".") and fault["hint"], fault
    assert relay.data("log head") == before
    return fault


def test_an_unknown_agent_is_told_with_the_nearest_names(room: CommandLine) -> None:
    fault = refused(room, "unknown_agent", 3, "send --as alice --to bod --message x")
    assert fault["details"]["near"] == ["bob"]
    assert "bob" in fault["hint"]
    assert "alice" in refused(room, "unknown_agent", 3, "claim --as alise src")["hint"]
    assert "relay join --as zzzz" in refused(room, "unknown_agent", 3, "status --as zzzz")["hint"]


@pytest.mark.parametrize("name", ["Alice", "two words", "аlice", "ａlice", "-a", "a/b", "a" * 65, "", "naïve", "a\n"])
def test_a_name_outside_the_rule_cannot_join(room: CommandLine, name: str) -> None:
    refused(room, "invalid", 4, "join", f"--as={name}") if name else refused(room, "usage", 2, "join --as=")


@pytest.mark.parametrize("name", ["operator", "human", "all", "relay", "42"])
def test_a_reserved_name_cannot_join(room: CommandLine, name: str) -> None:
    refused(room, "reserved_name", 8, f"join --as {name}")


def test_a_retry_key_with_other_content_is_a_conflict(room: CommandLine) -> None:
    first = room.data("send --as alice --to bob --message x --id k")
    again = room.data("send --as alice --to bob --message x --id k")
    assert again == {**first, "duplicate": True, "recipients": again["recipients"]}
    fault = refused(room, "id_conflict", 5, "send --as alice --to bob --message y --id k")
    assert fault["details"]["id"] == first["id"]


@pytest.mark.parametrize("resource", ["../outside", "/etc/passwd", "src/../../x"])
def test_a_resource_outside_the_tree_is_refused(room: CommandLine, resource: str) -> None:
    refused(room, "outside_tree", 4, "claim --as alice src", resource)


@pytest.mark.parametrize("resource", ["", "src/*.py", "machine:Two Words", "branch:..", "a\udcffb"])
def test_what_cannot_be_a_resource_is_refused(room: CommandLine, resource: str) -> None:
    refused(room, "invalid", 4, "claim --as alice src", resource)


@pytest.mark.parametrize("body", ["", " ", "\n\t\n"])
def test_an_empty_body_is_refused(room: CommandLine, body: str) -> None:
    refused(room, "invalid", 4, "send --as alice --to bob --message", body)
    refused(room, "invalid", 4, "send --as alice --to bob --message -", stdin=body.encode())


def test_a_body_may_have_64_kib_and_no_more(room: CommandLine) -> None:
    room.ok("send --as alice --to bob --message -", stdin=b"x" * 65536)
    for stdin in (b"x" * 65537, b"x" * (65 * 1024), "é".encode() * 33000, b"x" * (1 << 21)):
        refused(room, "too_large", 4, "send --as alice --to bob --message -", stdin=stdin)
    refused(room, "too_large", 4, "send --as alice --to bob --message x --summary", "s" * 201)


def test_bytes_that_are_not_utf8_are_refused(room: CommandLine) -> None:
    fault = refused(room, "invalid", 4, "send --as alice --to bob --message -", stdin=b"ab\xff")
    assert "byte 3" in fault["message"]
    for line in ("send --as alice --to bob --message", "send --as alice --to bob --message x --summary",
                 "status --as alice --text", "ack --as bob M1 --note", "claim --as alice src --note",
                 "join --as alice --runner", "inbox --as", "agents --room", "join --as alice --session",
                 "inbox --as bob --from", "show --as bob"):  # fmt: skip
        refused(room, "invalid", 4, line, "a\udcff")


def test_two_texts_cannot_both_come_from_standard_input(room: CommandLine) -> None:
    assert room.data("work add --as alice --title -", stdin=b"A title\n")["item"]["title"] == "A title"
    assert room.data("db - --as operator", stdin=b"SELECT 1 AS one")["rows"] == [[1]]
    refused(room, "usage", 2, "status --as alice --text - --needs bob --question -", stdin=b"x")


def test_one_end_of_line_of_standard_input_is_not_text(room: CommandLine) -> None:
    sent = room.data("send --as alice --to bob --message -", stdin=b"one\ntwo\n\n")
    assert room.data(f"show --as bob {sent['id']}")["message"]["body"] == "one\ntwo\n"


def test_ids_that_nobody_has_or_that_begin_several_are_told_apart(room: CommandLine) -> None:
    for _ in range(2):
        room.ok("send --as alice --to bob --message x")
    refused(room, "unknown_message", 3, "show --as bob M9")
    refused(room, "ambiguous", 7, "show --as bob M")
    refused(room, "not_yours", 8, "ack --as alice M0000001")


def test_an_attachment_is_checked_before_anything_is_sent(room: CommandLine) -> None:
    refused(room, "no_file", 3, "send --as alice --to bob --message x --attach README.md --attach missing.txt")
    assert not os.path.exists(os.path.join(room.home, "attachments"))


def test_what_somebody_else_holds_is_a_conflict_that_names_the_holder(room: CommandLine) -> None:
    room.ok("claim --as alice src --note auth")
    fault = refused(room, "claim_conflict", 5, "claim --as bob README.md src/a.py")
    assert [claim["holder"] for claim in fault["details"]["conflicts"]] == ["alice"]
    refused(room, "not_yours", 8, "release --as bob src")
    refused(room, "unknown_claim", 3, "release --as bob README.md")
    refused(room, "not_operator", 8, "release --as bob src --force --reason mine")


def test_outside_of_git_a_room_is_there_only_after_init(
    relay: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    fault = relay.fault("join --as alice")
    assert (fault["code"], fault["exit"]) == ("unknown_room", 3)
    assert "relay init" in fault["hint"]
    relay.ok("init")
    relay.ok("join --as alice")


def test_a_bare_repository_and_one_without_a_commit_have_rooms(
    relay: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    for name, option in (("bare.git", "--bare"), ("unborn", "-q")):
        git(str(tmp_path), "init", "-q", option, name)
        monkeypatch.chdir(tmp_path / name)
        relay.ok("join --as alice")
        relay.ok("branches")


def test_a_folder_that_is_gone_or_has_no_utf8_name_is_told(
    room: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    odd = os.path.join(os.fsencode(tmp_path), b"odd\xff")
    os.mkdir(odd)
    monkeypatch.chdir(os.fsdecode(odd))
    assert room.fault("agents")["code"] == "invalid"
    os.rmdir(odd)
    fault = room.fault("agents")
    assert (fault["code"], fault["exit"]) == ("no_file", 3)


class TestDatabase:
    """`relay.db` as it should not be: it is told, and left as it is."""

    @staticmethod
    def path(relay: CommandLine) -> str:
        return os.path.join(relay.home, "relay.db")

    def untouched(self, relay: CommandLine, code: str, exit_code: int) -> None:
        with open(self.path(relay), "rb") as file:
            before = file.read()
        for line in ("agents", "inbox --as bob", "send --as alice --to bob --message x", "join --as carol"):
            fault = relay.fault(line)
            assert (fault["code"], fault["exit"]) == (code, exit_code), (line, fault)
            assert self.path(relay) in fault["message"]
        with open(self.path(relay), "rb") as file:
            assert file.read() == before

    def test_that_is_no_database(self, room: CommandLine) -> None:
        with open(self.path(room), "wb") as file:
            file.write(b"this is not a database, it is a note to myself\n" * 40)
        self.untouched(room, "corrupt", 4)

    def test_that_is_cut_short(self, room: CommandLine) -> None:
        os.truncate(self.path(room), os.path.getsize(self.path(room)) // 2)
        fault = room.fault("log verify")
        assert (fault["code"], fault["exit"]) == ("corrupt", 4)

    def test_that_is_another_programs(self, relay: CommandLine) -> None:
        os.makedirs(relay.home, mode=0o700)
        with sqlite3.connect(self.path(relay)) as db:
            db.execute("CREATE TABLE notes (text)")
        db.close()
        self.untouched(relay, "corrupt", 4)

    def test_that_a_newer_relay_wrote(self, room: CommandLine) -> None:
        with sqlite3.connect(self.path(room)) as db:
            db.execute("PRAGMA user_version = 999")
        db.close()
        self.untouched(room, "newer_schema", 4)

    @pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
    def test_that_may_not_be_written(self, room: CommandLine) -> None:
        os.chmod(room.home, 0o500)
        os.chmod(self.path(room), 0o400)
        try:
            fault = room.fault("send --as alice --to bob --message x")
        finally:
            os.chmod(room.home, 0o700)
        assert (fault["code"], fault["exit"]) == ("storage", 1)

    def test_on_a_disk_without_room(self, room: CommandLine) -> None:
        """A limit on the size of files is what SQLite meets on a full disk."""
        size = os.path.getsize(self.path(room))
        process = spawn(
            *"send --as alice --to bob --json --message".split(), "x" * 60_000,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size // 2, size // 2)),
        )  # fmt: skip
        out, err = process.communicate(timeout=30)
        assert (process.returncode, out) == (1, b"")
        assert json.loads(err)["error"]["code"] == "storage"
        assert room.data("log verify")["ok"]
        assert room.data("log rebuild --check")["equal"]
        assert room.data("inbox --as bob")["messages"] == []
        room.ok("send --as alice --to bob --message x")

    def test_whose_home_is_a_file(self, relay: CommandLine) -> None:
        with open(relay.home, "w"):
            pass
        fault = relay.fault("join --as alice")
        assert (fault["code"], fault["exit"]) == ("storage", 1)

    def test_a_busy_writer_is_named(self, room: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("RELAY_BUSY", "0.1")
        lock = WriterLock(room.home)
        lock.acquire()
        try:
            fault = room.fault("send --as alice --to bob --message x")
        finally:
            lock.release()
        assert (fault["code"], fault["exit"]) == ("busy", 6)
        assert fault["details"]["holder"]["pid"] == os.getpid()
        room.ok("send --as alice --to bob --message x")

    def test_a_patience_that_is_no_number(self, room: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("RELAY_BUSY", "soon")
        assert room.fault("agents")["code"] == "usage"

    @pytest.mark.parametrize("patience", ["nan", "-1", "0"])
    def test_no_patience_at_all_is_busy_at_once(
        self, room: CommandLine, monkeypatch: pytest.MonkeyPatch, patience: str
    ) -> None:
        monkeypatch.setenv("RELAY_BUSY", patience)
        lock = WriterLock(room.home)
        lock.acquire()
        try:
            assert room.fault("send --as alice --to bob --message x")["code"] == "busy"
        finally:
            lock.release()

    def test_endless_patience_waits_until_the_lock_is_free(
        self, room: CommandLine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("RELAY_BUSY", "inf")
        lock = WriterLock(room.home)
        lock.acquire()
        released = threading.Timer(0.2, lock.release)
        released.start()
        room.ok("send --as alice --to bob --message x")
        released.join()


class TestRoadmap:
    @pytest.fixture(autouse=True)
    def files(self, room: CommandLine) -> None:
        for name, content in (("empty.md", b""), ("binary.md", b"\x00\xff" * 50), ("big.md", b"- [ ] x\n" * 2_700_000)):
            with open(name, "wb") as file:
                file.write(content)

    @pytest.mark.parametrize(("file", "code", "exit_code"), [
        ("missing.md", "no_file", 3), ("src", "no_file", 3), ("binary.md", "invalid", 4), ("big.md", "too_large", 4),
    ])  # fmt: skip
    def test_that_cannot_be_a_plan(self, room: CommandLine, file: str, code: str, exit_code: int) -> None:
        refused(room, code, exit_code, "work import --as alice --file", file)

    def test_that_is_empty_changes_nothing(self, room: CommandLine) -> None:
        answer = room.run("--json work import --as alice --file empty.md")
        assert answer.code in (0, 4)
        assert room.data("work tree")["items"] == []


def test_a_relay_toml_that_is_no_toml_is_told(room: CommandLine) -> None:
    with open(os.path.join(room.home, "relay.toml"), "w") as file:
        file.write("live_window = [\n")
    assert room.fault("agents")["code"] == "invalid"


def test_a_dry_run_answers_the_same_and_changes_nothing(room: CommandLine) -> None:
    for line in (
        "claim --as alice src", "send --as alice --to bob --message x --attach README.md", "status --as bob idle",
        "join --as carol", "leave --as bob", "work add --as bob --title x",
    ):  # fmt: skip
        before = room.data("log head")
        assert room.document(f"{line} --dry-run")["data"]
        assert room.data("log head") == before, line
    assert room.data("claims")["claims"] == []
    assert not os.path.exists(os.path.join(room.home, "attachments"))
