"""One canonical key for each thing that can be claimed: a path, `machine:NAME` or `branch:NAME`.

Reads the file system to resolve symlinks and to ask whether it is case-blind; knows no database
(DESIGN §6.3, keys).
"""

from __future__ import annotations

import os

from relay_tui.base.errors import RelayError
from relay_tui.base.places import HEADS, Repository, find_repository
from relay_tui.base.text import clip, first_of, is_unicode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

SCOPES = ("project", "machine", "branch")
_PREFIXES = ("machine:", "branch:")
PATH_CHARACTERS = 4096
_MACHINE_FIRST = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_MACHINE_REST = _MACHINE_FIRST | frozenset("._:-")
_MATCHES_SHOWN = 5
_MATCHES_SOUGHT = 100
_BRANCH_RULE = (
    "Git takes no space, ~ ^ : ? * [ \\ .. or @{ in a branch, no part that begins with a dot or ends with .lock, and no"
    " '-' at the front; @ and HEAD mean what is checked out."
)
_COMPONENT_BYTES = 250  # a file system's 255 without the `.lock` that git adds


class Resource(NamedTuple):
    """`resource` is what people read and type; `lookup` is the key that two spellings share."""

    scope: str
    resource: str
    lookup: str

    def __str__(self) -> str:
        return spell(self.scope, self.resource)


def spell(scope: str, resource: str) -> str:
    """How a resource is written and shown: a path, `machine:NAME` or `branch:NAME`; a path of such a name as `./…`."""
    if scope != "project":
        return f"{scope}:{resource}"
    return f"./{resource}" if resource.startswith(_PREFIXES) else resource


def parse_resource(
    typed: str, folder: str, root: str, scope: str | None = None, trees: dict[str, str] | None = None, *,
    follow: bool = True,
) -> Resource:  # fmt: skip
    """The resource that was typed while standing in `folder` of the tree at `root`; both are real paths.

    `trees` remembers between the paths of one line which tree a folder is in. Without `follow` a path is a name
    and nothing more, as git has it: no link is followed and no sign makes a pattern of it; one that is not UTF-8
    gets a key that nothing but the folders above it shares.
    Raises `invalid` for what cannot be a key, `outside_tree` for a path elsewhere.
    """
    _check_text(typed)
    if follow:
        _check_unicode(typed)
    if scope is None:
        prefix, colon, rest = typed.partition(":")
        if colon and prefix in ("machine", "branch"):
            scope, typed = prefix, rest
    if scope == "machine":
        return _machine(typed)
    if scope == "branch":
        return branch_resource(typed)
    path = _tree_path(typed, folder, root, {} if trees is None else trees, follow)
    return Resource("project", path or ".", _claimable_key(_fold(path, root)))


def branch_resource(name: str) -> Resource:
    """A branch by its short name or full ref. Raises `invalid` for what git would refuse as a name."""
    short = name.removeprefix(HEADS)
    parts = short.split("/")
    bad = any(char in short for char in " ~^:?*[\\\x7f") or any(ord(char) < 32 for char in short)
    bad = bad or ".." in short or "@{" in short or short.endswith(".") or short.startswith("-")
    bad = bad or short in ("@", "HEAD") or any(len(os.fsencode(part)) > _COMPONENT_BYTES for part in parts)
    if bad or any(not part or part.startswith(".") or part.endswith(".lock") for part in parts):
        raise RelayError("invalid", f"'{clip(name, 60)}' cannot be a branch.", _BRANCH_RULE)
    return Resource("branch", short, HEADS + short)


def short_name(ref: str | None) -> str | None:
    """A branch without `refs/heads/`, as people write it."""
    return None if ref is None else ref.removeprefix(HEADS)


def can_be_branch(name: str) -> bool:
    """Whether git would take the name for a branch, rather than for an option or a revision."""
    try:
        branch_resource(name)
    except RelayError:
        return False
    return True


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


def _check_unicode(typed: str) -> None:
    if not is_unicode(typed):
        raise RelayError("invalid", f"'{clip(typed, 60)}' is not valid UTF-8.", "Claim the folder that holds it.")


def _machine(name: str) -> Resource:
    if not (0 < len(name) <= 128 and name[0] in _MACHINE_FIRST and _MACHINE_REST.issuperset(name)):
        raise RelayError(
            "invalid",
            f"'{clip(name, 60)}' cannot be a machine resource.",
            "Use 1 to 128 of a-z, 0-9, '.', '_', ':' and '-', beginning with a letter or digit.",
        )
    return Resource("machine", name, name)


def _tree_path(typed: str, folder: str, root: str, trees: dict[str, str], follow: bool) -> str:
    """The path from the top of its tree, `""` for the tree itself, NFC, with links resolved if they are followed."""
    full = os.path.join(folder, typed)
    if follow:
        full = os.path.realpath(_without_pattern(full, typed, folder))
        _check_unicode(full)
    else:
        full = os.path.normpath(full)
    inside = full if follow and os.path.isdir(full) else os.path.dirname(full)
    if inside not in trees:
        trees[inside] = _tree_of(inside, root)
    root = trees[inside]
    if not _is_below(full, root):
        raise RelayError(
            "outside_tree",
            f"'{clip(typed, 80)}' is outside {root}.",
            "Give paths inside this repository.",
        )
    path = os.path.relpath(full, root)
    return _composed("" if path == "." else path)


def _tree_of(full: str, root: str) -> str:
    """A path may lie in any worktree of the same repository, one inside this tree included: that is its root."""
    ours, theirs = find_repository(root), _repository_above(full)
    if ours is None or theirs is None or theirs.worktree is None or theirs.common_dir != ours.common_dir:
        return root
    return theirs.worktree if _is_below(full, theirs.worktree) else root  # else a link led there


def _is_below(full: str, root: str) -> bool:
    return full == root or full.startswith(root.rstrip("/") + "/")


def _repository_above(path: str) -> Repository | None:
    while not os.path.isdir(path):
        path = os.path.dirname(path)
    return find_repository(path)


def _without_pattern(full: str, typed: str, folder: str) -> str:
    """The path without the `/**` that says "the folder". Raises `invalid` for a pattern, which no file is called."""
    if ("*" not in typed and "?" not in typed) or os.path.lexists(full):
        return full
    if typed == "**" or typed.endswith("/**"):
        typed, full = typed[:-2] or ".", full[:-2]
    if ("*" in typed or "?" in typed) and not os.path.lexists(full):
        raise _glob_refused(typed, folder)
    return full


def _claimable_key(path: str) -> str:
    """A name that is not UTF-8 stands as NUL, which is in no claim."""
    return path if is_unicode(path) else "".join("\0" if "\ud800" <= char <= "\udfff" else char for char in path)


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
    from glob import escape, iglob
    from itertools import islice

    literal = escape(typed).replace("[*]", "*").replace("[?]", "?")
    some = islice(iglob(os.path.join(escape(folder), literal)), _MATCHES_SOUGHT)
    matches = sorted(os.path.relpath(found, folder) for found in some)
    shown = first_of(matches, _MATCHES_SHOWN) + " at least" * (len(matches) == _MATCHES_SOUGHT)
    advice = f"It matches {shown}. Name those, or the folder." if matches else "Name a path, or the folder."
    return RelayError(
        "invalid",
        f"'{clip(typed, 80)}' is a pattern; a claim is on one path or a folder.",
        advice,
        {"matches": matches},
    )
