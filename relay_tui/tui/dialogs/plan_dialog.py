"""The question before an import: the plan to read, with the keys that would change it. It only asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from relay_tui.tui.dialogs.dialog import Keys, TextDialog
from relay_tui.tui.rows_of.plan import OFFERS, Offer
from relay_tui.tui.widgets.content import Words


class PlanDialog(TextDialog[Mapping[str, str | bool] | None]):
    """Answers with the options to plan anew with, with none to apply the plan, or None where the person left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "apply", "Apply", show=False),
        Binding("n,q", "leave", "Cancel", show=False),
        *(Binding(offer.key, f"plan_with('{offer.key}')", offer.word, show=False) for offer in OFFERS),
    ]

    def __init__(self, title: Words, plan: Sequence[Words], offers: Sequence[Offer]) -> None:
        super().__init__(title, plan)
        self._offers = {offer.key: offer for offer in offers}

    def keys(self) -> Sequence[Keys]:
        offered = [(offer.key, offer.word) for offer in self._offers.values()]
        answers = [("y", "import"), ("n", "cancel"), ("j k", "scroll")]
        return [answers, offered] if offered else [answers]

    def action_apply(self) -> None:
        self.dismiss({})

    def action_plan_with(self, key: str) -> None:
        offer = self._offers.get(key)
        if offer is None:
            self.notify(next(one.refusal for one in OFFERS if one.key == key), markup=False)
        else:
            self.dismiss(dict([offer.option]))
