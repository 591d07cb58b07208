"""`?`: the keys of the screen that is shown, made from its bindings, so that the page cannot go stale."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from relay_tui.tui.content import Words, lines, one_line
from relay_tui.tui.themes import DIALOGS_STYLESHEET

if TYPE_CHECKING:
    from collections.abc import Sequence


class Page(ModalScreen[None]):
    """Lines to read, scrolled with j and k, closed with esc."""

    CSS_PATH = DIALOGS_STYLESHEET
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,question_mark", "dismiss", "Close", show=False),
        Binding("j,down", "scroll(1)", "Down", show=False),
        Binding("k,up", "scroll(-1)", "Up", show=False),
        Binding("ctrl+d,pagedown", "page(0.5)", "Half a page down", show=False),
        Binding("ctrl+u,pageup", "page(-0.5)", "Half a page up", show=False),
        Binding("g,home", "edge(-1)", "Top", show=False),
        Binding("G,end", "edge(1)", "Bottom", show=False),
    ]

    def __init__(self, title: Words, text: Sequence[Words]) -> None:
        super().__init__(classes="dialog page")
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(one_line(self._title), classes="title")
            with VerticalScroll(classes="lines", can_focus=False):
                yield Static(lines(self._text))
            yield Static(Content("j k  scroll     esc  back"), classes="keys")

    @property
    def _pane(self) -> VerticalScroll:
        return self.query_one(VerticalScroll)

    def action_scroll(self, step: int) -> None:
        self._pane.scroll_relative(y=step, animate=False)

    def action_page(self, pages: float) -> None:
        self._pane.scroll_relative(y=int(pages * self._pane.size.height), animate=False)

    def action_edge(self, side: int) -> None:
        self._pane.scroll_to(y=0 if side < 0 else self._pane.max_scroll_y, animate=False)


def key_lines(
    bindings: Iterable[Binding], words: Mapping[str, str], display: Callable[[Binding], str]
) -> list[Content]:
    """One line a binding, all its keys together. What this screen's own words name stands first."""
    found: dict[str, tuple[list[str], str]] = {}
    for binding in bindings:
        if binding.id is not None:
            keys, _ = found.setdefault(binding.id, ([], words.get(binding.id, binding.description)))
            keys.append(display(binding))
    ordered = [*(id for id in words if id in found), *(id for id in found if id not in words)]
    width = max((len(" ".join(keys)) for keys, _ in found.values()), default=0)
    return [_key_line(*found[id], width) for id in ordered]


def _key_line(keys: list[str], word: str, width: int) -> Content:
    shown = " ".join(keys)
    return Content.assemble((shown, "$accent"), " " * (width - len(shown) + 3), word)
