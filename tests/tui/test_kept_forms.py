"""What was typed into a form is lost only when the person leaves it."""

from __future__ import annotations

import pytest

from relay_tui.tui.dialogs.form import FormDialog
from tests.repo.git_fixture import isolate_git
from tests.room_fixture import House
from tests.tui.plans import do, imported, item, make_house
from tests.tui.visits import Visit, visit


@pytest.fixture
def planned(tmp_path, monkeypatch) -> House:
    isolate_git(monkeypatch)
    return imported(make_house(tmp_path))


async def edit(here: Visit, house: House, title: str) -> None:
    here.row_list.reveal([], item(house, title).id)
    await here.pilot.pause()
    await here.press("e")


def is_form_open(here: Visit) -> bool:
    return isinstance(here.app.screen, FormDialog)


async def test_a_refused_message_stays_in_its_form_until_it_is_sent(house: House):
    async with visit(house, "agents") as here:
        await here.press("m")
        here.app.screen.query_one("#field-1").text = "x" * 70_000
        await here.press("ctrl+s")
        assert is_form_open(here) and "65,536" in here.dialog and here.toasts == ""
        here.app.screen.query_one("#field-1").text = "short"
        await here.press("ctrl+s")
        assert not is_form_open(here)
    assert [line.rpartition("--message ")[2].split()[0] for line in here.lines[1:]] == ["short"]


async def test_a_name_that_is_refused_by_the_dry_run_is_typed_again(house: House):
    async with visit(house, "agents") as here:
        await here.press("n")
        await here.type("Nobody Here")
        await here.press("ctrl+s")
        assert is_form_open(here) and "Nobody Here" in here.dialog
        await here.press("ctrl+u")
        await here.fill("pilot-5")
        await here.press("n")
        assert is_form_open(here), "the question was answered with no"
        await here.press("ctrl+s", "y")
        assert not is_form_open(here) and "pilot-5" in here.ids


async def test_what_fails_after_its_form_was_left_is_a_toast(planned: House):
    async with visit(planned, "roadmap") as here:
        await edit(here, planned, "Reject tokens")
        form = here.app.screen
        here.app.screen.query_one("#field-4").value = "soon"
        form.action_submit()
        form.action_leave()
        await here.settle()
        assert "'soon' is not a date." in here.toasts


async def test_only_what_was_changed_is_set_and_the_way_back_is_what_stands_there_now(planned: House):
    async with visit(planned, "roadmap") as here:
        await edit(here, planned, "Reject tokens")
        do(planned, "work set", id="W8", status="review")
        await here.type(", all")
        await here.press("enter")
        assert item(planned, "Reject tokens").status == "review"
        assert here.lines[-1].startswith("relay work set W8 --title 'Reject tokens of the old format, all'")
        assert "Back: relay work set W8 --title 'Reject tokens of the old format'" in here.toasts


async def test_what_somebody_else_changed_meanwhile_is_written_over_only_knowingly(planned: House):
    async with visit(planned, "roadmap") as here:
        await edit(here, planned, "Reject tokens")
        do(planned, "work set", id="W8", title="Refuse old tokens")
        await here.type("!")
        await here.press("enter")
        said = "title is 'Refuse old tokens' now, not 'Reject tokens of the old format'"
        assert is_form_open(here) and said in here.dialog and here.lines == []
        await here.press("ctrl+s")
        assert item(planned, "Reject tokens").title == "Reject tokens of the old format!"
        assert "Back: relay work set W8 --title 'Refuse old tokens'" in here.toasts


async def test_the_way_back_from_a_status_is_the_one_that_stood_there(planned: House):
    async with visit(planned, "roadmap") as here:
        here.row_list.reveal([], "W8")
        await here.pilot.pause()
        await here.press("s")
        do(planned, "work set", id="W8", status="review")
        await here.press("5")
        assert "Back: relay work set W8 --status review" in here.toasts
