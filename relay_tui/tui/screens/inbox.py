"""Inbox: what the person has not handled, with how far each message got. Looking changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content

from relay_tui.actions.call import Call
from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert
from relay_tui.room.mailbox import peek_inbox, read_archive, read_history, read_outbox
from relay_tui.room.receipts import read_receipts
from relay_tui.room.rooms import Room
from relay_tui.tui.fields import fields_of
from relay_tui.tui.form import FormDialog, Value
from relay_tui.tui.glyphs import QUIET
from relay_tui.tui.known import read_known
from relay_tui.tui.rows import Row
from relay_tui.tui.rows_of.messages import (
    COLUMNS,
    SENT_COLUMNS,
    mailbox_note,
    message_detail,
    message_row,
    sent_row,
)
from relay_tui.tui.screens.room_screen import RoomScreen

if TYPE_CHECKING:
    from relay_tui.room.mail import Mailbox, Message

UNHANDLED, OUTBOX, HISTORY, ARCHIVE, OF = range(5)
SHOWN = 200  # messages in the list
_EMPTY = {
    UNHANDLED: "Nothing is unhandled.\nm writes to somebody. ] shows what you sent, and your history.",
    OUTBOX: 'You have sent nothing yet.\nm writes to somebody, or type :send --to NAME --message "…"',
    HISTORY: "Nobody has written to you yet.",
    ARCHIVE: "Nothing expired before you handled it.",
    OF: "Nothing is unhandled there.",
}


class InboxScreen(RoomScreen):
    NAME = "inbox"
    COLUMNS = COLUMNS
    VIEWS = ("unhandled", "outbox", "history", "archive", "of an agent")
    WORDS = {
        "screen.open": "open", "act.accept": "ack", "act.reply": "reply", "act.message": "message",
        "view.next": "views",
    }  # fmt: skip
    EMPTY = _EMPTY[UNHANDLED]

    def __init__(self) -> None:
        super().__init__()
        self.of = ""
        self._note = ""

    @property
    def reader(self) -> str:
        """Whose mailbox is shown."""
        return self.of if self.view == OF else self.desk.me.name

    def read(self, room: Room) -> Mailbox:
        if self.view == OUTBOX:
            return read_outbox(room, self.reader, limit=SHOWN)
        if self.view == HISTORY:
            return read_history(room, self.reader, limit=SHOWN)
        if self.view == ARCHIVE:
            return read_archive(room, self.reader, limit=SHOWN)
        return peek_inbox(room, self.reader, limit=SHOWN, bodies=True)

    def rows_from(self, facts: Mailbox) -> list[tuple[Row, Any]]:
        self._note = mailbox_note(self.reader, self.desk.me.name, facts.unhandled, len(facts.messages))
        make = sent_row if self.view == OUTBOX else message_row
        return [(make(message, self.desk.now, self.glyphs), message) for message in facts.messages]

    def banner(self) -> Content:
        if self.view == OF:
            return Content.styled(inert(self._note), "$warning")
        return Content.assemble(self.view_names(), "   ", (self._note if self.view == UNHANDLED else "", QUIET))

    def describe(self, row: Row, thing: Message, width: int) -> Content:
        receipts = read_receipts(self.desk.room, thing.id)
        return message_detail(thing, receipts, self.reader, self.desk.me.name, self.desk.now, self.glyphs, width)

    def show_view(self, view: int) -> None:
        if view == OF and not self.of:
            self._ask_whose()
            return
        self.set_columns(SENT_COLUMNS if view == OUTBOX else COLUMNS)
        self.empty = _EMPTY[view]
        if view != OF:
            self.of = ""
        super().show_view(view)

    def show_mailbox(self, name: str) -> None:
        """Somebody's unhandled messages, for the operator's eyes."""
        self.of = name
        self.show_view(OF)

    def _ask_whose(self) -> None:
        if self.desk.me.name != self.desk.room.row.operator:
            raise RelayError("refused", "Only the operator may read another's mailbox.", "[ goes back.")
        known = read_known(self.desk.room, self.desk.me.name)
        fields = [field._replace(required=True) for field in fields_of("inbox", known, only=("of",))]
        self.app.push_screen(FormDialog("Whose mailbox", fields, "look"), self._asked)

    def _asked(self, filled: dict[str, Value] | None) -> None:
        if filled is not None:
            self.show_mailbox(str(filled["of"]))

    def agent_of(self, thing: Message) -> str:
        return thing.to if thing.from_ == self.desk.me.name else thing.from_

    def call_for(self, thing: Message) -> Call:
        return self.desk.compose("receipt" if self.view in (OUTBOX, OF) else "show", id=thing.id)

    def open_row(self, row: Row, thing: Message) -> None:
        """Enter fetches a message of one's own, which delivers it; any other is only read."""
        self.detail.focus()
        is_new = thing.delivered_at is None and self.view in (UNHANDLED, HISTORY)
        if is_new and not self.desk.read_only:
            self.relay.acts.act(self.desk.compose("show", id=thing.id), lambda _: None)

    def do_accept(self) -> None:
        """Ack what is marked, or this row."""
        if self.view == OF:
            raise RelayError("refused", f"Only {self.of} can ack its messages.", "esc goes back to your own.")
        if self.view == OUTBOX:
            raise RelayError("refused", "Only its recipients can ack a message.", "enter shows who has.")
        ids = [message.id for message in self.chosen]
        self.relay.acts.act(self.desk.compose("ack", ids=ids))
        self.row_list.clear_marks()

    def do_reply(self) -> None:
        message: Message | None = self.current
        if message is None:
            raise RelayError("refused", "There is no message to answer.", "m writes a new one.")
        title = f"Reply to {message.from_}: {message.summary}"
        self.relay.acts.start("send", {"reply_to": message.id}, ("message", "summary"), title)
