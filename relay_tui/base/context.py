"""`contextmanager` for the hot path: the plain half of contextlib's, which costs a tenth of `sqlite3` to import.

A generator that yields once, as a `with` block; what the block raises is raised at the `yield`.
"""

from __future__ import annotations

__all__ = ["contextmanager"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import contextmanager
    from types import TracebackType
    from typing import Any
else:

    def contextmanager(function: Callable[..., Iterator[Any]]) -> Callable[..., _Block]:
        """As `contextlib.contextmanager`, for `with` blocks alone."""

        def begin(*values: Any, **named: Any) -> _Block:
            return _Block(function(*values, **named))

        return begin


class _Block:
    __slots__ = ("_steps",)

    def __init__(self, steps: Any) -> None:
        self._steps = steps

    def __enter__(self) -> Any:
        return next(self._steps)

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> bool:
        try:
            next(self._steps) if fault is None else self._steps.throw(fault)
        except StopIteration as end:
            return end is not fault
        except BaseException as raised:
            if raised is fault:
                return False  # the `with` statement raises it on as it came
            raise
        raise RuntimeError("a block's generator yields once")
