"""The last sign of an agent while somebody sets the clock: either clock may be the one that is wrong."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from relay_tui.base.times import DAY, HOUR, MINUTE
from relay_tui.room import held
from relay_tui.room.agents import Agent, read_fresh_signs, read_signs, view_agent
from relay_tui.room.ledger import Actor
from relay_tui.room.presence import state_of
from tests.room_fixture import House


def agent(house: House) -> Agent:
    with house.room.reading() as db:
        return view_agent(db, house.room.row.key, "a", house.clock.now, house.room.settings)


def test_a_sign_by_a_clock_that_was_set_back_is_live_and_hides_no_later_one(house: House, a: Actor) -> None:
    heard = house.clock.now
    house.clock.advance(MINUTE - 10 * DAY)
    house.claim(a, "README.md")
    assert (agent(house).state, agent(house).last_seen) == ("live", house.clock.now)
    house.clock.advance(10 * DAY)
    assert (agent(house).state, agent(house).last_seen) == ("live", heard)
    assert [one.stale for one in held.list_claims(house.room).claims] == [False]
    assert [one[0] for one in house.send(house.operator, "*", "who is here").recipients] == ["a"]


def test_a_clock_that_was_ahead_keeps_nobody_live(house: House, a: Actor) -> None:
    house.clock.advance(10 * DAY)
    house.claim(a, "README.md")
    house.clock.advance(-10 * DAY)
    house.claim(a, "src")
    heard = house.clock.now
    assert (agent(house).state, agent(house).last_seen) == ("live", heard)
    house.clock.advance(HOUR)
    assert (agent(house).state, agent(house).last_seen) == ("quiet", heard)
    assert {one.stale for one in held.list_claims(house.room).claims} == {True}


def test_a_later_sign_settles_which_clock_was_right(house: House, a: Actor) -> None:
    house.clock.advance(-DAY)
    house.claim(a, "README.md")
    house.clock.advance(DAY + MINUTE)
    house.claim(a, "src")
    assert house.rows("SELECT last_seen, ahead FROM presence WHERE last_seen = ?", house.clock.now) == [
        (house.clock.now, None)
    ]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.tuples(
        st.integers(-30, 30),  # minutes since the last sign, negative where the clock was set back
        st.one_of(st.none(), st.integers(-30, 30)),  # the moment ahead of it
        st.one_of(st.none(), st.booleans()),
        st.integers(-30, 30),  # minutes since the transport reported
    )
)
def test_who_is_live_is_found_among_the_few_that_a_broadcast_reads(
    house: House, a: Actor, said: tuple[int, int | None, bool | None, int]
) -> None:
    ago, ahead, connected, reported = said
    now, room = house.clock.now, house.room
    with room.store.beside() as db:
        db.execute(
            "UPDATE presence SET last_seen = ?, ahead = ?, connected = ?, reported_at = ?",
            (now - ago * MINUTE, ahead and now - ahead * MINUTE, connected, now - reported * MINUTE),
        )
    with room.reading() as db:
        everybody = read_signs(db, room.row.key, now)
        fresh = read_fresh_signs(db, room.row.key, now, now - room.settings.live_window)
    live = [one for one in everybody if state_of(one[1], now, room.settings) == "live"]
    assert [one for one in fresh if state_of(one[1], now, room.settings) == "live"] == live
