"""Leaving out block rules that no line can answer to changes no block."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from relay_tui.roadmap.outline import find_idle_rules

PIECES = (
    "- ", "* ", "+ ", "1. ", "2) ", "> ", ">", "-", "--", "---", "===", "=", "***", "* * *", "___", "```", "~~~", "|",
    "|-|", "a | b", "# ", "##", "<div>", "<!--", "-->", "[x]: y", "[ ] ", "word", " ", "  ", "    ", "\t", "\n", "\n\n",
    "\r", "\r\n", "\u2028", "\x0b",
)  # fmt: skip


def blocks(source: str, left_out: list[str]) -> list[tuple[object, ...]]:
    parser = MarkdownIt("commonmark").enable("table").disable(left_out)
    parser.core.ruler.enableOnly(["normalize", "block"])
    return [(token.type, token.tag, token.level, token.map, token.content) for token in parser.parse(source)]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_the_blocks_are_those_of_all_rules(source: str) -> None:
    assert blocks(source, find_idle_rules(source)) == blocks(source, [])


@pytest.mark.parametrize(
    ("source", "needed"),
    [
        ("- a\n  ---\n", {"hr", "lheading"}),
        ("> 1) * * *  \n", {"blockquote", "hr", "lheading"}),
        ("Title\n=", {"hr", "lheading"}),
        ("1. ~~~\n", {"fence"}),
        ("a|b\n-|-\n", {"table"}),
        ("- [ ] x <!-- relay:W1 -->\n", {"html_block", "blockquote"}),
        ("[a]: b\n", {"reference"}),
    ],
)
def test_a_rule_whose_sign_stands_somewhere_is_not_left_out(source: str, needed: set[str]) -> None:
    assert not needed & set(find_idle_rules(source))


def test_a_plan_of_headings_and_boxes_needs_none_of_them() -> None:
    source = "# Plan\n\n## Phase\n\n- [ ] one @ana #ui !high\n  - [x] two\n"
    assert set(find_idle_rules(source)) == {
        "table", "fence", "blockquote", "reference", "html_block", "hr", "lheading",
    }  # fmt: skip
