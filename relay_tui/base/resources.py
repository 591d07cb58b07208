"""One canonical key for each thing that can be claimed: a path, `machine:NAME` or `branch:NAME`.

Reads the file system to resolve symlinks and to ask whether it is case-blind; knows no database
(DESIGN §6.3, keys).
"""

from __future__ import annotations

import os

from relay_tui.base.errors import RelayError
from relay_tui.base.places import Repository, find_repository
from relay_tui.base.text import clip, inert, is_unicode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

SCOPES = ("project", "machine", "branch")
PATH_CHARACTERS = 4096
_MACHINE_FIRST = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_MACHINE_REST = _MACHINE_FIRST | frozenset("._:-")
_MATCHES_SHOWN = 5


class Resource(NamedTuple):
    """`resource` is what people read and type; `lookup` is the key that two spellings share."""

    scope: str
    resource: str
    lookup: str

    def __str__(self) -> str:
        return spell(self.scope, self.resource)


def spell(scope: str, resource: str) -> str:
    """How a resource is written and shown: a path, `machine:NAME` or `branch:NAME`."""
    return resource if scope == "project" else f"{scope}:{resource}"


def parse_resource(
    typed: str, folder: str, root: str, scope: str | None = None, trees: dict[str, str] | None = None, *,
    follow: bool = True,
) -> Resource:  # fmt: skip
    """The resource that was typed while standing in `folder` of the tree at `root`; both are real paths.

    `trees` remembers between the paths of one line which tree a folder is in. Without `follow` links are
    taken for what they are called, as they were before they were links.
    Raises `invalid` for what cannot be a key, `outside_tree` for a path elsewhere.
    """
    _check_text(typed)
    if scope is None:
        prefix, colon, rest = typed.partition(":")
        if colon and prefix in ("machine", "branch"):
            scope, typed = prefix, rest
    if scope == "machine":
        return _machine(typed)
    if scope == "branch":
        return branch_resource(typed)
    path = _tree_path(typed, folder, root, {} if trees is None else trees, follow)
    return Resource("project", path or ".", _fold(path, root))


def branch_resource(name: str) -> Resource:
    """A branch by its short name or full ref. Raises `invalid` for what git would refuse as a name."""
    short = name.removeprefix("refs/heads/")
    parts = short.split("/")
    bad = any(char in short for char in " ~^:?*[\\\x7f") or any(ord(char) < 32 for char in short)
    bad = bad or ".." in short or "@{" in short or short.endswith(".") or short.startswith("-") or short == "@"
    if bad or any(not part or part.startswith(".") or part.endswith(".lock") for part in parts):
        raise RelayError("invalid", f"'{inert(clip(name, 60))}' cannot be a branch.", "Run: relay branches")
    return Resource("branch", short, f"refs/heads/{short}")


def ancestors(lookup: str) -> list[str]:
    """The keys of every folder above, the whole tree (`""`) included; none for the tree itself."""
    if not lookup:
        return []
    parts = lookup.split("/")
    return ["/".join(parts[:count]) for count in range(len(parts))]


def _check_text(typed: str) -> None:
    if not typed or "\0" in typed:
        raise RelayError("invalid", "A resource needs a name, and no NUL in it.", "Give a path, or machine:NAME.")
    if len(typed) > PATH_CHARACTERS:
        raise RelayError(
            "invalid", f"A path may have at most {PATH_CHARACTERS} characters.", "Claim a folder above it."
        )
    _check_unicode(typed)


def _check_unicode(typed: str) -> None:
    if not is_unicode(typed):
        raise RelayError(
            "invalid", f"'{inert(clip(typed, 60))}' is not valid UTF-8.", "Claim the folder that holds it."
        )


def _machine(name: str) -> Resource:
    if not (0 < len(name) <= 128 and name[0] in _MACHINE_FIRST and _MACHINE_REST.issuperset(name)):
        raise RelayError(
            "invalid",
            f"'{inert(clip(name, 60))}' cannot be a machine resource.",
            "Use 1 to 128 of a-z, 0-9, '.', '_', ':' and '-', beginning with a letter or digit.",
        )
    return Resource("machine", name, name)


def _tree_path(typed: str, folder: str, root: str, trees: dict[str, str], follow: bool) -> str:
    """The path from the top of its tree, `""` for the tree itself, NFC, with links resolved if they are followed."""
    if typed == "**" or typed.endswith("/**"):
        typed = typed[:-2] or "."
    if "*" in typed or "?" in typed:
        raise _glob_refused(typed, folder)
    full = os.path.join(folder, typed)
    full = os.path.realpath(full) if follow else os.path.normpath(full)
    _check_unicode(full)
    inside = full if os.path.isdir(full) else os.path.dirname(full)
    if inside not in trees:
        trees[inside] = _tree_of(inside, root)
    root = trees[inside]
    if full != root and not full.startswith(root.rstrip("/") + "/"):
        raise RelayError(
            "outside_tree",
            f"'{inert(clip(typed, 80))}' is outside {inert(root)}.",
            "Claim a path inside the tree, or a machine:NAME.",
        )
    path = os.path.relpath(full, root)
    return _composed("" if path == "." else path)


def _tree_of(full: str, root: str) -> str:
    """A path may lie in any worktree of the same repository, one inside this tree included: that is its root."""
    ours, theirs = find_repository(root), _repository_above(full)
    same = ours and theirs and theirs.worktree and theirs.common_dir == ours.common_dir
    return theirs.worktree if same and theirs and theirs.worktree else root


def _repository_above(path: str) -> Repository | None:
    while not os.path.isdir(path):
        path = os.path.dirname(path)
    return find_repository(path)


def _composed(path: str) -> str:
    if path.isascii():
        return path
    import unicodedata

    return unicodedata.normalize("NFC", path)


def _fold(path: str, root: str) -> str:
    return path.casefold() if is_case_blind(root) else path


def is_case_blind(root: str) -> bool:
    """Whether this very file system takes two cases for one name: asked by looking, not by platform."""
    probe = os.path.join(root, ".git")
    if not os.path.lexists(probe):
        probe = root
    head, tail = os.path.split(probe)
    other = os.path.join(head, tail.swapcase())
    return tail.swapcase() != tail and os.path.lexists(other) and os.path.samefile(probe, other)


def _glob_refused(typed: str, folder: str) -> RelayError:
    from glob import escape, glob

    literal = escape(typed).replace("[*]", "*").replace("[?]", "?")
    matches = sorted(os.path.relpath(found, folder) for found in glob(os.path.join(escape(folder), literal)))
    shown = ", ".join(map(inert, matches[:_MATCHES_SHOWN]))
    more = f" and {len(matches) - _MATCHES_SHOWN} more" if len(matches) > _MATCHES_SHOWN else ""
    advice = f"It matches {shown}{more}. Name those, or the folder." if matches else "Name a path, or the folder."
    return RelayError(
        "invalid",
        f"'{inert(clip(typed, 80))}' is a pattern; a claim is on one path or a folder.",
        advice,
        {"matches": matches[:100]},
    )
