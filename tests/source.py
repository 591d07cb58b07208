"""The package's own source as syntax trees, for the tests that hold its rules."""

from __future__ import annotations

import ast
import os
from typing import NamedTuple

import relay_tui

ROOT = os.path.dirname(os.path.abspath(relay_tui.__file__))


class Module(NamedTuple):
    """`name` is dotted and without the package: `room.store`, `cli.texts`."""

    name: str
    text: str
    tree: ast.Module

    @property
    def layer(self) -> str:
        return self.name.partition(".")[0]


def modules(below: str = "") -> list[Module]:
    """Every module of the package, or of one layer of it."""
    return [
        _read(os.path.join(folder, file))
        for folder, _, files in sorted(os.walk(os.path.join(ROOT, below)))
        for file in sorted(files)
        if file.endswith(".py")
    ]


def _read(path: str) -> Module:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    name = os.path.relpath(path, ROOT).removesuffix(".py").replace(os.sep, ".").removesuffix(".__init__")
    return Module(name, text, ast.parse(text, path))
