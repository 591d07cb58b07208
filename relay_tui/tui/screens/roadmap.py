"""Roadmap: the work tree with its progress, who does what on which branch, and what is due."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, final

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.getters import query_one

from relay_tui.actions.call import Call
from relay_tui.base.errors import RelayError
from relay_tui.room.rooms import Room
from relay_tui.tui.readings.plan_reader import Glimpsed, read_outline
from relay_tui.tui.readings.plan_views import (
    IN_REMOVED,
    NOTHING_SEEN,
    PLAN_VIEWS,
    REMOVED,
    TREE,
    Look,
    banner_of,
    look_at_tree,
    look_row,
    note_of,
    read_look,
)
from relay_tui.tui.rows_of.item_detail import item_detail, path_of
from relay_tui.tui.rows_of.work import fitting_items, searchable
from relay_tui.tui.screens.slow_screen import SlowScreen
from relay_tui.tui.widgets.row_filter import parse_filter
from relay_tui.tui.widgets.row_tree import RowTree
from relay_tui.tui.widgets.rows import Row

if TYPE_CHECKING:
    from relay_tui.room.work import Item, ItemChange
    from relay_tui.tui.acts.item_acts import ItemActs
    from relay_tui.tui.acts.item_moves import ItemMoves
    from relay_tui.tui.acts.plan_file_acts import PlanFileActs

MOST_ROWS = 1000  # of a view without folds; a filter looks through them all
_NEW = ("title", "status", "owner", "branch", "due", "label")


@final
class RoadmapScreen(SlowScreen):
    NAME = "roadmap"
    COLUMNS = PLAN_VIEWS[TREE].columns
    VIEWS = tuple(view.name for view in PLAN_VIEWS)
    APART = 0.1
    AUTO_FOCUS = "RowTree"
    WORDS = {
        "act.accept": "take the file's", "act.decline": "keep the room's", "act.revive": "restore",
        "act.status": "status", "act.new": "new below", "act.import": "import", "act.edit": "edit",
        "act.owner": "owner", "view.next": "views", "act.release": "remove", "item.down": "move down",
        "act.sibling": "new beside", "act.export": "write the file", "act.follow": "import on save",
        "act.source": "open the file at its line", "tree.fold": "fold", "act.message": "message the owner",
    }  # fmt: skip
    EMPTY = PLAN_VIEWS[TREE].empty
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("N", "verb('sibling')", "New beside this", show=False, id="act.sibling"),
        Binding("o", "verb('owner')", "Set the owner", show=False, id="act.owner"),
        Binding("i", "verb('import')", "Import a plan", show=False, id="act.import"),
        Binding("E", "verb('export')", "Write statuses into the plan file", show=False, id="act.export"),
        Binding("F", "verb('follow')", "Import the plan on every save, or no more", show=False, id="act.follow"),
        Binding("O", "verb('source')", "Open $EDITOR at the line it came from", show=False, id="act.source"),
        Binding("V", "verb('revive')", "Bring a removed item back", show=False, id="act.revive"),
        Binding("ctrl+j", "step('down')", "Move down among its siblings", show=False, id="item.down"),
        Binding("ctrl+k", "step('up')", "Move up among its siblings", show=False, id="item.up"),
        Binding("less_than_sign", "step('out')", "Move out, behind its parent", show=False, id="item.out"),
        Binding("greater_than_sign", "step('in')", "Move in, below the one above it", show=False, id="item.in"),
    ]

    row_list = query_one(RowTree)  # type: ignore[assignment]  # has of a `RowList` what screens ask for

    def __init__(self) -> None:
        super().__init__()
        self._look = NOTHING_SEEN
        self._words: dict[str, tuple[str, dict[str, str]]] = {}
        self._filtered_by = ""
        self._fitting = 0
        self._awaited = ""
        self._is_disputed = False  # the item under the cursor

    def make_list(self) -> RowTree:
        return RowTree(self.columns, self._row_of, self._starts_open, empty=self.READING, glyphs=self.glyphs)

    def _row_of(self, item: Item) -> Row:
        return look_row(item, self._look, self._flags, self.glyphs)

    def _starts_open(self, item: Item) -> bool:
        return item.kind in self._look.outline.opened

    @property
    def words(self) -> Mapping[str, str]:
        """What settles a conflict is named first, on the items that are in one."""
        idle = (*PLAN_VIEWS[self.view].idle, *(() if self._is_disputed else ("act.accept", "act.decline")))
        return {id: word for id, word in self.WORDS.items() if id not in idle}

    @property
    def _flags(self) -> Mapping[str, str]:
        """How branches stand, as the app surveyed them last."""
        return self.relay.survey.flags if self.relay.survey else {}

    def read(self, room: Room) -> Look:
        outline = read_outline(room, self._look.outline, self.post_message)
        return read_look(self.view, room, self.desk.me.name, outline)

    def on_glimpsed(self, message: Glimpsed) -> None:
        if not self._look.outline.seq and self.view == TREE:
            self.show_facts(look_at_tree(message.top))
        self.row_list.call_after_refresh(message.drawn.set)

    def show_facts(self, facts: Look) -> None:
        before, self._look, self._fault = self._look, facts, None
        self.empty = PLAN_VIEWS[facts.view].empty
        if facts.view != before.view:
            self.set_columns(PLAN_VIEWS[facts.view].columns)
            self._filtered_by = "" if self.filter_text else self._filtered_by
        if not _is_same(facts, before) or not facts.items:
            self._things = dict(facts.by_id)
            self._words = {}
            self.draw_rows()
        self._follow_cursor(facts)

    def _follow_cursor(self, facts: Look) -> None:
        """It goes to what was added, and along with what was moved."""
        moved = self._moves.read(facts.outline) if "_moves" in self.__dict__ else ""
        self._awaited = moved or self._awaited
        if facts.view == TREE and self._awaited in facts.by_id:
            path = path_of(facts.by_id[self._awaited], facts.by_id)
            self.row_list.reveal([item.id for item in path], self._awaited)
            self._awaited = ""

    def show_fault(self, fault: RelayError) -> None:
        self._look = NOTHING_SEEN
        super().show_fault(fault)

    def show_view(self, view: int) -> None:
        super().show_view(view)
        self.draw_frame()

    def draw_rows(self) -> None:
        items = self._look.items
        if self.filter_text:
            self._words = self._words or self._searchable()
            found = fitting_items(items, parse_filter(self.filter_text), self._words)
            items, self._fitting = found.items, found.found
            if self.filter_text != self._filtered_by:
                self.row_list.open_for_now(found.opened)
        elif self._filtered_by:
            self.row_list.open_for_now(None)
        self._filtered_by = self.filter_text
        self.row_list.replace(items if self._look.view == TREE else items[:MOST_ROWS])
        self.draw_around_rows()

    def _searchable(self) -> dict[str, tuple[str, dict[str, str]]]:
        look = self._look
        today, notes = look.outline.today, look.notes
        return {item.id: searchable(item, today, why=notes.get(item.id, "")) for item in look.by_id.values()}

    def banner(self) -> Content:
        said = banner_of(self._look)
        return Content.assemble(self.view_names(said.cell_length + 3), "   ", said)

    @property
    def counted(self) -> tuple[int, int]:
        return self._fitting, len(self._look.by_id)

    def surveyed(self) -> None:
        for row_tree in self.query(RowTree):  # the screen may not stand yet
            row_tree.refresh()
            self.draw_detail()

    def describe(self, row: Row, thing: Item, width: int) -> Content:
        outline = self._look.outline
        if self._is_disputed != (thing.id in outline.conflicts):
            self._is_disputed = not self._is_disputed
            self.draw_frame()
        if self._look.view == REMOVED:
            outline = outline._replace(by_id={**outline.by_id, **self._look.by_id})
        return item_detail(thing, outline, self._flags, self.glyphs, width, note_of(thing, self._look))

    def agent_of(self, thing: Item) -> str | None:
        return thing.owner

    def call_for(self, thing: Item) -> Call:
        """What shows an item; of a removed one what brings it back."""
        return self.desk.compose("work restore" if self._look.view == REMOVED else "work show", id=thing.id)

    # Verbs

    @cached_property
    def _acts(self) -> ItemActs:
        """Made when first asked for, because forms take a while to load."""
        from relay_tui.tui.acts.item_acts import ItemActs

        return ItemActs(self.relay)

    @cached_property
    def _files(self) -> PlanFileActs:
        from relay_tui.tui.acts.plan_file_acts import PlanFileActs

        return PlanFileActs(self.relay)

    @cached_property
    def _moves(self) -> ItemMoves:
        from relay_tui.tui.acts.item_moves import ItemMoves

        return ItemMoves(self.relay)

    def do_status(self) -> None:
        """Pick one of the six, for what is marked or for this row."""
        self._acts.pick_status(self._chosen_items(), self.row_list.clear_marks)

    def do_owner(self) -> None:
        self._acts.ask_fields(self._only_item(), "Owner of", ("owner",))

    def do_edit(self) -> None:
        self._acts.ask_fields(self._only_item(), "Edit")

    def do_release(self) -> None:
        self._acts.remove(self._only_item())

    def do_revive(self) -> None:
        if self.view != REMOVED:
            raise RelayError("refused", "V brings back what was removed.", f"{IN_REMOVED} shows what was.")
        self._acts.restore(self.here)

    def do_accept(self) -> None:
        self._resolve("file")

    def do_decline(self) -> None:
        self._resolve("room")

    def _resolve(self, side: str) -> None:
        item = self._only_item()
        self._acts.resolve(item, self._look.outline.conflicts.get(item.id, ()), side)

    def action_step(self, step: str) -> None:
        self.relay.acts.try_to(lambda: self._step(step))

    def _step(self, step: str) -> None:
        if self.view != TREE:
            raise RelayError("refused", "Items are moved in the tree.", "esc goes back to it.")
        if self.filter_text:
            raise RelayError("refused", "Items are moved among all their siblings.", "esc clears the filter first.")
        self._moves.ask(self._only_item().id, step, self._look.outline)

    def _chosen_items(self) -> list[Item]:
        if not self._look.by_id:
            raise RelayError("refused", "There is no item yet.", "i imports a plan, n adds a single item.")
        if self.view == REMOVED:
            raise RelayError("refused", f"{self.here.id} is removed.", "V brings it back.")
        return self.chosen

    def _only_item(self) -> Item:
        items = self._chosen_items()
        if len(items) > 1:
            raise RelayError("refused", "This works on one item at a time.", "esc clears the marks; s sets them all.")
        return items[0]

    def do_new(self) -> None:
        """A new item below this one; the first item of a room stands at the top."""
        item: Item | None = self._only_item() if self._look.by_id else None
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
        self._files.import_plan(self.current)

    def do_export(self) -> None:
        self._files.export(self.current, self._look.outline)

    def do_follow(self) -> None:
        self._files.follow(self.current)

    def do_source(self) -> None:
        self._files.edit(self.here)


def _is_same(facts: Look, before: Look) -> bool:
    """Whether the rows that stand there say it all already."""
    seen, was = facts.outline, before.outline
    is_same_tree = seen.by_id is was.by_id and seen.today == was.today and seen.conflicts is was.conflicts
    return facts.view == before.view and is_same_tree and facts.notes == before.notes
