"""The light parser and Typer, held to the same calls: whichever reads a line, the answer is the same."""

from __future__ import annotations

import contextlib
import io

import pytest
from hypothesis import HealthCheck, given, settings

from relay_tui.actions.call import Call, parse, split_line
from relay_tui.base.errors import RelayError
from relay_tui.cli.typer_app import read_line
from tests.actions.lines import calls, damaged_lines

HELP_WAS_PRINTED = 0


def light(line: list[str]) -> Call | str | None:
    try:
        return parse(line)
    except RelayError as fault:
        return fault.code


def whole(line: list[str]) -> Call | int | str:
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return read_line(split_line(line))
    except RelayError as fault:
        return fault.code


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(calls())
def test_typer_reads_every_call_as_the_light_parser_does(call: Call) -> None:
    line = call.argv()[1:]
    assert light(line) == whole(line) == call


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(damaged_lines())
def test_a_damaged_line_gets_the_same_answer_from_both(line: list[str]) -> None:
    said = light(line)
    if said is None:
        assert whole(line) in ("usage", HELP_WAS_PRINTED) or isinstance(whole(line), Call)
    else:
        assert said == whole(line)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(damaged_lines())
def test_what_typer_reads_is_a_call_that_its_own_line_says_again(line: list[str]) -> None:
    call = whole(line)
    if isinstance(call, Call):
        assert light(call.argv()[1:]) == call


@pytest.mark.parametrize("line", [
    "log head", "log --json head", "log", "log --kind claim", "work tree", "work --as a tree", "branch --json show x",
    "claim a b", "claim -- -a", "ack M1 --id M2", "status working --text=-", "join --as worker-%",
    "inbox --limit 5 --limit 6", "init --room x", "--room x init", "screen --read-only",
])  # fmt: skip
def test_both_agree_on(line: str) -> None:
    words = line.split()
    assert light(words) in (whole(words), None)


@pytest.mark.parametrize("line", [
    "bogus", "work bogus", "inbox --bogus", "inbox -x", "inbox --limit", "inbox --limit x", "inbox --all=1", "show",
    "show M1 M2", "show M1 --id M2", "show --id M1 --id M2", "status dancing", "send --to b", "--bogus inbox",
    "--read-only inbox", "log extra", "inbox --json=1", "inbox --as",
])  # fmt: skip
def test_a_line_that_says_nothing_is_a_usage_error(line: str) -> None:
    assert light(line.split()) in (None, "usage")
    assert whole(line.split()) == "usage"
