from __future__ import annotations

import pytest

from relay_tui.tui.dialogs.item_fields import changes_of, values_in, way_back_of, way_back_of_conflict
from tests.tui.items import one

ITEM = one(owner="codex-3", labels=["a", "b"], blocked_by=["W9"], artifacts=["x.md"])


def test_the_form_begins_with_what_the_item_says():
    values = values_in(ITEM)
    assert (values["owner"], values["label"], values["artifact"], values["due"]) == (
        "codex-3",
        ["a", "b"],
        ["x.md"],
        None,
    )


def test_only_what_was_changed_is_said():
    filled = {"title": "title of W1", "status": "todo", "owner": "codex-3", "label": ["a", "b"], "due": None}
    assert changes_of(ITEM, filled) == {}
    assert changes_of(ITEM, {**filled, "due": "2026-12-24", "label": ["a"]}) == {"due": "2026-12-24", "label": ["a"]}


def test_what_was_emptied_is_unset():
    changes = changes_of(ITEM, {"owner": None, "blocked-by": [], "title": "new"})
    assert changes == {"title": "new", "unset": ["owner", "blocked-by"]}


def test_the_way_back_restores_what_stood_there():
    changes = {"title": "new", "due": "2026-12-24", "unset": ["owner", "blocked-by"]}
    assert way_back_of(ITEM, changes) == {
        "title": "title of W1", "owner": "codex-3", "blocked_by": ["W9"], "unset": ["due"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("field", "back"),
    [
        ("status", ("work set", {"status": "review"})),
        ("labels", ("work set", {"label": ["docs"]})),
        ("due", ("work set", {"unset": ["due"]})),
        ("kind", ("work set", {"kind": "task"})),
        ("parent", ("work move", {"root": True})),
        ("note", None),
    ],
)
def test_the_way_back_from_a_settled_conflict_is_the_items_own_value(field, back):
    assert way_back_of_conflict(one(status="review", labels=["docs"]), field) == back
