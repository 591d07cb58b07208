"""Real repositories for tests: made by the real git, with one author, one date and nobody's configuration."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterable, Mapping

import psutil
import pytest

REAL_GIT = shutil.which("git") or "git"
COMMITTED_AT = 1_796_029_200 * 1_000_000

_ISOLATION = {
    "HOME": os.devnull,
    "XDG_CONFIG_HOME": os.devnull,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}
_IDENTITY = {
    f"GIT_{role}_{fact}": value
    for role in ("AUTHOR", "COMMITTER")
    for fact, value in (("NAME", "t"), ("EMAIL", "t@example.com"), ("DATE", "1796029200 +0000"))
}


def isolate_git(monkeypatch: pytest.MonkeyPatch) -> None:
    """What relay's own git sees from here on: no configuration of this machine and no caller's repository."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name, value in _ISOLATION.items():
        monkeypatch.setenv(name, value)


def git(folder: str, *arguments: str, ok: Iterable[int] = (0,), stdin: str = "") -> str:
    """Run the real git in `folder`; any exit status that is not in `ok` fails the test."""
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", **_ISOLATION, **_IDENTITY}
    options = ("-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always")
    command = [REAL_GIT, "-C", folder, *options, *arguments]
    done = subprocess.run(command, env=environment, input=os.fsencode(stdin), capture_output=True, check=False)
    assert done.returncode in ok, os.fsdecode(done.stderr)
    return os.fsdecode(done.stdout)


def make_repository(folder: str, *options: str) -> str:
    """An empty repository on the unborn branch `main`; returns its real path."""
    os.makedirs(folder)
    git(folder, "init", "-q", *options)
    return os.path.realpath(folder)


def write(folder: str, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def commit(folder: str, subject: str, files: Mapping[str, str]) -> str:
    """Write, add and commit the files; returns the commit."""
    write(folder, files)
    git(folder, "add", "--all")
    git(folder, "commit", "-q", "--allow-empty", "-m", subject)
    return git(folder, "rev-parse", "HEAD").strip()


def add_worktree(repository: str, path: str, branch: str | None, *options: str) -> str:
    """Check the branch out at `path`, making it where git lacks it; no branch means detached."""
    if branch is None:
        git(repository, "worktree", "add", "-q", "--detach", *options, path)
    elif git(repository, "for-each-ref", f"refs/heads/{branch}"):
        git(repository, "worktree", "add", "-q", *options, path, branch)
    else:
        git(repository, "worktree", "add", "-q", *options, "-b", branch, path)
    return os.path.realpath(path)


def make_unborn_worktree(repository: str, path: str, branch: str) -> str:
    """What `git worktree add --orphan` makes, for a git older than 2.42 too."""
    real = add_worktree(repository, path, None)
    git(real, "symbolic-ref", "HEAD", f"refs/heads/{branch}")
    return real


def build_odd_repository(folder: str) -> str:
    """`folder/repo` with the worktrees that break listings: gone, locked and away, a newline in the path."""
    repository = make_repository(os.path.join(folder, "repo"))
    commit(repository, "first", {"src/auth.py": "a\n", "README.md": "b\n"})
    for branch in ("feat/quiet", "origin/x", "release/0.4"):
        git(repository, "branch", branch)
    auth = add_worktree(repository, os.path.join(folder, "wt auth"), "feat/auth")
    tree = add_worktree(repository, os.path.join(folder, "wt-tree"), "feat/tree")
    add_worktree(repository, os.path.join(folder, "wt-detached"), None)
    shutil.rmtree(add_worktree(repository, os.path.join(folder, "wt-gone"), "feat/orphan"))
    locked = add_worktree(repository, os.path.join(folder, "wt-locked"), "ünï/日本")
    git(repository, "worktree", "lock", "--reason", "usb disk, 'away'", locked)
    os.rename(locked, locked + ".away")
    add_worktree(repository, os.path.join(folder, "wt\nnewline"), "feat-auth")
    commit(tree, "new file", {"new.py": "more\n"})
    for worktree in (auth, tree):
        write(worktree, {"src/auth.py": "a\nchanged\n"})
    git(repository, "tag", "feat/missing-but-a-tag")
    return repository


def put_git_on_path(monkeypatch: pytest.MonkeyPatch, folder: str, script: str) -> None:
    """From here on `git` is this shell script, which may `exec {git} "$@"`."""
    os.makedirs(folder, exist_ok=True)
    make_script(os.path.join(folder, "git"), script.replace("{git}", REAL_GIT))
    monkeypatch.setenv("PATH", folder + os.pathsep + os.environ["PATH"])


def make_script(path: str, script: str) -> str:
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\n{script}\n")
    os.chmod(path, 0o755)
    return path


def wait_until_dead(pid: int) -> bool:
    """Whether it ends within ten seconds; one that nobody has asked for its end has ended too."""
    ends = time.monotonic() + 10
    while time.monotonic() < ends:
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.01)
    return False
