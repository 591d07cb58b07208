"""What a plan of 10,000 items costs to import, to show and to walk through.

Imports are measured in process, against parsing the same file by the same block rules and against reading and
hashing it; the screen in a real terminal, against the same screen over 100 items.
"""

from __future__ import annotations

import time
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from relay_tui.actions.perform import open_room
from relay_tui.actions.plans import import_plan
from relay_tui.room.ledger import Actor
from relay_tui.room.store import Store
from tests.bench.stage import make_repository
from tests.bench.terminal import Terminal
from tests.bench.timing import Ratio, clean_environment, compare, timed, within

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from relay_tui.room.rooms import Room
    from tests.bench.stage import BenchStage, Size

FEW = 100
A_PHASE, AN_EPIC = 10, 100  # epics in a phase, tasks in an epic
KEY = 0.1  # seconds
OPERATOR = Actor("operator", None, "cli", at_keyboard=True)


def plan_of(items: int) -> str:
    """A roadmap of phases, epics and tasks: so many items in all, every fourth of the tasks done."""
    lines = ["# The whole plan", ""]
    made = 1
    for number in count():
        if made >= items:
            break
        if number % AN_EPIC == 0:
            epic = number // AN_EPIC
            if epic % A_PHASE == 0:
                lines += ["", f"## Phase {epic // A_PHASE:02}", ""]
                made += 1
            lines += ["", f"### Epic {epic:03}", ""]
            made += 1
        lines.append(f"- [{'x' if number % 4 == 0 else ' '}] Task {number:05} @agent-{number % 7} #area-{number % 5}")
        made += 1
    return "\n".join([*lines, ""])


def measure(stage: BenchStage, size: Size) -> Iterator[Ratio]:
    few = size.rounds // 4 + 1
    yield from measure_imports(stage.folder / "imports", few, size.items)
    large, small = (_Shown(stage.relay, stage.folder / f"shown-{items}", items) for items in (size.items, FEW))
    yield compare(
        f"Roadmap of {size.items:,} items / of {FEW}, first paint", large.first_paint, small.first_paint,
        few, 1.5,
    )  # fmt: skip
    yield from large.keys(size.rounds)


# Imports


def measure_imports(folder: Path, rounds: int, items: int) -> Iterator[Ratio]:
    folder.mkdir()
    repository = folder / "repo"
    make_repository(repository)
    plan, source = repository / "ROADMAP.md", plan_of(items)
    plan.write_text(source, encoding="utf-8")
    parse, homes = timed(lambda: _parse_blocks(plan)), count()

    def first() -> float:
        room = _enter(folder / f"home-{next(homes)}", repository)
        took = timed(lambda: _import(room))()
        room.store.close()
        return took

    yield compare(f"first import of {items:,} items / block parse", first, parse, rounds, 1.5)
    room = _enter(folder / "home", repository)
    _import(room)
    before = _count_events(room)
    again = timed(lambda: _import(room), 20)
    yield compare("the same file again / read and hash it", again, timed(lambda: _hash(plan), 20), rounds, 1.5)
    if _count_events(room) != before:
        raise SystemExit("importing the same file again has written an event")
    turns, task = count(), f"Task {items // 2 + 1:05}"

    def changed() -> float:
        box = f"[x] {task}" if next(turns) % 2 == 0 else f"[ ] {task}"
        plan.write_text(source.replace(f"[ ] {task}", box), encoding="utf-8")
        return timed(lambda: _import(room))()

    yield compare("import with one box changed / block parse", changed, parse, rounds, 1.3)
    room.store.close()


def _enter(home: Path, repository: Path) -> Room:
    return open_room(Store(str(home), keep_open=True), str(repository), None)


def _import(room: Room) -> None:
    import_plan(room, OPERATOR, file="ROADMAP.md")


def _parse_blocks(plan: Path) -> None:
    """What any reader of a plan has to do: every block rule that relay reads one by. Those that this file has no sign
    of are tried here, and relay leaves them out; Python collects garbage meanwhile, as it does by itself."""
    parser = MarkdownIt("commonmark").enable("table").disable("reference")
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.parse(plan.read_text(encoding="utf-8"))


def _hash(plan: Path) -> None:
    sha256(plan.read_bytes()).hexdigest()


def _count_events(room: Room) -> int:
    with room.reading() as db:
        found: int = db.execute("SELECT count(*) FROM events").fetchone()[0]
        return found


# The screen


class _Shown:
    """A room over such a plan, and the Roadmap of it in a terminal."""

    def __init__(self, relay: str, folder: Path, items: int) -> None:
        folder.mkdir()
        self._relay, self._repository, self._home = relay, folder / "repo", str(folder / "home")
        make_repository(self._repository)
        self._items, self._plan = items, plan_of(items)
        (self._repository / "ROADMAP.md").write_text(self._plan, encoding="utf-8")
        room = _enter(folder / "home", self._repository)
        _import(room)
        room.store.close()

    def _open(self) -> Terminal:
        environ = clean_environment(self._home)
        terminal = Terminal([self._relay], environ, str(self._repository))
        terminal.see("Attention")
        time.sleep(1.0)
        return terminal

    def first_paint(self) -> float:
        """From the key of the screen to the first rows of its tree."""
        with self._open() as terminal:
            began = time.perf_counter() - terminal.began
            terminal.type("4")
            return terminal.see("The whole plan") - began

    def keys(self, rounds: int) -> Iterator[Ratio]:
        """From a key to what it changes; the keys behind it lead back to where it began, on the first epic."""
        last = self._plan[self._plan.rindex("Epic ") :][: len("Epic 000")]
        told = (("move down", "j", "Epic 001", "k"), ("unfold an epic", "l", "Task 00000", "h"),
                ("the last row", "G", last, "gjj"), ("choose a status", "s", "cancelled", "\x1b"))  # fmt: skip
        with self._open() as terminal:
            terminal.type("4")
            terminal.see("The whole plan")
            time.sleep(2.0)
            terminal.type("gjj")
            for name, key, text, back in told:
                yield self._key(terminal, name, (key, text, back), rounds)

    def _key(self, terminal: Terminal, name: str, said: tuple[str, str, str], rounds: int) -> Ratio:
        key, text, back = said
        took = []
        for _ in range(rounds):
            terminal.forget()
            began = time.perf_counter() - terminal.began
            terminal.type(key)
            took.append(terminal.see(text) - began)
            terminal.type(back)
        return within(f"key at {self._items:,} items, {name} / {1000 * KEY:.0f} ms", took, KEY)
