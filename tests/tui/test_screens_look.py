"""Pictures of the screens over furnished rooms; what the keys do is asserted in the tests beside this one."""

from __future__ import annotations

import pytest

from relay_tui.tui.widgets.glyphs import LETTERS
from tests.repo.git_fixture import isolate_git
from tests.room_fixture import House
from tests.tui.branch_scenes import furnish_branches
from tests.tui.conftest import Picture, at_both_sizes, in_both_themes
from tests.tui.scenes import furnish
from tests.tui.visits import KEY_OF, make_app

# The room that each screen is shown over, by its fixture, and the keys that are pressed there. In the log, an event
# whose data is long: hashes, which depend on where the room lies, stand below the edge.
SCREENS = {
    "agents": ("furnished", ["j"]), "inbox": ("furnished", ["j"]), "claims": ("furnished", ["j"]),
    "log": ("furnished", ["j"] * 12), "branches": ("branching", ["j"]), "attention": ("branching", ["j"]),
}  # fmt: skip


@pytest.fixture
def furnished(tmp_path, repository: str) -> House:
    made = House(str(tmp_path), repository=repository)
    furnish(made)
    return made


@pytest.fixture
def branching(tmp_path, monkeypatch) -> House:
    """Over a repository with every flag, and names in other scripts."""
    isolate_git(monkeypatch)
    made = House(str(tmp_path))
    furnish_branches(made)
    return made


@at_both_sizes
@in_both_themes
@pytest.mark.parametrize("screen", SCREENS)
def test_screen(picture: Picture, request: pytest.FixtureRequest, screen: str, theme: str, size):
    house, keys = SCREENS[screen]
    picture(make_app(request.getfixturevalue(house)), KEY_OF[screen], *keys, theme=theme, size=size)


@at_both_sizes
@pytest.mark.parametrize("screen", SCREENS)
def test_screen_without_colour(picture: Picture, request: pytest.FixtureRequest, monkeypatch, screen: str, size):
    monkeypatch.setenv("NO_COLOR", "1")
    house, keys = SCREENS[screen]
    picture(make_app(request.getfixturevalue(house)), KEY_OF[screen], *keys, size=size)


def test_screen_in_letters(picture: Picture, furnished: House):
    picture(make_app(furnished, glyphs=LETTERS), "5", "j")


def test_branches_in_letters(picture: Picture, branching: House):
    picture(make_app(branching, glyphs=LETTERS), "3", "j", "j")


def test_narrow(picture: Picture, furnished: House):
    picture(make_app(furnished), "5", size=(60, 15))


def test_branches_narrow(picture: Picture, branching: House):
    picture(make_app(branching), "3", size=(60, 15))


def test_wide(picture: Picture, branching: House):
    picture(make_app(branching), "3", "f", size=(160, 48))


def test_cramped(picture: Picture, furnished: House):
    picture(make_app(furnished), size=(50, 12))


def test_keys_page(picture: Picture, furnished: House):
    picture(make_app(furnished), "6", "question_mark")


def test_message_form(picture: Picture, furnished: House):
    picture(make_app(furnished), "5", "m")


def test_diff(picture: Picture, branching: House):
    picture(make_app(branching), "3", "d")
