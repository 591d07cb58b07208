from __future__ import annotations

from pathlib import Path

from tests.actions.acting import act
from tests.room_fixture import House


def test_settings_that_no_room_reads_are_named_wherever_they_stand(tmp_path: Path) -> None:
    house = House(str(tmp_path))
    house.join("a")
    keys = '[keys]\n"list.down" = "j"\n"list.dwn" = "j"\nzzz = "x"\n'
    rooms = f'[room."{house.room.row.name}"]\nlive_windw = "1m"\n[room.never]\nlive_window = "1m"\n'
    Path(house.home, "relay.toml").write_text(f"colour = 1\n{keys}{rooms}", encoding="utf-8")
    check = next(check for check in act(house.room, "a", "doctor").checks if check.name == "settings")
    assert (check.ok, check.text.partition(": ")[2]) == (
        False,
        'colour, keys."list.dwn" (near: list.down, list.page_down, list.half_down), keys."zzz", live_windw,'
        ' room."never"',
    )  # fmt: skip


def test_a_line_in_which_nobody_can_stand_is_named(tmp_path: Path) -> None:
    house = House(str(tmp_path))
    house.join("a")
    line = Path(house.home, "relay.line")
    line.unlink()
    line.mkdir()
    (check,) = [one for one in act(house.room, "a", "doctor").checks if "relay.line" in one.text]
    assert check.ok is False
