"""Handovers: what is offered stays with its holder until the recipient accepts, and then moves whole (DESIGN §6.3)."""

from __future__ import annotations

import signal

import pytest

from relay_tui.base.times import DAY
from relay_tui.room import asking, claims, handoffs, held, mailbox, registry, sweeps
from relay_tui.room.attention import read_attention
from relay_tui.room.handoffs import Handoff
from relay_tui.room.ledger import Actor
from relay_tui.room.lobby import init_room
from relay_tui.room.rooms import Room
from tests.repo.git_fixture import add_worktree, commit, make_repository
from tests.room.workers import fork
from tests.room_fixture import House, refusal

A, B, C = Actor("a"), Actor("b"), Actor("c")
BATCH = ("src/auth", "machine:native", "branch:feat/x")


@pytest.fixture
def crew(house: House) -> House:
    for name in ("a", "b", "c"):
        house.join(name)
    return house


def offer(house: House, *typed: str, to: str = "b", reason: str | None = "done") -> Handoff:
    return handoffs.request(house.room, A, house.resources(*typed), to, reason).handoff


def answer(house: House, handoff: str, *only: str, accept: bool = True, me: Actor = B) -> Handoff:
    return handoffs.respond(
        house.room, me, handoff, accept=accept, only=house.resources(*only), reason=None
    ).handoff  # fmt: skip


def holders(room: Room) -> dict[str, str]:
    return {f"{one.scope}:{one.resource}": one.holder for one in held.list_claims(room).claims}


def bodies(house: House, me: Actor) -> list[str]:
    return [message.body or "" for message in house.poll(me).messages]


def test_nothing_moves_until_the_recipient_accepts_and_then_all_in_one_event(crew: House) -> None:
    crew.claim(A, *BATCH, note="auth")
    before = holders(crew.room)
    offered = offer(crew, *BATCH)
    assert (offered.state, offered.from_, offered.to, offered.reason) == ("waiting", "a", "b", "done")
    assert holders(crew.room) == before
    assert {one.handoff for one in held.list_claims(crew.room).claims} == {offered.id}
    answered = answer(crew, offered.id)
    assert (answered.state, {one.accepted for one in answered.resources}) == ("accepted", {True})
    assert set(holders(crew.room).values()) == {"b"}
    assert len(crew.events("handoff.answered")) == 1
    assert {one.handoff for one in held.list_claims(crew.room).claims} == {None}
    crew.assert_whole()


def test_a_part_is_accepted_and_the_rest_stays(crew: House) -> None:
    crew.claim(A, *BATCH)
    answered = answer(crew, offer(crew, *BATCH).id, "branch:feat/x", "machine:native")
    assert answered.state == "partly"
    assert {one.resource: one.accepted for one in answered.resources} == {
        "feat/x": True, "native": True, "src/auth": False,
    }  # fmt: skip
    assert holders(crew.room) == {"project:src/auth": "a", "machine:native": "b", "branch:feat/x": "b"}
    assert claims.give_back(crew.room, A, crew.resources("src/auth")).released
    crew.assert_whole()


def test_what_is_not_part_of_the_offer_cannot_be_accepted(crew: House) -> None:
    crew.claim(A, "src/auth", "README.md")
    offered = offer(crew, "src/auth")
    assert refusal(answer, crew, offered.id, "README.md").code == "unknown_claim"
    assert set(holders(crew.room).values()) == {"a"}


def test_a_declined_offer_moves_nothing_and_the_claim_can_be_offered_again(crew: House) -> None:
    crew.claim(A, "src/auth")
    assert answer(crew, offer(crew, "src/auth").id, accept=False).state == "declined"
    assert holders(crew.room) == {"project:src/auth": "a"}
    assert offer(crew, "src/auth", to="c").state == "waiting"
    crew.assert_whole()


def test_a_claim_is_in_at_most_one_waiting_offer(crew: House) -> None:
    crew.claim(A, "src/auth", "README.md")
    first = offer(crew, "src/auth")
    fault = refusal(offer, crew, "README.md", "src/auth", to="c")
    assert (fault.code, fault.hint) == ("held", f"Run: relay handoff cancel {first.id}")
    assert [one.id for one in handoffs.list_handoffs(crew.room).handoffs] == [first.id]


def test_an_offer_is_answered_once(crew: House) -> None:
    crew.claim(A, "src/auth")
    offered = offer(crew, "src/auth")
    answer(crew, offered.id)
    assert refusal(answer, crew, offered.id, accept=False).code == "refused"
    assert refusal(handoffs.cancel, crew.room, A, offered.id).code == "refused"
    assert holders(crew.room) == {"project:src/auth": "b"}


@pytest.mark.parametrize("release", [
    lambda house: claims.give_back(house.room, A, house.resources("src/auth")),
    lambda house: claims.give_back_all(house.room, A),
    lambda house: sweeps.retire(house.room, A, "a", relinquish=True, reason=None),
    lambda house: sweeps.retire(house.room, house.operator, "a", relinquish=True, reason="gone"),
])  # fmt: skip
def test_while_an_offer_waits_its_giver_neither_releases_nor_retires(crew: House, release: object) -> None:
    assert callable(release)
    crew.claim(A, "src/auth", "branch:feat/x")
    offered = offer(crew, "src/auth", "branch:feat/x")
    fault = refusal(release, crew)
    assert (fault.code, fault.hint) == ("refused", f"Run: relay handoff cancel {offered.id}")
    handoffs.cancel(crew.room, A, offered.id)
    release(crew)
    crew.assert_whole()


def test_a_recipient_answers_before_it_retires(crew: House) -> None:
    crew.claim(A, "src/auth")
    offered = offer(crew, "src/auth")
    fault = refusal(sweeps.retire, crew.room, B, "b", relinquish=False, reason=None)
    assert (fault.code, fault.hint) == ("refused", f"Run: relay handoff respond {offered.id} --decline")
    answer(crew, offered.id, accept=False)
    assert sweeps.retire(crew.room, B, "b", relinquish=False, reason=None).agent.state == "retired"


def test_whoever_else_retires_a_recipient_cancels_the_offer(crew: House) -> None:
    crew.claim(A, "src/auth")
    offered = offer(crew, "src/auth")
    fault = refusal(sweeps.retire, crew.room, crew.operator, "b", relinquish=False, reason=None)
    assert (fault.code, fault.hint) == ("refused", f"Run: relay handoff cancel {offered.id}")
    handoffs.cancel(crew.room, crew.operator, offered.id)
    assert sweeps.retire(crew.room, crew.operator, "b", relinquish=False, reason=None).agent.state == "retired"


def test_a_sweep_passes_over_whoever_is_part_of_a_waiting_offer(crew: House) -> None:
    crew.claim(A, "src/auth")
    offer(crew, "src/auth")
    crew.clock.advance(40 * DAY)
    swept = sweeps.sweep(crew.room, None, sweeps.RETIRE, 0, apply=False)
    assert [one.agent for one in swept.candidates] == ["c"]
    assert {one.agent: one.reasons for one in swept.skipped}["b"] == ["1 waiting handover"]


def test_leaving_with_an_offer_is_allowed_and_it_can_still_be_accepted(crew: House) -> None:
    crew.claim(A, "src/auth")
    offered = offer(crew, "src/auth")
    registry.leave(crew.room, A)
    assert answer(crew, offered.id).state == "accepted"
    assert holders(crew.room) == {"project:src/auth": "b"}
    crew.assert_whole()


def test_a_forced_release_cancels_the_offer_and_tells_both(crew: House) -> None:
    crew.claim(A, "src/auth", "README.md")
    offered = offer(crew, "src/auth", "README.md")
    bodies(crew, B)
    claims.force_release(crew.room, crew.operator, crew.resources("src/auth"), "a is gone")
    (listed,) = handoffs.list_handoffs(crew.room, answered=True).handoffs
    assert (listed.id, listed.state) == (offered.id, "cancelled")
    freed = f"operator released src/auth, which a offered you in {offered.id}; it is free now. README.md stays with a."
    assert bodies(crew, B)[-1] == freed
    over = f"Your offer {offered.id} is over."
    assert bodies(crew, A) == [f"operator released src/auth, which you held. {over} Reason: a is gone"]
    assert offer(crew, "README.md", to="c").state == "waiting"
    crew.assert_whole()


def test_each_side_gets_a_message(crew: House) -> None:
    crew.claim(A, "src/auth", "README.md")
    offered = offer(crew, "src/auth", "README.md")
    assert bodies(crew, B) == [
        f"a offers you src/auth, README.md. Reason: done\nrelay handoff respond {offered.id} --accept --as b"
    ]
    answer(crew, offered.id, "README.md")
    assert bodies(crew, A) == [f"b answered {offered.id}: took README.md. src/auth stays yours."]
    asking.ask(crew.room, B, crew.resources("src/auth"), "the fix belongs there")
    asked = crew.poll(A).messages[-1]
    assert (asked.from_, asked.body) == (
        "b", "b asks for src/auth. Reason: the fix belongs there\nrelay handoff request src/auth --to b --as a",
    )  # fmt: skip
    assert holders(crew.room) == {"project:src/auth": "a", "project:README.md": "b"}


def test_the_line_that_an_asker_proposes_can_be_pasted(crew: House) -> None:
    crew.claim(A, "a; rm -rf x")
    asking.ask(crew.room, B, crew.resources("a; rm -rf x"), None)
    assert bodies(crew, A)[0].endswith("\nrelay handoff request 'a; rm -rf x' --to b --as a")


def test_only_those_concerned_act(crew: House) -> None:
    crew.claim(A, "src/auth")
    assert refusal(handoffs.request, crew.room, C, crew.resources("src/auth"), "b", None).code == "not_yours"
    assert (
        refusal(handoffs.request, crew.room, crew.operator, crew.resources("src/auth"), "b", None).code == "not_yours"
    )
    assert refusal(offer, crew, "src/auth", to="a").code == "refused"
    assert refusal(offer, crew, "src/auth", to="nobody").code == "unknown_agent"
    offered = offer(crew, "src/auth")
    for me in (A, C, crew.operator):
        assert refusal(answer, crew, offered.id, me=me).code == "not_yours"
    for me in (B, C):
        assert refusal(handoffs.cancel, crew.room, me, offered.id).code == "not_yours"
    assert refusal(asking.ask, crew.room, A, crew.resources("src/auth"), None).code == "refused"
    assert handoffs.cancel(crew.room, crew.operator, offered.id).handoff.state == "cancelled"
    assert bodies(crew, B)[-1] == f"operator took {offered.id} back; nothing moved."
    back = f"operator took {offered.id} back, in which you offered src/auth to b; nothing moved."
    assert bodies(crew, A)[-1] == back


def test_who_takes_its_own_offer_back_is_not_told_of_it(crew: House) -> None:
    crew.claim(A, "src/auth")
    handoffs.cancel(crew.room, A, offer(crew, "src/auth").id)
    assert bodies(crew, A) == []


def test_whoever_left_is_offered_and_asked_nothing(crew: House) -> None:
    crew.claim(A, "src/auth")
    crew.claim(B, "README.md")
    registry.leave(crew.room, B)
    assert refusal(offer, crew, "src/auth").code == "left"
    fault = refusal(asking.ask, crew.room, A, crew.resources("README.md"), None)
    assert (fault.code, fault.hint) == ("left", "Ask the operator to free it.")


def test_what_overlaps_moves_together(crew: House) -> None:
    """Or two agents would hold one file."""
    crew.claim(A, "src", "src/auth")
    for part in ("src", "src/auth"):
        fault = refusal(offer, crew, part)
        assert fault.code == "claim_conflict"
        assert fault.hint == "Hand over both, or let a release one of them first."
    offered = offer(crew, "src", "src/auth")
    fault = refusal(answer, crew, offered.id, "src")
    assert fault.code == "claim_conflict"
    assert fault.hint == "Add --resource src/auth, which is offered with it, or decline."
    assert set(holders(crew.room).values()) == {"a"}
    assert answer(crew, offered.id).state == "accepted"
    assert set(holders(crew.room).values()) == {"b"}


def test_the_giver_claims_nothing_that_overlaps_its_offer(crew: House) -> None:
    """Or it could not be accepted, and the recipient would be told of a claim that was never offered."""
    crew.claim(A, "src/auth")
    offered = offer(crew, "src/auth")
    for overlapping in ("src/auth/login.py", "src"):
        fault = refusal(crew.claim, A, overlapping)
        assert (fault.code, fault.message) == ("refused", f"It overlaps src/auth, which you offer in {offered.id}.")
        assert fault.hint == f"Wait for the answer, or run: relay handoff cancel {offered.id}"
    assert crew.claim(A, "README.md").claimed and crew.claim(A, "src/auth").already
    assert answer(crew, offered.id).state == "accepted"


def test_offers_are_found_by_the_beginning_of_their_id(crew: House) -> None:
    crew.claim(A, "src/auth", "README.md")
    offer(crew, "src/auth")
    offer(crew, "README.md")
    assert refusal(answer, crew, "H000").code == "ambiguous"
    for unknown in ("H9", "h0000001", "", "H%", "x" * 5000):
        assert refusal(answer, crew, unknown).code == "unknown_handoff"


def two_rooms(tmp_path_factory: pytest.TempPathFactory) -> tuple[House, Room]:
    """A room with `a`, and beside it `billing`, which is a worktree's of the same repository."""
    repository = make_repository(str(tmp_path_factory.mktemp("two") / "repo"))
    commit(repository, "first", {"src/auth/login.py": "a\n"})
    house = House(str(tmp_path_factory.mktemp("home")), repository=repository)
    house.join("a")
    folder = add_worktree(repository, str(tmp_path_factory.mktemp("wt") / "own"), "feat/y")
    init_room(house.enter(folder), name="billing")
    return house, house.enter(folder)


def test_an_offer_reaches_another_room_of_the_repository(tmp_path_factory: pytest.TempPathFactory) -> None:
    house, own = two_rooms(tmp_path_factory)
    registry.join(own, Actor("far"), registry.Joining())
    house.claim(A, *BATCH)
    offered = offer(house, *BATCH, to="far")
    there = handoffs.list_handoffs(own).handoffs
    assert [one.id for one in there] == [offered.id]
    far = Actor("far")
    assert handoffs.respond(own, far, offered.id, accept=True, only=[], reason=None).handoff.state == "accepted"
    assert {(one.holder, one.room) for one in held.list_claims(house.room).claims} == {("far", "billing")}
    assert bodies(house, A) == [
        f"far of room billing answered {offered.id}: took branch:feat/x, machine:native, src/auth."
    ]
    with own.reading() as db:
        assert db.execute("SELECT count(*) FROM messages WHERE room = ?", (own.row.key,)).fetchone() == (1,)
    house.assert_whole()


def test_one_name_in_two_rooms_of_a_repository_is_told_apart(tmp_path_factory: pytest.TempPathFactory) -> None:
    house, own = two_rooms(tmp_path_factory)
    registry.join(own, A, registry.Joining())
    house.claim(A, "src/auth")
    fault = refusal(claims.take, own, A, house.resources("src/auth", room=own))
    assert fault.message.startswith("src/auth is held by a of room repo (live, ")
    asking.ask(own, A, house.resources("src/auth", room=own), None)
    asked = "a of room billing asks for src/auth.\nrelay handoff request src/auth --to a@billing --as a"
    assert bodies(house, A) == [asked]
    fault = refusal(offer, house, "src/auth", to="a")
    assert (fault.code, fault.hint) == ("refused", "Say which: --to a@billing"), "a slip offers nothing to a namesake"
    offered = offer(house, "src/auth", to="a@billing")
    assert (offered.giver, offered.recipient) == (("repo", "a"), ("billing", "a"))
    told = mailbox.poll_inbox(own, A).messages[0].body
    assert told is not None and told.startswith("a of room repo offers you src/auth.")
    assert handoffs.respond(own, A, offered.id, accept=True, only=[], reason=None).handoff.state == "accepted"
    assert [(one.holder, one.room) for one in held.list_claims(house.room).claims] == [("a", "billing")]


def test_a_name_that_several_other_rooms_have_is_asked_for_with_its_room(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    house, own = two_rooms(tmp_path_factory)
    folder = add_worktree(house.repository, str(tmp_path_factory.mktemp("wt") / "third"), "feat/z")
    init_room(house.enter(folder), name="the third")
    third = house.enter(folder)
    registry.join(own, Actor("b"), registry.Joining())
    registry.join(third, Actor("b"), registry.Joining())
    house.claim(A, "src/auth")
    fault = refusal(offer, house, "src/auth", to="b")
    assert (fault.code, fault.hint) == ("ambiguous", "Say which: --to b@billing or --to 'b@the third'")
    fault = refusal(offer, house, "src/auth", to="b@fourth")
    assert (fault.code, fault.hint) == ("unknown_agent", "Say which: --to b@billing or --to 'b@the third'")
    assert refusal(offer, house, "src/auth", to="c@fourth").hint == "Run: relay rooms"
    registry.leave(third, Actor("b"))
    assert offer(house, "src/auth", to="b").recipient == ("billing", "b")
    house.join("b")
    house.claim(A, "docs")
    assert offer(house, "docs", to="b").recipient == ("repo", "b")
    house.assert_whole()


def test_an_offer_between_two_rooms_needs_the_operator_of_either(tmp_path_factory: pytest.TempPathFactory) -> None:
    house, own = two_rooms(tmp_path_factory)
    init_room(own, house.operator, operator="ana")
    own = house.enter(own.folder)
    registry.join(own, Actor("far"), registry.Joining())
    claims.take(own, Actor("far"), house.resources("src", room=own))
    handoffs.request(own, Actor("far"), house.resources("src", room=own), "a", None)
    (here,), (there,) = (read_attention(room, []).items for room in (house.enter(house.repository), own))
    assert (here.text, here.command[:4]) == ("far of room billing → a", ["relay", "send", "--to", "a"])
    assert here.command[5] == "Please answer H0000001, which far of room billing offers you."
    assert here.command[-2:] == ["--as", "operator"]
    assert (there.text, there.command[:4]) == ("far → a of room repo", ["relay", "send", "--to", "a"])
    assert there.command[-4:] == ["--as", "operator", "--room", "repo"]


def test_every_offer_that_waits_is_listed_and_of_the_rest_the_newest(
    crew: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handoffs, "_ANSWERED", 1)
    crew.claim(A, "x", "y", "z")
    first, second = (offer(crew, name) for name in "xy")
    for one in (first, second):
        crew.clock.advance(DAY)
        answer(crew, one.id, accept=False)
    waiting = {offer(crew, name).id for name in "xyz"}
    assert {one.id for one in handoffs.list_handoffs(crew.room).handoffs} == waiting
    listed, more, _ = handoffs.list_handoffs(crew.room, answered=True)
    assert (len(listed), more) == (4, 1)
    assert handoffs.read_handoff(crew.room, first.id).state == "declined"


def test_who_asks_from_another_repository_asks_for_a_release(
    crew: House, tmp_path_factory: pytest.TempPathFactory
) -> None:
    there = crew.enter(make_repository(str(tmp_path_factory.mktemp("other") / "elsewhere")))
    registry.join(there, Actor("far"), registry.Joining())
    there = crew.enter(there.folder)
    crew.claim(A, "machine:gpu")
    asking.ask(there, Actor("far"), crew.resources("machine:gpu"), None)
    assert bodies(crew, A) == [
        "far of room elsewhere asks for machine:gpu.\nThat is another repository, to which nothing is handed over:"
        " release it when you can.\nrelay release machine:gpu --as a"
    ]


def test_the_operator_of_any_room_frees_a_part_of_the_machine_that_is_offered(
    crew: House, tmp_path_factory: pytest.TempPathFactory
) -> None:
    there = crew.enter(make_repository(str(tmp_path_factory.mktemp("other") / "elsewhere")))
    registry.join(there, Actor("far"), registry.Joining())
    crew.claim(A, "machine:gpu")
    offered = offer(crew, "machine:gpu")
    claims.force_release(there, crew.operator, crew.resources("machine:gpu"), "needed")
    assert handoffs.list_handoffs(crew.room).handoffs == []
    assert f"Your offer {offered.id} is over." in bodies(crew, A)[0]
    crew.assert_whole()


def test_a_reason_is_no_way_past_the_limit_of_a_message(crew: House) -> None:
    crew.claim(A, "src/auth")
    long = "x" * 70_000
    for act in (
        lambda: asking.ask(crew.room, B, crew.resources("src/auth"), long),
        lambda: offer(crew, "src/auth", reason=long),
        lambda: claims.force_release(crew.room, crew.operator, crew.resources("src/auth"), long),
    ):
        fault = refusal(act)
        assert (fault.code, fault.hint) == ("too_large", "Shorten --reason.")
    assert holders(crew.room) == {"project:src/auth": "a"}


def test_a_name_without_its_kind_is_told_how_it_is_written(crew: House) -> None:
    crew.claim(A, "branch:feat/x")
    fault = refusal(offer, crew, "feat/x")
    assert (fault.code, fault.message) == ("unknown_claim", "Nobody holds feat/x.")
    assert fault.hint == "a holds branch:feat/x; write that if it is meant."


def test_a_very_long_name_is_clipped_in_what_people_read(crew: House) -> None:
    long = "/".join(["deep" * 20] * 20)
    crew.claim(A, long)
    offered = offer(crew, long)
    fault = refusal(crew.claim, B, long)
    assert len(fault.message) < 200 and long in fault.hint
    assert len(bodies(crew, B)[0]) < 200
    answer(crew, offered.id)
    assert len(bodies(crew, A)[0]) < 200


def test_an_agent_of_another_repository_is_not_found(crew: House, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = make_repository(str(tmp_path_factory.mktemp("other") / "elsewhere"))
    registry.join(crew.enter(other), Actor("far"), registry.Joining())
    crew.claim(A, "machine:native")
    assert refusal(offer, crew, "machine:native", to="far").code == "unknown_agent"


def test_an_acceptance_that_is_killed_at_any_step_moved_everything_or_nothing(crew: House) -> None:
    crew.claim(A, *BATCH)
    offered = offer(crew, *BATCH)
    for step in range(1, 120):
        crew.room.store.close()
        code, out = fork("accept_and_die_at", crew.home, crew.repository, "b", offered.id, step)
        owners = set(holders(crew.room).values())
        crew.assert_whole()
        if code == 0:
            break
        assert (code, out) == (-signal.SIGKILL, "")
        assert len(owners) == 1, f"step {step} split the offer: {owners}"
        if owners == {"b"}:  # it was committed before the answer could be said
            break
    assert step > 20
    assert holders(crew.room) == {"project:src/auth": "b", "machine:native": "b", "branch:feat/x": "b"}
    assert [one.state for one in handoffs.list_handoffs(crew.room, answered=True).handoffs] == ["accepted"]


def test_a_dry_run_says_what_would_be_and_keeps_nothing(crew: House) -> None:
    crew.claim(A, "src/auth")
    dry = crew.enter(crew.repository, dry_run=True)
    assert handoffs.request(dry, A, crew.resources("src/auth"), "b", None).handoff.state == "waiting"
    assert handoffs.list_handoffs(crew.room, answered=True).handoffs == []
