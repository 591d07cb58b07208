"""Export: statuses and markers into the file, and no other byte."""

from __future__ import annotations

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.roadmap.marks import MARK_OF_STATUS
from relay_tui.roadmap.writer import Change, export
from tests.roadmap.plan_room import read


def write(text, changes):
    return export(text, "plan.md", changes)


def node_of(text, title, **choices):
    return next(node for node in read(text, **choices).walk() if node.title == title)


@pytest.mark.parametrize("status", MARK_OF_STATUS)
def test_a_status_is_written_into_the_box_and_read_back(status):
    text = "\ufeff# A  \r\n\r\n- [ ] one  \r\n\t+ [X] two\t\r- [~] three".encode()
    node = node_of(text, "one")
    written = write(text, [Change(node, status)])
    assert written.text == text.replace(b"[ ] one", f"[{MARK_OF_STATUS[status]}] one".encode())
    assert written.changed_lines == ((3,) if status != "todo" else ())
    assert node_of(written.text, "one").status == status


@pytest.mark.parametrize(("mark", "status"), [("~", "in-progress"), ("X", "done"), ("/", "in-progress")])
def test_a_box_that_means_the_status_stays_as_it_was_found(mark, status):
    text = f"- [{mark}] a\n".encode()
    assert write(text, [Change(node_of(text, "a"), status)]) == (text, ())


@pytest.mark.parametrize("blank", ["\x0b", "\x0c"])
def test_a_box_below_a_line_that_only_looks_empty_is_found_where_it_stands(blank):
    text = f"- {blank}\n  [ ] a\n".encode()
    written = write(text, [Change(node_of(text, "a"), "done")])
    assert written == (text.replace(b"[ ]", b"[x]"), (2,))


def test_the_box_of_a_struck_title_is_left_alone():
    text = b"- [x] ~~a~~\n"
    assert write(text, [Change(node_of(text, "a"), "todo")]).text == text


@pytest.mark.parametrize(
    ("text", "title", "marked"),
    [
        ("# A\n", "A", "# A <!-- relay:W1 -->\n"),
        ("## A ##  \n", "A", "## A <!-- relay:W1 --> ##  \n"),
        ("# # #\n", "#", "# # <!-- relay:W1 --> #\n"),
        ("A\nb \n===\n", "A b", "A\nb <!-- relay:W1 --> \n===\n"),
        ("- [ ] a\n  b  \n", "a b", "- [ ] a\n  b <!-- relay:W1 -->  \n"),
        (
            "| Task | Status |\n|-|-|\n| a \\| b | done |\n",
            "a | b",
            "| Task | Status |\n|-|-|\n| a \\| b <!-- relay:W1 --> | done |\n",
        ),
        ("Status | Task\n-|-\ndone | a\n", "a", "Status | Task\n-|-\ndone | a <!-- relay:W1 -->\n"),
    ],
)
def test_a_marker_stands_behind_the_title_and_is_read_back(text, title, marked):
    node = node_of(text, title, tables=True)
    written = write(text.encode(), [Change(node, marker="W1")])
    assert written.text.decode() == marked
    assert node_of(written.text, title, tables=True).marker == "W1"


def test_a_title_that_has_a_marker_gets_no_second_one():
    text = b"- [ ] a <!-- relay:W1 -->\n"
    assert write(text, [Change(node_of(text, "a"), marker="W1")]).text == text
    assert write(text, [Change(node_of(text, "a"), marker="W2")]).text == b"- [ ] a <!-- relay:W2 -->\n"


def test_status_and_marker_go_into_one_line_together():
    text = b"- [ ] a\n"
    assert write(text, [Change(node_of(text, "a"), "done", "W1")]) == (b"- [x] a <!-- relay:W1 -->\n", (1,))


@pytest.mark.parametrize("other", [b"- a\n", b"- [x] a\n", b""])
def test_a_file_that_changed_since_it_was_read_is_refused(other):
    with pytest.raises(RelayError) as refused:
        write(other, [Change(node_of(b"- [ ] a\n", "a"), "done")])
    assert refused.value.code == "edit_conflict"
