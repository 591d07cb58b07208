"""The only writer of standard output and standard error: JSON documents, text for people, errors."""

from __future__ import annotations

import os
import sys

from relay_tui.actions.call import DRY_RUN
from relay_tui.base.canonical import encode
from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert, inert_block
from relay_tui.base.times import iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, TextIO

SCHEMA = 1
# Members that hold moments without ending in `_at`.
_MOMENTS = frozenset(("at", "since", "last_seen", "holder_last_seen"))


class ReaderGoneError(Exception):
    """Standard output is closed: whoever asked does not want the rest."""


def write_result(command: str, result: Any, *, json: bool, now: int, dry_run: bool = False) -> None:
    """One document, or text, flushed; a result that is an iterator is printed one line at a time."""
    remarks = [DRY_RUN] if dry_run else []
    if hasattr(result, "__next__"):
        _write_stream(command, result, json=json, now=now)
    elif json:
        warnings = [*getattr(result, "doubts", ()), *remarks]
        _write(encode({"schema": SCHEMA, "command": command, "data": to_json(result), "warnings": warnings}))
    elif text := _text(command, result, now, remarks):  # a guard may have nothing to say
        _write(text)


def write_error(fault: RelayError, *, json: bool) -> None:
    """What happened and what to do next, on standard error; standard output stays empty."""
    if json:
        body = {
            "code": fault.code, "message": fault.message, "hint": fault.hint, "details": to_json(fault.details),
        }  # fmt: skip
        _tell(encode({"schema": SCHEMA, "error": body}))
    else:
        _tell(f"relay: {fault.told}")


def write_remark(sentence: str) -> None:
    """What takes a while, on standard error, before there is an answer."""
    _tell(f"relay: {inert(sentence)}")


def write_answer(document: dict[str, Any] | None, told: str) -> None:
    """What a client's hook answers; a client that has gone does not read it, and nothing follows from that.

    Raises `storage` where it cannot be written.
    """
    if told:
        _tell(told)
    if document is not None:
        try:
            _write(encode(document))
        except ReaderGoneError:
            discard_output()


def cannot_answer(what: str, fault: OSError) -> RelayError:
    """`storage`, for what nobody can be told; what could not be written is dropped."""
    discard_output()
    return RelayError("storage", f"{what} could not be written ({fault.strerror}).", "Free disk space.")


def discard_output() -> None:
    """Nobody reads any more."""
    _discard(sys.stdout)


def _discard(stream: TextIO) -> None:
    """So that Python's own last flush has nothing to complain about."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def watchable_output() -> int | None:
    """The descriptor of standard output where it is a pipe or, as Node gives its children, a socket: both have a
    reader who may go away."""
    import stat

    if sys.stdout is None:
        return None
    file = sys.stdout.fileno()
    mode = os.fstat(file).st_mode
    return file if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) else None


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


def _text(command: str, result: Any, now: int, remarks: Sequence[str] = ()) -> str:
    """What people read, inert on a terminal also where it is for programs."""
    from relay_tui.cli.texts import answer_lines

    text = "\n".join([*answer_lines(command, result, now), *remarks])
    return inert_block(text) if sys.stdout is not None and sys.stdout.isatty() else text


def _write_stream(command: str, lines: Iterator[Any], *, json: bool, now: int) -> None:
    """Bytes are written as they are. Raises `storage` where nobody can be told: what is told is recorded as told."""
    if sys.stdout is None:
        raise RelayError("storage", "Standard output is closed.", "Leave it open, or send it to /dev/null.")
    for line in lines:
        if isinstance(line, bytes):
            _write_bytes(line, "What was asked for")
        elif json:
            _write(encode(to_json(line)))
        else:
            _write(_text(command, line, now))


def _tell(text: str) -> None:
    """On standard error. Where that cannot be written nobody can be told, and what was done is done all the same."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
    except OSError:
        _discard(sys.stderr)


def _write(text: str) -> None:
    """Bytes, so that a terminal's encoding never turns an answer into an error. Raises what `_write_bytes` raises."""
    _write_bytes(text.encode("utf-8", "backslashreplace") + b"\n")


def _write_bytes(content: bytes, what: str = "It is done, but the answer") -> None:
    """Raises `storage`, and `ReaderGoneError` where nobody reads any more."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise ReaderGoneError from None
    except OSError as fault:
        raise cannot_answer(what, fault) from fault
