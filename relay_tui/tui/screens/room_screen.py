"""What every key does on every screen: verbs, views, filter, command bar, copying, and backing out.

A screen adds its own verbs as `do_claim`, `do_reply`, …; a verb that it has not is looked up in the table of
actions. Nothing is written here: acts go to `Acts` as calls.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.binding import BindingType

from relay_tui.actions.call import Call
from relay_tui.actions.table import ACTIONS, Action
from relay_tui.base.errors import RelayError
from relay_tui.tui.desk import line_of
from relay_tui.tui.keys import LETTER_OF, SCREEN_KEYS, VERB_KEYS
from relay_tui.tui.modes import MODES
from relay_tui.tui.screens.list_screen import ListScreen
from relay_tui.tui.widgets.clipboard import copy
from relay_tui.tui.widgets.row_list import RowList
from relay_tui.tui.widgets.rows import Row

if TYPE_CHECKING:
    from relay_tui.tui.widgets.command_bar import CommandBar
    from relay_tui.tui.widgets.inputs import Complete

# What a message is made of, in the order in which it is filled in.
MESSAGE_FIELDS = ("to", "message", "summary", "attach")


class RoomScreen(ListScreen):
    """One of the seven; its keys act on what is chosen in its list."""

    BINDINGS: ClassVar[list[BindingType]] = [*VERB_KEYS, *SCREEN_KEYS]
    NO_ROW: ClassVar[tuple[str, str]] = ("There is no row to act on.", "? lists the keys of this screen.")

    # What a screen says of itself

    def call_for(self, thing: Any) -> Call | None:
        """The line that `Y` copies for a row."""
        return None

    def id_of(self, row: Row, thing: Any) -> str:
        """What `y` copies."""
        return row.id

    def agent_of(self, thing: Any) -> str | None:
        """Whom `m` writes to."""
        return None

    def open_thing(self, thing: Any) -> None:
        """Enter on its row: by default the detail gets the focus."""
        self.detail.focus()

    # What an act is for

    @property
    def here(self) -> Any:
        """The one thing an act is for: what is marked, else what is under the cursor. Raises `refused` for several."""
        chosen = self.chosen
        if len(chosen) > 1:
            raise RelayError("refused", f"{len(chosen)} rows are marked, and this works on one.", "esc unmarks them.")
        return chosen[0]

    @property
    def chosen(self) -> list[Any]:
        """The things an act is for: those marked, else the one under the cursor. Raises `refused` for none."""
        things = [thing for row in self.row_list.chosen if (thing := self.thing_of(row)) is not None]
        if not things:
            raise RelayError("refused", *self.no_row)
        return things

    @property
    def no_row(self) -> tuple[str, str]:
        """Why there is nothing to act on, and what to do."""
        if self.filter_text and self.counted[1]:
            return f"Nothing matches the filter '{self.filter_text}'.", "esc clears it."
        return self.NO_ROW

    # Verbs

    def action_verb(self, verb: str) -> None:
        """This screen's own way to do it, else the action that the table has for the key, else why not."""
        own = getattr(self, f"do_{verb}", None)
        act = self.relay.acts.refuse_to_change if self.is_barred(f"act.{verb}") else own
        self.relay.acts.try_to(act or partial(self._do_by_table, LETTER_OF[verb]))

    def _can(self, verb: str) -> bool:
        return hasattr(self, f"do_{verb}") or self._action_for(LETTER_OF[verb]) is not None

    def _action_for(self, letter: str) -> Action | None:
        return next((one for one in ACTIONS.values() if (one.screen, one.key) == (self.NAME, letter)), None)

    def _do_by_table(self, letter: str) -> None:
        action = self._action_for(letter)
        if action is None:
            raise RelayError("refused", f"{letter} does nothing on this screen.", "? lists the keys that do.")
        self.relay.acts.start(action.name)

    def do_message(self) -> None:
        """To the agent of the rows that are marked, else of this row. Raises `refused` where that are several."""
        named = [self.agent_of(thing) for thing in self.chosen] if self.current is not None else []
        agents = list(dict.fromkeys(name for name in named if name is not None))
        if len(agents) > 1:
            whose = f"The marked rows are of {', '.join(agents)}, and a message goes to one of them."
            raise RelayError("refused", whose, "esc unmarks them.")
        self.relay.acts.start("send", {"to": next(iter(agents), None)}, MESSAGE_FIELDS, "Write a message")

    @on(RowList.Opened)
    def open_opened(self, event: RowList.Opened) -> None:
        thing = self.thing_of(event.row)
        if thing is not None:
            self.relay.acts.try_to(partial(self.open_thing, thing))

    # Views and what lies around the list

    def action_scroll_detail(self, lines: int) -> None:
        self.detail.action_scroll_lines(lines)

    def action_view(self, step: int) -> None:
        if self.VIEWS:
            self.relay.acts.try_to(partial(self.show_view, (self.view + step) % len(self.VIEWS)))
        else:
            self.notify("This screen has only one view.", markup=False)

    def show_view(self, view: int) -> None:
        """Show another view; raises `refused` where the person may not."""
        self.view = view
        self.row_list.clear_marks()
        self.reload()

    def action_reread(self) -> None:
        self.relay.refresh_room()

    def action_next_waiting(self) -> None:
        """Go to the list of what needs the person."""
        self.relay.switch_mode("attention")

    def action_keys(self) -> None:
        from relay_tui.tui.dialogs.dialog import Page
        from relay_tui.tui.dialogs.help import key_lines

        title = next(mode.title for mode in MODES if mode.name == self.NAME)
        bindings = [active.binding for active in self.active_bindings.values() if not self._is_idle(active.binding.id)]
        lines = key_lines(bindings, self.WORDS, self.app.get_key_display)
        self.app.push_screen(Page(f"Keys of {title}", lines))

    def _is_idle(self, id: str | None) -> bool:
        """Whether a key does nothing on this screen, or nothing now."""
        area, _, verb = (id or "").partition(".")
        cannot = area == "act" and verb in LETTER_OF and not self._can(verb)
        return cannot or (area == "view" and not self.VIEWS) or self.is_barred(id or "")

    def action_back_out(self) -> None:
        """One step: out of the detail, out of the marks, out of the filter, back to the first view."""
        if self.focused is not self.row_list:
            self.row_list.focus()
        elif self.row_list.clear_marks():
            return
        elif self.filter_text:
            self.filter_text = ""
            self.draw_rows()
        elif self.view:
            self.show_view(0)

    # The bar

    async def action_filter(self) -> None:
        (await self._made_bar()).open("/", self.filter_text)

    async def action_command(self) -> None:
        (await self._made_bar()).open(":", "", self._completion())

    async def _made_bar(self) -> CommandBar:
        """The bar is made when it is first opened, because its field takes a while to load."""
        if not self.query("CommandBar"):
            from relay_tui.tui.widgets.command_bar import CommandBar

            await self.mount(CommandBar())
        return self.bar

    def _completion(self) -> Complete:
        from relay_tui.tui.dialogs.completion import complete_line
        from relay_tui.tui.widgets.command_bar import no_completion

        try:
            known = self.relay.acts.known()
        except RelayError:
            return no_completion
        return lambda line: complete_line(line, known)

    def on_command_bar_edited(self, event: CommandBar.Edited) -> None:
        self._filter_by(event)

    def on_command_bar_cancelled(self, event: CommandBar.Cancelled) -> None:
        self._filter_by(event)

    def on_command_bar_submitted(self, event: CommandBar.Submitted) -> None:
        if event.prompt == ":":
            self.relay.acts.type_line(event.line)
        else:
            self._filter_by(event)

    def _filter_by(self, event: CommandBar.Edited | CommandBar.Cancelled | CommandBar.Submitted) -> None:
        if event.prompt == "/":
            self.filter_text = event.line
            self.draw_rows()

    # Copying

    def action_copy_id(self) -> None:
        row = self.row_list.row
        copy(self, self.id_of(row, self.thing_of(row)) if row else "")

    def action_copy_line(self) -> None:
        """The line of this row, else the newest line that was carried out."""
        call = self.call_for(self.current) if self.current is not None else None
        last = self.relay.acts.log.last
        copy(self, line_of(call) if call else last.line if last else "")
