"""Pictures of the screens that show branches, over a repository with every flag and names in other scripts."""

from __future__ import annotations

import pytest

from relay_tui.tui.glyphs import LETTERS
from relay_tui.tui.themes import DARK, LIGHT
from tests.repo.git_fixture import isolate_git
from tests.room_fixture import House
from tests.tui.branch_scenes import furnish_branches
from tests.tui.conftest import SIZES, Picture
from tests.tui.visits import KEY_OF, make_app

SCREENS = {"branches": ["j"], "attention": ["j"]}


@pytest.fixture
def furnished(tmp_path, monkeypatch) -> House:
    isolate_git(monkeypatch)
    made = House(str(tmp_path))
    furnish_branches(made)
    return made


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", [DARK.name, LIGHT.name])
@pytest.mark.parametrize("screen", SCREENS)
def test_screen(picture: Picture, furnished: House, screen: str, theme: str, size):
    app = make_app(furnished)
    app.theme = theme
    picture(app, KEY_OF[screen], *SCREENS[screen], size=size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("screen", SCREENS)
def test_screen_without_colour(picture: Picture, furnished: House, monkeypatch, screen: str, size):
    monkeypatch.setenv("NO_COLOR", "1")
    picture(make_app(furnished), KEY_OF[screen], *SCREENS[screen], size=size)


def test_branches_in_letters(picture: Picture, furnished: House):
    picture(make_app(furnished, glyphs=LETTERS), "3", "j", "j")


def test_branches_narrow(picture: Picture, furnished: House):
    picture(make_app(furnished), "3", size=(60, 15))


def test_wide(picture: Picture, furnished: House):
    picture(make_app(furnished), "3", "f", size=(160, 48))


def test_diff(picture: Picture, furnished: House):
    picture(make_app(furnished), "3", "d")
