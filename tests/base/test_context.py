"""The light `contextmanager` does what contextlib's does in a `with` block."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest

from relay_tui.base.context import contextmanager

both = pytest.mark.parametrize("make", [contextmanager, contextlib.contextmanager], ids=["ours", "contextlib"])
Make = Callable[[Callable[..., Iterator[Any]]], Callable[..., AbstractContextManager[Any]]]


@both
def test_what_is_yielded_is_bound_and_both_halves_run(make: Make) -> None:
    steps = []

    @make
    def block(word: str, *, more: str) -> Iterator[str]:
        steps.append("before")
        yield word + more
        steps.append("after")

    with block("a", more="b") as bound:
        steps.append(bound)
    assert steps == ["before", "ab", "after"]


@both
def test_an_error_is_raised_at_the_yield_and_goes_on(make: Make) -> None:
    seen = []

    @make
    def block() -> Iterator[None]:
        try:
            yield
        except ValueError as fault:
            seen.append(fault)
            raise
        finally:
            seen.append("ended")

    fault = ValueError("x")
    with pytest.raises(ValueError) as raised, block():
        raise fault
    assert raised.value is fault
    assert seen == [fault, "ended"]


@both
def test_an_error_can_be_taken_or_turned_into_another(make: Make) -> None:
    @make
    def taking() -> Iterator[None]:
        try:
            yield
        except ValueError:
            pass

    @make
    def turning() -> Iterator[None]:
        try:
            yield
        except ValueError as fault:
            raise KeyError("y") from fault

    with taking():
        raise ValueError
    with pytest.raises(KeyError) as raised, turning():
        raise ValueError("x")
    assert str(raised.value.__cause__) == "x"


@both
@pytest.mark.parametrize("fault", [KeyboardInterrupt(), SystemExit(3), GeneratorExit()])
def test_every_kind_of_error_goes_on_as_it_is(make: Make, fault: BaseException) -> None:
    @make
    def block() -> Iterator[None]:
        yield

    with pytest.raises(type(fault)) as raised, block():
        raise fault
    assert raised.value is fault


@both
def test_a_generator_that_goes_on_is_a_mistake(make: Make) -> None:
    @make
    def block() -> Iterator[None]:
        yield
        yield

    with pytest.raises(RuntimeError), block():
        pass
