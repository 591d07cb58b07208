"""Named tuples in class form without importing `typing`, which costs half of Python's own start.

Use it so, and mypy sees the real thing::

    TYPE_CHECKING = False
    if TYPE_CHECKING:
        from typing import NamedTuple
    else:
        from relay_tui.base.record import NamedTuple
"""

from __future__ import annotations

from collections import namedtuple


class _RecordMeta(type):
    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
        if not bases:
            return super().__new__(mcs, name, bases, body)
        annotations = body.get("__annotations__")
        fields = list(annotations) if isinstance(annotations, dict) else []
        defaults = [body.pop(field) for field in fields if field in body]
        record = namedtuple(name, fields, defaults=defaults, module=str(body["__module__"]))  # type: ignore[misc]
        for key, value in body.items():
            if key not in ("__dict__", "__weakref__", "__module__", "__qualname__", "__slots__"):
                setattr(record, key, value)
        return record


class NamedTuple(metaclass=_RecordMeta):
    """Base for records; fields, defaults and methods as in `typing.NamedTuple`."""
