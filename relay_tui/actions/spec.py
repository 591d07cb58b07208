"""The action that prints the table itself, for programs that build on relay."""

from __future__ import annotations

from relay_tui.actions.signature import Parameter, find_function, read_signature
from relay_tui.actions.table import ACTIONS, MEANINGS, PARAMETERS, Action
from relay_tui.base.errors import EXIT_CODES, EXIT_OF_CODE
from relay_tui.room.permissions import OPERATORS_ACTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class ParameterSpec(NamedTuple):
    name: str
    type: str
    default: object
    help: str


class ActionSpec(NamedTuple):
    name: str
    summary: str
    writes: bool
    scope: str
    screen: str
    key: str
    params: list[ParameterSpec]


class Spec(NamedTuple):
    actions: list[ActionSpec]
    exit_codes: dict[str, str]
    errors: dict[str, int]


def spec(room: Room) -> Spec:
    """Every action with its words and options. Also the exit codes and the error codes.

    relay spec --json
    """
    del room  # the table is the same in every room
    return Spec(
        [describe_action(action) for action in ACTIONS.values()],
        {str(code): meaning for code, meaning in EXIT_CODES.items()},
        dict(EXIT_OF_CODE),
    )


def describe_action(action: Action) -> ActionSpec:
    params = [_describe(action, one) for one in read_signature(action).parameters]
    return ActionSpec(action.name, summarize(action), action.writes, _scope(action), action.screen, action.key, params)


def _scope(action: Action) -> str:
    """`operator` where nobody else may, else `write` or `read`."""
    return "operator" if action.name in OPERATORS_ACTS else "write" if action.writes else "read"


def summarize(action: Action) -> str:
    """The first line of the action's docstring."""
    return (find_function(action).__doc__ or "").strip().split("\n")[0]


def example_of(action: Action) -> str:
    """The line that the action's docstring shows."""
    return (find_function(action).__doc__ or "").strip().split("\n\n")[1].strip()


def describe_parameter(action: Action, parameter: Parameter) -> str:
    """What a word or option means: of this command, else everywhere."""
    name = "id" if parameter.name == "id_option" else parameter.name
    return MEANINGS.get(f"{action.name} {parameter.name}") or PARAMETERS[name]


def _describe(action: Action, one: Parameter) -> ParameterSpec:
    kind = " | ".join(one.choices) if one.choices else {"list": "list[str]"}.get(one.kind, one.kind)
    name = one.name.rstrip("_") if one.is_word else one.option
    return ParameterSpec(name, kind, one.default, describe_parameter(action, one))
