"""Setting agents aside: reasons first, the operator's word to apply, and nobody lost (DESIGN §6.1)."""

from __future__ import annotations

import os
import subprocess

import pytest

from relay_tui.base.processes import identify
from relay_tui.base.times import DAY, HOUR, MINUTE
from relay_tui.room import mailbox, registry, sweeps, work_edit
from relay_tui.room.ledger import Actor
from relay_tui.room.sweep_records import Sweep
from relay_tui.room.sweeps import LEAVE, PRUNE, RETIRE, SweepKind, retire, revive
from tests.room_fixture import STARTED_AT, House, refusal


def state(house: House, name: str) -> str:
    return registry.who_am_i(house.room, Actor(name)).agent.state


def sweep(house: House, kind: SweepKind, idle: int = DAY, *, apply: bool = False, me: Actor | None = None) -> Sweep:
    return sweeps.sweep(house.room, me or house.operator, kind, idle, apply=apply)


def candidates(found: Sweep) -> list[str]:
    return [one.agent for one in found.candidates]


@pytest.fixture
def crew(house: House) -> House:
    """One agent for each reason to be skipped, one free of any, and all of them silent for ten days."""
    me = {name: house.join(name) for name in ("asks", "free", "held", "owes", "asked")}
    house.join("runs", pid=os.getpid())
    house.claim(me["held"], "src", "machine:gpu")
    work_edit.add_item(house.room, me["free"], {"title": "t", "kind": "task", "owner": "owes", "parent": None})
    work_edit.add_item(house.room, me["free"], {
        "title": "done", "kind": "task", "owner": "free", "parent": None, "status": "done",
    })  # fmt: skip
    registry.report_status(house.room, me["asks"], {"status": "waiting"}, ("asked", "Which base?"))
    house.clock.advance(10 * DAY)
    house.join("fresh")
    return house


REASONS = {
    "asked": ["1 unanswered question"], "asks": ["1 unanswered question"], "held": ["2 claims"],
    "owes": ["1 open task"], "runs": [f"process {os.getpid()} still runs"],
}  # fmt: skip
SWEEPS = {"prune": (PRUNE, "dormant"), "leave": (LEAVE, "left"), "retire": (RETIRE, "retired")}


@pytest.mark.parametrize("name", SWEEPS)
def test_a_sweep_names_its_candidates_and_why_others_stay(crew: House, name: str) -> None:
    kind, after = SWEEPS[name]
    before = crew.rows("SELECT count(*) FROM events")
    planned = sweep(crew, kind)
    assert (planned.applied, planned.candidates) == (False, [("free", STARTED_AT)])
    assert {one.agent: one.reasons for one in planned.skipped} == REASONS
    assert crew.rows("SELECT count(*) FROM events") == before
    assert refusal(sweep, crew, kind, apply=True, me=Actor("fresh")).code == "not_operator"
    assert state(crew, "free") == "quiet"
    done = sweep(crew, kind, apply=True)
    assert done == planned._replace(applied=True)
    assert state(crew, "free") == after
    assert candidates(sweep(crew, kind, apply=True)) == []
    crew.assert_whole()


def test_one_missed_sign_changes_nothing_by_itself(house: House) -> None:
    house.join("a")
    house.clock.advance(DAY - 1)
    assert candidates(sweep(house, PRUNE)) == []
    house.clock.advance(1)
    assert candidates(sweep(house, PRUNE)) == ["a"]
    assert state(house, "a") == "quiet"
    house.clock.advance(-2 * HOUR)
    assert candidates(sweep(house, PRUNE)) == []


def test_whoever_is_live_is_not_set_aside_however_short_the_time(house: House) -> None:
    house.join("a")
    house.clock.advance(MINUTE)
    assert sweep(house, PRUNE, MINUTE).skipped == [("a", ["it is live"])]


def test_a_dormant_agent_keeps_its_mail_and_is_back_by_its_next_act(house: House) -> None:
    a, b = house.join("a"), house.join("b")
    house.clock.advance(10 * DAY)
    sent = house.send(b, "a", "x")
    sweep(house, PRUNE, apply=True)
    assert state(house, "a") == "dormant"
    assert "a" not in [one.agent for one in registry.list_agents(house.room, ["live", "quiet"]).agents]
    assert [one.agent for one in house.send(b, "*all", "y").recipients] == ["a", "operator"]
    assert house.poll(a).messages[0].id == sent.id
    assert state(house, "a") == "live"
    house.assert_whole()


def test_a_retired_name_keeps_its_history_and_is_never_silently_used_again(house: House) -> None:
    a, worker = house.join("a"), house.join("worker-%")
    sent = house.send(worker, "a", "x")
    to_it = house.send(a, "worker-1", "y")
    assert retire(house.room, house.operator, "worker-1", relinquish=False, reason="merged").changed == ["state"]
    assert retire(house.room, house.operator, "worker-1", relinquish=False, reason=None).changed == []
    assert house.events("agent.retired")[0].data["reason"] == "merged"
    assert house.join("worker-%").name == "worker-2"
    assert refusal(house.join, "worker-1").code == "retired"
    assert refusal(house.send, worker, "a", "z").code == "retired"
    assert refusal(house.send, a, "worker-1", "z").code == "retired"
    assert [one.id for one in mailbox.read_outbox(house.room, "worker-1").messages] == [sent.id]
    assert [one.id for one in mailbox.read_history(house.room, "worker-1").messages] == [to_it.id]
    house.assert_whole()


def test_only_the_operator_revives_and_the_mail_is_still_there(house: House) -> None:
    a = house.join("a")
    house.send(house.operator, "a", "x")
    retire(house.room, a, "a", relinquish=False, reason=None)
    assert refusal(revive, house.room, house.join("b"), "a").code == "not_operator"
    assert revive(house.room, house.operator, "a").changed == ["state"]
    assert revive(house.room, house.operator, "a").changed == []
    assert [one.body for one in house.poll(a).messages] == ["x"]
    assert refusal(revive, house.room, house.operator, "aa").code == "unknown_agent"
    house.assert_whole()


def test_branches_stand_in_the_way_of_retiring(house: House) -> None:
    a = house.join("a")
    house.claim(a, "branch:main", "src")
    fault = refusal(retire, house.room, house.operator, "a", relinquish=False, reason=None)
    assert fault.code == "held"
    assert "main" in fault.message
    assert refusal(retire, house.room, house.operator, "a", relinquish=True, reason=None).code == "usage"
    assert retire(house.room, house.operator, "a", relinquish=True, reason="merged").agent.claims == 1
    (event,) = house.events("claim.released")
    assert (event.data["forced"], event.data["reason"]) == (True, "merged")
    house.assert_whole()


def test_an_agent_may_retire_itself_but_nobody_the_operator(house: House) -> None:
    a = house.join("a")
    house.claim(a, "branch:main")
    assert retire(house.room, a, "a", relinquish=True, reason=None).agent.state == "retired"
    assert house.events("claim.released")[0].data["forced"] is False
    b = house.join("b")
    assert refusal(retire, house.room, b, "operator", relinquish=False, reason=None).code == "refused"
    assert refusal(retire, house.room, b, "nobody", relinquish=False, reason=None).code == "unknown_agent"
    house.join("c")
    assert refusal(retire, house.room, b, "c", relinquish=False, reason=None).code == "not_operator"


def process() -> subprocess.Popen[bytes]:
    return subprocess.Popen(["sleep", "60"])


def test_an_ephemeral_agent_whose_process_ended_has_left(house: House) -> None:
    client = process()
    house.join("once", pid=client.pid, ephemeral=True)
    house.join("kept", pid=client.pid)
    house.join("a")
    assert state(house, "once") == "live"
    client.kill()
    os.waitid(os.P_PID, client.pid, os.WEXITED | os.WNOWAIT)  # ended, and nobody collected it yet
    assert identify(client.pid) is None
    house.send(Actor("a"), "operator", "the next writer records it")
    assert (state(house, "once"), state(house, "kept")) == ("left", "live")
    (event,) = house.events("agent.left")
    assert (event.actor, event.data["reason"]) == ("relay", "its process ended")
    client.wait()
    house.assert_whole()


def test_an_ephemeral_agent_that_holds_something_stays(house: House) -> None:
    client = process()
    once = house.join("once", pid=client.pid, ephemeral=True)
    house.claim(once, "src")
    client.kill()
    client.wait()
    house.join("a")
    assert state(house, "once") == "live"


@pytest.mark.parametrize("change", [{"process_start": 1}, {"boot": "another"}])
def test_a_number_that_another_process_has_now_is_not_the_agent(house: House, change: dict[str, object]) -> None:
    house.join("once", pid=os.getpid(), ephemeral=True)
    house.join("a")
    assert state(house, "once") == "live"
    with house.room.writing(Actor("once")) as tx:
        tx.append("agent.reported", {"agent": "once", "facts": change})
    house.send(Actor("a"), "operator", "x")
    assert state(house, "once") == "left"
    house.clock.advance(10 * DAY)
    house.join("b", pid=os.getpid())
    house.clock.advance(10 * DAY)
    assert [one.agent for one in sweep(house, PRUNE).skipped] == ["b"]


def test_of_whom_nothing_is_known_nothing_is_concluded(house: House) -> None:
    house.join("a"), house.join("b")
    house.clock.advance(10 * DAY)
    with house.room.store.writing() as db:
        db.execute("DELETE FROM presence WHERE agent = (SELECT key FROM agents WHERE name = 'b')")  # as after a restore
    swept = sweep(house, RETIRE, apply=True, me=house.operator)
    assert candidates(swept) == ["a"]
    assert swept.skipped == [("b", ["when it was last heard from is unknown"])]
    (event,) = house.events("agent.retired")
    assert event.data["reason"] == "no sign for 10d"
    assert retire(house.room, house.operator, "b", relinquish=False, reason=None).agent.state == "retired"


OLD = "Old Näme\x1b[2J\n%"


def test_a_name_from_an_old_room_can_be_listed_written_to_and_retired(house: House) -> None:
    a = house.join("a")
    with house.room.writing(house.operator) as tx:
        tx.append("agent.joined", {"agent": OLD, "facts": {}, "session": None})
    assert OLD in [one.agent for one in registry.list_agents(house.room, ["quiet"]).agents]
    sent = house.send(a, OLD, "x")
    assert [one.id for one in house.poll(Actor(OLD)).messages] == [sent.id]
    assert house.send(Actor(OLD), None, "y", reply_to=sent.id).recipients[0].agent == "a"
    assert refusal(house.join, OLD).code == "invalid"
    house.clock.advance(10 * DAY)
    assert OLD in candidates(sweep(house, PRUNE))
    assert retire(house.room, house.operator, OLD, relinquish=False, reason=None).agent.state == "retired"
    house.assert_whole()
