from __future__ import annotations

import subprocess

import pytest

from relay_tui import __version__
from relay_tui.actions.signature import read_signature
from relay_tui.actions.spec import summarize
from relay_tui.actions.table import ACTIONS
from tests.cli.conftest import CommandLine, command


def words_of(text: str) -> str:
    """Wrapped text as one line."""
    return " ".join(text.split())


@pytest.mark.parametrize("name", ACTIONS)
def test_the_help_of_a_command_explains_it_with_an_example_and_every_option(relay: CommandLine, name: str) -> None:
    said = words_of(relay.ok(f"{name} --help"))
    signature = read_signature(ACTIONS[name])
    assert said.startswith(f"Usage: relay {name} ")
    assert summarize(ACTIONS[name]) in said
    assert f". relay {name}" in said, "the example is a paragraph of its own"
    for option in signature.options:
        assert f" {option.option} " in said
    for word in signature.words:
        assert word.name.rstrip("_").upper() in said
    assert "Everywhere: --as NAME" in said


def test_help_names_every_command_and_says_of_each_a_whole_sentence(
    relay: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    said = relay.ok("--help")
    for line in ("--help", "work --help", "log --help", "handoff --help"):
        assert "..." not in relay.ok(line).partition("\nCommands:")[2]
    listed = [line.split()[0] for line in said.partition("Commands:")[2].splitlines() if line.startswith("  ")]
    assert {name.split()[0] for name in ACTIONS} <= set(listed)
    assert "Everywhere: --as NAME" in words_of(said)


@pytest.mark.parametrize("group", ["work", "branch", "log"])
def test_the_help_of_a_group_names_its_commands(relay: CommandLine, group: str) -> None:
    said = relay.ok(f"{group} --help") + relay.ok(f"{group} --help", "--as", "a")
    for name in ACTIONS:
        if name.startswith(f"{group} "):
            assert name.split()[1] in said, name


def test_the_version_is_said(relay: CommandLine) -> None:
    assert relay.ok("--version") == f"relay {__version__}\n"


def test_help_needs_no_room_and_makes_none(relay: CommandLine) -> None:
    relay.ok("send --help")
    assert relay.data("rooms")["rooms"] == []


@pytest.mark.parametrize(("line", "told", "hint"), [
    ("bogus", "No such command 'bogus'.", "relay --help"),
    ("work bogus", "No such command 'bogus'.", "relay work --help"),
    ("work", "Missing command.", "relay work --help"),
    ("inbox --bogus", "No such option: --bogus", "relay inbox --help"),
    ("inbox --lim 5", "(Possible options: --all, --limit)", "relay inbox --help"),
    ("inbox --limit five", "Invalid value for '--limit'", "relay inbox --help"),
    ("inbox --limit", "Option '--limit' requires an argument.", "relay inbox --help"),
    ("inbox --as", "--as needs a value.", "--as VALUE"),
    ("inbox --dry-run=yes", "--dry-run takes no value.", "--dry-run alone"),
    ("send --to bob", "Missing option '--message'.", "relay send --help"),
    ("show", "Missing argument 'ID'.", "relay show --help"),
    ("show M1 --id M2", "Give one ID", "relay show --help"),
    ("status dancing", "'dancing' is not one of 'working', 'waiting'", "relay status --help"),
    ("log verify --expect 12:zz", "'12:zz' is not NUMBER:HASH.", "relay log head"),
    ("log rebuild", "Nothing is rebuilt in place.", "relay log rebuild --check"),
    ("release --as alice", "Say what to release.", "--all"),
    ("release --as alice --all src", "Say what to release.", "--all"),
    ("inbox --as alice --limit 0", "--limit 0 is out of bounds.", "1 to 1000"),
    ("inbox --as alice --since 5", "That is not a cursor of a list.", "'next'"),
    ("inbox --as alice --older-than soon", "'soon' is not a length of time.", "15m"),
    ("agents --state asleep", "'asleep' is not a state.", "live"),
    ("status --as alice --needs bob", "--needs and --question go together.", "--question"),
    ("claims --scope sea", "'sea' is not one of 'project', 'machine', 'branch'.", "relay claims --help"),
    ("screen", "The screen needs a terminal.", "relay attention"),
])  # fmt: skip
def test_a_line_that_says_nothing_is_answered_with_what_to_type(
    room: CommandLine, monkeypatch: pytest.MonkeyPatch, line: str, told: str, hint: str
) -> None:
    monkeypatch.setenv("RELAY_AGENT", "alice")
    fault = room.fault(line)
    assert (fault["code"], fault["exit"]) == ("usage", 2)
    assert told in fault["message"]
    assert hint in fault["hint"]
    plain = room.run(line)
    assert (plain.code, plain.out) == (2, b"")
    assert plain.err.decode().startswith(f"relay: {fault['message']}")
    assert fault["hint"] in plain.err.decode()


def test_an_unquoted_star_is_told_from_its_file_names(room: CommandLine) -> None:
    fault = room.fault("send --as alice --to README.md src --message hello")
    assert (fault["code"], fault["exit"]) == ("usage", 2)
    assert "(src)" in fault["message"]
    assert "'*'" in fault["hint"]


def completions(relay: CommandLine, monkeypatch: pytest.MonkeyPatch, line: str) -> list[str]:
    monkeypatch.setenv("_RELAY_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
    with pytest.raises(SystemExit):
        relay.run("")
    return relay.printed().split()


def test_the_shell_completes_commands_options_and_choices(relay: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(completions(relay, monkeypatch, "relay cl")) == {"claim", "claims"}
    assert completions(relay, monkeypatch, "relay work im") == ["import"]
    assert completions(relay, monkeypatch, "relay send --mes") == ["--message"]
    assert completions(relay, monkeypatch, "relay status w") == ["working", "waiting"]


@pytest.mark.usefixtures("relay")
def test_a_completion_script_is_printed_for_the_shell_that_asks() -> None:
    """Typer finds the shell among its own parent processes, so there must be one."""
    line = ["bash", "-c", '"$@"; exit $?', "bash", *command("--show-completion")]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "_RELAY_COMPLETE=complete_bash" in done.stdout
