"""Texts of the actions on git's hooks."""

from __future__ import annotations

from relay_tui.base.text import inert

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.repo.hooks import HookChange

_SAID = {
    "created": "The guard is installed: {path}",
    "updated": "The guard is brought up to date: {path}",
    "chained": "The guard is installed, and the earlier hook runs before it: {path}",
    "kept": "The guard is installed; the earlier hook, which cannot be run, is kept: {path}",
    "removed": "The guard is gone: {path}",
    "restored": "The guard was gone, and the earlier hook is back: {path}",
}


def install(done: HookChange, now: int) -> Iterator[str]:
    yield _SAID.get(done.change, "The guard is installed already: {path}").format(path=inert(done.path))


def uninstall(done: HookChange, now: int) -> Iterator[str]:
    yield _SAID.get(done.change, "No guard of relay's is there: {path}").format(path=inert(done.path))
