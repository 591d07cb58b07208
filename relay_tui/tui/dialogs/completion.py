"""Completion of a command line: which words could stand next, from the table and from what the room knows.

Pure functions of the line and of `Known`, but for paths, which are looked up in the folder.
"""

from __future__ import annotations

from collections.abc import Sequence

from relay_tui.actions.signature import COMMON, Parameter, Signature, read_signature
from relay_tui.actions.table import ACTIONS
from relay_tui.base.shell import split_shell_line
from relay_tui.base.text import shell_word
from relay_tui.tui.readings.known import Known, list_paths

_AGENTS = frozenset(("of", "from_", "holder", "needs", "name", "owner"))
_MESSAGES = frozenset(("id", "ids", "reply_to", "thread"))
_PATHS = frozenset(("file", "attach", "worktree", "artifact", "out"))
_EVERYBODY = ("*", "*all")
_RESOURCES = frozenset(("resources", "over"))
# Options that every line may carry; offered only where somebody begins to type one.
_COMMON = tuple(f"--{name}" for name in COMMON)


def complete_line(line: str, known: Known) -> list[str]:
    """Whole lines that could stand in the bar instead of `line`."""
    before, word = _last_word(line)
    try:
        words = split_shell_line(before)
    except ValueError:
        return []
    return [before + _quoted(one) for one in _next_words(words, word, known)]


def complete_value(parameter: Parameter, typed: str, known: Known) -> list[str]:
    """Values of a single field that begin as typed; the last word of a list is completed."""
    if parameter.kind != "list":
        return _values(parameter, typed, known)
    before, word = _last_word(typed)
    return [before + _quoted(one) for one in _values(parameter, word, known)]


def _last_word(line: str) -> tuple[str, str]:
    before, space, word = line.rpartition(" ")
    return before + space, word


def _next_words(words: Sequence[str], word: str, known: Known) -> list[str]:
    action = _command_in(words)
    if action is None:
        return _commands(words, word)
    signature = read_signature(ACTIONS[action])
    said = words[len(action.split()) :]
    waiting = _option_waiting(signature, said)
    if waiting is not None:
        return _values(waiting, word, known)
    if word.startswith("-"):
        return _options(signature, said, word)
    further = _commands(words, word) if len(words) == len(action.split()) else []
    return [*further, *_word_values(signature, word, known)]


def _command_in(words: Sequence[str]) -> str | None:
    for count in (2, 1):
        if " ".join(words[:count]) in ACTIONS and len(words) >= count:
            return " ".join(words[:count])
    return None


def _commands(words: Sequence[str], word: str) -> list[str]:
    """Next words of commands: `branch` offers `claim`, `release` and `show`."""
    depth = len(words)
    tails = [name.split()[depth:] for name in ACTIONS if name.split()[:depth] == list(words)]
    return list(dict.fromkeys(tail[0] for tail in tails if tail and tail[0].startswith(word)))


def _option_waiting(signature: Signature, said: Sequence[str]) -> Parameter | None:
    """The option whose value stands next."""
    if not said:
        return None
    if said[-1] == "--as":
        return Parameter("name", False, "str", (), False, None)
    return next((one for one in signature.options if one.option == said[-1] and one.takes_value), None)


def _options(signature: Signature, said: Sequence[str], word: str) -> list[str]:
    own = [one.option for one in signature.options if one.kind == "list" or one.option not in said]
    return [option for option in dict.fromkeys((*own, *_COMMON)) if option.startswith(word)]


def _word_values(signature: Signature, word: str, known: Known) -> list[str]:
    return [value for parameter in signature.words for value in _values(parameter, word, known)]


def _values(parameter: Parameter, typed: str, known: Known) -> list[str]:
    if parameter.name == "to" and parameter.required:
        offered: Sequence[str] = known.agents  # a handover goes to one
    else:
        offered = parameter.choices or _names(parameter.name, typed, known)
    return [value for value in dict.fromkeys(offered) if value.startswith(typed)]


def _names(name: str, typed: str, known: Known) -> Sequence[str]:
    if name == "to":
        return (*known.agents, *_EVERYBODY)
    if name in _AGENTS:
        return known.agents
    if name in _MESSAGES:
        return known.messages
    if name == "branch":
        return known.branches
    if name in _RESOURCES:
        return _resources(typed, known)
    return list_paths(known.folder, typed) if name in _PATHS else ()


def _resources(typed: str, known: Known) -> Sequence[str]:
    """Claims, then paths, then how branches and parts of the machine are spelled."""
    spelled = ("branch:", *(f"branch:{name}" for name in known.branches), "machine:", *known.machines)
    if typed.startswith(("branch:", "machine:")):
        return (*known.claims, *spelled)
    paths = known.tree.beginning(typed) if known.tree else list_paths(known.folder, typed)
    return (*known.claims, *paths, *spelled)


def _quoted(word: str) -> str:
    return word if word.startswith("-") else shell_word(word)
