"""The person's editor: how it is named, and that it gets the terminal and the line, in a real terminal."""

from __future__ import annotations

import os
import sys

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.tui.acts.editor import editor_words
from tests.bench.terminal import Terminal
from tests.repo.git_fixture import isolate_git
from tests.tui.plans import imported, item, make_house

RELAY = "import sys; sys.argv[0] = 'relay'; from relay_tui.cli.start import main; main()"
EDITOR = """
import sys
print("editing " + " ".join(sys.argv[1:]), flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"EDITOR": "vim"}, ["vim"]),
        ({"VISUAL": "code --wait", "EDITOR": "vim"}, ["code", "--wait"]),
        ({"VISUAL": "", "EDITOR": "'/opt/my editor' -n"}, ["/opt/my editor", "-n"]),
    ],
)
def test_visual_goes_before_editor_and_words_are_split_as_a_shell_does(said: dict[str, str], words: list[str]):
    assert editor_words(said) == words


@pytest.mark.parametrize("said", [{}, {"EDITOR": "  "}, {"EDITOR": "'vim"}])
def test_what_names_no_editor_is_refused_with_what_to_set(said: dict[str, str]):
    with pytest.raises(RelayError) as refused:
        editor_words(said)
    assert "EDITOR" in refused.value.hint


def test_the_editor_gets_the_terminal_at_the_line_and_gives_it_back(tmp_path, monkeypatch):
    isolate_git(monkeypatch)
    house = imported(make_house(tmp_path))
    editor = tmp_path / "editor.py"
    editor.write_text(EDITOR, encoding="utf-8")
    house.room.store.close()
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    environ = {
        **os.environ,
        "RELAY_HOME": house.home,
        "PYTHONPATH": here,
        "EDITOR": f"'{sys.executable}' '{editor}' -n",
    }
    environ.pop("VISUAL", None)
    line = item(house, "Relay 0.4").source.line
    with Terminal([sys.executable, "-c", RELAY], environ, house.repository) as terminal:
        terminal.see("Attention")
        terminal.type("4")
        terminal.see("Rotating tokens")
        terminal.type("O")
        terminal.see(f"editing -n +{line} {os.path.join(house.repository, 'ROADMAP.md')}")
        terminal.type("\n")
        terminal.see("Rotating tokens")
