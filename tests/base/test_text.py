from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relay_tui.base.shell import split_shell_line
from relay_tui.base.text import clip, inert, inert_block, shell_line, shell_word

anything = st.text(st.characters(codec=None), max_size=60)
JOINERS = "\u200c\u200d"
SELECTORS = "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
BLANKS = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
UNSEEN = JOINERS + SELECTORS + BLANKS


def acts(char: str) -> bool:
    """Whether a terminal or a widget might do something else with it than draw it."""
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char not in JOINERS


@given(anything)
def test_one_line_has_nothing_that_acts(text: str) -> None:
    assert not [char for char in inert(text) if acts(char)]


@given(anything)
def test_a_block_has_nothing_that_acts_but_line_ends(text: str) -> None:
    assert not [char for char in inert_block(text) if acts(char) and char != "\n"]


@given(anything)
def test_inert_text_stays_as_it_is(text: str) -> None:
    assert inert(inert(text)) == inert(text)
    assert inert_block(inert_block(text)) == inert_block(text)


@given(st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters=UNSEEN), max_size=60))
def test_what_only_draws_is_kept(text: str) -> None:
    assert inert(text) == text


@pytest.mark.parametrize(
    ("foreign", "shown"),
    [
        ("\x1b]52;c;aGk=\x07", "\\x1b]52;c;aGk=\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("a\u202eb\u2066c", "a\\u202eb\\u2066c"),
        ("a\ufffe\ufdd0\U0010ffff", "a\\ufffe\\ufdd0\\U0010ffff"),
        ("\udcff", "\\udcff"),
        ("one\r\ntwo\tthree", "one\\r\\ntwo\\tthree"),
        ("\u2028\u2029\ufeff\u00ad", "\\u2028\\u2029\\ufeff\\xad"),
        ("\U000e0041", "\\U000e0041"),
        ("feat/x\u3164\u2800", "feat/x\\u3164\\u2800"),
        ("feat/x\u200d\ufe0f", "feat/x\\u200d\\ufe0f"),
        (
            "1\ufe0f\u20e3 ❤\ufe0f\u200d🔥 葛\U000e0100 می\u200cشود",
            "1\ufe0f\u20e3 ❤\ufe0f\u200d🔥 葛\U000e0100 می\u200cشود",
        ),
        ("日本\u3000👩\u200d👩\u200d👧 na\u00efve\u00a0", "日本\u3000👩\u200d👩\u200d👧 na\u00efve\u00a0"),
    ],
)
def test_one_line(foreign: str, shown: str) -> None:
    assert inert(foreign) == shown


def test_no_two_branch_names_are_shown_alike() -> None:
    """Of these git takes every one. A name with a backslash, which it refuses, could spell an escape."""
    names = ["x", *(f"x{char}" for char in "\udc9b\x9b\u3164\u200d\u200c\ufe0f\u00ad\u202e\ufeff\uffa0")]
    assert len({inert(name) for name in names}) == len(names)
    assert len({shell_word(name) for name in names}) == len(names)


def test_a_block_keeps_its_lines_and_turns_tabs_into_spaces() -> None:
    assert inert_block("if x:\r\n\treturn\x1b[2J\rdone") == "if x:\n    return\\x1b[2J\\rdone"


@given(anything, st.integers(1, 20))
def test_clip_is_never_longer_and_says_that_it_cut(text: str, length: int) -> None:
    clipped = clip(text, length)
    assert len(clipped) <= length
    assert clipped == text or clipped == text[: length - 1] + "…"
    assert (clipped == text) or len(text) > length


@pytest.mark.parametrize(
    "word", ["src/a.py", "machine:native", "src/[id].tsx", "a b", "it's", "$(rm)", "", "naïve", "-x"]
)
def test_a_word_for_a_shell_is_read_back_as_it_was(word: str) -> None:
    assert shlex.split(shell_word(word)) == [word]
    assert (shell_word(word) == word) == (word in ("src/a.py", "machine:native", "-x"))


@given(st.lists(st.text(max_size=20) | st.binary(max_size=20).map(os.fsdecode), max_size=4))
def test_a_line_that_relay_writes_is_split_into_its_words_again(words: list[str]) -> None:
    assert split_shell_line(shell_line(words)) == words


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_a_line_is_split_as_bash_does() -> None:
    line = r"""a$'\x41\e\'\33\303\251' "$'x'" \$'z' 'it'\''s' "a\"b\c" '$'\''y'"""
    said = subprocess.run(["bash", "-c", f"printf '%s\\0' {line}"], capture_output=True, check=True).stdout
    assert split_shell_line(line) == os.fsdecode(said).split("\0")[:-1]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@given(st.text(st.characters(codec=None, exclude_characters="\0", exclude_categories=("Cs",)), max_size=20))
@settings(max_examples=20, deadline=None)
def test_bash_reads_back_what_cannot_be_shown(text: str) -> None:
    word = shell_word(f"{text}\udc9b" + "ab\x1b1\n")
    assert not [char for char in word if acts(char)]
    said = subprocess.run(["bash", "-c", f"printf %s {word}"], capture_output=True, check=True).stdout
    assert said == os.fsencode(text) + b"\x9bab\x1b1\n"
