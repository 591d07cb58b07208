"""The files themselves: read whole, written by rename, and what stood in them before kept in relay's home.

A write that fails puts back what the ones before it changed. Nothing is written where a file is no longer
what the plan was made from.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from itertools import takewhile

from relay_tui.base.canonical import decode, encode
from relay_tui.base.errors import RelayError
from relay_tui.base.filesystem import open_plain, replace_file
from relay_tui.base.text import shell_word
from relay_tui.wiring.plan import FilePlan, Kept, digest_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

FOLDER = "setup"  # in the home
_SHORT = 16  # hexadecimal digits
_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


class Keeper:
    """What stood in the files below one root, a project's or the person's home, before relay wrote to them."""

    def __init__(self, home: str, root: str) -> None:
        self.root = os.path.realpath(root)
        self._folder = os.path.join(home, FOLDER, digest_of(self.root)[:_SHORT])

    def find(self, path: str) -> Kept | None:
        try:
            with open(self._place(path), encoding="utf-8", newline="") as file:
                said = decode(file.read())
        except (OSError, ValueError):
            return None
        if not isinstance(said, dict) or not said.keys() >= set(Kept._fields):
            return None
        return Kept(*(said[field] for field in Kept._fields))

    def keep(self, path: str, kept: Kept) -> None:
        place = self._place(path)
        with _storing(place):
            for folder in (os.path.dirname(self._folder), self._folder):
                os.makedirs(folder, 0o700, exist_ok=True)
            replace_file(place, encode({"path": path, **kept._asdict()}).encode(), 0o600)

    def forget(self, path: str) -> None:
        place = self._place(path)
        with _storing(place):
            if os.path.exists(place):
                os.unlink(place)

    def _place(self, path: str) -> str:
        return os.path.join(self._folder, f"{digest_of(path)[:_SHORT]}.json")


def real_path(root: str, name: str) -> str:
    """The file below `root`, through links. Raises `outside_tree` where they lead out of it, or to git's own."""
    top = os.path.realpath(root)
    path = os.path.realpath(os.path.join(top, name))
    if not path.startswith(os.path.join(top, "")):
        raise RelayError(
            "outside_tree", f"{name} is a link that leads to {path}.",
            "Make it a file of its own; nothing was written.",
        )  # fmt: skip
    if ".git" in os.path.relpath(path, top).lower().split(os.sep):
        raise RelayError(
            "outside_tree", f"{name} is a link that leads to {path}, which is git's own.",
            "Make it a file of its own; nothing was written.",
        )  # fmt: skip
    return path


def read_text(path: str) -> str | None:
    """The text of a file with its line ends as they are, None where there is none. Raises `invalid`, `storage`."""
    try:
        with _storing(path):
            content = _read(path)
        return None if content is None else content.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise RelayError(
            "invalid", f"{path} is not UTF-8 (byte {fault.start + 1}).", "Convert it; nothing was written."
        ) from None


def speaks_of_relay(path: str) -> bool:
    """Whether a file that cannot be understood may hold a part of relay's."""
    try:
        return b"relay" in (_read(path) or b"")
    except OSError:
        return False


def _read(path: str) -> bytes | None:
    try:
        with open_plain(path) as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None


def check(plans: Sequence[FilePlan]) -> None:
    """Whether what was planned can be written. Raises `storage` for a file in a folder's place, and `refused`
    for a file that its owner protected."""
    for plan in plans:
        above = next(folder for folder in _folders_above(plan.path) if os.path.lexists(folder))
        if not os.path.isdir(above):
            raise RelayError("storage", f"{above} is no folder.", "Move it away; nothing was written.")
        if plan.before is not None and not os.stat(plan.path).st_mode & _WRITABLE:
            raise RelayError(
                "refused", f"{plan.name} is protected against writing.",
                f"Run: chmod u+w {shell_word(plan.path)}",
            )  # fmt: skip


def put(plans: Sequence[FilePlan], keeper: Keeper) -> None:
    """Write what was planned, keeping first what stood there. Raises `edit_conflict`, `storage`."""

    def keep(plan: FilePlan) -> None:
        earlier = keeper.find(plan.path)
        folders = _missing_folders(plan.path) or (earlier.folders if earlier else [])
        keeper.keep(plan.path, Kept(plan.origin, digest_of(plan.after or ""), folders))

    _write_all(plans, keep)


def take(plans: Sequence[FilePlan], keeper: Keeper) -> None:
    """Write what was planned, remove the folders that were made for it, and forget what was kept."""
    _write_all(plans, lambda plan: None)
    made: set[str] = set()
    for plan in plans:
        kept = keeper.find(plan.path)
        if plan.after is None:
            made.update(kept.folders if kept else _folders_below(keeper.root, plan.path))
        keeper.forget(plan.path)
    _remove_empty(sorted(made, key=len, reverse=True))  # what is inside of another is longer


def _write_all(plans: Sequence[FilePlan], prepare: Callable[[FilePlan], None]) -> None:
    for plan in plans:
        if read_text(plan.path) != plan.before:
            raise RelayError("edit_conflict", f"{plan.name} was changed meanwhile.", "Run it again.")
    written: list[tuple[FilePlan, list[str]]] = []
    try:
        for plan in plans:
            prepare(plan)
            written.append((plan, _missing_folders(plan.path)))
            _write(plan.path, plan.after)
    except BaseException as fault:
        stay = [plan.name for plan, folders in reversed(written) if not _put_back(plan, folders)]
        if stay and isinstance(fault, Exception):
            message = f"{fault} {', '.join(stay)} could not be put back."
            raise RelayError("storage", message, "Run: relay setup --undo") from fault
        raise


def _put_back(plan: FilePlan, folders: Sequence[str]) -> bool:
    try:
        if read_text(plan.path) != plan.before:
            _write(plan.path, plan.before)
        _remove_empty(folders)
    except RelayError:
        return False
    return True


def _write(path: str, text: str | None) -> None:
    with _storing(path):
        if text is None:
            os.unlink(path)
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            replace_file(path, text.encode())


def _missing_folders(path: str) -> list[str]:
    """The folders that must be made for a file, the deepest first."""
    return list(takewhile(lambda folder: not os.path.isdir(folder), _folders_above(path)))


def _folders_below(root: str, path: str) -> list[str]:
    """The folders between a root and a file in it, the deepest first."""
    return list(takewhile(lambda folder: folder.startswith(os.path.join(root, "")), _folders_above(path)))


def _folders_above(path: str) -> Iterator[str]:
    """Up to the top, which is always there."""
    while (above := os.path.dirname(path)) != path:
        yield above
        path = above


def _remove_empty(folders: Sequence[str]) -> None:
    for folder in folders:
        with _storing(folder):
            if os.path.isdir(folder) and not os.listdir(folder):
                os.rmdir(folder)


@contextmanager
def _storing(path: str) -> Iterator[None]:
    """Raises `storage` for what the system refuses."""
    try:
        yield
    except OSError as fault:
        message = f"{path} cannot be read or written ({fault.strerror})."
        raise RelayError("storage", message, "Check it and its folder.") from fault
