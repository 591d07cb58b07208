"""Events of the ledger as rows and details. Data is shown whole and harmless, whatever is in it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from textual.content import Content

from relay_tui.base.resources import spell
from relay_tui.base.text import clip, inert
from relay_tui.base.times import age, iso, local_date, local_time
from relay_tui.tui.widgets.columns import Column
from relay_tui.tui.widgets.content import Words, facts, lines
from relay_tui.tui.widgets.glyphs import QUIET
from relay_tui.tui.widgets.rows import Row

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from relay_tui.room.ledger import Event

COLUMNS = (
    Column("number", "no.", width=5, number=True),
    Column("at", "at", width=8, drop=2),
    Column("actor", "who", width=12),
    Column("via", "via", width=4, drop=3),
    Column("kind", "kind", width=17),
    Column("what", "what", minimum=8, drop=1),
)
GIST_CHARACTERS = 120
DATA_LINES, DATA_CHARACTERS = 200, 20_000  # of an event's data that the detail shows
# Members that say the most of an event, the first that is there.
_TELLING = ("summary", "text", "title", "reason", "changed", "messages", "facts", "name", "agent", "id")


def event_row(event: Event) -> Row:
    cells = (str(event.number), local_time(event.at), event.actor, event.via, event.kind, gist(event))
    return Row(str(event.number), cells)


def gist(event: Event) -> str:
    """One line on what happened: what was claimed, who was written to, or the member that tells the most."""
    data = event.data
    if "claims" in data:
        told = ", ".join(spell(claim["scope"], claim["resource"]) for claim in data["claims"])
        return clip(told, GIST_CHARACTERS)
    if event.kind == "message.sent":
        return clip(f"{data['id']} to {data['to']}: {data['summary']}", GIST_CHARACTERS)
    if (tell := _GISTS.get(event.kind)) is not None:
        return clip(tell(data), GIST_CHARACTERS)
    told = next((data[key] for key in _TELLING if data.get(key)), "")
    return clip(_short(told), GIST_CHARACTERS)


def _items(data: dict[str, Any]) -> str:
    first, *more = data["items"]
    named = f"{first['id']} {first['title']}" if isinstance(first, dict) else str(first)
    return f"{named} and {len(more):,} more" if more else named


def _changed(data: dict[str, Any]) -> str:
    """Which fields, and what they say now."""
    fields = [f"{field} {_short(value) or 'none'}" for field, value in data["set"].items()]
    fields += [f"{item} waits for it" for item in data.get("waiting", {})]
    return f"{data['id']}: {', '.join(fields)}"


def _moved(data: dict[str, Any]) -> str:
    return f"{data['id']} below {data['parent']}" if data["parent"] else f"{data['id']} at the top"


def _imported(data: dict[str, Any]) -> str:
    counts = f"{len(data['added']):,} added, {len(data['changed']):,} changed"
    return f"{data['path']}: {counts}"


_GISTS: Mapping[str, Callable[[dict[str, Any]], str]] = {
    "guard.passed": lambda data: f"{data['resource']}, which {data['holder']} holds",
    "wake.ended": lambda data: f"{data['agent']}: {data['outcome']}",
    "wake.tried": lambda data: f"{data['agent']} by its {data['means']}",
    "work.added": _items,
    "work.changed": _changed,
    "work.exported": lambda data: str(data["path"]),
    "work.followed": lambda data: str(data["path"]),
    "work.imported": _imported,
    "work.moved": _moved,
    "work.removed": _items,
    "work.resolved": lambda data: f"{data['id']} {data['field']}, as the {data['side']} says",
    "work.restored": _items,
}


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_short(member)}" for key, member in value.items())
    if isinstance(value, list):
        return ", ".join(map(_short, value))
    return "" if value is None else str(value)


def event_detail(event: Event, now: int, width: int = 0) -> Content:
    """The event's members, then its data as JSON, then its place in the chain."""
    pairs = [
        ("number", f"{event.number}"),
        ("at", f"{local_date(event.at)} local, {age(event.at, now)} ago"),
        ("utc", iso(event.at)),
        ("by", f"{event.actor} through {event.via}" + (f", session {event.session}" if event.session else "")),
    ]
    chain = facts([("seq", str(event.seq)), ("hash", event.hash), ("prev", event.prev)], width)
    return lines([
        Content.styled(inert(event.kind), "bold"), "", facts(pairs, width), "", *_data_lines(event.data), "",
        Content.styled("in the chain", QUIET), chain,
    ])  # fmt: skip


def _data_lines(data: dict[str, Any]) -> list[Words]:
    """The beginning of it as JSON: what an import has added may be a megabyte, which is not laid out in a moment."""
    told, ends = "", 0
    for part in json.JSONEncoder(indent=2, ensure_ascii=False).iterencode(data):
        told, ends = told + part, ends + part.count("\n")
        if ends >= DATA_LINES or len(told) > DATA_CHARACTERS:
            more = Content.styled("and more; Y copies the line that prints all of it", QUIET)
            return [clip(told.rstrip(), DATA_CHARACTERS), more]
    return [told]
