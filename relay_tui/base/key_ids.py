"""The ids under which relay.toml may give the screen's keys others, for who checks that file without a screen.

The keys themselves stand where they are bound; a test holds these names to the table of them in the docs.
"""

from __future__ import annotations

_NAMES = {
    "go": "attention agents branches roadmap inbox claims log",
    "app": "log quit next",
    "detail": "scroll_down scroll_up down up half_down half_up top bottom",
    "bar": "filter command",
    "view": "previous next cycle",
    "copy": "id line",
    "screen": "reread keys back",
    "list": "down up half_down half_up page_down page_up first last mark open",
    "tree": "fold unfold",
    "act": "accept decline claim release force transfer message reply new edit status prune revive sibling owner import"
    " export follow source accept_all files remind",
    "mail": "mailbox thread next_page previous_page",
    "item": "down up out in",
}
KEY_IDS = frozenset(f"{group}.{name}" for group, names in _NAMES.items() for name in names.split())
