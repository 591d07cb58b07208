"""The skill file that Claude Code gets: of the form that agents read, and with lines that relay understands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import relay_tui.wiring
from relay_tui.actions.call import parse
from relay_tui.wiring.clients import wiring_of

SKILL = (Path(relay_tui.wiring.__file__).parent / "skill.md").read_text("utf-8")


def test_it_begins_as_a_skill_of_the_name_of_its_folder() -> None:
    (path,) = [one.path for one in wiring_of("claude").project if one.path.endswith("SKILL.md")]
    head = SKILL.split("---\n")[1]
    assert f"name: {path.split('/')[-2]}\n" in head
    description = " ".join(head.split("description: >-\n")[1].split())
    assert 0 < len(description) <= 1024


def test_every_line_in_it_is_one_that_relay_understands() -> None:
    lines = re.findall(r"^- `relay (.+?)`: ", SKILL, re.MULTILINE)
    assert len(lines) > 15
    assert [line for line in lines if parse(shlex.split(line)) is None] == []


def test_it_is_short() -> None:
    assert len(SKILL) < 4000
