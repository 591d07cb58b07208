"""What finds blocks sooner changes none: rules left out that no line can answer to, and boxes read in a row."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from relay_tui.roadmap.blocks import BOXES, DEEPEST_LIST, find_idle_rules, make_parser, read_blocks
from relay_tui.roadmap.lines import split_lines
from relay_tui.roadmap.outline import make_outline

PIECES = (
    "- ", "* ", "+ ", "1. ", "2) ", "> ", ">", "-", "--", "---", "===", "=", "***", "* * *", "___", "```", "~~~", "|",
    "|-|", "a | b", "# ", "##", "<div>", "<!--", "-->", "[x]: y", "[ ] ", "word", " ", "  ", "    ", "\t", "\n", "\n\n",
    "\r", "\r\n", "\u2028", "\x0b",
)  # fmt: skip


# Box lines among all that they may stand in, end or go on.
LINES = (
    "- [ ] a", "- [x] b", "* [ ] c", "+ [-] d  ", "- [ ]", "- [ ]  e", "-  [ ] f", "- [x]: g", "- [ ] h | i", "- [x]j",
    "- [!] --> ```", "1. [ ] k", "- l", "- - [ ] m", "word", "# head", "", "", "---", "===", "|-|-|", "x | y", "```",
    "~~~", "<!--", "-->", "<div>", "> q", "> - [ ] r", "[s]:", "    code",
)  # fmt: skip
INDENTS = ("", "", "", "  ", "  ", "    ", "      ", "\t")
lines = st.tuples(st.sampled_from(INDENTS), st.sampled_from(LINES)).map("".join)
# Each line up to three times, so that there are rows of boxes.
plans = st.lists(st.tuples(lines, st.integers(1, 3)), max_size=12).map(
    lambda chosen: "".join(f"{line}\n" * times for line, times in chosen)
)


def blocks(source: str, left_out: list[str]) -> list[tuple[object, ...]]:
    parser = MarkdownIt("commonmark").enable("table").disable(left_out)
    parser.core.ruler.enableOnly(["normalize", "block"])
    return [(token.type, token.tag, token.level, token.map, token.content) for token in parser.parse(source)]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_the_blocks_are_those_of_all_rules(source: str) -> None:
    assert blocks(source, find_idle_rules(source)) == blocks(source, [])


@settings(deadline=None, max_examples=400)
@given(plans, st.sampled_from(["\n", "\r\n"]))
def test_boxes_read_in_a_row_are_the_entries_of_the_list_rule(source: str, line_end: str) -> None:
    source = source.replace("\n", line_end)
    lines = split_lines(source)
    assert make_outline(read_blocks(source), lines) == make_outline(make_parser().parse(source), lines)


@pytest.mark.parametrize("depth", [DEEPEST_LIST - 1, DEEPEST_LIST, DEEPEST_LIST + 1])
def test_boxes_in_a_row_are_left_out_where_lists_are_too_deep(depth: int) -> None:
    source = "".join(f"{'  ' * level}- [ ] level {level}\n" for level in range(depth))
    source += f"{'  ' * depth}- [ ] same\n" * 3
    lines = split_lines(source)
    assert make_outline(read_blocks(source), lines) == make_outline(make_parser().parse(source), lines)


def test_rows_of_boxes_are_read_at_once_wherever_a_list_entry_may_begin() -> None:
    row = "- [ ] one\n- [x] two\n- [ ] three\n"
    source = f"{row}  - [ ] below\n  - [x] below\n{row}- plain\n{row}"
    found = [token.meta[BOXES] for token in read_blocks(source) if token.type == BOXES]
    of_a_row = [(" ", "one"), ("x", "two")]
    assert found == [of_a_row, [(" ", "below")], of_a_row, of_a_row]


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
