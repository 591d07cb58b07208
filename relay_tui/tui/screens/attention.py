"""Attention: what needs the person, most urgent first, each with the keys and the command that settle it."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from textual.content import Content

from relay_tui.actions.call import parse
from relay_tui.base.errors import RelayError
from relay_tui.base.text import shell_line
from relay_tui.room.persons import whom_to_write
from relay_tui.tui.rows_of.attention import COLUMNS, OTHERS_HANDOVER, item_detail, item_row, keys_for, rest_rows
from relay_tui.tui.screens.list_screen import Listed
from relay_tui.tui.screens.room_screen import RoomScreen
from relay_tui.tui.widgets.clipboard import copy
from relay_tui.tui.widgets.glyphs import QUIET
from relay_tui.tui.widgets.rows import Row

if TYPE_CHECKING:
    from collections.abc import Mapping

    from relay_tui.room.attention import Attention
    from relay_tui.room.attention_items import AttentionItem
    from relay_tui.room.branches import BranchView
    from relay_tui.room.rooms import Room
    from relay_tui.tui.acts.branch_acts import BranchActs
    from relay_tui.tui.acts.handoff_acts import HandoffActs
    from relay_tui.tui.readings.subjects import Subject

_HOLE = "…"  # stands in a command for what the person has to say
LOOKING = "Looking at the branches …"
_SEE_DETAIL = "The detail lists the keys that settle it."


@final
class AttentionScreen(RoomScreen):
    NAME = "attention"
    COLUMNS = COLUMNS
    WORDS = {"app.next": "next", "list.open": "do what is proposed", "act.message": "message", "act.reply": "reply"}
    EMPTY = "Nothing needs you.\n2 shows who is here, 5 your mail. An agent joins with:\n  relay join --as NAME"
    NO_ROW = ("Nothing needs you here.", "2 shows who is here, 5 your mail.")

    def __init__(self) -> None:
        super().__init__()
        self._is_surveyed = False
        self._does: Mapping[str, str] = {}

    # What is shown

    def read(self, room: Room) -> Attention:
        """Everything but the branches is read anew; those are as git was surveyed last, in a thread."""
        from relay_tui.room.attention import read_attention

        survey = self.relay.survey
        if survey is None:
            return read_attention(room, [])
        branches = None if survey.attention.unknown else self._branches
        return read_attention(room, branches, survey.contests, survey.attention.doubts)

    @property
    def _branches(self) -> list[BranchView]:
        return list(self.relay.survey.branches) if self.relay.survey else []

    def rows_from(self, facts: Attention) -> Listed:
        from relay_tui.room.attention import ELSE_SETTLED

        listed: Listed = [(item_row(item, self.desk.now, self.glyphs), item) for item in facts.items]
        survey = self.relay.survey
        nothing = ELSE_SETTLED if facts.unknown else self.EMPTY
        fault = self.relay.survey_fault
        self.empty = nothing if survey is not None else fault.told if fault is not None else LOOKING
        flags = [branch.flag for branch in self._branches] if survey and not facts.unknown else None
        listed += [(row, None) for row in rest_rows(flags, facts)] if listed else []
        return listed

    def banner(self) -> Content:
        survey = self.relay.survey
        if survey is None:
            is_looking = self.desk.room.exists and self.relay.survey_fault is None
            return Content.styled(LOOKING if is_looking else "", QUIET)
        return Content.styled("   ".join(survey.attention.doubts[:1]), "$warning")

    def surveyed(self) -> None:
        """With the first survey branches come in above the rest, and the cursor goes up to them."""
        is_first, self._is_surveyed = not self._is_surveyed, True
        self.reload()
        if is_first:
            self.row_list.action_edge(-1)

    @property
    def words(self) -> Mapping[str, str]:
        """The keys that settle what is under the cursor stand in the line of keys too."""
        return {"app.next": "next", **(self._does if self.current is not None else {})}

    def describe(self, row: Row, thing: AttentionItem, width: int) -> Content:
        from relay_tui.tui.rows_of.branches import Stand
        from relay_tui.tui.rows_of.subjects import about_subject

        found = self._subject(thing)
        held = found.claim is not None or (found.branch is not None and found.branch.claim is not None)
        does = keys_for(self._kind_of(thing, found), self._whom(found), held)
        if found.branch is not None and found.branch.head is None:
            does.pop("act.decline", None)  # there is no diff of what is only planned
        if does != self._does:
            self._does = does
            self.draw_frame()
        room = self.desk.room
        about = about_subject(found, Stand(room.folder, room.row.name), self.desk.now, self.glyphs)
        reasons = found.branch.reasons if found.branch is not None else ()
        return item_detail(thing, about, self.named_keys(does), self.glyphs, width, reasons)

    def _kind_of(self, item: AttentionItem, found: Subject) -> str:
        is_others = found.handoff is not None and found.handoff.recipient != self.desk.person
        return OTHERS_HANDOVER if is_others else item.kind

    def _subject(self, item: AttentionItem) -> Subject:
        from relay_tui.tui.readings.subjects import find_subject

        return find_subject(item, self.desk.room, self.desk.me.name, self._branches)

    # What the keys do

    def is_barred(self, id: str) -> bool:
        """`d` only looks where it shows a diff."""
        return super().is_barred(id) and self._does.get(id) != "diff"

    def id_of(self, row: Row, thing: AttentionItem) -> str:
        return thing.subject

    def agent_of(self, thing: AttentionItem) -> str | None:
        """Whoever can do something about it."""
        return self._whom(self._subject(thing))

    def _whom(self, found: Subject) -> str | None:
        from relay_tui.tui.acts.branch_acts import people_at
        from relay_tui.tui.acts.claim_keys import people_of

        me, thing = self.desk.person, found.handoff or found.claim
        if found.branch is not None:
            return whom_to_write(people_at(found.branch), me)
        if found.item is not None:
            return found.item.owner if found.item.owner in found.agents else None
        if found.message is not None:
            return found.message.from_
        if thing is not None:
            return whom_to_write(people_of(thing), me)
        return found.agent.agent if found.agent else None

    def action_copy_line(self) -> None:
        copy(self, shell_line(self.current.command) if self.current is not None else "")

    def action_next_waiting(self) -> None:
        """Go to the next thing, and after the last to the first again."""
        here = self.row_list.row
        self.row_list.action_move(1)
        if self.row_list.row is here:
            self.row_list.action_edge(-1)

    def open_thing(self, thing: AttentionItem) -> None:
        """Enter does what is proposed; what has to be said is asked for first."""
        from relay_tui.tui.acts.weights import Weight, weigh

        if thing.kind == "question":
            return self._answer(thing)
        call = parse(thing.command[1:])
        if call is None or call.room not in (None, self.desk.room.row.name):
            raise RelayError("refused", "This cannot be done from here.", f"Type: {shell_line(thing.command)}")
        said = {name: value for name, value in call.values.items() if value != _HOLE}
        to_say = [name for name in call.values if name not in said] or (["message"] if call.action == "send" else [])
        mine = self.desk.compose(call.action, **said)
        if to_say and weigh(mine) is not Weight.FORCED:  # a forced act asks for its reason by itself
            self.relay.acts.start(call.action, said, to_say, self._title(thing, call.action))
        else:
            self.relay.acts.act(mine)
        return None

    def _answer(self, thing: AttentionItem) -> None:
        from relay_tui.tui.acts.mail_acts import MailActs

        title = f"{thing.subject} asks: {thing.text}"
        MailActs(self.relay).answer(thing.id.removeprefix("question:"), title, ("message",))

    def _title(self, thing: AttentionItem, action: str) -> str:
        who = self.agent_of(thing)
        return f"Write to {who}" if action == "send" and who else ""

    def do_accept(self) -> None:
        """Ack a message, take what is offered, or forget what failed."""
        thing: AttentionItem = self.here
        if thing.kind == "mail":
            self.relay.acts.act(self.desk.compose("ack", ids=[thing.id.removeprefix("mail:")]))
        elif thing.kind == "fault":
            self.relay.acts.act(self.desk.compose("doctor", forget=True))
        elif (offer := self._subject(thing).handoff) is not None:
            self._handoffs.accept(offer)
        else:
            raise RelayError("refused", f"There is nothing to accept about {thing.subject}.", _SEE_DETAIL)

    def do_reply(self) -> None:
        """Answer a question or a message."""
        from relay_tui.tui.acts.mail_acts import MailActs

        thing: AttentionItem = self.here
        message = self._subject(thing).message
        if thing.kind == "question":
            self.open_thing(thing)
        elif message is not None:
            MailActs(self.relay).reply(message)
        else:
            raise RelayError("refused", "Nobody has asked you anything here.", _SEE_DETAIL)

    def do_claim(self) -> None:
        self._acts.claim(self._branch)

    def do_release(self) -> None:
        self._acts.release(self._branch)

    def do_force(self) -> None:
        """Free what somebody holds who is not live."""
        from relay_tui.tui.acts.claim_keys import looker_at

        claim = self._subject(self.here).claim
        if claim is None:
            return self._acts.free(self._branch)
        looker_at(self.desk).refuse_own(claim)
        resources = [self.desk.typed(claim.scope, claim.resource)]
        return self.relay.acts.act(self.desk.compose("release", resources=resources, force=True))

    def do_transfer(self) -> None:
        self._acts.transfer(self._branch)

    def do_decline(self) -> None:
        """Decline what is offered; with a branch, where nothing is offered, show its diff."""
        offer = self._subject(self.here).handoff
        if offer is None:
            return self._acts.show_diff(self._branch, None)
        return self._handoffs.decline(offer)

    def do_status(self) -> None:
        from relay_tui.tui.acts.item_acts import ItemActs

        item = self._subject(self.here).item
        if item is None:
            raise RelayError("refused", "Agents report their own status.", "m asks for it.")
        ItemActs(self.relay).pick_status([item])

    @property
    def _acts(self) -> BranchActs:
        from relay_tui.tui.acts.branch_acts import BranchActs

        return BranchActs(self.relay)

    @property
    def _handoffs(self) -> HandoffActs:
        from relay_tui.tui.acts.handoff_acts import HandoffActs

        return HandoffActs(self.relay)

    @property
    def _branch(self) -> BranchView:
        branch = self._subject(self.here).branch
        if branch is None:
            raise RelayError("refused", f"{self.here.subject} is not a branch.", _SEE_DETAIL)
        return branch
