from __future__ import annotations

import os

import pytest

from relay_tui.actions.signature import read_signature
from relay_tui.actions.table import ACTIONS
from relay_tui.room.ledger import Actor
from relay_tui.tui.dialogs.completion import complete_line, complete_value
from relay_tui.tui.readings.known import Known, list_paths, read_known
from relay_tui.tui.readings.path_tree import PathTree
from tests.room_fixture import House


@pytest.fixture
def known(tmp_path) -> Known:
    for folder in ("src", ".git", "a dir"):
        os.makedirs(tmp_path / folder)
    (tmp_path / "src" / "[id].tsx").write_text("")
    (tmp_path / "plan.md").write_text("")
    return Known(("claude-1", "codex-3"), ("M1", "M2"), ("src", "machine:x"), ("main", "feat/a"), str(tmp_path))


@pytest.mark.parametrize(("line", "offered"), [
    ("wh", ["whoami"]),
    ("branch ", ["branch claim", "branch release", "branch show"]),
    ("branch c", ["branch claim"]),
    ("branch claim f", ["branch claim feat/a"]),
    ("send --to c", ["send --to claude-1", "send --to codex-3"]),
    ("send --mes", ["send --message"]),
    ("send --to codex-3 --t", []),
    ("ack M", ["ack M1", "ack M2"]),
    ("ack M1 M", ["ack M1 M1", "ack M1 M2"]),
    ("status b", ["status blocked"]),
    ("claim s", ["claim src", "claim src/"]),
    ("claim src/", ["claim 'src/[id].tsx'"]),
    ("claim a", ["claim 'a dir/'"]),
    ("claims --as cl", ["claims --as claude-1"]),
    ("work import --file p", ["work import --file plan.md"]),
    ("send --message fre", []),
    ("send --message 'open ", []),
    ("nonsense ", []),
])  # fmt: skip
def test_what_could_stand_next(known: Known, line: str, offered: list[str]):
    assert complete_line(line, known) == offered


@pytest.mark.parametrize(("typed", "offered"), [
    ("m", ["machine:x", "machine:", "machine:native"]),
    ("branch:", ["branch:", "branch:main", "branch:feat/a"]),
    ("plan.md branch:f", ["plan.md branch:feat/a"]),
    ("machine:n", ["machine:native"]),
])  # fmt: skip
def test_branches_and_parts_of_the_machine_are_spelled_out(known: Known, typed: str, offered: list[str]):
    resources = read_signature(ACTIONS["claim"]).words[0]
    assert complete_value(resources, typed, known._replace(machines=("machine:native",))) == offered


def test_paths_come_from_the_tree_where_there_is_one(known: Known):
    resources = read_signature(ACTIONS["claim"]).words[0]
    isolated = known._replace(tree=PathTree(known.folder), claims=())
    assert complete_value(resources, "p", isolated) == ["plan.md"]
    assert complete_value(resources, "src/[", isolated) == ["'src/[id].tsx'"]


def test_a_handover_goes_to_one_and_not_to_everybody(known: Known):
    to = next(one for one in read_signature(ACTIONS["handoff request"]).options if one.name == "to")
    assert complete_value(to, "", known) == ["claude-1", "codex-3"]


def test_every_command_is_offered_from_its_first_letter(known: Known):
    for name in ACTIONS:
        first = name.split()[0]
        assert first in complete_line(first[:1], known)


def test_a_list_field_completes_its_last_word(known: Known):
    resources = read_signature(ACTIONS["claim"]).words[0]
    assert complete_value(resources, "plan.md sr", known) == ["plan.md src", "plan.md src/"]
    to = next(one for one in read_signature(ACTIONS["send"]).options if one.name == "to")
    assert complete_value(to, "*", known) == ["*", "*all"]


def test_hidden_files_are_offered_when_asked_for_and_missing_folders_offer_nothing(known: Known):
    assert list_paths(known.folder, "") == ["a dir/", "plan.md", "src/"]
    assert list_paths(known.folder, ".") == [".git/"]
    assert list_paths(known.folder, "missing/x") == []


def test_what_is_known_of_a_room(house: House):
    codex = Actor("codex-3")
    sent = house.send(codex, "operator", "hi")
    answer = house.send(house.operator, "codex-3", "yes")
    house.claim(codex, "src", "branch:main")
    known = read_known(house.room, "operator")
    assert known.agents == ("claude-1", "codex-3", "operator")
    assert known.messages == (sent.id, answer.id)
    assert set(known.claims) == {"src", "branch:main"}
    assert known.branches == ("main",)
    assert read_known(house.room, "nobody").messages == ()
    assert read_known(house.room, "operator", ["main", "docs"]).branches == ("main", "docs")


def test_parts_of_the_machine_with_a_gate_are_known(house: House):
    with open(os.path.join(house.home, "relay.toml"), "w", encoding="utf-8") as file:
        file.write('[gate]\nmax_load_per_cpu = 4\n[gate."machine:native"]\nmax_load_per_cpu = 2\n')
    assert read_known(house.enter(house.repository), "operator").machines == ("machine:native",)
