"""Forms from the table: an action's parameters become the fields that a person fills in, and a call again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from relay_tui.actions.signature import Parameter, read_signature
from relay_tui.actions.spec import describe_parameter
from relay_tui.actions.table import ACTIONS, Action
from relay_tui.tui.dialogs.completion import complete_value
from relay_tui.tui.dialogs.form import Field, Kind, Value
from relay_tui.tui.readings.known import Known

if TYPE_CHECKING:
    from relay_tui.actions.call import Value as CallValue

# Parameters with room for several lines.
_LONG = frozenset(("message",))
# What the table says of a parameter on the command line, said for a field instead.
_HELP = {
    "message": "Several lines; ctrl+s sends.",
    "attach": "Files to attach; right completes a path.",
    "resources": "A path, machine:X or branch:X; right completes.",
    "gate": "Refuse while swap, load or free disk are out of bounds.",
}
# What would keep the screen's other acts waiting.
_NOT_HERE = frozenset(("wait",))
# What is held already is nothing to claim.
_OF_WHAT_IS_FREE = frozenset(("claim",))


def fields_of(
    action: str, known: Known, defaults: Mapping[str, Value] | None = None, only: Sequence[str] = ()
) -> list[Field]:
    """The fields of an action, what it needs first; `only` picks and orders them."""
    parameters = {one.name: one for one in read_signature(ACTIONS[action]).parameters if one.name not in _NOT_HERE}
    names = only or sorted(parameters, key=lambda name: not parameters[name].required)
    known = known._replace(claims=()) if action in _OF_WHAT_IS_FREE else known
    return [_field(ACTIONS[action], parameters[name], known, (defaults or {}).get(name)) for name in names]


def values_of(action: str, filled: Mapping[str, Value]) -> dict[str, CallValue]:
    """What was filled in, by the parameters' own names; what was left empty or as it was is not said."""
    parameters = {_label(one): one for one in read_signature(ACTIONS[action]).parameters}
    said = {parameters[label]: value for label, value in filled.items() if value is not None}
    return {one.name: value for one, value in said.items() if value != one.default}


def _field(action: Action, parameter: Parameter, known: Known, default: Value) -> Field:
    kind: Kind = "text" if parameter.name in _LONG else parameter.kind  # type: ignore[assignment]
    shown = parameter.default if default is None else default
    told = _HELP.get(parameter.name) or describe_parameter(action, parameter)
    if parameter.name == "to":
        told = "An agent's name." if parameter.required else _reach(known)
    return Field(
        _label(parameter), kind, parameter.required, shown if isinstance(shown, str | int | list) else None,
        told, parameter.choices, partial(complete_value, parameter, known=known),
    )  # fmt: skip


def _reach(known: Known) -> str:
    return f"A name, * for all live agents ({known.live:,}), or *all for everybody here ({known.here:,})."


def _label(parameter: Parameter) -> str:
    """As it is written on the line, without the dashes."""
    return parameter.name.rstrip("_") if parameter.is_word else parameter.option[2:]
