"""The same table as Typer commands: help, completion, and the words for a line that does not parse.

Imported only when the light parser hands a line back. A command here does not run anything: it returns the
`Call` that it read, so that there is one way to perform one.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from relay_tui import __version__
from relay_tui.actions.call import Call, Line, make_call
from relay_tui.actions.signature import Parameter, find_function, read_signature
from relay_tui.actions.spec import describe_parameter
from relay_tui.actions.table import ACTIONS, Action
from relay_tui.base.errors import RelayError

if TYPE_CHECKING:
    from collections.abc import Callable

    from relay_tui.actions.call import Value

# Typer carries a click of its own from 0.21 on and does not name this class; its public subclass does.
UsageError: Any = typer.BadParameter.__bases__[0]

_KINDS: dict[str, Any] = {"str": str, "int": int, "bool": bool, "list": list[str]}
_EVERYWHERE = "Everywhere: --as NAME, --session S, --room NAME|PATH, --json; --dry-run on what writes."
_ABOUT = "The room that one operator and several coding agents share. Without a command: the screen."


def read_line(line: Line) -> Call | int:
    """The call that a line makes, or 0 where help was printed. Raises `usage` in Typer's own words."""
    if line.action is not None:
        app, words, name = one_command(ACTIONS[line.action]), line.rest, f"relay {line.action}"
    else:
        app, words, name = whole_tree(), line.rest, "relay"
    try:
        outcome = typer.main.get_command(app)(words, prog_name=name, standalone_mode=False)
    except UsageError as fault:
        raise _usage_error(fault.format_message(), fault.ctx.command_path if fault.ctx else name) from None
    except typer.Abort:
        raise KeyboardInterrupt from None
    if not isinstance(outcome, tuple):
        return int(outcome or 0)
    return make_call(outcome[0], outcome[1], line.common)


def _usage_error(message: str, command: str) -> RelayError:
    hint = f"Run: {command} --help"
    message = message.replace("\n\t", " ")  # what may be chosen stands on lines of its own
    if "unexpected extra argument" in message:
        hint = f"Put '' around a text with spaces and around '*', which a shell turns into file names. {hint}"
    if "'--scope': 'branch'" in message:
        hint = f"Write branch:NAME instead. {hint}"
    return RelayError("usage", message, hint)


def one_command(action: Action) -> typer.Typer:
    """An app of a single command, for a line whose command is known already."""
    app = _group()
    _add(app, action.name, action)
    return app


def whole_tree() -> typer.Typer:
    """Every command, in groups where a command has two words: for help, completion and unknown words."""
    app = typer.Typer(rich_markup_mode=None, help=_ABOUT, epilog=_EVERYWHERE)
    app.callback()(_root)
    groups: dict[str, typer.Typer] = {}
    for action in ACTIONS.values():
        group, _, name = action.name.rpartition(" ")
        if not group:
            _add(app, name, action)
        elif group not in groups:
            groups[group] = _group_of(group)
            listed = None if group in ACTIONS else f"See: relay {group} --help"
            app.add_typer(groups[group], name=group, short_help=listed)
        if group:
            _add(groups[group], name, action)
    return app


def _group() -> typer.Typer:
    return typer.Typer(rich_markup_mode=None, add_completion=False, epilog=_EVERYWHERE)


def _group_of(name: str) -> typer.Typer:
    about = _about(ACTIONS[name]) if name in ACTIONS else f"Commands: {_commands_below(name)}."
    group = typer.Typer(
        rich_markup_mode=None, epilog=_EVERYWHERE, help=about, invoke_without_command=name in ACTIONS
    )  # fmt: skip
    if name in ACTIONS:
        group.callback()(_reader(ACTIONS[name]))
    return group


def _add(app: typer.Typer, name: str, action: Action) -> None:
    app.command(name, help=_about(action), epilog=_EVERYWHERE)(_reader(action))


def _about(action: Action) -> str:
    below = _commands_below(action.name)
    return inspect.cleandoc(find_function(action).__doc__ or "") + (f"\n\nSee also: {below}." if below else "")


def _commands_below(name: str) -> str:
    return ", ".join(f"relay {action}" for action in ACTIONS if action.startswith(f"{name} "))


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"relay {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """The options that stand before any command."""


def _reader(action: Action) -> Callable[..., tuple[str, dict[str, Value]]]:
    """A function with the action's words and options as Typer wants them, returning what was said."""
    signature = read_signature(action)
    parameters = [*signature.parameters, *(one for one in signature.options if one.name == "id_option")]

    def read(**said: Any) -> tuple[str, dict[str, Value]]:
        by_option = said.pop("id_option", None) or []
        for word in signature.words:
            if word.kind == "list":
                said[word.name] = [*(said[word.name] or []), *(by_option if word.is_id else [])]
            elif word.is_id and by_option:
                if said[word.name] is not None or len(by_option) > 1:
                    raise UsageError("Give one ID, as a word or with --id.")
                said[word.name] = by_option[0]
            if word.required and said[word.name] in (None, []):
                raise UsageError(f"Missing argument '{word.name.upper()}'.")
        return action.name, said

    # Typer reads a function through `inspect`; this one's parameters come from the table.
    shown = [_shown(action, one) for one in parameters]
    read.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    read.__annotations__ = {one.name: one.annotation for one in shown}
    return read


def _shown(action: Action, one: Parameter) -> inspect.Parameter:
    info: Any
    if one.is_word:
        info = typer.Argument(help=describe_parameter(action, one), metavar=one.name.rstrip("_").upper())
    else:
        info = typer.Option(one.option, help=describe_parameter(action, one), show_default=one.kind == "int")
    optional = not one.required or one.is_id
    kind: Any = Literal[one.choices] if one.choices else _KINDS[one.kind]
    if optional and one.kind != "bool":
        kind = kind | None
    default: Any = inspect.Parameter.empty
    if optional:
        default = False if one.kind == "bool" else one.default
    return inspect.Parameter(
        one.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info]
    )
