"""Carrying out what the screens ask for: weighed, asked where it must be, written, logged and told (DESIGN §8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from relay_tui.actions.call import PROGRAM, Call
from relay_tui.actions.signature import read_signature
from relay_tui.actions.spec import summarize
from relay_tui.actions.table import ACTIONS
from relay_tui.base.errors import RelayError
from relay_tui.base.text import clip, inert
from relay_tui.base.times import local_time
from relay_tui.room.held import list_claims
from relay_tui.room.work import read_titles
from relay_tui.tui.answers import answer_lines, error_text, toast_text
from relay_tui.tui.command_log import CommandLog
from relay_tui.tui.desk import line_of
from relay_tui.tui.dialogs import ConfirmDialog, ForcedDialog
from relay_tui.tui.fields import fields_of, values_of
from relay_tui.tui.form import Field, FormDialog, Value
from relay_tui.tui.frame import Status
from relay_tui.tui.help import Page
from relay_tui.tui.known import read_known
from relay_tui.tui.plan_dialog import PlanDialog
from relay_tui.tui.previews import preview
from relay_tui.tui.rows_of.plan import offers_of, plan_lines
from relay_tui.tui.typed_line import Help, read_quickly, read_with_typer, split_words
from relay_tui.tui.weights import Weight, affected_lines, is_reading, name_to_type, way_back, weigh
from relay_tui.tui.writer import Job, Performed, Then, Writer

if TYPE_CHECKING:
    from relay_tui.actions.importing import Imported
    from relay_tui.room.held import Claim
    from relay_tui.tui.app import RelayApp
    from relay_tui.tui.content import Words

# Actions in which the person speaks for an agent by name.
_FOR_SOMEBODY = frozenset(("join", "leave"))
# What writes over a file only with --force.
_OVERWRITING = frozenset(("fetch",))
# What a person agrees to, where the command's name does not say it.
_VERBS = {"followup": "remind", "fetch": "write over it"}
TITLE_CHARACTERS = 160
_PLACEHOLDER = "not said yet"  # the reason in a dry run, which keeps nothing


class Acts:
    """What the screens ask to be done, from the first key to the toast."""

    def __init__(self, app: RelayApp) -> None:
        self._app = app
        self._desk = app.desk
        self._writer = Writer(app.desk, app.post_message)
        self._running: list[Call] = []
        self.log = CommandLog()

    @property
    def status(self) -> Status:
        return Status(self.log.last, line_of(self._running[0]) if self._running else "")

    def close(self) -> None:
        self._writer.close()

    # Asking

    def start(
        self,
        action: str,
        defaults: Mapping[str, Value] | None = None,
        only: Sequence[str] = (),
        title: str = "",
        then: Then | None = None,
    ) -> None:
        """Ask for the parameters of an action (`only` those), where it has some, then carry it out."""
        parameters = read_signature(ACTIONS[action]).parameters
        if not parameters and action not in _FOR_SOMEBODY:
            return self.try_to(partial(self.act, self._desk.compose(action)))
        known = read_known(self._desk.room, self._desk.me.name)
        fields = fields_of(action, known, defaults, only)
        if action in _FOR_SOMEBODY:
            fields = [Field("as", required=True, help="The agent's name."), *fields]
        dialog = FormDialog(title or summarize(ACTIONS[action]), fields, action)
        self._app.push_screen(dialog, partial(self._filled, action, defaults or {}, only, then))
        return None

    def _filled(
        self,
        action: str,
        defaults: Mapping[str, Value],
        only: Sequence[str],
        then: Then | None,
        filled: dict[str, Value] | None,
    ) -> None:
        if filled is None:
            return
        name = filled.pop("as", None) if action in _FOR_SOMEBODY else None
        hidden = {key: value for key, value in defaults.items() if only and key not in only and value is not None}
        call = self._desk.compose(action, **hidden, **values_of(action, filled))
        self.try_to(partial(self.act, call._replace(as_=str(name)) if name else call, then))

    def try_to(self, act: Any) -> None:
        """Do something that may be refused; the refusal is told."""
        try:
            act()
        except RelayError as refused:
            self.tell_error(refused)

    # Carrying out

    def act(self, call: Call, then: Then | None = None, told: Sequence[Words] = ()) -> None:
        """Carry out a call as its weight asks. Raises `refused` where nothing may be changed.

        A light one that something is `told` of is asked about too; the dry run's answer stands above that.
        """
        self._check_allowed(call)
        weight = weigh(call)
        if weight is Weight.LIGHT and not told:
            self._submit(call, then)
        else:
            self._submit(_dry(call), partial(self._asking(call, weight, told), call, then))

    def type_line(self, line: str) -> None:
        """Carry out a line of the command bar as it stands, as a shell would."""
        if line in ("", "q", "quit"):
            return self._app.exit() if line else None
        words: list[str] = []
        try:
            words = split_words(line)
            call = read_quickly(words)
        except RelayError as refused:
            return self._refuse_line([PROGRAM, *words], refused)
        if call is None:
            self._app.run_worker(partial(self._ask_typer, words), thread=True)
            return None
        return self._run_typed(call)

    def _ask_typer(self, words: list[str]) -> None:
        """In a thread, because Typer takes a while to load."""
        try:
            read = read_with_typer(words)
        except RelayError as refused:
            self._app.call_later(self._refuse_line, [PROGRAM, *words], refused)
            return
        if isinstance(read, Help):
            self._app.call_later(self._app.push_screen, Page(" ".join([PROGRAM, *words]), read.lines))
        else:
            self._app.call_later(self._run_typed, read)

    def _run_typed(self, call: Call) -> None:
        try:
            self._check_allowed(call)
        except RelayError as refused:
            return self._refuse_line(call.argv(), refused)
        return self._submit(call, None)

    def _refuse_line(self, argv: list[str], refused: RelayError) -> None:
        self._log(argv, 0, refused)
        self.tell_error(refused)

    def _check_allowed(self, call: Call) -> None:
        if self._desk.read_only and ACTIONS[call.action].writes:
            raise RelayError("refused", "This screen is read-only.", "Open relay without --read-only to act.")

    def _submit(self, call: Call, then: Then | None) -> None:
        self._running.append(call)
        self._writer.submit(Job(call, then))
        self._app.draw_status()

    def ended(self, performed: Performed) -> None:
        """The writer has answered: log it, and tell it or go on with it."""
        call = performed.job.call
        self._running.remove(call)
        self._log(call.argv(), performed.millis, performed.error)
        if performed.error is not None:
            if not self._asked_over(performed.job, performed.error):
                self.tell_error(performed.error)
        elif performed.job.then is not None:
            performed.job.then(performed.result)
        else:
            self.tell(call, performed.result)

    def _log(self, argv: list[str], millis: int, error: RelayError | None) -> None:
        self.log.add(argv, local_time(self._desk.now), millis, error)
        self._app.draw_status()

    # Asking again

    def _asking(self, call: Call, weight: Weight, told: Sequence[Words]) -> Callable[[Call, Then | None, Any], None]:
        if weight is Weight.FORCED:
            return self._ask_name
        return self._ask_plan if call.action == "work import" else partial(self._ask_consent, told)

    def _ask_plan(self, call: Call, then: Then | None, plan: Imported) -> None:
        """An import's plan is applied, left, or made anew with one more option."""

        def decide(more: Mapping[str, str | bool] | None) -> None:
            if more:
                self.try_to(partial(self.act, call._replace(values={**call.values, **more}), then))
            elif more is not None:
                self._submit(call, then)

        room = self._desk.room
        told = plan_lines(plan, read_titles(room) if room.exists else {}, self._app.glyphs)
        title = f"Would do: {line_of(call)}"
        self._app.push_screen(PlanDialog(title, told, offers_of(plan, call.values)), decide)

    def _ask_consent(self, told: Sequence[Words], call: Call, then: Then | None, result: Any) -> None:
        would = preview(call, result, self._desk.now)
        title = f"Would do: {clip(line_of(call), TITLE_CHARACTERS)}"
        if would.does:
            self._ask(title, [*would.lines, *told], call, then)
        else:
            self._app.push_screen(Page(title, would.lines))

    def _asked_over(self, job: Job, error: RelayError) -> bool:
        """A file that stands where one is to be written becomes a question; False for any other error."""
        over = job.call._replace(values={**job.call.values, "force": True})
        if error.code != "file_exists" or job.call.action not in _OVERWRITING:
            return False
        told = [inert(error.message), "Nothing was written. y writes over what is there; n leaves it all as it is."]
        self._ask(f"Would do: {line_of(over)}", told, over, job.then)
        return True

    def _ask(self, title: str, told: Sequence[Words], call: Call, then: Then | None) -> None:
        def decide(agreed: bool | None) -> None:
            if agreed:
                self._submit(call, then)

        self._app.push_screen(ConfirmDialog(title, told, _VERBS.get(call.action, call.action)), decide)

    def _ask_name(self, call: Call, then: Then | None, result: Any) -> None:
        now = self._desk.now
        name = name_to_type(call)
        claims = getattr(result, "released", None) or self._given_up(call, name)
        affected = affected_lines(claims, now) if claims else answer_lines(call.action, result, now)

        def decide(reason: str | None) -> None:
            if reason is not None:
                self._submit(call._replace(values={**call.values, "reason": reason}), then)

        self._app.push_screen(ForcedDialog(f"{call.action} {name} by force", affected, name), decide)

    def _given_up(self, call: Call, name: str) -> list[Claim]:
        """The branches that a name gives up when it is retired; the dry run has left them where they are."""
        held = list_claims(self._desk.room, holder=name).claims if call.action == "retire" else []
        return [claim for claim in held if claim.scope == "branch"]

    # Telling

    def tell(self, call: Call, result: Any) -> None:
        """What came of a call: a page to read, or a toast that names the way back."""
        lines = answer_lines(call.action, result, self._desk.now)
        if is_reading(call):
            self._app.push_screen(Page(line_of(call), lines))
            return
        back = way_back(call, result)
        said = toast_text(lines)
        if back is not None:
            action, values = back
            said += f"\nBack: {line_of(self._desk.compose(action, **values))}"
        self._app.notify(said, markup=False)

    def tell_error(self, error: RelayError) -> None:
        self._app.notify(error_text(error), severity="error", timeout=8, markup=False)


def _dry(call: Call) -> Call:
    """The same call, telling what it would do; a forced one says its reason only afterwards."""
    if weigh(call) is Weight.FORCED:
        call = call._replace(values={"reason": _PLACEHOLDER, **call.values})
    return call._replace(dry_run=True)
