"""Gates: the machine against its bounds at the moment of a claim, refused with figures, recorded in the event."""

from __future__ import annotations

from pathlib import Path

import pytest

from relay_tui.base.gauges import read_gauges
from tests.actions.acting import act, refused
from tests.room_fixture import OPEN_GATES, House

OPEN = OPEN_GATES.removeprefix("[gate]\n")
# No machine has so much room on its disk.
SHUT = "min_free_disk = '900000TiB'\n"


@pytest.fixture
def house(tmp_path: Path) -> House:
    made = House(str(tmp_path))
    made.join("a")
    return made


def bounded(house: House, toml: str) -> House:
    Path(house.home, "relay.toml").write_text(toml, encoding="utf-8")
    house.room = house.enter(house.repository)
    return house


def test_what_was_measured_stands_in_the_event(house: House) -> None:
    bounded(house, f"[gate]\n{OPEN}")
    assert act(house.room, "a", "claim --gate machine:native").claimed
    (event,) = house.events("claim.taken")
    assert [one["name"] for one in event.data["gate"]] == ["swap", "load_per_cpu", "free_disk"]
    assert {one["ok"] for one in event.data["gate"]} <= {True, None}
    assert event.data["gate"][2]["bound"] == 0
    house.assert_whole()


def test_a_claim_without_the_flag_measures_nothing(house: House) -> None:
    bounded(house, f"[gate]\n{SHUT}")
    assert act(house.room, "a", "claim machine:native").claimed
    assert house.events("claim.taken")[0].data["gate"] == []


def test_out_of_bounds_is_refused_with_both_figures_and_takes_nothing(house: House) -> None:
    bounded(house, f"[gate]\n{OPEN}{SHUT}".replace("min_free_disk = 0\n", ""))
    fault = refused(house.room, "a", "claim --gate machine:native src")
    assert (fault.code, fault.exit_code) == ("gate_refused", 8)
    free = read_gauges(house.repository).free_disk
    assert free is not None
    assert fault.message.startswith("The machine is too busy: free disk ")
    assert fault.message.endswith(" GiB, bound 9.22e+08 GiB.")
    assert fault.details["measures"]
    assert act(house.room, "a", "claims").claims == []


def test_a_resource_has_bounds_of_its_own_over_the_general_ones(house: House) -> None:
    bounded(house, f'[gate]\n{OPEN}[gate."native"]\n{SHUT}[gate."machine:gpu"]\n{SHUT}[gate."src/a"]\n{SHUT}')
    for resource in ("machine:native", "machine:gpu", "src/a"):
        assert refused(house.room, "a", f"claim --gate {resource}").code == "gate_refused", resource
        assert refused(house.room, "a", f"claim --gate docs {resource}").code == "gate_refused", "the strictest counts"
    assert act(house.room, "a", "claim --gate docs machine:other src/b").claimed


def test_own_bounds_may_be_wider_than_the_general_ones(house: House) -> None:
    bounded(house, f'[gate]\n{SHUT}[gate."native"]\n{OPEN}')
    assert act(house.room, "a", "claim --gate machine:native").claimed
    assert refused(house.room, "a", "claim --gate machine:other").code == "gate_refused"


def test_measuring_alone_answers_with_exit_eight_and_claims_nothing(house: House) -> None:
    report = act(bounded(house, f"[gate]\n{SHUT}").room, None, "gate")
    assert (report.ok, report.exit_code) == (False, 8)
    report = act(bounded(house, f"[gate]\n{OPEN}").room, None, "gate")
    assert (report.ok, report.exit_code) == (True, 0)
    assert [one.name for one in report.measures] == ["swap", "load_per_cpu", "free_disk"]
    assert house.events("claim.taken") == []


@pytest.mark.parametrize(("toml", "said"), [
    ("[gate]\nmax_swop = 1\n", "[gate] has no bound max_swop."),
    ("[gate]\nmax_swap = '8 parsecs'\n", "gate.max_swap = '8 parsecs' is not a bound."),
    ("[gate]\nmax_swap = -1\n", "gate.max_swap = -1 is not a bound."),
    ("[gate]\nmax_load_per_cpu = '8GiB'\n", "gate.max_load_per_cpu = '8GiB' is not a bound."),
    ("[gate]\nmax_load_per_cpu = nan\n", "gate.max_load_per_cpu = nan is not a bound."),
    ("[gate]\nmax_load_per_cpu = true\n", "gate.max_load_per_cpu = True is not a bound."),
    ("[gate.native]\nmax = 1\n", '[gate."native"] has no bound max.'),
    ("[gate.native]\nmin_free_disk = []\n", 'gate."native".min_free_disk = [] is not a bound.'),
])  # fmt: skip
def test_bounds_that_cannot_be_meant_are_named(house: House, toml: str, said: str) -> None:
    fault = refused(bounded(house, toml).room, "a", "claim --gate src")
    assert (fault.code, fault.exit_code) == ("invalid", 4)
    assert said in fault.message


def test_a_gate_that_stays_shut_is_waited_for_and_then_said(house: House) -> None:
    bounded(house, f"[gate]\n{SHUT}")
    fault = refused(house.room, "a", "claim --gate --wait 1 machine:native")
    assert (fault.code, fault.exit_code) == ("timeout", 6)
    assert "free disk" in fault.message
    assert house.rows("SELECT count(*) FROM waiting") == [(0,)]
