from __future__ import annotations

import shlex
from collections import Counter
from pathlib import Path

import pytest

from relay_tui.actions.call import parse
from relay_tui.actions.signature import find_function, read_signature
from relay_tui.actions.spec import describe_action, describe_parameter
from relay_tui.actions.table import ACTIONS, MEANINGS, PARAMETERS, Action
from relay_tui.base.errors import EXIT_CODES, EXIT_OF_CODE
from relay_tui.base.times import DAY
from tests.actions.acting import act, refused
from tests.room_fixture import House

SCREENS = ("attention", "agents", "branches", "roadmap", "inbox", "claims", "log")
# What writes in nobody's name: the first room, files that are the repository's, and an agent that is yet to come.
NOBODYS = ("init", "hooks install", "hooks uninstall", "setup", "launch")
# Sweeps: writing actions whose dry run is a read.
DRY_FOR_ANYBODY = {"leave": "leave --stale", "retire": "retire --stale", "prune": "prune"}
each_action = pytest.mark.parametrize("action", ACTIONS.values(), ids=ACTIONS)


def paragraphs(action: Action) -> list[str]:
    text = find_function(action).__doc__ or ""
    return [" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n")]


@each_action
def test_an_action_is_told_in_one_sentence(action: Action) -> None:
    summary = paragraphs(action)[0]
    assert summary.endswith(".")
    assert len(summary) <= 110


@each_action
def test_an_actions_example_is_a_line_of_its_own_that_parses(action: Action) -> None:
    example = shlex.split(paragraphs(action)[1])
    assert example[0] == "relay"
    call = parse(example[1:])
    assert call is not None
    assert call.action == action.name


@each_action
def test_an_action_takes_only_what_a_line_can_say(action: Action) -> None:
    signature = read_signature(action)  # raises KeyError for a type outside of the vocabulary
    assert all(one.choices for one in signature.parameters if one.kind == "choice")
    assert not any(one.kind in ("int", "bool") for one in signature.words)
    lists = [place for place, one in enumerate(signature.words) if one.kind == "list"]
    assert lists in ([], [len(signature.words) - 1]), "words after a list could never be told from it"


@each_action
def test_an_action_that_writes_knows_who_acts(action: Action) -> None:
    needs_me = read_signature(action).needs_me
    assert needs_me or not action.writes or action.name in (*NOBODYS, *DRY_FOR_ANYBODY)


@pytest.mark.parametrize("name", DRY_FOR_ANYBODY)
def test_a_dry_run_is_for_anybody_and_whoever_applies_it_must_be_known(tmp_path: Path, name: str) -> None:
    house = House(str(tmp_path))
    house.join("a")
    house.clock.advance(30 * DAY)
    before = house.rows("SELECT count(*) FROM events")
    assert [one.agent for one in act(house.room, None, DRY_FOR_ANYBODY[name]).candidates] == ["a"]
    assert refused(house.room, None, f"{DRY_FOR_ANYBODY[name]} --apply").code == "usage"
    if name != "prune":  # one name at a time has no dry run
        assert refused(house.room, None, name + " a" * (name == "retire")).code == "usage"
    assert house.rows("SELECT count(*) FROM events") == before


@each_action
def test_an_action_has_no_option_that_every_line_has(action: Action) -> None:
    options = [one.option for one in read_signature(action).options]
    assert not {"--as", "--session", "--room", "--json", "--dry-run", "--help"} & set(options) - named_rooms(action)
    assert len(options) == len(set(options))


def named_rooms(action: Action) -> set[str]:
    """`init --room NAME` names the room that it makes."""
    return {"--room"} if action.name == "init" else set()


@each_action
def test_what_is_typed_again_is_a_parameter(action: Action) -> None:
    assert not action.retype or action.retype in [one.name for one in read_signature(action).parameters]


@each_action
def test_an_action_belongs_to_a_screen_that_is_there(action: Action) -> None:
    assert action.screen in ("", "*", *SCREENS)
    assert not action.key or action.screen


def test_every_parameter_is_of_the_one_vocabulary_and_every_word_of_it_is_used() -> None:
    used = {one.name for action in ACTIONS.values() for one in read_signature(action).parameters}
    assert used - set(PARAMETERS) == set()
    assert set(PARAMETERS) - used == set()


def test_a_meaning_of_one_command_is_of_a_parameter_that_it_has() -> None:
    has = {f"{action.name} {one.name}" for action in ACTIONS.values() for one in read_signature(action).parameters}
    assert MEANINGS.keys() - has == set()
    search = ACTIONS["search"]
    (text,) = [one for one in read_signature(search).parameters if one.name == "text"]
    assert describe_parameter(search, text) == "Words to look for; a message must have them all."
    assert describe_parameter(ACTIONS["status"], text) == PARAMETERS["text"]


def test_every_parameter_is_told_in_one_line() -> None:
    for name, meaning in {**PARAMETERS, **MEANINGS}.items():
        assert meaning.endswith("."), name
        assert len(meaning) <= 90, name


@pytest.mark.parametrize("screen", SCREENS)
def test_one_key_means_one_thing_on_a_screen(screen: str) -> None:
    keys = Counter(action.key for action in ACTIONS.values() if action.key and action.screen in ("*", screen))
    assert [key for key, times in keys.items() if times > 1] == []


def test_the_table_is_told_as_it_is() -> None:
    told = describe_action(ACTIONS["ack"])
    assert (told.name, told.writes, told.scope, told.screen, told.key) == ("ack", True, "write", "inbox", "a")
    scopes = {name: describe_action(ACTIONS[name]).scope for name in ("backup", "revive", "fetch", "receipt")}
    assert scopes == {"backup": "operator", "revive": "operator", "fetch": "write", "receipt": "read"}
    assert [(one.name, one.type) for one in told.params] == [
        ("ids", "list[str]"), ("--through", "str"), ("--all", "bool"), ("--note", "str"),
    ]  # fmt: skip


def test_every_error_code_leaves_with_an_exit_code_that_is_documented() -> None:
    assert set(EXIT_OF_CODE.values()) <= set(EXIT_CODES)
    assert 0 not in EXIT_OF_CODE.values()
