"""Keys of what can be claimed: what two spellings share, and what is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relay_tui.base.errors import RelayError
from relay_tui.base.resources import Resource, ancestors, branch_resource, is_case_blind, parse_resource
from tests.repo.git_fixture import add_worktree, commit, git, make_repository


@pytest.fixture
def tree(tmp_path: Path) -> str:
    root = make_repository(str(tmp_path / "tree"))
    commit(root, "first", {"src/app/[id].tsx": "a\n", "src/auth/login.py": "b\n"})
    os.symlink("src/auth", f"{root}/lib")
    return root


def key(typed: str, folder: str, root: str | None = None) -> str:
    return parse_resource(typed, folder, root or folder).lookup


def refusal(typed: str, folder: str, scope: str | None = None) -> RelayError:
    with pytest.raises(RelayError) as refused:
        parse_resource(typed, folder, folder, scope)
    return refused.value


@pytest.mark.parametrize(
    ("typed", "lookup"),
    [
        ("src/auth", "src/auth"), ("src/auth/", "src/auth"), ("./src//auth/../auth", "src/auth"),
        ("lib", "src/auth"), ("lib/login.py", "src/auth/login.py"), ("lib/new.py", "src/auth/new.py"),
        ("src/app/[id].tsx", "src/app/[id].tsx"), ("src/app/**", "src/app"), ("**", ""), (".", ""), ("./**", ""),
        ("src/not/yet", "src/not/yet"), ("src/auth/..", "src"), ("cafe\u0301.py", "café.py"), ("a:b", "a:b"),
        ("two\nlines", "two\nlines"), ("x" * 4096, "x" * 4096),
    ],
)  # fmt: skip
def test_paths_have_one_key(tree: str, typed: str, lookup: str) -> None:
    assert key(typed, tree) == lookup


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", "invalid"), ("a\0b", "invalid"), ("x" * 4097, "invalid"), ("\udcff.py", "invalid"),
        ("src/app/*.tsx", "invalid"), ("src/?.py", "invalid"), ("**/x.py", "invalid"),
        ("../outside", "outside_tree"), ("src/../../outside", "outside_tree"), ("/etc/passwd", "outside_tree"),
        ("/", "outside_tree"), ("/**", "outside_tree"), ("..", "outside_tree"), ("machine:Two Words", "invalid"),
        ("machine:-x", "invalid"), ("machine:", "invalid"), ("branch:", "invalid"), ("branch:a..b", "invalid"),
    ],
)  # fmt: skip
def test_what_cannot_be_claimed_is_refused(tree: str, typed: str, code: str) -> None:
    fault = refusal(typed, tree)
    assert fault.code == code
    assert fault.told.replace("\n", "").isprintable()


def test_a_pattern_is_answered_with_what_it_matches(tree: str) -> None:
    fault = refusal("src/app/*.tsx", tree)
    assert "src/app/[id].tsx" in fault.hint
    assert fault.details["matches"] == ["src/app/[id].tsx"]
    assert refusal("src/app/[id]*", tree).details["matches"] == ["src/app/[id].tsx"]
    assert refusal("nothing/*", tree).details["matches"] == []


def test_of_a_pattern_that_matches_very_much_only_some_is_looked_for(tree: str) -> None:
    os.mkdir(f"{tree}/many")
    for number in range(120):
        os.mkdir(f"{tree}/many/{number}")
    fault = refusal("many/*", tree)
    assert len(fault.details["matches"]) == 100  # type: ignore[arg-type]
    assert "and 95 more at least" in fault.hint


def test_what_cannot_be_a_branch_is_told_what_can(tree: str) -> None:
    assert "no space" in refusal("branch:two words", tree).hint


def test_paths_are_typed_from_where_one_stands(tree: str) -> None:
    assert key("login.py", f"{tree}/src/auth", tree) == "src/auth/login.py"
    assert key("../app", f"{tree}/src/auth", tree) == "src/app"
    assert key(f"{tree}/src/app", f"{tree}/src/auth", tree) == "src/app"


def test_symlinks_that_lead_nowhere_outside_or_in_circles(tree: str) -> None:
    os.symlink("src/later.py", f"{tree}/dangling")
    os.symlink("../elsewhere", f"{tree}/out")
    os.symlink("loop", f"{tree}/loop")
    os.symlink(b"src/\xff", os.fsencode(tree) + b"/latin")
    assert key("dangling", tree) == "src/later.py"
    assert key("loop", tree) == "loop"
    assert key("loop/x", tree) == "loop/x"
    assert refusal("out/x", tree).code == "outside_tree"
    assert refusal("latin", tree).code == "invalid"


def test_an_absolute_path_may_lie_in_any_worktree_of_the_repository(tree: str, tmp_path: Path) -> None:
    other = add_worktree(tree, str(tmp_path / "other"), "feat/x")
    stranger = make_repository(str(tmp_path / "stranger"))
    assert key(f"{other}/src/auth", tree) == "src/auth"
    assert key(f"{other}/src/not/yet", tree) == "src/not/yet"
    assert refusal(f"{stranger}/a.py", tree).code == "outside_tree"


def test_a_worktree_inside_the_tree_has_the_key_of_the_repository(tree: str) -> None:
    nested = add_worktree(tree, f"{tree}/.trees/feat", "feat/x")
    assert key(f"{nested}/src/auth", tree) == "src/auth"
    assert key(".trees/feat/src/auth", tree) == "src/auth"


def test_a_repository_inside_the_tree_belongs_to_the_tree(tree: str) -> None:
    make_repository(f"{tree}/vendor/lib")
    assert key(f"{tree}/vendor/lib/a.py", tree) == key("vendor/lib/a.py", tree) == "vendor/lib/a.py"


def test_machine_names_and_branches(tree: str) -> None:
    assert parse_resource("machine:native", tree, tree) == Resource("machine", "native", "native")
    assert parse_resource("native", tree, tree, "machine") == Resource("machine", "native", "native")
    assert parse_resource("native", tree, tree).scope == "project"
    assert str(parse_resource("branch:refs/heads/feat/x", tree, tree)) == "branch:feat/x"
    assert refusal("Native", tree, "machine").code == "invalid"
    assert refusal("n" * 129, tree, "machine").code == "invalid"


@given(st.one_of(st.text("ab/.@{-~^:lock ", max_size=8), st.text(st.characters(codec="utf-8"), max_size=6)))
def test_branches_are_what_git_takes_for_one(name: str) -> None:
    if "\0" in name or name in ("@", "HEAD") or name.startswith("refs/heads/"):
        return  # git's words for what is checked out, and long names that are shortened
    by_git = git(os.curdir, "check-ref-format", "--branch", name, ok=(0, 1, 128)).rstrip("\n")
    expanded = by_git != name  # `@{-1}` and the like are another branch's name, and none of their own
    try:
        ours = branch_resource(name).resource
    except RelayError as refused:
        assert refused.code == "invalid"
        assert not by_git or expanded
    else:
        assert ours == by_git


@given(st.lists(st.text(st.characters(exclude_characters="/"), min_size=1, max_size=3), min_size=1, max_size=5))
def test_ancestors_are_every_folder_above(parts: list[str]) -> None:
    assert ancestors("/".join(parts)) == ["/".join(parts[:count]) for count in range(len(parts))]
    assert ancestors("") == []


def test_case_is_asked_of_this_file_system(tmp_path: Path) -> None:
    """A neighbour whose name differs by case alone is not a sign of blindness."""
    (tmp_path / "plain").mkdir()
    try:
        (tmp_path / "PLAIN").mkdir()
    except FileExistsError:
        assert is_case_blind(str(tmp_path / "plain"))
    else:
        assert not is_case_blind(str(tmp_path / "plain"))
