"""What the keys do with messages: acknowledge, answer, remind, and write attachments out. Acts go on as calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert
from relay_tui.room.mailbox import asked_message
from relay_tui.tui.readings.mail_pages import cursor_behind
from relay_tui.tui.widgets.content import Words
from relay_tui.tui.widgets.glyphs import QUIET

if TYPE_CHECKING:
    from relay_tui.room.mail import Message
    from relay_tui.room.messages import Sent
    from relay_tui.tui.app import RelayApp
    from relay_tui.tui.dialogs.form import Value

REPLY_FIELDS = ("message", "summary", "attach")


class MailActs:
    """Raises `refused` where something cannot be done, with what can."""

    def __init__(self, app: RelayApp) -> None:
        self._acts = app.acts
        self._desk = app.desk

    def fetch_body(self, message: Message) -> None:
        """Reading a message of one's own delivers it."""
        self._acts.act(self._desk.compose("show", id=message.id), lambda _: None)

    def ack(self, messages: Sequence[Message]) -> None:
        self._acts.act(self._desk.compose("ack", ids=[message.id for message in messages]))

    def ack_all(self, messages: Sequence[Message], *, is_beginning: bool) -> None:
        """Ack everything that a list shows, after the person has read what that is.

        `is_beginning` says that the list begins with the oldest and leaves nothing out, so that one cursor names it.
        """
        if not messages:
            raise RelayError("refused", "There is nothing to ack.", "m writes to somebody.")
        if is_beginning:
            call = self._desk.compose("ack", through=cursor_behind(messages[-1]))
        else:
            call = self._desk.compose("ack", ids=[message.id for message in messages])
        self._acts.act(call, told=[Content(""), *map(_named, messages)])

    def reply(self, message: Message, to: str | None = None) -> None:
        """Answer the author; one's own message is followed up with `to`, its only recipient."""
        if message.from_ == self._desk.me.name and to is None:
            if len(message.recipients) != 1:
                raise RelayError("refused", "You sent this to several agents.", "m writes to one of them.")
            to = message.recipients[0]
        defaults: dict[str, Value] = {"reply_to": message.id, "to": to}
        self._acts.start("send", defaults, REPLY_FIELDS, f"Reply to {to or message.from_}: {message.summary}")

    def answer(self, question: str, title: str, only: Sequence[str] = REPLY_FIELDS) -> None:
        """Answer a question. Once that is stored, its message is acked in a line of its own: it has been read here."""

        def answered(sent: Sent) -> None:
            self._acts.tell(self._desk.compose("send", reply_to=question), sent)
            asked = asked_message(self._desk.room, self._desk.me.name, question)
            if self._desk.me.name in asked.recipients and asked.handled_at is None:
                self._acts.act(self._desk.compose("ack", ids=[asked.id]), lambda _: None)

        self._acts.start("send", {"reply_to": question}, only, title, answered)

    def fetch_files(self, message: Message) -> None:
        """Ask for a folder, and write the attachments there; what stands there already becomes a question."""
        if not message.attachments:
            raise RelayError("refused", "This message has no attachments.", "One that has says (attached).")
        title = f"Save {', '.join(file.name for file in message.attachments)} to a folder"
        self._acts.start("fetch", {"id": message.id, "out": "."}, ("out",), title)

    def remind(self) -> None:
        """One reply for each delivery that is open, once a day; who would get one is shown first."""
        self._acts.act(self._desk.compose("followup", remind=True))


def _named(message: Message) -> Words:
    fetched = "" if message.delivered_at is not None else "   not fetched"
    return Content.assemble("  ", inert(message.from_), "   ", inert(message.summary), (fetched, QUIET))
