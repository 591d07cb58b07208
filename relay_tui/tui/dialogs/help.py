"""`?`: the keys of the screen that is shown, made from its bindings, so that the page cannot go stale. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from textual.binding import Binding
from textual.content import Content


def key_lines(
    bindings: Iterable[Binding], words: Mapping[str, str], display: Callable[[Binding], str]
) -> list[Content]:
    """One line a binding, all its keys together. What this screen's own words name stands first."""
    found: dict[str, tuple[list[str], str]] = {}
    for binding in bindings:
        if binding.id is not None:
            keys, _ = found.setdefault(binding.id, ([], words.get(binding.id, binding.description)))
            keys.append(display(binding))
    ordered = [*(id for id in words if id in found), *(id for id in found if id not in words)]
    width = max((len(" ".join(keys)) for keys, _ in found.values()), default=0)
    return [_key_line(*found[id], width) for id in ordered]


def _key_line(keys: list[str], word: str, width: int) -> Content:
    shown = " ".join(keys)
    return Content.assemble((shown, "$accent"), " " * (width - len(shown) + 3), word[:1].upper() + word[1:])
