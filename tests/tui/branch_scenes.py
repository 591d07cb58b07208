"""A repository in which every flag is to be seen, with worktrees in odd states and names in other scripts."""

from __future__ import annotations

import os
import shutil

from relay_tui.base.times import DAY, HOUR, MINUTE, SECOND
from relay_tui.room import claims, registry, work_edit
from relay_tui.room.ledger import Actor
from tests.repo.git_fixture import add_worktree, commit, git, write
from tests.room_fixture import House

CJK = "feat/日本語の検索"
EMOJI = "fix/🚀-launch"


def furnish_branches(house: House) -> None:
    """Six agents on eight branches; the clock stands where the story ends."""
    trees = _make_trees(house)
    vector = house.join("vector-4", runner="codex", branch="feat/work-tree", worktree=trees["feat/work-tree"])
    _hold(house, vector, "feat/work-tree", "work tree")
    house.clock.advance(2 * DAY)
    nimbus = house.join("nimbus-2", runner="claude", branch="feat/shared-room", worktree=trees["feat/shared-room"])
    _hold(house, nimbus, "feat/shared-room", "shared room")
    codex = house.join("codex-3", runner="codex", branch=CJK, worktree=trees[CJK])
    _hold(house, codex, CJK, "検索を直す 🚀")
    house.claim(codex, "src/auth.py", note="token rotation")
    _add(house, "Share one room between worktrees", "in-progress", "feat/shared-room", "nimbus-2")
    _add(house, "Reject cycles", "blocked", "feat/payments", "codex-3")
    house.clock.advance(12 * MINUTE)
    house.join("harbor-1", runner="claude", branch="feat/shared-room", worktree=trees["feat/shared-room"])
    house.join("claude-1", runner="claude", branch="feat/auth", worktree=trees[EMOJI])
    house.send(nimbus, "claude-1", "Please look at the room's key.", summary="Review request")
    house.send(nimbus, "operator", "The shared room is ready.\nTry it.", summary="Shared room is ready")
    house.clock.advance(HOUR)
    for name in ("nimbus-2", "harbor-1", "claude-1", "codex-3"):
        registry.report_status(house.room, Actor(name), {"status": "working"}, None)
        house.clock.advance(10 * SECOND)
    registry.report_status(house.room, codex, {"status": "waiting"}, ("operator", "Which base, main or 開発?"))
    house.clock.advance(5 * SECOND)


def _make_trees(house: House) -> dict[str, str]:
    repository = house.repository
    commit(repository, "Add sign-in", {"src/auth.py": "def sign_in():\n    pass\n", "src/cart.py": "cart = []\n"})
    for branch in ("feat/auth", "docs/typos"):
        git(repository, "branch", branch)
    trees = {}
    for branch, folder in (
        ("feat/shared-room", "wt-room"), ("feat/work-tree", "wt-tree"), (CJK, "wt-search"), (EMOJI, "wt-launch"),
        ("feat/gone", "wt-gone"),
    ):  # fmt: skip
        trees[branch] = add_worktree(repository, os.path.join(house.folder, folder), branch)
    commit(trees["feat/shared-room"], "Key the room by its common dir", {"src/room.py": "key = 1\nname = 2\n"})
    commit(
        trees["feat/shared-room"], "Share one room [/] between worktrees",
        {"src/auth.py": "def sign_in(room):\n    pass\n"},
    )  # fmt: skip
    commit(trees[CJK], "検索を直す", {"src/検索.py": "q = '日本語'\n"})
    write(trees["feat/shared-room"], {"src/auth.py": "def sign_in(key):\n    pass\n", "notes.md": "x\n"})
    write(trees["feat/work-tree"], {"src/auth.py": "def sign_in(tree):\n    pass\n"})
    shutil.rmtree(trees["feat/gone"])
    return trees


def _hold(house: House, me: Actor, branch: str, note: str) -> None:
    claims.take(house.room, me, house.resources(f"branch:{branch}"), note=note)


def _add(house: House, title: str, status: str, branch: str, owner: str) -> None:
    work_edit.add_item(house.room, house.operator, {"title": title, "status": status, "branch": branch, "owner": owner})
