from __future__ import annotations

from relay_tui.base.times import DAY, MINUTE, SECOND
from relay_tui.room.mail import Attachment
from relay_tui.room.receipts import Receipt
from relay_tui.tui.rows_of.message_detail import message_detail
from relay_tui.tui.widgets.glyphs import UNICODE
from tests.tui.rows_of.messages_made import HOSTILE, MESSAGE, NOW, RECEIPT, assert_harmless, receipts


def detail(
    *found: Receipt, message=MESSAGE, reader="claude-1", me="operator", width=0, thread=1, **counts: int
) -> list[str]:
    said = receipts(*found, **counts)
    line = "relay receipt M1 --room shop"
    return message_detail(message, said, reader, me, NOW, UNICODE, width, thread, line).plain.split("\n")


def test_the_first_line_has_who_when_and_the_size_of_the_thread():
    (first, *_) = detail(RECEIPT, width=80, thread=3)
    assert first == "codex-3 → claude-1   08:56 local · 08:56Z · 4m ago" + " " * 19 + "thread of 3"
    assert len(first) == 80
    assert "thread" not in detail(RECEIPT, width=80)[0]


def test_where_it_is_narrow_the_time_goes_below_and_then_the_thread():
    assert detail(RECEIPT, width=50, thread=3)[:2] == [
        "codex-3 → claude-1" + " " * 21 + "thread of 3", "08:56 local · 08:56Z · 4m ago",
    ]  # fmt: skip
    assert detail(RECEIPT, width=30, thread=3)[:3] == [
        "codex-3 → claude-1", "thread of 3", "08:56 local · 08:56Z · 4m ago",
    ]  # fmt: skip


def test_a_moment_of_another_day_has_its_date():
    old = MESSAGE._replace(sent_at=NOW - 2 * DAY)
    lines = detail(RECEIPT._replace(stored_at=NOW - 2 * DAY), message=old, width=80)
    assert "2026-11-28 09:00 local · 09:00Z · 2d ago" in lines[0]
    assert any(line.endswith("done 11-28 09:00") for line in lines)


def test_the_detail_says_what_each_stage_means_and_how_it_stands():
    delivered = RECEIPT._replace(delivered_at=NOW - MINUTE, delivered_session="7c1f", notified_by="hook")
    lines = detail(delivered, width=90)
    assert "Review request" in lines and "It is ready." in lines
    assert [line.split() for line in lines if line.startswith(tuple("❶②❸④"))] == [
        "❶ Stored durable in the ledger done 08:56:00".split(),
        "② Notified runner told by hook not yet".split(),
        "❸ Delivered fetched, session 7c1f done 08:59:00".split(),
        "④ Handled only when the agent acks the agent decides".split(),
    ]
    assert lines[-1] == "1 recipient · 1 stored · 0 notified · 0 delivered · 0 handled · 0 expired · 0 missing"


def test_the_persons_own_message_says_that_they_decide():
    own = RECEIPT._replace(agent="operator")
    assert any("you decide: a" in line for line in detail(own, reader="operator"))
    assert not any("you decide" in line for line in detail(own, reader="operator", me="somebody-else"))


def test_where_it_is_narrow_every_meaning_goes_below():
    lines = detail(RECEIPT, width=40)
    place = lines.index("❶ Stored    done 08:56:00")
    assert lines[place + 1] == "            durable in the ledger"
    assert lines[place + 6 : place + 8] == ["④ Handled   the agent decides", "            only when the agent acks"]
    assert all(len(line) <= 40 for line in lines[place : place + 8])


def test_long_counts_break_after_the_recipients_own_acts():
    assert detail(RECEIPT, width=60)[-2:] == [
        "1 recipient · 1 stored · 0 notified · 0 delivered ·", "0 handled · 0 expired · 0 missing",
    ]  # fmt: skip


def test_expired_and_noted_deliveries_say_so():
    lines = detail(RECEIPT._replace(expired_at=NOW, expired_reason="not handled in time", note="late"))
    assert "expired 09:00:00: not handled in time" in lines
    assert "note        late" in lines
    assert any("Handled" in line and line.endswith("not in time") for line in lines)


def test_several_recipients_are_counted_by_stage_and_named_with_who_lags_first():
    done = RECEIPT._replace(agent="a", stage="handled", delivered_at=NOW, handled_at=NOW - SECOND, note="ok")
    open_one = RECEIPT._replace(agent="b", last_fetched_at=NOW - MINUTE)
    never = RECEIPT._replace(agent="c", agent_state="quiet")
    lines = detail(done, open_one, never, reader="codex-3", delivered=1, handled=1)
    assert any(line.startswith("④ Handled") and line.endswith("1 of 3: they decide") for line in lines)
    assert lines[-3:] == [
        "❶②③④ b  stored 4m ago · live, last fetched 1m ago",
        "❶②③④ c  stored 4m ago · quiet, never fetched",
        '❶②❸❹ a  handled 1s ago · live  "ok"',
    ]


def test_many_recipients_are_a_line_each_up_to_a_number():
    found = [RECEIPT._replace(agent=f"agent-{place}") for place in range(30)]
    lines = detail(*found)
    assert sum(line.startswith("❶②③④ agent-") for line in lines) == 20
    assert lines[-1] == "and 10 more: relay receipt M1 --room shop"


def test_attachments_stand_with_their_sizes_and_the_key_that_writes_them():
    files = [Attachment("日本.md", 1234, "0"), Attachment("a\x1b[31m\u202e", 1, "1")]
    lines = detail(RECEIPT, message=MESSAGE._replace(attachments=files))
    assert "2 attached · F saves to a folder" in lines
    assert "  日本.md          1,234 bytes" in lines
    assert "  a\\x1b[31m\\u202e       1 byte" in lines
    assert_harmless("\n".join(lines))


def test_a_summary_that_is_the_first_line_is_not_said_twice():
    lines = detail(RECEIPT, message=MESSAGE._replace(body="Review request\nnow"))
    assert lines.count("Review request") == 1


def test_bodies_that_may_not_be_read_are_not_shown_as_empty():
    lines = detail(RECEIPT, message=MESSAGE._replace(body=None))
    assert "The body is for sender, recipients and operator." in lines


def test_hostile_words_become_visible():
    text = "\n".join(detail(RECEIPT._replace(note="n\x07"), message=MESSAGE._replace(**HOSTILE), thread=2, width=60))
    assert_harmless(text)
    assert "[@click=app.quit]x[/]" in text
