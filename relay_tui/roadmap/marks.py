"""What checkbox characters, emoji and status words mean. Tables and look-ups only."""

from __future__ import annotations

STATUS_OF_MARK = {
    " ": "todo",
    "x": "done",
    "X": "done",
    "/": "in-progress",
    "~": "in-progress",
    "-": "cancelled",
    "!": "blocked",
    "?": "review",
}
MARK_OF_STATUS = {
    "todo": " ",
    "in-progress": "/",
    "blocked": "!",
    "review": "?",
    "done": "x",
    "cancelled": "-",
}

_EMOJI_OF_STATUS = {
    "done": "✅✔☑",
    "in-progress": "🚧",
    "todo": "⏳📋",
    "blocked": "⛔🔒",
    "cancelled": "❌❎🚫",
}
_STATUS_OF_EMOJI = {sign: status for status, signs in _EMOJI_OF_STATUS.items() for sign in signs}
_EMOJI_STYLE = "\ufe0e\ufe0f"

_WORDS_OF_STATUS = {
    "todo": "todo/to do/open/planned/pending/not started/backlog/new/next/later",
    "in-progress": "in progress/wip/doing/started/ongoing/active/working",
    "blocked": "blocked/on hold/waiting/stuck",
    "review": "review/in review/reviewing",
    "done": "done/complete/completed/finished/shipped/closed/released/yes",
    "cancelled": "cancelled/canceled/dropped/abandoned/rejected/wontfix/won't do",
}
_STATUS_OF_WORD = {word: status for status, words in _WORDS_OF_STATUS.items() for word in words.split("/")}


def split_emoji(text: str) -> tuple[str, str | None]:
    """The text without a leading or trailing status emoji, and the status that it meant."""
    status = _STATUS_OF_EMOJI.get(text[:1])
    if status:
        return text[1:].lstrip(_EMOJI_STYLE).strip(), status
    bare = text.rstrip(_EMOJI_STYLE)
    status = _STATUS_OF_EMOJI.get(bare[-1:])
    return (bare[:-1].strip(), status) if status else (text, None)


def status_of_cell(cell: str) -> str | None:
    """The status that a table cell says by box, emoji or words; `None` where it says none."""
    if len(cell) == 3 and cell[0] == "[" and cell[2] == "]":
        return STATUS_OF_MARK.get(cell[1])
    words, status = split_emoji(cell)
    return status or _STATUS_OF_WORD.get(words.strip("*_` .").replace("-", " ").casefold())
