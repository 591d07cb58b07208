"""A call: an action with its parameters. `argv` writes it as a line, `parse` reads it back (DESIGN §3.4).

`parse` never explains: what it cannot read, or a line that asks for help, it hands back as None, and Typer,
built from the same table, answers whole. A property test holds the two parsers to the same calls.
"""

from __future__ import annotations

from relay_tui.actions.signature import COMMON, Signature, read_signature
from relay_tui.actions.table import ACTIONS, ALIASES
from relay_tui.base.errors import RelayError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple, TypeAlias

    from relay_tui.actions.signature import Parameter

    Value: TypeAlias = str | int | bool | list[str]
else:
    from relay_tui.base.record import NamedTuple

PROGRAM = "relay"
# Parameters whose `-` stands for standard input.
TEXTS = ("message", "summary", "note", "reason", "text", "task", "question", "title", "sql")
# Every command, and the first words of those that have two.
_COMMANDS = frozenset(ACTIONS) | {name.split()[0] for name in ACTIONS}
DRY_RUN = "This was a dry run: nothing of it was kept."


class Call(NamedTuple):
    """`values` holds only what differs from the defaults, by the parameters' Python names."""

    action: str
    values: dict[str, Value]
    as_: str | None = None
    session: str | None = None
    room: str | None = None
    dry_run: bool = False
    json: bool = False

    def argv(self) -> list[str]:
        """The `relay …` line, as the words a shell would pass."""
        signature = read_signature(ACTIONS[self.action])
        words, options = [], []
        for parameter in signature.parameters:
            value = self.values.get(parameter.name)
            if value is None:
                continue
            if parameter.is_word:
                words += value if isinstance(value, list) else [str(value)]
            else:
                options += _written(parameter.option, value)
        for name, common in COMMON.items():
            options += _written(f"--{name}", getattr(self, common.field))
        if any(word.startswith("-") and word != "-" for word in words):
            return [PROGRAM, *self.action.split(), *options, "--", *words]
        return [PROGRAM, *self.action.split(), *words, *options]


class Line(NamedTuple):
    """A line taken apart: its action, the common options by their fields, and the rest, the action's own."""

    action: str | None
    common: dict[str, Value]
    rest: list[str]


def parse(argv: Sequence[str]) -> Call | None:
    """The call that a line (without the program's name) makes; None where Typer must answer."""
    return read_call(split_line(argv))


def read_call(line: Line) -> Call | None:
    """The same of a line that was taken apart."""
    if line.action is None:
        return None
    signature = read_signature(ACTIONS[line.action])
    values = _read_values(signature, line.rest)
    return None if values is None else make_call(line.action, values, line.common)


def make_call(action: str, values: dict[str, Value], common: dict[str, Value]) -> Call:
    """A call without the values that are defaults. An option of the action's own that is named as a common
    one, as in `init --room NAME`, takes its value wherever it stands."""
    parameters = {one.name: one for one in read_signature(ACTIONS[action]).parameters}
    own = {f"{field}_": value for field, value in common.items() if f"{field}_" in parameters}
    said = {**own, **{name: value for name, value in values.items() if value not in (None, [])}}
    kept = {name: said[name] for name, one in parameters.items() if name in said and said[name] != one.default}
    common = {field: value for field, value in common.items() if f"{field}_" not in own}
    return Call(action, kept, **common)  # type: ignore[arg-type]


def split_line(argv: Sequence[str]) -> Line:
    """Find the command's words, and take the common options out of the line wherever they stand.

    A value is never taken for an option: the action's own options are known, and `--` ends them. Where no
    command is found, `action` is None and `rest` is everything else. Raises `usage` for a common option
    without its value, or an empty one, or with one that it does not take.
    """
    common: dict[str, Value] = {}
    rest: list[str] = []
    command = ""
    options: dict[str, Parameter] = {}
    words = list(argv)
    while words:
        word = words.pop(0)
        if word == "--":
            rest += [word, *words]
            break
        name, equals, value = word[2:].partition("=") if word.startswith("--") else ("", "", "")
        if name in options:
            rest.append(word)
            if not equals and options[name].takes_value and words:
                rest.append(words.pop(0))
        elif name in COMMON:
            common[COMMON[name].field] = _common_value(name, equals, value, words)
        elif not rest and (longer := _longer(command, word)) in _COMMANDS:
            command = longer
            options = _options_of(command)
        else:
            rest.append(word)
    if command in ACTIONS:
        return Line(command, common, rest)
    return Line(None, common, [*command.split(), *rest])


def _longer(command: str, word: str) -> str:
    longer = f"{command} {word}" if command else word
    return ALIASES.get(longer, longer)


def _options_of(command: str) -> dict[str, Parameter]:
    """By their names without the dashes; none yet where only the first of two words was said."""
    if command not in ACTIONS:
        return {}
    return {one.option[2:]: one for one in read_signature(ACTIONS[command]).options}


def _common_value(name: str, equals: str, value: str, following: list[str]) -> Value:
    if not COMMON[name].takes_value:
        if equals:
            raise RelayError("usage", f"--{name} takes no value.", f"Write --{name} alone.")
        return True
    value = value if equals or not following else following.pop(0)
    if not value:  # as where a variable is not set: nobody and nowhere must not become somebody and here
        raise RelayError("usage", f"--{name} needs a value.", f"Write --{name} VALUE.")
    return value


def _read_values(signature: Signature, rest: list[str]) -> dict[str, Value] | None:
    options = {one.option: one for one in signature.options}
    values: dict[str, Value] = {}
    words: list[str] = []
    rest = list(rest)
    while rest:
        word = rest.pop(0)
        if word == "--":
            words += rest
            break
        if not word.startswith("-") or word == "-":
            words.append(word)
            continue
        name, equals, value = word.partition("=")
        parameter = options.get(name)
        if parameter is None or not _read_option(values, parameter, value if equals else None, rest):
            return None
    return _with_words(signature, values, words)


def _read_option(values: dict[str, Value], parameter: Parameter, value: str | None, following: list[str]) -> bool:
    """Put one option in, with what stands behind its `=` or follows it; False where that is none of its values."""
    if not parameter.takes_value:
        values[parameter.name] = True
        return value is None
    if value is None:
        if not following:
            return False
        value = following.pop(0)
    return _store(values, parameter, value)


def _store(values: dict[str, Value], parameter: Parameter, text: str) -> bool:
    """Put one option's value in; False where it is not one of the option's."""
    if parameter.kind == "list":
        listed = values.setdefault(parameter.name, [])
        assert isinstance(listed, list)
        listed.append(text)
        return True
    if parameter.kind == "int":
        try:
            values[parameter.name] = int(text)
        except ValueError:
            return False
        return True
    values[parameter.name] = text
    return not parameter.choices or text in parameter.choices


def _with_words(signature: Signature, values: dict[str, Value], words: list[str]) -> dict[str, Value] | None:
    by_option = values.pop("id_option", [])
    assert isinstance(by_option, list)
    for parameter in signature.words:
        if parameter.kind == "list":
            values[parameter.name] = [*words, *(by_option if parameter.is_id else [])]
            words = []
        elif parameter.is_id and by_option:
            if len(by_option) > 1:
                return None
            values[parameter.name] = by_option[0]
        elif words and not _store(values, parameter, words.pop(0)):
            return None
    if words or any(one.required and values.get(one.name) in (None, []) for one in signature.parameters):
        return None
    return values


def _written(option: str, value: Value | None) -> list[str]:
    if value is None or value is False:
        return []
    if value is True:
        return [option]
    written: list[str] = []
    for one in value if isinstance(value, list) else [str(value)]:
        written += [f"{option}={one}"] if one.startswith("-") else [option, one]
    return written
