from __future__ import annotations

import pytest

from relay_tui.tui.frame import Headline, Status, fit_tabs, header_line, keys_line, status_line
from relay_tui.tui.readings.tally import Tally
from relay_tui.tui.widgets.command_log import CommandLog
from relay_tui.tui.widgets.glyphs import LETTERS

TALLY = Tally("shop-api", 4, 1410, 3)
BADGES = {"attention": "6", "branches": "!2", "roadmap": "27%", "inbox": "3"}


def test_the_header_says_who_is_here_and_how_fresh_it_is():
    line = header_line(Headline(TALLY, "now"), 100).plain
    assert line.startswith("relay  shop-api  ")
    assert line.endswith("1,410 agents · 4 live   unhandled 3   updated now   ✓ watching")
    assert "1 agent · 0 live" in header_line(Headline(TALLY._replace(stored=1, live=0)), 100).plain
    assert header_line(Headline(TALLY, polling=True), 100).plain.endswith("polling")
    assert "read-only" in header_line(Headline(TALLY, read_only=True), 100).plain
    assert header_line(Headline(TALLY), 100, LETTERS).plain.endswith("ok watching")


def test_before_the_first_reading_and_without_a_room_nothing_is_said_to_be_read():
    assert header_line(Headline(), 60).plain.split() == ["relay", "✓", "watching"]
    missing = header_line(Headline(TALLY, missing=True), 60).plain
    assert missing.split() == ["relay", "no", "room", "yet", "✓", "watching"]


@pytest.mark.parametrize("width", range(30, 120, 7))
def test_the_header_gives_up_the_least_first_and_always_fits(width: int):
    line = header_line(Headline(TALLY, "now"), width)
    assert line.cell_length == width
    assert "✓ watching" in line.plain
    assert "updated" not in line.plain or "unhandled" in line.plain


def test_a_fault_takes_the_place_of_the_numbers():
    line = header_line(Headline(TALLY, fault="relay.db is damaged " * 9), 80)
    assert "× relay.db is damaged" in line.plain and "live" not in line.plain
    assert line.cell_length == 80


@pytest.mark.parametrize(("width", "first"), [
    (120, "1 Attention 6"), (78, "1 Attention 6"), (70, "1 Attn 6"), (40, "1 6"),
])  # fmt: skip
def test_tabs_are_named_in_full_in_short_or_by_number(width: int, first: str):
    tabs = fit_tabs("claims", BADGES, width)
    assert tabs[0] == ("attention", first)
    assert ("claims", "6 Claims") in tabs
    assert sum(len(words) for _, words in tabs) + len(tabs) - 1 <= width


def test_the_line_of_keys_keeps_the_last_three():
    keys = [("a", "ack"), ("m", "message"), (":", "command"), ("?", "keys"), ("q", "quit")]
    assert keys_line(keys, 80).plain == "a ack   m message   : command   ? keys   q quit"
    assert keys_line(keys, 40).plain == "a ack   : command   ? keys   q quit"
    assert keys_line(keys, 10).plain == ": command   ? keys   q quit"


def test_the_status_line_shows_the_newest_command_or_the_one_that_runs():
    log = CommandLog()
    entry = log.add(("relay", "claim", "src/a b"), "09:00:00", 1234)
    assert status_line(Status(), 40).plain.strip() == "@ log"
    line = status_line(Status(entry), 60)
    assert line.plain.startswith("$ relay claim 'src/a b'") and line.plain.endswith("✓ done 1,234 ms   @ log")
    assert line.cell_length == 60
    assert "… running" in status_line(Status(entry, "relay claim b"), 60).plain
    tried = log.add(("relay", "release", "src", "--force", "--dry-run"), "09:00:00", 3, dry_run=True)
    assert status_line(Status(tried), 44).plain == "$ relay release sr…   ○ dry run 3 ms   @ log"
    narrow = status_line(Status(entry), 40)
    assert "…" in narrow.plain and narrow.cell_length == 40
