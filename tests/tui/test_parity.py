"""Every line that a screen composes, typed by hand on a copy of the room, makes the very same room (DESIGN §3.4)."""

from __future__ import annotations

import copy
import os
import shutil
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from relay_tui.actions.table import ACTIONS
from relay_tui.cli.main import run
from relay_tui.room.schema import PROJECTIONS
from relay_tui.room.store import Store
from tests.repo.git_fixture import isolate_git, write
from tests.room_fixture import House
from tests.tui.branch_scenes import CJK, EMOJI, furnish_branches
from tests.tui.visits import Visit, visit

PLAN = "# Launch\n\n## Auth\n\n- [ ] Rotate tokens @codex-3\n- [x] 検索\n"
# The one column that is to differ: by which door a message was handled.
DOORS = {"deliveries": "handled_via"}


class Scene(NamedTuple):
    """Keys on one screen, `=text` for what is typed, `@id` for a row to go to; and what they carry out."""

    mode: str
    keys: Sequence[str]
    does: Sequence[str]


REASON = ("enter", "=out of time", "enter")
SCENES = {
    "attention answers a question": Scene("attention", ["enter", "=main, please", "ctrl+s"], ["send"]),
    "attention writes what is proposed": Scene("attention", ["j", "enter", "ctrl+s"], ["send"]),
    "attention frees a branch": Scene(
        "attention", ["@orphaned:feat/work-tree", "enter", "=feat/work-tree", *REASON], ["branch release"]
    ),
    "attention plans a branch": Scene("attention", ["@missing:feat/payments", "c", "enter"], ["branch claim"]),
    "attention reads mail": Scene("attention", ["@mail:", "enter", "escape"], ["show"]),
    "attention acks mail": Scene("attention", ["@mail:", "a"], ["ack"]),
    "attention replies": Scene("attention", ["@mail:", "R", "=thanks 🚀", "ctrl+s"], ["send"]),
    "attention frees a claim": Scene(
        "attention", ["@stale_claim:src/cart.py", "X", "=src/cart.py", *REASON], ["release"]
    ),
    "attention sets a status": Scene(
        "attention", ["@blocked:W2", "s", "right", "right", "ctrl+s"], ["work set"]
    ),
    "agents join": Scene("agents", ["n", "=new-1", "ctrl+s", "y"], ["join"]),
    "agents retire": Scene("agents", ["@harbor-1", "x", "y"], ["retire"]),
    "agents revive": Scene("agents", ["@harbor-1", "x", "y", "f", "f", "f", "V"], ["retire", "revive"]),
    "agents answer": Scene("agents", ["@codex-3", "R", "=main", "ctrl+s"], ["send"]),
    "agents write": Scene("agents", ["@claude-1", "m", "=where are you?", "ctrl+s"], ["send"]),
    "branches claim": Scene("branches", [f"@{EMOJI}", "c", "=mine", "enter"], ["branch claim"]),
    "branches release": Scene("branches", ["@docs/typos", "x"], ["branch release"]),
    "branches plan": Scene("branches", ["n", "=feat/later", "tab", "=soon", "enter"], ["branch claim"]),
    "branches free": Scene("branches", [f"@{CJK}", "X", f"={CJK}", *REASON], ["branch release"]),
    "branches write": Scene("branches", ["m", "=please leave", "ctrl+s"], ["send"]),
    "roadmap adds": Scene("roadmap", ["n", "=Write the guide", "ctrl+s"], ["work add"]),
    "roadmap sets": Scene("roadmap", ["s", "5"], ["work set"]),
    "roadmap imports": Scene("roadmap", ["i", "enter", "y"], ["work import"]),
    "inbox reads and acks": Scene("inbox", ["enter", "escape", "a"], ["show", "ack"]),
    "inbox reminds": Scene("inbox", ["R", "=thanks", "ctrl+s", "u", "y"], ["send", "followup"]),
    "inbox acks all": Scene("inbox", ["A", "y"], ["ack"]),
    "inbox replies": Scene("inbox", ["R", "=thanks", "ctrl+s"], ["send"]),
    "inbox writes": Scene("inbox", ["m", "=hello", "ctrl+s"], ["send"]),
    "claims claim": Scene("claims", ["c", "=README.md machine:native", "enter"], ["claim"]),
    "claims release": Scene("claims", ["@project:notes.md", "x"], ["release"]),
    "claims free": Scene("claims", ["@project:src/cart.py", "X", "=src/cart.py", *REASON], ["release"]),
    "claims offer": Scene("claims", ["t", "=notes.md", "tab", "=codex-3", "ctrl+s"], ["handoff request"]),
    "branches offer": Scene("branches", ["@docs/typos", "t", "=codex-3", "enter"], ["handoff request"]),
    "claims write": Scene("claims", ["@project:src/auth.py", "m", "=may I?", "ctrl+s"], ["send"]),
}  # fmt: skip


@pytest.fixture
def house(tmp_path, monkeypatch) -> House:
    isolate_git(monkeypatch)
    made = House(str(tmp_path))
    made.claim(made.join("vector-5"), "src/cart.py")
    furnish_branches(made)
    made.claim(made.operator, "notes.md", "branch:docs/typos")
    write(made.repository, {"ROADMAP.md": PLAN})
    return made


def projections(home: str) -> dict[str, list[dict[str, Any]]]:
    """Every projection, row by row, with the column that says by which door left out."""
    store = Store(home)
    try:
        with store.reading() as db:
            found = {}
            for table, order in PROJECTIONS.items():
                rows = db.execute(f"SELECT * FROM {table} ORDER BY {order}")
                names = [column[0] for column in rows.description]
                found[table] = [dict(zip(names, row, strict=True)) for row in rows]
                for row in found[table]:
                    row.pop(DOORS.get(table, ""), None)
            return found
    finally:
        store.close()


async def play(here: Visit, keys: Sequence[str]) -> None:
    for key in keys:
        if key.startswith("="):
            await here.type(key[1:])
        elif key.startswith("@"):
            wanted = next((id for id in here.ids if id.startswith(key[1:])), key)
            assert here.row_list.move_to(wanted), (key, here.ids)
            await here.settle()
        else:
            await here.press(key)


@pytest.mark.parametrize("name", SCENES)
async def test_the_lines_of_a_screen_make_the_same_room_by_hand(house: House, monkeypatch, capsys, name: str):
    scene = SCENES[name]
    by_hand = os.path.join(house.folder, "copy")
    house.room.store.close()
    shutil.copytree(house.home, by_hand)
    ids = copy.deepcopy(house.new_id)
    before = projections(house.home)
    async with visit(house, scene.mode) as here:
        await play(here, scene.keys)
        entries = here.app.acts.log.entries
        assert [entry.error for entry in entries if entry.error] == []
    lines = [list(entry.argv) for entry in entries]
    assert [action_of(line) for line in lines if "--dry-run" not in line] == list(scene.does)

    monkeypatch.chdir(house.repository)
    monkeypatch.setenv("RELAY_HOME", by_hand)
    monkeypatch.setenv("RELAY_OPERATOR", "1")
    for line in lines:
        assert run(line[1:], clock=house.clock, new_id=ids) == 0, capsys.readouterr().err
    assert projections(by_hand) == projections(house.home)
    assert projections(house.home) != before


def action_of(line: Sequence[str]) -> str:
    two = " ".join(line[1:3])
    return two if two in ACTIONS else line[1]


def test_every_key_that_writes_has_its_scene():
    acted = {(scene.mode, action) for scene in SCENES.values() for action in scene.does}
    bound = {(action.screen, action.name) for action in ACTIONS.values() if action.writes and action.key}
    assert {(screen, name) for screen, name in bound if screen != "*"} <= acted
    assert {mode for mode, action in acted if action == "send"} >= {
        "attention",
        "agents",
        "branches",
        "inbox",
        "claims",
    }
