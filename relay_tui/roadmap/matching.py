"""Which line of a file is which item of the last one (DESIGN §6.5, identity).

A marker wins; then parent, title and ordinal among equals; the same title elsewhere is a move; what is then
left under one parent is a retitle: the only old and new one, or else those with most words in common.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

from relay_tui.roadmap.changes import KnownItem
from relay_tui.roadmap.model import TOP, Node, Reading, Warning_

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

# A word that this many items of one parent share tells none of them apart.
_COMMON_WORD = 64


class Matching(NamedTuple):
    """The nodes of `Reading.walk()`, the index of each one's parent or `TOP`, and items by index.

    `marked_new` are the nodes whose marker is the id of a new item.
    """

    nodes: list[Node]
    parents: list[int]
    items: dict[int, KnownItem]
    marked_new: dict[int, str]
    warnings: list[Warning_]


def match_items(known: Sequence[KnownItem], reading: Reading, is_free: Callable[[str], bool]) -> Matching:
    """Match the nodes of a reading to items; `is_free` says whether an id may be given to a new item."""
    return _Matcher(known, reading, is_free).run()


class _Matcher:
    def __init__(self, known: Sequence[KnownItem], reading: Reading, is_free: Callable[[str], bool]) -> None:
        self.known = {item.id: item for item in known}
        self.is_free = is_free
        self.nodes, self.parents = reading.walk_with_parents()
        self.new_below: dict[int, list[int]] = defaultdict(list)
        for index, parent in enumerate(self.parents):
            self.new_below[parent].append(index)
        self.old_below: dict[str | None, list[KnownItem]] = defaultdict(list)
        for item in sorted(known, key=_standing):
            self.old_below[item.seen.parent].append(item)
        self.items: dict[int, KnownItem] = {}
        self.taken: set[str] = set()
        self.marked_new: dict[int, str] = {}
        self.waiting: list[int] = [TOP]
        self.settled: dict[int, str | None] = {}
        self.by_words: set[tuple[int, str]] = set()
        self.warnings: list[Warning_] = []

    def run(self) -> Matching:
        self._match_markers()
        progress = True
        while progress:
            self._match_same_titles()
            progress = self._match_retitles() or self._match_moves()
        if self._has_open_old():
            self._say_replaced()
        return Matching(self.nodes, self.parents, self.items, self.marked_new, self.warnings)

    def _pair(self, index: int, item: KnownItem) -> None:
        self.items[index] = item
        self.taken.add(item.id)
        if index in self.new_below:
            self.waiting.append(index)

    def _is_new_open(self, index: int) -> bool:
        return index not in self.items and index not in self.marked_new

    def _open_new(self, indexes: Iterable[int]) -> list[int]:
        return [index for index in indexes if self._is_new_open(index)]

    def _open_old(self, items: Iterable[KnownItem]) -> list[KnownItem]:
        return [item for item in items if item.id not in self.taken]

    def _has_open_old(self) -> bool:
        return len(self.taken) < len(self.known)

    def _match_markers(self) -> None:
        for index, node in enumerate(self.nodes):
            if node.marker is None:
                continue
            if node.marker in self.known:
                self._pair(index, self.known[node.marker])
            elif self.is_free(node.marker):
                self.marked_new[index] = node.marker
            else:
                text = f"relay:{node.marker} is another item and none of this file: `--mark` writes this one's own."
                self.warnings.append(Warning_(node.line, text))

    def _match_same_titles(self) -> None:
        """Children of matched parents, by title and ordinal among equals, from the top down."""
        while self.waiting:
            parent = self.waiting.pop()
            old_parent = None if parent == TOP else self.items[parent].id
            self.settled[parent] = old_parent
            news = self._open_new(self.new_below.get(parent, ()))
            olds = self._open_old(self.old_below.get(old_parent, ())) if news else []
            if olds:
                self._match_children(olds, news)

    def _match_children(self, olds: list[KnownItem], news: list[int]) -> None:
        if [item.seen.title for item in olds] == [self.nodes[index].title for index in news]:
            for index, item in zip(news, olds, strict=True):
                self._pair(index, item)
            return
        pool = _Pool(olds)
        self._take_from(pool, news, same_kind=True)
        self._take_from(pool, self._open_new(news), same_kind=False)

    def _take_from(self, pool: _Pool, news: list[int], *, same_kind: bool) -> None:
        for index in news:
            node = self.nodes[index]
            item = pool.take(node.title, node.kind if same_kind else None)
            if item:
                self._pair(index, item)

    def _match_moves(self) -> bool:
        """The same title elsewhere. What is below a move waits, since it is likely to have moved along."""
        if not self._has_open_old():
            return False
        pool = _Pool(sorted(self._open_old(self.known.values()), key=_standing))
        waiting: set[int] = set()
        before = len(self.items)
        for index, parent in enumerate(self.parents):
            if parent in waiting or (parent in self.items and parent not in self.settled):
                waiting.add(index)
            elif self._is_new_open(index):
                self._take_any_kind(pool, index)
        return len(self.items) > before

    def _take_any_kind(self, pool: _Pool, index: int) -> None:
        node = self.nodes[index]
        item = pool.take(node.title, node.kind) or pool.take(node.title, None)
        if item:
            self._pair(index, item)

    def _match_retitles(self) -> bool:
        if not self._has_open_old():
            return False
        before = len(self.items)
        new_titles = Counter(self.nodes[index].title for index in self._open_new(range(len(self.nodes))))
        old_titles = Counter(item.seen.title for item in self._open_old(self.known.values()))
        for parent, olds, news in self._leftovers():
            # What has its title elsewhere is a move, which a later round finds.
            olds = [item for item in olds if item.seen.title not in new_titles]
            news = [index for index in news if self.nodes[index].title not in old_titles]
            for kind in dict.fromkeys(item.seen.kind for item in olds):
                same_olds = [item for item in olds if item.seen.kind == kind]
                same_news = [index for index in news if self.nodes[index].kind == kind]
                self._retitle(parent, kind, same_olds, same_news)
            self._retitle_by_words(self._open_old(olds), self._open_new(news))
        return len(self.items) > before

    def _leftovers(self) -> list[tuple[int, list[KnownItem], list[int]]]:
        found = []
        for parent, old_parent in self.settled.items():
            news = self._open_new(self.new_below.get(parent, ()))
            if news:
                olds = [item for item in self._open_old(self.old_below.get(old_parent, ())) if not item.gone]
                found += [(parent, olds, news)] if olds else []
        return found

    def _retitle(self, parent: int, kind: str, olds: list[KnownItem], news: list[int]) -> None:
        if len(olds) == len(news) == 1 and (parent, kind) not in self.by_words:
            self._pair(news[0], olds[0])
        elif olds and news:
            self.by_words.add((parent, kind))
            self._retitle_by_words(olds, news)

    def _retitle_by_words(self, olds: list[KnownItem], news: list[int]) -> None:
        titles = [self.nodes[index].title for index in news]
        for old, new in pair_by_words([item.seen.title for item in olds], titles):
            self._pair(news[new], olds[old])

    def _say_replaced(self) -> None:
        for _, olds, news in self._leftovers():
            text = f"{len(news)} new and {len(olds)} old items here are no pairs by their words: added and removed."
            self.warnings.append(Warning_(self.nodes[news[0]].line, text))


class _Pool:
    """Unmatched items by title, handed out in order."""

    def __init__(self, items: Sequence[KnownItem]) -> None:
        self.waiting: dict[tuple[str, str | None], list[KnownItem]] = defaultdict(list)
        self.given: set[str] = set()
        for item in reversed(items):
            self.waiting[item.seen.title, item.seen.kind].append(item)
            self.waiting[item.seen.title, None].append(item)

    def take(self, title: str, kind: str | None) -> KnownItem | None:
        waiting = self.waiting.get((title, kind), [])
        while waiting:
            item = waiting.pop()
            if item.id not in self.given:
                self.given.add(item.id)
                return item
        return None


def _standing(item: KnownItem) -> tuple[bool, int]:
    """Sorts what the last file held before what had left it earlier."""
    return item.gone, item.place


def pair_by_words(olds: Sequence[str], news: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of indexes, most words in common first; of equals the shorter titles, then the first."""
    words_of_old = [_words(title) for title in olds]
    holders: dict[str, list[int]] = defaultdict(list)
    for old, words in enumerate(words_of_old):
        for word in words:
            holders[word].append(old)
    ranked = []
    for new, title in enumerate(news):
        words = _words(title)
        shared = Counter(old for word in words for old in _telling(holders.get(word, [])))
        for old, count in shared.items():
            ranked.append((-count, len(words) + len(words_of_old[old]), new, old))
    return _best_pairs(sorted(ranked))


def _telling(holders: list[int]) -> list[int]:
    return holders if len(holders) <= _COMMON_WORD else []


def _best_pairs(ranked: list[tuple[int, int, int, int]]) -> list[tuple[int, int]]:
    pairs = []
    olds: set[int] = set()
    news: set[int] = set()
    for _, _, new, old in ranked:
        if new not in news and old not in olds:
            pairs.append((old, new))
            olds.add(old)
            news.add(new)
    return pairs


def _words(title: str) -> set[str]:
    return set(re.findall(r"\w+", title.casefold()))
