"""Texts of the actions on plan files."""

from __future__ import annotations

from relay_tui.actions.plan_files.importing import Reimport
from relay_tui.base.text import counted, inert, named_lines
from relay_tui.base.times import local_time
from relay_tui.cli.texts.layout import title_words, value_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.actions.plan_files.exporting import Exported
    from relay_tui.actions.plan_files.following import Followed
    from relay_tui.actions.plan_files.importing import Imported, LastRead


def import_plan(done: Imported | Reimport, now: int) -> Iterator[str]:
    if isinstance(done, Reimport):
        yield f"{local_time(done.at)}  {_told_again(done)}"
        return
    yield _head(done)
    yield from _changes(done)
    if done.marked_lines:
        yield f"  marked     {named_lines(done.marked_lines)}"
    if done.switched and done.last_read:
        yield f"  switched   from {inert(_place(done.last_read))}"
    if done.moved_from:
        yield f"  switched   from {inert(done.moved_from)}, which is this file now"
    for conflict in done.conflicts:
        yield (
            f"  conflict   {conflict.id}  {conflict.field}: file says {value_words(conflict.file)}, "
            f"room says {value_words(conflict.room)} (was {value_words(conflict.base)})"
        )
    for aside in done.left_aside:
        yield f"  left aside {inert(aside.text)}"
    for remark in done.warnings:
        where = f"line {remark.line}: " if remark.line else ""
        yield f"  note       {where}{inert(remark.text)}"


def export(done: Exported, now: int) -> Iterator[str]:
    if done.changed_lines:
        yield f"{inert(done.file)}: wrote {named_lines(done.changed_lines)}."
    elif done.doubts:
        yield f"{inert(done.file)}: nothing was written."
    else:
        yield f"{inert(done.file)} says what the room says; nothing was written."


def follow(done: Followed, now: int) -> Iterator[str]:
    was = "" if done.changed else " already"
    if done.follow:
        yield f"{inert(done.file)} is followed{was}: an open screen imports it after each save."
    else:
        yield f"{inert(done.file)} is not followed{' any more' if done.changed else was}."


def _told_again(done: Reimport) -> str:
    """The one line of a file that is followed."""
    if done.error is not None:
        return f"{inert(done.file)}: not imported. {inert(done.error.message)} {inert(done.error.hint)}"
    return _head(done.import_) if done.import_ else ""


def _head(done: Imported) -> str:
    if _touched(done):
        return f"{inert(done.file)}: {_summary(done)}"
    if done.last_read is None:
        return f"{inert(done.file)}: no heading and no checkbox stands in it."
    return f"{inert(done.file)}: nothing {'would change' if done.dry_run else 'changed'}."


def _changes(done: Imported) -> Iterator[str]:
    for item in done.added:
        yield f"  added      {item.id}  {item.kind}  {title_words(item.title)}"
    for retitle in done.retitled:
        yield f"  retitled   {retitle.id}  {title_words(retitle.old)} → {title_words(retitle.new)}"
    for update in done.updated:
        said = [f"{field} {value_words(old)} → {value_words(new)}" for field, (old, new) in update.changes.items()]
        yield f"  updated    {update.id}  {', '.join(said)}"
    for move in done.moved:
        yield f"  moved      {move.id}  {move.from_ or 'top'} → {move.to or 'top'}"
    for name, ids in (("reordered", done.reordered), ("left file", done.removed)):
        if ids:
            yield f"  {name:<9}  {', '.join(ids)}"


def _place(last: LastRead) -> str:
    return f"{last.worktree}{f' at commit {last.commit[:12]}' if last.commit else ''}"


def _touched(done: Imported) -> bool:
    changes = (done.added, done.updated, done.retitled, done.moved, done.reordered, done.removed, done.conflicts)
    return any(changes)


def _summary(done: Imported) -> str:
    parts = (
        (len(done.added), "added"), (len(done.updated), "updated"), (len(done.retitled), "retitled"),
        (len(done.moved), "moved"), (len(done.reordered), "reordered"), (len(done.removed), "gone from the file"),
        (done.unchanged, "unchanged"),
    )  # fmt: skip
    said = [f"{count:,} {word}" for count, word in parts if count]
    said += [counted(len(done.conflicts), "conflict")] if done.conflicts else []
    return ", ".join(said) + "."
