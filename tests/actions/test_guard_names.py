"""Names that hide what they are from a guard: links, patterns, bytes, options; and the lines that it proposes."""

from __future__ import annotations

import io
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from relay_tui.actions.guard import changed_paths
from relay_tui.cli.texts.guard import guard as told
from relay_tui.room.guarding import Guarded
from relay_tui.room.ledger import Actor
from tests.actions.acting import act, refused
from tests.repo.git_fixture import add_worktree, commit, git, isolate_git, write
from tests.room_fixture import House

A, B = Actor("a"), Actor("b")


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    isolate_git(monkeypatch)
    made = House(str(tmp_path))
    commit(made.repository, "tree", {"src/auth/a.py": "a\n", "src/b.py": "b\n", "other/x.py": "x\n"})
    made.join("a")
    made.join("b")
    return made


def found(guarded: Guarded) -> dict[str, str]:
    return {one.path: one.claim.resource for one in guarded.held}


def in_place_of(house: House, name: str, target: str) -> None:
    """A link where a folder was."""
    path = os.path.join(house.repository, name)
    if os.path.isdir(path):
        git(house.repository, "rm", "-rq", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.symlink(target, path)
    git(house.repository, "add", "-A")


def staged(house: House) -> dict[str, str]:
    return found(act(house.room, "b", "guard --staged"))


@pytest.mark.parametrize("target", ["../other", "/", "nowhere"])
def test_a_held_folder_cannot_be_replaced_by_a_link_unnoticed(house: House, target: str) -> None:
    house.claim(A, "src/auth")
    in_place_of(house, "src/auth", target)
    assert staged(house) == {"src/auth": "src/auth", "src/auth/a.py": "src/auth"}
    assert set(found(act(house.room, "b", "guard src/auth/a.py src/auth"))) == {"src/auth", "src/auth/a.py"}
    assert [one.holder for one in act(house.room, "b", "claims --over src/auth").claims] == ["a"]
    assert [one.holder for one in act(house.room, "b", "handoff ask src/auth").asked] == ["a"]
    assert act(house.room, "a", "handoff request src/auth --to b").handoff.resources[0].resource == "src/auth"
    taken = act(house.room, "b", "handoff respond H0000001 --accept --resource src/auth")
    assert taken.handoff.resources[0].resource == "src/auth"


def test_a_held_folder_that_leads_into_another_worktree_stays_held(house: House) -> None:
    house.claim(A, "src/auth")
    tree = add_worktree(house.repository, os.path.join(house.folder, "tree"), "feat/x")
    in_place_of(house, "src/auth", tree)
    assert staged(house) == {"src/auth": "src/auth", "src/auth/a.py": "src/auth"}


def test_a_link_is_judged_where_it_lies_by_its_name_in_git_and_by_both_where_it_is_typed(house: House) -> None:
    house.claim(A, "src/b.py")
    in_place_of(house, "mine/l", "../src/b.py")
    assert staged(house) == {}
    assert found(act(house.room, "b", "guard mine/l")) == {"src/b.py": "src/b.py"}
    house.claim(A, "mine")
    assert staged(house) == {"mine/l": "mine"}


def test_what_was_changed_here_includes_a_link_that_took_the_place_of_a_folder(house: House) -> None:
    house.claim(A, "src/auth")
    in_place_of(house, "src/auth", "../nowhere")
    assert "src/auth" in {one.lookup for one in changed_paths(house.room, [("src/auth", 0)])}


@pytest.mark.parametrize("name", [b"src/st*r.py", b"src/who?.py", b"src/**", b"src/\xff.py", b"src/\xff/deep.py"])
def test_a_name_that_no_claim_can_have_is_held_with_the_folder_above(house: House, name: bytes) -> None:
    house.claim(A, "src")
    path = os.fsencode(house.repository) + b"/" + name
    os.makedirs(os.path.dirname(path), exist_ok=True)
    Path(os.fsdecode(path)).write_text("x\n", encoding="utf-8")
    git(house.repository, "add", "-A")
    assert staged(house) == {os.fsdecode(name): "src"}
    assert found(act(house.room, "b", "guard", os.fsdecode(name))) == {os.fsdecode(name): "src"}
    house.room.stdin = lambda: io.BytesIO(name + b"\0")
    assert found(act(house.room, "b", "guard --stdin0")) == {os.fsdecode(name): "src"}


def test_bytes_that_are_no_text_are_not_held_by_what_lies_beside_them(house: House) -> None:
    house.claim(A, "src/b.py")
    assert found(act(house.room, "b", "guard", "src/\udcff.py")) == {}


def test_an_existing_file_is_no_pattern_and_is_released_also_when_it_is_gone(house: House) -> None:
    assert "is a pattern" in refused(house.room, "a", "claim", "src/st*r.py").message
    write(house.repository, {"src/st*r.py": "x\n"})
    assert act(house.room, "a", "claim", "src/st*r.py").claimed[0].resource == "src/st*r.py"
    os.unlink(os.path.join(house.repository, "src/st*r.py"))
    assert act(house.room, "a", "release", "src/st*r.py").released[0].resource == "src/st*r.py"
    assert "is a pattern" in refused(house.room, "a", "release", "src/st*r.py").message


def merge(house: House) -> None:
    """A merge that stops at `src/b.py`, and brings in `src/auth/a.py`; both sides changed `other/x.py` alike."""
    git(house.repository, "checkout", "-qb", "theirs")
    commit(house.repository, "theirs", {"src/b.py": "theirs\n", "src/auth/a.py": "theirs\n", "other/x.py": "both\n"})
    git(house.repository, "checkout", "-q", "main")
    commit(house.repository, "ours", {"src/b.py": "ours\n", "other/x.py": "both\n"})
    git(house.repository, "merge", "-q", "theirs", ok=(1,))


def test_a_merge_is_asked_for_what_its_own_hand_changes(house: House) -> None:
    merge(house)
    house.claim(A, "src/auth")
    write(house.repository, {"src/b.py": "solved\n"})
    git(house.repository, "add", "-A")
    assert staged(house) == {}
    house.claim(A, "src/b.py")
    assert staged(house) == {"src/b.py": "src/b.py"}
    write(house.repository, {"src/auth/a.py": "by hand\n"})
    git(house.repository, "add", "-A")
    assert staged(house) == {"src/b.py": "src/b.py", "src/auth/a.py": "src/auth"}


def asked_by(house: House, folder: str, line: str, *more: str) -> list[str]:
    """The words of the line by which the guard asks, read by a real shell."""
    lines = list(told(act(house.enter(os.path.join(house.repository, folder)), "b", line, *more), house.clock()))
    proposed = next(line.partition(": ")[2] for line in lines if line.startswith("  Ask for it"))
    printed = subprocess.run(["bash", "-c", f"relay() {{ printf '%s\\0' \"$@\"; }}; {proposed}"], capture_output=True,
                             check=True)  # fmt: skip
    return os.fsdecode(printed.stdout).split("\0")[:-1]


@pytest.mark.parametrize("claimed", ["src", "src/auth", "./src/-x", "./src/machine:native", "src/n\nl", "src/it's\x1b"])
@pytest.mark.parametrize("folder", ["", "src", "other"])
def test_the_line_that_asks_names_the_claim_and_can_be_typed_here(house: House, claimed: str, folder: str) -> None:
    house.claim(A, claimed)
    path = os.path.join(house.repository, claimed)
    words = asked_by(house, folder, "guard", path if path.endswith("x") else os.path.join(path, "deep"))
    here = house.enter(os.path.join(house.repository, folder))
    assert [one.holder for one in act(here, "b", shlex.join(words)).asked] == ["a"]
    refusal = refused(here, "b", "claim", path)
    assert words[-1] in refusal.hint or "$'" in refusal.hint


def test_a_path_that_reads_like_a_part_of_the_machine_is_written_as_a_path(house: House) -> None:
    assert str(house.resources("./machine:native")[0]) == "./machine:native"
    house.claim(A, "./machine:native")
    said = refused(house.room, "b", "claim", "./machine:native")
    assert said.message.startswith("./machine:native is held by a")
    assert "ask ./machine:native" in said.hint


def test_who_is_nobody_is_told_how_to_be_somebody(house: House) -> None:
    house.claim(A, "src")
    assert act(house.room, None, "guard src/b.py").doubts == [
        "You are nobody here: set RELAY_AGENT=a if this is you."
    ]  # fmt: skip
    assert act(house.room, "b", "guard src/b.py").doubts == []
    assert act(house.room, None, "guard other").doubts == []


def test_what_is_not_here_is_said_in_the_guards_own_words(house: House, tmp_path: Path) -> None:
    assert refused(house.room, "b", "guard ../x").hint == "Give paths inside this repository."
    plain = tmp_path / "plain"
    plain.mkdir()
    fault = refused(house.enter(str(plain)), "b", "guard --staged")
    assert (fault.code, fault.message) == ("no_file", f"{plain} is not in a git repository.")


def test_a_repository_that_was_moved_is_said_and_the_doctor_names_the_way_back(house: House) -> None:
    house.claim(A, "src")
    there = f"{house.folder}/moved"
    os.rename(house.repository, there)
    moved = house.enter(there)
    guarded = act(moved, "b", "guard src/b.py")
    assert (guarded.exit_code, guarded.doubts[0][-12:]) == (0, "relay doctor")
    (check,) = [one for one in act(moved, None, "doctor").checks if one.name == "rooms"]
    assert (check.ok, house.repository in check.text) == (None, True)
    assert check.hint.endswith("relay init --room repo")
    act(moved, "operator", check.hint.partition(": relay ")[2])
    back = house.enter(there)
    assert act(back, "b", "guard src/b.py").exit_code == 5
    (check,) = [one for one in act(back, None, "doctor").checks if one.name == "rooms"]
    assert check.ok
