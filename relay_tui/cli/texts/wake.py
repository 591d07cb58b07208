"""Text of `relay wake`: with whom it was tried and how it ended, and who cannot be woken."""

from __future__ import annotations

from relay_tui.base.text import counted, inert

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.actions.wake import Attempt, Woken

_MEANS = {"socket": "over its inbox", "queue": "over Codex's queue"}
_ENDS = {
    "told": "woken {}",
    "failed": "not woken {}: {}",
    "uncertain": "perhaps woken {}: {}; this is not tried again for the same mail",
    "planned": "would be woken {}",
}


def wake(woken: Woken, now: int) -> Iterator[str]:
    if not woken.allowed:
        yield 'relay.toml allows nobody to be woken. It may say: wake = ["claude-*"]'
    elif not woken.attempts and not woken.skipped:
        yield "Nobody has mail to be woken for."
    for attempt in woken.attempts:
        yield f"{attempt.agent}: {_ended(attempt)}, for {counted(attempt.messages, 'message')}"
    for one in woken.skipped:
        yield f"{one.agent}: not woken, as {inert(one.reason)}"


def _ended(attempt: Attempt) -> str:
    return _ENDS[attempt.outcome].format(_MEANS[attempt.means], inert(attempt.text))
