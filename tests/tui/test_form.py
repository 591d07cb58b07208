from __future__ import annotations

import threading
from typing import Any

import pytest
from textual.events import Paste
from textual.pilot import Pilot
from textual.widgets import Static

from relay_tui.base.errors import RelayError
from relay_tui.tui.dialogs.dialog import Page
from relay_tui.tui.dialogs.form import Field, Value, read_value, shown_default
from relay_tui.tui.widgets.inputs import ChoiceInput, PlainInput, PlainTextArea
from tests.tui.stages import FormStage

FIELDS = [
    Field("to", required=True, help="who [/] gets it", complete=lambda text: ["nimbus-2", "x\x1b"]),
    Field("message", "text", required=True),
    Field("status", "choice", choices=("todo", "done")),
    Field("dry-run", "bool"),
    Field("limit", "int", default=20),
    Field("labels", "list", default=["a b", "c"]),
]


@pytest.mark.parametrize(
    ("field", "typed", "value"),
    [
        (Field("a"), " x ", "x"),
        (Field("a"), "", None),
        (Field("a", default="x"), "", None),
        (Field("a", "text"), " x\n", " x\n"),
        (Field("a", "int"), "-3", -3),
        (Field("a", "int", default=20), "20", 20),
        (Field("a", "list"), "'a b' c", ["a b", "c"]),
        (Field("a", "list"), "", []),
        (Field("a", "bool"), "yes", True),
        (Field("a", "bool", required=True), "no", False),
        (Field("a", "choice", choices=("todo",)), "", None),
        (Field("a", "choice", choices=("todo",)), "todo", "todo"),
    ],
)
def test_what_was_typed_becomes_a_value_of_its_kind(field: Field, typed: str, value: Value):
    assert read_value(field, typed) == value


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        (Field("a", required=True), "  "),
        (Field("a", "list", required=True), ""),
        (Field("a", "int"), "many"),
        (Field("a", "list"), "'open"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_hint(field: Field, typed: str):
    with pytest.raises(RelayError) as refused:
        read_value(field, typed)
    assert refused.value.code == "usage" and refused.value.hint


@pytest.mark.parametrize(
    "field",
    [
        Field("a", default="x\x1b[31m"),
        Field("a", "text", default="x\n\ty\u202e"),
        Field("a", "list", default=["\x07"]),
    ],
)
def test_a_default_is_shown_inert_and_kept_as_it_was_when_untouched(field: Field):
    shown = shown_default(field)
    assert all(line.isprintable() for line in shown.split("\n"))
    assert read_value(field, shown) == field.default


async def completed(pilot: Pilot[Any]) -> None:
    """What is typed is completed in a thread."""
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def test_a_form_is_filled_in_by_keys():
    app = FormStage(FIELDS)
    async with app.run_test(size=(80, 40)) as pilot:
        await pilot.press(*"nim")
        await completed(pilot)
        await pilot.press("right", "tab", *"hi", "enter", *"you", "tab", "right", "right", "tab", "space")
        await pilot.press("tab", "tab", "end", *" d", "enter")
        assert app.filled == [
            {
                "to": "nimbus-2",
                "message": "hi\nyou",
                "status": "done",
                "dry-run": True,
                "limit": 20,
                "labels": ["a b", "c", "d"],
            }
        ]


async def test_down_and_up_turn_through_the_completions_and_right_takes_one():
    words = ["src/a", "src/b", "src/c\x1b", "src/d"]
    app = FormStage([Field("resources", complete=lambda text: words)])
    async with app.run_test() as pilot:
        for keys, taken in ((["down"], "src/b"), (["up"], "src/d"), (["down"] * 3, "src/a"), ([], "src/a")):
            app.screen.query_one(PlainInput).value = ""
            await pilot.press(*"src")
            await completed(pilot)
            await pilot.press(*keys)
            await pilot.pause()
            await pilot.press("right")
            assert app.screen.query_one(PlainInput).value == taken


async def test_where_nothing_completes_the_keys_do_nothing():
    app = FormStage([Field("resources", complete=lambda text: [])])
    async with app.run_test() as pilot:
        await pilot.press("x", "down", "up", "right")
        assert app.screen.query_one(PlainInput).value == "x"


async def test_what_takes_long_to_complete_keeps_nobody_waiting():
    go_on = threading.Event()

    def complete(text: str) -> list[str]:
        go_on.wait(10)
        return ["src/a"]

    app = FormStage([Field("resources", complete=complete)])
    async with app.run_test() as pilot:
        await pilot.press("s")
        app.screen.query_one(PlainInput).insert_text_at_cursor("rc")
        await pilot.pause()
        assert app.screen.query_one(PlainInput).value == "src"
        go_on.set()
        await completed(pilot)
        await pilot.press("right")
        assert app.screen.query_one(PlainInput).value == "src/a"


async def test_what_is_missing_is_named_and_gets_the_focus():
    app = FormStage(FIELDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("x", "ctrl+s")
        assert app.filled == []
        assert "'message' is required." in str(app.screen.query_one(".error", Static).content)
        assert app.focused is app.screen.query_one(PlainTextArea)


async def test_the_keys_stay_in_sight_on_a_small_screen():
    app = FormStage(FIELDS)
    async with app.run_test(size=(60, 15)) as pilot:
        await pilot.press("ctrl+s")
        box = app.screen.query_one(".box").region
        for part in (".error", ".keys"):
            assert box.contains_region(app.screen.query_one(part).region)


async def test_a_field_comes_into_sight_with_its_label():
    app = FormStage(FIELDS)
    async with app.run_test(size=(60, 15)) as pilot:
        for key in ["tab"] * 7 + ["shift+tab"] * 7:
            await pilot.pause()
            label = app.focused.parent.query_one(".label")
            assert app.screen.query_one(".fields").region.contains_region(label.region)
            await pilot.press(key)


async def test_esc_leaves():
    app = FormStage(FIELDS)
    async with app.run_test() as pilot:
        await pilot.press("x", "escape")
        assert app.answers == [None]


async def test_pasted_controls_become_visible_in_every_text_field_and_it_is_said():
    app = FormStage(FIELDS)
    async with app.run_test(size=(80, 40), notifications=True) as pilot:
        app.post_message(Paste("\x1b]52;c;aGk=\x07"))
        await pilot.press("tab")
        app.post_message(Paste("a\x1b[31m\nb"))
        await pilot.pause()
        assert app.screen.query_one(PlainInput).value == "\\x1b]52;c;aGk=\\x07"
        assert app.screen.query_one(PlainTextArea).text == "a\\x1b[31m\nb"
        said = [str(toast.render()) for toast in app.screen.query("Toast")]
        assert len(said) == 2 and all("sent like that" in words for words in said)


async def test_the_lines_of_a_paste_stay_lines_as_terminals_send_them():
    app = FormStage(FIELDS)
    async with app.run_test(size=(80, 40), notifications=True) as pilot:
        await pilot.press("tab")
        app.post_message(Paste("one\rtwo\r\nthree\n\r\tlast ❤️ می‌خواهم 👨‍👩"))
        await pilot.pause()
        assert app.screen.query_one(PlainTextArea).text == "one\ntwo\nthree\n\n\tlast ❤️ می‌خواهم 👨‍👩"
        assert not app.screen.query("Toast")


async def test_typing_goes_on_behind_what_stands_in_a_field():
    app = FormStage([Field("title", default="Old title"), Field("owner", default="nimbus-2", complete=lambda _: [])])
    async with app.run_test() as pilot:
        await pilot.press(*"s", "tab", "x", "ctrl+s")
        assert app.filled == [{"title": "Old titles", "owner": "nimbus-2x"}]


async def test_a_refused_form_stays_with_what_was_typed_and_is_handed_in_again():
    app = FormStage([Field("title")])
    async with app.run_test() as pilot:
        await pilot.press("x", "enter", "enter", "ctrl+s")
        assert app.filled == [{"title": "x"}], "one at a time"
        keys = app.screen.query_one(".keys", Static)
        assert str(keys.content) == "esc leave", "it is carried out, and no key takes that back"
        app.form.refuse(RelayError("invalid", "A title is longer.", "Write more."))
        assert str(keys.content).startswith("enter ctrl+s send")
        assert "A title is longer. Write more." in str(app.screen.query_one(".error", Static).content)
        await pilot.press("y", "enter")
        assert app.filled == [{"title": "x"}, {"title": "xy"}]
        assert app.screen.query_one(".error").has_class("-none")
        app.form.done()
        await pilot.pause()
        assert app.answers == [None] and not app.form.is_open


async def test_a_form_that_is_done_below_another_dialog_closes_when_that_has_closed():
    app = FormStage([Field("title")])
    async with app.run_test() as pilot:
        page = Page("What was asked", ["read me"])
        app.push_screen(page)
        await pilot.pause()
        app.form.done()
        await pilot.pause()
        assert app.screen is page
        await pilot.press("escape")
        await pilot.pause()
        assert app.answers == [None] and not app.form.is_open


async def test_enter_is_named_for_what_it_does_in_the_field():
    app = FormStage(FIELDS)
    async with app.run_test(size=(80, 40)) as pilot:
        keys = app.screen.query_one(".keys", Static)
        assert str(keys.content).startswith("enter ctrl+s send")
        await pilot.press("tab")
        assert str(keys.content).startswith("ctrl+s send   enter new line")
        await pilot.press("tab")
        assert str(keys.content).startswith("enter ctrl+s send")


async def test_a_choice_turns_both_ways_and_by_click():
    app = FormStage([Field("status", "choice", True, "todo", choices=("todo", "review", "done"))])
    async with app.run_test() as pilot:
        choice = app.screen.query_one(ChoiceInput)
        await pilot.press("left")
        assert choice.value == "done"
        await pilot.click(ChoiceInput)
        assert choice.value == "todo"
