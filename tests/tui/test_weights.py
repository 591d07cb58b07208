from __future__ import annotations

import pytest

from relay_tui.actions.call import parse
from relay_tui.actions.plan_files.following import Followed
from relay_tui.base.times import DAY, SECOND
from relay_tui.room.asking import AskedList
from relay_tui.room.claims import Claimed, Released
from relay_tui.room.handoffs import Handoff, HandoffAnswer, HandoffResource
from relay_tui.room.held import Claim
from relay_tui.room.work_moves import Restoration
from relay_tui.tui.acts.weights import Weight, affected_lines, is_reading, name_to_type, way_back, weigh
from tests.tui.items import one

NOW = 1_796_029_200 * SECOND
CLAIM = Claim("project", "src", "codex-3", "quiet", NOW - 2 * DAY, "shop", "rewrite", NOW, True, False, None)

OFFER = Handoff(
    "H1", "codex-3", "claude-1", "done", "waiting",
    [HandoffResource("project", "src", None), HandoffResource("machine", "x", None)], NOW, None, "shop", "shop",
)  # fmt: skip
ANSWER = HandoffAnswer(OFFER, "shop")


def call(line: str):
    read = parse(line.split())
    assert read is not None
    return read


@pytest.mark.parametrize(("line", "weight"), [
    ("send --to codex-3 --message hi", Weight.LIGHT),
    ("send --to * --message hi", Weight.CONSEQUENTIAL),
    ("wake", Weight.CONSEQUENTIAL),
    ("log archive --before 1d", Weight.CONSEQUENTIAL),
    ("setup claude", Weight.CONSEQUENTIAL),
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
    ("retire --stale --relinquish --apply", Weight.CONSEQUENTIAL),
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
    assert affected_lines([CLAIM], CLAIM.room, NOW) == ['src · codex-3 · quiet, heard from 2d ago · "rewrite"']
    assert "never heard from" in affected_lines([CLAIM._replace(holder_last_seen=None)], None, NOW)[0]


def test_the_way_back_is_the_opposite_with_the_same_names():
    assert way_back(call("claim src"), Claimed([CLAIM], [])) == ("release", {"resources": ["src"]})
    noted = {"resources": ["src"], "note": "rewrite"}
    assert way_back(call("release src"), Released([CLAIM], False, "shop")) == ("claim", noted)
    assert way_back(call("release --all"), Released([CLAIM], False, "shop")) == ("claim", noted)
    assert way_back(call("branch claim feat/a"), Claimed([CLAIM], [])) == ("branch release", {"branch": "feat/a"})
    branch = CLAIM._replace(scope="branch", resource="feat/a", note=None)
    back = ("branch claim", {"branch": "feat/a"})
    assert way_back(call("branch release feat/a"), Released([branch], False, "shop")) == back
    planned = way_back(call("release branch:feat/a"), Released([branch._replace(planned=True)], False, "shop"))
    assert planned == ("branch claim", {"branch": "feat/a", "new": True})


def test_only_what_was_new_is_given_back_and_the_scope_is_said():
    machine = CLAIM._replace(scope="machine", resource="gpu")
    assert way_back(call("claim src a"), Claimed([CLAIM], [CLAIM])) == ("release", {"resources": ["src"]})
    assert way_back(call("claim gpu --scope machine"), Claimed([machine], [])) == (
        "release", {"resources": ["machine:gpu"]},
    )  # fmt: skip


def test_where_no_single_line_would_undo_it_none_is_offered():
    other = CLAIM._replace(resource="a", note=None)
    assert way_back(call("release src a"), Released([CLAIM, other], False, "shop")) is None
    assert (
        way_back(
            call("release src"), Released([CLAIM._replace(waiting=["claude-1"], waiting_rooms=["shop"])], False, "shop")
        )
        is None
    )
    assert way_back(call("retire codex-3 --relinquish --reason x"), None) is None


def test_the_way_back_from_a_handover_goes_to_whoever_had_it():
    offered = OFFER._replace(resources=[part._replace(accepted=part.scope == "project") for part in OFFER.resources])
    moved_nothing = ANSWER._replace(handoff=offered)
    assert way_back(call("handoff respond H1 --accept"), moved_nothing) is None
    request = call("handoff request src machine:x --to claude-1 --as codex-3")
    assert way_back(request, ANSWER) == ("handoff cancel", {"id": "H1"})
    again = {"resources": ["../src", "../x"], "to": "claude-1", "reason": "done"}
    cancelled = way_back(call("handoff cancel H1 --as codex-3"), ANSWER, lambda _, name: f"../{name}")
    assert cancelled == ("handoff request", again)


def test_nothing_goes_back_from_what_was_declined_or_taken_back_for_another():
    assert way_back(call("handoff respond H1 --decline"), ANSWER) is None
    assert way_back(call("handoff cancel H1 --as operator"), ANSWER) is None
    assert way_back(call("handoff cancel H1 --as codex-3"), ANSWER._replace(room="billing")) is None  # a namesake
    assert way_back(call("handoff ask src"), AskedList([], "shop")) is None


def test_what_is_restored_is_removed_again_with_all_that_came_back():
    item = one()
    assert way_back(call("work restore W1"), Restoration(item, ["removed"], ["W1"])) == ("work remove", {"id": "W1"})
    with_more = way_back(call("work restore W1"), Restoration(item, ["removed"], ["W1", "W2"]))
    assert with_more == ("work remove", {"id": "W1", "recursive": True})
    assert way_back(call("work restore W1"), Restoration(item, [], [])) is None


def test_following_a_file_goes_back_by_the_other_of_the_two():
    done = Followed("ROADMAP.md", True, True)
    again = ("work follow", {"file": "ROADMAP.md", "off": True})
    assert way_back(call("work follow --file ROADMAP.md"), done) == again
    off = way_back(call("work follow --file ROADMAP.md --off"), done._replace(follow=False))
    assert off == ("work follow", {"file": "ROADMAP.md", "off": False})
    assert way_back(call("work follow --file ROADMAP.md"), done._replace(changed=False)) is None


def test_there_is_no_way_back_from_what_did_nothing_or_took_from_another():
    assert way_back(call("claim src"), Claimed([], [CLAIM])) is None
    assert way_back(call("release src --force --reason x"), Released([CLAIM], True, "shop")) is None
    assert way_back(call("ack M1"), None) is None
