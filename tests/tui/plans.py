"""A room with a plan: a real Markdown file, imported, and what agents have done about it since."""

from __future__ import annotations

import os
from typing import Any

from relay_tui.actions.call import Call
from relay_tui.actions.perform import perform
from relay_tui.room.ledger import Actor
from relay_tui.room.work import Item, flatten, read_tree
from tests.repo.git_fixture import commit, make_repository
from tests.room_fixture import House

ROADMAP = """\
# Relay 0.4 launch

## Rotating tokens

### Server side @nimbus-2

- [x] Sign tokens with two keys @nimbus-2 branch:feat/auth
- [/] Rotate keys while serving @codex-3 branch:feat/auth due:2026-11-27 #security !high
  - [x] Read both keys
  - [ ] Drop the old one after an hour
- [!] Reject tokens of the old format due:2026-12-04

### Client side

- [ ] トークンの更新を再試行する @claude-1
- [?] Show 🔑 who is signed in 👩‍👩‍👧 @claude-1 branch:feat/cart

## Work tree

### Import

- [x] Headings and nested boxes
- [ ] Retitles, moves and reorders, told from additions by their place and their old title @vector-4
- [-] A cache nobody asked for
- [ ] [/] [@click=app.quit]x[/] $error [b]bold[/b]

- a bullet that is no task
"""


def make_house(tmp_path: Any, plan: str = ROADMAP) -> House:
    """A room over a repository of its own, whose ROADMAP.md is not imported yet."""
    repository = make_repository(os.path.join(str(tmp_path), "shop-api"))
    commit(repository, "first", {"README.md": "a\n"})
    write_plan(repository, plan)
    house = House(str(tmp_path), repository=repository)
    house.join("codex-3", runner="codex")
    house.join("claude-1", runner="claude")
    return house


def write_plan(repository: str, plan: str) -> None:
    with open(os.path.join(repository, "ROADMAP.md"), "w", encoding="utf-8") as file:
        file.write(plan)


def do(house: House, action: str, me: Actor | None = None, **values: Any) -> Any:
    """Another process does something."""
    return perform(Call(action, values), house.enter(house.repository), me or house.operator)


def imported(house: House) -> House:
    do(house, "work import", file="ROADMAP.md")
    return house


def item(house: House, title: str) -> Item:
    """The item whose title begins so, as the room has it now."""
    found = [one for one in flatten(read_tree(house.room).items) if one.title.startswith(title)]
    assert len(found) == 1, [one.title for one in found]
    return found[0]
