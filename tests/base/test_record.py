from __future__ import annotations

import pickle

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple


class Point(NamedTuple):
    """A place."""

    x: int
    y: int = 2
    tags: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        return self.x + self.y

    @classmethod
    def origin(cls) -> Point:
        return cls(0, 0)

    def moved(self, by: int) -> Point:
        return self._replace(x=self.x + by)


def test_a_record_is_a_named_tuple_with_defaults_and_methods() -> None:
    point = Point(1)
    assert tuple(point) == (1, 2, ())
    assert Point._fields == ("x", "y", "tags")
    assert repr(point) == "Point(x=1, y=2, tags=())"
    assert point.total == 3
    assert point.moved(4) == Point(5)
    assert Point.origin().total == 0
    assert Point.__doc__ == "A place."


def test_a_record_is_made_of_a_row() -> None:
    made = Point._make(iter((1, 2, ("a",))))
    assert made == Point(1, 2, ("a",))
    assert made.total == 3


def test_a_record_is_a_value() -> None:
    assert {Point(1): "a"}[Point(1, 2)] == "a"
    assert pickle.loads(pickle.dumps(Point(1))) == Point(1)
    with pytest.raises(AttributeError):
        Point(1).x = 2  # type: ignore[misc]


def test_a_field_that_there_is_not_cannot_be_replaced() -> None:
    with pytest.raises(TypeError, match="z"):
        Point(1)._replace(z=3)  # type: ignore[call-arg]


def test_a_missing_field_is_refused() -> None:
    with pytest.raises(TypeError):
        Point()  # type: ignore[call-arg]
