"""Pictures of the screens over a furnished room; what the keys do is asserted in the tests beside this one."""

from __future__ import annotations

import pytest

from relay_tui.tui.glyphs import LETTERS
from relay_tui.tui.themes import DARK, LIGHT
from tests.room_fixture import House
from tests.tui.conftest import SIZES, Picture
from tests.tui.scenes import furnish
from tests.tui.visits import KEY_OF, make_app

# In the log, an event whose data is long: hashes, which depend on where the room lies, stand below the edge.
SCREENS = {"agents": ["j"], "inbox": ["j"], "claims": ["j"], "log": ["j"] * 12}


@pytest.fixture
def furnished(tmp_path, repository: str, monkeypatch) -> House:
    made = House(str(tmp_path), repository=repository)
    furnish(made)
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


def test_screen_in_letters(picture: Picture, furnished: House):
    picture(make_app(furnished, glyphs=LETTERS), "5", "j")


def test_narrow(picture: Picture, furnished: House):
    picture(make_app(furnished), "5", size=(60, 15))


def test_cramped(picture: Picture, furnished: House):
    picture(make_app(furnished), size=(50, 12))


def test_keys_page(picture: Picture, furnished: House):
    picture(make_app(furnished), "6", "question_mark")


def test_message_form(picture: Picture, furnished: House):
    picture(make_app(furnished), "5", "m")
