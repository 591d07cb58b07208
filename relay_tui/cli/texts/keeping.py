"""Texts of the actions that keep a room and bring it back."""

from __future__ import annotations

from relay_tui.base.text import counted, inert, shell_word
from relay_tui.cli.texts.layout import columns
from relay_tui.room.inspecting import CsvRows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from relay_tui.room.backup import BackedUp
    from relay_tui.room.incoming import ChainedRoom
    from relay_tui.room.inspecting import Rows
    from relay_tui.room.restoring import Restored, RestoredRoom


def backup(done: BackedUp, now: int) -> Iterator[str]:
    checked = f": {counted(done.bytes, 'byte')}, checked." if done.bytes else " can be written."
    yield f"{inert(done.file)}{checked}"
    yield f"{counted(done.events, 'event')}, {counted(done.attachments, 'attachment')}; to keep elsewhere:"
    yield from _heads(done.rooms)


export = backup


def restore(done: Restored, now: int) -> Iterator[str]:
    yield f"Restored into {inert(done.home)}, every hash checked."
    yield f"{counted(done.events, 'event')}, {counted(done.attachments, 'attachment')}:"
    yield from _heads(done.rooms)
    for one in done.rooms:
        if one.was is not None:
            yield f"{inert(one.room)} ({one.id}) is a new room, a copy of {inert(one.was.room)} ({inert(one.was.id)})."
            yield f"It is found by its name; where it belongs, run: relay init --room {shell_word(one.room)}"


def query(found: Rows | CsvRows, now: int) -> Iterator[str]:
    """Columns for people; CSV as it is, for programs."""
    if isinstance(found, CsvRows):
        yield from _csv(found)
    else:
        yield from columns([found.columns, *([_said(cell) for cell in row] for row in found.rows)])
        if found.more:
            yield f"There are more than {counted(len(found.rows), 'row')}: add --limit"


def _csv(found: CsvRows) -> Iterator[str]:
    import csv
    from io import StringIO

    written = StringIO()
    csv.writer(written, lineterminator="\n").writerows([found.columns, *found.rows])
    yield written.getvalue().removesuffix("\n")


def _said(cell: object) -> str:
    return "" if cell is None else str(cell)


def _heads(rooms: Sequence[ChainedRoom | RestoredRoom]) -> Iterator[str]:
    yield from columns([[one.room, f"{one.number}:{one.hash}"] for one in rooms], "  ")
