"""Claiming in turn: first come, first served, by real processes; a place dies with its process (DESIGN §6.3)."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.base.gauges import Measure
from relay_tui.base.times import HOUR, SECOND, system_clock
from relay_tui.room import claims, held, registry
from relay_tui.room.ledger import Actor
from relay_tui.room.queueing import take_in_turn
from relay_tui.room.registry import leave
from relay_tui.room.rooms import Room
from relay_tui.room.sweeps import retire, revive
from relay_tui.room.waiting import stand_in_line, sweep_line
from tests.room.test_handoffs import two_rooms
from tests.room.workers import finish, start
from tests.room_fixture import OPERATOR, House, refusal

A = Actor("a")
NATIVE = "machine:native"


class Line:
    """Processes that stand in line for one resource, each known to be there before the next comes."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.processes: dict[str, subprocess.Popen[str]] = {}

    def come(self, name: str, seconds: float = 30) -> None:
        house = self.house
        self.processes[name] = start("claim_in_turn", house.home, house.repository, name, "native", seconds)
        wait_until(lambda: name in self.names())

    def names(self) -> list[str]:
        return [*held.list_claims(self.house.room).claims[0].waiting]

    def ended(self, name: str) -> str:
        return finish(self.processes.pop(name)).strip()


def wait_until(true: Callable[[], bool], seconds: float = 20) -> None:
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.02)


@pytest.fixture
def line(house: House) -> Iterator[Line]:
    for name in ("a", "b", "c", "d"):
        house.join(name)
    house.claim(A, NATIVE)
    made = Line(house)
    yield made
    for process in made.processes.values():
        process.kill()
        process.communicate()


def release(house: House, name: str) -> None:
    claims.give_back(house.room, Actor(name), house.resources(NATIVE))


def holder(house: House) -> str | None:
    return next((one.holder for one in held.list_claims(house.room).claims), None)


def waiting(house: House) -> list[tuple[int, ...]]:
    return house.rows("SELECT ticket FROM waiting ORDER BY ticket")


def test_three_that_wait_get_it_in_the_order_in_which_they_came(line: Line) -> None:
    for name in ("b", "c", "d"):
        line.come(name)
    assert line.names() == ["b", "c", "d"]
    before = "a"
    for name, left in (("b", ["c", "d"]), ("c", ["d"]), ("d", [])):
        release(line.house, before)
        assert line.ended(name) == "held"
        assert (holder(line.house), line.names()) == (name, left)
        before = name
    assert waiting(line.house) == []
    line.house.assert_whole()


def test_a_waiter_that_is_killed_loses_its_place(line: Line) -> None:
    for name in ("b", "c"):
        line.come(name)
    killed = line.processes.pop("b")
    killed.kill()
    killed.communicate()
    assert line.names() == ["c"]
    release(line.house, "a")
    assert line.ended("c") == "held"
    line.come("d")  # whoever comes next forgets the dead
    assert len(waiting(line.house)) == 1


def test_the_place_of_one_that_was_stopped_ends_with_its_time(line: Line) -> None:
    house = line.house
    line.come("b", seconds=30)
    line.processes["b"].send_signal(signal.SIGSTOP)
    release(house, "a")
    assert refusal(house.claim, Actor("c"), NATIVE).details["waiting"] == ["b"]
    found = held.list_claims(house.room)
    assert (found.claims, [(one.resource, one.waiting) for one in found.free]) == ([], [("native", ["b"])])
    house.clock.now = system_clock() + 31 * SECOND  # the waiter is a process of its own, with the system's clock
    assert held.list_claims(house.room).free == []
    assert house.claim(Actor("c"), NATIVE).claimed


def test_a_clock_that_is_ahead_for_a_moment_costs_nobody_the_place(line: Line) -> None:
    stand(line.house, "b", NATIVE)
    line.house.clock.advance(2 * HOUR)
    with line.house.room.store.beside() as db:
        sweep_line(db, line.house.clock.now)
    assert line.names() == []
    line.house.clock.advance(-2 * HOUR)
    assert line.names() == ["b"]


def test_waiting_for_two_keeps_the_free_one_from_nobody(line: Line) -> None:
    house = line.house
    stand(house, "b", NATIVE, "machine:gpu")
    assert house.claim(Actor("c"), "machine:gpu").claimed
    claims.give_back(house.room, Actor("c"), house.resources("machine:gpu"))
    release(house, "a")
    for one in (NATIVE, "machine:gpu"):
        assert refusal(house.claim, Actor("c"), one).details["waiting"] == ["b"]


def test_who_waits_for_a_folder_comes_before_those_who_want_a_part_of_it(line: Line) -> None:
    house = line.house
    house.claim(A, "src/auth")
    stand(house, "b", "src")
    assert refusal(house.claim, Actor("c"), "src/app").details["waiting"] == ["b"]


def test_those_who_would_wait_for_each_other_are_told(line: Line) -> None:
    house = line.house
    house.claim(Actor("b"), "machine:gpu")
    house.claim(Actor("c"), "README.md")
    stand(house, "b", NATIVE)
    stand(house, "c", "machine:gpu")
    for wanted, waiter in (("machine:gpu", "b"), ("README.md", "b")):
        with pytest.raises(RelayError) as refused:
            in_turn(house, "a", wanted, patience=30 * SECOND)
        assert refused.value.code == "claim_conflict"
        assert refused.value.message.startswith(f"{waiter} waits for machine:native, which you hold:")
        assert refused.value.hint == f"Release it, or offer it: relay handoff request machine:native --to {waiter}"


def test_who_waits_is_told_for_what_and_how_long(line: Line) -> None:
    told: list[str] = []
    line.house.room.tell = told.append
    with pytest.raises(RelayError):
        in_turn(line.house, "b", patience=SECOND // 10)
    assert len(told) == 1 and told[0].startswith("machine:native is held by a (live")
    assert told[0].endswith(" Waiting up to 0s.")


def test_a_wait_that_is_over_names_who_holds_it_now(line: Line) -> None:
    line.come("b")
    told: list[str] = []

    def hand_on(words: str) -> None:
        told.append(words)
        release(line.house, "a")
        assert line.ended("b") == "held"

    line.house.room.tell = hand_on  # between the wait's beginning and its end
    with pytest.raises(RelayError) as late:
        in_turn(line.house, "c", patience=2 * SECOND)
    assert "is held by a (live" in told[0]
    assert (late.value.code, late.value.details["conflicts"][0].holder) == ("timeout", "b")
    assert late.value.message.startswith("It was not free in time. machine:native is held by b (live")


def test_a_wait_that_is_over_does_not_advise_to_wait(house: House) -> None:
    house.join("b")

    def measure() -> list[Measure]:
        raise RelayError("gate_refused", "The machine is too busy.", "Add --wait SECONDS to wait for it.")

    wanted = house.resources(NATIVE)
    with pytest.raises(RelayError) as refused:
        take_in_turn(house.room, Actor("b"), wanted, note=None, measure=measure, patience=SECOND // 10)
    assert (refused.value.code, refused.value.hint) == ("timeout", "Wait longer, or try again later.")


def test_nobody_overtakes_who_waits(line: Line) -> None:
    line.come("b")
    line.processes["b"].send_signal(signal.SIGSTOP)  # it is there, but does not look
    release(line.house, "a")
    fault = refusal(line.house.claim, Actor("c"), NATIVE)
    assert (fault.code, fault.details["waiting"]) == ("claim_conflict", ["b"])
    assert fault.message == "b waits for machine:native and comes first."
    pid = line.processes["b"].pid
    told = f"Process {pid} waits; if it was stopped, end it, or the operator may run: relay retire b"
    assert fault.hint == f"Add --wait SECONDS to stand in line. {told}"
    with pytest.raises(RelayError) as late:
        in_turn(line.house, "c", patience=SECOND // 10)
    assert late.value.hint == f"Wait longer, or try again later. {told}"
    line.processes["b"].send_signal(signal.SIGCONT)
    assert line.ended("b") == "held"


def test_who_is_retired_or_left_keeps_no_place(house: House) -> None:
    for name in ("a", "b", "c"):
        house.join(name)
    house.claim(A, "src")
    for name in ("b", "c"):
        stand(house, name, "src")
    assert held.list_claims(house.room).claims[0].waiting == ["b", "c"]
    retire(house.room, OPERATOR, "b", relinquish=False, reason=None)
    leave(house.room, Actor("c"))
    assert waiting(house) == []
    revive(house.room, OPERATOR, "b")
    house.join("c")
    assert waiting(house) == []
    house.assert_whole()


def test_a_namesake_of_another_room_that_waits_is_told_from_the_one_here(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    house, own = two_rooms(tmp_path_factory)
    house.join("b")
    registry.join(own, Actor("b"), registry.Joining())
    house.claim(A, NATIVE)
    stand(house, "b", NATIVE, room=own)
    (held_here,) = held.list_claims(house.room).claims
    assert (held_here.waiting, held_here.queue) == (["b"], [("billing", "b")])
    release(house, "a")
    assert held.list_claims(house.room).free[0].queue == [("billing", "b")]
    fault = refusal(house.claim, Actor("b"), NATIVE)
    assert fault.message == "b of room billing waits for machine:native and comes first."
    assert fault.details["waiting_rooms"] == ["billing"]
    assert fault.hint.endswith("the operator may run: relay retire b --room billing")


def test_who_would_wait_for_somebody_of_another_room_is_told_whom(tmp_path_factory: pytest.TempPathFactory) -> None:
    house, own = two_rooms(tmp_path_factory)
    registry.join(own, Actor("b"), registry.Joining())
    claims.take(own, Actor("b"), house.resources("src", room=own))
    house.claim(A, NATIVE)
    stand(house, "b", NATIVE, room=own)
    fault = refusal(in_turn, house, "a", "src", patience=SECOND)
    assert fault.message.startswith("b of room billing waits for machine:native, which you hold")
    assert fault.hint == "Release it."


def test_who_lost_a_place_takes_nothing_from_whoever_has_its_number_now(house: House) -> None:
    for name in ("b", "c"):
        house.join(name)
    stand(house, "b", "src")
    ((lost,),) = waiting(house)
    leave(house.room, Actor("b"))
    house.join("b")
    stand(house, "c", "src")
    assert waiting(house) == [(lost,)]
    wanted = house.resources("src")
    fault = refusal(claims.take, house.room, Actor("b"), wanted, ticket=lost)
    assert (fault.code, fault.details["waiting"]) == ("claim_conflict", ["c"])
    claims.take(house.room, Actor("b"), house.resources("docs"), ticket=lost)
    assert waiting(house) == [(lost,)]


def test_whoever_waits_for_something_else_is_not_in_the_way(line: Line) -> None:
    line.come("b")
    assert line.house.claim(Actor("c"), "machine:gpu").claimed
    assert line.house.claim(Actor("c"), "native").claimed  # a path


def test_who_holds_a_folder_claims_inside_of_it_while_somebody_waits(line: Line) -> None:
    house = line.house
    house.claim(A, "src")
    stand(house, "b", "src")
    assert [one.resource for one in house.claim(A, "src/auth").claimed] == ["src/auth"]
    claims.give_back(house.room, A, house.resources("src", "src/auth"))
    assert refusal(house.claim, A, "src/auth").details["waiting"] == ["b"]


def test_a_wait_that_is_over_leaves_with_six_and_nothing_in_line(line: Line) -> None:
    line.come("b", seconds=0.5)
    assert line.ended("b") == "timeout 6"
    assert waiting(line.house) == []
    assert holder(line.house) == "a"


def test_a_wait_says_what_it_waited_for(line: Line) -> None:
    house = line.house
    with pytest.raises(RelayError) as refused:
        in_turn(house, "b", patience=0)
    assert refused.value.code == "timeout"
    assert refused.value.message.startswith("It was not free in time. machine:native is held by a (live")
    assert waiting(house) == []


def test_waiting_writes_nothing_so_that_it_wakes_nobody(line: Line) -> None:
    line.come("b")
    time.sleep(0.5)
    lock = os.path.join(line.house.home, "relay.lock")
    signed = os.stat(lock).st_mtime_ns
    time.sleep(1.5)
    assert os.stat(lock).st_mtime_ns == signed


def test_an_interrupted_wait_gives_its_place_up(line: Line) -> None:
    line.come("b")
    time.sleep(0.5)  # so that it has left the transaction that showed its place
    line.processes["b"].send_signal(signal.SIGINT)
    line.processes.pop("b").communicate(timeout=20)
    assert waiting(line.house) == []


def test_what_is_free_is_taken_without_a_place(house: House) -> None:
    house.join("b")
    assert in_turn(house, "b", patience=0).claimed
    assert waiting(house) == []


def test_a_closed_gate_is_waited_for_and_measured_again(house: House) -> None:
    house.join("b")
    tries = []

    def measure() -> list[Measure]:
        tries.append(1)
        if len(tries) < 3:
            raise RelayError("gate_refused", "The machine is too busy.")
        return []

    wanted = house.resources(NATIVE)
    taken = take_in_turn(house.room, Actor("b"), wanted, note=None, measure=measure, patience=20 * SECOND)
    assert (len(tries), len(taken.claimed)) == (3, 1)
    assert waiting(house) == []


def stand(house: House, name: str, *typed: str, room: Room | None = None) -> None:
    """A place in line for a waiter that is this very process."""
    room = room or house.room
    ((agent,),) = house.rows("SELECT key FROM agents WHERE name = ? AND room = ?", name, room.row.key)
    wanted = [(held.family_of(room, one.scope), one) for one in house.resources(*typed, room=room)]
    with house.room.store.beside() as db:
        stand_in_line(db, agent, wanted, house.clock.now, HOUR)


def in_turn(house: House, name: str, typed: str = NATIVE, *, patience: int) -> claims.Claimed:
    wanted = house.resources(typed)
    return take_in_turn(house.room, Actor(name), wanted, note=None, measure=list, patience=patience)
