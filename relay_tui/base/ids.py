"""Short ids: one letter for the kind and seven characters without look-alikes (DESIGN §11).

Callers check that a new id is free inside their transaction and draw again where it is not.
"""

from __future__ import annotations

import os

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
LENGTH = 7
_CHARACTERS = _ALPHABET.encode("ascii") * (256 // len(_ALPHABET))  # of each byte, so that all are equally likely


def is_id(text: str, letter: str) -> bool:
    """Whether `text` may be an id that was drawn for this kind."""
    return len(text) == 1 + LENGTH and text[0] == letter and all(char in _ALPHABET for char in text[1:])


def random_id(letter: str) -> str:
    """`M3k9zq4t`: 35 random bits behind the letter of its kind; the default of every injected source."""
    return letter + os.urandom(LENGTH).translate(_CHARACTERS).decode("ascii")
