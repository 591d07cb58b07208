from __future__ import annotations

from typing import Any

import pytest

from relay_tui.base.times import MINUTE, SECOND
from relay_tui.room.ledger import Event
from relay_tui.tui.rows_of.events import GIST_CHARACTERS, event_detail, event_row, gist

NOW = 1_796_029_200 * SECOND


def event(kind: str, **data: Any) -> Event:
    return Event(9, "R1", 7, NOW - MINUTE, "codex-3", "S1", "hook", kind, data, "ab" * 32, "cd" * 32)


@pytest.mark.parametrize(("told", "said"), [
    (event("message.sent", id="M1", to="*", summary="Rebase"), "M1 to *: Rebase"),
    (event("claim.taken", claims=[{"scope": "project", "resource": "a"}, {"scope": "machine", "resource": "b"}]),
     "a, machine:b"),
    (event("message.handled", agent="a", messages=["M1", "M2"]), "M1, M2"),
    (event("agent.reported", agent="a", facts={"status": "done", "task": "W1"}), "status done, task W1"),
    (event("work.changed", id="W8", set={"status": "done", "owner": None, "labels": ["a", "b"]}),
     "W8: status done, owner none, labels a, b"),
    (event("work.changed", id="W8", set={}, waiting={"W9": ["W8"]}), "W8: W9 waits for it"),
    (event("work.imported", path="ROADMAP.md", added=[{}, {}], changed={"W1": {}}), "ROADMAP.md: 2 added, 1 changed"),
    (event("work.added", items=[{"id": "W1", "title": "Tax"}]), "W1 Tax"),
    (event("work.removed", id="W1", items=["W1", "W2", "W3"]), "W1 and 2 more"),
    (event("work.moved", id="W1", parent=None, places={}), "W1 at the top"),
    (event("work.resolved", id="W1", field="status", side="file", set={}), "W1 status, as the file says"),
    (event("guard.passed", agent="a", resource="src/a.py", holder="b"), "src/a.py, which b holds"),
    (event("wake.ended", agent="a", newest="M1", outcome="told", text=""), "a: told"),
    (event("some.later.kind", agent="a"), "a"),
    (event("some.later.kind", number=3), ""),
])  # fmt: skip
def test_the_gist_is_the_member_that_tells_the_most(told: Event, said: str):
    assert gist(told) == said


def test_a_row_has_the_number_the_time_and_who():
    assert event_row(event("agent.left", reason="said so")).cells == (
        "7", "08:59:00", "codex-3", "hook", "agent.left", "said so",
    )  # fmt: skip


def test_the_detail_shows_all_data_and_the_chain():
    text = event_detail(event("x.y", body="a\x1b[31m[/]", nested={"list": [1, None]}), NOW).plain
    assert '"body": "a\\u001b[31m[/]"' in text and '"list": [' in text and "null" in text
    assert "ab" * 32 in text and "cd" * 32 in text
    assert "codex-3 through hook, session S1" in text and "2026-11-30T08:59:00.000000Z" in text


def test_of_very_much_data_the_beginning_is_shown_and_how_to_print_the_rest():
    added = [{"id": f"W{n}", "title": "x" * 90} for n in range(5000)]
    text = event_detail(event("work.imported", path="P.md", added=added, changed={}), NOW).plain
    assert len(text.split("\n")) < 300 and text.count("and more; Y copies the line that prints all of it") == 1
    assert '"added": [' in text and '"id": "W30"' in text
    long = event_detail(event("x.y", body="x" * 1_000_000), NOW).plain
    assert len(long) < 40_000 and "Y copies the line that prints" in long
    assert len(gist(event("claim.taken", claims=[{"scope": "project", "resource": "a" * 50}] * 9))) <= GIST_CHARACTERS
