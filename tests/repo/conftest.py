from __future__ import annotations

import pytest

from tests.repo.git_fixture import isolate_git


@pytest.fixture(autouse=True)
def isolated_git(monkeypatch: pytest.MonkeyPatch) -> None:
    isolate_git(monkeypatch)
