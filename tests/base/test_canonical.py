from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relay_tui.base.canonical import decode, encode

PROJECT = str(Path(__file__).parents[2])
words = st.text(st.characters(codec=None), max_size=20)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), words),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(words, inner, max_size=4)),
    max_leaves=12,
)


@given(values)
def test_bytes_are_those_of_the_standard_library(value: Any) -> None:
    assert encode(value) == json.dumps(value, separators=(",", ":"))


@given(values)
def test_what_was_written_is_read_back(value: Any) -> None:
    assert decode(encode(value)) == value
    assert decode(f" \n{encode(value)}\t") == value


@given(st.one_of(st.text(max_size=20), st.text('{}[]",:0123456789.e+- tfn\\u', max_size=12)))
def test_what_is_not_json_is_not_read(text: str) -> None:
    try:
        expected = json.loads(text, strict=False)
    except ValueError:
        with pytest.raises(ValueError):
            decode(text)
    else:
        assert repr(decode(text)) == repr(expected)


def test_half_of_a_document_is_none_where_json_is_not_loaded_either() -> None:
    program = (
        "import sys\nsys.path[:0] = [sys.argv[1]]\nfrom relay_tui.base.canonical import decode\n"
        "for text in ('{', '{\"a\"', '{\"a\":1', '\"x', '[1,'):\n    try:\n        decode(text)\n"
        "    except ValueError:\n        print('json' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program, PROJECT], capture_output=True, text=True)
    assert (done.stdout.split(), done.stderr) == (["False"] * 5, "")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 5_000 + "]" * 5_000])
def test_what_is_nested_deeper_than_anybody_reads_is_not_read(text: str) -> None:
    with pytest.raises(ValueError):
        decode(text)


def test_tuples_are_lists_and_other_types_are_refused() -> None:
    assert encode((1, ("a", True))) == '[1,["a",true]]'
    with pytest.raises(TypeError):
        encode({"x": {1, 2}})
