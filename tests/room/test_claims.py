"""Claims: the published cases, row by row, and what a claim means for others (DESIGN §6.3)."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.base.resources import Resource, is_case_blind
from relay_tui.base.times import MINUTE
from relay_tui.cli.texts.claims import release
from relay_tui.room import claims, held, registry
from relay_tui.room.held import Claim
from relay_tui.room.ledger import Actor
from relay_tui.room.lobby import init_room
from tests.repo.git_fixture import add_worktree, commit, make_repository
from tests.room_fixture import House, refusal


@pytest.fixture
def tree(tmp_path_factory: pytest.TempPathFactory) -> str:
    root = make_repository(str(tmp_path_factory.mktemp("cases") / "repo"))
    commit(root, "first", {"src/app/[id].tsx": "a\n", "src/auth/login.py": "b\n"})
    os.symlink("src/auth", f"{root}/lib")
    return root


@pytest.fixture
def house(tmp_path_factory: pytest.TempPathFactory, tree: str) -> House:
    made = House(str(tmp_path_factory.mktemp("home")), repository=tree)
    made.join("a")
    made.join("b")
    return made


A, B = Actor("a"), Actor("b")


def only_conflict(fault: RelayError) -> Claim:
    conflicts = fault.details["conflicts"]
    assert isinstance(conflicts, list)
    (conflict,) = conflicts
    assert isinstance(conflict, Claim)
    return conflict


def holdings(house: House) -> list[tuple[str, str]]:
    return [(claim.holder, claim.resource) for claim in held.list_claims(house.room).claims]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (["src/auth"], ["src/auth/login.py"]),
        (["src/auth/login.py"], ["src/auth"]),
        (["src/auth/"], ["./src//auth/../auth"]),
        (["lib/login.py"], ["src/auth/login.py"]),
        (["src/app/[id].tsx"], ["src/app/[id].tsx"]),
        (["src/app/**"], ["src/app/new/page.tsx"]),
        (["src/café.py"], ["src/cafe\u0301.py"]),
        (["src/auth", "src/authz.py"], ["README.md", "src/auth/login.py"]),
        (["."], ["anything/below"]),
        (["anything/below"], ["."]),
        (["\U0010ffff"], ["."]),
        (["machine:native"], ["machine:native"]),
    ],
)
def test_cases_that_conflict(house: House, first: Sequence[str], then: Sequence[str]) -> None:
    house.claim(A, *first)
    before = holdings(house)
    fault = refusal(house.claim, B, *then)
    assert (fault.code, fault.exit_code) == ("claim_conflict", 5)
    conflict = only_conflict(fault)
    assert (conflict.holder, conflict.holder_state) == ("a", "live")
    assert holdings(house) == before


@pytest.mark.parametrize(
    ("first", "scope", "then"),
    [
        ("src/auth", None, "src/authz.py"),
        ("src/auth", None, "src/auth-2/x"),
        ("src/auth", None, "src/auth.py"),
        ("native", "machine", "native"),
        ("branch:feat", None, "branch:feat/x"),
        ("machine:gpu", None, "machine:gpu:0"),
    ],
)
def test_cases_that_are_both_held(house: House, first: str, scope: str | None, then: str) -> None:
    house.claim(A, first, scope=scope)
    house.claim(B, then)
    assert sorted(holder for holder, _ in holdings(house)) == ["a", "b"]


@pytest.mark.parametrize(
    ("typed", "hint"), [("src/app/*.tsx", "src/app/[id].tsx"), ("../outside", ""), ("/etc/passwd", "")]
)
def test_cases_that_are_invalid(house: House, typed: str, hint: str) -> None:
    fault = refusal(house.claim, A, typed)
    assert fault.exit_code == 4
    assert hint in fault.hint


def test_two_cases_of_one_name(house: House) -> None:
    house.claim(A, "src/new.py")
    if is_case_blind(house.repository):
        assert refusal(house.claim, B, "src/NEW.py").code == "claim_conflict"
    else:
        assert [claim.resource for claim in house.claim(B, "src/NEW.py").claimed] == ["src/NEW.py"]


def test_brackets_are_kept(house: House) -> None:
    assert house.claim(A, "src/app/[id].tsx").claimed[0].resource == "src/app/[id].tsx"


def test_ones_own_again_is_already(house: House) -> None:
    house.claim(A, "src/auth")
    again = house.claim(A, "src/auth", "lib", "README.md")
    assert [claim.resource for claim in again.already] == ["src/auth"]
    assert again.doubts == ()
    assert house.claim(A, "src/auth", note="new").doubts == ("What you held before keeps its note: src/auth.",)
    assert [claim.resource for claim in again.claimed] == ["README.md"]
    assert house.claim(A, "src/auth/login.py").claimed  # inside one's own folder
    house.assert_whole()


def test_two_spellings_of_one_key_are_one_claim(house: House) -> None:
    """As they come from a case-blind disk."""
    both = [Resource("project", name, "new.py") for name in ("New.py", "new.py")]
    assert [claim.resource for claim in claims.take(house.room, A, both).claimed] == ["New.py"]
    assert len(claims.give_back(house.room, A, both).released) == 1


def test_machine_claims_are_the_homes(house: House, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = make_repository(str(tmp_path_factory.mktemp("other") / "elsewhere"))
    there = house.enter(other)
    registry.join(there, Actor("c"), registry.Joining())
    house.claim(A, "machine:native", "src/auth")
    fault = refusal(claims.take, there, Actor("c"), house.resources("native", room=there, scope="machine"))
    conflict = only_conflict(fault)
    assert (conflict.holder, conflict.room) == ("a", "repo")
    assert [claim.resource for claim in held.list_claims(there).claims] == ["native"]
    claims.take(there, Actor("c"), house.resources("src/auth", room=there))
    house.assert_whole()


def test_two_worktrees_share_one_key(house: House, tmp_path_factory: pytest.TempPathFactory) -> None:
    linked = house.enter(add_worktree(house.repository, str(tmp_path_factory.mktemp("wt") / "linked"), "feat/x"))
    house.claim(A, "src/auth")
    fault = refusal(claims.take, linked, B, house.resources("src/auth/login.py", room=linked))
    assert fault.code == "claim_conflict"


def test_a_room_of_its_own_shares_the_keys_of_its_repository(
    house: House, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = add_worktree(house.repository, str(tmp_path_factory.mktemp("wt") / "own"), "feat/y")
    init_room(house.enter(folder), name="billing")
    own = house.enter(folder)
    registry.join(own, Actor("c"), registry.Joining())
    house.claim(A, "src/auth")
    fault = refusal(claims.take, own, Actor("c"), house.resources("src", room=own))
    conflict = only_conflict(fault)
    assert (conflict.holder, conflict.room) == ("a", "repo")


def test_a_conflict_names_the_holder_and_what_to_do(house: House) -> None:
    house.claim(A, "src/auth", "src/app", note="auth rewrite")
    house.clock.advance(45 * MINUTE)
    fault = refusal(house.claim, B, "src")
    assert fault.message == ('src/app is held by a (quiet, heard from 45m ago: "auth rewrite"). 1 more overlaps.')
    assert fault.hint == "Ask a for it: relay handoff ask src/app --as b"


def test_release_frees_ones_own_all_or_none(house: House) -> None:
    house.claim(A, "src/auth")
    house.claim(B, "README.md")
    assert refusal(claims.give_back, house.room, A, house.resources("src/auth", "README.md")).code == "not_yours"
    assert refusal(claims.give_back, house.room, A, house.resources("src/auth", "x")).code == "unknown_claim"
    assert refusal(claims.give_back, house.room, A, house.resources("src")).code == "unknown_claim"
    assert len(holdings(house)) == 2
    assert [claim.resource for claim in claims.give_back(house.room, A, house.resources("lib")).released] == [
        "src/auth"
    ]
    assert holdings(house) == [("b", "README.md")]


def test_everything_can_be_given_back_by_scope(house: House) -> None:
    house.claim(A, "src/auth", "README.md", "machine:native")
    assert len(claims.give_back_all(house.room, A, "machine").released) == 1
    assert len(claims.give_back_all(house.room, A).released) == 2
    before = len(house.events())
    assert claims.give_back_all(house.room, A).released == []
    assert len(house.events()) == before


def test_only_the_operator_forces_and_the_holder_is_told(house: House) -> None:
    house.claim(A, "src/auth", "machine:native")
    wanted = house.resources("src/auth", "machine:native")
    assert refusal(claims.force_release, house.room, B, wanted, "x").code == "not_operator"
    freed = claims.force_release(house.room, house.operator, wanted, "a is gone")
    assert freed.forced
    assert holdings(house) == []
    (event,) = house.events("claim.released")
    assert (event.actor, event.data["reason"], event.data["forced"]) == ("operator", "a is gone", True)
    mail = house.poll(A).messages
    assert [message.from_ for message in mail] == ["relay", "relay"]
    assert mail[0].body == "operator released src/auth, which you held. Reason: a is gone"
    house.assert_whole()


def test_a_holder_in_another_room_is_told_in_its_room(house: House, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = make_repository(str(tmp_path_factory.mktemp("other") / "elsewhere"))
    there = house.enter(other)
    registry.join(there, Actor("c"), registry.Joining())
    claims.take(there, Actor("c"), house.resources("native", "gpu", room=there, scope="machine"))
    wanted = house.resources("native", "gpu", scope="machine")
    freed = claims.force_release(house.room, house.operator, wanted, "needed")
    assert next(release(freed, 0)).endswith("Held until now by c of room elsewhere.")
    assert house.rows("SELECT sender, room FROM messages") == [("relay", there.row.key)] * 2
    (event,) = house.events("claim.released")
    assert {(one["holder"], one["holder_room"]) for one in event.data["claims"]} == {("c", there.row.id)}
    house.assert_whole()


def test_claims_are_stale_while_their_holder_is_not_live(house: House) -> None:
    house.claim(A, "src/auth")
    house.claim(B, "README.md")
    registry.leave(house.room, A)
    assert [(one.holder, one.stale) for one in held.list_claims(house.room).claims] == [("b", False), ("a", True)]
    assert refusal(house.claim, B, "src/auth").code == "claim_conflict"  # and are never stolen
    house.clock.advance(31 * MINUTE)
    assert len(held.list_claims(house.room, stale=True).claims) == 2
    house.join("b")
    assert [one.holder for one in held.list_claims(house.room, stale=True).claims] == ["a"]


def test_the_list_can_be_narrowed(house: House) -> None:
    house.claim(A, "src/auth", "machine:native")
    house.claim(B, "src/app/x")
    assert len(held.list_claims(house.room, holder="a").claims) == 2
    assert [one.resource for one in held.list_claims(house.room, scope="machine").claims] == ["native"]
    (over,) = house.resources("src/auth/login.py")
    assert [one.resource for one in held.list_claims(house.room, over=[over]).claims] == ["src/auth"]
    (over,) = house.resources("src")
    assert [one.resource for one in held.list_claims(house.room, over=[over]).claims] == ["src/app/x", "src/auth"]
