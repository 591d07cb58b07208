"""Actions on git's hooks: the pre-commit guard, installed and taken away."""

from __future__ import annotations

import os
import sys

from relay_tui.base.errors import RelayError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relay_tui.repo.hooks import HookChange
    from relay_tui.room.rooms import Room


def install(room: Room, *, advise: bool = False) -> HookChange:
    """Add a pre-commit hook that stops a commit of files that somebody else holds; it chains an earlier one.

    relay hooks install
    """
    from relay_tui.repo import hooks

    relay = os.path.join(os.path.dirname(sys.executable), "relay")
    return hooks.install(_folder(room), relay, advise=advise, dry_run=room.store.dry_run)


def uninstall(room: Room) -> HookChange:
    """Take the pre-commit hook away, and put back what was there before.

    relay hooks uninstall
    """
    from relay_tui.repo import hooks

    return hooks.uninstall(_folder(room), dry_run=room.store.dry_run)


def _folder(room: Room) -> str:
    from relay_tui.repo.hooks import hooks_folder

    if room.place is None:
        raise RelayError("no_file", f"{room.folder} is not in a git repository.", "Change into one.")
    return hooks_folder(room.place.worktree or room.folder, room.place.common_dir)
