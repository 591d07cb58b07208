"""The table of resources: the inbox, claims, branches and the roadmap, as the tools would list them.

Reading one shows no bodies and changes nothing, but that its reader joins the room or was heard from there.
"""

from __future__ import annotations

from relay_tui.agents.mcp.tools import CHOICE, TOOLS, Request, read_request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple


class Resource(NamedTuple):
    """`tool` and `word` are the call that lists it."""

    name: str
    title: str
    tool: str
    word: str

    @property
    def uri(self) -> str:
        return f"relay://{self.name}"

    def request(self) -> Request:
        return read_request(TOOLS[self.tool], {CHOICE: self.word})


RESOURCES = {
    resource.uri: resource
    for resource in (
        Resource("inbox", "Unhandled mail, without bodies", "inbox", "list"),
        Resource("claims", "Who holds what", "claim", "list"),
        Resource("branches", "Branches, their owners and flags", "branch", "list"),
        Resource("roadmap", "The roadmap's items", "work", "tree"),
    )
}
