from __future__ import annotations

import pytest

from relay_tui.actions.call import make_call, parse
from relay_tui.actions.signature import read_signature
from relay_tui.actions.table import ACTIONS
from relay_tui.tui.dialogs.fields import fields_of, values_of
from relay_tui.tui.dialogs.form import read_value, shown_default
from relay_tui.tui.readings.known import Known


@pytest.mark.parametrize("action", ACTIONS)
def test_every_action_has_a_form_with_the_needed_fields_first(action: str):
    fields = fields_of(action, Known())
    needed = [field.required for field in fields]
    assert needed == sorted(needed, reverse=True)
    not_asked = {"wait"} if action == "claim" else set()
    assert len(fields) == len({one.name for one in read_signature(ACTIONS[action]).parameters} - not_asked)
    assert all(field.help for field in fields)


@pytest.mark.parametrize("action", ACTIONS)
def test_an_untouched_form_says_nothing(action: str):
    fields = [field._replace(required=False) for field in fields_of(action, Known())]
    filled = {field.name: read_value(field, shown_default(field)) for field in fields}
    made = make_call(action, values_of(action, filled), {})
    assert made.values == {}


def test_defaults_come_from_the_row_and_fields_can_be_picked_and_ordered():
    fields = fields_of("send", Known(), {"to": "codex-3"}, ("to", "message", "summary"))
    assert [(field.name, field.kind, field.default) for field in fields] == [
        ("to", "str", "codex-3"), ("message", "text", None), ("summary", "str", None),
    ]  # fmt: skip


def test_what_is_held_is_not_offered_to_be_claimed():
    known = Known(claims=("zzz-held",))
    claim, hand_over = (fields_of(action, known, only=("resources",))[0] for action in ("claim", "handoff request"))
    assert list(claim.complete("zzz")) == [] and list(hand_over.complete("zzz")) == ["zzz-held"]


def test_only_a_message_reaches_everybody():
    send, request = (fields_of(action, Known(), only=("to",))[0] for action in ("send", "handoff request"))
    assert "*all" in send.help and "*" not in request.help


def test_what_is_filled_in_is_the_line_that_a_person_would_type():
    filled = {"to": None, "message": "a\nb", "reply-to": "M1", "attach": []}
    call = make_call("send", values_of("send", filled), {})
    assert call.argv()[1:] == ["send", "--message", "a\nb", "--reply-to", "M1"]
    assert parse(call.argv()[1:]) == call
