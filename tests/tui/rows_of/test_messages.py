from __future__ import annotations

import pytest

from relay_tui.base.times import DAY, HOUR, MINUTE
from relay_tui.room.followups import OpenDelivery
from relay_tui.room.mail import Attachment
from relay_tui.room.receipts import Receipt
from relay_tui.room.stages import Reached, told_stage
from relay_tui.tui.rows_of.messages import (
    archive_row,
    mailbox_note,
    message_row,
    open_row,
    past_row,
    sent_row,
)
from relay_tui.tui.widgets.content import one_line
from relay_tui.tui.widgets.glyphs import LETTERS, UNICODE
from relay_tui.tui.widgets.rows import Row
from tests.tui.rows_of.messages_made import HOSTILE, MESSAGE, NOW, assert_harmless


def cells(row: Row) -> list[str]:
    return [str(cell) for cell in row.cells]


def test_a_stage_is_filled_only_by_its_own_fact():
    acked = MESSAGE._replace(handled_at=NOW)
    assert cells(message_row(acked, NOW, LETTERS)) == ["1--4", "codex-3 -> claude-1", "Review request", "4m"]
    assert message_row(acked, NOW, UNICODE).fields["state"] == "handled"
    assert message_row(MESSAGE._replace(expired_at=NOW), NOW, UNICODE).fields["state"] == "expired"
    late = MESSAGE._replace(expired_at=NOW, handled_at=NOW)
    assert message_row(late, NOW, UNICODE).fields["state"] == "handled"


def test_the_filter_finds_words_of_the_body():
    assert message_row(MESSAGE, NOW, UNICODE).fields["body"] == "Please review.\nIt is ready."
    assert message_row(MESSAGE._replace(body=None), NOW, UNICODE).fields["body"] == ""


def test_an_outbox_row_marks_what_all_reached_and_says_what_the_furthest_did():
    many = MESSAGE._replace(to="*", recipients=["a", "b"], attachments=[Attachment("x", 1, "0")], delivered_at=NOW)
    row = sent_row(many._replace(reached=Reached(2, 0, 2, 1, 0)), NOW, LETTERS)
    assert cells(row) == ["1-3-", "1/2 handled", "* (2)", "Review request (attached)", "4m"]


@pytest.mark.parametrize(
    ("reached", "said"),
    [
        (Reached(1, 0, 0, 0, 0), "stored"),
        (Reached(1, 1, 0, 0, 0), "notified"),
        (Reached(5, 0, 5, 0, 0), "delivered"),
        (Reached(5, 5, 3, 0, 0), "3/5 delivered"),
        (Reached(2, 0, 0, 2, 0), "handled"),
        (Reached(5, 0, 0, 0, 5), "expired"),
        (Reached(5, 0, 0, 0, 4), "4/5 expired"),
        (Reached(5, 0, 1, 1, 4), "1/5 handled"),
    ],
)
def test_how_far_a_message_got_is_the_furthest_fact_of_any_recipient(reached: Reached, said: str):
    expired = NOW if reached.expired == reached.recipients else None
    assert told_stage(MESSAGE._replace(reached=reached, expired_at=expired)) == said


def test_a_past_row_has_its_state_in_a_word_and_only_the_other_side():
    assert cells(past_row(MESSAGE, "claude-1", NOW, LETTERS))[:3] == ["1---", "codex-3", "stored"]
    own = cells(past_row(MESSAGE._replace(delivered_at=NOW), "codex-3", NOW, LETTERS))
    assert own[:3] == ["1-3-", "-> claude-1", "delivered"]
    assert cells(past_row(MESSAGE, "operator", NOW, LETTERS))[1] == "codex-3 -> claude-1"


def test_an_archive_row_has_the_reason_and_the_age_of_the_expiry():
    expired = MESSAGE._replace(expired_at=NOW - DAY, expired_reason="not handled in time")
    assert cells(archive_row(expired, "claude-1", NOW, UNICODE))[3:] == ["not handled in time", "1d"]


def test_an_open_delivery_has_the_ages_of_its_facts_and_an_id_of_its_own():
    one = OpenDelivery("M1", "Review", Receipt("b", "quiet", "stored", NOW - HOUR, *[None] * 10), None)
    row = open_row(one, NOW, LETTERS)
    assert cells(row) == ["1---", "b", "q quiet", "Review", "1h", "never"]
    assert row.id == "M1 b"
    fetched = one._replace(receipt=one.receipt._replace(delivered_at=NOW - MINUTE))
    assert cells(open_row(fetched, NOW, LETTERS))[5] == "1m"


@pytest.mark.parametrize(
    ("page", "unhandled", "shown", "more", "said"),
    [
        (1, 3, 3, False, ""),
        (1, 1234, 200, True, "the first 200 of 1,234 · > turns"),
        (1, 0, 200, True, "> turns"),
        (3, 1234, 200, True, "page 3 · < > turns"),
        (3, 1234, 17, False, "page 3 · < turns"),
    ],
)
def test_the_note_says_what_the_page_leaves_out(page: int, unhandled: int, shown: int, more: bool, said: str):
    assert mailbox_note(page, unhandled, shown, more) == said


def test_hostile_words_are_shown_as_text():
    evil = MESSAGE._replace(**HOSTILE)
    drawn = [one_line(cell).plain for cell in message_row(evil, NOW, UNICODE).cells]
    assert_harmless(" ".join(drawn))
    assert "[/]" in drawn[2]
