"""An item's fields as a form fills them in, and what was changed in it as the values of `work set`. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from relay_tui.room.work import Item
    from relay_tui.tui.form import Value

# Parameters of `work set`, in the order in which a form has them.
EDITED = ("title", "status", "owner", "branch", "due", "priority", "label", "blocked_by", "artifact")
_FIELD_OF = {"label": "labels", "artifact": "artifacts"}


def values_in(item: Item) -> dict[str, Value]:
    """What the item says now, by the parameters' names."""
    return {name: getattr(item, _FIELD_OF.get(name, name)) for name in EDITED}


def changes_of(item: Item, filled: Mapping[str, Value]) -> dict[str, Value]:
    """What was filled in otherwise than it stood, by the fields' labels; what was emptied is unset."""
    names = {_label(name): name for name in EDITED}
    before = values_in(item)
    return _said({names[label]: value for label, value in filled.items() if value != before[names[label]]})


def way_back_of(item: Item, changes: Mapping[str, Value]) -> dict[str, Value]:
    """The values of `work set` that make the item what it was before these changes."""
    unset = changes.get("unset")
    emptied: Iterable[str] = unset if isinstance(unset, list) else ()
    names = [*(name for name in changes if name != "unset"), *(label.replace("-", "_") for label in emptied)]
    before = values_in(item)
    return _said({name: before[name] for name in names})


def _said(values: Mapping[str, Value]) -> dict[str, Value]:
    """Values to set, with the fields that have none unset."""
    said: dict[str, Value] = {name: value for name, value in values.items() if value not in (None, [])}
    emptied = [_label(name) for name in values if name not in said]
    return said | {"unset": emptied} if emptied else said


def _label(name: str) -> str:
    return name.replace("_", "-")
