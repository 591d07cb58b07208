"""What a wiring would change: a file's text before and after, and the difference. Pure."""

from __future__ import annotations

import re
from difflib import unified_diff

from relay_tui.base.digest import hex_digest
from relay_tui.base.errors import RelayError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.wiring.clients import FileWiring
else:
    from relay_tui.base.record import NamedTuple

WIRED, PARTLY, UNWIRED = "wired", "partly wired", "not wired"
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_RUNS_RELAY = re.compile(r"relay\W+(args\W+)?(hook|mcp)\b")


class FilePlan(NamedTuple):
    """`path` is real and absolute, `name` how a person calls it; None stands for no file. `origin` is what
    `--undo` shall bring back, `note` what a person should know."""

    path: str
    name: str
    before: str | None
    after: str | None
    origin: str | None = None
    note: str = ""

    @property
    def diff(self) -> str:
        """The exact difference as a unified diff; empty where nothing changes."""
        lines = unified_diff(
            _LINE.findall(self.before or ""), _LINE.findall(self.after or ""),
            "/dev/null" if self.before is None else f"a/{self.name}",
            "/dev/null" if self.after is None else f"b/{self.name}",
        )  # fmt: skip
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


class Kept(NamedTuple):
    """What stood in a file before relay wrote to it, the digest of what relay left there, and the folders
    that were made for it."""

    before: str | None
    written: str
    folders: list[str]


def digest_of(text: str) -> str:
    return hex_digest(text.encode())


def plan_putting(wiring: FileWiring, path: str, name: str, before: str | None, kept: Kept | None) -> FilePlan:
    """Raises whatever keeps the file from being written."""
    after = wiring.put_in(before or "", name)
    origin = kept.before if _is_untouched(before, kept) and kept else _without(wiring, name, before)
    return FilePlan(path, name, before, after, origin)


def plan_taking(wiring: FileWiring, path: str, name: str, before: str | None, kept: Kept | None) -> FilePlan:
    """Back to what was kept where nobody changed the file since; else only relay's part is taken out."""
    if kept is not None and _is_untouched(before, kept):
        return FilePlan(path, name, before, kept.before)
    after = _without(wiring, name, before)
    if kept is None and after != before and (after or "").strip() == "{}":
        after = None  # an object of nothing, as relay makes it where there is no file
    return FilePlan(path, name, before, after, note=_note(name, before, after, kept))


def _note(name: str, before: str | None, after: str | None, kept: Kept | None) -> str:
    """Why a file is not brought back to the byte, and what in it still runs relay."""
    notes = []
    if after != before and kept is None:
        notes.append(
            f"relay's home does not know what stood in {name} before, as after a clone or a move, so "
            + ("it was removed: nothing but relay's part was in it." if after is None
               else "only relay's part was taken out.")
        )  # fmt: skip
    elif after != before:
        notes.append(f"{name} was changed since relay wrote to it, so only relay's part was taken out.")
    if after and _RUNS_RELAY.search(after) and name.endswith(".json"):
        notes.append(f"{name} still runs relay in a way that relay did not write; that stays yours.")
    return " ".join(notes)


def state_of(wiring: FileWiring, name: str, text: str | None) -> str:
    """`WIRED`, also by what a person wrote; `PARTLY` where some of it is missing; or `UNWIRED`. Raises for a file
    that cannot be read."""
    if text is None:
        return UNWIRED
    is_ours = wiring.take_out(text, name) != text
    try:
        is_whole = wiring.put_in(text, name) == text
    except RelayError as fault:
        if fault.code != "file_exists":
            raise
        is_whole = False
    return WIRED if is_whole else PARTLY if is_ours else UNWIRED


def _is_untouched(text: str | None, kept: Kept | None) -> bool:
    return text is not None and kept is not None and kept.written == digest_of(text)


def _without(wiring: FileWiring, name: str, text: str | None) -> str | None:
    """The text without relay's part; None where nothing else was in it."""
    if text is None:
        return None
    rest = wiring.take_out(text, name)
    return text if rest == text else rest or None
