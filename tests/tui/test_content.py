from __future__ import annotations

import pytest
from rich.text import Text
from textual.content import Content

from relay_tui.tui.widgets.content import block, facts, lines, one_line
from tests.tui.stages import HOSTILE


@pytest.mark.parametrize("text", HOSTILE)
def test_a_string_is_literal_and_inert(text: str):
    line = one_line(text)
    assert not line.spans
    assert line.plain.isprintable()


def test_markup_in_a_string_is_kept_letter_by_letter():
    assert one_line("[b]$error[/b][@click=app.quit]x[/]").plain == "[b]$error[/b][@click=app.quit]x[/]"


@pytest.mark.parametrize("kind", [Text, Content])
def test_styled_words_that_are_not_clean_lose_their_style_and_not_their_harmlessness(kind: type):
    line = one_line(kind("a\x1b[31m"))
    assert line.plain == "a\\x1b[31m"
    assert not line.spans


def test_clean_styled_words_keep_their_style():
    assert one_line(Content.styled("ok", "$success")).spans[0].style == "$success"
    assert one_line(Text("ok", style="bold")).spans


def test_a_block_keeps_its_lines_and_nothing_else():
    assert block("a\r\n\tb\x07").plain == "a\n    b\\x07"
    assert lines(["a\x1b", "b"]).plain == "a\\x1b\nb"


def test_facts_are_aligned():
    assert facts([("claim", "x"), ("also live", "y\x9b")]).plain == "claim      x\nalso live  y\\x9b"
