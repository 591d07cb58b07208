"""Actions on plan files: bringing them into the work tree, following them, and writing them back."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from relay_tui.actions.plan_files.exporting import Exported
    from relay_tui.actions.plan_files.following import Followed
    from relay_tui.actions.plan_files.importing import Imported, Reimport
    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room


def import_plan(
    room: Room,
    me: Actor,
    *,
    file: str,
    prefer: Literal["file", "room"] | None = None,
    mark: bool = False,
    cancel_removed: bool = False,
    switch: bool = False,
    bullets: bool = False,
    tables: bool = False,
    sections: bool = False,
    only: list[str] | None = None,
    skip: list[str] | None = None,
    follow: bool = False,
) -> Imported | Iterator[Reimport]:
    """Bring a Markdown plan in, or bring it up to date. The same file again changes nothing.

    relay work import --file ROADMAP.md --dry-run
    """
    from relay_tui.actions.plan_files.importing import Wishes, import_file

    choices = {
        "bullets": bullets, "tables": tables, "sections": sections, "only": only or [], "skip": skip or [],
    }  # fmt: skip
    wishes = Wishes(choices, prefer, cancel_removed, switch, mark)
    if follow:
        from relay_tui.actions.plan_files.following import follow_file

        return follow_file(room, me, file, wishes)
    return import_file(room, me, file, wishes)


def export(room: Room, me: Actor, *, file: str | None = None, mark: bool = False) -> Exported:
    """Write the room's statuses into the boxes of an imported plan. No other byte is touched.

    relay work export --file ROADMAP.md
    """
    from relay_tui.actions.plan_files.exporting import export_file

    return export_file(room, me, file, mark=mark)


def follow(room: Room, me: Actor, *, file: str, off: bool = False) -> Followed:
    """Let an open screen import a plan again after each save. It is remembered until --off.

    relay work follow --file ROADMAP.md
    """
    from relay_tui.actions.plan_files.following import remember_follow

    return remember_follow(room, me, file, follow=not off)
