from __future__ import annotations

import pytest
from rich.text import Text
from textual.content import Content

from relay_tui.tui.widgets.content import LINE_SHOWN, MOST_SHOWN, block, facts, lines, one_line
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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\U0001f5d3\ufe0f Q1", "\U0001f5d3 Q1"),
        ("\u26a0\ufe0f x", "\u26a0 x"),
        ("\U0001f469\u200d\U0001f469\u200d\U0001f467 x", "\U0001f469\U0001f469\U0001f467 x"),
        ("\U0001f44d\U0001f3fd\U0001f44d", "\U0001f44d\U0001f44d"),
        ("\U0001f3f3\ufe0f\u200d\U0001f308", "\U0001f3f3\U0001f308"),
        ("\u0915\u094d\u200d\u0937", "\u0915\u094d\u200d\u0937"),
    ],
)
def test_pictures_that_terminals_draw_in_different_widths_stand_each_for_itself(text: str, shown: str):
    assert one_line(text).plain == block(text).plain == shown


def test_what_stands_around_a_picture_keeps_its_style():
    line = one_line(Content.assemble(("a \u26a0\ufe0f b", "bold"), " c"))
    assert line.plain == "a \u26a0 b c"
    assert {line.plain[span.start : span.end] for span in line.spans if span.style == "bold"} == {"a \u26a0", " b"}


@pytest.mark.parametrize("kind", [str, Text, Content])
def test_a_megabyte_in_a_line_is_cut_before_it_is_measured(kind: type):
    assert len(one_line(kind("é\x1b" * 500_000))) <= LINE_SHOWN * len("\\x1b")


def test_of_a_megabyte_behind_a_label_the_beginning_is_shown():
    assert len(facts([("task", "é中 " * 300_000)])) <= len("task  ") + MOST_SHOWN
