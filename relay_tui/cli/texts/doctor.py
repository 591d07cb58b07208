"""Text of the doctor's findings."""

from __future__ import annotations

from relay_tui.cli.texts.layout import columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.actions.doctor import Diagnosis

_WORDS = {True: "ok", None: "note", False: "WRONG"}


def doctor(found: Diagnosis, now: int) -> Iterator[str]:
    yield from columns([[_WORDS[check.ok], check.name, check.text, check.hint] for check in found.checks])
    yield "Nothing is wrong." if found.ok else "Something is wrong; the hints say what to do."
