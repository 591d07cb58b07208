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
from relay_tui.room import handoffs
from relay_tui.room.ledger import Actor
from relay_tui.room.schema import PROJECTIONS
from relay_tui.room.store import Store
from tests.repo.git_fixture import isolate_git, write
from tests.room_fixture import House
from tests.tui.branch_scenes import CJK, EMOJI, furnish_branches
from tests.tui.plans import do
from tests.tui.visits import Visit, visit

PLAN = "# Launch\n\n## Auth\n\n- [ ] Rotate tokens @codex-3\n- [x] 検索\n"
# The one column that is to differ: by which door a message was handled.
DOORS = {"deliveries": "handled_via"}


class Scene(NamedTuple):
    """Keys on one screen, `=text` for what is typed, `@id` for a row to go to; and what they carry out.

    With `plan` the plan is imported before, and file and room differ on the status of its first task.
    """

    mode: str
    keys: Sequence[str]
    does: Sequence[str]
    plan: bool = False


REASON = ("enter", "=out of time", "enter")
RESPOND = ["handoff respond"]
SCENES = {
    "attention answers a question": Scene("attention", ["enter", "=main, please", "ctrl+s"], ["send", "ack"]),
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
    "attention sets a status": Scene("attention", ["@blocked:W2", "s", "5"], ["work set"]),
    "agents join": Scene("agents", ["n", "=new-1", "ctrl+s", "y"], ["join"]),
    "agents retire": Scene("agents", ["@harbor-1", "x", "y"], ["retire"]),
    "agents revive": Scene("agents", ["@harbor-1", "x", "y", "f", "f", "f", "V"], ["retire", "revive"]),
    "agents answer": Scene("agents", ["@codex-3", "R", "=main", "ctrl+s"], ["send", "ack"]),
    "agents write": Scene("agents", ["@claude-1", "m", "=where are you?", "ctrl+s"], ["send"]),
    "branches claim": Scene("branches", [f"@{EMOJI}", "c", "=mine", "enter"], ["branch claim"]),
    "branches release": Scene("branches", ["@docs/typos", "x"], ["branch release"]),
    "branches plan": Scene("branches", ["n", "=feat/later", "tab", "=soon", "enter"], ["branch claim"]),
    "branches free": Scene("branches", [f"@{CJK}", "X", f"={CJK}", *REASON], ["branch release"]),
    "branches write": Scene("branches", ["m", "=please leave", "ctrl+s"], ["send"]),
    "roadmap adds": Scene("roadmap", ["n", "=Write the guide", "ctrl+s"], ["work add"]),
    "roadmap sets": Scene("roadmap", ["s", "5"], ["work set"]),
    "roadmap imports": Scene("roadmap", ["i", "enter", "y"], ["work import"]),
    "roadmap moves down": Scene("roadmap", ["@W5", "ctrl+j"], ["work move"], True),
    "roadmap moves up": Scene("roadmap", ["@W6", "ctrl+k"], ["work move"], True),
    "roadmap moves in": Scene("roadmap", ["@W6", ">"], ["work move"], True),
    "roadmap moves out": Scene("roadmap", ["@W6", "<", "<"], ["work move", "work move"], True),
    "roadmap removes and restores": Scene(
        "roadmap", ["@W4", "x", "y", "[", "@W4", "V"], ["work remove", "work restore"], True
    ),
    "roadmap settles for the file": Scene("roadmap", ["@W5", "a"], ["work resolve"], True),
    "roadmap settles for the room": Scene("roadmap", ["]", "]", "@W5", "d"], ["work resolve"], True),
    "roadmap exports": Scene("roadmap", ["@W6", "s", "3", "E", "enter", "y"], ["work set", "work export"], True),
    "roadmap follows": Scene("roadmap", ["@W6", "F", "F", "F"], ["work follow"] * 3, True),
    "inbox reads and acks": Scene("inbox", ["enter", "escape", "a"], ["show", "ack"]),
    "inbox reminds": Scene("inbox", ["R", "=thanks", "ctrl+s", "u", "y"], ["send", "followup"]),
    "inbox acks all": Scene("inbox", ["A", "y"], ["ack"]),
    "inbox replies": Scene("inbox", ["R", "=thanks", "ctrl+s"], ["send"]),
    "inbox writes": Scene("inbox", ["m", "=hello", "ctrl+s"], ["send"]),
    "attention takes a part of an offer": Scene("attention", ["@handoff:H0000001", "a", "space", "enter"], RESPOND),
    "attention declines an offer": Scene("attention", ["@handoff:H0000001", "d", "=not now", "ctrl+s"], RESPOND),
    "claims claim": Scene("claims", ["c", "=README.md machine:native", "enter"], ["claim"]),
    "claims claim a completed path": Scene(
        "claims", ["c", "=README.md docs/n", "right", "enter"], ["claim"]
    ),
    "claims release": Scene("claims", ["@project:notes.md", "x"], ["release"]),
    "claims free": Scene("claims", ["@project:src/cart.py", "X", "=src/cart.py", *REASON], ["release"]),
    "claims free what is offered": Scene(
        "claims", ["@project:lib/検索.py", "X", "=lib/検索.py", *REASON], ["release"]
    ),
    "claims offer": Scene(
        "claims", ["@project:notes.md", "t", "=codex-3", "tab", "=done", "ctrl+s"], ["handoff request"]
    ),
    "claims offer what is marked": Scene(
        "claims", ["@project:notes.md", "space", "@branch:docs/typos", "space", "t", "=codex-3", "ctrl+s"],
        ["handoff request"],
    ),
    "claims ask": Scene("claims", ["@project:src/cart.py", "t", "=may I?", "ctrl+s"], ["handoff ask"]),
    "claims take an offer": Scene("claims", ["@H0000001", "a", "enter"], RESPOND),
    "claims take a part of an offer": Scene("claims", ["@H0000001", "a", "space", "j", "space", "enter"], RESPOND),
    "claims take an offer from its claim": Scene("claims", ["@project:lib/a.py", "a", "space", "enter"], RESPOND),
    "claims take an offer of one": Scene("claims", ["@H0000003", "a"], RESPOND),
    "claims decline": Scene("claims", ["@H0000001", "d", "=not now 🚀", "ctrl+s"], RESPOND),
    "claims take an offer back": Scene("claims", ["@H0000002", "x"], ["handoff cancel"]),
    "claims take an offer back from its claim": Scene("claims", ["@project:docs/guide.md", "x"], ["handoff cancel"]),
    "claims take back the offer of another": Scene("claims", ["@H0000001", "x", "y"], ["handoff cancel"]),
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
    write(made.repository, {"docs/notes/a.md": "a\n"})
    offer(made, Actor("codex-3"), "operator", "lib/a.py", "lib/検索.py", "machine:search", "branch:feat/auth")
    offer(made, made.operator, "codex-3", "docs/guide.md")
    offer(made, Actor("nimbus-2"), "operator", "src/room.py")
    write(made.repository, {"ROADMAP.md": PLAN})
    return made


def import_disputed(house: House) -> None:
    do(house, "work import", file="ROADMAP.md")
    do(house, "work set", id="W5", status="review")
    write(house.repository, {"ROADMAP.md": PLAN.replace("[ ] Rotate", "[/] Rotate")})
    assert len(do(house, "work import", file="ROADMAP.md").conflicts) == 1


def offer(house: House, me: Actor, to: str, *typed: str) -> None:
    house.claim(me, *typed)
    handoffs.request(house.room, me, house.resources(*typed), to, "over to you")


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
            await here.settle()  # a thread completes what was typed
        elif key.startswith("@"):
            wanted = next((id for id in here.ids if id.startswith(key[1:])), key)
            assert here.row_list.move_to(wanted), (key, here.ids)
            await here.settle()
        else:
            await here.press(key)


@pytest.mark.parametrize("name", SCENES)
async def test_the_lines_of_a_screen_make_the_same_room_by_hand(house: House, monkeypatch, capsys, name: str):
    scene = SCENES[name]
    if scene.plan:
        import_disputed(house)
    by_hand = os.path.join(house.folder, "copy")
    before = len(house.events())
    house.room.store.close()
    shutil.copytree(house.home, by_hand)
    files = os.path.join(house.folder, "files")
    shutil.copytree(house.repository, files, ignore=shutil.ignore_patterns(".git"))
    ids = copy.deepcopy(house.new_id)
    async with visit(house, scene.mode) as here:
        await play(here, scene.keys)
        entries = here.app.acts.log.entries
        assert [entry.error for entry in entries if entry.error] == []
    lines = [list(entry.argv) for entry in entries]
    assert [action_of(line) for line in lines if "--dry-run" not in line] == list(scene.does)

    shutil.copytree(files, house.repository, dirs_exist_ok=True)  # as they were before the screen wrote any
    monkeypatch.chdir(house.repository)
    monkeypatch.setenv("RELAY_HOME", by_hand)
    monkeypatch.setenv("RELAY_OPERATOR", "1")
    for line in lines:
        assert run(line[1:], clock=house.clock, new_id=ids) == 0, capsys.readouterr().err
    assert projections(by_hand) == projections(house.home)
    assert len(house.events()) > before  # the tables may be as they were: what was retired is back


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
