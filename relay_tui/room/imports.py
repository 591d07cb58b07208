"""What an import or export of a plan file reads from the room and writes to it. The plan itself is made elsewhere.

The room knows no Markdown: it hands out what earlier imports remembered, and takes an outcome.
"""

from __future__ import annotations

from relay_tui.base.canonical import decode, decode_all
from relay_tui.base.errors import RelayError
from relay_tui.base.text import shell_word
from relay_tui.room.agents import require_actor
from relay_tui.room.work import StoredItem, next_number, read_items, read_removed_ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from typing import Any, NamedTuple

    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

TRIES = 20  # how often to plan anew where the room moved on: in the queue of writers others come between each time
FOLLOW = "follow"  # the choice that an open screen reads a file again when it is saved


class StoredPlan(NamedTuple):
    """A plan file as it was last read: `digest` of its bytes, `choices` remembered for it, and `head` and `branch`,
    the commit that its worktree stood on and the branch, if one was checked out. `reading` is what it said besides
    its items; older events have none of these. `removed` counts the items that it holds and the room removed."""

    path: str
    digest: str
    choices: dict[str, Any]
    worktree: str | None
    head: str | None
    branch: str | None
    reading: dict[str, Any] | None
    read_at: int
    removed: int


class RememberedItem(NamedTuple):
    """What the last import of a file said of one item; `seen` and `base` are values of `plans_fold.FIELDS`."""

    place: int
    line: int | None
    gone: bool
    seen: list[Any]
    base: list[Any]


class ImportBasis(NamedTuple):
    """Everything that a plan is made from, as of one moment. `plan` is None before the file's first import."""

    token: tuple[Any, ...]
    plan: StoredPlan | None
    remembered: dict[str, RememberedItem]
    items: dict[str, StoredItem]
    removed: dict[str, StoredItem]
    next_number: int


_PLANS = f"""
SELECT {", ".join(StoredPlan._fields[:-1])}, (
  SELECT count(*) FROM items AS i INDEXED BY items_removed
  CROSS JOIN plan_items AS k ON k.room = i.room AND k.path = plans.path AND k.item = i.id AND k.gone = 0
  WHERE i.room = plans.room AND i.removed_at IS NOT NULL
) FROM plans WHERE room = ?"""


def list_plans(room: Room) -> list[StoredPlan]:
    """Every file that was ever imported, by path."""
    if not room.exists:
        return []
    with room.reading() as db:
        return [_stored(row) for row in db.execute(f"{_PLANS} ORDER BY path", (room.row.key,))]


def read_plan(room: Room, path: str) -> StoredPlan | None:
    if not room.exists:
        return None
    with room.reading() as db:
        row = db.execute(f"{_PLANS} AND path = ?", (room.row.key, path)).fetchone()
    return _stored(row) if row else None


def read_basis(room: Room, path: str) -> ImportBasis:
    """What is known of the file and of every item; nothing at all where there is no room yet."""
    if not room.exists:
        return ImportBasis((0, 0), None, {}, {}, {}, 1)
    with room.reading() as db:
        key = room.row.key
        row = db.execute(f"{_PLANS} AND path = ?", (key, path)).fetchone()
        items = read_items(db, key, removed=True)
        removed = {item: items.pop(item) for item in read_removed_ids(db, key)}
        token = _read_token(db, key, path)
        plan = _stored(row) if row else None
        return ImportBasis(token, plan, _remembered(db, key, path), items, removed, next_number(db, key))


def apply_import(room: Room, me: Actor, basis: ImportBasis, outcome: dict[str, Any]) -> bool:
    """Append the outcome in one transaction; False, and nothing done, where the room moved on since `basis`."""
    return _append(room, me, basis, "work.imported", outcome, None)


def apply_export(
    room: Room, me: Actor, basis: ImportBasis, outcome: dict[str, Any], put_in_place: Callable[[], None]
) -> bool:
    """The same for a file that is written: `put_in_place` is called last, and what it raises undoes the event."""
    return _append(room, me, basis, "work.exported", outcome, put_in_place)


def set_follow(room: Room, me: Actor, path: str, follow: bool) -> bool:
    """Remember whether an open screen follows the file; False where that was so. Raises `no_file`."""
    with room.writing(me) as tx:
        require_actor(tx, room)
        row = tx.db.execute(f"{_PLANS} AND path = ?", (tx.room, path)).fetchone()
        if row is None:
            hint = f"Run: relay work import --file {shell_word(path)}"
            raise RelayError("no_file", f"{path} is no imported plan.", hint)
        if _stored(row).choices.get(FOLLOW, False) == follow:
            return False
        tx.append("work.followed", {"path": path, "follow": follow})
        return True


def _append(
    room: Room, me: Actor, basis: ImportBasis, kind: str, outcome: dict[str, Any],
    last: Callable[[], None] | None,
) -> bool:  # fmt: skip
    with room.writing(me) as tx:
        require_actor(tx, room)
        if _read_token(tx.db, tx.room, outcome.get("was", outcome["path"])) != basis.token:
            return False
        tx.append(kind, outcome)
        if last is not None and not room.store.dry_run:
            last()
        return True


def _read_token(db: sqlite3.Connection, room: int, path: str) -> tuple[Any, ...]:
    """Differs whenever any item of the room was added or changed since, the file was read again, or a choice made."""
    items = db.execute("SELECT count(*), coalesce(sum(revision), 0) FROM items WHERE room = ?", (room,)).fetchone()
    plan = db.execute("SELECT digest, choices FROM plans WHERE room = ? AND path = ?", (room, path)).fetchone()
    return (*items, *(plan or ()))


def _remembered(db: sqlite3.Connection, room: int, path: str) -> dict[str, RememberedItem]:
    rows = db.execute(
        "SELECT item, place, line, gone, seen, base FROM plan_items WHERE room = ? AND path = ?", (room, path)
    ).fetchall()
    texts = [text for row in rows for text in row[4:] if text is not None]
    said = iter(decode_all(texts))
    remembered = {}
    for item, place, line, gone, _, base_text in rows:
        seen = next(said)
        base = seen if base_text is None else next(said)
        remembered[item] = RememberedItem._make((place, line, bool(gone), seen, base))
    return remembered


def _stored(row: tuple[Any, ...]) -> StoredPlan:
    plan = StoredPlan(*row)
    return plan._replace(choices=_object(row[2]), reading=_object(row[6]) if row[6] else None)


def _object(text: str) -> dict[str, Any]:
    found = decode(text)
    assert isinstance(found, dict)
    return found
