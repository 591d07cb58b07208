"""`RowTree`: rows that stand below one another, folded and unfolded, made only when they come into sight.

It knows things with an id and children, a cursor, folds and marks, all kept by id. What a thing means and how it
becomes a row stand elsewhere; keys, look and messages are those of `RowList`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, ClassVar, Protocol

from rich.text import Text, TextType
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.strip import Strip
from textual.widgets import Tree
from textual.widgets.tree import TreeNode

from relay_tui.tui.widgets.columns import GUTTER, Column, fit, laid_out, with_tail
from relay_tui.tui.widgets.content import Words
from relay_tui.tui.widgets.glyphs import UNICODE, Glyphs
from relay_tui.tui.widgets.row_list import RowList
from relay_tui.tui.widgets.rows import STRONG_PART, EmptyWords, Row, drawn, line_style

INDENT = 2  # cells a level
TAILS = 3
_NO_LABEL = Text("")  # lines are drawn from the row, so that a label costs nothing


class Thing(Protocol):
    """What stands in the tree."""

    @property
    def id(self) -> str: ...

    @property
    def children(self) -> Sequence[Thing]: ...


class RowTree(Tree[Any], inherit_bindings=False):
    """A row's first cell shares the first column with a tail, which the next cells have at three lengths.

    `make_row` draws a thing; `starts_open` says which things are unfolded until somebody folds them.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = RowList.COMPONENT_CLASSES
    BINDINGS: ClassVar[list[BindingType]] = [
        *RowList.BINDINGS,
        Binding("h,left", "fold", "Fold, then to the row above", show=False, id="tree.fold"),
        Binding("l,right", "unfold", "Unfold, then to the first row below", show=False, id="tree.unfold"),
    ]

    def __init__(
        self,
        columns: Sequence[Column],
        make_row: Callable[[Any], Row],
        starts_open: Callable[[Any], bool],
        *,
        empty: Words = "",
        glyphs: Glyphs = UNICODE,
    ) -> None:
        super().__init__(_NO_LABEL)
        self.show_root = False
        self.guide_depth = INDENT
        self.root.expand()
        self._columns = tuple(columns)
        self._make_row = make_row
        self._starts_open = starts_open
        self._empty = EmptyWords(empty)
        self._glyphs = glyphs
        self._node_of: dict[str, TreeNode[Any]] = {}
        self._chosen_folds: dict[str, bool] = {}  # by id, whether a person unfolded or folded it
        self._open_for_now: dict[str, bool] | None = None  # a filter's folds, in place of the person's
        self._marks: set[str] = set()
        self._announced = ""

    # What it holds

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        node = self.cursor_node
        return None if node is None or node.data is None else self._make_row(node.data)

    @property
    def rows(self) -> list[Row]:
        """The rows that have a line, from the top."""
        nodes = (self.get_node_at_line(line) for line in range(self.last_line + 1))
        return [self._make_row(node.data) for node in nodes if node is not None]

    @property
    def chosen(self) -> list[Row]:
        """What an action is for: the marked rows in their order, else the row under the cursor."""
        marked = [row for row in self.rows if row.id in self._marks] if self._marks else []
        return marked or ([self.row] if self.row else [])

    def replace(self, things: Sequence[Thing]) -> None:
        """Show these things; folds, marks and the cursor stay with their ids, or the cursor on its line."""
        here, line = self._announced, self.cursor_line
        if not self._renew(self.root, things):
            self._node_of.clear()
            self.clear()
            self._fill(self.root, things)
        self._marks &= self._node_of.keys()
        if self.last_line >= 0 and not self.move_to(here):
            self._go(line)
        self._announce()
        self.refresh()

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Another view of the same screen; call `replace` with things whose rows fit them."""
        self._columns = tuple(columns)
        self.refresh()

    def set_empty(self, words: Words) -> None:
        """What an empty tree says; a filter and an empty room have different answers."""
        self._empty = EmptyWords(words)
        self.refresh()

    def open_for_now(self, ids: Collection[str] | None) -> None:
        """Unfold just these with the next `replace`, as a filter does; None gives the person's folds back."""
        self._open_for_now = None if ids is None else dict.fromkeys(ids, True)

    def reveal(self, path: Iterable[str], thing_id: str) -> bool:
        """Unfold what lies above a thing, from the top, and put the cursor on it."""
        for above in path:
            if (node := self._node_of.get(above)) is not None:
                self._set_open(node, True)
        return self.move_to(thing_id)

    def move_to(self, thing_id: str) -> bool:
        """Put the cursor on a thing; False where it has no line."""
        node = self._node_of.get(thing_id)
        if node is None or not _is_in_sight(node) or self.last_line < 0:
            return False
        self._go(node.line)
        return True

    def clear_marks(self) -> bool:
        """Unmark everything; False where nothing was marked."""
        had_marks = bool(self._marks)
        self._marks.clear()
        self.refresh()
        return had_marks

    # Nodes

    def process_label(self, label: TextType) -> Text:
        return _NO_LABEL

    def get_label_width(self, node: TreeNode[Any]) -> int:
        return 0

    def _is_open(self, thing: Thing) -> bool:
        if self._open_for_now is not None:
            return self._open_for_now.get(thing.id, False)
        return self._chosen_folds.get(thing.id, self._starts_open(thing))

    def _renew(self, node: TreeNode[Any], things: Sequence[Thing]) -> bool:
        """Give the nodes that stand there their things anew; False where the tree has another shape now."""
        if [_thing(child).id for child in node.children] != [thing.id for thing in things]:
            return False
        return all(map(self._renew_one, node.children, things))

    def _renew_one(self, node: TreeNode[Any], thing: Thing) -> bool:
        node.data = thing
        has_children = bool(thing.children)
        if node.allow_expand != has_children or node.is_expanded != (has_children and self._is_open(thing)):
            return False
        return not node.children or self._renew(node, thing.children)

    def _fill(self, node: TreeNode[Any], things: Iterable[Thing]) -> None:
        """Nodes for things, and for what is unfolded below them."""
        for thing in things:
            has_children = bool(thing.children)
            is_open = has_children and self._is_open(thing)
            child = node.add(_NO_LABEL, thing, expand=is_open, allow_expand=has_children)
            self._node_of[thing.id] = child
            if is_open:
                self._fill(child, thing.children)

    def _set_open(self, node: TreeNode[Any], is_open: bool) -> None:
        if node.is_expanded == is_open or not node.allow_expand:
            return
        folds = self._chosen_folds if self._open_for_now is None else self._open_for_now
        folds[_thing(node).id] = is_open
        if is_open and not node.children:
            self._fill(node, _thing(node).children)
        node.expand() if is_open else node.collapse()
        self._marks = {id for id in self._marks if _is_in_sight(self._node_of[id])}  # or acts would take them

    # Keys and mouse

    def action_move(self, step: int) -> None:
        self._go(self.cursor_line + step)

    def action_page(self, pages: float) -> None:
        self._go(self.cursor_line + int(pages * max(self.scrollable_content_region.height, 2)))

    def action_edge(self, side: int) -> None:
        self._go(0 if side < 0 else self.last_line)

    def action_fold(self) -> None:
        node = self.cursor_node
        if node is None:
            return
        if node.is_expanded:
            self._set_open(node, False)
        elif node.parent is not None and node.parent is not self.root:
            self._go(node.parent.line)

    def action_unfold(self) -> None:
        node = self.cursor_node
        if node is None or not node.allow_expand:
            return
        if node.is_expanded:
            self._go(self.cursor_line + 1)
        else:
            self._set_open(node, True)

    def action_toggle_mark(self) -> None:
        if (node := self.cursor_node) is not None:
            self._marks ^= {_thing(node).id}
            self.refresh()
            self._go(self.cursor_line + 1)

    def action_open(self) -> None:
        if (row := self.row) is not None:
            self.post_message(RowList.Opened(row))

    def on_click(self, event: events.Click) -> None:
        """On the mark before its title a thing is folded or unfolded; twice elsewhere opens it."""
        node = self.get_node_at_line(line := self.scroll_offset.y + event.y)
        if node is None:
            return
        self._go(line)
        if 0 <= event.x - GUTTER - INDENT * _depth(node) < INDENT:
            self._set_open(node, not node.is_expanded)
        elif event.chain == 2:
            self.action_open()

    # The cursor

    def _go(self, line: int) -> None:
        self.cursor_line = line
        self.scroll_to_line(self.cursor_line, animate=False)
        self._announce()

    def _announce(self) -> None:
        row = self.row
        if self._announced != (here := row.id if row else ""):
            self._announced = here
            self.post_message(RowList.Highlighted(self, row))

    # Drawing

    def render_line(self, y: int) -> Strip:
        line, width = self.scroll_offset.y + y, self.scrollable_content_region.width
        if self.last_line < 0:
            return self._empty.drawn(self, y, width)
        node = self.get_node_at_line(line)
        if node is None:
            return Strip.blank(width, self.rich_style)
        is_marked, is_here = _thing(node).id in self._marks, line == self.cursor_line
        style = line_style(self, [STRONG_PART] if is_marked else [], is_here)
        bar = self._glyphs.cursor if is_here else " "
        mark = self._glyphs.marked if is_marked else " "
        content = Content.assemble((bar, "$accent"), (mark, "$accent"), self._cells(node, width - GUTTER))
        return drawn(self, content, style, width)

    def _cells(self, node: TreeNode[Any], width: int) -> Content:
        row = self._make_row(node.data)
        fitted = fit(self._columns, width)
        first = with_tail(self._lead(node), row.cells[0], row.cells[1 : 1 + TAILS], fitted[0].width)
        return laid_out([first, *row.cells[1 + TAILS :]], fitted)

    def _lead(self, node: TreeNode[Any]) -> str:
        mark = self._glyphs.fold(node.is_expanded) if node.allow_expand else " "
        return " " * (INDENT * _depth(node)) + mark.ljust(INDENT)


def _thing(node: TreeNode[Any]) -> Any:
    return node.data


def _depth(node: TreeNode[Any]) -> int:
    """How many nodes stand above it, the hidden root left out."""
    depth = -1
    while (above := node.parent) is not None:
        node, depth = above, depth + 1
    return depth


def _is_in_sight(node: TreeNode[Any]) -> bool:
    while (above := node.parent) is not None:
        if not above.is_expanded:
            return False
        node = above
    return True
