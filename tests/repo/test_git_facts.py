"""What `read_git` says of every repository that breaks other listings."""

from __future__ import annotations

import os
import shutil
import sys

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.repo.facts import GitFacts, Worktree
from relay_tui.repo.reader import read_git
from tests.repo.git_fixture import (
    COMMITTED_AT,
    add_worktree,
    build_odd_repository,
    commit,
    git,
    make_repository,
    make_unborn_worktree,
    put_git_on_path,
    write,
)

NOW = 7
# A git before 2.36, which lists worktrees by lines alone.
WITHOUT_Z = 'case "$*" in *"--porcelain -z"*) echo "error: unknown switch \\`z\'" >&2; exit 129;; esac\nexec {git} "$@"'


def read(folder: str) -> GitFacts:
    return read_git(folder, lambda: NOW)


def tree_at(facts: GitFacts, path: str) -> Worktree:
    (tree,) = [tree for tree in facts.worktrees if tree.path == path]
    return tree


def on(facts: GitFacts, branch: str) -> Worktree:
    (tree,) = [tree for tree in facts.worktrees if tree.branch == f"refs/heads/{branch}"]
    return tree


class TestOddRepository:
    @pytest.fixture
    def facts(self, folder: str) -> GitFacts:
        return read(build_odd_repository(folder) + "/src")

    def test_is_known_by_its_common_dir_and_the_moment_it_was_read(self, facts, folder):
        assert (facts.repository, facts.read_at, facts.warnings) == (f"{folder}/repo/.git", NOW, [])
        assert facts.default_branch == "refs/heads/main"

    def test_every_branch_is_listed_once_with_head_and_date(self, facts, folder):
        names = "feat-auth feat/auth feat/orphan feat/quiet feat/tree main origin/x release/0.4 ünï/日本"
        assert sorted(branch.ref for branch in facts.branches) == [f"refs/heads/{name}" for name in names.split()]
        heads = {branch.ref: branch.head for branch in facts.branches}
        assert heads["refs/heads/feat/tree"] == git(f"{folder}/wt-tree", "rev-parse", "HEAD").strip()
        assert {branch.committed_at for branch in facts.branches} == {COMMITTED_AT}
        assert {branch.upstream for branch in facts.branches} == {None}

    def test_the_main_worktree_comes_first(self, facts, folder):
        assert facts.worktrees[0].path == f"{folder}/repo"
        assert [tree.main for tree in facts.worktrees] == [True] + 6 * [False]

    def test_paths_keep_their_space_and_their_newline(self, facts, folder):
        assert on(facts, "feat/auth").path == f"{folder}/wt auth"
        assert on(facts, "feat-auth").path == f"{folder}/wt\nnewline"

    def test_a_detached_tree_is_on_no_branch(self, facts, folder):
        tree = tree_at(facts, f"{folder}/wt-detached")
        assert (tree.branch, tree.detached, tree.busy) == (None, True, None)
        assert [other.path for other in facts.worktrees if other.detached] == [tree.path]

    def test_a_removed_folder_is_missing_and_prunable(self, facts):
        tree = on(facts, "feat/orphan")
        assert (tree.missing, tree.locked) == (True, None)
        assert tree.prunable == "gitdir file points to non-existent location"

    def test_a_locked_tree_on_an_absent_disk_is_missing_and_not_prunable(self, facts):
        tree = on(facts, "ünï/日本")
        assert (tree.missing, tree.locked, tree.prunable) == (True, "usb disk, 'away'", None)


def test_facts_are_the_same_from_every_folder_of_the_repository(folder):
    repository = build_odd_repository(folder)
    places = [repository, f"{repository}/src", f"{repository}/.git", f"{folder}/wt auth/src"]
    assert len({str(read(place)) for place in places}) == 1


def test_a_lock_without_a_reason_has_an_empty_one(repository, folder):
    git(repository, "worktree", "lock", add_worktree(repository, f"{folder}/wt", "x"))
    assert on(read(repository), "x").locked == ""


def test_a_lock_reason_keeps_its_lines(repository, folder):
    wt = add_worktree(repository, f"{folder}/wt", "x")
    git(repository, "worktree", "lock", "--reason", 'two\n\n"lines"', wt)
    assert on(read(repository), "x").locked == 'two\n\n"lines"'


@pytest.mark.parametrize("name", ["it's", 'a "quote"', "$HOME", "~", "two\n\nlines", "-z", "ünï/日本"])
def test_any_folder_name_is_read_as_it_is(folder, name):
    repository = make_repository(f"{folder}/{name}/repo")
    commit(repository, "first", {"a.txt": "a\n"})
    wt = add_worktree(repository, f"{folder}/{name}/wt", "x")
    write(f"{repository}/.git/worktrees/wt", {"MERGE_HEAD": ""})
    facts = read(wt)
    assert facts.repository == f"{repository}/.git"
    assert (on(facts, "x").path, on(facts, "x").missing, on(facts, "x").busy) == (wt, False, "merge")


@pytest.mark.skipif(sys.platform == "darwin", reason="its file systems hold UTF-8 names only")
def test_a_path_that_is_not_utf8_survives(repository, folder):
    wt = add_worktree(repository, os.fsdecode(os.fsencode(folder) + b"/caf\xe9"), "x")
    tree = on(read(repository), "x")
    assert (os.fsencode(tree.path), tree.missing) == (os.fsencode(wt), False)


def test_a_bare_clone_with_worktrees(repository, folder):
    git(folder, "clone", "-q", "--bare", repository, "b.git")
    wt = add_worktree(f"{folder}/b.git", f"{folder}/wt", "main")
    facts = read(wt)
    assert facts == read(f"{folder}/b.git")
    assert (facts.repository, facts.default_branch) == (f"{folder}/b.git", "refs/heads/main")
    main = facts.worktrees[0]
    assert (main.path, main.bare, main.branch, main.head, main.detached) == (
        f"{folder}/b.git", True, None, None, False,
    )  # fmt: skip
    assert on(facts, "main").path == wt


def test_a_submodule_is_listed_where_its_files_are(repository, folder):
    above = make_repository(f"{folder}/above")
    git(above, "submodule", "add", "-q", repository, "sub")
    wt = add_worktree(f"{above}/sub", f"{folder}/wt", "x")
    facts = read(wt)
    assert facts == read(f"{above}/sub")
    assert facts.repository == f"{above}/.git/modules/sub"
    assert [tree.path for tree in facts.worktrees] == [f"{above}/sub", wt]


def test_a_git_directory_kept_apart_is_listed_where_its_files_are(folder):
    repository = make_repository(f"{folder}/tree", f"--separate-git-dir={folder}/apart.git")
    commit(repository, "first", {"a.txt": "a\n"})
    facts = read(repository)
    assert (facts.repository, facts.worktrees[0].path) == (f"{folder}/apart.git", repository)


def test_a_repository_without_a_commit(folder):
    facts = read(make_repository(f"{folder}/empty"))
    assert (facts.branches, facts.default_branch, facts.warnings) == ([], "refs/heads/main", [])
    (tree,) = facts.worktrees
    assert (tree.branch, tree.head, tree.unborn, tree.detached) == ("refs/heads/main", None, True, False)


def test_an_unborn_branch_in_a_linked_worktree(repository, folder):
    wt = make_unborn_worktree(repository, f"{folder}/wt", "orphan")
    tree = tree_at(read(repository), wt)
    assert (tree.branch, tree.head, tree.unborn) == ("refs/heads/orphan", None, True)
    assert not tree_at(read(repository), repository).unborn


def test_one_branch_checked_out_twice_by_force(repository, folder):
    add_worktree(repository, f"{folder}/wt", "main", "--force")
    assert [tree.branch for tree in read(repository).worktrees] == ["refs/heads/main"] * 2


def make_conflict(repository: str, wt: str) -> None:
    commit(wt, "theirs", {"a.txt": "theirs\n"})
    commit(repository, "ours", {"a.txt": "ours\n"})


@pytest.mark.parametrize("backend", ["--merge", "--apply"])
def test_in_the_middle_of_a_rebase_a_tree_counts_as_its_branch(repository, folder, backend):
    wt = add_worktree(repository, f"{folder}/wt", "feat/x")
    make_conflict(repository, wt)
    git(wt, "rebase", backend, "main", ok=(1, 128))
    tree = tree_at(read(repository), wt)
    assert (tree.branch, tree.busy, tree.detached) == ("refs/heads/feat/x", "rebase", False)


def test_in_the_middle_of_a_rebase_the_main_worktree_counts_as_its_branch(repository, folder):
    wt = add_worktree(repository, f"{folder}/wt", "feat/x")
    make_conflict(repository, wt)
    git(repository, "rebase", "feat/x", ok=(1, 128))
    tree = read(repository).worktrees[0]
    assert (tree.branch, tree.busy, tree.detached) == ("refs/heads/main", "rebase", False)


def test_a_rebase_of_a_detached_head_stays_detached(repository, folder):
    wt = add_worktree(repository, f"{folder}/wt", None)
    make_conflict(repository, wt)
    git(wt, "rebase", "main", ok=(1, 128))
    tree = tree_at(read(repository), wt)
    assert (tree.branch, tree.busy, tree.detached) == (None, "rebase", True)


def test_in_the_middle_of_a_merge(repository, folder):
    wt = add_worktree(repository, f"{folder}/wt", "feat/x")
    make_conflict(repository, wt)
    git(wt, "merge", "main", ok=(1,))
    facts = read(repository)
    assert (on(facts, "feat/x").busy, on(facts, "main").busy) == ("merge", None)


@pytest.mark.parametrize(("branch", "counted"), [("feat/x", "refs/heads/feat/x"), (None, None)])
def test_in_the_middle_of_a_bisect(repository, folder, branch, counted):
    wt = add_worktree(repository, f"{folder}/wt", branch)
    first = git(wt, "rev-parse", "HEAD").strip()
    for number in range(4):
        commit(wt, f"step {number}", {"a.txt": f"{number}\n"})
    git(wt, "bisect", "start", "HEAD", first)
    tree = tree_at(read(repository), wt)
    assert (tree.branch, tree.busy, tree.detached) == (counted, "bisect", counted is None)


def test_a_worktree_folder_replaced_by_another_clone_is_elsewhere(repository, folder):
    wt = add_worktree(repository, f"{folder}/wt", "x")
    shutil.rmtree(wt)
    git(folder, "clone", "-q", repository, "wt")
    facts = read(repository)
    assert (on(facts, "x").elsewhere, on(facts, "x").missing) == (True, False)
    assert not on(facts, "main").elsewhere


def test_a_worktree_folder_replaced_by_another_repositorys_worktree_is_elsewhere(repository, folder):
    shutil.rmtree(add_worktree(repository, f"{folder}/wt", "x"))
    other = make_repository(f"{folder}/other")
    commit(other, "first", {})
    add_worktree(other, f"{folder}/wt", "y")
    write(f"{other}/.git/worktrees/wt", {"MERGE_HEAD": ""})
    assert (on(read(repository), "x").elsewhere, on(read(repository), "x").busy) == (True, None)


def test_a_worktree_that_points_home_by_a_relative_path_is_not_elsewhere(repository, folder):
    wt = add_worktree(repository, f"{folder}/wt", "x")
    write(wt, {".git": "gitdir: ../repo/.git/worktrees/wt\n"})
    assert not on(read(repository), "x").elsewhere


def test_upstreams_and_remote_branches(repository, folder):
    git(folder, "clone", "-q", repository, "clone")
    git(f"{folder}/clone", "branch", "origin/x")
    facts = read(f"{folder}/clone")
    assert {branch.ref: branch.upstream for branch in facts.branches} == {
        "refs/heads/main": "refs/remotes/origin/main",
        "refs/heads/origin/x": None,
    }


class TestDefaultBranch:
    @pytest.fixture
    def clone(self, repository: str, folder: str) -> str:
        git(repository, "branch", "trunk")
        git(folder, "clone", "-q", repository, "clone")
        return f"{folder}/clone"

    def test_is_what_origin_says_first(self, clone):
        git(clone, "branch", "trunk", "origin/trunk")
        git(clone, "remote", "set-head", "origin", "trunk")
        assert read(clone).default_branch == "refs/heads/trunk"

    def test_is_the_remote_one_where_there_is_no_local_one(self, clone):
        git(clone, "remote", "set-head", "origin", "trunk")
        assert read(clone).default_branch == "refs/remotes/origin/trunk"

    def test_is_the_configured_one_before_main(self, repository):
        git(repository, "branch", "trunk")
        git(repository, "config", "init.defaultBranch", "trunk")
        assert read(repository).default_branch == "refs/heads/trunk"

    def test_a_configured_one_that_does_not_exist_is_passed_over(self, repository):
        git(repository, "config", "init.defaultBranch", "trunk")
        assert read(repository).default_branch == "refs/heads/main"

    def test_is_not_a_branch_that_happens_to_be_called_none(self, repository):
        git(repository, "branch", "None")
        assert read(repository).default_branch == "refs/heads/main"

    def test_is_master_where_there_is_no_main(self, repository):
        git(repository, "branch", "other")
        git(repository, "branch", "-m", "main", "master")
        git(repository, "checkout", "-q", "other")
        assert read(repository).default_branch == "refs/heads/master"

    def test_is_the_one_that_a_bare_repository_stands_on(self, repository, folder):
        git(repository, "branch", "-m", "main", "trunk")
        git(folder, "clone", "-q", "--bare", repository, "b.git")
        facts = read(add_worktree(f"{folder}/b.git", f"{folder}/wt", "feat/a"))
        assert (facts.default_branch, facts.warnings) == ("refs/heads/trunk", [])

    def test_is_none_where_a_bare_repository_stands_on_none_and_that_is_said(self, repository, folder):
        git(repository, "branch", "-m", "main", "trunk")
        git(folder, "clone", "-q", "--bare", repository, "b.git")
        git(f"{folder}/b.git", "symbolic-ref", "HEAD", "refs/heads/never")
        facts = read(f"{folder}/b.git")
        assert facts.default_branch is None
        assert "default branch" in facts.warnings[0]

    def test_is_none_where_a_bare_repository_stands_on_a_commit_alone(self, repository, folder):
        git(repository, "branch", "-m", "main", "trunk")
        git(repository, "branch", "None")
        git(folder, "clone", "-q", "--bare", repository, "b.git")
        git(f"{folder}/b.git", "update-ref", "--no-deref", "HEAD", "refs/heads/trunk")
        assert read(f"{folder}/b.git").default_branch is None

    def test_is_the_main_worktrees_where_nothing_else_says(self, repository):
        git(repository, "branch", "-m", "main", "work")
        assert read(repository).default_branch == "refs/heads/work"


def test_a_branch_whose_commit_is_lost_hides_no_other(repository):
    write(f"{repository}/.git/refs/heads", {"lost": "1" * 40 + "\n", "garbage": "x\n"})
    facts = read(repository)
    assert [branch.ref for branch in facts.branches] == ["refs/heads/lost", "refs/heads/main"]
    assert [branch.committed_at for branch in facts.branches] == [None, COMMITTED_AT]
    lost, garbage = facts.warnings
    assert lost.startswith("git: missing object 1111")
    assert lost.endswith("That branch has no date.")
    assert garbage == "git: ignoring broken ref refs/heads/garbage."


def test_a_worktree_whose_head_is_garbage_hides_no_other(repository, folder):
    wt = add_worktree(repository, f"{folder}/wt", "x")
    write(f"{repository}/.git/worktrees/wt", {"HEAD": "garbage\n"})
    facts = read(repository)
    assert on(facts, "main").path == repository
    assert [tree.path for tree in facts.worktrees] == [repository, wt]


def test_a_git_older_than_2_36_is_read_without_z_and_said_to_be_inexact(repository, folder, monkeypatch):
    git(repository, "worktree", "lock", "--reason", "usb", add_worktree(repository, f"{folder}/wt x", "x"))
    exact = read(repository)
    put_git_on_path(monkeypatch, f"{folder}/bin", WITHOUT_Z)
    facts = read(repository)
    assert (facts.worktrees, facts.branches) == (exact.worktrees, exact.branches)
    (warning,) = facts.warnings
    assert "2.36" in warning


def test_a_path_that_an_older_git_cuts_off_makes_its_row_doubtful_and_no_other(repository, folder, monkeypatch):
    add_worktree(repository, f"{folder}/two\nlines", "x")
    add_worktree(repository, f"{folder}/a\n\nb", "y")
    add_worktree(repository, f"{folder}/plain", "z")
    assert not any(tree.doubtful for tree in read(repository).worktrees)
    put_git_on_path(monkeypatch, f"{folder}/bin", WITHOUT_Z)
    found = {tree.path: tree.doubtful for tree in read(repository).worktrees}
    assert found == {repository: False, f"{folder}/two": True, f"{folder}/a": True, f"{folder}/plain": False}


def test_outside_a_repository_git_says_so(folder):
    with pytest.raises(RelayError) as caught:
        read(folder)
    assert (caught.value.code, caught.value.exit_code) == ("no_file", 3)
    assert caught.value.message == "git: not a git repository (or any of the parent directories): .git"
    assert "git init" in caught.value.hint


def test_a_folder_that_is_not_there(folder):
    with pytest.raises(RelayError) as caught:
        read(f"{folder}/nowhere")
    assert caught.value.code == "no_file"
    assert caught.value.message == f"git: cannot change to '{folder}/nowhere': No such file or directory"


def test_an_owner_git_does_not_trust_is_refused_in_gits_words_with_gits_fix(repository, monkeypatch):
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(RelayError) as caught:
        read(repository)
    assert caught.value.code == "refused"
    assert caught.value.message == f"git: detected dubious ownership in repository at '{repository}'"
    assert f"git config --global --add safe.directory {repository}" in caught.value.hint


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_the_repository_of_another_user_is_refused_in_gits_words_with_gits_fix(repository, monkeypatch):
    """For every other tester the test above, in which git itself pretends it, says the same."""
    monkeypatch.delenv("SUDO_UID", raising=False)
    for place in (repository, f"{repository}/.git"):
        os.chown(place, 65534, 65534)
    with pytest.raises(RelayError) as caught:
        read(repository)
    assert (caught.value.code, caught.value.message) == (
        "refused", f"git: detected dubious ownership in repository at '{repository}'"
    )  # fmt: skip
    assert caught.value.hint.endswith(f"git config --global --add safe.directory {repository}")


def test_the_variables_git_sets_for_its_hooks_change_nothing(repository, folder, monkeypatch):
    other = make_repository(f"{folder}/other")
    before = read(repository)
    monkeypatch.setenv("GIT_DIR", f"{other}/.git")
    monkeypatch.setenv("GIT_WORK_TREE", other)
    monkeypatch.setenv("GIT_INDEX_FILE", f"{other}/.git/index.lock")
    monkeypatch.setenv("GIT_COMMON_DIR", f"{other}/.git")
    assert read(repository) == before


@pytest.mark.parametrize(
    "state", ["no .git", "an empty .git folder", "a .git that leads nowhere", "another tree's .git"]
)
def test_a_folder_that_is_no_worktree_any_more_is_lost_though_it_lies_in_one(repository, state):
    wt = add_worktree(repository, f"{repository}/in/wt", "x")
    other = add_worktree(repository, f"{repository}/in/other", "y")
    os.remove(f"{wt}/.git")
    if state == "an empty .git folder":
        os.mkdir(f"{wt}/.git")
    elif state == "a .git that leads nowhere":
        write(wt, {".git": f"gitdir: {repository}/.git/worktrees/gone\n"})
    elif state == "another tree's .git":
        shutil.copy(f"{other}/.git", f"{wt}/.git")
    tree = on(read(repository), "x")
    assert (tree.path, tree.lost, tree.elsewhere, tree.missing, tree.has_files) == (wt, True, False, False, False)
    assert not on(read(repository), "y").lost


def test_a_worktree_that_git_knows_by_a_link_stands_at_its_real_path(repository, folder):
    os.mkdir(f"{folder}/old")
    wt = add_worktree(repository, f"{folder}/old/wt", "x")
    os.rename(f"{folder}/old", f"{folder}/new")
    os.symlink(f"{folder}/new", f"{folder}/old")
    assert f"worktree {wt}\n" in git(repository, "worktree", "list", "--porcelain")
    tree = on(read(repository), "x")
    assert (tree.path, tree.lost, tree.elsewhere, tree.missing) == (f"{folder}/new/wt", False, False, False)


@pytest.mark.parametrize("busy", ["am", "cherry-pick", "revert"])
def test_in_the_middle_of_taking_over_a_commit(repository, folder, busy):
    wt = add_worktree(repository, f"{folder}/wt", "x")
    commit(wt, "mine", {"a.txt": "mine\n"})
    theirs = commit(repository, "theirs", {"a.txt": "theirs\n"})
    commit(wt, "again", {"a.txt": "again\n"})
    if busy == "am":
        patch = git(repository, "format-patch", "--stdout", "-1", theirs)
        git(wt, "am", ok=(1, 128), stdin=patch)
    else:
        git(wt, busy, theirs if busy == "cherry-pick" else "HEAD~1", ok=(1,))
    assert on(read(repository), "x").busy == busy
