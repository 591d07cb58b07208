"""The table of tools: ten names over the actions of the one table, and what a call of one asks for (DESIGN §9).

A tool says which actions it stands for and which of their words and options it takes; their kinds, choices and
meanings are the actions' own, so no rule stands here twice.
"""

from __future__ import annotations

from relay_tui.actions.call import Call
from relay_tui.actions.signature import Parameter, read_signature
from relay_tui.actions.table import ACTIONS
from relay_tui.agents.mcp import answers, shapes
from relay_tui.base.errors import RelayError
from relay_tui.base.text import clip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NamedTuple, TypeAlias

    from relay_tui.agents.mcp.answers import Answer

    Shape: TypeAlias = Callable[..., Answer]
else:
    from relay_tui.base.record import NamedTuple

CHOICE = "do"  # names the action, in tools that stand for several
RETRY_KEY = "request_id"  # the parameter `id` of `send`, where `id` means another thing
_PYTHON_TYPES = {"str": str, "int": int, "bool": bool, "list": list, "choice": str}
_SPOKEN = {"str": "a text", "int": "a number", "bool": "true or false", "list": "a list of texts", "choice": "a text"}


class Step(NamedTuple):
    """One action of a tool, and how its result is answered: the parameters it takes from the call, and values where
    the call brings none."""

    action: str
    shape: Shape
    takes: tuple[str, ...] = ()
    given: dict[str, Any] = {}


class Tool(NamedTuple):
    """`steps` are by the word that `do` says; the first is meant where it says nothing. The last two are
    hints; nothing is open-world, and nothing here destroys."""

    name: str
    title: str
    about: str
    steps: dict[str, Step]
    answer: type[Answer]
    reads: bool = False
    repeatable: bool = False


class Request(NamedTuple):
    """A call, and how its result is answered."""

    call: Call
    shape: Shape


_ITEM = ("title", "status", "owner", "priority", "label", "branch", "blocked_by")
TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            "room", "Who is here", "Your name in the room, your unhandled mail, and the other agents.",
            {"look": Step("agents", shapes.shape_room)}, answers.RoomAnswer, reads=True, repeatable=True,
        ),
        Tool(
            "send", "Send a message", "Send to an agent, to '*' (everybody live), or in answer to a message.",
            {"send": Step("send", shapes.shape_sent, ("message", "to", "summary", "reply_to", "attach", RETRY_KEY))},
            answers.SendAnswer,
        ),
        Tool(
            "inbox", "Read mail",
            "list: unhandled mail without bodies, records nothing. read: with bodies, which delivers it."
            " show: one message. Then ack what you have dealt with.",
            {
                "list": Step("inbox", shapes.shape_mailbox, ("limit", "since", "from_"), {"peek": True, "limit": 20}),
                "read": Step("inbox", shapes.shape_mailbox, ("limit", "since", "from_"), {"limit": 10}),
                "show": Step("show", shapes.shape_message, ("id",)),
            },
            answers.InboxAnswer, repeatable=True,
        ),
        Tool(
            "ack", "Acknowledge mail", "Say that you have handled messages.",
            {"ack": Step("ack", shapes.shape_ack, ("ids", "note"))}, answers.AckAnswer, repeatable=True,
        ),
        Tool(
            "status", "Report status", "Say what you do; with needs and question, ask somebody.",
            {"report": Step("status", shapes.shape_status, ("status", "text", "task", "needs", "question"))},
            answers.StatusAnswer,
        ),
        Tool(
            "claim", "Claim files", "take: claim paths, branch:NAME or machine:NAME. list: who holds what.",
            {
                "take": Step("claim", shapes.shape_claimed, ("resources", "note", "gate")),
                "list": Step("claims", shapes.shape_claims, ("over", "holder")),
            },
            answers.ClaimAnswer, repeatable=True,
        ),
        Tool(
            "release", "Release claims", "Give back what you hold.",
            {"release": Step("release", shapes.shape_released, ("resources", "all_"))},
            answers.ReleaseAnswer, repeatable=True,
        ),
        Tool(
            "handoff", "Hand over claims",
            "list waiting offers; offer claims to an agent; accept or decline an offer; cancel yours; ask a holder.",
            {
                "list": Step("handoff list", shapes.shape_handoffs),
                "offer": Step("handoff request", shapes.shape_handoff, ("resources", "to", "reason")),
                "accept": Step("handoff respond", shapes.shape_handoff, ("id", "resource", "reason"), {"accept": True}),
                "decline": Step("handoff respond", shapes.shape_handoff, ("id", "reason"), {"decline": True}),
                "cancel": Step("handoff cancel", shapes.shape_handoff, ("id",)),
                "ask": Step("handoff ask", shapes.shape_asked, ("resources", "reason")),
            },
            answers.HandoffAnswer,
        ),
        Tool(
            "branch", "Branches", "list: owner, agents and flag of each. claim or release one.",
            {
                "list": Step("branches", shapes.shape_branches, ("mine", "all_")),
                "claim": Step("branch claim", shapes.shape_branch_claimed, ("branch", "note", "new")),
                "release": Step("branch release", shapes.shape_branch_released, ("branch",)),
            },
            answers.BranchAnswer, repeatable=True,
        ),
        Tool(
            "work", "The roadmap", "next: what you can take up. tree, show: look. add, set: change an item.",
            {
                "next": Step("work next", shapes.shape_next, ("limit",)),
                "tree": Step("work tree", shapes.shape_items, ("id", "depth"), {"flat": True}),
                "show": Step("work show", shapes.shape_item, ("id",)),
                "add": Step("work add", shapes.shape_item, ("parent", *_ITEM)),
                "set": Step("work set", shapes.shape_item, ("id", *_ITEM)),
            },
            answers.WorkAnswer,
        ),
    )
}  # fmt: skip


def read_request(tool: Tool, arguments: Mapping[str, Any], key: str | None = None) -> Request:
    """What a tool's arguments ask for; `key` is the retry key where they bring none.

    Raises `usage` for an argument that is unknown or missing, `invalid` for one of another type.
    """
    said = {name: value for name, value in arguments.items() if value is not None}
    word = said.pop(CHOICE, _first(tool)) if len(tool.steps) > 1 else _first(tool)
    step = tool.steps.get(word) if isinstance(word, str) else None
    if step is None:
        raise RelayError("usage", f"{CHOICE} is none of {tool.name}'s words.", f"Use one of {', '.join(tool.steps)}.")
    values = {**step.given, **_read_values(f"{tool.name} {word}", step, said)}
    if RETRY_KEY in step.takes:
        values["id"] = values.pop(RETRY_KEY, key)
    call = Call(step.action, {name: value for name, value in values.items() if value is not None})
    return Request(call, step.shape)


def _first(tool: Tool) -> str:
    return next(iter(tool.steps))


def _read_values(what: str, step: Step, said: Mapping[str, Any]) -> dict[str, Any]:
    """What was said, by the parameters' own names."""
    parameters = parameters_of(step)
    known = {public_name(name): name for name in parameters}
    unknown = next((name for name in said if name not in known), None)
    if unknown is not None:
        hint = f"It takes {', '.join(known) or 'nothing'}."
        raise RelayError("usage", f"{what} does not take '{clip(unknown, 40)}'.", hint)
    missing = next((name for name, own in known.items() if parameters[own].required and name not in said), None)
    if missing is not None:
        raise RelayError("usage", f"{what} needs {missing}.", "Add it.")
    return {known[name]: _checked(name, parameters[known[name]], value) for name, value in said.items()}


def parameters_of(step: Step) -> dict[str, Parameter]:
    """The action's parameters that a step takes, in the step's order and by its names."""
    own = {one.name: one for one in read_signature(ACTIONS[step.action]).parameters}
    return {name: own["id" if name == RETRY_KEY else name] for name in step.takes}


def public_name(name: str) -> str:
    return name.rstrip("_")


def _checked(name: str, one: Parameter, value: object) -> Any:
    """Raises `invalid` for a value of another type than the parameter's."""
    wanted = _PYTHON_TYPES[one.kind]
    fits = isinstance(value, wanted) and (wanted is bool or not isinstance(value, bool))
    if fits and isinstance(value, list):
        fits = all(isinstance(item, str) for item in value)
    if not fits:
        raise RelayError("invalid", f"{name} must be {_SPOKEN[one.kind]}.", "See the tool's schema.")
    if one.choices and value not in one.choices:
        raise RelayError("invalid", f"{name} is none of its words.", f"Use one of {', '.join(one.choices)}.")
    return value
