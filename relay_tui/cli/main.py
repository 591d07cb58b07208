"""The command line: a line in, a call performed, an answer out, an exit code.

Lines are read by `actions.call.parse`; what it hands back goes whole to Typer, which is imported only then.
This module is the hot path of every `relay` command, so it imports almost nothing.
"""

from __future__ import annotations

import gc
import os
import sys

from relay_tui.actions.call import TEXTS, Call, Line, make_call, read_call, split_line
from relay_tui.actions.perform import open_room, perform
from relay_tui.base.errors import RelayError, internal_fault
from relay_tui.base.places import find_home
from relay_tui.base.text import is_unicode
from relay_tui.cli.identity import identify_actor
from relay_tui.cli.output import (
    ReaderGoneError,
    cannot_answer,
    discard_output,
    write_answer,
    write_error,
    write_remark,
    write_result,
)
from relay_tui.room.lock import DEADLINE
from relay_tui.room.rooms import Room, no_stdin
from relay_tui.room.store import Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, BinaryIO, NoReturn

    from relay_tui.actions.launch import Launch
    from relay_tui.actions.screen import Stage
    from relay_tui.room.ledger import Actor

INTERRUPTED = 130
LONGEST_WAIT = 1e9  # seconds; the kernel's timers know no infinity
PLACEHOLDER = "…"  # in a line that relay proposes, where a person has something to say
STDIN_BYTES = 1 << 20


def run(argv: Sequence[str], **injected: Callable[..., Any]) -> int:
    """Answer one line; returns its exit code. The door where faults become sentences.

    `injected` is the room's clock and its source of ids, where they are not the system's.
    """
    json = os.environ.get("RELAY_JSON") == "1"
    try:
        line = split_line(argv)
    except RelayError as fault:
        if argv[0] == "hook":
            return _answer_hook(argv, **injected)
        write_error(fault, json=json or "--json" in argv)
        return fault.exit_code
    if line.action == "hook" and "--help" not in line.rest:  # a client must not hear of exit code 2: it would stop
        return _answer_hook(argv, **injected)
    return _answer(line, json=json or bool(line.common.get("json")), **injected)


def _answer(line: Line, *, json: bool, **injected: Callable[..., Any]) -> int:
    try:
        call = _bare_call(line, json=json) or read_call(line) or _ask_typer(line)
        return call if isinstance(call, int) else execute(call._replace(json=json), **injected)
    except RelayError as fault:
        write_error(fault, json=json)
        return fault.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except ReaderGoneError:
        discard_output()
        return 0
    except Exception as fault:  # noqa: BLE001 - the door: a fault is shown and told, never a bare traceback
        return _tell_fault(fault, json=json)


def execute(call: Call, **injected: Callable[..., Any]) -> int:
    """Open the room, perform the call, write the answer."""
    if call.action == "mcp":
        return _serve_mcp(call, **injected)
    stays = call.action == "watch"  # opening the file anew for each fact took as long as making it durable
    store = Store(find_home(os.environ), keep_open=stays, dry_run=call.dry_run, deadline=_deadline())
    try:
        room = _open_room(store, call, **injected)
        me = _who_acts(call, room)
        result = perform(_with_stdin(call), room, me)
        if call.action == "screen" or (call.action == "demo" and "headless" not in call.values):
            return _open_screen(result, dry_run=call.dry_run)
        if call.action == "launch" and not call.dry_run:
            _become_client(result, room)
        _write(call, result, room.clock())
        return int(getattr(result, "exit_code", 0))
    finally:
        store.close()


def _open_room(store: Store, call: Call, **injected: Callable[..., Any]) -> Room:
    """The room of a line; a check of what is wrong runs also where no room can be opened."""
    folder = _folder()
    injected = {"stdin": _stdin, **injected}
    if not call.json:
        injected = {"tell": write_remark, **injected}
    try:
        return open_room(store, folder, _wanted_room(call), **injected)
    except RelayError:
        if call.action != "doctor":
            raise
        return Room(store, None, folder, **injected)


def _answer_hook(argv: Sequence[str], **injected: Callable[..., Any]) -> int:
    from relay_tui.agents.hook_door import answer_hook

    return answer_hook(argv, os.environ, lambda answer: write_answer(answer.document, answer.told), **injected)


def _serve_mcp(call: Call, **injected: Callable[..., Any]) -> int:
    from relay_tui.agents.mcp.door import serve

    return serve(call, os.environ, _folder(), **injected)


def _bare_call(line: Line, *, json: bool) -> Call | None:
    """`relay` alone: the screen on a terminal, else what needs attention. None where there is a command."""
    read_only = line.rest == ["--read-only"]
    if line.action is not None or (line.rest and not read_only) or _is_completing():
        return None
    on_screen = _has_terminal() and not json
    return make_call("screen" if on_screen else "attention", {"read_only": read_only}, line.common)


def _is_completing() -> bool:
    """Whether a shell asks Typer for completions, which it does through the environment."""
    return "_RELAY_COMPLETE" in os.environ or "_RELAY_TUI_COMPLETE" in os.environ


def _write(call: Call, result: object, now: int) -> None:
    """A stream may last for hours, so its ends are quiet ones; nothing else needs them."""
    if not hasattr(result, "__next__"):
        write_result(call.action, result, json=call.json, now=now, dry_run=call.dry_run)
        return
    from relay_tui.cli.stream import quiet_ends

    gc.enable()
    try:
        with quiet_ends():
            write_result(call.action, result, json=call.json, now=now)
    finally:  # where no signal comes any more, so that what it holds open is closed whole
        if hasattr(result, "close"):
            result.close()


def _open_screen(stage: Stage, *, dry_run: bool) -> int:
    try:
        if dry_run:
            raise RelayError("usage", "The screen cannot run dry.", "Leave --dry-run out, or use --read-only.")
        if not _has_terminal():
            raise RelayError("usage", "The screen needs a terminal.", "Run: relay attention")
        return _show_screen(stage)
    finally:
        stage.room.store.close()
        if stage.close is not None:
            stage.close()


def _show_screen(stage: Stage) -> int:
    """The last thing that this process does, so that nothing which it started is waited for."""
    from relay_tui.base.children import end_children
    from relay_tui.tui.app import run_screen

    _leave_on_signals()
    try:
        return run_screen(stage)
    finally:
        end_children()


def _become_client(launch: Launch, room: Room) -> NoReturn:
    from relay_tui.agents.launcher import become_client

    become_client(launch, room, os.environ)


def _leave_on_signals() -> None:
    """A closed window or a `kill` ends the screen as `q` does, so that what it opened is closed."""
    import signal

    def leave(number: int, _frame: object) -> None:
        sys.exit(128 + number)

    for number in (signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, leave)


def _ask_typer(line: Line) -> Call | int:
    from relay_tui.cli.typer_app import read_line

    try:
        return read_line(line)
    except OSError as fault:
        raise cannot_answer("The help", fault) from fault


def _with_stdin(call: Call) -> Call:
    """Put standard input where a text is `-`. Raises `usage` for two of them, `invalid` for bytes that
    are not UTF-8, `too_large` past a megabyte."""
    names = [name for name in TEXTS if call.values.get(name) == "-"]
    if any(call.values.get(name) == PLACEHOLDER for name in TEXTS) and not call.dry_run:
        raise RelayError("usage", f"'{PLACEHOLDER}' stands for your own words.", "Write them in its place.")
    if not names:
        return call
    if len(names) > 1:
        raise RelayError("usage", "Only one text can come from standard input.", "Write the other one out.")
    content = _stdin().read(STDIN_BYTES + 1)
    if len(content) > STDIN_BYTES:
        raise RelayError("too_large", "Standard input has more than 1 MiB.", "Attach it as a file with --attach.")
    try:
        text = content.decode("utf-8").removesuffix("\n")
    except UnicodeDecodeError as fault:
        raise RelayError(
            "invalid", f"Standard input is not UTF-8 (byte {fault.start + 1}).", "Convert it, or attach it."
        ) from None
    return call._replace(values={**call.values, names[0]: text})


def _stdin() -> BinaryIO:
    """Raises `usage` where it is closed."""
    return sys.stdin.buffer if sys.stdin is not None else no_stdin()


def _who_acts(call: Call, room: Room) -> Actor | None:
    """A client that is started is neither the agent nor the person that starts it: the line alone names it."""
    if call.action == "launch":
        return identify_actor(call, room, {}, at_terminal=False)
    return identify_actor(call, room, os.environ, at_terminal=_at_terminal())


def _at_terminal() -> bool:
    """Whether a person types here; a stream that was closed is None."""
    return sys.stdin is not None and sys.stdin.isatty()


def _has_terminal() -> bool:
    """Whether a screen can be shown: keys come from standard input, Textual draws on standard error."""
    return os.environ.get("TERM") != "dumb" and all(
        stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)
    )


def _wanted_room(call: Call) -> str | None:
    """`--room`, else `$RELAY_ROOM`; `init` makes the room that it names."""
    return None if call.action == "init" else call.room or os.environ.get("RELAY_ROOM") or None


def _folder() -> str:
    """Where the line was typed. Raises `no_file` and `invalid`."""
    try:
        folder = os.getcwd()
    except FileNotFoundError:
        raise RelayError("no_file", "The current folder was deleted.", "Change to another folder.") from None
    if not is_unicode(folder):
        raise RelayError("invalid", f"The path {folder} is not valid UTF-8.", "Rename it, or go to another folder.")
    return folder


def _deadline() -> float:
    """Seconds to wait for other writers: `$RELAY_BUSY`, else 15. Raises `usage`."""
    said = os.environ.get("RELAY_BUSY")
    if not said:
        return DEADLINE
    try:
        return min(max(0.0, float(said)), LONGEST_WAIT)
    except ValueError:
        raise RelayError("usage", f"RELAY_BUSY is '{said}'.", "Set it to seconds, such as 5.") from None


def _tell_fault(fault: Exception, *, json: bool) -> int:
    if os.environ.get("RELAY_DEBUG") == "1":
        import traceback

        traceback.print_exception(fault)
    told = internal_fault(fault, "This is a fault of relay's own. RELAY_DEBUG=1 shows where; please report it.")
    write_error(told, json=json)
    return told.exit_code
