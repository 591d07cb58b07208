from __future__ import annotations

import pytest
from hypothesis import given, settings

from relay_tui.actions.call import Call, parse, split_line
from relay_tui.base.errors import RelayError
from tests.actions.lines import calls


@settings(max_examples=400, deadline=None)
@given(calls())
def test_every_call_is_read_back_from_the_line_it_writes(call: Call) -> None:
    argv = call.argv()
    assert argv[0] == "relay"
    assert parse(argv[1:]) == call


def test_common_options_stand_anywhere_even_between_the_words_of_a_command() -> None:
    asked = Call("log head", {}, as_="a", json=True)
    for line in ("--as a --json log head", "log --json head --as a", "--as=a log head --json"):
        assert parse(line.split()) == asked, line


def test_a_common_option_that_is_another_options_value_stays_a_value() -> None:
    call = parse(["send", "--to", "b", "--message", "--json"])
    assert call is not None
    assert call.values["message"] == "--json"
    assert not call.json


def test_init_names_the_room_it_makes_wherever_the_option_stands() -> None:
    named = Call("init", {"room_": "billing"})
    assert parse(["init", "--room", "billing"]) == named
    assert parse(["--room", "billing", "init"]) == named


def test_two_dashes_end_the_options() -> None:
    assert parse(["claim", "--", "--json", "-x"]) == Call("claim", {"resources": ["--json", "-x"]})


def test_an_id_may_be_said_as_an_option_but_only_once() -> None:
    assert parse(["receipt", "--id", "M1"]) == parse(["receipt", "M1"])
    assert parse(["ack", "M1", "--id", "M2"]) == Call("ack", {"ids": ["M1", "M2"]})
    assert parse(["receipt", "M1", "--id", "M2"]) is None
    assert parse(["receipt", "--id", "M1", "--id", "M2"]) is None


def test_what_is_the_default_is_not_part_of_a_call_but_zero_is_no_default() -> None:
    assert parse(["inbox", "--limit", "50"]) == Call("inbox", {})
    assert parse(["inbox", "--limit", "0"]) == Call("inbox", {"limit": 0})


@pytest.mark.parametrize("line", ["", "bogus", "inbox --bogus", "inbox --limit x", "inbox --limit", "show", "show a b",
                                  "inbox --all=1", "status dancing", "work", "inbox --help", "--version"])  # fmt: skip
def test_a_line_that_does_not_parse_is_handed_back(line: str) -> None:
    assert parse(line.split()) is None


@pytest.mark.parametrize("line", ["inbox --as", "inbox --room", "inbox --json=1", "inbox --dry-run=yes"])
def test_a_common_option_said_wrong_is_a_usage_error(line: str) -> None:
    with pytest.raises(RelayError) as raised:
        split_line(line.split())
    assert raised.value.code == "usage"
