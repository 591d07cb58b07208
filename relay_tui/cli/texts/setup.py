"""Texts of `relay setup`: each file with its exact difference, and what only a person can do."""

from __future__ import annotations

from relay_tui.base.text import inert, inert_block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.actions.setup import SetUp


def setup(done: SetUp, now: int) -> Iterator[str]:
    for client in done.clients:
        yield f"{client.client}:"
        for file in client.files:
            yield f"  {_WORDS[file.change]:<9} {inert(file.path)}"
        for note in client.notes:
            yield f"  note: {inert(note)}"
    for client in done.clients:
        for file in client.files:
            if file.diff:
                yield inert_block(file.diff.rstrip("\n"))
    if not done.changed:
        yield "Nothing changed."


_WORDS = {"created": "created", "merged": "merged", "removed": "undone", "none": "as it is"}
