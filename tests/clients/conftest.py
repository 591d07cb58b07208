"""Where the real clients are: in the folder that npm put them into, or on PATH.

npm install --prefix .clients/whole $(cat tests/clients/packages.txt)
RELAY_TEST_CLIENTS=.clients/whole pytest tests/clients
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.desk import Desk, make_claude_at_home, make_codex_at_home
from tests.clients.recording import UPDATE, keep_recordings

FOLDER = "RELAY_TEST_CLIENTS"


@pytest.fixture
def claude(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(str(tmp_path), "claude", _find("claude"), keeps=UPDATE)
    make_claude_at_home(desk)
    yield from _used(desk)


@pytest.fixture
def codex(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(str(tmp_path), "codex", _find("codex"), keeps=UPDATE)
    make_codex_at_home(desk)
    yield from _used(desk)


def _used(desk: Desk) -> Iterator[Desk]:
    yield desk
    desk.api.close()
    desk.house.assert_whole()
    if UPDATE:
        keep_recordings(desk)


def _find(client: str) -> str:
    """The client's program; a test without it is skipped."""
    folder = os.environ.get(FOLDER)
    path = os.path.join(folder, "node_modules", ".bin") if folder else None
    program = shutil.which(client, path=path)
    if program is None:
        pytest.skip(f"{client} is not here: let npm install what packages.txt lists, and name the folder in {FOLDER}.")
    return os.path.abspath(program)
