"""The targets of `python -m tests.fuzz`, each with a few inputs: the seeds, damaged, and any bytes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.fuzz.targets import SEEDS, TARGETS

INPUTS = 60


@pytest.mark.parametrize("name", TARGETS)
def test_words_of_others_are_read_or_refused(name: str, tmp_path: Path) -> None:
    chance = random.Random(name)
    target = TARGETS[name](str(tmp_path))
    for data in [b"", *SEEDS[name], *(damaged(chance, chance.choice(SEEDS[name])) for _ in range(INPUTS))]:
        target(data)


def damaged(chance: random.Random, seed: bytes) -> bytes:
    """A seed with a few pieces cut out, doubled, moved, or replaced by any bytes."""
    data = seed
    for _ in range(chance.randint(1, 4)):
        begin, length = chance.randrange(len(data) + 1), chance.randint(0, 12)
        piece = chance.choice((b"", data[begin : begin + length] * 2, chance.randbytes(length), b"\0", b"\r\n"))
        data = data[:begin] + piece + data[begin + length :]
    return data
