from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.repo.git_fixture import commit, isolate_git, make_repository


@pytest.fixture(autouse=True)
def isolated_git(monkeypatch: pytest.MonkeyPatch) -> None:
    isolate_git(monkeypatch)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return os.path.realpath(tmp_path)


@pytest.fixture
def repository(folder: str) -> str:
    path = make_repository(f"{folder}/repo")
    commit(path, "first", {"a.txt": "a\n"})
    return path
