"""What is measured: relay's wheel in a fresh environment, a repository, and a room with the agents `a` and `b`."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import NamedTuple

from relay_tui.actions.perform import open_room
from relay_tui.room import registry
from relay_tui.room.ledger import Actor
from relay_tui.room.store import Store

ROOT = Path(__file__).parents[2]

FLOOR = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA synchronous = FULL")
db.execute("BEGIN IMMEDIATE")
db.execute("INSERT INTO t VALUES (1)")
db.execute("COMMIT")
"""
TYPER_HELLO = """
import typer
app = typer.Typer(rich_markup_mode=None, add_completion=False)
@app.command()
def hello(name: str = "x") -> None:
    typer.echo(name)
app()
"""
MINIMAL_APP = """
from textual.app import App
from textual.widgets import Static
class Minimal(App):
    BINDINGS = [("q", "quit", "Quit")]
    def compose(self):
        yield Static("minimal-first-frame")
Minimal().run()
"""


class Size(NamedTuple):
    """How much is measured; `--quick` takes little of everything."""

    rounds: int
    messages: int
    growth: tuple[int, ...]  # messages and claims of the rooms in which steps are counted
    worktrees: int
    branches: int
    writers: int
    events: int
    items: int  # of a plan
    seconds: float  # of one storm, and of looking at what is idle


FULL = Size(
    rounds=40, messages=1_000_000, growth=(1_000, 20_000, 200_000), worktrees=200, branches=2_000, writers=32,
    events=50_000, items=10_000, seconds=10,
)  # fmt: skip
QUICK = Size(
    rounds=3, messages=20_000, growth=(1_000, 20_000), worktrees=5, branches=50, writers=4,
    events=2_000, items=2_000, seconds=0.5,
)  # fmt: skip


class BenchStage:
    """Everything below one temporary folder; `python` and `relay` are those of the fresh environment, or of
    `programs`, a folder that has them."""

    def __init__(self, folder: Path, programs: Path | None = None) -> None:
        self.folder = folder
        self.home = str(folder / "home")
        self.repository = folder / "repo"
        self.python, self.relay = (str((programs or folder / "venv" / "bin") / name) for name in ("python", "relay"))
        if programs is None:
            self._install()
        self._make_floor()
        make_repository(self.repository)
        for name in ("a", "b"):
            registry.join(open_room(Store(self.home), str(self.repository), None), Actor(name), registry.Joining())

    def script(self, name: str, text: str) -> str:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def _install(self) -> None:
        venv.create(self.folder / "venv", with_pip=True)
        pip = [self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        environ = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        subprocess.run([*pip, "--upgrade", "pip"], check=True, env=environ)
        subprocess.run([*pip, str(ROOT)], check=True, env=environ)

    def _make_floor(self) -> None:
        import sqlite3

        self.floor_db = str(self.folder / "floor.db")
        db = sqlite3.connect(self.floor_db)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE t (x)")
        db.close()


def make_repository(folder: Path) -> None:
    git = ["git", "-C", str(folder), "-c", "user.name=bench", "-c", "user.email=bench@relay.invalid"]
    folder.mkdir()
    subprocess.run([*git, "init", "--quiet", "--initial-branch=main"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "--message=one"], check=True)


def describe_machine() -> str:
    import sqlite3

    return f"Python {sys.version.split()[0]}, SQLite {sqlite3.sqlite_version}, {os.cpu_count()} cores"
