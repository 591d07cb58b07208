"""What a key says and does where it can do nothing, or not for what is chosen."""

from __future__ import annotations

import re

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.room import registry
from relay_tui.tui.answers import TOAST_CHARACTERS
from relay_tui.tui.frame import KeysLine
from tests.room_fixture import House
from tests.tui.visits import KEY_OF, Visit, visit

WRITING = ("release", "force", "hand over", "ask for it", "ack", "reply", "claim", "retire", "join", "do what")


@pytest.fixture
def busy(house: House) -> House:
    """Two agents with claims, mail and a question for the operator."""
    codex, claude = house.join("codex-3"), house.join("claude-1")
    house.claim(codex, "src/auth", "branch:main")
    house.claim(claude, "README.md")
    house.send(codex, "operator", "ready")
    registry.report_status(house.room, claude, {"status": "waiting"}, ("operator", "Which base?"))
    return house


def keys_line(here: Visit) -> str:
    return str(here.app.screen.query_one(KeysLine).render())


async def test_m_writes_to_the_agent_of_the_marked_row_and_not_of_the_cursor(busy: House):
    async with visit(busy, "claims") as here:
        await here.press("g", "space", "m")
        assert here.app.screen.query_one("#field-0").value == here.app.room_screen.chosen[0].holder
        await here.press("escape", "escape", "g", "space", "G", "space", "m")
        assert len(here.app.screen_stack) == 1
        assert "a message goes to one of them" in here.toasts


async def test_what_works_on_one_row_is_for_the_marked_one_and_refuses_two(busy: House):
    async with visit(busy, "agents") as here:
        await here.press("g", "space", "G", "R")
        assert here.ids[0] in here.toasts or here.ids[0] in here.dialog
        await here.press("escape", "G", "space", "R")
        assert "2 rows are marked, and this works on one." in here.toasts and len(here.app.screen_stack) == 1


@pytest.mark.parametrize("mode", ["attention", "agents", "branches", "roadmap", "inbox", "claims", "log"])
async def test_a_read_only_screen_offers_no_key_that_changes_something(busy: House, mode: str):
    async with visit(busy, mode, read_only=True) as here:
        assert not any(f" {word}" in keys_line(here) for word in WRITING)
        await here.press("question_mark")
        assert "Filter" in here.dialog and "by force" not in here.dialog and "Claim\n" not in here.dialog
        await here.press("escape", "x", "a", "m", "c")
        assert set(here.toasts.splitlines()) == {"This screen is read-only.", "Open relay without --read-only to act."}
        assert len(here.app.screen_stack) == 1


@pytest.mark.parametrize("mode", list(KEY_OF))
async def test_the_keys_page_begins_every_line_with_a_capital_and_names_views_only_where_there_are_some(
    busy: House, mode: str
):
    async with visit(busy, mode) as here:
        has_views = bool(here.app.room_screen.VIEWS)
        await here.press("question_mark")
        words = [re.split(" {3,}", line)[-1] for line in here.dialog.splitlines()[1:-1]]
        assert len(words) > 20 and all(word[0].isupper() for word in words)
        assert ("Previous view" in words) == has_views


async def test_a_line_with_an_open_quote_is_logged_as_it_was_typed(house: House):
    async with visit(house, "claims") as here:
        await here.command("claim 'src/auth")
        assert "quote left open" in here.toasts
        assert here.app.acts.log.last.argv == ("relay", "claim 'src/auth")


async def test_a_toast_is_never_endless(house: House):
    async with visit(house, "claims") as here:
        here.app.acts.tell_error(RelayError("refused", "x" * 5000, "y" * 5000))
        await here.settle()
        assert [len(line) for line in here.toasts.split("\n")] == [TOAST_CHARACTERS, TOAST_CHARACTERS]


async def test_a_filter_names_a_column_that_is_none(busy: House):
    async with visit(busy, "claims") as here:
        await here.press("slash")
        await here.type("nosuch")
        assert "looks into a column" not in here.drawn and "Nothing matches" in here.drawn
        await here.type(":x")
        await here.settle()
        assert "Nothing matches" in here.drawn and "A word with a colon looks into a column: " in here.drawn


async def test_the_palette_finds_a_screen_with_its_key(house: House):
    async with visit(house, "claims") as here:
        await here.press("ctrl+p")
        await here.type("screen")
        await here.settle()
        assert "Screen: Roadmap   4" in here.drawn and "🔎" not in here.drawn
