"""Writes statuses into the boxes of a plan and markers behind its titles, touching no other byte."""

from __future__ import annotations

from collections.abc import Iterable

from relay_tui.base.errors import RelayError
from relay_tui.roadmap.attributes import find_marker
from relay_tui.roadmap.lines import BOM, decode, split_lines
from relay_tui.roadmap.marks import MARK_OF_STATUS, STATUS_OF_MARK
from relay_tui.roadmap.model import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple


class Change(NamedTuple):
    """What to write at one node: a status into its box, a marker behind its title, or neither.

    A marker stands in the place of one that names another item, such as those that came along with a copied file.
    """

    node: Node
    status: str | None = None
    marker: str | None = None


class Exported(NamedTuple):
    """The new bytes and the lines (from 1) that differ."""

    text: bytes
    changed_lines: tuple[int, ...]


class _Edit(NamedTuple):
    line: int
    column: int
    old: str
    new: str


def export(text: bytes, name: str, changes: Iterable[Change]) -> Exported:
    """The bytes of the file with the changes; nodes must come from a reading of these very bytes.

    A box that already means the status stays as it was found, and so does a struck title's: its strike says
    cancelled, whatever the box says. Raises `edit_conflict` where a box is not where the reading saw it.
    """
    source = decode(text, name)
    bom = BOM if source.startswith(BOM) else ""
    lines = split_lines(source.removeprefix(BOM))
    edits = [edit for change in changes for edit in _edits(change, lines)]
    for edit in sorted(edits, reverse=True):
        line = lines[edit.line - 1] if edit.line <= len(lines) else ""
        lines[edit.line - 1 : edit.line] = [_edited(line, edit, name)]
    changed = tuple(sorted({edit.line for edit in edits}))
    return Exported((bom + "".join(lines)).encode(), changed)


def _edits(change: Change, lines: list[str]) -> list[_Edit]:
    node, box, end = change.node, change.node.box, change.node.title_end
    edits = []
    if box and change.status and not node.struck and STATUS_OF_MARK[box.mark] != change.status:
        edits.append(_Edit(box.line, box.column, box.mark, MARK_OF_STATUS[change.status]))
    if end and change.marker and not node.marker:
        edits.append(_Edit(end.line, end.column, "", f" <!-- relay:{change.marker} -->"))
    if end and change.marker and node.marker and node.marker != change.marker:
        edits += _replaced_marker(lines[node.line - 1 : end.line], node.line, node.marker, change.marker)
    return edits


def _replaced_marker(lines: list[str], first: int, old: str, new: str) -> list[_Edit]:
    """The marker of a title that stands on these lines, counted from `first`."""
    found = find_marker("".join(lines))
    if found is None or found[1] != old:
        return []
    before = "".join(lines)[: found.start(1)]
    number = len(split_lines(before)) - 1
    return [_Edit(first + number, len(before) - sum(map(len, lines[:number])), old, new)]


def _edited(line: str, edit: _Edit, name: str) -> str:
    after = edit.column + len(edit.old)
    if line[edit.column : after] != edit.old or len(line) < after:
        raise RelayError(
            "edit_conflict",
            f"Line {edit.line} of {name} changed since it was read, so nothing was written.",
            "Import the file, then export again.",
        )
    return line[: edit.column] + edit.new + line[after:]
