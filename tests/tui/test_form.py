from __future__ import annotations

import pytest
from textual.events import Paste
from textual.widgets import Static

from relay_tui.base.errors import RelayError
from relay_tui.tui.form import Field, FormDialog, Value, read_value, shown_default
from relay_tui.tui.inputs import ChoiceInput, PlainInput, PlainTextArea
from tests.tui.stages import DialogStage

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


async def test_a_form_is_filled_in_by_keys():
    app = DialogStage(FormDialog("Send", FIELDS, "send"))
    async with app.run_test(size=(80, 40)) as pilot:
        await pilot.press(*"nim", "right", "tab", *"hi", "enter", *"you", "tab", "right", "right", "tab", "space")
        await pilot.press("tab", "tab", "end", *" d", "enter")
        assert app.answers == [
            {
                "to": "nimbus-2",
                "message": "hi\nyou",
                "status": "done",
                "dry-run": True,
                "limit": 20,
                "labels": ["a b", "c", "d"],
            }
        ]


async def test_what_is_missing_is_named_and_gets_the_focus():
    app = DialogStage(FormDialog("Send", FIELDS))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("x", "ctrl+s")
        assert app.answers == []
        assert "'message' is needed." in str(app.screen.query_one(".error", Static).content)
        assert app.focused is app.screen.query_one(PlainTextArea)


async def test_the_keys_stay_in_sight_on_a_small_screen():
    app = DialogStage(FormDialog("Send", FIELDS))
    async with app.run_test(size=(60, 15)) as pilot:
        await pilot.press("ctrl+s")
        box = app.screen.query_one(".box").region
        for part in (".error", ".keys"):
            assert box.contains_region(app.screen.query_one(part).region)


async def test_a_field_comes_into_sight_with_its_label():
    app = DialogStage(FormDialog("Send", FIELDS))
    async with app.run_test(size=(60, 15)) as pilot:
        for key in ["tab"] * 7 + ["shift+tab"] * 7:
            await pilot.pause()
            label = app.focused.parent.query_one(".label")
            assert app.screen.query_one(".fields").region.contains_region(label.region)
            await pilot.press(key)


async def test_esc_leaves():
    app = DialogStage(FormDialog("Send", FIELDS))
    async with app.run_test() as pilot:
        await pilot.press("x", "escape")
        assert app.answers == [None]


async def test_pasted_controls_become_visible_in_every_text_field():
    app = DialogStage(FormDialog("Send", FIELDS))
    async with app.run_test() as pilot:
        app.post_message(Paste("\x1b]52;c;aGk=\x07"))
        await pilot.press("tab")
        app.post_message(Paste("a\x1b[31m\nb"))
        await pilot.pause()
        assert app.screen.query_one(PlainInput).value == "\\x1b]52;c;aGk=\\x07"
        assert app.screen.query_one(PlainTextArea).text == "a\\x1b[31m\nb"


async def test_a_choice_turns_both_ways_and_by_click():
    app = DialogStage(FormDialog("Set", [Field("status", "choice", True, "todo", choices=("todo", "review", "done"))]))
    async with app.run_test() as pilot:
        choice = app.screen.query_one(ChoiceInput)
        await pilot.press("left")
        assert choice.value == "done"
        await pilot.click(ChoiceInput)
        assert choice.value == "todo"
