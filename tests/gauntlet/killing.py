"""What is killed: a line of each command that writes, with what must be there before and what proves it afterwards."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from typing import Any, NamedTuple

from relay_tui.actions.call import parse
from relay_tui.actions.perform import open_room, perform
from relay_tui.base.times import DAY, system_clock
from relay_tui.room.archives import Archived
from relay_tui.room.ledger import Actor
from relay_tui.room.store import Store

PLAN = "# Plan {t}\n\n- [%s] one {t}\n"
FILES = {"todo": PLAN % " ", "done": PLAN % "x"}


class Trial(NamedTuple):
    """`line` is to be killed after the lines of `before`, each `NAME: line`; `{t}` is a word that is new each time.

    `proof` stands in an event that the line writes. In both, `{M}` `{H}` `{W}` are the ids of the last message,
    offer and item of `before`, `{A}` is its archive; `old` says that those lines are eight days old, `apart` that
    the line is typed in a new folder, `back` that the event is one that was written long before. `todo: FILE` and
    `done: FILE` write a plan.
    """

    line: str
    before: tuple[str, ...] = ()
    proof: str = "{t}"
    old: bool = False
    apart: bool = False
    back: bool = False


_TO_ALICE = ("bob: send --to alice --message {t}",)
_ALONE_TO_ALICE = ("alice: inbox --limit 1000", "alice: ack --all", *_TO_ALICE)  # a page has fifty
_CLAIMED = ("alice: claim docs/{t}",)
_OFFERED = (*_CLAIMED, "alice: handoff request docs/{t} --to bob")
_ADDED = ("alice: work add --title {t}",)
_PLANNED = ("todo: {t}.md", "alice: work import --file {t}.md")
_DIFFERING = (*_PLANNED, "alice: work set {W} --status blocked")
_ARCHIVED = (*_CLAIMED, "bob: send --to alice --message later", "operator: log archive --before '0s ago'")
TRIALS = (
    Trial("init --room {t}", apart=True),
    Trial("join --as {t}"),
    Trial("status working --as alice --text {t}"),
    Trial("status waiting --as alice --needs bob --question {t}"),
    Trial("leave --as {t}", ("{t}: join",)),
    Trial("retire {t} --as operator", ("{t}: join",)),
    Trial("revive {t} --as operator", ("{t}: join", "operator: retire {t}")),
    Trial("prune --apply --as operator", ("{t}: join",), old=True),
    Trial("send --as alice --to bob --message {t} --attach README.md"),
    Trial("send --as alice --to '*' --message {t}"),
    Trial("inbox --as alice", _ALONE_TO_ALICE, "{M}"),
    Trial("show {M} --as alice", _TO_ALICE, "{M}"),
    Trial("ack {M} --as alice --note {t}", _TO_ALICE),
    Trial("followup --remind --as bob", _TO_ALICE, "{M}"),
    Trial("reconcile --as alice --session {t} --take {M}", (*_TO_ALICE, "alice: show {M}")),
    Trial("watch --as alice --timeout 0", _ALONE_TO_ALICE, "{M}"),
    Trial("claim docs/{t} --as alice"),
    Trial("release docs/{t} --as alice", _CLAIMED),
    Trial("handoff request docs/{t} --to bob --as alice", _CLAIMED),
    Trial("handoff respond {H} --accept --as bob", _OFFERED, "{H}"),
    Trial("handoff cancel {H} --as alice", _OFFERED, "{H}"),
    Trial("handoff ask docs/{t} --as bob", _CLAIMED),
    Trial("branch claim {t} --new --as alice"),
    Trial("branch release {t} --as alice", ("alice: branch claim {t} --new",)),
    Trial("work add --title {t} --as alice"),
    Trial("work set {W} --status done --as alice", _ADDED, '"{W}"'),
    Trial("work move {W} --root --as alice", ("alice: work add --title {t}", "alice: work add --parent {W} --title x"),
          '"{W}"'),
    Trial("work remove {W} --as alice", _ADDED, '"{W}"'),
    Trial("work restore {W} --as alice", (*_ADDED, "alice: work remove {W}"), '"{W}"'),
    Trial("work import --file {t}.md --as alice", ("todo: {t}.md",)),
    Trial("work follow --file {t}.md --as alice", _PLANNED),
    Trial("work export --file {t}.md --as alice", _DIFFERING),
    Trial("work resolve {W} status file --as alice",
          (*_DIFFERING, "done: {t}.md", "alice: work import --file {t}.md"), '"{W}"'),
    Trial("log archive --before '0s ago' --as operator", _TO_ALICE, "log.archived"),
    Trial("log attach {A} --as operator", _ARCHIVED, back=True),
)  # fmt: skip
# Commands that write and have no trial here, and why.
_STEP_BY_STEP = "tests/room/test_keeping.py kills it line by line, and looks at the file"
_NO_EVENT = "it writes files of the project, and nothing of the room"
ELSEWHERE = {
    "backup": _STEP_BY_STEP,
    "export": _STEP_BY_STEP,
    "restore": _STEP_BY_STEP,
    "fetch": _NO_EVENT,
    "hooks install": _NO_EVENT,
    "hooks uninstall": _NO_EVENT,
    "setup": _NO_EVENT,
    "launch": "it joins and claims as those two do, and then is another program",
    "wake": "it needs an agent's client that runs; tests/actions/test_wake.py has what a death in between leaves",
}


class Scene:
    """A home in a repository, where the lines before are performed in this process; nothing stays open."""

    def __init__(self, home: str, repository: str) -> None:
        self.home = home
        self.repository = repository
        for name in ("alice", "bob"):
            self._perform(name, "join", system_clock)

    def prepare(self, trial: Trial, token: str) -> Callable[[str], str]:
        """Perform what must be there before; returns what puts this trial's own words into a text."""
        words = {"t": token}
        clock = (lambda: system_clock() - 8 * DAY) if trial.old else system_clock
        for said in trial.before:
            name, _, line = fill(said, words).partition(": ")
            if name in FILES:
                with open(os.path.join(self.repository, line), "w", encoding="utf-8") as file:
                    file.write(fill(FILES[name], words))
            else:
                words.update(ids_of(self._perform(name, line, clock)))
        return lambda text: fill(text, words)

    def _perform(self, name: str, line: str, clock: Callable[[], int]) -> Any:
        call = parse(shlex.split(line))
        assert call is not None, line
        store = Store(self.home)
        try:
            room = open_room(store, self.repository, None, clock=clock)
            return perform(call, room, Actor(name, None, "cli", at_keyboard=name == "operator"))
        finally:
            store.close()


def fill(text: str, words: dict[str, str]) -> str:
    for name, word in words.items():
        text = text.replace(f"{{{name}}}", word)
    return text


def ids_of(result: Any) -> dict[str, str]:
    """The id of what a line made, under the letter that ids of its kind begin with; an archive's name as `A`."""
    if isinstance(result, Archived):
        return {"A": os.path.basename(str(result.file))}
    holders = (result, getattr(result, "handoff", None), getattr(result, "item", None), *getattr(result, "added", ()))
    for found in (getattr(holder, "id", None) for holder in reversed(holders)):
        if isinstance(found, str) and re.match("[MHW]", found):
            return {found[0]: found}
    return {}
