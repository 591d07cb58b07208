"""Files that two worktrees changed at once, and whose claim covers them."""

from __future__ import annotations

from relay_tui.room.held import Claim
from relay_tui.room.overlap import find_overlaps


def claim(resource: str, scope: str = "project") -> Claim:
    return Claim(scope, resource, "codex-3", "live", 0, "r", None, 0, False, False, None, [])


def test_only_what_several_trees_changed_overlaps():
    dirty = {"/b": ["src/a.py", "one.py"], "/a": ["src/a.py"], "/c": ["two.py"]}
    (overlap,) = find_overlaps(dirty, [])
    assert overlap == ("src/a.py", ["/a", "/b"], None)


def test_the_claim_nearest_above_a_path_covers_it():
    paths = ["src/auth/x.py", "src/y.py", "srcs/z.py"]
    claims = [claim("src"), claim("src/auth"), claim("srcs/z.py", "branch")]
    overlaps = find_overlaps({"/a": paths, "/b": paths}, claims)
    found = {overlap.path: overlap.claim and overlap.claim.resource for overlap in overlaps}
    assert found == {"src/auth/x.py": "src/auth", "src/y.py": "src", "srcs/z.py": None}


def test_a_claim_on_the_whole_tree_covers_every_path():
    (overlap,) = find_overlaps({"/a": ["x"], "/b": ["x"]}, [claim(".")])
    assert overlap.claim is not None
