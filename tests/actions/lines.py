"""Calls and lines for hypothesis: every action with any values, and the same lines damaged."""

from __future__ import annotations

from hypothesis import strategies as st

from relay_tui.actions.call import Call
from relay_tui.actions.signature import Parameter, read_signature
from relay_tui.actions.table import ACTIONS

# What a parser is most likely to take for something else.
_TRICKY = (
    "", "-", "--", "---", "--json", "--as", "--id=M1", "--help", "-h", "-5", "=", "a=b", "--x=", "head", "work",
    "*", "two words", "line\nline", "tab\t", "naïve", "日本", "🦆", "\x1b[31m", "\udcff", "'", '"', "$HOME", "\\",
)  # fmt: skip
_DAMAGE = (*_TRICKY, "--json=1", "--dry-run", "--as=x", "--bogus", "--bogus=1", "-x", "--limit", "--limit=x",
           "--limit=0", "--id", "--note=", "--scope=sea", "--all", "--room")  # fmt: skip

texts = st.one_of(
    st.sampled_from(_TRICKY),
    st.text(st.characters(exclude_categories=()), max_size=12),
    st.text(max_size=8).map("-{}".format),
    st.text(max_size=8).map("--{}".format),
)


@st.composite
def calls(draw: st.DrawFn) -> Call:
    """Any call that its own line can say: required values are there, the rest may be."""
    name = draw(st.sampled_from(sorted(ACTIONS)))
    values = {}
    for parameter in read_signature(ACTIONS[name]).parameters:
        if parameter.required or draw(st.booleans()):
            value = draw(_values(parameter))
            if value != parameter.default:
                values[parameter.name] = value
    optional = st.none() | texts.filter(bool)
    room = None if name == "init" else draw(optional)  # its --room is the room it makes
    return Call(name, values, draw(optional), draw(optional), room, draw(st.booleans()), draw(st.booleans()))


@st.composite
def damaged_lines(draw: st.DrawFn) -> list[str]:
    """The words of a call after some were dropped, doubled, moved, or put in between."""
    words = draw(calls()).argv()[1:]
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(words)))
        damage = draw(st.sampled_from(("insert", "insert", "drop", "double", "move")))
        if damage == "insert":
            words.insert(place, draw(st.sampled_from(_DAMAGE)))
        elif place < len(words):
            word = words[place] if damage == "double" else words.pop(place)
            if damage != "drop":
                words.insert(draw(st.integers(0, len(words))), word)
    return words


def _values(parameter: Parameter) -> st.SearchStrategy[object]:
    if parameter.kind == "bool":
        return st.just(True)
    if parameter.kind == "int":
        return st.integers(-5, 2000)
    if parameter.kind == "choice":
        return st.sampled_from(parameter.choices)
    return st.lists(texts, min_size=1, max_size=3) if parameter.kind == "list" else texts
