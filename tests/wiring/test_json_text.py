"""The editor of JSON text: what is put in can be taken out to the same bytes, and nothing else moves."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relay_tui.wiring.json_text import append_element, drop, put_member, read_object
from tests.room_fixture import refusal

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12)
keys = st.text(max_size=5)
spaces = st.text(" \t\n\r", max_size=4)


@st.composite
def documents(draw: st.DrawFn, value: Any = None) -> str:
    """Any object as JSON text, with any white space wherever there may be some."""
    value = draw(st.dictionaries(keys, values)) if value is None else value

    def write(one: Any) -> str:
        gap = draw(spaces)
        if isinstance(one, dict):
            inner = ",".join(
                f"{draw(spaces)}{json.dumps(key)}{draw(spaces)}:{write(member)}" for key, member in one.items()
            )
            return f"{gap}{{{inner or draw(spaces)}}}{draw(spaces)}"
        if isinstance(one, list):
            return f"{gap}[{','.join(map(write, one)) or draw(spaces)}]{draw(spaces)}"
        return f"{gap}{json.dumps(one, ensure_ascii=draw(st.booleans()))}{draw(spaces)}"

    return write(value)


@given(documents(), st.lists(keys, min_size=1, max_size=3), values)
def test_a_member_that_is_put_in_and_dropped_leaves_the_same_bytes(text: str, path: list[str], value: Any) -> None:
    before = json.loads(text)
    made = first_new(before, path)
    if made is None:
        return
    after = put_member(text, path, value)
    assert at(json.loads(after), path) == value
    assert without(json.loads(after), made) == before
    assert drop(after, made) == text


@given(documents(), keys, values)
def test_an_element_that_is_appended_and_dropped_leaves_the_same_bytes(text: str, key: str, value: Any) -> None:
    before = json.loads(text)
    there = before.get(key, [])
    if not isinstance(there, list):
        return
    after = append_element(text, [key], value)
    assert json.loads(after) == {**before, key: [*there, value]}
    assert drop(after, [key, len(there)] if key in before else [key]) == text


@given(documents(), st.data())
def test_any_member_can_be_dropped_and_the_rest_means_the_same(text: str, data: st.DataObject) -> None:
    before = json.loads(text)
    if before:
        key = data.draw(st.sampled_from(sorted(before)))
        assert json.loads(drop(text, [key])) == without(before, [key])


@given(documents(), st.data(), values)
def test_a_member_that_is_there_is_replaced_where_it_stands(text: str, data: st.DataObject, value: Any) -> None:
    before = json.loads(text)
    if before:
        key = data.draw(st.sampled_from(sorted(before)))
        after = json.loads(put_member(text, [key], value))
        assert list(after.items()) == [(one, value if one == key else before[one]) for one in before]


def first_new(value: Any, path: list[str]) -> list[str] | None:
    """The path to what must be made for `path`; None where something that is no object stands in the way."""
    for depth, key in enumerate(path):
        if not isinstance(value, dict):
            return None
        if key not in value:
            return path[: depth + 1]
        value = value[key]
    return None


def at(value: Any, path: list[str]) -> Any:
    for key in path:
        value = value[key]
    return value


def without(value: Any, path: list[str]) -> Any:
    key, *rest = path
    if rest:
        return {**value, key: without(value[key], rest)}
    return {one: member for one, member in value.items() if one != key}


def test_new_members_are_set_as_the_file_is() -> None:
    tabs = '{\n\t"a": {\n\t\t"b": 1\n\t}\n}\n'
    assert put_member(tabs, ["a", "c"], {"d": [1, 2]}) == (
        '{\n\t"a": {\n\t\t"b": 1,\n\t\t"c": {\n\t\t\t"d": [1, 2]\n\t\t}\n\t}\n}\n'
    )
    assert put_member('{"a": 1, "b": 2}', ["c"], {"d": 3}) == '{"a": 1, "b": 2, "c": {"d": 3}}'
    assert put_member("{}", ["a"], 1) == '{\n  "a": 1\n}'
    assert put_member("", ["a"], 1) == '{\n  "a": 1\n}\n'
    assert put_member('{\r\n    "a": 1\r\n}', ["b"], {"c": {"d": 1}}).count("\r\n") == 7


@pytest.mark.parametrize(("text", "told"), [
    ('{"a": 1} // mine', "line 1"), ('{\n "a": 1,\n}', "line 3"), ("[1]", "no JSON object"), ('{"a": NaN}', "NaN"),
    ('{"a": 1, "a": 2}', "twice"), ("nothing", "line 1"), ("\ufeff{}", "begins with a byte order mark"),
    ("[" * 100_000, "x.json is nested too deep"),
    ('{"a": ' + "9" * 6000 + "}", "a number in it is too long to be read."),
])  # fmt: skip
def test_what_is_not_json_to_the_letter_is_refused_with_its_place(text: str, told: str) -> None:
    fault = refusal(read_object, text, "x.json")
    assert fault.code == "invalid"
    assert told in fault.message
    assert "nothing was written" in fault.hint
