"""Items of work as the room has them, for tests of rows and details that need no room."""

from __future__ import annotations

from typing import Any

from relay_tui.room.work import Item, Source, StoredItem, build_tree


def stored(item_id: str, parent: str | None = None, kind: str = "task", **said: Any) -> StoredItem:
    fields: dict[str, Any] = {
        "id": item_id, "revision": 1, "kind": kind, "parent": parent, "place": 0, "title": f"title of {item_id}",
        "status": "todo", "owner": None, "priority": None, "labels": [], "branch": None, "artifacts": [],
        "due": None, "blocked_by": [], "note": None, **said,
    }  # fmt: skip
    return StoredItem(**fields)


def tree(*items: StoredItem) -> list[Item]:
    return build_tree({item.id: item for item in items}, {"W2": Source("ROADMAP.md", 7)})


def one(**said: Any) -> Item:
    return tree(stored("W1", **said))[0]
