"""An item's fields as a form fills them in, and what was changed in it as the values of `work set`. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert

if TYPE_CHECKING:
    from relay_tui.room.work import Item
    from relay_tui.tui.dialogs.form import Value

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


def refuse_overwriting(before: Item, now: Item, changes: Mapping[str, Value]) -> None:
    """Raises `edit_conflict` where a field that these changes set was changed by somebody else since `before`."""
    seen, there = values_in(before), values_in(now)
    wanted = {name: changes.get(name) for name in _names_in(changes)}
    taken = [name for name, value in wanted.items() if there[name] not in (seen[name], value)]
    if taken:
        both = "; ".join(f"{_label(name)} is {_said_as(there[name])} now, not {_said_as(seen[name])}" for name in taken)
        raise RelayError(
            "edit_conflict",
            f"Somebody has changed {now.id} meanwhile: {both}.",
            "ctrl+s again writes what stands here, esc keeps what is there.",
        )


def _said_as(value: Value) -> str:
    words = ", ".join(value) if isinstance(value, list) else str(value or "")
    return f"'{inert(words)}'" if words else "empty"


def way_back_of(item: Item, changes: Mapping[str, Value]) -> dict[str, Value]:
    """The values of `work set` that make the item what it was before these changes."""
    before = values_in(item) | {"kind": item.kind}
    return _said({name: before[name] for name in _names_in(changes)})


def way_back_of_line(item: Item, said: Mapping[str, Value]) -> dict[str, Value] | None:
    """The same for the values of a `work set` that was typed; None where it says what is not the item's own, or no
    field at all."""
    changes = {name: value for name, value in said.items() if name != "id"}
    return way_back_of(item, changes) if {*EDITED, "kind"}.issuperset(_names_in(changes)) else None


def _names_in(changes: Mapping[str, Value]) -> list[str]:
    """The fields that changes set or unset."""
    unset = changes.get("unset")
    emptied: Iterable[str] = unset if isinstance(unset, list) else ()
    return [*(name for name in changes if name != "unset"), *(label.replace("-", "_") for label in emptied)]


def way_back_of_conflict(item: Item, field: str) -> tuple[str, dict[str, Value]] | None:
    """The action, and its values, that give an item its own value of a field back; None for a note, which only
    a file says."""
    name = "label" if field == "labels" else field
    if name in EDITED:
        return "work set", way_back_of(item, {name: None})
    if name == "parent":
        return "work move", {"parent": item.parent} if item.parent else {"root": True}
    return ("work set", {"kind": item.kind}) if name == "kind" else None


def _said(values: Mapping[str, Value]) -> dict[str, Value]:
    """Values to set, with the fields that have none unset."""
    said: dict[str, Value] = {name: value for name, value in values.items() if value not in (None, [])}
    emptied = [_label(name) for name in values if name not in said]
    return said | {"unset": emptied} if emptied else said


def _label(name: str) -> str:
    return name.replace("_", "-")
