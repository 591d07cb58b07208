"""Named tuples in class form for the hot path: no `typing`, no `collections`, no code generated at import.

`typing.NamedTuple` costs half of Python's own start and `collections.namedtuple` compiles a function for each
type (DESIGN §4, weight). Use it so, and mypy sees the real thing::

    TYPE_CHECKING = False
    if TYPE_CHECKING:
        from typing import NamedTuple
    else:
        from relay_tui.base.record import NamedTuple
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, ClassVar, Self

    _tuplegetter: Callable[[int, str], property]
else:
    try:
        from _collections import _tuplegetter
    except ImportError:

        def _tuplegetter(place: int, doc: str) -> property:
            return property(lambda record: record[place], doc=doc)


class _Record(tuple):  # type: ignore[type-arg]
    """What every record can do; the same names as a named tuple's."""

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]] = ()
    _field_defaults: ClassVar[dict[str, Any]] = {}

    def __new__(cls, *values: Any, **named: Any) -> Self:
        if named or len(values) != len(cls._fields):
            values = _complete(cls, values, named)
        return tuple.__new__(cls, values)

    # For rows and long lists: every field in order, and no function of Python's own in between.
    _make: ClassVar[Callable[[Iterable[Any]], Self]] = classmethod(tuple.__new__)  # type: ignore[assignment]

    def _replace(self, **changes: Any) -> Self:
        values = [changes.pop(field, value) for field, value in zip(self._fields, self, strict=True)]
        if changes:
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(changes))}")
        return tuple.__new__(type(self), values)

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        said = ", ".join(f"{field}={value!r}" for field, value in self._asdict().items())
        return f"{type(self).__name__}({said})"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)


class _RecordMeta(type):
    """Turns a class body of annotated fields into a subclass of `_Record`."""

    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
        if not bases:
            return super().__new__(mcs, name, bases, body)
        fields = tuple(body.get("__annotations__", ()))
        body["_field_defaults"] = {field: body[field] for field in fields if field in body}
        for place, field in enumerate(fields):
            body[field] = _tuplegetter(place, f"Field {place}.")
        body.update(__slots__=(), _fields=fields, __match_args__=fields)
        return type(name, (_Record,), body)


class NamedTuple(metaclass=_RecordMeta):
    """Base for records; fields, defaults and methods as in `typing.NamedTuple`."""


def _complete(cls: type[_Record], values: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
    """All of the fields' values in order. Raises `TypeError` as a function with these parameters would."""
    positional = dict(zip(cls._fields, values, strict=False))
    given = {**cls._field_defaults, **positional, **named}
    wrong = set(given).symmetric_difference(cls._fields) | (positional.keys() & named.keys())
    if wrong or len(values) > len(cls._fields):
        raise TypeError(f"{cls.__name__} takes {', '.join(cls._fields)}; look at {', '.join(sorted(wrong)) or 'them'}")
    return tuple([given[field] for field in cls._fields])
