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
    """Add a hook that stops a commit of what somebody else holds. A hook that was there still runs.

    relay hooks install
    """
    from relay_tui.repo import hook_places, hooks

    top, common, folder = _places(room)
    hook_places.refuse_shared(top, folder, common)
    done = hooks.install(folder, own_program(), advise=advise, dry_run=room.store.dry_run)
    return done._replace(doubts=hook_places.read_notes(top, folder, common))


def uninstall(room: Room) -> HookChange:
    """Take the hook away, and put back what was there before.

    relay hooks uninstall
    """
    from relay_tui.repo import hooks

    return hooks.uninstall(_places(room)[2], dry_run=room.store.dry_run)


def own_program() -> str:
    """The `relay` that was installed beside the Python that runs this."""
    return os.path.join(os.path.dirname(sys.executable), "relay")


def _places(room: Room) -> tuple[str, str, str]:
    """The folder that git runs hooks in, the repository, and the folder of its hooks."""
    from relay_tui.repo.hook_places import hooks_folder

    if room.place is None:
        raise RelayError("no_file", f"{room.folder} is not in a git repository.", "Change into one.")
    top, common = room.place.worktree or room.folder, room.place.common_dir
    return top, common, hooks_folder(top, common)
