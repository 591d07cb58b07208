"""Every command of the room in any order: after each step the chains hold and a rebuild finds every row equal."""

from __future__ import annotations

import shutil
import tempfile
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from relay_tui.base.errors import RelayError
from relay_tui.base.resources import spell
from relay_tui.base.times import DAY, HOUR, MINUTE, SECOND
from relay_tui.room import asking, claims, handoffs, mailbox, registry, sweeps
from relay_tui.room.archives import archive_events, attach_archive
from relay_tui.room.ledger import Actor
from relay_tui.room.watching import watch_inbox
from tests.repo.git_fixture import commit, make_repository
from tests.room.round_trips import assert_comes_back
from tests.room_fixture import House

names = st.sampled_from(["a", "b", "c", "operator"])
audiences = st.sampled_from(["a", "b", "c", "operator", "*", "*all", "nobody"])
places = st.integers(0, 9)
texts = st.sampled_from(["ready", "\x1b[31m é\u202e日本", "two\nlines", "x" * 300, " "])
sessions = st.sampled_from([None, "s-1", "s-2"])
things = st.lists(
    st.sampled_from(["src", "src/a.py", "src/a", "srcs", ".", "machine:native", "branch:feat/x"]),
    min_size=1,
    max_size=3,
)
ages = st.sampled_from([0, SECOND, 16 * SECOND, 6 * MINUTE, HOUR, 8 * DAY, 31 * DAY, -HOUR])

# What a command may answer instead of doing it; anything else is a fault.
EXPECTED = frozenset(
    "unknown_agent left retired refused reserved_name session_conflict no_recipients invalid id_conflict not_yours"
    " unknown_message unknown_claim claim_conflict not_operator timeout usage held unknown_handoff".split()
)
FACTS = "notified_at, delivered_at, handled_at, expired_at, note, handled_session, delivered_session"


class Commands(RuleBasedStateMachine):
    """Agents that do whatever comes to mind in one room."""

    repository = ""

    @initialize()
    def open_house(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="relay-machine-")
        self.house = House(self.folder, repository=self.repository)
        for name in ("a", "b", "c"):
            self.house.join(name)
        self.sent = [self.house.send(self.house.operator, to, f"for {to}").id for to in ("a", "b", "*all")]
        self.facts: dict[tuple[int, int], tuple[Any, ...]] = {}
        self.archives: list[str] = []

    def teardown(self) -> None:
        assert_comes_back(self.house)
        self.house.room.store.close()
        shutil.rmtree(self.folder)

    def attempt(self, act: Any, *arguments: Any, **named: Any) -> Any:
        """The answer, or None where the room refused; a refusal leaves no event."""
        before = self.house.rows("SELECT count(*) FROM events")
        try:
            return act(*arguments, **named)
        except RelayError as refused:
            assert refused.code in EXPECTED, refused
            assert self.house.rows("SELECT count(*) FROM events") == before
            return None

    def message(self, place: int) -> str:
        return self.sent[place % len(self.sent)]

    def recipient(self, place: int) -> Actor:
        """One of those whom the message is for."""
        found = self.house.rows(
            "SELECT a.name FROM messages AS m JOIN deliveries AS d ON d.message = m.seq"
            " JOIN agents AS a ON a.key = d.agent WHERE m.id = ?",
            self.message(place),
        )
        return Actor(found[place % len(found)][0])

    @rule(name=names, session=sessions, task=st.sampled_from([None, "x", "y"]), ephemeral=st.booleans())
    def join(self, name: str, session: str | None, task: str | None, ephemeral: bool) -> None:
        self.attempt(self.house.join, name, session=session, task=task, ephemeral=ephemeral)

    @rule(name=names, session=sessions)
    def take_over(self, name: str, session: str | None) -> None:
        self.attempt(registry.join, self.house.room, Actor(name, session), registry.Joining(), takeover=True)

    @rule(name=names, text=texts, whom=audiences, asks=st.booleans())
    def status(self, name: str, text: str, whom: str, asks: bool) -> None:
        question = (whom, text) if asks else None
        self.attempt(
            registry.report_status, self.house.room, Actor(name), {"status": "waiting", "text": text}, question
        )

    @rule(name=st.sampled_from(["c", "nobody", "operator"]))
    def leave(self, name: str) -> None:
        self.attempt(registry.leave, self.house.room, Actor(name))

    @rule(name=names, to=audiences, body=texts, request=st.sampled_from([None, None, "r-1", "r-2"]))
    def send(self, name: str, to: str, body: str, request: str | None) -> None:
        sent = self.attempt(self.house.send, Actor(name), to, body, request=request)
        if sent is not None and not sent.duplicate:
            self.sent.append(sent.id)

    @rule(body=texts, place=places)
    def reply(self, body: str, place: int) -> None:
        sent = self.attempt(self.house.send, self.recipient(place), None, body, reply_to=self.message(place))
        if sent is not None:
            self.sent.append(sent.id)

    @rule(name=names, limit=st.integers(1, 3))
    def poll(self, name: str, limit: int) -> None:
        page = self.attempt(self.house.poll, Actor(name), limit=limit)
        if page is not None:
            assert all(message.delivered_at is not None for message in page.messages)

    @rule(name=names, place=places)
    def show(self, name: str, place: int) -> None:
        self.attempt(mailbox.show_message, self.house.room, Actor(name), self.message(place))

    @rule(place=places)
    def ack(self, place: int) -> None:
        self.attempt(self.house.ack, self.recipient(place), self.message(place), note="done")

    @rule(name=names, several=st.lists(places, min_size=1, max_size=3))
    def ack_several(self, name: str, several: list[int]) -> None:
        self.attempt(self.house.ack, Actor(name), *map(self.message, several))

    @rule(name=names)
    def watch(self, name: str) -> None:
        self.attempt(lambda: list(watch_inbox(self.house.room, Actor(name), after=None, timeout=0)))

    @rule(name=names, typed=things)
    def claim(self, name: str, typed: list[str]) -> None:
        self.attempt(self.house.claim, Actor(name), *typed, note="mine")

    @rule(name=names, typed=things)
    def release(self, name: str, typed: list[str]) -> None:
        self.attempt(claims.give_back, self.house.room, Actor(name), self.house.resources(*typed))

    @rule(name=names)
    def release_all(self, name: str) -> None:
        self.attempt(claims.give_back_all, self.house.room, Actor(name))

    @rule(name=names, typed=things)
    def force(self, name: str, typed: list[str]) -> None:
        self.attempt(claims.force_release, self.house.room, Actor(name), self.house.resources(*typed), "needed")

    def handoff(self, place: int) -> tuple[str, ...]:
        """An offer of any state with its giver and recipient; nobody's before there is one."""
        found = self.house.rows(
            "SELECT h.id, g.name, r.name FROM handoffs AS h JOIN agents AS g ON g.key = h.giver"
            " JOIN agents AS r ON r.key = h.recipient ORDER BY h.requested_at DESC, h.id"
        )
        return found[place % len(found)] if found else ("H9", "a", "b")

    @rule(to=names, place=places, several=st.integers(1, 3))
    def offer(self, to: str, place: int, several: int) -> None:
        """What somebody holds, in whatever part."""
        owned = self.house.rows("SELECT a.name, scope, resource FROM claims JOIN agents AS a ON a.key = agent")
        if owned:
            giver = owned[place % len(owned)][0]
            typed = [spell(scope, resource) for name, scope, resource in owned if name == giver][:several]
            wanted = self.house.resources(*typed)
            self.attempt(handoffs.request, self.house.room, Actor(giver), wanted, to, "done")

    @rule(name=names, to=names, typed=things)
    def offer_anything(self, name: str, to: str, typed: list[str]) -> None:
        self.attempt(handoffs.request, self.house.room, Actor(name), self.house.resources(*typed), to, None)

    @rule(place=places, accept=st.booleans(), only=st.just([]) | things)
    def answer(self, place: int, accept: bool, only: list[str]) -> None:
        offered, _, recipient = self.handoff(place)
        part = self.house.resources(*only)
        self.attempt(
            handoffs.respond, self.house.room, Actor(recipient), offered, accept=accept, only=part, reason="so"
        )

    @rule(place=places, name=names)
    def cancel(self, place: int, name: str) -> None:
        offered, giver, _ = self.handoff(place)
        self.attempt(handoffs.cancel, self.house.room, Actor(giver), offered)
        self.attempt(handoffs.cancel, self.house.room, Actor(name), offered)

    @rule(name=names, typed=things)
    def ask(self, name: str, typed: list[str]) -> None:
        self.attempt(asking.ask, self.house.room, Actor(name), self.house.resources(*typed), "please")

    @rule(name=st.sampled_from(["b", "c"]), relinquish=st.booleans())
    def retire_and_revive(self, name: str, relinquish: bool) -> None:
        room, operator = self.house.room, self.house.operator
        self.attempt(sweeps.retire, room, operator, name, relinquish=relinquish, reason="done")
        self.attempt(sweeps.revive, room, operator, name)

    @rule(before=ages)
    def archive(self, before: int) -> None:
        done = archive_events(self.house.room, self.house.operator, self.house.clock.now - before)
        self.archives += [done.file] if done.file else []

    @rule()
    def attach(self) -> None:
        if self.archives:
            attach_archive(self.house.room, self.house.operator, self.archives.pop())

    @rule(by=ages)
    def time_passes(self, by: int) -> None:
        self.house.clock.advance(by)

    @invariant()
    def the_ledger_holds_and_makes_the_tables(self) -> None:
        self.house.assert_whole()

    @invariant()
    def a_fact_once_stated_stays(self) -> None:
        now = {tuple(row[:2]): row[2:] for row in self.house.rows(f"SELECT message, agent, {FACTS} FROM deliveries")}
        for key, before in self.facts.items():
            kept = [old in (None, new) for old, new in zip(before, now[key], strict=True)]
            assert all(kept), (key, before, now[key])
        self.facts = now

    @invariant()
    def open_deliveries_are_counted(self) -> None:
        assert not self.house.rows(
            "SELECT id FROM messages AS m WHERE unsettled <> (SELECT count(*) FROM deliveries AS d"
            " WHERE d.message = m.seq AND d.handled_at IS NULL AND d.expired_at IS NULL)"
        )

    @invariant()
    def nobody_holds_what_another_holds(self) -> None:
        held = self.house.rows("SELECT scope, lookup, agent FROM claims WHERE scope = 'project'")
        for _, above, owner in held:
            for _, below, other in held:
                inside = above in ("", below) or below.startswith(f"{above}/")
                assert owner == other or not inside

    @invariant()
    def what_is_offered_is_held_by_whoever_offers_it(self) -> None:
        assert not self.house.rows(
            "SELECT p.handoff FROM handoff_resources AS p JOIN handoffs AS h ON h.id = p.handoff"
            " LEFT JOIN claims AS c USING (scope, family, lookup)"
            " WHERE p.waiting <> (h.state = 'waiting') OR (p.waiting = 1 AND c.agent IS NOT h.giver)"
        )


def test_any_commands_in_any_order(tmp_path_factory: Any) -> None:
    from hypothesis.stateful import run_state_machine_as_test

    Commands.repository = make_repository(str(tmp_path_factory.mktemp("machine") / "repo"))
    commit(Commands.repository, "first", {"src/a.py": "a\n"})
    run_state_machine_as_test(
        Commands,
        settings=settings(
            max_examples=30, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
