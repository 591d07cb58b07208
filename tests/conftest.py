"""What holds for every test: how many run at once."""

from __future__ import annotations

import os

import pytest


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """For `-n auto`: two a core, since a test of a screen or of two processes waits half of its time."""
    return 2 * (os.cpu_count() or 1)
