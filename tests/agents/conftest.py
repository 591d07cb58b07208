"""A room, and a client's session in it that calls relay's hooks as the client would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from relay_tui.agents.hook_call import HookCall, read_call
from relay_tui.agents.hooks import EVENTS, Answer, visit_of
from relay_tui.room.ledger import Actor
from tests.repo.git_fixture import commit, make_repository
from tests.room_fixture import House

SESSION = "7c1f0c9e-0000-4000-8000-000000000000"


class Client:
    """One session of an agent's client, standing in the repository of a house."""

    def __init__(
        self, house: House, session: str = SESSION, folder: str | None = None, client: str = "claude", **environ: str
    ) -> None:
        self.house = house
        self.client = client
        self.session = session
        self.folder = folder or house.repository
        self.environ = environ

    def said(self, **more: Any) -> HookCall:
        document = json.dumps({"session_id": self.session, "cwd": self.folder, **more})
        return read_call(document, self.client, self.environ, "/")

    def hook(self, event: str, *, advise: bool = False, **more: Any) -> Answer:
        room = self.house.enter(self.folder)
        answer = EVENTS[event](visit_of(room, self.said(**more), self.environ, advise=advise))
        if not self.house.room.exists:  # made by the first session that joined
            self.house.room = self.house.enter(self.house.repository)
        return answer

    def start(self) -> str:
        """The session begins; returns the name it joined under."""
        self.hook("session-start", source="startup")
        return str(self.house.rows("SELECT name FROM agents WHERE session = ?", self.session)[0][0])

    def told(self, event: str, **more: Any) -> str:
        """The text that an event puts before the model; "" for none."""
        document = self.hook(event, **more).document
        return str(document["hookSpecificOutput"]["additionalContext"]) if document else ""

    def edit(self, path: str, **more: Any) -> Answer:
        return self.hook("guard", tool_name="Edit", tool_input={"file_path": path}, **more)


@pytest.fixture(scope="session")
def repository(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = make_repository(str(tmp_path_factory.mktemp("shared") / "Shop API"))
    commit(made, "first", {"src/auth/login.py": "a\n", "README.md": "b\n"})
    return made


@pytest.fixture
def house(tmp_path: Path, repository: str) -> House:
    return House(str(tmp_path), repository=repository)


@pytest.fixture
def client(house: House) -> Client:
    return Client(house)


@pytest.fixture
def b(house: House) -> Actor:
    return house.join("b")
