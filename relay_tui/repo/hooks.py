"""Where git looks for hooks in this repository, and relay's pre-commit hook as a text.

The hook is a file of relay's own: no git command writes it, and an earlier hook is kept and run first.
"""

from __future__ import annotations

import os

from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert
from relay_tui.repo.runner import DEADLINE, GitError, decode, run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

HOOK = "pre-commit"
EARLIER = "pre-commit.before-relay"  # where an earlier hook is kept
MARK = "# relay: pre-commit guard"

_SCRIPT = """\
#!/bin/sh
{mark}. `relay hooks uninstall` removes it.
earlier=$(dirname "$0")/{earlier}
if [ -x "$earlier" ]; then "$earlier" "$@" || exit $?; fi
relay={relay}
if ! [ -x "$relay" ] && ! relay=$(command -v relay); then
  echo "relay: not found, so nobody looked whether others hold these files; the commit goes on." >&2
  exit 0
fi
[ -t 2 ] && export RELAY_OPERATOR=1 # a person types; git gives its hooks no other sign of it
git diff --cached --name-only --no-renames --no-relative --no-ext-diff -z | "$relay" guard --stdin0{advise} >&2
case $? in
  0) exit 0 ;;
  5) echo "relay: the commit was stopped, because others hold what it changes. git commit --no-verify passes." >&2
     exit 1 ;;
  *) echo "relay: could not look whether others hold these files; the commit goes on." >&2
     exit 0 ;;
esac
"""


class HookChange(NamedTuple):
    """What was done with the hook at `path`: `created`, `updated`, `removed`, `chained` or `none`."""

    path: str
    change: str


def hooks_folder(folder: str, common_dir: str, deadline: float = DEADLINE) -> str:
    """`core.hooksPath` where it is set, else the repository's own `hooks`."""
    try:
        said = decode(run(folder, "config", "--null", "--type=path", "--get", "core.hooksPath", deadline=deadline))
    except GitError as failure:
        if failure.status != 1:  # 1 is "not set"
            raise
        return os.path.join(common_dir, "hooks")
    return os.path.join(folder, said.rstrip("\0"))


def install(folder: str, relay: str, *, advise: bool, dry_run: bool) -> HookChange:
    """Put the hook into a hooks folder, keeping an earlier one beside it. Raises `file_exists`, `storage`."""
    path, earlier = os.path.join(folder, HOOK), os.path.join(folder, EARLIER)
    text = _SCRIPT.format(mark=MARK, earlier=EARLIER, relay=_quoted(relay), advise=" --advise" if advise else "")
    before = _read(path)
    if before == text:
        return HookChange(path, "none")
    chain = os.path.lexists(path) and MARK not in (before or "")
    if chain and os.path.lexists(earlier):
        raise RelayError("file_exists", f"{inert(earlier)} is there already.", "Move it away, then install again.")
    if not dry_run:
        _write(path, earlier if chain else None, text)
    return HookChange(path, "chained" if chain else "updated" if before is not None else "created")


def uninstall(folder: str, *, dry_run: bool) -> HookChange:
    """Take the hook away and put an earlier one back as it was; nothing where the hook is not relay's."""
    path, earlier = os.path.join(folder, HOOK), os.path.join(folder, EARLIER)
    before = _read(path)
    if before is None or MARK not in before:
        return HookChange(path, "none")
    if not dry_run:
        try:
            if os.path.lexists(earlier):
                os.replace(earlier, path)
            else:
                os.unlink(path)
        except OSError as fault:
            raise _storage(path, fault) from fault
    return HookChange(path, "removed")


def _write(path: str, earlier: str | None, text: str) -> None:
    part = f"{path}.{os.getpid()}.part"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o755), "w") as hook:
            hook.write(text)
        if earlier is not None:
            os.replace(path, earlier)
        os.replace(part, path)
    except OSError as fault:
        raise _storage(path, fault) from fault


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as hook:
            return hook.read()
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise _storage(path, fault) from fault


def _storage(path: str, fault: OSError) -> RelayError:
    return RelayError("storage", f"{inert(path)} cannot be changed ({fault.strerror}).", "Check its folder.")


def _quoted(path: str) -> str:
    return "'" + path.replace("'", "'\\''") + "'"
