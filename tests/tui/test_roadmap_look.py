"""Pictures of the Roadmap and of its dialogs; what the keys do is asserted in `test_roadmap`."""

from __future__ import annotations

import pytest

from relay_tui.tui.widgets.glyphs import LETTERS
from tests.repo.git_fixture import isolate_git
from tests.room_fixture import House
from tests.tui.conftest import SIZES, Picture, at_both_sizes, in_both_themes
from tests.tui.plans import ROADMAP, do, imported, make_house, write_plan
from tests.tui.visits import make_app

ON_A_TASK = ["4", *"jjjj"]


@pytest.fixture
def house(tmp_path, monkeypatch) -> House:
    isolate_git(monkeypatch)
    return make_house(tmp_path)


@pytest.fixture
def planned(house: House) -> House:
    return imported(house)


@at_both_sizes
@in_both_themes
def test_roadmap(picture: Picture, planned: House, theme: str, size):
    picture(make_app(planned), *ON_A_TASK, theme=theme, size=size)


@at_both_sizes
def test_roadmap_without_colour(picture: Picture, planned: House, monkeypatch, size):
    monkeypatch.setenv("NO_COLOR", "1")
    picture(make_app(planned), *ON_A_TASK, "l", "space", size=size)


def test_roadmap_in_letters(picture: Picture, planned: House):
    picture(make_app(planned, glyphs=LETTERS), *ON_A_TASK)


@pytest.mark.parametrize("size", [(60, 15), (160, 48)])
def test_roadmap_narrow_and_broad(picture: Picture, planned: House, size):
    picture(make_app(planned), *ON_A_TASK, size=size)


def test_roadmap_empty(picture: Picture, house: House):
    picture(make_app(house), "4")


def test_filtered(picture: Picture, planned: House):
    picture(make_app(planned), "4", "slash", *"due", "enter", size=SIZES[1])


def test_status_picker(picture: Picture, planned: House):
    picture(make_app(planned), *ON_A_TASK, "s")


@at_both_sizes
def test_plan_with_a_conflict(picture: Picture, planned: House, size):
    do(planned, "work set", id="W8", status="review")
    changed = ROADMAP.replace("[!] Reject", "[x] Reject").replace("### Import", "### Importing")
    write_plan(planned.repository, changed.replace("- [-] A cache nobody asked for\n", "- [ ] [/] \u202enew\n"))
    picture(make_app(planned), "4", "i", "enter", size=size)


@at_both_sizes
def test_next(picture: Picture, planned: House, size):
    do(planned, "work set", id="W15", blocked_by=["W8"])
    picture(make_app(planned), "4", "right_square_bracket", "G", size=size)


@at_both_sizes
def test_removing(picture: Picture, planned: House, size):
    picture(make_app(planned), *ON_A_TASK, "x", size=size)


@at_both_sizes
def test_removed(picture: Picture, planned: House, size):
    do(planned, "work remove", id="W5", recursive=True)
    picture(make_app(planned), "4", "left_square_bracket", "l", size=size)


@at_both_sizes
def test_in_conflict(picture: Picture, planned: House, size):
    do(planned, "work set", id="W8", status="review", due="2026-12-05")
    changed = ROADMAP.replace(
        "[!] Reject tokens of the old format due:2026-12-04", "[x] Reject tokens of the old format"
    )
    write_plan(planned.repository, changed.replace("format\n", "format due:2026-12-09\n", 1))
    do(planned, "work import", file="ROADMAP.md")
    picture(make_app(planned), "4", *"jjjjj", size=size)


def test_lines_to_write(picture: Picture, planned: House):
    do(planned, "work set", id="W8", status="done")
    picture(make_app(planned), "4", "E", "enter", size=SIZES[1])
