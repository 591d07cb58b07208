"""Waking idle agents: allowed by the person, recorded before it is tried, once for each mail, and never delivered."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from relay_tui.actions.wake import Attempt, NotWoken
from relay_tui.cli.texts.wake import wake as told_wake
from relay_tui.room import wakers, wakes
from relay_tui.room.ledger import Actor
from relay_tui.room.notices import take_untold
from relay_tui.room.registry import leave, report_status
from tests.actions.acting import act, refused
from tests.room_fixture import House
from tests.wiring.test_waking import SESSION, codex

__all__ = ["codex"]


@pytest.fixture
def house(tmp_path: Path, codex: Path) -> House:
    """`c` runs Codex and may be woken; `d` runs it too and may not."""
    house = House(str(tmp_path))
    for name, session in (("c", SESSION), ("d", SESSION.replace("7", "8"))):
        house.join(name, session=session, runner="codex")
    house.join("a")
    Path(house.home, "relay.toml").write_text('wake = ["c", "e*"]\n', encoding="utf-8")
    return house


def woken(house: House, line: str = "wake") -> list[Attempt | NotWoken]:
    done = act(house.enter(house.repository), "a", line)
    return [*done.attempts, *done.skipped]


def test_an_agent_is_woken_once_for_its_mail_and_told_nothing_of_it(house: House, codex: Path) -> None:
    assert woken(house) == []
    sent = house.send(Actor("a"), "c", "secret words")
    house.send(Actor("a"), "d", "secret words")
    assert woken(house) == [Attempt("c", "queue", 1, "told", "")]
    assert "secret" not in (codex / "said").read_text()
    tried, ended = house.events("wake")
    assert (tried.kind, tried.data) == (
        "wake.tried", {"agent": "c", "means": "queue", "newest": sent.id, "messages": 1},
    )  # fmt: skip
    assert (ended.kind, ended.data["outcome"]) == ("wake.ended", "told")
    receipt = house.receipt(sent.id, "c")
    assert (receipt.notified_at, receipt.delivered_at) == (None, None)
    assert woken(house) == [], "once for the same mail"
    assert woken(house, "wake c") == [NotWoken("c", "it has no mail that it was not told of or woken for")]
    house.send(Actor("a"), "c", "more")
    assert woken(house) == [Attempt("c", "queue", 2, "told", "")]
    house.assert_whole()


def test_an_attempt_is_recorded_before_it_is_made_and_not_made_again_when_its_end_is_unknown(
    house: House, codex: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.send(Actor("a"), "c", "x")
    due = wakes.due_agents(house.enter(house.repository))
    assert [one.agent.row.name for one in due] == ["c"]
    room = house.enter(house.repository)
    assert wakes.record_attempt(room, Actor("a"), "c", "queue", again=True) is not None
    assert wakes.record_attempt(room, Actor("a"), "c", "queue", again=True) is None, "the process that tried has died"
    assert woken(house, "wake c") == [NotWoken("c", "it has no mail that it was not told of or woken for")]
    house.send(Actor("a"), "c", "y")
    (codex / "ends").write_text("echo lost >&2; exit 1\n", encoding="utf-8")
    (attempt,) = woken(house)
    assert isinstance(attempt, Attempt)
    assert (attempt.outcome, attempt.text) == ("uncertain", "lost")
    assert woken(house, "wake c") == [NotWoken("c", "it has no mail that it was not told of or woken for")]
    house.assert_whole()


def test_what_cannot_have_arrived_is_tried_again_where_the_agent_is_named(house: House, codex: Path) -> None:
    house.send(Actor("a"), "c", "x")
    (codex / "bin" / "codex").write_text("no program of this machine", encoding="utf-8")
    (attempt,) = woken(house)
    assert isinstance(attempt, Attempt)
    assert attempt.outcome == "failed"
    assert woken(house) == [], "but not by whoever looks all the time"
    (codex / "bin" / "codex").write_text("#!/bin/sh\n", encoding="utf-8")
    assert woken(house, "wake c") == [Attempt("c", "queue", 1, "told", "")]
    assert house.rows("SELECT outcome FROM wakes") == [("told",)]
    house.assert_whole()


def test_who_is_not_woken_and_why(house: House, codex: Path) -> None:
    for name in ("c", "d"):
        house.send(Actor("a"), name, "x")
    house.join("e", runner="gemini")
    house.send(Actor("a"), "e", "x")
    path = wakers.waker_path(house.room, SESSION)
    os.makedirs(os.path.dirname(path))
    Path(path).write_text(wakers.waker_name(os.getpid()), encoding="utf-8")
    assert woken(house, "wake c d e a") == [
        NotWoken("c", "a hook waits beside it"), NotWoken("d", "relay.toml does not allow it"),
        NotWoken("e", "nobody can wake gemini"), NotWoken("a", "relay.toml does not allow it"),
    ]  # fmt: skip
    assert refused(house.room, "a", "wake nobody").code == "unknown_agent"
    leave(house.room, Actor("c", SESSION))
    assert woken(house, "wake c") == [NotWoken("c", "it is not here")]
    assert not (codex / "said").exists()
    assert house.events("wake") == []


def test_a_waker_whose_process_is_another_now_keeps_nobody_asleep(house: House) -> None:
    path = wakers.waker_path(house.room, SESSION)
    os.makedirs(os.path.dirname(path))
    Path(path).write_text(f"{os.getpid()} 1", encoding="utf-8")
    house.send(Actor("a"), "c", "x")
    assert woken(house) == [Attempt("c", "queue", 1, "told", "")]


def test_a_dry_run_wakes_nobody(house: House, codex: Path) -> None:
    house.send(Actor("a"), "c", "x")
    room = house.enter(house.repository, dry_run=True)
    done = act(room, "a", "wake")
    assert done.attempts == [Attempt("c", "queue", 1, "planned", "")]
    assert not (codex / "said").exists()
    assert house.events("wake") == []


def test_the_answer_in_words(house: House) -> None:
    house.send(Actor("a"), "c", "x")
    room = house.enter(house.repository)
    done = act(room, "a", "wake")
    assert list(told_wake(done, 0)) == ["c: woken over Codex's queue, for 1 message"]
    assert list(told_wake(act(room, "a", "wake"), 0)) == ["Nobody has mail to be woken for."]
    assert list(told_wake(act(room, "a", "wake d"), 0)) == ["d: not woken, as relay.toml does not allow it"]
    os.remove(os.path.join(house.home, "relay.toml"))
    (line,) = told_wake(act(house.enter(house.repository), "a", "wake"), 0)
    assert line.startswith("relay.toml allows nobody to be woken.")


def test_what_lies_behind_much_older_mail_is_told_and_woken_for(house: House, codex: Path) -> None:
    for number in range(101):
        house.send(Actor("a"), "c", f"{number}")
    assert woken(house) == [Attempt("c", "queue", 101, "told", "")]
    report_status(house.room, Actor("a"), {"status": "waiting"}, ("c", "Which base?"))
    assert woken(house) == [Attempt("c", "queue", 102, "told", "")]
    asked = take_untold(house.room, Actor("c", SESSION, "hook"), "hook", asking=True)
    assert [one.summary for one in asked] == ["Question: Which base?"]
