"""The documentation says what the code does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from relay_tui.base.key_ids import KEY_IDS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("script", ["generate.py", "performance.py"])
def test_what_a_script_writes_is_current(script: str) -> None:
    checked = subprocess.run(
        [sys.executable, f"docs/{script}", "--check"], cwd=ROOT, capture_output=True, text=True,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}, check=False,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stderr


def test_every_id_of_a_key_in_the_documentation_is_known_to_who_checks_relay_toml() -> None:
    table = (ROOT / "docs/configuration.md").read_text(encoding="utf-8").partition("<!-- keys -->")[2]
    named = {row.split("`")[1] for row in table.partition("<!-- /keys -->")[0].splitlines() if row.startswith("| `")}
    assert named == KEY_IDS


def test_links_between_documents_lead_somewhere() -> None:
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for link in document.read_text(encoding="utf-8").split("](")[1:]:
            target = link.split(")")[0].split("#")[0]
            if target and "://" not in target:
                assert (document.parent / target).exists(), f"{document.name} → {target}"
