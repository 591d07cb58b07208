"""The table of resources: the inbox, claims, branches and the roadmap, as the tools would list them.

Reading one changes nothing but that its reader was heard from, and shows no bodies.
"""

from __future__ import annotations

from relay_tui.actions.call import Call
from relay_tui.agents.mcp import shapes
from relay_tui.agents.mcp.tools import TOOLS, call_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NamedTuple

    from relay_tui.agents.mcp.answers import Answer
else:
    from relay_tui.base.record import NamedTuple


class Resource(NamedTuple):
    """`tool` and `word` are the call that lists it."""

    name: str
    title: str
    tool: str
    word: str
    shape: Callable[..., Answer]

    @property
    def uri(self) -> str:
        return f"relay://{self.name}"

    def call(self) -> Call:
        return call_of(TOOLS[self.tool], {"do": self.word})


RESOURCES = {
    resource.uri: resource
    for resource in (
        Resource("inbox", "Unhandled mail, without bodies", "inbox", "list", shapes.shape_inbox),
        Resource("claims", "Who holds what", "claim", "list", shapes.shape_claim),
        Resource("branches", "Branches, their owners and flags", "branch", "list", shapes.shape_branch),
        Resource("roadmap", "The roadmap's items", "work", "tree", shapes.shape_work),
    )
}
