from __future__ import annotations

import pytest

from relay_tui.actions.call import parse
from relay_tui.base.times import DAY, SECOND
from relay_tui.room.claims import Claimed, Released
from relay_tui.room.held import Claim
from relay_tui.tui.weights import Weight, affected_lines, is_reading, name_to_type, way_back, weigh

NOW = 1_796_029_200 * SECOND
CLAIM = Claim("project", "src", "codex-3", "quiet", NOW - 2 * DAY, "shop", "rewrite", NOW, True, False, None, [])


def call(line: str):
    read = parse(line.split())
    assert read is not None
    return read


@pytest.mark.parametrize(("line", "weight"), [
    ("send --to codex-3 --message hi", Weight.LIGHT),
    ("send --to * --message hi", Weight.CONSEQUENTIAL),
    ("send --to *all --message hi", Weight.CONSEQUENTIAL),
    ("send --to all-live --message hi", Weight.CONSEQUENTIAL),
    ("work import --file ROADMAP.md", Weight.CONSEQUENTIAL),
    ("release src", Weight.LIGHT),
    ("release src --force --reason idle", Weight.FORCED),
    ("branch release feat/a --force --reason idle", Weight.FORCED),
    ("ack M1", Weight.LIGHT),
    ("ack --all", Weight.CONSEQUENTIAL),
    ("ack --through c9", Weight.CONSEQUENTIAL),
    ("followup --remind", Weight.CONSEQUENTIAL),
    ("join --branch main", Weight.CONSEQUENTIAL),
    ("fetch M1 --force", Weight.LIGHT),
    ("retire codex-3", Weight.CONSEQUENTIAL),
    ("retire codex-3 --relinquish", Weight.FORCED),
    ("prune", Weight.LIGHT),
    ("prune --apply", Weight.CONSEQUENTIAL),
    ("leave --stale", Weight.LIGHT),
    ("leave --stale --apply", Weight.CONSEQUENTIAL),
])  # fmt: skip
def test_a_call_weighs_what_it_can_do(line: str, weight: Weight):
    assert weigh(call(line)) is weight


@pytest.mark.parametrize(
    ("line", "reading"),
    [
        ("claims", True),
        ("show M1", True),
        ("inbox", True),
        ("ack M1", False),
        ("prune", True),
        ("prune --apply", False),
        ("retire --stale", True),
        ("followup", True),
        ("followup --remind", False),
        ("claims --stale", True),
        ("fetch M1", False),
    ],
)
def test_what_is_asked_for_its_answer_gets_a_page(line: str, reading: bool):
    assert is_reading(call(line)) is reading


def test_the_name_to_type_is_the_one_that_the_table_says():
    assert name_to_type(call("release src/a.py b --force --reason x")) == "src/a.py b"
    assert name_to_type(call("branch release feat/a --force --reason x")) == "feat/a"


def test_who_is_displaced_is_named_with_the_last_sign():
    assert affected_lines([CLAIM], NOW) == ['src · codex-3 · quiet, heard from 2d ago · "rewrite"']
    assert "never heard from" in affected_lines([CLAIM._replace(holder_last_seen=None)], NOW)[0]


def test_the_way_back_is_the_opposite_with_the_same_names():
    assert way_back(call("claim src"), Claimed([CLAIM], [])) == ("release", {"resources": ["src"]})
    assert way_back(call("release src"), Released([CLAIM], False)) == ("claim", {"resources": ["src"]})
    assert way_back(call("branch claim feat/a"), Claimed([CLAIM], [])) == ("branch release", {"branch": "feat/a"})
    assert way_back(call("branch release feat/a"), Released([CLAIM], False)) == ("branch claim", {"branch": "feat/a"})


def test_there_is_no_way_back_from_what_did_nothing_or_took_from_another():
    assert way_back(call("claim src"), Claimed([], [CLAIM])) is None
    assert way_back(call("claim src a"), Claimed([CLAIM], [CLAIM])) is None
    assert way_back(call("release src --force --reason x"), Released([CLAIM], True)) is None
    assert way_back(call("release --all"), Released([CLAIM], False)) is None
    assert way_back(call("ack M1"), None) is None
