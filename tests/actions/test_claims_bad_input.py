"""What nobody should type, and trees that change under a claim: refused whole, or still readable and releasable."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.actions.acting import act, refused
from tests.repo.git_fixture import commit
from tests.room_fixture import House


@pytest.fixture
def house(tmp_path: Path) -> House:
    made = House(str(tmp_path))
    commit(made.repository, "tree", {"src/auth/login.py": "a\n"})
    made.join("a")
    made.join("b")
    return made


def held(house: House) -> list[str]:
    return [one.resource for one in act(house.room, None, "claims").claims]


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("src/\0x", "invalid"), ("", "invalid"), ("x" * 4097, "invalid"), ("src/\udcff", "invalid"),
        ("src/*.py", "invalid"), ("machine:", "invalid"), ("machine:UPPER", "invalid"), ("machine:a b", "invalid"),
        ("machine:" + "x" * 129, "invalid"), ("branch:", "invalid"), ("branch:a..b", "invalid"),
        ("../x", "outside_tree"), ("/", "outside_tree"), ("src/../../x", "outside_tree"),
    ],
)  # fmt: skip
def test_one_bad_element_takes_nothing(house: House, word: str, code: str) -> None:
    for line in ("claim", "claim --wait 5", "claim --gate"):
        fault = refused(house.room, "a", line, "src", word, "docs")
        assert (fault.code, fault.exit_code) == (code, 4), line
    assert held(house) == []


def test_a_name_of_two_lines_is_a_name_and_is_shown_inert(house: House) -> None:
    act(house.room, "a", "claim", "two\nlines")
    fault = refused(house.room, "b", "claim", "two\nlines/below")
    assert "\n" not in fault.message
    assert held(house) == ["two\nlines"]
    act(house.room, "a", "release", "two\nlines")
    assert held(house) == []


def test_the_longest_path_is_a_claim(house: House) -> None:
    longest = "/".join(["x" * 100] * 40)
    assert act(house.room, "a", "claim", longest).claimed[0].resource == longest
    assert refused(house.room, "b", "claim", f"{longest}/y").code == "claim_conflict"


def test_two_spellings_at_once_are_one_claim(house: House) -> None:
    taken = act(house.room, "a", "claim src/auth ./src//auth/ src/auth/../auth src/auth/**")
    assert [one.resource for one in taken.claimed] == ["src/auth"]
    assert len(act(house.room, "a", "release src/auth ./src/auth").released) == 1


def test_links_that_lead_nowhere_or_in_circles_are_their_own_key(house: House) -> None:
    for name, target in (("dangling", "not/there"), ("one", "two"), ("two", "one")):
        os.symlink(target, os.path.join(house.repository, name))
    assert [one.resource for one in act(house.room, "a", "claim dangling").claimed] == ["not/there"]
    assert refused(house.room, "b", "claim not/there/x").code == "claim_conflict"
    (loop,) = act(house.room, "a", "claim one").claimed
    assert refused(house.room, "b", "claim one").code == "claim_conflict"
    act(house.room, "a", "release one dangling")
    assert held(house) == [], loop


def test_a_folder_that_became_a_file_is_released_as_it_was_claimed(house: House) -> None:
    act(house.room, "a", "claim src/auth")
    shutil.rmtree(os.path.join(house.repository, "src/auth"))
    Path(house.repository, "src/auth").write_text("now a file\n", encoding="utf-8")
    assert refused(house.room, "b", "claim src/auth/login.py").code == "claim_conflict"
    assert act(house.room, "a", "release src/auth").released
    assert held(house) == []


@pytest.mark.parametrize("target", ["docs", "nowhere", "/outside"])
def test_a_folder_that_became_a_link_is_released_as_it_was_claimed(house: House, target: str) -> None:
    act(house.room, "a", "claim", "src/auth")
    shutil.rmtree(os.path.join(house.repository, "src/auth"))
    os.symlink(target, os.path.join(house.repository, "src/auth"))
    assert refused(house.room, "b", "release", "src/auth").code == "not_yours"
    act(house.room, "a", "release", "src/auth")
    assert held(house) == []


@pytest.mark.parametrize("moved", [True, False])
def test_claims_of_a_room_whose_folder_is_gone_are_read_and_released_by_its_name(house: House, moved: bool) -> None:
    act(house.room, "a", "claim src/auth docs/x.md machine:native")
    if moved:
        os.rename(house.repository, f"{house.repository}-moved")
    else:
        shutil.rmtree(house.repository)
    for folder in [house.folder, f"{house.repository}-moved"][: 1 + moved]:
        room = house.enter(folder, "repo")
        assert [one.resource for one in act(room, None, "claims").claims] == ["native", "docs/x.md", "src/auth"]
        assert [one.resource for one in act(room, None, "claims --over src").claims] == ["src/auth"]
        assert refused(room, "b", "claim src/auth/login.py").code == "claim_conflict"
    assert len(act(room, "a", "release src/auth machine:native").released) == 2
    assert len(act(room, "operator", "release docs/x.md --force --reason gone").released) == 1
    house.room = room
    house.assert_whole()


@pytest.mark.parametrize("number", [64, 10_000])
def test_a_large_batch_is_taken_and_given_back_whole(house: House, number: int) -> None:
    names = [f"d{one % 50}/f{one}" for one in range(number)]
    assert len(act(house.room, "a", "claim", *names).claimed) == number
    assert len(house.events("claim.taken")) == 1
    fault = refused(house.room, "b", "claim free", names[-1])
    assert fault.code == "claim_conflict"
    conflicts = refused(house.room, "b", "claim d0").details["conflicts"]
    assert isinstance(conflicts, list)
    assert len(conflicts) == number // 50 + (number % 50 > 0)
    assert len(act(house.room, "a", "release", *names).released) == number
    house.assert_whole()
