"""What a repository of 200 worktrees and 2,000 branches costs relay.

The floor is one process that imports GitPython and runs the two git commands that the rows are made of.
"""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.terminal import Terminal
from tests.bench.timing import Ratio, clean_environment, compare, process, within

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bench.stage import BenchStage, Size

FILES = 20

FLOOR = """
import git, subprocess, sys
for words in (
    ("worktree", "list", "--porcelain", "-z"),
    ("for-each-ref", "--format=%(refname)%00%(objectname)%00%(upstream)%00%(symref)%00%(committerdate:unix)",
     "refs/heads", "refs/remotes/origin/HEAD"),
):
    subprocess.run(["git", "-C", sys.argv[1], *words], check=True, capture_output=True)
"""


def build_repository(folder: Path, worktrees: int, branches: int) -> Path:
    """Branches `b-0000` …, one commit each, their refs packed; the first ones checked out beside the repository."""
    repository = folder / "wide"
    repository.mkdir(parents=True)
    _git(repository, "init", "--quiet", "--initial-branch=main")
    _git(repository, "fast-import", "--quiet", stdin="".join(_history(branches)))
    _git(repository, "reset", "--quiet", "--hard", "main")
    _git(repository, "pack-refs", "--all")
    for number in range(worktrees):
        _git(repository, "worktree", "add", "--quiet", f"../trees/{number:04}", f"b-{number:04}")
    return repository


def measure(stage: BenchStage, size: Size) -> Iterator[Ratio]:
    """Reading the rows from nothing, and from a commit elsewhere to its row on the screen."""
    branches = size.branches
    repository = str(build_repository(stage.folder / "branches", size.worktrees, branches))
    environ = clean_environment(stage.home)
    process([stage.relay, "join", "--as", "a"], environ, repository)()
    process([stage.relay, "branch", "claim", f"b-{branches - 1:04}", "--as", "a"], environ, repository)()
    rows = process([stage.relay, "branches", "--json"], environ, repository)
    floor = process([stage.python, stage.script("git_floor.py", FLOOR), repository], environ, repository)
    name = f"relay branches of {branches:,} / GitPython + two gits"
    yield compare(name, rows, floor, size.rounds, 1.3)
    yield commit_to_row(stage, environ, repository, size.rounds // 2 + 1)


def commit_to_row(stage: BenchStage, environ: dict[str, str], repository: str, rounds: int) -> Ratio:
    """From a commit elsewhere, on the first branch of the screen, to its subject in the detail; the floor is 1 s."""
    took = []
    with Terminal([stage.relay], environ, repository) as terminal:
        terminal.see("Attention")
        terminal.type("3")
        terminal.see("d shows the diff")
        for number in range(rounds):
            time.sleep(0.5)
            mark = f"elsewhere-{number:04}"
            tree, head = "b-0000^{tree}", "refs/heads/b-0000"
            made = _git(Path(repository), "commit-tree", "-p", head, "-m", mark, tree).strip()
            _git(Path(repository), "update-ref", head, made)
            committed = time.perf_counter() - terminal.began
            took.append(terminal.see(mark) - committed)
    return within("commit elsewhere to its row / 1 s", took, 1.0)


def _history(branches: int) -> Iterator[str]:
    """A stream for `git fast-import`: main with its files, and a commit on every branch."""
    who = "committer bench <bench@relay.invalid> 1796029200 +0000"
    yield f"commit refs/heads/main\nmark :1\n{who}\ndata 3\none\n"
    yield from (f"M 100644 inline src/{number:04}.py\ndata 2\nx\n\n" for number in range(FILES))
    for number in range(branches):
        yield f"commit refs/heads/b-{number:04}\n{who}\ndata 3\ntwo\nfrom :1\n"
        yield f"M 100644 inline new/{number:04}.py\ndata 2\ny\n\n"


def _git(folder: Path, *words: str, stdin: str = "") -> str:
    options = ["-c", "user.name=bench", "-c", "user.email=bench@relay.invalid"]
    command = ["git", "-C", str(folder), *options, *words]
    return subprocess.run(command, check=True, capture_output=True, input=stdin, text=True).stdout
