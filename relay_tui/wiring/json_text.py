"""Changing JSON text where it stands: a member or element is put in or taken out, every other byte stays.

Pure. Text that is not JSON to the letter (comments, trailing commas, a key twice) is refused, never repaired.
"""

from __future__ import annotations

import json
import re

from relay_tui.base.errors import RelayError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NamedTuple
else:
    from relay_tui.base.record import NamedTuple

_SPACE = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"|[^ \t\n\r,\]}:]+')
_STEP = "  "  # where the text does not show how it is indented


class _NoJsonError(ValueError):
    """What Python would read and JSON does not allow."""


class Part(NamedTuple):
    """A member of an object, or an element of an array, which has no key. `start` is where it begins."""

    key: str | None
    start: int
    value: Node


class Node(NamedTuple):
    """A value from `start` to `end`; `opening` is `{` or `[`, empty for a scalar."""

    start: int
    end: int
    opening: str
    parts: list[Part]


def read_object(text: str, name: str) -> dict[str, Any]:
    """The object that a file holds; an empty file holds an empty one. Raises `invalid`, naming the file."""
    if not text.strip():
        return {}
    refuse_mark(text, name)
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except json.JSONDecodeError as fault:
        raise RelayError(
            "invalid", f"{name} is not JSON (line {fault.lineno}: {fault.msg}).", "Correct it; nothing was written."
        ) from None
    except RecursionError:
        raise RelayError(
            "invalid", f"{name} is nested too deep to be read.", "Correct it; nothing was written."
        ) from None
    except ValueError as fault:
        told = fault if isinstance(fault, _NoJsonError) else "a number in it is too long to be read"
        raise RelayError("invalid", f"{name} cannot be read: {told}.", "Correct it; nothing was written.") from None
    if not isinstance(value, dict):
        raise RelayError("invalid", f"{name} holds no JSON object.", "Correct it; nothing was written.")
    return value


def refuse_mark(text: str, name: str) -> None:
    """Raises `invalid` for a byte order mark, which neither JSON nor TOML allows and no editor shows."""
    if text.startswith("\ufeff"):
        raise RelayError(
            "invalid", f"{name} begins with a byte order mark.", "Save it as UTF-8 without one; nothing was written."
        )


def put_member(text: str, path: Sequence[str], value: object) -> str:
    """The text with `value` as the member at `path`; objects that are missing on the way are made."""
    text = text if text.strip() else "{}\n"
    node = _scan(text, _after_space(text, 0))
    for depth, key in enumerate(path):
        found = next((part.value for part in node.parts if part.key == key), None)
        if found is None:
            for inner in reversed(path[depth + 1 :]):
                value = {inner: value}
            return _insert(text, node, key, value)
        node = found
    return text[: node.start] + _written(value, _line_indent(text, node.start), text) + text[node.end :]


def append_element(text: str, path: Sequence[str], value: object) -> str:
    """The text with `value` at the end of the array at `path`, which is made where it is missing."""
    node = _find(text, path) if text.strip() else None
    if node is None:
        return put_member(text, path, [value])
    return _insert(text, node, None, value)


def drop(text: str, path: Sequence[str | int]) -> str:
    """The text without the member or element at `path`, which is there."""
    container = _find(text, path[:-1])
    assert container is not None
    parts = container.parts
    place = next(number for number, part in enumerate(parts) if path[-1] in (part.key, number))
    start, end = parts[place].start, parts[place].value.end
    if len(parts) == 1:
        rest = text[end : container.end - 1].removeprefix(_newline(text) + _line_indent(text, container.start))
        return text[: container.start + 1] + rest + text[container.end - 1 :]
    if place == len(parts) - 1:
        return text[: parts[place - 1].value.end] + text[end:]
    return text[:start] + text[parts[place + 1].start :]


def _find(text: str, path: Sequence[str | int]) -> Node | None:
    node: Node | None = _scan(text, _after_space(text, 0))
    for step in path:
        assert node is not None
        node = next((part.value for place, part in enumerate(node.parts) if step in (part.key, place)), None)
        if node is None:
            return None
    return node


def _insert(text: str, node: Node, key: str | None, value: object) -> str:
    """A last part as the ones before it are set; in an empty object or array, on a line of its own."""
    label = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
    if node.parts:
        last = node.parts[-1]
        gap = text[len(text[: last.start].rstrip(" \t\n\r")) : last.start] or " "
        indent = gap.rpartition("\n")[2] if "\n" in gap else None
        return text[: last.value.end] + "," + gap + label + _written(value, indent, text) + text[last.value.end :]
    indent = _line_indent(text, node.start)
    inner = indent + _step(text)
    put = _newline(text) + inner + label + _written(value, inner, text) + _newline(text) + indent
    return text[: node.start + 1] + put + text[node.start + 1 :]


def _written(value: object, indent: str | None, text: str) -> str:
    """A value as JSON: on one line where `indent` is None or nothing in it has members, else a line a part."""
    if indent is None or not _is_deep(value):
        return json.dumps(value, ensure_ascii=False)
    inner = indent + _step(text)
    if isinstance(value, dict):
        lines = [f"{json.dumps(key, ensure_ascii=False)}: {_written(one, inner, text)}" for key, one in value.items()]
    else:
        assert isinstance(value, list)
        lines = [_written(one, inner, text) for one in value]
    ends = "{}" if isinstance(value, dict) else "[]"
    newline = _newline(text)
    return f"{ends[0]}{newline}{inner}" + f",{newline}{inner}".join(lines) + f"{newline}{indent}{ends[1]}"


def _is_deep(value: object) -> bool:
    return bool(value) and (isinstance(value, dict) or (isinstance(value, list) and any(map(_is_deep, value))))


def _scan(text: str, at: int) -> Node:
    """The value that begins at `at` in text that is known to be JSON."""
    opening = text[at] if text[at] in "{[" else ""
    if not opening:
        return Node(at, _end_of_scalar(text, at), "", [])
    parts = []
    here = _after_space(text, at + 1)
    while text[here] not in "}]":
        start, key = here, None
        if opening == "{":
            end = _end_of_scalar(text, here)
            key = json.loads(text[here:end])
            here = _after_space(text, _after_space(text, end) + 1)
        value = _scan(text, here)
        parts.append(Part(key, start, value))
        here = _after_space(text, value.end)
        if text[here] == ",":
            here = _after_space(text, here + 1)
    return Node(at, here + 1, opening, parts)


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None
    return found.end()


def _end_of_scalar(text: str, at: int) -> int:
    found = _SCALAR.match(text, at)
    assert found is not None
    return found.end()


def _line_indent(text: str, at: int) -> str:
    line = text[:at].rpartition("\n")[2]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _step(text: str) -> str:
    """What one level is indented by: what stands before the first member."""
    root = _scan(text, _after_space(text, 0))
    line = text[: root.parts[0].start].rpartition("\n")[2] if root.parts else ""
    return line if line and not line.strip(" \t") else _STEP


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _NoJsonError("a key stands in it twice")
    return members


def _refuse_constant(name: str) -> None:
    raise _NoJsonError(f"{name} is no JSON value")
