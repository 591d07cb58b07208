from __future__ import annotations

import os

import pytest

from relay_tui.base.config import Settings, read_settings
from relay_tui.base.errors import RelayError
from relay_tui.base.times import DAY, HOUR, MINUTE


@pytest.fixture
def home(tmp_path: object) -> str:
    return str(tmp_path)


def write(home: str, text: str) -> None:
    with open(os.path.join(home, "relay.toml"), "w", encoding="utf-8") as file:
        file.write(text)


def test_without_a_file_the_defaults_hold(home: str) -> None:
    settings = read_settings(home)
    assert settings == Settings()
    assert (settings.live_window, settings.direct_expiry, settings.broadcast_expiry) == (30 * MINUTE, 30 * DAY, 7 * DAY)


def test_a_room_sets_over_the_file_and_the_file_over_the_defaults(home: str) -> None:
    write(
        home,
        """
        live_window = "10m"
        direct_expiry = "3d"
        [keys]
        refresh = "f5"
        [room."my room"]
        direct_expiry = "12h"
        """,
    )
    assert read_settings(home, "my room")[:1] == (10 * MINUTE,)
    assert read_settings(home, "my room").direct_expiry == 12 * HOUR
    assert read_settings(home, "other").direct_expiry == 3 * DAY
    assert read_settings(home).keys == (("refresh", "f5"),)


def test_unknown_keys_are_kept_to_be_named(home: str) -> None:
    write(home, 'live_windw = "1m"\n[colours]\na = 1\n')
    assert read_settings(home).unknown == ("colours", "live_windw")


@pytest.mark.parametrize(
    "text",
    ["live_window = ", 'live_window = "soon"', "live_window = true", "direct_expiry = -5", b"\xff"],
)
def test_a_file_that_cannot_be_meant_is_invalid_and_named(home: str, text: str | bytes) -> None:
    path = os.path.join(home, "relay.toml")
    with open(path, "wb") as file:
        file.write(text.encode() if isinstance(text, str) else text)
    with pytest.raises(RelayError) as refused:
        read_settings(home)
    assert refused.value.code == "invalid"
    assert path in refused.value.message


def test_a_room_table_that_is_no_table_is_named_and_not_fatal(home: str) -> None:
    write(home, "room = 5\n")
    assert read_settings(home, "billing").unknown == ("room",)
    write(home, "[room]\nbilling = 5\n")
    assert read_settings(home, "billing").unknown == ('room."billing"',)


def test_a_folder_in_its_place_is_told(home: str) -> None:
    os.mkdir(os.path.join(home, "relay.toml"))
    with pytest.raises(RelayError) as refused:
        read_settings(home)
    assert refused.value.code == "storage"


@pytest.mark.parametrize("lead", ["/dev/zero", "nowhere", "relay.toml"])
def test_what_is_no_plain_file_is_told_and_never_waited_for(home: str, lead: str) -> None:
    path = os.path.join(home, "relay.toml")
    os.symlink(lead, path)
    with pytest.raises(RelayError) as refused:
        read_settings(home)
    assert (refused.value.code, path in refused.value.message) == ("storage", True)


def test_names_to_wake_that_are_no_names_are_told(home: str) -> None:
    write(home, "wake = [5]\n")
    assert read_settings(home).unknown == ("wake",)
