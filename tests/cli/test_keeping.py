"""What an export and an answer of `relay db` look like to whatever reads the command's output."""

from __future__ import annotations

import json
import os

import pytest

from tests.cli.conftest import CommandLine, spawn


@pytest.fixture
def operated(room: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.setenv("RELAY_OPERATOR", "1")
    return room


def test_an_export_to_standard_output_is_nothing_but_the_export(operated: CommandLine) -> None:
    plain = operated.run("export -")
    assert (plain.code, plain.err) == (0, b"")
    lines = [json.loads(line) for line in plain.out.splitlines()]
    assert (lines[0]["format"], lines[-1]["end"]["events"]) == ("relay-export", len(lines) - 2)
    assert operated.run("export - --json").out.splitlines()[1:-1] == plain.out.splitlines()[1:-1]
    assert operated.fault("restore -", stdin=plain.out)["code"] == "refused"
    told = operated.data("restore - --as-new", stdin=plain.out)
    assert [room["was"]["room"] for room in told["rooms"]] == ["shop"]
    assert "a copy of shop" in operated.ok("restore - --as-new", stdin=plain.out)
    assert "1, and the folder of each is there; 2 more without a folder" in operated.run("doctor").out.decode()


def test_an_export_whose_reader_goes_away_ends_quietly(operated: CommandLine) -> None:
    for number in range(40):
        operated.ok(f"send --as alice --to bob --message {'x' * 5000}{number}")
    with spawn("export", "-") as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.read(1) == b"{"
        process.stdout.close()
        assert (process.stderr.read(), process.wait(20)) == (b"", 0)


def test_csv_is_for_programs_and_says_beside_it_what_it_left_out(operated: CommandLine) -> None:
    operated.ok("send --as alice --to bob --message 'one, \"two\"'")
    answer = operated.run("db 'SELECT summary, reply_to FROM messages' --csv")
    assert (answer.out, answer.err) == (b'summary,reply_to\n"one, ""two""",\n', b"")
    short = operated.run("db --table agents --csv --limit 1")
    assert (short.out.count(b"\n"), b"more than 1 rows" in short.err) == (2, True)
    assert "There are more than 1 row" in operated.ok("db --table agents --limit 1")
    assert operated.fault("db 'SELECT 1' --table agents")["code"] == "usage"
    assert operated.fault("db --limit 0")["code"] == "usage"


def test_an_agent_copies_nothing_and_asks_nothing(room: CommandLine) -> None:
    for line in ("backup b.db", "export e.ndjson", "export -", "restore b.db", "db"):
        assert room.fault(f"{line} --as alice")["code"] == "not_operator"
        assert room.fault(line)["code"] == "usage", "somebody must say who they are"
    assert sorted(os.listdir(room.repository)) == [".git", "README.md", "src"]


def test_a_backup_is_a_file_and_its_name_may_begin_with_a_tilde(
    operated: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", os.path.dirname(operated.repository))
    fault = operated.fault("backup -")
    assert (fault["code"], "relay export -" in fault["hint"]) == ("usage", True)
    assert operated.ok("backup '~/b.db' --dry-run").splitlines()[0].endswith("/b.db can be written.")
    operated.ok("backup '~/b.db'")
    assert "a copy of shop" in operated.ok("restore '~/b.db' --as-new")
