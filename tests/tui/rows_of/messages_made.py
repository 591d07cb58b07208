"""A message, its receipt and its counts, as tests of rows and details begin with them."""

from __future__ import annotations

from relay_tui.base.times import MINUTE, SECOND
from relay_tui.room.mail import Message
from relay_tui.room.receipts import Receipt, ReceiptCounts, Receipts

NOW = 1_796_029_200 * SECOND
MESSAGE = Message(
    "M1", 7, "codex-3", "direct", "claude-1", ["claude-1"], "Review request", "Please review.\nIt is ready.", None,
    "M1", NOW - 4 * MINUTE, [], NOW - 4 * MINUTE, None, None, None, NOW + MINUTE, None, None, None,
)  # fmt: skip
RECEIPT = Receipt(
    "claude-1", "live", "stored", NOW - 4 * MINUTE, None, None, None, None, None, None, None, None, None, None
)  # fmt: skip
HOSTILE = {"from_": "a\x1b[31m", "summary": "s\u202e[/]", "body": "b\x9b[@click=app.quit]x[/]"}


def receipts(*found: Receipt, **counts: int) -> Receipts:
    told = dict.fromkeys(ReceiptCounts._fields, 0) | {"recipients": len(found), "stored": len(found)} | counts
    return Receipts("M1", "codex-3", "Review request", list(found), ReceiptCounts(**told))


def assert_harmless(text: str) -> None:
    assert not set(text) & set("\x1b\u202e\x9b\x07")
    assert "\\x1b[31m" in text and "\\u202e" in text
