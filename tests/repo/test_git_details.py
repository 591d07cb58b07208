"""What costs a process for each row: ahead and behind, uncommitted files, commits, diffstat and patch."""

from __future__ import annotations

import os
import shutil
import sys

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.repo.branch_contents import read_commits, read_diffstat, read_patch
from relay_tui.repo.details import dirty_paths, read_changed, read_details, read_dirty
from relay_tui.repo.facts import BranchDetails, Commit, FileChange, GitFacts
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

NOTHING = BranchDetails(None, None, None, None, None, [])


def read(folder: str) -> GitFacts:
    return read_git(folder, lambda: 0)


def details_of(repository: str, branch: str) -> BranchDetails:
    ref = f"refs/heads/{branch}"
    return read_details(read(repository), [ref])[ref]


def test_every_row_of_the_odd_repository_has_its_numbers(folder):
    facts = read(build_odd_repository(folder))
    details = read_details(facts, [branch.ref for branch in facts.branches])
    numbers = {ref.removeprefix("refs/heads/"): row for ref, row in details.items()}
    assert [row.trouble for row in numbers.values()] == [[]] * len(facts.branches)
    assert numbers["feat/auth"][:5] == (None, None, 0, 0, 1)
    assert numbers["feat/tree"][:5] == (None, None, 1, 0, 1)
    assert numbers["main"].dirty == numbers["feat-auth"].dirty == 0
    assert numbers["feat/orphan"].dirty is numbers["ünï/日本"].dirty is numbers["feat/quiet"].dirty is None


def test_ahead_and_behind_are_counted_from_the_branchs_side(repository, folder):
    wt = add_worktree(repository, f"{folder}/wt", "x")
    git(wt, "branch", "--set-upstream-to=main")
    for number in range(3):
        commit(wt, f"x {number}", {})
    commit(repository, "main moves", {})
    assert details_of(repository, "x") == BranchDetails(3, 1, 3, 1, 0, [])


def test_an_upstream_that_is_gone_is_the_rows_trouble_alone(repository, folder):
    git(folder, "clone", "-q", repository, "clone")
    clone = f"{folder}/clone"
    git(clone, "branch", "-q", "--no-track", "y")
    git(clone, "update-ref", "-d", "refs/remotes/origin/main")
    git(clone, "symbolic-ref", "-d", "refs/remotes/origin/HEAD")
    details = read_details(read(clone), ["refs/heads/main", "refs/heads/y"])
    assert details["refs/heads/y"].trouble == []
    row = details["refs/heads/main"]
    assert row[:5] == (None, None, 0, 0, 0)
    (trouble,) = row.trouble
    assert trouble == "main: upstream origin/main is gone"


def test_the_remote_default_branch_is_counted_against(repository, folder):
    git(repository, "branch", "trunk")
    git(folder, "clone", "-q", repository, "clone")
    git(f"{folder}/clone", "remote", "set-head", "origin", "trunk")
    commit(f"{folder}/clone", "second", {"b.txt": "b\n"})
    assert details_of(f"{folder}/clone", "main")[:4] == (1, 0, 1, 0)
    facts = read(f"{folder}/clone")
    assert [row.subject for row in read_commits(facts, "refs/heads/main", 9)] == ["second"]
    assert read_diffstat(facts, "refs/heads/main") == [FileChange("b.txt", 1, 0)]


def test_what_git_does_not_have_has_no_numbers_and_no_trouble(repository):
    assert details_of(repository, "never") == NOTHING


def test_an_unborn_branch_has_uncommitted_files_and_no_distance(repository, folder):
    write(make_unborn_worktree(repository, f"{folder}/wt", "orphan"), {"b.txt": "b\n"})
    assert details_of(repository, "orphan") == NOTHING._replace(dirty=2)  # a.txt is still in its index


def test_two_trees_on_one_branch_are_counted_together(repository, folder):
    wt = add_worktree(repository, f"{folder}/wt", "main", "--force")
    write(wt, {"a.txt": "changed\n", "b.txt": "b\n"})
    write(repository, {"a.txt": "changed\n"})
    assert details_of(repository, "main").dirty == 3


def test_another_repository_in_a_worktrees_folder_is_not_counted(repository, folder):
    wt = add_worktree(repository, f"{folder}/wt", "x")
    shutil.rmtree(wt)
    git(folder, "clone", "-q", repository, "wt")
    write(wt, {"b.txt": "b\n"})
    assert details_of(repository, "x").dirty is None


def test_a_tree_that_cannot_be_read_is_the_rows_trouble_alone(repository, folder):
    wt = add_worktree(repository, f"{folder}/wt", "x")
    write(f"{repository}/.git/worktrees/wt", {"index": "garbage"})
    details = read_details(read(repository), ["refs/heads/x", "refs/heads/main"])
    assert details["refs/heads/main"].dirty == 0
    assert (details["refs/heads/x"].dirty, details["refs/heads/x"].ahead_default) == (None, 0)
    assert len(details["refs/heads/x"].trouble) == 1
    add_worktree(repository, f"{folder}/second", "x", "--force")
    assert details_of(repository, "x").dirty is None
    assert isinstance(read_dirty([wt])[wt], RelayError)


def test_time_that_runs_out_leaves_nulls_with_the_reason(repository, folder, monkeypatch):
    add_worktree(repository, f"{folder}/wt", "x")
    commit(f"{folder}/wt", "second", {})
    facts = read(repository)
    put_git_on_path(monkeypatch, f"{folder}/bin", "sleep 60")
    row = read_details(facts, ["refs/heads/x"], deadline=0.3)["refs/heads/x"]
    assert row[:5] == (None, None, None, None, None)
    assert ["did not answer" in reason or "was not asked" in reason for reason in row.trouble] == [True, True]


class TestDirtyPaths:
    def test_names_changed_staged_deleted_and_untracked_files_one_by_one(self, repository):
        commit(repository, "more", {"gone.txt": "g\n", "staged.txt": "s\n"})
        write(repository, {"a.txt": "changed\n", "staged.txt": "changed\n", "new/deep/b.txt": "b\n"})
        git(repository, "add", "staged.txt")
        os.remove(f"{repository}/gone.txt")
        assert sorted(dirty_paths(repository)) == ["a.txt", "gone.txt", "new/deep/b.txt", "staged.txt"]

    def test_names_both_sides_of_a_rename(self, repository):
        git(repository, "mv", "a.txt", "z.txt")
        assert sorted(dirty_paths(repository)) == ["a.txt", "z.txt"]

    def test_does_not_count_what_the_project_ignores(self, repository):
        commit(repository, "ignore", {".gitignore": "*.log\n"})
        write(repository, {"x.log": "x"})
        assert dirty_paths(repository) == []

    def test_counts_new_files_where_the_persons_status_hides_them(self, repository):
        git(repository, "config", "status.showUntrackedFiles", "no")
        write(repository, {"b.txt": "b\n"})
        assert dirty_paths(repository) == ["b.txt"]

    def test_does_not_count_a_worktree_nested_in_the_tree(self, repository):
        add_worktree(repository, f"{repository}/.agents/worktrees/one", "x")
        assert dirty_paths(repository) == []

    @pytest.mark.parametrize("name", ["a b.txt", 'q"uote.txt', "new\nline.txt", "日本.txt", "a -> b.txt"])
    def test_any_name_is_read_as_it_is(self, repository, name):
        write(repository, {name: "x\n"})
        assert dirty_paths(repository) == [name]
        commit(repository, "second", {})
        git(repository, "branch", "old", "HEAD~1")
        git(repository, "config", "init.defaultBranch", "old")
        assert read_diffstat(read(repository), "refs/heads/main") == [FileChange(name, 1, 0)]

    @pytest.mark.skipif(sys.platform == "darwin", reason="its file systems hold UTF-8 names only")
    def test_a_name_that_is_not_utf8_survives(self, repository):
        name = os.fsdecode(b"caf\xe9.txt")
        write(repository, {name: "x\n"})
        assert [os.fsencode(path) for path in dirty_paths(repository)] == [b"caf\xe9.txt"]

    def test_many_trees_at_once_give_the_same_answers(self, repository, folder):
        trees = [add_worktree(repository, f"{folder}/wt{n}", f"b{n}") for n in range(9)]
        for number, tree in enumerate(trees):
            write(tree, {f"{n}.txt": "x\n" for n in range(number)})
        answers = read_dirty([*trees, *trees])
        assert answers == {tree: dirty_paths(tree) for tree in trees}
        assert [len(paths) for paths in answers.values() if isinstance(paths, list)] == list(range(9))


class TestBranch:
    @pytest.fixture
    def facts(self, repository: str, folder: str) -> GitFacts:
        wt = add_worktree(repository, f"{folder}/wt", "x")
        commit(wt, "one", {"b.txt": "b\n" * 3})
        commit(wt, "two  ünï", {"a.txt": "A\n"})
        write(wt, {"uncommitted.txt": "u\n"})
        commit(repository, "main moves", {"c.txt": "c\n"})
        return read(repository)

    def test_commits_are_those_the_default_branch_lacks_newest_first(self, facts, folder):
        head = git(f"{folder}/wt", "rev-parse", "HEAD").strip()
        two, one = read_commits(facts, "refs/heads/x", 9)
        assert two == Commit(head, "two  ünï", "t", COMMITTED_AT)
        assert one.subject == "one"
        assert read_commits(facts, "refs/heads/x", 1) == [two]

    def test_diffstat_is_against_the_merge_base_and_commits_alone(self, facts):
        changes = read_diffstat(facts, "refs/heads/x")
        assert changes == [FileChange("a.txt", 1, 1), FileChange("b.txt", 3, 0)]

    def test_patch_is_against_the_merge_base(self, facts):
        patch = read_patch(facts, "refs/heads/x")
        assert "-a\n+A\n" in patch
        assert "c.txt" not in patch
        assert "uncommitted" not in patch

    def test_the_default_branch_shows_its_newest_commits_and_no_changes(self, facts):
        ref = "refs/heads/main"
        assert [row.subject for row in read_commits(facts, ref, 9)] == ["main moves", "first"]
        assert (read_diffstat(facts, ref), read_patch(facts, ref)) == ([], "")

    @pytest.mark.parametrize("reader", [read_diffstat, read_patch, lambda *a: read_commits(*a, 9)])
    def test_an_unknown_branch_is_an_error_that_names_it(self, facts, reader):
        with pytest.raises(RelayError) as caught:
            reader(facts, "refs/heads/--output=x")
        assert (caught.value.code, caught.value.exit_code) == ("unknown_branch", 3)
        assert "'--output=x'" in caught.value.message


class TestChanged:
    """Commits of each path, since the branch left the default one."""

    @pytest.fixture
    def commits(self, repository, folder) -> list[str]:
        """x with two commits, y built upon x with one of its own, and main gone on."""
        wt = add_worktree(repository, f"{folder}/wt", "x")
        made = [commit(wt, "one", {"a.txt": "1\n", "b\n:c": "1\n"}), commit(wt, "two", {"a.txt": "2\n"})]
        git(wt, "checkout", "-q", "-b", "y")
        os.remove(f"{wt}/a.txt")
        made.append(commit(wt, "three", {}))
        commit(repository, "on main", {"a.txt": "main\n"})
        git(wt, "merge", "-q", "-s", "ours", "main")
        return made

    def test_names_each_commit_of_each_path_merges_left_out(self, repository, commits):
        one, two, three = commits
        assert read_changed(read(repository), ["refs/heads/x", "refs/heads/y", "refs/heads/main"]) == {
            "refs/heads/x": {"a.txt": {one, two}, "b\n:c": {one}},
            "refs/heads/y": {"a.txt": {one, two, three}, "b\n:c": {one}},
            "refs/heads/main": {},
        }

    def test_what_git_lacks_is_left_out_and_a_failure_is_the_branchs_own(self, repository, commits):
        facts = read(repository)
        lost = [branch._replace(head="1" * 40) if branch.ref.endswith("y") else branch for branch in facts.branches]
        found = read_changed(facts._replace(branches=lost), ["refs/heads/x", "refs/heads/y", "refs/heads/z"])
        assert set(found) == {"refs/heads/x", "refs/heads/y"}
        assert isinstance(found["refs/heads/y"], RelayError)
        assert isinstance(found["refs/heads/x"], dict)

    def test_without_a_default_branch_it_is_not_known(self, repository, commits):
        facts = read(repository)._replace(default_branch=None)
        assert isinstance(read_changed(facts, ["refs/heads/x"])["refs/heads/x"], RelayError)
        for look in (read_diffstat, read_patch, lambda facts, ref: read_commits(facts, ref, 9)):
            with pytest.raises(RelayError, match="default branch"):
                look(facts, "refs/heads/x")


def test_a_branch_of_unrelated_history_is_compared_with_nothing(repository, folder):
    wt = make_unborn_worktree(repository, f"{folder}/wt", "orphan")
    commit(wt, "from nothing", {"b.txt": "b\n"})
    facts = read(repository)
    assert [row.subject for row in read_commits(facts, "refs/heads/orphan", 9)] == ["from nothing"]
    assert read_diffstat(facts, "refs/heads/orphan") == [FileChange("a.txt", 1, 0), FileChange("b.txt", 1, 0)]
    assert "+b\n" in read_patch(facts, "refs/heads/orphan")
    assert read_details(facts, ["refs/heads/orphan"])["refs/heads/orphan"][2:4] == (1, 1)


def test_a_sha256_repository_is_read_too(folder):
    repository = make_repository(f"{folder}/repo", "--object-format=sha256")
    commit(repository, "first", {"a.txt": "a\n"})
    commit(make_unborn_worktree(repository, f"{folder}/wt", "orphan"), "from nothing", {})
    facts = read(repository)
    assert {len(branch.head) for branch in facts.branches} == {64}
    assert read_diffstat(facts, "refs/heads/orphan") == [FileChange("a.txt", 1, 0)]


def test_a_binary_file_has_no_line_counts(repository, folder):
    wt = add_worktree(repository, f"{folder}/wt", "x")
    commit(wt, "binary", {"b.bin": "\0\1\2"})
    assert read_diffstat(read(repository), "refs/heads/x") == [FileChange("b.bin", None, None)]


def test_the_persons_diff_settings_do_not_change_the_patch(repository, folder):
    commit(add_worktree(repository, f"{folder}/wt", "x"), "one", {"b.txt": "b\n"})
    plain = read_patch(read(repository), "refs/heads/x")
    for key, value in (("diff.noprefix", "true"), ("color.ui", "always"), ("diff.context", "0")):
        git(repository, "config", key, value)
    assert read_patch(read(repository), "refs/heads/x") == plain
    assert "--- /dev/null\n+++ b/b.txt\n" in plain


def test_commits_in_another_encoding_come_as_unicode(repository):
    git(repository, "config", "i18n.logOutputEncoding", "ISO-8859-1")
    commit(repository, "ünï", {})
    assert read_commits(read(repository), "refs/heads/main", 1)[0].subject == "ünï"


def test_a_person_who_forbids_bare_repositories_inside_others_is_served(repository, folder, monkeypatch):
    write(folder, {"gitconfig": "[safe]\n\tbareRepository = explicit\n"})
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", f"{folder}/gitconfig")
    facts = read(repository)
    assert [row.subject for row in read_commits(facts, "refs/heads/main", 9)] == ["first"]


def test_a_change_that_a_merge_made_itself_is_a_change(repository, folder):
    wt = add_worktree(repository, f"{folder}/wt", "x")
    commit(wt, "one", {"x.txt": "x\n"})
    commit(repository, "on main", {"m.txt": "m\n"})
    git(wt, "merge", "-q", "--no-commit", "main")
    merged = commit(wt, "merge, and more", {"a.txt": "neither side has this\n"})
    assert read_changed(read(repository), ["refs/heads/x"])["refs/heads/x"]["a.txt"] == {merged}


def test_what_a_root_commit_brought_is_told_whatever_the_person_shows(repository, folder):
    wt = make_unborn_worktree(repository, f"{folder}/wt", "orphan")
    root = commit(wt, "from nothing", {"b.txt": "b\n"})
    git(repository, "config", "log.showRoot", "false")
    assert read_changed(read(repository), ["refs/heads/orphan"])["refs/heads/orphan"]["b.txt"] == {root}


def test_branches_off_a_long_history_share_all_of_it(repository):
    """`two` has so many commits of its own that the newest thousand do not reach as far back as those of `one`."""
    history = [_imported("develop", number, "from refs/heads/main^0" if number == 0 else "") for number in range(1100)]
    history += [_imported("one", 2000, "from refs/heads/develop")]
    history += [_imported("two", 3000 + step, "from refs/heads/develop" if step == 0 else "") for step in range(9)]
    git(repository, "fast-import", "--quiet", stdin="".join(history))
    changed = read_changed(read(repository), ["refs/heads/one", "refs/heads/two"])
    one, two = changed["refs/heads/one"], changed["refs/heads/two"]
    assert len(one) == 101
    for path in one.keys() - {"by-one"}:  # which `one` itself has not changed
        assert one[path] <= two[path], path


def _imported(branch: str, number: int, origin: str) -> str:
    """A commit for `git fast-import`; every path is changed by all that have the same remainder."""
    path = "by-one" if branch == "one" else f"f{number % 100}"
    content = f"{branch} {number}"
    return (
        f"commit refs/heads/{branch}\ncommitter t <t@example.com> {1796029200 + number} +0000\n"
        f"data 1\nx\n{origin}\nM 100644 inline {path}\ndata {len(content)}\n{content}\n\n"
    ).replace("x\n\nM", "x\nM")


def test_a_tree_that_does_not_answer_is_named_and_hides_no_distance(repository, folder, monkeypatch):
    wt = add_worktree(repository, f"{folder}/wt", "x")
    commit(wt, "one", {"x.txt": "x\n"})
    put_git_on_path(monkeypatch, f"{folder}/bin", 'case "$*" in *" status "*) sleep 9;; esac\nexec {git} "$@"')
    monkeypatch.setattr("relay_tui.repo.details.STATUS_DEADLINE", 0.4)
    row = read_details(read(repository), ["refs/heads/x"])["refs/heads/x"]
    assert (row.ahead_default, row.dirty) == (1, None)
    assert row.trouble == [f"{wt}: git status did not answer within 0.4 s and was stopped."]
