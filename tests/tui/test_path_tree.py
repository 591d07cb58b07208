from __future__ import annotations

import os

import pytest

from relay_tui.tui.readings.path_tree import PathTree, next_steps
from tests.repo.git_fixture import commit, isolate_git, make_repository, write

PATHS = sorted([".github/ci.yml", "README.md", "src/auth-old.py", "src/auth/a.py", "src/auth/b.py", "src/cart.py"])


@pytest.mark.parametrize(("typed", "offered"), [
    ("", ["README.md", "src/"]),
    ("s", ["src/"]),
    ("src/a", ["src/auth-old.py", "src/auth/"]),
    ("src/auth/", ["src/auth/a.py", "src/auth/b.py"]),
    ("src/auth/a.py", ["src/auth/a.py"]),
    (".", [".github/"]),
    ("missing", []),
])  # fmt: skip
def test_the_next_step_goes_folder_by_folder(typed: str, offered: list[str]):
    assert list(next_steps(PATHS, typed)) == offered


def test_a_folder_is_stepped_over_however_much_lies_in_it():
    paths = _Counted(sorted([f"a/{place:05}" for place in range(10_000)] + ["b"]))
    assert list(next_steps(paths, "")) == ["a/", "b"]
    assert paths.looked_at < 100


class _Counted(list):
    looked_at = 0

    def __getitem__(self, place):
        self.looked_at += 1
        return super().__getitem__(place)


@pytest.fixture
def repository(tmp_path, monkeypatch) -> str:
    isolate_git(monkeypatch)
    made = make_repository(str(tmp_path / "repo"))
    commit(made, "first", {"src/b.py": "b\n", "src/検索.py": "x\n", ".gitignore": "src/a-built\n"})
    write(made, {"src/a-built": "ignored\n", "src/new.py": "new\n"})
    return made


def test_what_git_has_comes_before_what_it_ignores(repository: str):
    assert PathTree(repository).beginning("src/") == ["src/b.py", "src/new.py", "src/検索.py", "src/a-built"]


def test_a_tracked_file_that_is_not_there_now_is_offered_too(repository: str):
    os.remove(os.path.join(repository, "src", "b.py"))
    assert "src/b.py" in PathTree(repository).beginning("src/")


def test_paths_count_from_the_folder_where_one_stands(repository: str):
    tree = PathTree(os.path.join(repository, "src"))
    assert tree.beginning("b") == ["b.py"]
    assert "../src/" in tree.beginning("../s")


def test_git_is_asked_once(repository: str, monkeypatch):
    tree = PathTree(repository)
    tree.beginning("s")
    monkeypatch.setenv("PATH", repository)
    os.remove(os.path.join(repository, "src", "b.py"))
    assert "src/b.py" in tree.beginning("src/")


def test_outside_of_git_there_is_what_the_disk_has(tmp_path, monkeypatch):
    isolate_git(monkeypatch)
    write(str(tmp_path), {"plans/a.md": "a\n"})
    assert PathTree(str(tmp_path)).beginning("p") == ["plans/"]
