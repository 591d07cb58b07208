"""`relay work import --follow` as a process: one line for each save, and an end that is quiet however it comes."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from relay_tui.base.times import system_clock
from relay_tui.repo.saving import LOOK_EVERY
from tests.cli.conftest import CommandLine, spawn
from tests.cli.test_watch import read_line
from tests.repo.git_fixture import git

PLAN = "# Plan\n\n- [ ] a\n- [ ] b\n"


@pytest.fixture
def crew(relay: CommandLine) -> CommandLine:
    relay.clock.now = system_clock()
    relay.ok("join --as alice")
    save(relay, PLAN)
    return relay


def save(relay: CommandLine, text: str) -> None:
    Path(relay.repository, "PLAN.md").write_text(text)


def save_by_rename(relay: CommandLine, text: str) -> None:
    Path(relay.repository, "PLAN.md~").write_text(text)
    os.replace(f"{relay.repository}/PLAN.md~", f"{relay.repository}/PLAN.md")


@contextmanager
def following(relay: CommandLine, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that has told of the first import and waits for a save."""
    with spawn("work", "import", "--as", "alice", "--file", "PLAN.md", "--follow", *words) as process:
        try:
            assert b"PLAN.md" in read_line(process)
            yield process
        finally:
            process.kill()


def read_object(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(read_line(process))
    return found


def is_silent(process: subprocess.Popen[bytes], seconds: float = 1.5 * LOOK_EVERY) -> bool:
    return not select.select([process.stdout], [], [], seconds)[0]


def statuses(relay: CommandLine) -> list[str]:
    return [item["status"] for item in relay.data("work tree --flat")["items"]]


@pytest.mark.parametrize("save_it", [save, save_by_rename])
def test_each_save_is_one_object_on_a_line(crew: CommandLine, save_it: Any) -> None:
    with following(crew, "--json") as process:
        for text in (PLAN.replace("[ ] a", "[x] a"), PLAN.replace("[ ] a", "[x] a").replace("[ ] b", "[/] b")):
            save_it(crew, text)
            told = read_object(process)
            assert told.keys() == {"at", "file", "import", "error"}
            assert (told["file"], told["error"], len(told["import"]["updated"])) == ("PLAN.md", None, 1)
        assert is_silent(process)
    assert statuses(crew) == ["todo", "done", "in-progress"]


def test_people_get_one_line_for_each(crew: CommandLine) -> None:
    with following(crew) as process:
        save(crew, PLAN + "- [ ] c\n- [ ] d\n")
        line = read_line(process).decode()
        assert line.endswith("PLAN.md: 2 added, 3 unchanged.\n")
        assert is_silent(process)


def test_a_burst_of_saves_is_one_import_of_the_last(crew: CommandLine) -> None:
    with following(crew, "--json") as process:
        for number in range(30):
            save(crew, PLAN + f"- [ ] c{number}\n")
        told = read_object(process)
        assert [item["title"] for item in told["import"]["added"]] == ["c29"]
        assert is_silent(process)


def test_a_save_of_the_same_bytes_says_nothing(crew: CommandLine) -> None:
    with following(crew) as process:
        save(crew, PLAN)
        os.utime(f"{crew.repository}/PLAN.md")
        assert is_silent(process)


def test_a_refused_import_is_told_and_following_goes_on(crew: CommandLine) -> None:
    twice = PLAN.replace("a\n", "a <!-- relay:W2 -->\n").replace("b\n", "b <!-- relay:W2 -->\n")
    with following(crew, "--json") as process:
        save(crew, twice)
        told = read_object(process)
        assert (told["import"], told["error"]["code"], told["error"]["details"]) == (None, "invalid", {"lines": [3, 4]})
        save(crew, PLAN.replace("[ ] b", "[x] b"))
        assert len(read_object(process)["import"]["updated"]) == 1


def test_what_a_checkout_writes_is_looked_at_when_it_has_ended(crew: CommandLine) -> None:
    """Git writes the files first and HEAD last, and holds the index meanwhile."""
    lock = Path(crew.repository, ".git", "index.lock")
    with following(crew) as process:
        lock.touch()
        save(crew, PLAN + "- [ ] c\n")
        assert is_silent(process)
        git(crew.repository, "symbolic-ref", "HEAD", "refs/heads/other")
        lock.unlink()
        assert b"was last read on the branch main, and other is checked out now." in read_line(process)
    assert len(statuses(crew)) == 3


def test_a_file_that_goes_and_comes_back_is_followed_on(crew: CommandLine) -> None:
    with following(crew) as process:
        os.remove(f"{crew.repository}/PLAN.md")
        assert b"not imported. There is no file PLAN.md." in read_line(process)
        assert is_silent(process)
        save(crew, PLAN.replace("[ ] a", "[x] a"))
        assert read_line(process).decode().endswith("PLAN.md: 1 updated, 2 unchanged.\n")


def test_a_folder_that_goes_and_comes_back_is_followed_on(crew: CommandLine) -> None:
    docs = Path(crew.repository, "docs")
    docs.mkdir()
    (docs / "PLAN.md").write_text("# Docs\n\n- [ ] d\n")
    with spawn("work", "import", "--as", "alice", "--file", "docs/PLAN.md", "--follow") as process:
        assert b"docs/PLAN.md" in read_line(process)
        docs.rename(f"{docs}.away")
        assert b"There is no file" in read_line(process)
        docs.mkdir()
        (docs / "PLAN.md").write_text("# Docs\n\n- [x] d\n")
        assert b"1 updated" in read_line(process)
        process.kill()


def test_its_own_markers_are_no_save(crew: CommandLine) -> None:
    with following(crew, "--mark") as process:
        assert is_silent(process)
        save(crew, Path(crew.repository, "PLAN.md").read_text() + "- [ ] c\n")
        assert b"1 added" in read_line(process)
        assert is_silent(process)
    assert Path(crew.repository, "PLAN.md").read_text().count("<!-- relay:") == 4


def test_it_remembers_nothing_for_the_screen(crew: CommandLine) -> None:
    with following(crew):
        pass
    assert not any(event["kind"] == "work.followed" for event in crew.data("log")["events"])


def test_what_cannot_be_imported_to_begin_with_ends_it(crew: CommandLine) -> None:
    process = spawn("work", "import", "--as", "alice", "--file", "NONE.md", "--follow", "--json")
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, json.loads(err)["error"]["code"]) == (3, b"", "no_file")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_quietly(crew: CommandLine, number: signal.Signals) -> None:
    with following(crew) as process:
        process.send_signal(number)
        _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0 if number == signal.SIGTERM else 130, b"")


def test_a_reader_that_goes_away_ends_it_quietly(crew: CommandLine) -> None:
    with following(crew) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.wait(20) == 0
        assert process.stderr.read() == b""
