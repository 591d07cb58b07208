"""A room of plain dictionaries that applies plans, and the printing of trees as the case files write them."""

from __future__ import annotations

from itertools import count

from relay_tui.roadmap.changes import Fields, KnownItem
from relay_tui.roadmap.model import Choices
from relay_tui.roadmap.plan import make_plan
from relay_tui.roadmap.reader import read_roadmap


def read(text, name="plan.md", **choices):
    source = text if isinstance(text, bytes) else text.encode()
    return read_roadmap(source, name=name, choices=Choices(**choices))


def titles(nodes):
    """The tree as nested pairs of title and children."""
    return [(node.title, titles(node.children)) if node.children else node.title for node in nodes]


class PlanRoom:
    """Holds items as the room would: fields by id, who is removed, what to remember, the order of children."""

    def __init__(self):
        self.items: dict[str, Fields] = {}
        self.removed: set[str] = set()
        self.remembered = {}
        self.children: dict[str | None, list[str]] = {}
        self.numbers = count(1)

    def plan(self, text, **options):
        known = [
            KnownItem(id_, kept.place, kept.gone, id_ in self.removed, kept.seen, kept.base, self.items[id_])
            for id_, kept in self.remembered.items()
        ]
        choices = options.pop("choices", {})
        options.setdefault("is_free", lambda id_: id_ not in self.items)
        options.setdefault("room_parents", {id_: fields.parent for id_, fields in self.items.items()})
        return make_plan(known, read(text, **choices), new_id=self._new_id, **options)

    def load(self, text, **options):
        plan = self.plan(text, **options)
        self.apply(plan)
        return plan

    def apply(self, plan):
        for new in plan.added:
            assert new.id not in self.items
            assert new.fields.parent is None or new.fields.parent in self.items
            self.items[new.id] = new.fields
        for id_, fields in plan.updated.items():
            for field, (old, _) in fields.items():
                assert getattr(self.items[id_], field) == old
            self.set(id_, **{field: new for field, (_, new) in fields.items()})
        for id_, old, new in plan.retitled:
            assert self.items[id_].title == old
            self.set(id_, title=new)
        for id_, old, new in plan.moved:
            assert self.items[id_].parent == old
            self.set(id_, parent=new)
        self._place(plan.after)
        self.remembered = plan.bases

    def set(self, id_, **fields):
        self.items[id_] = self.items[id_]._replace(**fields)

    def id_of(self, title, nth=0):
        return [id_ for id_, fields in self.items.items() if fields.title == title][nth]

    def get(self, title, nth=0):
        return self.items[self.id_of(title, nth)]

    def titles(self, parent=None):
        """The room's tree as nested pairs."""
        found = []
        for id_ in self.children.get(parent, []):
            below = self.titles(id_)
            found.append((self.items[id_].title, below) if below else self.items[id_].title)
        return found

    def roots_of(self, id_):
        """The ancestors of an item; fails where they go in a circle."""
        seen = [id_]
        while (parent := self.items[seen[-1]].parent) is not None:
            assert parent not in seen
            seen.append(parent)
        return seen

    def _new_id(self):
        return f"W{next(self.numbers)}"

    def _place(self, after):
        for id_, sibling in after.items():
            for siblings in self.children.values():
                if id_ in siblings:
                    siblings.remove(id_)
            siblings = self.children.setdefault(self.items[id_].parent, [])
            siblings.insert(siblings.index(sibling) + 1 if sibling in siblings else 0, id_)


def print_tree(nodes, depth=0):
    """Two spaces a level, `kind status title`, attributes, and the done leaves of parents."""
    lines = []
    for node in nodes:
        words = [node.kind, node.status, node.title]
        words += [f"@{node.owner}"] if node.owner else []
        words += [f"#{label}" for label in node.labels]
        words += [f"!{node.priority}"] if node.priority else []
        words += [f"branch:{node.branch}"] if node.branch else []
        words += [f"due:{node.due}"] if node.due else []
        if node.children:
            leaves = [leaf.status for leaf in _leaves(node) if leaf.status != "cancelled"]
            words.append(f"({leaves.count('done')}/{len(leaves)})")
        lines += ["  " * depth + " ".join(words), *print_tree(node.children, depth + 1)]
    return lines


def _leaves(node):
    if not node.children:
        return [node]
    return [leaf for child in node.children for leaf in _leaves(child)]
