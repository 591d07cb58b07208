"""Every command as holder, recipient, sender, third party and operator, with the code that CONTRACT gives it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from relay_tui.actions.call import parse
from relay_tui.actions.perform import perform
from relay_tui.actions.table import ACTIONS
from relay_tui.base.errors import RelayError
from relay_tui.base.names import RESERVED
from relay_tui.base.times import DAY
from relay_tui.room.ledger import Actor
from relay_tui.room.registry import leave
from relay_tui.room.sweeps import retire
from tests.actions.acting import act, refused
from tests.room_fixture import House

ROLES = ("holder", "recipient", "sender", "third", "operator")
# M1: from sender to recipient, with a file. holder holds src and the branch main, third holds lib;
# H1: third offers lib to recipient.
MAIL, CLAIM, OFFER = "M0000001", "src", "H0000001"
EVERYBODY = dict.fromkeys(ROLES, "")
OPERATOR_ONLY = {**dict.fromkeys(ROLES, "not_operator"), "operator": ""}
CONCERNED = {"holder": "unknown_message", "third": "unknown_message"}  # others do not hear that it exists
RECIPIENT_ONLY = {**dict.fromkeys(ROLES, "not_yours"), "recipient": ""}
HOLDER_ONLY = {**dict.fromkeys(ROLES, "not_yours"), "holder": ""}
BUT_OPERATOR = {"operator": "refused"}
NOT_JOINED = {"operator": "reserved_name"}

# A line of each command, and the codes of those for whom it does not just work.
LINES: tuple[tuple[str, dict[str, str]], ...] = (
    ("init", {}), ("init --operator holder", OPERATOR_ONLY),
    ("rooms", {}), ("agents", {}), ("whoami", {}), ("pending --by state", {}), ("spec", {}),
    ("join", NOT_JOINED), ("join --session another", {**dict.fromkeys(ROLES, "session_conflict"), **NOT_JOINED}),
    ("join --session another --takeover", {**dict.fromkeys(ROLES, "not_operator"), **NOT_JOINED}),
    ("status working", {}), ("status --needs third --question why", {"third": "no_recipients"}),
    ("leave", BUT_OPERATOR), ("leave --stale", {}), ("leave --stale --apply", OPERATOR_ONLY),
    ("retire gone", OPERATOR_ONLY), ("retire holder", {**OPERATOR_ONLY, "holder": "held", "operator": "held"}),
    ("retire holder --relinquish --reason merged", {**OPERATOR_ONLY, "holder": ""}),
    ("retire operator", dict.fromkeys(ROLES, "refused")),
    ("retire --stale", {}), ("retire --stale --apply", OPERATOR_ONLY), ("revive retired", OPERATOR_ONLY),
    ("prune", {}), ("prune --apply", OPERATOR_ONLY),
    ("send --to '*' --message x", {}), ("send --to gone --message x", dict.fromkeys(ROLES, "left")),
    ("send --to retired --message x", dict.fromkeys(ROLES, "retired")),
    ("inbox", {}), ("inbox --peek", {}), ("inbox --of idle", OPERATOR_ONLY), ("inbox --of idle --all", OPERATOR_ONLY),
    ("inbox --of idle --count", OPERATOR_ONLY),
    (f"show {MAIL}", CONCERNED), (f"thread {MAIL}", CONCERNED), (f"fetch {MAIL} --out {{out}}", CONCERNED),
    (f"ack {MAIL}", RECIPIENT_ONLY), ("ack --all", {}), (f"receipt {MAIL}", {}),
    ("outbox", {}), ("history", {}), ("archive", {}), ("search word", {}),
    ("followup", {}), ("followup --remind", {}), ("reconcile", {}),
    (f"reconcile --take {MAIL}", {**RECIPIENT_ONLY, "recipient": "refused"}),  # it was never fetched
    (f"reconcile --handled {MAIL}", {**RECIPIENT_ONLY, "recipient": "refused"}),
    ("watch --timeout 0", {"holder": "timeout", "sender": "timeout", "third": "timeout", "operator": "timeout"}),
    ("claim docs", {}), (f"claim {CLAIM}/a", {**dict.fromkeys(ROLES, "claim_conflict"), "holder": ""}), ("claims", {}),
    (f"release {CLAIM}", HOLDER_ONLY), (f"release {CLAIM} --force --reason x", OPERATOR_ONLY),
    ("release --all", {"third": "refused"}),
    ("gate", {}), (f"guard {CLAIM}/a", {}), ("hooks install", {}), ("hooks uninstall", {}),
    (f"handoff request {CLAIM} --to idle", HOLDER_ONLY), ("handoff list", {}),
    (f"handoff respond {OFFER} --accept", RECIPIENT_ONLY), (f"handoff respond {OFFER} --decline", RECIPIENT_ONLY),
    (f"handoff cancel {OFFER}", {**dict.fromkeys(ROLES, "not_yours"), "third": "", "operator": ""}),
    ("retire third", {**OPERATOR_ONLY, "third": "refused", "operator": "refused"}),
    (f"handoff ask {CLAIM}", {"holder": "refused"}),
    ("branches", {}), ("branch show main", {}),
    ("branch claim main", {**dict.fromkeys(ROLES, "claim_conflict"), "holder": ""}),
    ("branch release main", HOLDER_ONLY), ("branch release main --force --reason x", OPERATOR_ONLY),
    ("work add --title x", {}), ("work set W1 --status done", {}), ("work tree", {}), ("work show W1", {}),
    ("work move W1 --root", {}), ("work remove W1", {}), ("work restore W1", {}), ("work next", {}),
    ("work resolve W1 status file", dict.fromkeys(ROLES, "refused")),  # no import left a conflict
    ("work import --file PLAN.md", {}), ("work import --file PLAN.md --mark", {}),
    ("work export --file PLAN.md", {}), ("work export --mark", {}), ("work follow --file PLAN.md", {}),
    ("attention", {}), ("log", {}), ("log head", {}), ("log verify", {}), ("log --at 1d", {}),
    ("agents --at 1d", {}), ("claims --at 1d", {}), ("branches --at 1d", {}), ("work tree --at 1d", {}),
    ("log archive --before 1d", OPERATOR_ONLY), ("log attach gone.db", {**OPERATOR_ONLY, "operator": "refused"}),
    ("backup {out}", OPERATOR_ONLY), ("export {out} --all", OPERATOR_ONLY), ("db", OPERATOR_ONLY),
    ("restore PLAN.md", {**OPERATOR_ONLY, "operator": "refused"}),  # there are rooms here
    ("restore PLAN.md --as-new", {**OPERATOR_ONLY, "operator": "invalid"}),
    ("log rebuild --check", {}), ("doctor", {}), ("setup claude", {}), ("setup --undo", {}), ("wake", {}),
)  # fmt: skip
# What opens a screen, and what plays in a home of its own.
ELSEWHERE = {"screen", "demo", "hook", "mcp", "launch"}  # a client says which agent it is, or becomes one


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    """The scene that every line is tried on; each trial is a dry run, so that it stays as it is."""
    house = House(str(tmp_path_factory.mktemp("who")))
    Path(house.repository, "PLAN.md").write_text("# Plan\n\n- [ ] one\n", encoding="utf-8")
    house.join("idle")
    house.clock.advance(30 * DAY)
    me = {name: house.join(name, session=f"s-{name}") for name in (*ROLES[:-1], "gone", "retired")}
    act(house.room, "sender", "send --to recipient --message word --attach PLAN.md")
    house.claim(me["holder"], CLAIM, "branch:main")
    house.claim(me["third"], "lib")
    act(house.room, "third", "handoff request lib --to recipient")
    act(house.room, "third", "work add --title first")
    act(house.room, "third", "work import --file PLAN.md")
    leave(house.room, me["gone"])
    retire(house.room, house.operator, "retired", relinquish=False, reason=None)
    return house


def attempt(house: House, me: Actor, line: str) -> str:
    """The code that a line ends with; "" where it is done."""
    room = house.enter(house.repository, dry_run=True)
    call = parse(line.format(out=os.path.join(house.folder, "out")).replace("'", "").split())
    assert call is not None, line
    try:
        result: Any = perform(call, room, me._replace(session=call.session or me.session))
        if isinstance(result, Iterator):
            list(result)
    except RelayError as fault:
        return fault.code
    finally:
        room.store.close()
    return ""


@pytest.mark.parametrize(("line", "refusals"), LINES, ids=[line for line, _ in LINES])
def test_who_may(house: House, line: str, refusals: dict[str, str]) -> None:
    before = house.rows("SELECT count(*), max(hash) FROM events")
    assert {role: attempt(house, Actor(role), line) for role in ROLES} == {**EVERYBODY, **refusals}
    assert house.rows("SELECT count(*), max(hash) FROM events") == before


def test_the_table_has_every_command() -> None:
    tried = {call.action for line, _ in LINES if (call := parse(line.split())) is not None}
    assert set(ACTIONS) - tried == ELSEWHERE


@pytest.mark.parametrize("via", ["hook", "mcp"])
@pytest.mark.parametrize(("line", "refusals"), LINES, ids=[line for line, _ in LINES])
def test_nobody_acts_as_a_person_through_an_agents_door(
    house: House, line: str, refusals: dict[str, str], via: str
) -> None:
    for name in ("operator", "relay", "all", "42"):
        assert attempt(house, Actor(name, None, via), line) == "reserved_name", name


@pytest.mark.parametrize("via", ["hook", "mcp"])
def test_an_agents_door_is_open_to_agents(house: House, via: str) -> None:
    assert attempt(house, Actor("recipient", None, via), f"ack {MAIL}") == ""
    for name in RESERVED:
        assert attempt(house, Actor(name, None, via), "join") == "reserved_name"


def test_only_the_person_at_the_keyboard_takes_a_live_name_over(house: House) -> None:
    line = "join --takeover"
    assert attempt(house, Actor("third", "another", "cli", at_keyboard=True), line) == ""
    assert attempt(house, Actor("third", "another", "cli"), line) == "not_operator"


def test_an_operator_of_another_name_is_the_one_that_may(house: House) -> None:
    other = House(house.folder + "/other")
    act(other.room, None, "init --operator kim")
    other.room = other.enter(other.repository)
    other.join("a")
    assert attempt(other, Actor("kim"), "inbox --of a") == ""
    assert attempt(other, Actor("a"), "inbox --of kim") == "not_operator"
    assert attempt(other, Actor("kim", None, "mcp"), "inbox") == "reserved_name"


def test_who_is_nobody_is_told_whose_act_it_is(house: House) -> None:
    for line in ("backup x.db", "init --operator kim", "prune --apply"):
        fault = refused(house.room, None, line)
        assert (fault.code, fault.hint.partition(" may ")[0]) == ("usage", "Only the operator")
        assert fault.hint.endswith(": add --as operator, or set RELAY_OPERATOR=1.")


# A line of each command that writes, as the first that a new machine sees.
FIRST = {
    "init": "init", "join": "join", "status": "status idle", "leave": "leave", "retire": "retire a",
    "revive": "revive a", "prune": "prune --apply", "send": "send --to a --message x --attach PLAN.md",
    "inbox": "inbox", "show": "show M1", "ack": "ack --all", "followup": "followup --remind",
    "reconcile": "reconcile --take M1", "watch": "watch --timeout 0", "claim": "claim src machine:gpu",
    "release": "release --all", "hooks install": "hooks install", "hooks uninstall": "hooks uninstall",
    "handoff request": "handoff request src --to a", "handoff respond": "handoff respond H1 --accept",
    "handoff cancel": "handoff cancel H1", "handoff ask": "handoff ask src",
    "branch claim": "branch claim main", "branch release": "branch release main",
    "work add": "work add --title x", "work set": "work set W1 --status done",
    "work import": "work import --file PLAN.md", "work export": "work export --file PLAN.md",
    "work follow": "work follow --file PLAN.md", "work move": "work move W1 --root",
    "work remove": "work remove W1", "work restore": "work restore W1",
    "restore": "restore none.ndjson", "work resolve": "work resolve W1 status file", "setup": "setup claude",
    "launch": "launch claude", "wake": "wake",
    "log archive": "log archive --before 1d", "log attach": "log attach x.db",
    "fetch": "fetch M1", "backup": "backup x.db", "export": "export x.ndjson",
}  # fmt: skip


def test_every_command_that_writes_is_tried() -> None:
    assert {name for name, action in ACTIONS.items() if action.writes} == FIRST.keys()


@pytest.mark.parametrize("name", FIRST)
def test_a_dry_run_without_a_home_makes_none(tmp_path: Path, name: str) -> None:
    house = House(str(tmp_path))
    Path(house.repository, "PLAN.md").write_text("# Plan\n\n- [ ] one\n", encoding="utf-8")
    for me in ("operator", "newcomer"):
        code = attempt(house, Actor(me), FIRST[name])
        assert code in ("", "unknown_room", "unknown_agent", "reserved_name", "refused", "unknown_item",
                        "unknown_message", "unknown_claim", "unknown_handoff", "not_operator", "no_file",
                        "no_recipients")  # fmt: skip
        assert not os.path.exists(house.home), me
