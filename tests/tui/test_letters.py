from __future__ import annotations

import ast
import io
from pathlib import Path

from relay_tui.tui.widgets.letters import write_ascii


def test_what_is_drawn_stays_ascii_and_as_wide():
    drawn = io.BytesIO()
    stream = io.TextIOWrapper(drawn, encoding="utf-8")
    write_ascii(stream)
    stream.write("a · b → c … │ 日本 ü e\u0301\x1b[1m")
    stream.flush()
    assert drawn.getvalue() == b"a . b > c . | ???? ? e\x1b[1m"


def test_every_sign_that_the_screen_draws_has_a_letter():
    """Marks of states have theirs in `glyphs`; any other sign in a sentence of the screen needs a stand-in."""
    drawn: dict[str, str] = {}
    for path in Path("relay_tui/tui").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
        texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in told)
        if path.name not in ("glyphs.py", "letters.py", "content.py"):
            drawn |= {char: path.name for text in texts if isinstance(text, str) for char in text}
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="utf-8")
    write_ascii(stream)
    signs = "".join(char for char in drawn if not char.isascii())
    stream.write(signs)
    stream.flush()
    letters = dict(zip(signs, written.getvalue().decode(), strict=True))
    assert not {char: drawn[char] for char in signs if letters[char] == "?"}
