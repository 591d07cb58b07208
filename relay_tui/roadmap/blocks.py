"""A Markdown source as block tokens: markdown-it-py's rules without those that find nothing, and one of relay's own.

What a block is, CommonMark alone decides; here is only what finds the same blocks sooner.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

# Deeper than people write and shallow enough for Python's stack. The parser counts two levels for each list.
DEEPEST_LIST = 50
MOST_NESTED = 2 * DEEPEST_LIST + 2

BOXES = "boxes"

_SIGNS = {
    "table": ("|",),
    "fence": ("```", "~~~"),
    "blockquote": (">",),
    "reference": ("]:",),
    "html_block": ("<",),
}
# What may be a thematic break or the underline of a heading, in a list or a quote too.
_RULER = re.compile(r"[ \t\d>*+_=.)-]*[*_=-][ \t]*")
# A whole line from its bullet on: what stands in the box, and the title, without a bar that may make a table of it.
_BOX_LINE = re.compile(r"[-*+] \[([ xX/~\-!?])\] ([^\s|](?:[^|\n]*[^\s|])?)")


def read_blocks(source: str) -> list[Token]:
    """The tokens of the source's blocks. A token `boxes` stands for list entries of one line each; its `meta` has
    the mark and the title of each line."""
    parser = make_parser()
    parser.block.ruler.before("list", BOXES, _read_boxes, {"alt": ["list"]})
    return parser.disable(find_idle_rules(source)).parse(source)


def make_parser() -> MarkdownIt:
    """CommonMark and tables, blocks only: inline text stays as it was written."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": MOST_NESTED}).enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def find_idle_rules(source: str) -> list[str]:
    """Rules that no line can answer to, since their sign stands nowhere. Trying all at each line takes most of the
    time, so without these the blocks are the same, and found twice as fast."""
    idle = [rule for rule, signs in _SIGNS.items() if not any(sign in source for sign in signs)]
    has_rulers = any(map(_RULER.fullmatch, source.splitlines()))
    return idle if has_rulers else [*idle, "hr", "lheading"]


def _read_boxes(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A block rule: checkbox lines in a row at one indent. Each of these is a list entry of its own, with no room for
    anything below it, so all but the last are read at once; it ends a list, which goes on behind it as another.

    Whether a list may begin here was asked before: indented code is tried first, and a list looks for it too.
    """
    boxes = _box_lines(state, start, end)
    first, second = next(boxes, None), next(boxes, None)
    if first is None or second is None or state.level + 2 >= MOST_NESTED:
        return False
    if not silent:
        found = [first, second, *boxes]
        token = state.push(BOXES, "", 0)
        token.meta[BOXES] = found[:-1]
        state.line = start + len(found) - 1
        token.map = [start, state.line]
    return True


def _box_lines(state: StateBlock, start: int, end: int) -> Iterator[tuple[str, str]]:
    """Mark and title of each line from `start` on that is such a line at the indent of the first."""
    indent = state.sCount[start]
    for line in range(start, end):
        match = _BOX_LINE.fullmatch(state.src, state.bMarks[line] + state.tShift[line], state.eMarks[line])
        if not match or state.sCount[line] != indent:
            return
        yield match[1], match[2]
