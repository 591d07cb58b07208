"""Modules by name, for the hot path: what `importlib.import_module` does, without loading `importlib`."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def import_module(name: str) -> ModuleType:
    """The module of that absolute name, loaded where it was not. Raises `ImportError`."""
    __import__(name)
    return sys.modules[name]
