"""Carrying out what the screens ask for: weighed, asked where it must be, written, logged and told (DESIGN §8).

How a person is asked stands in `questions`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from relay_tui.actions.call import DRY_RUN, PROGRAM, Call
from relay_tui.actions.signature import read_signature
from relay_tui.actions.spec import summarize
from relay_tui.actions.table import ACTIONS
from relay_tui.base.errors import RelayError
from relay_tui.base.text import clip, inert
from relay_tui.base.times import local_time
from relay_tui.room.permissions import OPERATORS_ACTS, allowed
from relay_tui.room.work import read_item
from relay_tui.tui.acts.questions import Questions
from relay_tui.tui.acts.typed_line import Help, read_quickly, read_with_typer, split_words
from relay_tui.tui.acts.weights import Weight, is_reading, way_back, weigh
from relay_tui.tui.acts.writer import Job, Performed, PutOff, Then, Writer
from relay_tui.tui.answers import answer_lines, toast_text
from relay_tui.tui.desk import line_of
from relay_tui.tui.dialogs.dialog import Page
from relay_tui.tui.dialogs.fields import fields_of, values_of
from relay_tui.tui.dialogs.form import Field, Filled, FormDialog, Value
from relay_tui.tui.dialogs.item_fields import way_back_of_line
from relay_tui.tui.dialogs.verbs import verb_of
from relay_tui.tui.door import attempt
from relay_tui.tui.frame import Status
from relay_tui.tui.readings.known import Known, read_known
from relay_tui.tui.readings.path_tree import PathTree
from relay_tui.tui.widgets.command_log import CommandLog

if TYPE_CHECKING:
    from relay_tui.room.work import Item
    from relay_tui.tui.acts.questions import Told
    from relay_tui.tui.app import RelayApp

# Actions in which the person speaks for an agent by name.
_WHOSE = {"join": "The agent's name.", "leave": "The agent's name; for those long silent (stale), your own."}
BACK_SHOWN = 6  # lines that undo what a toast tells
BACK_CHARACTERS = 400


class Acts:
    """What the screens ask to be done, from the first key to the toast."""

    def __init__(self, app: RelayApp) -> None:
        self._app = app
        self._desk = app.desk
        self._writer = Writer(app.desk, app.post_message)
        self._running: list[Call] = []
        self._questions = Questions(app, self)
        self.log = CommandLog()

    @property
    def status(self) -> Status:
        return Status(self.log.last, line_of(self._running[0]) if self._running else "")

    def is_running(self, call: Call) -> bool:
        """Whether a call was asked for and its answer is not there yet."""
        return call in self._running

    def close(self, patience: float | None = None) -> None:
        """Let what was asked for be done; in `patience` seconds, where they are said."""
        self._writer.close(patience)

    # Asking

    def start(
        self,
        action: str,
        defaults: Mapping[str, Value] | None = None,
        only: Sequence[str] = (),
        title: str = "",
        then: Then | None = None,
        told: Told = (),
        verb: str = "",
    ) -> None:
        """Ask for the parameters of an action (`only` those), where it has some, then carry it out. Refusals are told.

        The form hands them in with `verb`; what is `told` stands below the question that follows.
        """
        given = defaults or {}
        hidden = {key: value for key, value in given.items() if only and key not in only and value is not None}

        def begin() -> None:
            self._check_allowed(action)
            if not read_signature(ACTIONS[action]).parameters and action not in _WHOSE:
                return self.act(self._desk.compose(action), then, told)
            whose = [Field("as", required=True, help=_WHOSE[action])] if action in _WHOSE else []
            fields = [*whose, *fields_of(action, self.known(), given, only)]
            return self.ask(title or summarize(ACTIONS[action]), fields, filled, verb or verb_of(action, given))

        def filled(values: dict[str, Value], form: FormDialog) -> None:
            name = values.pop("as", None) if action in _WHOSE else None
            call = self._desk.compose(action, **hidden, **values_of(action, values))
            self.act(call._replace(as_=str(name)) if name else call, then, told, form)

        self.try_to(begin)

    def ask(self, title: str, fields: Sequence[Field], filled: Filled, verb: str, first: int | None = None) -> None:
        """A form of these fields, whose values go to `filled`."""
        self._app.push_screen(FormDialog(title, fields, filled, verb, first))

    def known(self) -> Known:
        """What fields and lines are completed with. Raises what reading the room raises."""
        survey = self._app.survey
        known = read_known(self._desk.room, self._desk.me.name, survey.flags if survey else ())
        return known._replace(tree=PathTree(known.folder))

    def try_to(self, act: Callable[[], object]) -> None:
        """Do something that may be refused; the refusal is told."""
        try:
            act()
        except RelayError as refused:
            self.tell_error(refused)

    # Carrying out

    def act(
        self,
        call: Call,
        then: Then | None = None,
        told: Told = (),
        form: FormDialog | None = None,
        back: Call | None = None,
        ended: Callable[[], object] | None = None,
    ) -> None:
        """Carry out a call as its weight asks. Raises `refused` where nothing may be changed.

        A light one that something is `told` of is asked about too; the dry run's answer stands above that. The
        `form` that it was filled in on closes when it is done, and says why where it is refused. `back` and
        `ended` are those of a `Job`.
        """
        self._check_allowed(call.action)
        job = Job(call, then, form, back, ended)
        is_asked = weigh(call) is not Weight.LIGHT or told
        self.submit(self._questions.before(job, told) if is_asked else job)

    def act_unasked(self, call: Call, then: Then, put_off: PutOff) -> None:
        """Carry out what the person agreed to before. Raises `refused`; later refusals are told unless `put_off`."""
        self._check_allowed(call.action)
        self.submit(Job(call, then, put_off=put_off))

    def type_line(self, line: str) -> None:
        """Carry out a line of the command bar as it stands, as a shell would."""
        if line in ("", "q", "quit"):
            return self._app.way_out.leave() if line else None
        words = [line]
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
        read, refused = attempt(partial(read_with_typer, words))
        if refused is not None:
            self._app.call_later(self._refuse_line, [PROGRAM, *words], refused)
        elif isinstance(read, Help):
            self._app.call_later(self._app.push_screen, Page(" ".join([PROGRAM, *words]), read.lines))
        elif read is not None:
            self._app.call_later(self._run_typed, read)

    def _run_typed(self, call: Call) -> None:
        try:
            self._check_allowed(call.action)
        except RelayError as refused:
            return self._refuse_line(call.argv(), refused)
        if call.action == "init" and self._desk.room.exists:
            return self.act(call)  # where lines of this folder go is nothing to change in passing
        call = self._desk.placed(call)
        return self.submit(Job(call, back=self._way_back_of_setting(call)))

    def _refuse_line(self, argv: list[str], refused: RelayError) -> None:
        self._log(argv, 0, refused)
        self.tell_error(refused)

    def _check_allowed(self, action: str) -> None:
        if self._desk.read_only and ACTIONS[action].writes:
            self.refuse_to_change()

    def refuse_to_change(self) -> None:
        """Raises `refused`: nothing is changed from a screen that only looks."""
        raise RelayError("refused", "This screen is read-only.", "Open relay without --read-only to act.")

    def submit(self, job: Job) -> None:
        """Give a job to the writer; `ended` hears of it."""
        self._running.append(job.call)
        self._writer.submit(job)
        self._app.draw_status()

    def ended(self, performed: Performed) -> None:
        """The writer has answered: log it, and tell it or go on with it."""
        job, call = performed.job, performed.job.call
        self._running.remove(call)
        if performed.error is not None and job.put_off is not None and job.put_off(performed.error):
            self._app.draw_status()
            return
        self._log(call.argv(), performed.millis, performed.error, dry_run=call.dry_run)
        if performed.error is not None:
            self._failed(job, performed.error)
        else:
            self._succeeded(job, performed.result)
        if job.ended is not None:
            job.ended()

    def _succeeded(self, job: Job, result: Any) -> None:
        if job.form is not None and not job.call.dry_run:
            job.form.done()
        if job.then is not None:
            job.then(result)
        else:
            self.tell(job.call, result, job.back)

    def _failed(self, job: Job, error: RelayError) -> None:
        """A form that is shown says it; else a toast does, and the form can be handed in again."""
        if self._questions.asked_over(job, error):
            return
        if job.form is not None and job.form.is_open:
            job.form.refuse(error)
            return
        if job.form is not None:
            job.form.reopen()
        self.tell_error(error)

    def _log(self, argv: list[str], millis: int, error: RelayError | None, *, dry_run: bool = False) -> None:
        self.log.add(argv, local_time(self._desk.now), millis, error, dry_run=dry_run)
        self._app.draw_status()

    # Telling

    def tell(self, call: Call, result: Any, back: Call | None = None) -> None:
        """What came of a call: a page to read, or a toast that names the way back, which `back` knows best."""
        lines = answer_lines(call.action, result, self._desk.now)
        if is_reading(call):
            self._app.push_screen(Page(line_of(call), lines))
            return
        if call.dry_run:
            self.tell_back([DRY_RUN, *lines], [])
            return
        back = back if back and getattr(result, "changed", True) else self._way_back(call, result)
        self.tell_back(
            [line for line in lines if back is None or not line.startswith("Back: ")], [back] if back else []
        )

    def tell_back(self, said: list[str], ways: Sequence[Call]) -> None:
        """A toast with the lines that undo what it says."""
        shown = [f"Back: {clip(inert(line_of(back)), BACK_CHARACTERS)}" for back in ways[:BACK_SHOWN]]
        more = [f"and {len(ways) - BACK_SHOWN} more such lines"] if len(ways) > BACK_SHOWN else []
        self._app.notify("\n".join([toast_text(said), *shown, *more]), markup=False)

    def _way_back(self, call: Call, result: Any) -> Call | None:
        """What undoes a call, by whoever made it and in the same room; what is the operator's is not for others."""
        found = way_back(call, result, self._desk.typed)
        if found is None:
            return None
        back = self._desk.compose(found[0], **found[1])
        if back.action in OPERATORS_ACTS:
            is_mine = allowed(self._desk.me, back.action, self._desk.room.operator)
            return back._replace(room=call.room or back.room) if is_mine else None
        return _by_the_same(call, back)

    def _way_back_of_setting(self, call: Call) -> Call | None:
        """What undoes a typed `work set`, which only the item as it is before can say."""
        if call.action != "work set" or call.dry_run:
            return None
        item, _ = attempt(partial(self._item_of, call))  # of one that cannot be read, the call itself says why
        values = way_back_of_line(item, call.values) if item else None
        if item is None or not values:
            return None
        return _by_the_same(call, self._desk.compose("work set", id=item.id, **values))  # type: ignore[arg-type]

    def _item_of(self, call: Call) -> Item:
        return read_item(self._desk.open_in(self._desk.room.store, call.room), str(call.values["id"]))

    def tell_error(self, error: RelayError) -> None:
        self._app.notify(toast_text(error.told.split("\n")), severity="error", timeout=8, markup=False)


def _by_the_same(call: Call, back: Call) -> Call:
    """A line of whoever made a call, in the same room."""
    return back._replace(room=call.room or back.room, as_=call.as_ or back.as_, session=call.session)
