"""Text of the table of actions."""

from __future__ import annotations

from relay_tui.cli.texts.layout import columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.actions.spec import Spec


def spec(found: Spec, now: int) -> Iterator[str]:
    yield from columns([[one.name, one.scope, one.summary] for one in found.actions])
