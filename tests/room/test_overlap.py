"""Files that more than one has in hand, and whose claim covers them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from relay_tui.room.branches import BranchAgent, BranchView, WorktreeView
from relay_tui.room.held import Claim
from relay_tui.room.overlap import Overlap, Side, describe, find_overlaps, sides_of
from relay_tui.room.persons import Person


def claim(resource: str, scope: str = "project", holder: str = "codex-3") -> Claim:
    return Claim(scope, resource, holder, "live", 0, "r", None, 0, False, False, None)


def side(branch: str | None, tree: str | None = None, *dirty: str, live: str = "", **changed: str) -> Side:
    """`x_py="1 2"`: the commits 1 and 2 changed x.py; `live` are the names of who is there."""
    commits = {path.replace("_", "."): set(said.split()) for path, said in changed.items()}
    there = tuple(Person("r", name) for name in live.split())
    return Side(branch, tree, None, there, (), frozenset(dirty), commits)


def test_what_several_trees_changed_overlaps():
    sides = [side("b", "/b", "src/a.py", "one.py"), side("a", "/a", "src/a.py"), side(None, "/c", "two.py")]
    assert find_overlaps(sides, []) == [("src/a.py", ["/a", "/b"], None, [])]


def test_what_two_branches_changed_overlaps():
    sides = [side("b", a_py="1"), side("a", "/a", a_py="2", b_py="2"), side("c", c_py="3")]
    assert find_overlaps(sides, []) == [("a.py", [], None, ["a", "b"])]


def test_a_branch_built_upon_another_overlaps_once_both_went_on():
    assert find_overlaps([side("below", a_py="1"), side("above", a_py="1 2")], []) == []
    assert find_overlaps([side("below", a_py="1 3"), side("above", a_py="1 2")], []) != []


def test_what_is_dirty_here_and_changed_on_another_branch_overlaps():
    assert find_overlaps([side("a", "/a", "x.py"), side("b", x_py="1")], []) == [("x.py", ["/a"], None, ["b"])]
    assert find_overlaps([side("a", "/a", "x.py", x_py="1"), side("b", x_py="1")], []) == []


def test_one_branch_in_two_trees_overlaps_with_itself_where_both_are_dirty():
    assert find_overlaps([side("a", "/1", x_py="1"), side("a", "/2", x_py="1")], []) == []
    assert find_overlaps([side("a", "/1", "x.py"), side("a", "/2", "x.py")], []) == [("x.py", ["/1", "/2"], None, [])]


def test_what_one_branch_changed_overlaps_where_somebody_else_claims_it():
    held = claim("x.py")
    assert find_overlaps([side("a", x_py="1", live="codex-3")], [held]) == []
    assert find_overlaps([side("a", x_py="1")._replace(holder=Person("r", "codex-3"))], [held]) == []
    assert find_overlaps([side("a", x_py="1", live="codex-3")], [held._replace(room="other")]) != [], "a namesake's"
    assert find_overlaps([side("a", x_py="1", live="claude-1")], [held]) == [("x.py", [], held, ["a"])]
    assert find_overlaps([side("a", "/a", "x.py", live="claude-1")], [held]) == [("x.py", ["/a"], held, [])]


def test_the_claim_nearest_above_a_path_covers_it():
    paths = ["src/auth/x.py", "src/y.py", "srcs/z.py"]
    claims = [claim("src"), claim("src/auth"), claim("srcs/z.py", "branch")]
    overlaps = find_overlaps([side("a", "/a", *paths), side("b", "/b", *paths)], claims)
    found = {overlap.path: overlap.claim and overlap.claim.resource for overlap in overlaps}
    assert found == {"src/auth/x.py": "src/auth", "src/y.py": "src", "srcs/z.py": None}


def test_a_claim_on_the_whole_tree_covers_every_path():
    (overlap,) = find_overlaps([side("a", "/a", "x")], [claim(".")])
    assert overlap.claim is not None


@given(st.lists(st.frozensets(st.integers(0, 4), min_size=1), min_size=1, max_size=6))
def test_branches_overlap_exactly_where_two_have_commits_that_the_other_lacks(commits):
    sides = [side(f"b{number}")._replace(changed={"x": found}) for number, found in enumerate(commits)]
    apart = any(one - other and other - one for one in commits for other in commits)
    assert bool(find_overlaps(sides, [])) == apart


def test_sides_are_the_worktrees_and_the_branches_without_one():
    row = BranchView(
        "a", "clear", [], claim("a", "branch"), None, [BranchAgent("r", "x", "live", "reported"),
        BranchAgent("r", "y", "quiet", "observed")], [], [], *[None] * 8,
    )  # fmt: skip
    tree = WorktreeView("/a", None, "a", False, False, False, False, None, None, None, False, False, None)
    trees = [tree, tree._replace(path="/d", branch=None, detached=True)]
    assert sides_of([row], trees, {"/a": ["f"]}, {"a": {"g": {"1"}}, "b": {"h": {"2"}}}) == [
        ("a", "/a", ("r", "codex-3"), (("r", "x"),), (("r", "y"),), {"f"}, {"g": {"1"}}),
        (None, "/d", None, (), (), set(), {}),
        ("b", None, None, (), (), set(), {"h": {"2"}}),
    ]


def test_both_sides_are_named_in_words():
    assert (
        describe(Overlap("x", ["/1", "/2"], claim("x"), []), str, None)
        == "dirty in 2 trees (/1, /2), claimed by codex-3"
    )
    assert describe(Overlap("x", ["/w/1"], None, ["a", "b\n"]), lambda tree: tree[-1], "r") == (
        "dirty in 1 tree (1), changed on a and b\\n"
    )
