"""Text of a dry run of `relay launch`; a real one prints nothing, for the client has the terminal."""

from __future__ import annotations

from relay_tui.base.text import inert, shell_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.actions.launch import Launch


def launch(planned: Launch, now: int) -> Iterator[str]:
    where = f" on branch {inert(planned.branch)}" if planned.branch else ""
    yield f"{planned.agent} in {inert(planned.worktree)}{where}: {shell_line(planned.argv)}"
