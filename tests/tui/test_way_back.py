"""Every line that a toast calls the way back, carried out by a real `relay` on a copy: it undoes what was done."""

from __future__ import annotations

import os
import shlex
import shutil
import sqlite3
import subprocess
import sys

import pytest

from relay_tui.actions.call import parse
from relay_tui.room import claims, handoffs, work_edit, work_moves
from relay_tui.room.ledger import Actor
from relay_tui.tui.acts.weights import UNDOING
from tests.room_fixture import House
from tests.tui.visits import visit

# What people see of the room; moments, revisions and closed handovers are history.
STANDING = {
    "agents": "name, standing, status, text, task, branch, worktree",
    "sessions": "agent, session, ended_at IS NULL",
    "claims": "scope, resource, agent, note, planned",
    "items": "id, parent, place, kind, title, status, owner, due, labels, removed_at IS NULL",
    "handoffs WHERE state = 'waiting'": "giver, recipient, reason",
    "handoff_resources WHERE waiting = 1": "scope, resource",
}
LINES = [
    "claim src/q --as codex-3",
    "claim src/q src/noted --as codex-3",
    "claim heavy --scope machine --note 'big build' --as codex-3",
    "release src/noted --as codex-3",
    "release gpu --scope machine --as codex-3",
    "release branch:future/x --as claude-1",
    "release --all --as codex-3",
    "branch claim main --as codex-3",
    "branch claim future/y --new --note later --as codex-3",
    "branch release future/x --as claude-1",
    "handoff request src/noted --to claude-1 --reason 'all yours' --as codex-3",
    "handoff cancel H0000001 --as claude-1",
    "retire idle-1",
    "work remove W1",
    "work restore W2",
    "work set w1 --status done --label new --kind epic --unset owner --unset due",
]


@pytest.fixture
def furnished(house: House) -> House:
    codex, claude, _ = Actor("codex-3"), Actor("claude-1"), house.join("idle-1")
    house.claim(codex, "src/noted", note="it's mine")
    house.claim(codex, "gpu", scope="machine", note="it's mine")
    claims.take(house.room, claude, house.resources("branch:future/x"), note="soon", planned=True)
    house.claim(claude, "docs", note="rewrite")
    handoffs.request(house.room, claude, house.resources("docs"), "codex-3", "take over")
    work_edit.add_item(house.room, codex, {"title": "Tax", "status": "review", "owner": "a", "labels": ["x"]})
    gone = work_edit.add_item(house.room, codex, {"title": "Gone"}).item.id
    work_moves.remove_item(house.room, codex, gone, recursive=False)
    return house


def standing(home: str) -> dict[str, list[tuple[object, ...]]]:
    db = sqlite3.connect(os.path.join(home, "relay.db"))
    try:
        return {table: sorted(db.execute(f"SELECT {what} FROM {table}"), key=repr) for table, what in STANDING.items()}
    finally:
        db.close()


@pytest.mark.parametrize("line", LINES)
async def test_the_way_back_undoes_what_was_done(furnished: House, tmp_path, line: str):
    before = standing(furnished.home)
    async with visit(furnished, "claims") as here:
        await here.command(line)
        back = here.toasts.partition("Back: ")[2]
    assert standing(furnished.home) != before
    copy = shutil.copytree(furnished.home, tmp_path / "copy")
    environment = {**os.environ, "RELAY_HOME": str(copy), "RELAY_OPERATOR": "1", "PYTHONPATH": os.getcwd()}
    argv = [sys.executable, "-m", "relay_tui", *shlex.split(back)[1:]]
    ran = subprocess.run(argv, cwd=furnished.repository, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert standing(str(copy)) == before


def test_every_way_back_is_tried():
    tried = [parse(shlex.split(line)) for line in LINES]
    told_elsewhere = {"work follow"}  # which needs a plan in the worktree, as the Roadmap's tests have
    known_before = {"work set"}  # whose way back is what stood there
    assert {call.action for call in tried if call is not None} == UNDOING.keys() - told_elsewhere | known_before
