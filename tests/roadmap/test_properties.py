"""What holds for every plan: one tree in every notation, no edit lost, bytes kept, and no traceback."""

from __future__ import annotations

import contextlib
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relay_tui.base.errors import RelayError
from relay_tui.roadmap.marks import MARK_OF_STATUS, STATUS_OF_MARK
from relay_tui.roadmap.model import Choices
from relay_tui.roadmap.reader import read_roadmap
from relay_tui.roadmap.writer import Change, export
from tests.roadmap.plan_room import PlanRoom, read

CHECKED = settings(deadline=None, max_examples=100)
WORDS = ["build", "parser", "tests", "the docs", "same", "same", "screen"]

boxes = st.recursive(
    st.tuples(st.sampled_from(list(STATUS_OF_MARK)), st.sampled_from(WORDS), st.just([])),
    lambda below: st.tuples(st.sampled_from(list(STATUS_OF_MARK)), st.sampled_from(WORDS), st.lists(below, max_size=3)),
    max_leaves=12,
)
trees = st.lists(st.tuples(st.sampled_from(WORDS), st.lists(boxes, min_size=1, max_size=4)), max_size=4)


def print_boxes(tree, bullet, indent, depth=0):
    lines = []
    for mark, title, below in tree:
        lines.append(f"{indent * depth}{bullet} [{mark}] {title}")
        lines += print_boxes(below, bullet, indent, depth + 1)
    return lines


def print_plan(tree, bullet="-", indent="  ", end="\n", bom="", underlined=False):
    lines = ["Plan", "===="] if underlined else ["# Plan"]
    for phase, items in tree:
        lines += ["", phase, "---", ""] if underlined else ["", f"## {phase} ##", ""]
        lines += print_boxes(items, bullet, indent)
    return (bom + end.join(lines) + end).encode()


def expected(items):
    return [(title, STATUS_OF_MARK[mark], expected(below)) for mark, title, below in items]


def found(nodes):
    return [(node.title, node.status, found(node.children)) for node in nodes]


# Each child has to stand behind its parent's bullet, so wide bullets need wide indents.
notations = st.sampled_from(
    [("-", "  "), ("*", "    "), ("+", "\t"), ("1.", "   "), ("1)", "    "), ("-", "   "), ("1.", "\t")]
)


@CHECKED
@given(trees, notations, st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from(["", "\ufeff"]), st.booleans())
def test_one_tree_in_every_notation(tree, notation, end, bom, underlined):
    text = print_plan(tree, *notation, end, bom, underlined)
    (roadmap,) = read(text).nodes
    assert found(roadmap.children) == [(phase, "todo", expected(items)) for phase, items in tree]


pieces = st.sampled_from(
    [
        *("# ", "## ", "###### ", "- ", "* ", "1. ", "10) ", "[ ] ", "[x] ", "[~]", "> ", "    ", "\t", "  "),
        *("```", "~~~", "`", "<!--", "-->", "<!-- relay:W1 -->", "<div>", "---", "===", "***", "|", "|-|-|"),
        *("Task | Status", "done", "~~", "@ana", "#core", "!high", "due:2026-02-30", "✅", "🚧", "\ufeff"),
        *("\n", "\n\n", "\r", "\r\n", "\0", "\x0b", "\x85", "\u2028", "title: x", "\\", "[a]: b", "a", " b "),
    ]
)
texts = st.lists(pieces, max_size=40).map("".join).map(str.encode)
choices = st.builds(Choices, st.booleans(), st.booleans(), st.booleans())


@settings(deadline=None, max_examples=200)
@given(st.one_of(st.binary(max_size=200), texts), choices)
def test_any_bytes_are_read_or_refused(text, choices):
    with contextlib.suppress(RelayError):
        read_roadmap(text, name="x.md", choices=choices)


@settings(deadline=None, max_examples=200)
@given(texts, choices, st.lists(st.sampled_from(list(MARK_OF_STATUS)), min_size=1))
def test_an_export_changes_the_boxes_and_nothing_else(text, choices, statuses):
    try:
        before = read_roadmap(text, name="x.md", choices=choices)
    except RelayError:
        return
    nodes = before.walk()
    assert export(text, "x.md", [Change(node, node.status) for node in nodes]) == (text, ())
    wanted = [statuses[at % len(statuses)] for at in range(len(nodes))]
    written = export(text, "x.md", [Change(node, status) for node, status in zip(nodes, wanted, strict=True)])
    after = read_roadmap(written.text, name="x.md", choices=choices).walk()
    for old, new, status in zip(nodes, after, wanted, strict=True):
        assert new.status == (status if old.box and not old.struck else old.status)
    back = export(written.text, "x.md", [Change(new, old.status) for old, new in zip(nodes, after, strict=True)])
    assert len(back.text) == len(text)


@settings(deadline=None, max_examples=200)
@given(texts, choices)
def test_marking_changes_nothing_but_the_markers(text, choices):
    try:
        before = read_roadmap(text, name="x.md", choices=choices).walk()
    except RelayError:
        return
    ids = [f"N{number}" for number, _ in enumerate(before)]
    changes = [Change(node, marker=id_) for node, id_ in zip(before, ids, strict=True)]
    marked = export(text, "x.md", changes).text
    after = read_roadmap(marked, name="x.md", choices=choices).walk()
    assert [bare(node) for node in after] == [bare(node) for node in before]
    for old, new, id_ in zip(before, after, ids, strict=True):
        assert new.marker == (id_ if old.title_end else old.marker)


def bare(node):
    return node._replace(marker=None, title_end=None, children=())


edits = st.lists(
    st.tuples(
        st.sampled_from(["status", "title", "delete", "insert", "move", "indent"]),
        st.integers(0, 30),
        st.integers(0, 30),
    ),
    max_size=6,
)
room_edits = st.lists(
    st.tuples(
        st.sampled_from(["status", "title", "owner", "parent", "remove"]),
        st.integers(0, 30),
        st.integers(0, 30),
    ),
    max_size=6,
)


def edit_file(lines, script):
    """Change the lines of a plan as a person would, keeping its first line."""
    lines = list(lines)
    for act, first, second in script:
        at = 1 + first % max(len(lines) - 1, 1)
        if act == "insert" or at >= len(lines):
            lines.insert(min(at, len(lines)), f"- [ ] new {second}")
        elif act == "delete":
            del lines[at]
        elif act == "move":
            lines.insert(1 + second % len(lines), lines.pop(at))
        elif act == "indent" and lines[at].lstrip().startswith("-"):
            lines[at] = "  " * (second % 3) + lines[at].lstrip()
        elif act == "title" and lines[at]:
            lines[at] += f" {WORDS[second % len(WORDS)]}"
        elif act == "status":
            lines[at] = lines[at].replace("[ ]", "[x]").replace("[/]", "[!]")
    return lines


def edit_room(room, script):
    """Change items of the room, its tree kept without circles."""
    for act, first, second in script:
        ids = [*room.items]
        id_, other = ids[first % len(ids)], ids[second % len(ids)]
        if act == "status":
            room.set(id_, status=list(MARK_OF_STATUS)[second % 6])
        elif act == "title":
            room.set(id_, title=f"room {second}")
        elif act == "owner":
            room.set(id_, owner=f"agent-{second}")
        elif act == "remove":
            room.removed.add(id_)
        elif id_ not in room.roots_of(other):
            room.set(id_, parent=other)


@settings(deadline=None, max_examples=200)
@given(trees.filter(bool), st.lists(st.tuples(room_edits, edits), min_size=1, max_size=4))
def test_no_edit_of_file_or_room_is_lost_and_a_second_import_is_empty(tree, rounds):
    room = PlanRoom()
    lines = print_plan(tree).decode().splitlines()
    room.load("\n".join(lines))
    for in_room, in_file in rounds:
        edit_room(room, in_room)
        lines = edit_file(lines, in_file)
        text = "\n".join(lines)
        before = dict(room.items)
        plan = room.plan(text)
        check_merge(room, plan, read(text), before)
        room.apply(plan)
        for id_ in room.items:
            room.roots_of(id_)
        again = room.load(text)
        assert again.is_empty
        assert again.conflicts == plan.conflicts


def check_merge(room, plan, reading, before):
    """Each field of each known item ends as the room's, or as the file's where only that changed."""
    bases = {id_: kept.base for id_, kept in room.remembered.items()}
    open_fields = {(conflict.id, conflict.field) for conflict in plan.conflicts}
    applied = PlanRoom()
    applied.items = dict(before)
    applied.apply(plan)
    assert len(plan.ids) == len(set(plan.ids)) == len(reading.walk())
    for id_ in plan.ids:
        if id_ not in before or id_ in room.removed:
            assert id_ not in before or applied.items[id_] == before[id_]
            continue
        file = plan.bases[id_].seen
        for field, base, now, old, new in zip(
            file._fields, bases[id_], file, before[id_], applied.items[id_], strict=True
        ):
            if (id_, field) in open_fields:
                assert (new, plan.bases[id_].base[file._fields.index(field)]) == (old, base)
            elif now == base:
                assert new == old
            else:
                assert new == now and old in (base, now)
    for id_ in before.keys() - set(plan.ids):
        assert applied.items[id_] == before[id_]


@CHECKED
@given(trees.filter(bool), edits, st.sampled_from(["file", "room"]))
def test_prefer_leaves_no_conflict_that_it_can_settle(tree, script, prefer):
    room = PlanRoom()
    lines = print_plan(tree).decode().splitlines()
    room.load("\n".join(lines))
    for number, id_ in zip(count(), list(room.items), strict=False):
        room.set(id_, owner=f"agent-{number}", status="review")
    text = "\n".join(edit_file(lines, script))
    assert room.load(text, prefer=prefer).conflicts == ()
    assert room.load(text).is_empty


@pytest.mark.parametrize("depth", [1, 7, 50])
def test_deep_trees_keep_their_depth(depth):
    text = "".join(f"{'  ' * level}- [ ] d{level}\n" for level in range(depth))
    assert [node.title for node in read(text).walk()] == ["plan", *(f"d{level}" for level in range(depth))]
