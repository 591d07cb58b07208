"""`?`: the keys of the screen that is shown, made from its bindings, so that the page cannot go stale. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from textual.binding import Binding
from textual.content import Content


def key_lines(
    bindings: Iterable[Binding], words: Mapping[str, str], display: Callable[[Binding], str]
) -> list[Content]:
    """One line a binding, all its keys together. What this screen's own words name stands first, each followed by
    its kin, such as moving up behind moving down; acts have no kin."""
    found: dict[str, tuple[list[str], str]] = {}
    for binding in bindings:
        if binding.id is not None:
            keys, _ = found.setdefault(binding.id, ([], words.get(binding.id, binding.description)))
            keys.append(display(binding))
    named = [kin for id in words if id in found for kin in (id, *_kin_of(id, found, words))]
    ordered = dict.fromkeys([*named, *found])
    width = max((len(" ".join(keys)) for keys, _ in found.values()), default=0)
    return [_key_line(*found[id], width) for id in ordered]


def _kin_of(id: str, found: Iterable[str], words: Mapping[str, str]) -> list[str]:
    family = f"{id.partition('.')[0]}."
    return [] if family == "act." else [one for one in found if one.startswith(family) and one not in words]


def _key_line(keys: list[str], word: str, width: int) -> Content:
    shown = " ".join(keys)
    return Content.assemble((shown, "$accent"), " " * (width - len(shown) + 3), word[:1].upper() + word[1:])
