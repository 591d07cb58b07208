"""The JSON Schemas that `tools/list` publishes: arguments from the table of actions, answers from their models.

The whole list stays below 10 KiB, since every session pays for it (DESIGN §9): no titles, no null branches.
"""

from __future__ import annotations

from relay_tui.actions.spec import describe_parameter
from relay_tui.actions.table import ACTIONS
from relay_tui.agents.mcp.tools import CHOICE, parameters_of, public_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from relay_tui.actions.signature import Parameter
    from relay_tui.agents.mcp.answers import Answer
    from relay_tui.agents.mcp.tools import Step, Tool

# Their names say it all, and every byte is paid for in each session.
_PLAIN = frozenset((
    "id", "ids", "message", "summary", "limit", "note", "title", "status", "owner", "parent", "task", "text",
    "label", "branch", "holder", "reason", "question", "depth",
))  # fmt: skip
_TYPES: dict[str, dict[str, Any]] = {
    "str": {"type": "string"}, "int": {"type": "integer"}, "bool": {"type": "boolean"},
    "list": {"type": "array", "items": {"type": "string"}}, "choice": {"type": "string"},
}  # fmt: skip
_NULL = {"type": "null"}
_UNPUBLISHED = ("title", "default", "required")


def input_schema(tool: Tool) -> dict[str, Any]:
    """What a tool's arguments are; which of them go together is said when they do not."""
    properties: dict[str, Any] = {}
    if len(tool.steps) > 1:
        properties[CHOICE] = {"type": "string", "enum": list(tool.steps), "default": next(iter(tool.steps))}
    required: list[str] = []
    for step in tool.steps.values():
        for name, one in parameters_of(step).items():
            properties.setdefault(public_name(name), _property(step, name, one))
            if one.required and len(tool.steps) == 1:
                required.append(public_name(name))
    schema = {"type": "object", "properties": properties}
    return {**schema, "required": required} if required else schema


def output_schema(model: type[Answer]) -> dict[str, Any]:
    """What an answer may have; members without a value are left out of it, so none is required."""
    schema: dict[str, Any] = _slim(model.model_json_schema())
    return schema


def _property(step: Step, name: str, one: Parameter) -> dict[str, Any]:
    choices = {"enum": list(one.choices)} if one.choices else {}
    described = {} if name in _PLAIN else {"description": describe_parameter(ACTIONS[step.action], one)}
    return {**_TYPES[one.kind], **choices, **described}


def _slim(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_slim(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if _NULL in schema.get("anyOf", ()):
        (kept,) = [one for one in schema["anyOf"] if one != _NULL]
        return _slim(kept)
    return {name: _slim(value) for name, value in schema.items() if _is_published(name, value)}


def _is_published(name: str, value: object) -> bool:
    """Keywords that only cost are left out, not members that are called as these are."""
    return name not in _UNPUBLISHED or isinstance(value, dict)
