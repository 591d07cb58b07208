"""Inbox: mail that waits, was sent or is past, with how far each message got. Looking changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, final

from textual.binding import Binding, BindingType
from textual.content import Content

from relay_tui.actions.call import Call
from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert
from relay_tui.base.times import age
from relay_tui.room.followups import OpenDelivery
from relay_tui.room.mailbox import peek_message, read_thread, thread_size
from relay_tui.room.permissions import require_allowed
from relay_tui.room.receipts import read_receipts
from relay_tui.room.registry import require_name
from relay_tui.room.rooms import Room
from relay_tui.tui.acts.mail_acts import MailActs
from relay_tui.tui.desk import line_of
from relay_tui.tui.dialogs.fields import fields_of
from relay_tui.tui.readings.mail_pages import MailPage, Wanted, read_page
from relay_tui.tui.readings.mail_views import FOLLOWUP, MAIL_VIEWS, OF, OUTBOX, SEARCH, UNHANDLED, rows_of_page
from relay_tui.tui.rows_of.message_detail import message_detail
from relay_tui.tui.rows_of.messages import mailbox_note
from relay_tui.tui.rows_of.threads import MESSAGES_SHOWN, thread_detail
from relay_tui.tui.screens.list_screen import Listed
from relay_tui.tui.screens.room_screen import RoomScreen
from relay_tui.tui.widgets.content import lines
from relay_tui.tui.widgets.glyphs import QUIET
from relay_tui.tui.widgets.rows import Row

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from relay_tui.room.mail import Mailbox, Message
    from relay_tui.tui.dialogs.form import FormDialog, Value


@final
class InboxScreen(RoomScreen):
    NAME = "inbox"
    COLUMNS = MAIL_VIEWS[UNHANDLED].columns
    VIEWS = tuple(view.name for view in MAIL_VIEWS)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("A", "verb('accept_all')", "Ack everything that is shown", show=False, id="act.accept_all"),
        Binding("T", "thread", "The whole thread, or the one message", show=False, id="mail.thread"),
        Binding("F", "verb('files')", "Save attachments to a folder", show=False, id="act.files"),
        Binding("u", "verb('remind')", "Remind those who have not handled what you sent", show=False, id="act.remind"),
        Binding("b", "mailbox", "Another agent's mailbox", show=False, id="mail.mailbox"),
        Binding("greater_than_sign", "page(1)", "Next page", show=False, id="mail.next_page"),
        Binding("less_than_sign", "page(-1)", "Page before", show=False, id="mail.previous_page"),
    ]
    WORDS = {
        "list.open": "open", "act.accept": "ack", "act.remind": "remind all", "act.reply": "reply",
        "act.message": "write", "view.next": "views", "mail.thread": "thread", "act.accept_all": "ack all",
        "act.files": "files", "mail.mailbox": "of an agent",
    }  # fmt: skip
    EMPTY = MAIL_VIEWS[UNHANDLED].empty
    NO_ROW = ("There is no message here.", "m writes a new one.")

    def __init__(self) -> None:
        super().__init__()
        self.of = ""
        self.text = ""
        self.in_thread = False
        self._cursors: list[str] = []  # where each page after the first begins
        self._page = MailPage()

    # What is shown

    def read(self, room: Room) -> MailPage:
        cursor = self._cursors[-1] if self._cursors else None
        return read_page(room, self.desk.me, Wanted(self.view, self.of, self.text, cursor))

    def rows_from(self, facts: MailPage) -> Listed:
        self._page = facts
        return rows_of_page(self.view, self.reader, facts, self.desk.now, self.glyphs)

    @property
    def reader(self) -> str:
        """Whose mailbox is shown."""
        return self.of if self.view == OF else self.desk.me.name

    def banner(self) -> Content:
        if self.view == OF:
            return self.lead()
        page = len(self._cursors) + 1
        note = mailbox_note(page, self._page.unhandled, len(self._page.messages), self._page.next is not None)
        if self.view == SEARCH:
            note = f"'{inert(self.text)}'{'   ' + note if note else ''}"
        note = f"   {note}" if note else ""
        return Content.assemble(self.view_names(len(note)), (note, QUIET))

    @property
    def words(self) -> Mapping[str, str]:
        return {id: word for id, word in self.WORDS.items() if id not in MAIL_VIEWS[self.view].idle}

    def lead(self) -> Content:
        """Whose mailbox it is, where it is not one's own."""
        if self.view != OF:
            return Content("")
        whose = f"{inert(self.of)}'s mailbox, {self._page.unhandled:,} unhandled · looking changes nothing   "
        return Content.styled(whose, "$warning")

    def describe(self, row: Row, thing: Message | OpenDelivery, width: int) -> Content:
        room, me, now = self.desk.room, self.desk.me.name, self.desk.now
        message = self._message(thing)
        size = thread_size(room, me, message.thread)
        if self.in_thread:
            return self._describe_thread(message, size)
        reader = thing.receipt.agent if isinstance(thing, OpenDelivery) else self.reader
        receipts = read_receipts(room, message.id, me)
        line = line_of(self.desk.compose("receipt", id=message.id))
        detail = message_detail(message, receipts, reader, me, now, self.glyphs, width, size, line)
        if not isinstance(thing, OpenDelivery):
            return detail
        reminded = "Never reminded; u reminds everybody who is due."
        if thing.reminded_at:
            reminded = f"You reminded it {age(thing.reminded_at, now)} ago."
        return lines([detail, "", Content.styled(reminded, QUIET)])

    def _describe_thread(self, message: Message, size: int) -> Content:
        room, me = self.desk.room, self.desk.me.name
        found = read_thread(room, me, message.id, limit=MESSAGES_SHOWN, newest=True).messages
        return thread_detail(found, size, message.id, self.desk.now, self.glyphs)

    def _message(self, thing: Message | OpenDelivery) -> Message:
        if isinstance(thing, OpenDelivery):
            return peek_message(self.desk.room, self.desk.me.name, thing.id)
        return thing

    # Views

    def show_view(self, view: int) -> None:
        if view == OF and not self.of:
            return self._ask_whose()
        if view == SEARCH and not self.text:
            return self._ask_words()
        self.empty = MAIL_VIEWS[view].empty
        self.of = self.of if view == OF else ""
        self.text = self.text if view == SEARCH else ""
        self._cursors.clear()
        if not self.is_mounted:  # asked for from another screen, before this one was ever shown
            self.view, self.columns = view, MAIL_VIEWS[view].columns
            return None
        self.set_columns(MAIL_VIEWS[view].columns)
        super().show_view(view)
        return self.draw_frame()

    def show_mailbox(self, name: str) -> None:
        """Somebody's mail, for the operator's eyes. Raises `not_operator`, and `unknown_agent` for nobody's."""
        require_allowed(self.desk.me, "inbox --of", self.desk.room.row.operator)
        require_name(self.desk.room, name)
        self.of = name
        self.show_view(OF)

    def action_mailbox(self) -> None:
        self.relay.acts.try_to(self._ask_whose)

    def _ask_whose(self) -> None:
        require_allowed(self.desk.me, "inbox --of", self.desk.room.row.operator)
        self._ask("inbox", "of", "Whose mailbox", "read", self.show_mailbox)

    def _ask_words(self) -> None:
        self._ask("search", "text", "Search your messages", "search", self._search)

    def _ask(self, action: str, name: str, title: str, verb: str, then: Callable[[str], None]) -> None:
        fields = [field._replace(required=True) for field in fields_of(action, self.relay.acts.known(), only=(name,))]

        def asked(filled: dict[str, Value], form: FormDialog) -> None:
            then(str(filled[name]))
            form.done()

        self.relay.acts.ask(title, fields, asked, verb)

    def _search(self, text: str) -> None:
        """Searching indexes what came since the last search, so the writer does it; then the hits are shown."""

        def found(_: Mailbox) -> None:
            self.text = text
            self.show_view(SEARCH)

        self.relay.acts.act(self.desk.compose("search", text=text), found)

    def action_page(self, step: int) -> None:
        if step < 0 and self._cursors:
            self._cursors.pop()
        elif step > 0 and self._page.next is not None and self.view != OF:
            self._cursors.append(self._page.next)
        else:
            self.notify("There is no other page.", markup=False)
            return
        self.row_list.clear_marks()
        self.reload()
        self.row_list.action_edge(-1)

    def action_thread(self) -> None:
        """Turn the detail into the thread and back; every row shows its own."""
        self.in_thread = not self.in_thread
        self.draw_detail()
        self.detail.scroll_home(animate=False)

    def action_back_out(self) -> None:
        if self.in_thread and self.focused is self.row_list and not self.row_list.marked and not self.filter_text:
            self.action_thread()
        else:
            super().action_back_out()

    # What the keys do

    @property
    def _acts(self) -> MailActs:
        return MailActs(self.relay)

    def id_of(self, row: Row, thing: Message | OpenDelivery) -> str:
        return thing.id

    def agent_of(self, thing: Message | OpenDelivery) -> str | None:
        if isinstance(thing, OpenDelivery):
            return thing.receipt.agent
        if thing.from_ != self.desk.me.name:
            return thing.from_
        return thing.to if thing.audience == "direct" else None

    def call_for(self, thing: Message | OpenDelivery) -> Call:
        if self.in_thread:
            return self.desk.compose("thread", id=thing.id)
        return self.desk.compose("receipt" if self.view in (OUTBOX, FOLLOWUP, OF) else "show", id=thing.id)

    def open_thing(self, thing: Message | OpenDelivery) -> None:
        """Enter fetches a message of one's own, which delivers it; any other is only read."""
        self.detail.focus()
        if isinstance(thing, OpenDelivery) or self.view == OF or self.desk.read_only:
            return
        if self.desk.me.name in thing.recipients and thing.delivered_at is None:
            self._acts.fetch_body(thing)

    def do_accept(self) -> None:
        """Ack what is marked, or this row."""
        self._refuse_others()
        self._acts.ack(self.chosen)
        self.row_list.clear_marks()

    def do_accept_all(self) -> None:
        self._refuse_others()
        if self.view != UNHANDLED:
            raise RelayError("refused", "A acks what the view 'unhandled' shows.", "space marks rows, a acks them.")
        shown = [self.thing_of(row) for row in self.row_list.rows]
        self._acts.ack_all(shown, is_beginning=not self.filter_text and not self._cursors)

    def _refuse_others(self) -> None:
        if self.view == OF:
            raise RelayError("refused", f"Only {self.of} can ack its messages.", "esc goes back to your own.")
        if self.view in (OUTBOX, FOLLOWUP):
            raise RelayError("refused", "Only its recipients can ack a message.", "The detail shows who has.")

    def do_reply(self) -> None:
        thing: Message | OpenDelivery = self.here
        self._acts.reply(self._message(thing), thing.receipt.agent if isinstance(thing, OpenDelivery) else None)

    def do_files(self) -> None:
        self._acts.fetch_files(self._message(self.here))

    def do_remind(self) -> None:
        self._acts.remind()
