"""What a person agrees to when a call is carried out, in one or two words: for the keys and titles of dialogs. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from relay_tui.tui.dialogs.form import Value

# Where the last word of the command does not say it.
_VERBS = {
    "fetch": "save", "followup": "remind", "handoff cancel": "take back", "handoff request": "offer",
    "inbox": "read", "work set": "save",
}  # fmt: skip


def verb_of(action: str, values: Mapping[str, Value]) -> str:
    """`claim`, `offer`, `decline`: the verb of a command with these values."""
    if action == "handoff respond":
        return "decline" if values.get("decline") else "accept"
    if action == "fetch" and values.get("force"):
        return "overwrite"
    return _VERBS.get(action, action.rpartition(" ")[2])
