"""The files themselves: read whole, written by rename, and what stood in them before kept in relay's home.

A write that fails puts back what the ones before it changed. Nothing is written where a file is no longer
what the plan was made from.
"""

from __future__ import annotations

import os
import stat

from relay_tui.base.canonical import decode, encode
from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert
from relay_tui.wiring.plan import FilePlan, Kept, digest_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FOLDER = "setup"  # in the home
_SHORT = 16  # hexadecimal digits


class Keeper:
    """What stood in the files below one root, a project's or the person's home, before relay wrote to them."""

    def __init__(self, home: str, root: str) -> None:
        self._folder = os.path.join(home, FOLDER, digest_of(os.path.realpath(root))[:_SHORT])

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
        for folder in (os.path.dirname(self._folder), self._folder):
            os.makedirs(folder, 0o700, exist_ok=True)
        _replace(self._place(path), encode({"path": path, **kept._asdict()}), 0o600)

    def forget(self, path: str) -> None:
        if os.path.exists(self._place(path)):
            os.unlink(self._place(path))

    def _place(self, path: str) -> str:
        return os.path.join(self._folder, f"{digest_of(path)[:_SHORT]}.json")


def real_path(root: str, name: str) -> str:
    """The file below `root`, through links. Raises `outside_tree` where they lead out of it."""
    top = os.path.realpath(root)
    path = os.path.realpath(os.path.join(top, name))
    if not path.startswith(os.path.join(top, "")):
        raise RelayError(
            "outside_tree", f"{inert(name)} is a link that leads to {inert(path)}.",
            "Make it a file of its own; nothing was written.",
        )  # fmt: skip
    return path


def read_text(path: str) -> str | None:
    """The text of a file with its line ends as they are, None where there is none. Raises `invalid`, `storage`."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError as fault:
        raise RelayError(
            "invalid", f"{inert(path)} is not UTF-8 (byte {fault.start + 1}).", "Convert it; nothing was written."
        ) from None
    except OSError as fault:
        raise _storage(path, fault) from fault


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
    for plan in plans:
        kept = keeper.find(plan.path)
        _remove_empty(kept.folders if kept and plan.after is None else [])
        keeper.forget(plan.path)


def _write_all(plans: Sequence[FilePlan], prepare: Callable[[FilePlan], None]) -> None:
    for plan in plans:
        if read_text(plan.path) != plan.before:
            raise RelayError("edit_conflict", f"{inert(plan.name)} was changed meanwhile.", "Run it again.")
    written: list[tuple[FilePlan, list[str]]] = []
    try:
        for plan in plans:
            prepare(plan)
            folders = _missing_folders(plan.path)
            _write(plan.path, plan.after)
            written.append((plan, folders))
    except BaseException:
        for plan, folders in reversed(written):
            _write(plan.path, plan.before)
            _remove_empty(folders)
        raise


def _write(path: str, text: str | None) -> None:
    try:
        if text is None:
            os.unlink(path)
            return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        mode = stat.S_IMODE(os.stat(path).st_mode) if os.path.exists(path) else None
        _replace(path, text, mode)
    except OSError as fault:
        raise _storage(path, fault) from fault


def _replace(path: str, text: str, mode: int | None) -> None:
    """Write beside and rename over, so that a reader sees the old text or the new one; `mode` as it was."""
    part = f"{path}.{os.getpid()}.part"
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode or 0o666), "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(part, mode)
        os.replace(part, path)
    except BaseException:
        if os.path.exists(part):
            os.unlink(part)
        raise


def _missing_folders(path: str) -> list[str]:
    """The folders that must be made for a file, the deepest first."""
    missing = []
    folder = os.path.dirname(path)
    while not os.path.isdir(folder) and folder != os.path.dirname(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    return missing


def _remove_empty(folders: Sequence[str]) -> None:
    for folder in folders:
        if os.path.isdir(folder) and not os.listdir(folder):
            os.rmdir(folder)


def _storage(path: str, fault: OSError) -> RelayError:
    return RelayError("storage", f"{inert(path)} cannot be read or written ({fault.strerror}).", "Check its folder.")
