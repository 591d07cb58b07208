"""Where one step leads, and the way back from it; how keys follow one another is asserted in `test_roadmap_keys`."""

from __future__ import annotations

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.tui.acts.item_moves import DOWN, IN, OUT, UP, place_beyond, place_now, siblings_of
from relay_tui.tui.rows_of.work import make_outline
from tests.tui.items import stored, tree

OUTLINE = make_outline(
    tree(stored("W1"), stored("W2", place=1), stored("W3", "W2"), stored("W4", "W2", place=1), stored("W5", "W1")), 0, 1
)


def beyond(item_id: str, step: str):
    item = OUTLINE.by_id[item_id]
    return place_beyond(item, step, siblings_of(item, OUTLINE))


@pytest.mark.parametrize(
    ("item", "step", "place"),
    [
        ("W3", DOWN, {"after": "W4"}),
        ("W4", UP, {"before": "W3"}),
        ("W4", IN, {"parent": "W3"}),
        ("W4", OUT, {"after": "W2"}),
        ("W1", DOWN, {"after": "W2"}),
        ("W2", IN, {"parent": "W1"}),
    ],
)
def test_one_step_is_a_place_beside_or_below_another_item(item: str, step: str, place: dict[str, str]):
    assert beyond(item, step) == place


@pytest.mark.parametrize(
    ("item", "step", "words"),
    [
        ("W4", DOWN, "W4 is the last of its siblings."),
        ("W3", UP, "W3 is the first of its siblings."),
        ("W3", IN, "W3 is the first of its siblings."),
        ("W1", OUT, "W1 stands at the top already."),
    ],
)
def test_where_there_is_no_place_the_refusal_says_why(item: str, step: str, words: str):
    with pytest.raises(RelayError, match=words) as refused:
        beyond(item, step)
    assert refused.value.hint


@pytest.mark.parametrize(
    ("item", "place"),
    [("W4", {"after": "W3"}), ("W3", {"before": "W4"}), ("W5", {"parent": "W1"}), ("W1", {"before": "W2"})],
)
def test_the_way_back_is_beside_its_neighbour_else_below_its_parent(item: str, place: dict[str, str]):
    one = OUTLINE.by_id[item]
    assert place_now(one, siblings_of(one, OUTLINE)) == place


def test_the_only_item_at_the_top_comes_back_to_the_top():
    alone = tree(stored("W1"))
    assert place_now(alone[0], alone) == {"root": True}
