"""Where things are, asked of git itself and of platformdirs."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs
import pytest

from relay_tui.base.places import Repository, checked_out_branch, find_home, find_repository, read_checkout
from tests.repo.git_fixture import add_worktree, commit, git, make_repository, make_unborn_worktree


@pytest.fixture
def repository(tmp_path: Path) -> str:
    made = make_repository(str(tmp_path / "main tree"))
    commit(made, "first", {"src/deep/a.py": "a\n"})
    return made


def as_git_says(folder: str) -> Repository | None:
    common = git(folder, "rev-parse", "--path-format=absolute", "--git-common-dir", ok=(0, 128)).rstrip("\n")
    if not common:
        return None
    top = git(folder, "rev-parse", "--path-format=absolute", "--show-toplevel", ok=(0, 128)).rstrip("\n")
    return Repository(os.path.realpath(common), top or None)


def test_main_worktree_and_folders_below(repository: str) -> None:
    for folder in (repository, f"{repository}/src/deep"):
        assert find_repository(folder) == as_git_says(folder) == Repository(f"{repository}/.git", repository)


def test_linked_worktrees_share_the_common_dir(repository: str, tmp_path: Path) -> None:
    linked = add_worktree(repository, str(tmp_path / "linked"), "feat/auth")
    nested = add_worktree(repository, f"{repository}/.trees/nested", None)
    unborn = make_unborn_worktree(repository, str(tmp_path / "unborn"), "new")
    for folder in (linked, f"{linked}/src", nested, unborn):
        assert find_repository(folder) == as_git_says(folder)
        assert find_repository(folder).common_dir == f"{repository}/.git"  # type: ignore[union-attr]


def test_through_a_symlink(repository: str, tmp_path: Path) -> None:
    os.symlink(f"{repository}/src", tmp_path / "link")
    assert find_repository(str(tmp_path / "link" / "deep")) == Repository(f"{repository}/.git", repository)


def test_bare_repositories_have_no_worktree(repository: str, tmp_path: Path) -> None:
    bare = str(tmp_path / "bare.git")
    git(str(tmp_path), "clone", "-q", "--bare", repository, bare)
    linked = add_worktree(bare, str(tmp_path / "of-bare"), "feat/x")
    for folder in (bare, f"{bare}/refs", linked):
        assert find_repository(folder) == as_git_says(folder)
    assert find_repository(bare) == Repository(bare, None)


def test_a_bare_repository_beside_its_worktrees(repository: str, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    git(str(project), "clone", "-q", "--bare", repository, ".bare")
    (project / ".git").write_text("gitdir: ./.bare\n")
    linked = add_worktree(str(project), str(project / "main"), "feat/x")
    for folder in (str(project), linked):
        assert find_repository(folder) == as_git_says(folder)
    assert find_repository(linked) == Repository(str(project / ".bare"), linked)


def test_inside_the_git_directory_there_is_no_worktree(repository: str) -> None:
    for folder in (f"{repository}/.git", f"{repository}/.git/refs/heads"):
        assert find_repository(folder) == as_git_says(folder) == Repository(f"{repository}/.git", None)


def test_a_submodule_is_a_repository_of_its_own(repository: str, tmp_path: Path) -> None:
    library = make_repository(str(tmp_path / "library"))
    commit(library, "first", {"lib.py": "a\n"})
    git(repository, "submodule", "--quiet", "add", library, "vendor/lib")
    inside = f"{repository}/vendor/lib"
    assert find_repository(inside) == as_git_says(inside)
    assert find_repository(inside) == Repository(f"{repository}/.git/modules/vendor/lib", inside)


def test_git_dir_in_the_environment_changes_nothing(
    repository: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_repository(str(tmp_path / "other"))
    monkeypatch.setenv("GIT_DIR", f"{other}/.git")
    monkeypatch.setenv("GIT_WORK_TREE", other)
    assert find_repository(repository) == as_git_says(repository) == Repository(f"{repository}/.git", repository)


def test_folders_that_are_no_repository(tmp_path: Path) -> None:
    (tmp_path / "empty" / ".git").mkdir(parents=True)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / ".git").write_text("gitdir: /nowhere/at/all\n")
    (tmp_path / "binary").mkdir()
    (tmp_path / "binary" / ".git").write_bytes(b"\xff\xfe\0")
    for name in ("empty", "broken", "binary"):
        assert find_repository(str(tmp_path / name)) is as_git_says(str(tmp_path / name)) is None


def test_the_branch_that_head_names(repository: str, tmp_path: Path) -> None:
    linked = add_worktree(repository, str(tmp_path / "linked"), "feat/ünï")
    detached = add_worktree(repository, str(tmp_path / "detached"), None)
    unborn = make_unborn_worktree(repository, str(tmp_path / "unborn"), "not-yet")
    assert [checked_out_branch(one) for one in (repository, linked, detached, unborn, str(tmp_path))] == [
        "main", "feat/ünï", None, "not-yet", None,
    ]  # fmt: skip


def test_the_stand_in_of_a_reftable_repository_is_no_branch(repository: str) -> None:
    with open(f"{repository}/.git/HEAD", "w", encoding="utf-8") as head:
        head.write("ref: refs/heads/.invalid\n")
    assert checked_out_branch(repository) is None
    assert read_checkout(repository) == (None, None)


def test_the_commit_that_head_stands_on(repository: str, tmp_path: Path) -> None:
    linked = add_worktree(repository, str(tmp_path / "linked"), "feat/ünï")
    commit(linked, "second", {"b.py": "b\n"})
    detached = add_worktree(repository, str(tmp_path / "detached"), None)
    for folder in (repository, linked, detached):
        assert read_checkout(folder) == (checked_out_branch(folder), git(folder, "rev-parse", "HEAD").strip())
    git(repository, "pack-refs", "--all")
    for folder in (repository, linked, detached):
        assert read_checkout(folder) == (checked_out_branch(folder), git(folder, "rev-parse", "HEAD").strip())


def test_no_commit_where_there_is_none(repository: str, tmp_path: Path) -> None:
    unborn = make_unborn_worktree(repository, str(tmp_path / "unborn"), "not-yet")
    git(repository, "pack-refs", "--all")
    assert [read_checkout(one) for one in (unborn, str(tmp_path))] == [("not-yet", None), (None, None)]


def test_the_home_that_is_named_wins() -> None:
    assert find_home({"RELAY_HOME": "/somewhere/./else", "XDG_DATA_HOME": "/data"}) == "/somewhere/else"


@pytest.mark.parametrize("data", [None, "", "  ", "/data/of mine", "relative"])
def test_the_home_is_where_the_platform_keeps_data(data: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    if data is not None:
        monkeypatch.setenv("XDG_DATA_HOME", data)
    assert find_home(os.environ | {"RELAY_HOME": ""}) == platformdirs.user_data_dir("relay", appauthor=False)
