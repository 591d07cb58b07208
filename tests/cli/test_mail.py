"""Mail as people and programs see it: every character, old names, local time, and what expired."""

from __future__ import annotations

import re
import time
from datetime import datetime
from typing import Any

import pytest

from relay_tui.actions.perform import open_room
from relay_tui.base.times import DAY, HOUR, SECOND, local_date, local_time
from relay_tui.room.ledger import Actor
from relay_tui.room.store import Store
from tests.cli.conftest import CommandLine

CONTROLS = "".join(map(chr, [*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, 0x202E, 0x2066, 0xFEFF, 0xE0001]))
BODY = f"first line\n{CONTROLS}\r\n\x1b]52;c;aGk=\x07[@click=app.quit]x[/] é 日本 🦆\n\nlast"
_UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]")
OLD = "Old\x1b[2J Näme\n%"


def test_every_control_character_is_inert_for_people_and_whole_for_programs(room: CommandLine) -> None:
    sent = room.data("send --as alice --to bob --message -", stdin=BODY.encode())["id"]
    assert room.data("inbox --as bob")["messages"][0]["body"] == BODY
    for line in ("inbox --as bob", f"show --as bob {sent}", f"thread --as alice {sent}", "history --as bob"):
        text = room.ok(line)
        assert not _UNSAFE.search(text), line
    assert "\\x00\\x01" in room.ok("inbox --as bob")
    assert room.data(f"show --as bob {sent}")["message"]["body"].encode() == BODY.encode()
    assert room.data("search --as bob last")["messages"][0]["body"] == BODY
    assert room.data("log rebuild --check")["equal"]


@pytest.fixture
def old(room: CommandLine) -> CommandLine:
    """A room of an earlier time: one of its names breaks today's rule."""
    there = open_room(Store(room.home), room.repository, None, clock=room.clock)
    with there.writing(Actor("operator")) as tx:
        tx.append("agent.joined", {"agent": OLD, "facts": {}, "session": None})
    return room


def test_a_name_that_breaks_todays_rule_still_works_and_is_inert(old: CommandLine) -> None:
    def say(line: str, *more: str) -> str:
        text = old.ok(line, *more)
        assert not _UNSAFE.search(text), line
        assert "\nName" not in text
        return text

    assert "Old\\x1b[2J Näme\\n%" in say("agents")
    say("send --as alice --message x --to", OLD)
    say("inbox --as", OLD)
    say("followup --as alice")
    say("receipt M0000001")
    say("send --message y --to alice --as", OLD)
    say("history --as alice")
    say("whoami --as", OLD)
    say("status working --as", OLD)
    say("claim src --as", OLD)
    say("claims")
    say("reconcile --session s --as", OLD)
    say("release src --force --reason x --as operator")
    assert old.data("agents --state live")["agents"][0]["agent"] == OLD
    old.clock.advance(10 * DAY)
    say("prune")
    say("leave --stale --apply --as operator")
    say("retire --as operator", OLD)
    say("revive --as operator", OLD)
    for line in ("join", "inbox --of", "send --as bob --message x --to"):
        more = (f"{OLD}x",) if line != "join" else ("--as", OLD)
        assert not _UNSAFE.search(old.run(line, *more).err.decode())


def test_what_expired_is_told_with_its_reason_and_can_be_answered(room: CommandLine) -> None:
    sent = room.data("send --as alice --to bob --message hello")["id"]
    room.clock.advance(31 * DAY)
    told = room.ok("archive --as bob")
    assert re.search(rf"{sent} +alice → bob +31d ago +expired, not handled in time +hello", told)
    assert "Each can still be shown and answered." in told
    assert "hello" in room.ok(f"show --as bob {sent}")
    assert "stored for 1 recipient" in room.ok(f"send --as bob --reply-to {sent} --message sorry")
    assert room.ok("archive --as alice") == "Nothing here.\n"


def test_what_is_listed_counted_and_acknowledged_is_narrowed_alike(room: CommandLine) -> None:
    room.ok("join --as carol")
    for sender in ("alice", "carol", "alice", "alice"):
        room.ok(f"send --as {sender} --to bob --message x")
    assert room.data("inbox --as bob --count")["unhandled"] == 4
    assert room.data("inbox --as bob --count --from alice")["unhandled"] == 3
    page = room.data("inbox --as bob --from alice --limit 2")
    assert [one["id"] for one in page["messages"]] == ["M0000001", "M0000003"]
    rest = room.data(f"inbox --as bob --since {page['next']}")
    assert [one["id"] for one in rest["messages"]] == ["M0000004"]
    assert len(room.data("inbox --as bob --all --from carol")["messages"]) == 1
    assert room.data(f"ack --as bob --through {page['next']}")["handled"] == ["M0000001", "M0000003"]
    assert room.data("inbox --as bob --count")["unhandled"] == 2


def test_a_cursor_of_the_newest_is_not_taken_for_one_of_the_oldest(room: CommandLine) -> None:
    """Otherwise `ack --through` would handle what its list never showed."""
    for _ in range(3):
        room.ok("send --as alice --to bob --message x")
    newest = room.data("history --as bob --limit 1")["next"]
    oldest = room.data("inbox --as bob --limit 1")["next"]
    for line in (f"ack --as bob --through {newest}", f"inbox --as bob --since {newest}",
                 f"history --as bob --since {oldest}", f"inbox --as bob --all --since {oldest}"):  # fmt: skip
        assert room.fault(line)["code"] == "usage", line
    assert room.data("inbox --as bob --count")["unhandled"] == 3


def test_a_peek_at_everything_is_the_same_list_without_bodies_and_without_a_fact(room: CommandLine) -> None:
    handled = room.data("send --as alice --to bob --message x")["id"]
    room.ok(f"ack --as bob {handled}")
    waiting = room.data("send --as alice --to bob --message y")["id"]
    page = room.data("inbox --as bob --all --peek --limit 1")
    rest = room.data(f"inbox --as bob --all --peek --since {page['next']}")
    assert [(one["id"], one["body"]) for one in page["messages"] + rest["messages"]] == [
        (waiting, None), (handled, None),
    ]  # fmt: skip
    assert room.data(f"receipt {waiting}")["recipients"][0]["stage"] == "stored"


def test_a_body_whose_first_line_is_the_summary_is_said_once(room: CommandLine) -> None:
    room.ok("send --as alice --to bob --message", "one\n\n  two")
    room.ok("send --as alice --to bob --summary other --message", "one\ntwo")
    first, second = room.ok("inbox --as bob").split("\n\n")[1:]
    assert first.split("\n")[1:] == ["    one", "    │", "    │   two"]
    assert second.rstrip().split("\n")[1:] == ["    other", "    │ one", "    │ two"]


def test_whom_a_message_reaches_is_told_in_words(room: CommandLine) -> None:
    retry = "send --as alice --to bob --message x --id k"
    assert "\n  bob is live, never fetched\n" in room.ok(retry)
    room.ok("inbox --as bob")
    assert "\n  bob is live, last fetched 1m ago\n" in room.ok(retry)
    room.ok("leave --as bob")
    assert "\n  bob has left, heard from 1m ago\n" in room.ok(retry)
    assert "never heard from" in room.ok("send --as alice --to operator --message x")


def test_ones_own_mailbox_by_name_is_ones_own_poll(room: CommandLine) -> None:
    sent = room.data("send --as alice --to bob --message x")["id"]
    assert room.data("inbox --as bob --of bob")["messages"][0]["body"] == "x"
    assert room.data(f"receipt {sent}")["recipients"][0]["stage"] == "delivered"


def test_a_clock_set_back_two_hours_loses_nothing(room: CommandLine) -> None:
    first = room.data("send --as alice --to bob --message first")["id"]
    room.clock.advance(-2 * HOUR)
    second = room.data("send --as alice --to bob --message second")["id"]
    told = room.data("inbox --as bob")
    assert [one["id"] for one in told["messages"]] == [first, second], "in the order of the ledger"
    assert "0s ago" in room.ok("inbox --as bob")
    assert [one["id"] for one in room.data("followup --as alice")["open"]] == [first, second]
    room.ok("ack --as bob --all")
    states = {one["agent"]: one["state"] for one in room.data("agents")["agents"]}
    assert states["alice"] == states["bob"] == "live"
    assert room.data("log verify")["ok"] and room.data("log rebuild --check")["equal"]


def moment_of(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp()) * SECOND


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(("moment", "there"), [
    ("2026-10-25T00:59:59Z", "2026-10-25 02:59 02:59:59"), ("2026-10-25T01:00:00Z", "2026-10-25 02:00 02:00:00"),
    ("2026-03-29T00:59:59Z", "2026-03-29 01:59 01:59:59"), ("2026-03-29T01:00:00Z", "2026-03-29 03:00 03:00:00"),
])  # fmt: skip
def test_local_time_is_told_around_the_change_of_the_clocks(berlin: None, moment: str, there: str) -> None:
    at = moment_of(moment)
    assert f"{local_date(at)} {local_time(at)}" == there


def test_the_hour_that_comes_twice_changes_no_age_and_no_order(berlin: None, room: CommandLine) -> None:
    room.clock.now = moment_of("2026-10-25T00:40:00Z")
    sent = room.data("send --as alice --to bob --message first")["id"]
    room.clock.advance(HOUR)
    room.ok("send --as alice --to bob --message second")
    assert "  1h ago" in room.ok("inbox --as bob")
    assert [one["sent_at"] for one in room.data("inbox --as bob")["messages"]] == [
        "2026-10-25T00:41:00.000000Z", "2026-10-25T01:42:00.000000Z",
    ]  # fmt: skip
    assert "2026-10-25 02:41" in room.ok(f"show --as bob {sent}")
