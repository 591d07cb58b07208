"""Real processes at once: killed, stopped, queueing. What was answered is there, and the ledger holds."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.base.times import HOUR, SECOND, system_clock
from relay_tui.room.claims import Claimed
from relay_tui.room.ledger import Actor
from relay_tui.room.queueing import take_in_turn
from relay_tui.room.schema import VERSION
from relay_tui.room.store import Store
from relay_tui.room.watching import watch_inbox
from tests.room.workers import finish, fork, read_line, start
from tests.room_fixture import House

SENDS = 500


def test_two_senders_that_are_killed_again_and_again(house: House) -> None:
    """Each sends until 500 were answered; now and then it is killed and another process goes on."""
    answered: list[str] = []
    killed: list[int] = []
    senders = [
        threading.Thread(target=_send_with_kills, args=(house, house.join(name).name, seed, answered, killed))
        for seed, name in enumerate(("a", "b"))
    ]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    stored = {row[0] for row in house.rows("SELECT id FROM messages")}
    assert len(killed) >= 4
    assert len(answered) == len(set(answered)) >= 2 * SENDS
    assert set(answered) <= stored
    house.assert_whole()


def _send_with_kills(house: House, name: str, seed: int, answered: list[str], killed: list[int]) -> None:
    chance = random.Random(seed)
    left, kills = SENDS, 0
    while left > 0:
        process = start("send_many", house.home, house.repository, name, left)
        if kills < 6:
            timer = threading.Timer(chance.uniform(0.2, 0.9), process.kill)
            timer.start()
            kills += 1
        out, err = process.communicate(timeout=60)
        assert process.returncode in (0, -signal.SIGKILL), err
        if process.returncode:
            killed.append(process.pid)
        whole = [line for line in out.split("\n")[:-1] if line]
        answered += whole
        left -= len(whole)


def test_a_send_that_is_killed_at_any_step_is_there_whole_or_not_at_all(house: House) -> None:
    house.join("a")
    for step in range(1, 80):
        house.room.store.close()
        code, out = fork("send_once_and_die_at", house.home, house.repository, "a", step)
        house.assert_whole()
        if code == 0:
            break
        assert (code, out) == (-signal.SIGKILL, "")
    assert step > 15
    assert out.strip() in {row[0] for row in house.rows("SELECT id FROM messages")}
    assert not house.send(house.operator, "a", "the lock died with its holders").duplicate


def test_a_migration_that_is_killed_is_done_by_the_next(house: House) -> None:
    for step in range(1, 100, 5):
        home = os.path.join(house.folder, f"home-{step}")
        code, _ = fork("migrate_and_die_at", home, step)
        assert code in (0, -signal.SIGKILL)
        Store(home).ensure()
        with Store(home).reading() as db:
            assert db.execute("PRAGMA user_version").fetchone() == (VERSION,)
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert db.execute("SELECT count(*) FROM events").fetchone() == (0,)
        if code == 0:
            break
    assert step > 50


def test_a_migration_by_several_at_once_happens_once(house: House) -> None:
    workers = [start("migrate", house.home) for _ in range(3)]
    assert [finish(worker) for worker in workers] == ["done\n"] * 3
    assert house.rows("SELECT count(*) FROM _sqlite_migrations") == [(1,)]


def test_twenty_workers_of_a_pool_get_twenty_names(house: House) -> None:
    """On a home that none of them finds: making it is part of the race."""
    workers = [start("join_pool", house.home, house.repository) for _ in range(20)]
    names = [finish(worker).strip() for worker in workers]
    assert sorted(names) == sorted(f"worker-{number}" for number in range(1, 21))
    house.room = house.enter(house.repository)
    assert house.rows("SELECT count(*) FROM rooms") == [(1,)]
    house.assert_whole()


def test_eight_that_claim_release_offer_and_force_never_hold_one_thing_twice(house: House) -> None:
    """Each does so at random while the others do; some are killed and come back."""
    names = [f"w{number}" for number in range(4)]
    for name in names:
        house.join(name)
    workers = [start("take_and_give", house.home, house.repository, names[seed % 4], seed, 120) for seed in range(8)]
    for seed, worker in enumerate(workers[:2]):
        threading.Timer(0.4 + seed / 5, worker.kill).start()
    while any(worker.poll() is None for worker in workers):
        _assert_no_two_holders(house)
    answers = [worker.communicate() for worker in workers]
    assert [worker.returncode for worker in workers[2:]] == [0] * 6, answers
    assert sum(int(out) for out, _ in answers[2:]) > 0, "nobody met anybody"
    _assert_no_two_holders(house)
    kinds = {row[0] for row in house.rows("SELECT DISTINCT kind FROM events")}
    assert {"claim.taken", "claim.released", "handoff.requested", "handoff.answered"} <= kinds
    house.assert_whole()


def _assert_no_two_holders(house: House) -> None:
    held = house.rows("SELECT lookup, agent FROM claims WHERE scope = 'project'")
    for above, owner in held:
        for below, other in held:
            assert owner == other or not (above in ("", below) or below.startswith(f"{above}/"))


@contextmanager
def stopped_holder(house: House) -> Iterator[subprocess.Popen[str]]:
    """A process that was stopped in the middle of a write."""
    house.join("a")
    holder = start("hold_lock", house.home, house.repository)
    try:
        assert read_line(holder.stdout) == "held"
        _wait_until_stopped(holder.pid)
        yield holder
    finally:
        holder.kill()
        holder.communicate()


def _wait_until_stopped(pid: int) -> None:
    done, status = os.waitpid(pid, os.WUNTRACED)
    assert done == pid
    assert os.WIFSTOPPED(status)


def refusal(house: House, deadline: float) -> RelayError:
    house.room = house.enter(house.repository, deadline=deadline)
    with pytest.raises(RelayError) as refused:
        house.send(house.operator, "a", "x")
    return refused.value


def test_a_stopped_writer_is_named_after_the_deadline(house: House) -> None:
    with stopped_holder(house) as holder:
        began = time.monotonic()
        fault = refusal(house, 0.3)
        assert time.monotonic() - began >= 0.3
        assert (fault.code, fault.exit_code) == ("busy", 6)
        named = fault.details["holder"]
        assert isinstance(named, dict)
        assert named["pid"] == holder.pid
        assert "workers" in str(named["command"])
        assert 0 <= system_clock() - int(str(named["since"])) < HOUR
        assert f"Process {holder.pid} (" in fault.message
        assert len(house.events()) == 2  # reading never waits


def test_in_another_thread_the_deadline_holds_as_well(house: House) -> None:
    with stopped_holder(house) as holder:
        faults: list[RelayError] = []
        thread = threading.Thread(target=lambda: faults.append(refusal(house, 0.3)))
        thread.start()
        thread.join()
        assert [fault.code for fault in faults] == ["busy"]
        assert f"Process {holder.pid} (" in faults[0].message


@pytest.mark.parametrize("in_thread", [False, True])
def test_whoever_waits_goes_on_when_the_writer_does(house: House, in_thread: bool) -> None:
    with stopped_holder(house) as holder:
        house.room = house.enter(house.repository, deadline=20.0)
        threading.Timer(0.2, lambda: holder.send_signal(signal.SIGCONT)).start()
        if in_thread:
            thread = threading.Thread(target=lambda: house.send(house.operator, "a", "x"))
            thread.start()
            thread.join()
        else:
            house.send(house.operator, "a", "x")
    assert len(house.events("message.sent")) == 1
    house.assert_whole()


def test_who_waits_with_a_time_of_its_own_keeps_it_while_another_writes(house: House) -> None:
    house.join("b")
    house.send(house.operator, "b", "news")
    with stopped_holder(house):
        house.room, began = house.enter(house.repository, deadline=60.0), time.monotonic()
        with pytest.raises(RelayError) as watched:
            list(watch_inbox(house.room, Actor("b"), after=None, timeout=0))
        with pytest.raises(RelayError) as claimed:
            claim_in_turn(house, "b", patience=0)
        assert time.monotonic() - began < 60
    assert (watched.value.code, claimed.value.code) == ("busy", "busy")


def test_a_claim_that_has_time_left_is_not_given_up_for_another_writer(house: House) -> None:
    house.join("b")
    with stopped_holder(house) as holder:
        house.room = house.enter(house.repository, deadline=0.1)
        threading.Timer(0.5, lambda: holder.send_signal(signal.SIGCONT)).start()
        assert claim_in_turn(house, "b", patience=20 * SECOND).claimed


def claim_in_turn(house: House, name: str, *, patience: int) -> Claimed:
    wanted = house.resources("src")
    return take_in_turn(house.room, Actor(name), wanted, note=None, measure=list, patience=patience)


def test_a_waiter_that_gave_up_does_not_keep_the_lock_later(house: House) -> None:
    with stopped_holder(house):
        thread = threading.Thread(target=lambda: refusal(house, 0.1))
        thread.start()
        thread.join()
    house.room = house.enter(house.repository, deadline=5.0)
    for _ in range(3):
        house.send(house.operator, "a", "x")
    assert len(house.events("message.sent")) == 3
