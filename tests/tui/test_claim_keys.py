from __future__ import annotations

import pytest

from relay_tui.room.branches import BranchAgent
from relay_tui.room.persons import Person, whom_to_write
from relay_tui.tui.acts.branch_acts import people_at, strangers_on
from relay_tui.tui.acts.claim_keys import Looker, what_keys_do
from tests.tui.rows_of.test_branch_settling import BLANK
from tests.tui.rows_of.test_claims import HELD, OFFER

OFFERED = HELD._replace(handoff="H1")


def looker(name: str) -> Looker:
    return Looker(Person(HELD.room, name), "operator")


@pytest.mark.parametrize(("me", "does"), [
    ("codex-3", {"act.release": "release", "act.transfer": "hand over"}),
    ("claude-1", {"act.transfer": "ask for it", "act.message": "message"}),
    ("operator", {"act.transfer": "ask for it", "act.force": "force", "act.message": "message"}),
])  # fmt: skip
def test_a_claim_is_its_holders_to_release_and_others_ask(me: str, does: dict[str, str]):
    assert what_keys_do(HELD, None, looker(me)) == does


@pytest.mark.parametrize(("me", "ids"), [
    ("codex-3", ["act.release"]),
    ("claude-1", ["act.accept", "act.decline", "act.transfer", "act.message"]),
    ("operator", ["act.release", "act.transfer", "act.force", "act.message"]),
    ("nimbus-2", ["act.transfer", "act.message"]),
])  # fmt: skip
def test_a_claim_that_is_offered_has_the_keys_of_its_offer_first(me: str, ids: list[str]):
    does = what_keys_do(OFFERED, OFFER, looker(me))
    assert list(does) == ids
    assert does.get("act.release", "take it back") == "take it back"


@pytest.mark.parametrize(("me", "does"), [
    ("codex-3", {"act.release": "take it back", "act.message": "message claude-1"}),
    ("claude-1", {"act.accept": "accept", "act.decline": "decline", "act.message": "message codex-3"}),
    ("operator", {"act.release": "take it back", "act.message": "message claude-1"}),
])  # fmt: skip
def test_an_offer_is_answered_by_its_recipient_and_taken_back_by_who_made_it(me: str, does: dict[str, str]):
    assert what_keys_do(OFFER, OFFER, looker(me)) == does


def test_what_was_answered_leaves_only_the_message():
    answered = OFFER._replace(state="declined")
    assert what_keys_do(answered, answered, looker("codex-3")) == {"act.message": "message claude-1"}


def test_a_namesake_in_another_room_is_neither_asked_nor_written_to():
    far = OFFER._replace(to_room="billing")
    assert what_keys_do(far, far, looker("claude-1")) == {"act.message": "message codex-3"}
    assert what_keys_do(far, far, looker("codex-3")) == {"act.release": "take it back"}
    theirs = OFFER._replace(from_room="billing")
    assert what_keys_do(theirs, theirs, looker("codex-3")) == {"act.message": "message claude-1"}
    assert what_keys_do(theirs, theirs, looker("claude-1")) == {"act.accept": "accept", "act.decline": "decline"}
    assert "act.message" not in what_keys_do(HELD._replace(room="billing"), None, looker("claude-1"))


def test_a_holder_is_not_asked_to_leave_where_the_stranger_is_in_another_room():
    far = BranchAgent("billing", "codex-3", "live", "reported")
    branch = BLANK._replace(flag="contested", claim=HELD, agents=[far, far._replace(room=HELD.room)])
    me = looker("operator").person
    assert strangers_on(branch) == [("billing", "codex-3")] and whom_to_write(strangers_on(branch), me) is None
    assert whom_to_write(people_at(branch), me) == "codex-3", "the holder, who is of this room, can be written to"
    assert whom_to_write(people_at(branch), Person("billing", "x")) == "codex-3", "there it is the stranger"
