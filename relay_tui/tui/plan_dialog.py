"""The question before an import: the plan to read, with the keys that would change it. It only asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from relay_tui.tui.content import Words, lines, one_line
from relay_tui.tui.rows_of.plan import OFFERS, Offer
from relay_tui.tui.themes import DIALOGS_STYLESHEET


class PlanDialog(ModalScreen[Mapping[str, str | bool] | None]):
    """Answers with the options to plan anew with, with none to apply the plan, or None where the person left."""

    CSS_PATH = DIALOGS_STYLESHEET
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "apply", "Apply", show=False),
        Binding("n,escape,q", "leave", "Leave", show=False),
        *(Binding(offer.key, f"plan_with('{offer.key}')", offer.word, show=False) for offer in OFFERS),
        Binding("j,down", "scroll(1)", "Down", show=False),
        Binding("k,up", "scroll(-1)", "Up", show=False),
        Binding("ctrl+d,pagedown", "page(0.5)", "Half a page down", show=False),
        Binding("ctrl+u,pageup", "page(-0.5)", "Half a page up", show=False),
        Binding("g,home", "edge(-1)", "Top", show=False),
        Binding("G,end", "edge(1)", "Bottom", show=False),
    ]

    def __init__(self, title: Words, plan: Sequence[Words], offers: Sequence[Offer]) -> None:
        super().__init__(classes="dialog page plan")
        self._title = title
        self._plan = plan
        self._offers = {offer.key: offer for offer in offers}

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(one_line(self._title), classes="title")
            with VerticalScroll(classes="lines", can_focus=False):
                yield Static(lines(self._plan))
            yield Static(self._keys(), classes="keys")

    def _keys(self) -> Content:
        lines = [[("y", "import"), ("n", "leave it"), ("j k", "scroll")]]
        lines += [[(offer.key, offer.word) for offer in self._offers.values()]] if self._offers else []
        return Content("\n").join([Content("    ").join(list(map(_key, line))) for line in lines])

    def action_apply(self) -> None:
        self.dismiss({})

    def action_leave(self) -> None:
        self.dismiss(None)

    def action_plan_with(self, key: str) -> None:
        offer = self._offers.get(key)
        if offer is None:
            self.notify(next(one.refusal for one in OFFERS if one.key == key), markup=False)
        else:
            self.dismiss(dict([offer.option]))

    @property
    def _pane(self) -> VerticalScroll:
        return self.query_one(VerticalScroll)

    def action_scroll(self, step: int) -> None:
        self._pane.scroll_relative(y=step, animate=False)

    def action_page(self, pages: float) -> None:
        self._pane.scroll_relative(y=int(pages * self._pane.size.height), animate=False)

    def action_edge(self, side: int) -> None:
        self._pane.scroll_to(y=0 if side < 0 else self._pane.max_scroll_y, animate=False)


def _key(key: tuple[str, str]) -> Content:
    return Content.assemble((key[0], "$accent"), f"  {key[1]}")
