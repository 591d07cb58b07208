"""What an action's own signature says, read without `inspect`: its words, options and their kinds.

Positional parameters are words, keyword-only ones are options. Types are limited to `str`, `int`, `bool`,
`list[str]`, `Literal[...]` and `| None` (DESIGN §3.4), so their spelling is enough and nothing is evaluated.
"""

from __future__ import annotations

from relay_tui.base.loading import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NamedTuple

    from relay_tui.actions.table import Action
else:
    from relay_tui.base.record import NamedTuple


class CommonOption(NamedTuple):
    """An option that every line may carry, and the field of `Call` that it fills."""

    field: str
    takes_value: bool


# By their names on the line, without the dashes (CONTRACT, Lines).
COMMON = {
    "as": CommonOption("as_", True),
    "session": CommonOption("session", True),
    "room": CommonOption("room", True),
    "dry-run": CommonOption("dry_run", False),
    "json": CommonOption("json", False),
}

# Parameters that a door hands in: the room, and who acts.
INJECTED = ("room", "me")


class Parameter(NamedTuple):
    """One word or option. `kind` is `str`, `int`, `bool`, `list` or `choice`."""

    name: str
    is_word: bool
    kind: str
    choices: tuple[str, ...]
    required: bool
    default: object

    @property
    def option(self) -> str:
        return "--id" if self.name == "id_option" else "--" + self.name.rstrip("_").replace("_", "-")

    @property
    def takes_value(self) -> bool:
        return self.kind != "bool"

    @property
    def is_id(self) -> bool:
        """Whether `--id` says the same as this word (DESIGN §7)."""
        return self.is_word and self.name in ("id", "ids")


class Signature(NamedTuple):
    """`needs_me` is True where the action cannot run without knowing who acts, None where it does not ask."""

    parameters: tuple[Parameter, ...]
    needs_me: bool | None

    @property
    def words(self) -> list[Parameter]:
        return [one for one in self.parameters if one.is_word]

    @property
    def options(self) -> list[Parameter]:
        options = [one for one in self.parameters if not one.is_word]
        if any(one.is_id for one in self.parameters):
            options.append(Parameter("id_option", False, "list", (), False, None))
        return options


def find_function(action: Action) -> Callable[..., Any]:
    module = import_module(f"relay_tui.actions.{action.job}")
    return getattr(module, action.function)  # type: ignore[no-any-return]


def read_signature(action: Action) -> Signature:
    """The parameters of an action in the order of its function."""
    function = find_function(action)
    code = function.__code__
    positional = code.co_varnames[: code.co_argcount]
    named = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    given = function.__defaults__ or ()
    defaults = dict(zip(positional[len(positional) - len(given) :], given, strict=True))
    defaults.update(function.__kwdefaults__ or {})
    parameters = tuple(
        _parameter(name, function.__annotations__[name], name in positional, name not in defaults, defaults.get(name))
        for name in (*positional, *named)
        if name not in INJECTED
    )
    me = function.__annotations__.get("me")
    return Signature(parameters, None if me is None else "None" not in me)


def _parameter(name: str, annotation: str, is_word: bool, required: bool, default: object) -> Parameter:
    spelled = annotation.replace(" ", "").replace("|None", "")
    if spelled.startswith("Literal["):
        choices = tuple(choice.strip("'\"") for choice in spelled[len("Literal[") : -1].split(","))
        return Parameter(name, is_word, "choice", choices, required, default)
    kind = {"str": "str", "int": "int", "bool": "bool", "list[str]": "list"}[spelled]
    return Parameter(name, is_word, kind, (), required, default)
