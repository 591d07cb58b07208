from __future__ import annotations

import pytest

from relay_tui.actions.call import Call
from relay_tui.base.errors import RelayError
from relay_tui.base.text import shell_word
from relay_tui.tui.acts.typed_line import Help, read_quickly, read_with_typer, split_words


def test_words_are_split_as_a_shell_would_with_or_without_relay():
    for line in ("send --message 'a b'", "relay send --message 'a b'"):
        assert split_words(line) == ["send", "--message", "a b"]
    assert split_words(f"relay show {shell_word(chr(0xDC9B))}") == ["show", chr(0xDC9B)]
    with pytest.raises(RelayError, match="quote left open"):
        split_words("send 'a")


def test_a_line_is_read_without_typer_where_it_can_be():
    assert read_quickly(["claim", "src", "--json"]) == Call("claim", {"resources": ["src"]})
    assert read_quickly(["claim", "--bogus"]) is None


@pytest.mark.parametrize("words", [["screen"], ["demo"], ["send", "--message", "-"], ["ack", "M1", "--note", "-"]])
def test_what_needs_a_terminal_is_refused(words: list[str]):
    with pytest.raises(RelayError) as refused:
        read_quickly(words)
    assert refused.value.code == "refused"


def test_typer_explains_and_prints_nothing(capsys):
    with pytest.raises(RelayError, match="No such option: --bogus"):
        read_with_typer(["claim", "--bogus"])
    helped = read_with_typer(["claim", "--help"])
    assert isinstance(helped, Help) and any("Usage: relay claim" in line for line in helped.lines)
    assert capsys.readouterr() == ("", "")
