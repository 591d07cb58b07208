"""The only writer of standard output and standard error: JSON documents, text for people, errors."""

from __future__ import annotations

import os
import sys

from relay_tui.actions.table import ACTIONS
from relay_tui.base.canonical import encode
from relay_tui.base.errors import RelayError
from relay_tui.base.loading import import_module
from relay_tui.base.text import inert, inert_block
from relay_tui.base.times import iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

SCHEMA = 1
DRY_RUN = "This was a dry run: nothing of it was kept."
# Members that hold moments without ending in `_at`.
_MOMENTS = frozenset(("at", "since", "last_seen", "holder_last_seen"))


def write_result(command: str, result: Any, *, json: bool, now: int, dry_run: bool = False) -> None:
    """One document, or text, flushed; a result that is an iterator is printed one line at a time."""
    remarks = [DRY_RUN] if dry_run else []
    if hasattr(result, "__next__"):
        _write_stream(command, result, json=json, now=now)
    elif json:
        warnings = [*doubts_of(result), *remarks]
        _write(encode({"schema": SCHEMA, "command": command, "data": to_json(result), "warnings": warnings}))
    elif lines := [*_text(command, result, now), *remarks]:  # a guard may have nothing to say
        _write("\n".join(lines))


def write_error(fault: RelayError, *, json: bool) -> None:
    """What happened and what to do next, on standard error; standard output stays empty."""
    if json:
        body = {
            "code": fault.code, "message": fault.message, "hint": fault.hint, "details": to_json(fault.details),
        }  # fmt: skip
        sys.stderr.write(encode({"schema": SCHEMA, "error": body}) + "\n")
    else:
        hint = f"\n{inert_block(fault.hint)}" if fault.hint else ""
        sys.stderr.write(f"relay: {inert_block(fault.message)}{hint}\n")
    sys.stderr.flush()


def write_remark(sentence: str) -> None:
    """What takes a while, on standard error, before there is an answer."""
    sys.stderr.write(f"relay: {inert(sentence)}\n")
    sys.stderr.flush()


def write_answer(document: dict[str, Any] | None, told: str) -> None:
    """What a client's hook answers; a client that has gone does not read it, and nothing follows from that.

    Raises `storage` where it cannot be written.
    """
    try:
        if told:
            sys.stderr.write(f"{told}\n")
            sys.stderr.flush()
        if document is not None:
            _write(encode(document))
    except BrokenPipeError:
        discard_output()


def cannot_answer(what: str, fault: OSError) -> RelayError:
    """`storage`, for what nobody can be told; what could not be written is dropped."""
    discard_output()
    return RelayError("storage", f"{what} could not be written ({fault.strerror}).", "Free disk space.")


def discard_output() -> None:
    """Nobody reads any more, so that Python's own last flush has nothing to complain about."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def output_pipe() -> int | None:
    """The descriptor of standard output where it is a pipe, whose reader may go away."""
    import stat

    if sys.stdout is None or not stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode):
        return None
    return sys.stdout.fileno()


def to_json(value: Any, name: str = "") -> Any:
    """Records become objects, moments become ISO 8601; a trailing `_` only kept a name off a keyword."""
    if hasattr(value, "_fields"):
        return _members(value)
    if isinstance(value, dict):
        return {key: to_json(member, key) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(member) for member in value]
    if isinstance(value, int) and not isinstance(value, bool) and (name.endswith("_at") or name in _MOMENTS):
        return iso(value)
    return value


def _members(record: Any) -> dict[str, Any]:
    """Without the doubts, which are warnings; the field that a record spreads gives its own members."""
    spread = getattr(record, "spread", None)
    members: dict[str, Any] = {}
    for field, member in zip(record._fields, record, strict=True):
        if field == spread:
            members |= _members(member)
        elif field != "doubts":
            members[field.rstrip("_")] = to_json(member, field)
    return members


def doubts_of(result: Any) -> list[str]:
    """What could not be determined: the `warnings` of the document, kept in a field `doubts` of the result."""
    return list(getattr(result, "doubts", ()))


def _text(command: str, result: Any, now: int) -> Iterator[str]:
    action = ACTIONS[command]
    module = import_module(f"relay_tui.cli.texts.{action.job}")
    yield from getattr(module, action.function)(result, now)
    for warning in doubts_of(result):
        yield f"note: {inert(warning)}"


def _write_stream(command: str, lines: Iterator[Any], *, json: bool, now: int) -> None:
    """Bytes are written as they are."""
    for line in lines:
        if isinstance(line, bytes):
            _write_bytes(line)
        elif json:
            _write(encode(to_json(line)))
        else:
            _write("\n".join(_text(command, line, now)))


def _write(text: str) -> None:
    """Bytes, so that a terminal's encoding never turns an answer into an error. Raises `storage`."""
    _write_bytes(text.encode("utf-8", "backslashreplace") + b"\n")


def _write_bytes(content: bytes) -> None:
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as fault:
        raise cannot_answer("It is done, but the answer", fault) from fault
