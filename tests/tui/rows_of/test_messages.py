from __future__ import annotations

from relay_tui.base.times import MINUTE, SECOND
from relay_tui.room.mail import Attachment, Message
from relay_tui.room.receipts import Receipt, ReceiptCounts, Receipts
from relay_tui.tui.glyphs import LETTERS, UNICODE
from relay_tui.tui.rows_of.messages import mailbox_note, message_detail, message_row, sent_row

NOW = 1_796_029_200 * SECOND
MESSAGE = Message(
    "M1", 7, "codex-3", "direct", "claude-1", ["claude-1"], "Review request", "Please review.\nIt is ready.", None,
    "M1", NOW - 4 * MINUTE, [], NOW - 4 * MINUTE, None, None, None, NOW + MINUTE, None, None,
)  # fmt: skip
RECEIPT = Receipt(
    "claude-1", "live", "stored", NOW - 4 * MINUTE, None, None, None, None, None, None, None, None, None, None
)  # fmt: skip


def receipts(*found: Receipt, **counts: int) -> Receipts:
    told = dict.fromkeys(ReceiptCounts._fields, 0) | {"recipients": len(found), "stored": len(found)} | counts
    return Receipts("M1", "codex-3", "Review request", list(found), ReceiptCounts(**told))


def detail(*found: Receipt, message: Message = MESSAGE, reader="claude-1", me="operator", width=0) -> list[str]:
    return message_detail(message, receipts(*found), reader, me, NOW, UNICODE, width).plain.split("\n")


def test_a_stage_is_filled_only_by_its_own_fact():
    acked = MESSAGE._replace(handled_at=NOW)
    assert [str(cell) for cell in message_row(acked, NOW, LETTERS).cells] == [
        "1--4", "codex-3 -> claude-1", "Review request", "4m",
    ]  # fmt: skip
    assert message_row(acked, NOW, UNICODE).fields == {"from": "codex-3", "state": "handled"}
    assert message_row(MESSAGE._replace(expired_at=NOW), NOW, UNICODE).fields["state"] == "expired"


def test_an_outbox_row_counts_its_recipients_and_shows_no_facts_of_its_own():
    many = MESSAGE._replace(to="*", recipients=["a", "b"], attachments=[Attachment("x", 1, "0")])
    assert sent_row(many, NOW, UNICODE).cells == ("* (2)", "Review request (attached)", "4m")


def test_the_detail_says_what_each_stage_means_and_how_it_stands():
    delivered = RECEIPT._replace(delivered_at=NOW - MINUTE, delivered_session="7c1f", notified_by="hook")
    lines = detail(delivered, width=80)
    assert lines[0] == "codex-3 → claude-1"
    assert "09:00Z · 4m ago" not in lines[1] and "08:56Z · 4m ago" in lines[1]
    assert "Review request" in lines and "It is ready." in lines
    assert [line.split() for line in lines if line.startswith(tuple("❶②❸④"))] == [
        "❶ Stored durable in the ledger done 08:56:00".split(),
        "② Notified the runner was told (hook) not yet".split(),
        "❸ Delivered fetched, session 7c1f done 08:59:00".split(),
        "④ Handled only when the agent acks the agent decides".split(),
    ]
    assert lines[-1].startswith("1 recipient · 1 stored · 0 notified")


def test_the_persons_own_message_says_that_they_decide():
    own = RECEIPT._replace(agent="operator")
    assert any("you decide: a" in line for line in detail(own, reader="operator"))
    assert not any("you decide" in line for line in detail(own, reader="operator", me="somebody-else"))


def test_where_it_is_narrow_the_meaning_goes_below():
    lines = detail(RECEIPT, width=40)
    place = lines.index("❶ Stored    done 08:56:00")
    assert lines[place + 1] == "            durable in the ledger"
    assert all(len(line) <= 40 for line in lines[place : place + 8])


def test_expired_and_noted_deliveries_say_so():
    lines = detail(RECEIPT._replace(expired_at=NOW, expired_reason="not handled in time", note="late"))
    assert "expired 09:00:00: not handled in time" in lines
    assert "note        late" in lines


def test_many_recipients_are_a_line_each_up_to_a_number():
    found = [RECEIPT._replace(agent=f"agent-{place}") for place in range(30)]
    lines = detail(*found)
    assert sum(line.startswith("❶②③④ agent-") for line in lines) == 20
    assert "and 10 more: relay receipt M1" in lines


def test_a_summary_that_is_the_first_line_is_not_said_twice():
    lines = detail(RECEIPT, message=MESSAGE._replace(body="Review request\nnow"))
    assert lines.count("Review request") == 1


def test_bodies_that_may_not_be_read_are_not_shown_as_empty():
    lines = detail(RECEIPT, message=MESSAGE._replace(body=None))
    assert "The body is for sender, recipients and operator." in lines


def test_the_note_above_names_anothers_mailbox():
    assert mailbox_note("operator", "operator", 3, 3) == ""
    assert mailbox_note("operator", "operator", 1234, 200) == "the first 200 of 1,234"
    said = "codex-3's mailbox, 0 unhandled · looking changes nothing"
    assert mailbox_note("codex-3", "operator", 0, 0) == said


def test_hostile_words_become_visible():
    evil = MESSAGE._replace(from_="a\x1b[31m", summary="s\u202e", body="b\x9b")
    text = "\n".join(detail(RECEIPT._replace(note="n\x07"), message=evil))
    assert not set(text) & set("\x1b\u202e\x9b\x07")
    assert "\\x1b[31m" in text and "\\u202e" in text
