"""What a title says about itself, and what stays text."""

from __future__ import annotations

import pytest

from relay_tui.roadmap.attributes import code_spans, read_title


def head(text, *, boxed=True):
    return read_title(text, 7, boxed=boxed)


def test_every_attribute_is_read_at_the_end_of_the_line():
    found = head("do it @Codex-3 #core !med #ui/x branch:feat/a due:2026-12-24")
    assert found.title == "do it"
    assert (found.owner, found.labels, found.priority) == ("Codex-3", ("core", "ui/x"), "med")
    assert (found.branch, found.due) == ("feat/a", "2026-12-24")


@pytest.mark.parametrize(
    "text",
    [
        "fix #12",
        "ask bob@example.com",
        "see https://example.com/#label",
        "install @scope/pkg",
        "ends with ##",
        "wow !important",
        "`git log @ana`",
        "ask @ana.",
        "@ana",
        "\\@ana \\#core",
        "due:",
        "@ana comes #first then text",
    ],
)
def test_what_is_no_attribute_stays_text(text):
    found = head(text)
    assert found.title == text
    assert (found.owner, found.labels, found.priority, found.due) == (None, (), None, None)


def test_only_the_last_owner_is_one():
    assert (head("pair @ana @bob").title, head("pair @ana @bob").owner) == ("pair @ana", "bob")


@pytest.mark.parametrize("day", ["2026-02-30", "tomorrow", "2026-1-5", "24.12.2026"])
def test_a_bad_date_stays_text_and_is_said_once_with_the_line(day):
    found = head(f"x due:{day}", boxed=False)
    assert (found.title, found.due) == (f"x due:{day}", None)
    assert [warning.line for warning in found.warnings] == [7]


@pytest.mark.parametrize(
    ("text", "title", "status"),
    [
        ("✅ Docs", "Docs", "done"),
        ("Docs ✔️ @ana", "Docs", "done"),
        ("Docs @ana ☑", "Docs", "done"),
        ("🚧 Docs", "Docs", "in-progress"),
        ("Docs ⏳", "Docs", "todo"),
        ("⛔ Docs", "Docs", "blocked"),
        ("🚫 Docs", "Docs", "cancelled"),
        ("✅ ~~Docs~~", "Docs", "cancelled"),
        ("Docs ✅ first", "Docs ✅ first", None),
        ("✅", "✅", None),
        ("~~~~", "~~~~", None),
        ("~~a~~ and ~~b~~", "~~a~~ and ~~b~~", None),
    ],
)
def test_emoji_and_strike_through_say_the_status_without_a_box(text, title, status):
    found = head(text, boxed=False)
    assert (found.title, found.status) == (title, status)


@pytest.mark.parametrize(
    "text",
    ["a <!-- relay:W12 -->", "<!--relay:W12--> a", "a <!-- relay:W12 --> @ana", "a @ana <!-- relay:W12 -->"],
)
def test_a_marker_is_taken_wherever_it_stands(text):
    assert (head(text).title, head(text).marker) == ("a", "W12")


@pytest.mark.parametrize("text", ["a `<!-- relay:W12 -->`", "`` ` <!-- relay:W12 --> `` a", "a <!-- note -->"])
def test_a_marker_in_code_and_other_comments_are_content(text):
    assert (head(text).title, head(text).marker) == (text, None)


def test_code_spans_close_at_a_run_of_the_same_length():
    assert list(code_spans("a `b` ``c ` d`` ` e")) == [(2, 5), (6, 15)]
