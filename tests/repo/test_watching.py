"""Hearing of what git writes: a real watch on a real repository."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator

import pytest

from relay_tui.repo.watching import watch_refs
from tests.repo.git_fixture import add_worktree, commit, git, make_repository

PATIENCE = 30.0  # seconds until a ring that does not come is a failure


@pytest.fixture
def repository(tmp_path) -> str:
    path = make_repository(os.path.realpath(tmp_path / "repo"))
    commit(path, "first", {"a.txt": "a\n"})
    return path


@pytest.fixture
def rung(repository: str) -> Iterator[threading.Event]:
    bell = threading.Event()
    stop = watch_refs(f"{repository}/.git", bell.set)
    yield bell
    stop()


def write_again(path: str) -> None:
    """As git writes: a lock beside the file, renamed onto it."""
    shutil.copy(path, f"{path}.lock")
    os.rename(f"{path}.lock", path)


@pytest.mark.parametrize(
    "words",
    [("commit", "-q", "--allow-empty", "-m", "more"), ("branch", "feat/x"), ("switch", "-q", "-c", "x"),
     ("worktree", "add", "-q", "../wt")],
    ids=lambda words: words[0],
)  # fmt: skip
def test_what_git_does_rings(repository, rung, words):
    git(repository, *words)
    assert rung.wait(PATIENCE)


def test_the_first_worktree_is_followed_and_the_one_after_the_last_too(repository, rung, tmp_path):
    for _ in range(2):
        wt = add_worktree(repository, f"{tmp_path}/wt", None)
        head = f"{repository}/.git/worktrees/wt/HEAD"
        for _ in range(int(PATIENCE * 20)):
            rung.clear()
            write_again(head)
            if rung.wait(0.05):
                break
        assert rung.is_set()
        git(repository, "worktree", "remove", "--force", "--force", wt)
        assert not os.path.exists(f"{repository}/.git/worktrees")


def test_stopped_it_rings_no_more(repository):
    bell = threading.Event()
    watch_refs(f"{repository}/.git", bell.set)()
    git(repository, "branch", "x")
    assert not bell.wait(0.2)
