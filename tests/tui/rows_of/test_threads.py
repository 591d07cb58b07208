from __future__ import annotations

from relay_tui.room.stages import Reached
from relay_tui.tui.rows_of.threads import LINES_SHOWN, thread_detail
from relay_tui.tui.widgets.glyphs import LETTERS
from tests.tui.rows_of.messages_made import HOSTILE, MESSAGE, NOW, assert_harmless

ANSWER = MESSAGE._replace(
    id="M2", seq=9, from_="claude-1", to="codex-3", recipients=["codex-3"], summary="Done", body="Done\nsee main"
)


def test_a_thread_is_oldest_first_with_the_row_marked_and_each_ones_facts():
    found = thread_detail(
        [MESSAGE._replace(delivered_at=NOW, reached=Reached(1, 0, 1, 0, 0)), ANSWER], 2, "M2", NOW, LETTERS
    )
    assert found.plain.split("\n") == [
        "thread of 2  oldest first", "",
        "  codex-3 -> claude-1  4m ago  1-3- delivered", "  Review request", "  Please review.", "  It is ready.", "",
        "> claude-1 -> codex-3  4m ago  1--- stored", "  Done", "  see main",
    ]  # fmt: skip


def test_what_a_long_thread_and_a_long_body_leave_out_is_said():
    long = MESSAGE._replace(body="\n".join(str(number) for number in range(500)), summary="0")
    text = thread_detail([long], 80, "M1", NOW, LETTERS).plain
    assert "79 earlier; Y copies the line that prints them" in text
    assert text.endswith(f"  and {500 - LINES_SHOWN:,} lines more")


def test_a_message_alone_says_that_nobody_answered():
    assert thread_detail([MESSAGE], 1, "M1", NOW, LETTERS).plain.startswith("thread of 1  nobody has answered")


def test_hostile_words_become_visible():
    assert_harmless(thread_detail([MESSAGE._replace(**HOSTILE)], 1, "M1", NOW, LETTERS).plain)
