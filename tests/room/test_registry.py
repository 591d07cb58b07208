"""Who is here: states, names, sessions and questions (DESIGN §6.1)."""

from __future__ import annotations

import os
import subprocess

import pytest

from relay_tui.base.config import Settings
from relay_tui.base.times import DAY, HOUR, MINUTE, SECOND
from relay_tui.room import registry
from relay_tui.room.agents import Agent
from relay_tui.room.ledger import Actor
from relay_tui.room.lock import WriterLock
from relay_tui.room.presence import Sign, note_reader, state_of
from relay_tui.room.questions import Question
from relay_tui.room.registry import Joining
from relay_tui.room.sweeps import PRUNE, sweep
from tests.room_fixture import STARTED_AT, House, refusal

NOW = STARTED_AT
SETTINGS = Settings()


def seen(ago: int | None) -> Sign:
    return Sign("here", None if ago is None else NOW - ago, "cli", None, None, None, None)


def transport(ago: int, *, connected: bool, sign_ago: int | None = 2 * HOUR) -> Sign:
    return seen(sign_ago)._replace(transport="channel", connected=connected, reported_at=NOW - ago)


@pytest.mark.parametrize(
    ("sign", "state"),
    [
        (seen(0), "live"),
        (seen(30 * MINUTE), "live"),
        (seen(30 * MINUTE + 1), "quiet"),
        (seen(400 * DAY), "quiet"),
        (seen(None), "quiet"),
        (seen(-DAY), "live"),  # the clock was set back: a sign from ahead is still a sign
        (transport(0, connected=True), "live"),
        (transport(5 * MINUTE - 1, connected=True), "live"),
        (transport(5 * MINUTE, connected=True), "quiet"),
        (transport(-HOUR, connected=True), "live"),
        (transport(0, connected=False), "quiet"),
        (transport(0, connected=False, sign_ago=MINUTE), "live"),
        (transport(HOUR, connected=True, sign_ago=None), "quiet"),
        (seen(0)._replace(standing="dormant"), "dormant"),
        (seen(0)._replace(standing="left"), "left"),
        (transport(0, connected=True)._replace(standing="retired"), "retired"),
    ],
)
def test_state_follows_from_facts_and_the_clock(sign: Sign, state: str) -> None:
    assert state_of(sign, NOW, SETTINGS) == state


def test_the_windows_are_those_that_are_set() -> None:
    assert state_of(seen(2 * MINUTE), NOW, SETTINGS._replace(live_window=MINUTE)) == "quiet"
    assert state_of(transport(MINUTE, connected=True), NOW, SETTINGS._replace(transport_window=MINUTE)) == "quiet"


def who(house: House, name: str) -> Agent:
    return registry.who_am_i(house.room, Actor(name)).agent


def test_join_records_what_is_named_and_keeps_the_rest(house: House) -> None:
    joined = registry.join(house.room, Actor("a", "s-1"), Joining(runner="codex", branch="feat/x"))
    assert sorted(joined.changed) == ["branch", "runner", "session", "state"]
    again = registry.join(house.room, Actor("a"), Joining(task="auth"))
    assert again.changed == ["task"]
    agent = again.agent
    assert (agent.runner, agent.branch, agent.task, agent.session) == ("codex", "feat/x", "auth", "s-1")
    assert registry.join(house.room, Actor("a"), Joining(task="auth")).changed == []
    assert len(house.events("agent.joined")) == 2


def test_the_operator_always_exists_and_nobody_joins_as_it(house: House) -> None:
    house.join("a")
    assert who(house, "operator").state == "quiet"
    assert refusal(house.join, "operator").code == "reserved_name"
    assert refusal(registry.leave, house.room, house.operator).code == "refused"


def test_only_joined_names_act(house: House) -> None:
    house.join("codex-3")
    fault = refusal(house.send, Actor("codex3"), "operator", "x")
    assert (fault.code, fault.details["near"]) == ("unknown_agent", ["codex-3"])
    assert refusal(house.send, Actor("zz"), "operator", "x").hint == "Run: relay join --as zz"


def test_another_session_is_refused_while_the_name_is_live(house: House) -> None:
    house.join("a", session="s-1")
    fault = refusal(house.join, "a", session="s-2")
    assert (fault.code, fault.details["session"]) == ("session_conflict", "s-1")
    assert who(house, "a").session == "s-1"
    taken = registry.join(house.room, Actor("a", "s-2"), Joining(), takeover=True)
    assert (taken.agent.session, taken.changed) == ("s-2", ["session"])
    assert house.events("agent.joined")[-1].data["session"]["session"] == "s-2"
    assert house.rows("SELECT session, ended_at FROM sessions") == [("s-1", NOW), ("s-2", None)]


def test_another_session_takes_over_a_name_that_is_quiet(house: House) -> None:
    house.join("a", session="s-1")
    house.clock.advance(31 * MINUTE)
    assert house.join("a", session="s-2").session == "s-2"


def test_leaving_keeps_claims_and_the_same_session_may_come_back(house: House) -> None:
    a = house.join("a", session="s-1")
    house.claim(a, "src/auth")
    left = registry.leave(house.room, a)
    assert (left.agent.state, left.agent.claims, left.agent.left_at) == ("left", 1, NOW)
    assert registry.leave(house.room, a).changed == []
    assert refusal(house.send, a, "operator", "x").code == "left"
    assert refusal(house.send, house.operator, "a", "x").code == "left"
    assert house.rows("SELECT ended_at FROM sessions") == [(NOW,)]
    house.join("a", session="s-1")
    assert (who(house, "a").state, who(house, "a").claims, who(house, "a").left_at) == ("live", 1, None)
    assert house.rows("SELECT ended_at FROM sessions") == [(None,)]
    house.assert_whole()


def stand(house: House, name: str, kind: str) -> None:
    with house.room.writing(house.operator) as tx:
        tx.append(kind, {"agent": name})


def test_a_retired_name_neither_acts_nor_joins(house: House) -> None:
    a = house.join("a")
    stand(house, "a", "agent.retired")
    assert refusal(house.join, "a").code == "retired"
    assert refusal(house.send, a, "operator", "x").code == "retired"
    assert refusal(house.send, house.operator, "a", "x").code == "retired"


def test_an_act_of_its_own_brings_a_quiet_agent_back(house: House) -> None:
    a = house.join("a")
    house.clock.advance(HOUR)
    assert who(house, "a").state == "quiet"
    house.send(a, "operator", "x")
    assert who(house, "a").state == "live"


def test_a_sign_is_written_at_most_every_fifteen_seconds(house: House) -> None:
    a = house.join("a")
    for step, last_seen in ((14 * SECOND, NOW), (SECOND, NOW + 15 * SECOND)):
        house.clock.advance(step)
        note_reader(house.room, "a", "cli")
        assert who(house, "a").last_seen == last_seen
    house.clock.now = NOW - DAY
    house.send(a, "operator", "the clock was set back")
    assert who(house, "a").last_seen == NOW - DAY


def test_who_only_reads_waits_for_no_writer(house: House) -> None:
    a, b = house.join("a"), house.join("b")
    house.send(a, "b", "x")
    house.poll(b)
    house.clock.advance(2 * DAY)
    sweep(house.room, house.operator, PRUNE, DAY, apply=True)
    lock = WriterLock(house.home)
    lock.acquire()
    try:
        assert [one.body for one in house.poll(b).messages] == ["x"], "while another writes"
        assert who(house, "b").state == "dormant"
    finally:
        lock.release()
    house.poll(b)
    assert (who(house, "b").state, who(house, "b").last_seen) == ("live", house.clock.now)
    registry.leave(house.room, b)
    assert refusal(house.poll, b).code == "left"


def test_being_looked_at_is_no_sign(house: House) -> None:
    house.join("a")
    house.clock.advance(HOUR)
    registry.list_agents(house.room, ["live"])
    who(house, "a")
    house.send(house.operator, "a", "x")
    assert who(house, "a").last_seen == NOW


def test_counts_are_of_everybody_whatever_is_shown(house: House) -> None:
    for name in ("a", "b", "c"):
        house.join(name, ephemeral=name == "c")
    stand(house, "b", "agent.left")
    listed = registry.list_agents(house.room, ["left"])
    assert [agent.agent for agent in listed.agents] == ["b"]
    assert listed.counts._asdict() == {
        "stored": 4, "live": 2, "quiet": 1, "dormant": 0, "left": 1, "retired": 0, "ephemeral": 1,
    }  # fmt: skip


def test_a_process_is_known_by_more_than_its_number(house: House) -> None:
    house.join("a", pid=os.getpid())
    ((pid, start, boot),) = house.rows("SELECT pid, process_start, boot FROM agents WHERE name = 'a'")
    assert pid == os.getpid()
    assert start
    assert boot
    ended = subprocess.Popen(["true"])
    ended.wait()
    assert refusal(house.join, "b", pid=ended.pid).code == "invalid"


def test_the_lowest_free_name_of_a_pool(house: House) -> None:
    assert [house.join("worker-%").name for _ in range(3)] == ["worker-1", "worker-2", "worker-3"]
    registry.leave(house.room, Actor("worker-2"))
    assert house.join("worker-%").name == "worker-2"
    for bad in ("a%b%", "%", "Worker-%", "-%"):
        assert refusal(house.join, bad).code in ("invalid", "reserved_name")


def test_whoever_has_a_name_next_is_not_taken_for_the_one_before(house: House) -> None:
    client = subprocess.Popen(["sleep", "60"])
    house.join("a")
    house.join("worker-%", pid=client.pid, ephemeral=True, branch="feat/x", task="t", worktree="/wt", runner="codex")
    registry.report_status(house.room, Actor("worker-1"), {"status": "blocked", "text": "no access"}, None)
    house.join("kept", session="s-1", pid=client.pid, branch="feat/y")
    client.kill()
    client.wait()
    house.send(Actor("a"), "operator", "the next writer records that worker-1 left")
    again = who(house, house.join("worker-%").name)
    assert (again.agent, again.state, again.ephemeral, again.pid) == ("worker-1", "live", False, None)
    assert {again.runner, again.branch, again.worktree, again.task, again.status, again.text} == {None}
    house.send(Actor("a"), "operator", "and the next one nothing")
    assert who(house, "worker-1").state == "live"
    house.clock.advance(HOUR)
    house.join("kept", session="s-2")
    kept = who(house, "kept")
    assert (kept.session, kept.pid, kept.branch) == ("s-2", None, "feat/y"), "its name is its own, its process was not"
    house.assert_whole()


def ask(house: House, me: Actor, whom: str, text: str) -> Question:
    said = registry.report_status(house.room, me, {"status": "waiting"}, (whom, text))
    assert "question" in said.changed
    assert said.agent.question is not None
    return said.agent.question


def test_a_question_is_closed_by_a_reply_to_it(house: House) -> None:
    a, b = house.join("a"), house.join("b")
    question = ask(house, a, "b", "Which base?")
    assert question == Question("Q0000001", "b", "Which base?", NOW)
    (asked,) = house.poll(b).messages
    assert (asked.from_, asked.body) == ("a", "Which base?")
    for outsider in (house.join("c"), house.join("d")):
        for id in (asked.id, question.id):
            assert refusal(house.send, outsider, None, "main", reply_to=id).code == "unknown_message"
    house.send(a, "b", "any news?", reply_to=asked.id)
    assert who(house, "a").question is not None  # the asker's own word is no answer
    answer = house.send(b, None, "main", reply_to=question.id[:5])
    assert [one.agent for one in answer.recipients] == ["a"]
    assert who(house, "a").question is None
    assert house.rows("SELECT closed_by FROM questions") == [("b",)]
    house.assert_whole()


def test_a_question_is_closed_by_the_askers_next_status(house: House) -> None:
    a = house.join("a")
    ask(house, a, "operator", "Which base?")
    said = registry.report_status(house.room, a, {"status": "working"}, None)
    assert sorted(said.changed) == ["question", "status"]
    assert said.agent.question is None
    assert house.rows("SELECT closed_by FROM questions") == [("a",)]


def test_a_question_to_nobody_changes_nothing(house: House) -> None:
    a = house.join("a")
    fault = refusal(registry.report_status, house.room, a, {"status": "waiting"}, ("nobody", "x?"))
    assert fault.code == "unknown_agent"
    assert who(house, "a").status is None


def test_status_tells_what_changed(house: House) -> None:
    a = house.join("a")
    assert registry.report_status(house.room, a, {"status": "working", "text": "auth"}, None).changed == [
        "status", "text",
    ]  # fmt: skip
    assert registry.report_status(house.room, a, {"status": "working"}, None).changed == []
    assert len(house.events("agent.reported")) == 1
