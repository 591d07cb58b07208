"""The keys that mean the same on every screen (DESIGN §8), each with the id by which a person can remap it."""

from __future__ import annotations

from textual.binding import Binding, BindingType

# One letter, one verb.
VERBS = (
    ("a", "accept", "Accept, or acknowledge"),
    ("d", "decline", "Decline"),
    ("c", "claim", "Claim"),
    ("x", "release", "Release"),
    ("X", "force", "Release by force"),
    ("t", "transfer", "Hand over"),
    ("m", "message", "Message the agent of this row"),
    ("R", "reply", "Reply"),
    ("n", "new", "New"),
    ("e", "edit", "Edit"),
    ("s", "status", "Set status"),
)
LETTER_OF = {verb: letter for letter, verb, _ in VERBS}

VERB_KEYS: list[BindingType] = [
    Binding(letter, f"verb('{verb}')", words, show=False, id=f"act.{verb}") for letter, verb, words in VERBS
]
SCREEN_KEYS: list[BindingType] = [
    Binding("J", "scroll_detail(1)", "Scroll the detail down", show=False, id="detail.scroll_down"),
    Binding("K", "scroll_detail(-1)", "Scroll the detail up", show=False, id="detail.scroll_up"),
    Binding("w", "next_waiting", "Next thing that waits for you", show=False, id="app.next"),
    Binding("slash", "filter", "Filter; ! negates, state:stale looks in one column", show=False, id="bar.filter"),
    Binding("colon", "command", "Any relay command, completed with tab", show=False, id="bar.command"),
    Binding("left_square_bracket", "view(-1)", "Previous view", show=False, id="view.previous"),
    Binding("right_square_bracket", "view(1)", "Next view", show=False, id="view.next"),
    Binding("f", "view(1)", "Next view", show=False, id="view.cycle"),
    Binding("y", "copy_id", "Copy the id", show=False, id="copy.id"),
    Binding("Y", "copy_line", "Copy the line that settles this row", show=False, id="copy.line"),
    Binding("r", "reread", "Read again", show=False, id="screen.reread"),
    Binding("question_mark", "keys", "Keys of this screen", show=False, id="screen.keys"),
    Binding("escape", "back_out", "Back one step", show=False, id="screen.back"),
]
# What the line of keys says on every screen, after the screen's own.
ALWAYS_SHOWN = {"bar.filter": "filter", "bar.command": "command", "screen.keys": "keys", "app.quit": "quit"}
# What it says while the bar is open, by the bar's prompt.
BAR_KEYS = {
    ":": (("enter", "run"), ("tab", "complete"), ("↑", "earlier lines"), ("esc", "cancel")),
    "/": (("enter", "keep"), ("esc", "cancel")),
}
