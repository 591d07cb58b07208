"""The questions before a call is carried out (DESIGN §8, three weights): its dry run is shown, the person decides.

What was agreed to goes back to `Acts`; what was not leaves the form open that it was filled in on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from relay_tui.actions.signature import read_signature
from relay_tui.actions.table import ACTIONS
from relay_tui.base.errors import RelayError
from relay_tui.base.text import clip, inert
from relay_tui.room.held import list_claims
from relay_tui.room.work import read_titles
from relay_tui.tui.acts.weights import Weight, affected_lines, name_to_type, weigh
from relay_tui.tui.acts.writer import Job
from relay_tui.tui.answers import answer_lines
from relay_tui.tui.desk import line_of
from relay_tui.tui.dialogs.confirm import ConfirmDialog, ForcedDialog
from relay_tui.tui.dialogs.dialog import Page
from relay_tui.tui.dialogs.plan_dialog import PlanDialog
from relay_tui.tui.dialogs.verbs import verb_of
from relay_tui.tui.rows_of.plan import offers_of, plan_lines
from relay_tui.tui.rows_of.previews import forced_release, preview

if TYPE_CHECKING:
    from relay_tui.actions.call import Call
    from relay_tui.actions.plan_files.importing import Imported
    from relay_tui.room.held import Claim
    from relay_tui.tui.acts.carrying import Acts
    from relay_tui.tui.app import RelayApp
    from relay_tui.tui.widgets.content import Words

    # What is known before the dry run, or what is made of its answer.
    Told = Sequence[Words] | Callable[[Any], Sequence[Words]]

TITLE_CHARACTERS = 160
NAME_CHARACTERS = 32
_NOT_YET_SAID = "…"  # the reason in a dry run, which keeps nothing


class Questions:
    """Made by `Acts`, which carries out what they end in."""

    def __init__(self, app: RelayApp, acts: Acts) -> None:
        self._app = app
        self._acts = acts
        self._desk = app.desk

    def before(self, job: Job, told: Told) -> Job:
        """The dry run of a job, whose answer becomes the question; what is `told` of it stands below that."""
        return Job(_dry(job.call), partial(self._asking(job.call, told), job), job.form)

    def asked_over(self, job: Job, error: RelayError) -> bool:
        """A file that stands where one is to be written becomes a question; False for any other error."""
        options = {one.name for one in read_signature(ACTIONS[job.call.action]).options}
        if error.code != "file_exists" or "force" not in options:
            return False
        over = job.call._replace(values={**job.call.values, "force": True})
        told = [inert(error.message), "Nothing was written. y overwrites what is there; n leaves it as it is."]
        self._ask(f"Would run: {line_of(over)}", told, job._replace(call=over))
        return True

    def _asking(self, call: Call, told: Told) -> Callable[[Job, Any], None]:
        if weigh(call) is Weight.FORCED:
            return self._ask_name
        return self._ask_plan if call.action == "work import" else partial(self._ask_consent, told)

    def _ask_plan(self, job: Job, plan: Imported) -> None:
        """An import's plan is applied, left, or made anew with one more option."""
        call = job.call

        def decide(more: Mapping[str, str | bool] | None) -> None:
            if more:
                again = call._replace(values={**call.values, **more})
                self._acts.try_to(lambda: self._acts.act(again, job.then, form=job.form))
            else:
                self._decided(job, more is not None)

        room = self._desk.room
        told = plan_lines(plan, read_titles(room) if room.exists else {}, self._app.glyphs)
        title = f"Would run: {line_of(call)}"
        self._app.push_screen(PlanDialog(title, told, offers_of(plan, call.values)), decide)

    def _ask_consent(self, told: Told, job: Job, result: Any) -> None:
        would = preview(job.call, result, self._desk.now)
        title = f"Would run: {clip(line_of(job.call), TITLE_CHARACTERS)}"
        if would.does:
            more = told(result) if callable(told) else told
            self._ask(title, [*would.lines, *more], job)
        else:
            self._decided(job, agreed=False)
            self._app.push_screen(Page(title, would.lines))

    def _ask(self, title: str, told: Sequence[Words], job: Job) -> None:
        def decide(agreed: bool | None) -> None:
            self._decided(job, bool(agreed))

        self._app.push_screen(ConfirmDialog(title, told, verb_of(job.call.action, job.call.values)), decide)

    def _ask_name(self, job: Job, result: Any) -> None:
        call, now, me = job.call, self._desk.now, self._desk.person
        name = name_to_type(call)
        claims = getattr(result, "released", None) or self._given_up(call, name)
        affected = affected_lines(claims, me.room, now) if claims else answer_lines(call.action, result, now)
        told: list[Words] = [*affected]
        if getattr(result, "forced", False):
            told += ["", *forced_release(claims, me)]

        def decide(reason: str | None) -> None:
            forced = call._replace(values={**call.values, "reason": reason or _NOT_YET_SAID})
            self._decided(job._replace(call=forced), reason is not None)

        title = f"{verb_of(call.action, call.values).capitalize()} {clip(name, NAME_CHARACTERS)} by force"
        self._app.push_screen(ForcedDialog(title, told, name), decide)

    def _given_up(self, call: Call, name: str) -> list[Claim]:
        """The branches that a name gives up when it is retired; the dry run has left them where they are."""
        held = list_claims(self._desk.room, holder=name).claims if call.action == "retire" else []
        return [claim for claim in held if claim.scope == "branch"]

    def _decided(self, job: Job, agreed: bool) -> None:
        """Do it, or go back to the form that it was filled in on."""
        if agreed:
            self._acts.submit(job)
        elif job.form is not None:
            job.form.reopen()


def _dry(call: Call) -> Call:
    """The same call, telling what it would do; a forced one says its reason only afterwards."""
    if weigh(call) is Weight.FORCED:
        call = call._replace(values={"reason": _NOT_YET_SAID, **call.values})
    return call._replace(dry_run=True)
