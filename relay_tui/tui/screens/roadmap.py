"""Roadmap: the work tree with its progress, who does what on which branch, and what is due."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.getters import query_one
from textual.message import Message
from textual.widgets import Static

from relay_tui.actions.call import Call
from relay_tui.actions.work import tree
from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert
from relay_tui.room.rooms import Room
from relay_tui.room.work import read_changes
from relay_tui.room.work_top import count_items, read_top
from relay_tui.tui.glyphs import QUIET
from relay_tui.tui.row_filter import parse_filter
from relay_tui.tui.row_tree import RowTree
from relay_tui.tui.rows import Row
from relay_tui.tui.rows_of.work import (
    COLUMNS,
    MOST_AT_START,
    NOTHING,
    Outline,
    fitting_items,
    item_detail,
    item_row,
    make_first_look,
    make_outline,
    opened_kinds,
    path_of,
    searchable,
    still_current,
    summary,
)
from relay_tui.tui.screens.slow_screen import SlowScreen

if TYPE_CHECKING:
    from relay_tui.actions.importing import Imported
    from relay_tui.room.work import Item, ItemChange
    from relay_tui.tui.item_acts import ItemActs

_PLANS = ("ROADMAP.md", "TODO.md", "PLAN.md")  # what people call them, for the first import
SHOWN_FIRST = 0.05  # seconds that the reading of the rest waits, so that the top is drawn before it
_NEW = ("title", "status", "owner", "branch", "due", "label")


class Glimpsed(Message):
    """The top of a large tree, as it is read before the rest."""

    def __init__(self, top: Outline) -> None:
        super().__init__()
        self.top = top


class RoadmapScreen(SlowScreen):
    NAME = "roadmap"
    COLUMNS = COLUMNS
    APART = 0.1
    AUTO_FOCUS = "RowTree"
    WORDS = {
        "act.status": "status", "act.new": "new below", "act.import": "import", "act.edit": "edit",
        "act.owner": "owner", "act.sibling": "new beside", "tree.fold": "fold",
        "act.message": "message the owner",
    }  # fmt: skip
    EMPTY = "There is no plan yet.\ni brings one in, or type :work import --file ROADMAP.md\nn adds a single item."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("N", "verb('sibling')", "New beside this", show=False, id="act.sibling"),
        Binding("o", "verb('owner')", "Set the owner", show=False, id="act.owner"),
        Binding("i", "verb('import')", "Import a plan", show=False, id="act.import"),
    ]

    row_list = query_one(RowTree)  # type: ignore[assignment]  # has of a `RowList` what screens ask for

    def __init__(self) -> None:
        super().__init__()
        self._outline: Outline = NOTHING
        self._words: dict[str, tuple[str, dict[str, str]]] = {}
        self._filtered_by = ""
        self._fitting = 0
        self._awaited = ""

    def make_list(self) -> RowTree:
        return RowTree(COLUMNS, self._row_of, self._starts_open, empty=self.READING, glyphs=self.glyphs)

    def _row_of(self, item: Item) -> Row:
        return item_row(item, self._flags, self._outline.today, self.glyphs)

    def _starts_open(self, item: Item) -> bool:
        return item.kind in self._outline.opened

    @property
    def _flags(self) -> Mapping[str, str]:
        """How branches stand, as the app surveyed them last."""
        return self.relay.survey.flags if self.relay.survey else {}

    # What is shown

    def read(self, room: Room) -> Outline:
        """The items that are shown, where no event since has changed them."""
        shown, now = self._outline, room.clock()
        newest, has_changed = read_changes(room, shown.seq)
        if shown.seq and not has_changed:
            return still_current(shown, now, newest)
        if not shown.seq:
            self._look_first(room, now)
        gc.disable()  # it would walk the thousands of items again and again while they are made
        try:
            return make_outline(tree(room).items, now, newest)
        finally:
            gc.enable()

    def _look_first(self, room: Room, now: int) -> None:
        """Of a large tree the top is shown while the rest is read."""
        items, lines = count_items(room)
        if items > MOST_AT_START:
            kinds = opened_kinds(lines)
            self.post_message(Glimpsed(make_first_look(read_top(room, sorted(kinds)), now, kinds)))
            time.sleep(SHOWN_FIRST)

    def on_glimpsed(self, message: Glimpsed) -> None:
        if not self._outline.seq:
            self.show_facts(message.top)

    def show_facts(self, facts: Outline) -> None:
        before, self._outline = self._outline, facts
        if facts.by_id is not before.by_id or facts.today != before.today or not facts.items:
            self._things = dict(facts.by_id)
            self._words = {}
            self.draw_rows()
        if self._awaited in facts.by_id:
            path = path_of(facts.by_id[self._awaited], facts.by_id)
            self.row_list.reveal([item.id for item in path], self._awaited)
            self._awaited = ""

    def show_fault(self, fault: RelayError) -> None:
        self._outline = NOTHING
        super().show_fault(fault)

    def draw_rows(self) -> None:
        items, today = self._outline.items, self._outline.today
        if self.filter_text:
            if not self._words:
                self._words = {item.id: searchable(item, today) for item in self._outline.by_id.values()}
            found = fitting_items(items, parse_filter(self.filter_text), self._words)
            items, self._fitting = found.items, found.found
            if self.filter_text != self._filtered_by:
                self.row_list.open_for_now(found.opened)
        elif self._filtered_by:
            self.row_list.open_for_now(None)
        self._filtered_by = self.filter_text
        nothing_fits = f"Nothing fits the filter '{inert(self.filter_text)}'.\nesc takes it away."
        self.row_list.set_empty(nothing_fits if self._outline.items else self.empty)
        self.row_list.replace(items)
        self.draw_banner()
        self.draw_detail()

    def draw_banner(self) -> None:
        words = summary(self._outline)
        if self.filter_text:
            count = f"   {self._fitting:,} of {len(self._outline.by_id):,}"
            words = Content.assemble(("/", "$accent"), inert(self.filter_text), (count, QUIET))
        self.query_one(".banner", Static).update(words)

    def surveyed(self) -> None:
        for row_tree in self.query(RowTree):  # the screen may not stand yet
            row_tree.refresh()
            self.draw_detail()

    def describe(self, row: Row, thing: Item, width: int) -> Content:
        return item_detail(thing, self._outline, self._flags, self.glyphs, width)

    def agent_of(self, thing: Item) -> str | None:
        return thing.owner

    def call_for(self, thing: Item) -> Call:
        return self.desk.compose("work show", id=thing.id)

    # Verbs

    @cached_property
    def _acts(self) -> ItemActs:
        """Made when first asked for, because forms take a while to load."""
        from relay_tui.tui.item_acts import ItemActs

        return ItemActs(self.relay)

    def do_status(self) -> None:
        """Pick one of the six, for what is marked or for this row."""
        self._acts.pick_status(self._chosen_items())
        self.row_list.clear_marks()

    def do_owner(self) -> None:
        self._acts.ask_fields(self._only_item(), "Owner of", ("owner",))

    def do_edit(self) -> None:
        self._acts.ask_fields(self._only_item(), "Edit")

    def _chosen_items(self) -> list[Item]:
        if not self._outline.items:
            raise RelayError("refused", "There is no item yet.", "i brings a plan in, n adds a single item.")
        return self.chosen

    def _only_item(self) -> Item:
        items = self._chosen_items()
        if len(items) > 1:
            raise RelayError("refused", "This is done for one item at a time.", "esc takes the marks away; s sets all.")
        return items[0]

    def do_new(self) -> None:
        """A new item below this one; the first item of a room stands at the top."""
        item: Item | None = self.current
        self._add(item.id if item else None, f"New below {item.id} {item.title}" if item else "New item")

    def do_sibling(self) -> None:
        item = self._only_item()
        self._add(item.parent, f"New beside {item.id} {item.title}")

    def _add(self, parent: str | None, title: str) -> None:
        names = _NEW if parent else ("title", "kind", *_NEW[1:])
        self.relay.acts.start("work add", {"parent": parent}, names, title, self._added)

    def _added(self, change: ItemChange) -> None:
        """The cursor goes to the new item with the next reading."""
        self._awaited = change.item.id
        self.relay.acts.tell(self.desk.compose("work add", title=change.item.title), change)

    def do_import(self) -> None:
        self.relay.acts.start("work import", {"file": self._plan_file()}, ("file",), "Import a plan", self._imported)

    def _imported(self, done: Imported) -> None:
        from relay_tui.tui.answers import answer_lines

        kept = "\nConflicts stay open until you settle them; i shows them." if done.conflicts else ""
        self.notify(answer_lines("work import", done, self.desk.now)[0] + kept, markup=False)

    def _plan_file(self) -> str | None:
        """The file that this row came from, else the first that is called as plans are called."""
        item: Item | None = self.current
        room = self.desk.room
        top = (room.place.worktree if room.place else None) or room.folder
        names = [*([item.source.file] if item and item.source else []), *_PLANS]
        paths = (os.path.join(top, name) for name in names)
        found = next((path for path in paths if os.path.isfile(path)), None)
        return os.path.relpath(found, room.folder) if found else None
