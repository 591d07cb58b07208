"""The guard: whether somebody else holds what is named, staged or piped, whatever the number of claims."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from relay_tui.base.resources import Resource
from relay_tui.cli.texts.guard import guard as told_guard
from relay_tui.room import claims
from relay_tui.room.guarding import Guarded, guard_paths
from relay_tui.room.held import overlapping
from relay_tui.room.ledger import Actor
from tests.actions.acting import act, refused
from tests.repo.git_fixture import add_worktree, commit, git, isolate_git, write
from tests.room_fixture import House

A, B = Actor("a"), Actor("b")


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    isolate_git(monkeypatch)
    made = House(str(tmp_path))
    commit(made.repository, "tree", {"src/a.py": "a\n", "src/b.py": "b\n", "docs/x.md": "x\n"})
    made.join("a")
    made.join("b")
    return made


def found(guarded: Guarded) -> dict[str, str]:
    return {one.path: one.claim.resource for one in guarded.held}


def test_what_another_holds_is_named_with_its_claim(house: House) -> None:
    house.claim(A, "src", note="rewrite")
    guarded = act(house.room, "b", "guard src/a.py docs/x.md src/new/file.py")
    assert (guarded.checked, guarded.exit_code) == (3, 5)
    assert found(guarded) == {"src/a.py": "src", "src/new/file.py": "src"}
    assert (guarded.held[0].claim.holder, guarded.held[0].claim.note) == ("a", "rewrite")
    elsewhere = "".join(told_guard(guarded._replace(room="billing"), house.room.clock()))
    assert elsewhere.startswith("src/a.py: src is held by a of room repo (live, ")


def test_ones_own_and_what_is_free_pass(house: House) -> None:
    house.claim(A, "src", "machine:native", "branch:main")
    assert act(house.room, "a", "guard src/a.py").exit_code == 0
    assert act(house.room, "b", "guard docs/x.md srcs/a.py native main").exit_code == 0


def test_nobody_in_particular_owns_nothing(house: House) -> None:
    house.claim(A, "src")
    assert act(house.room, None, "guard src/a.py").exit_code == 5


def test_a_folder_is_held_where_something_below_it_is(house: House) -> None:
    house.claim(A, "src/a.py")
    assert found(act(house.room, "b", "guard src")) == {"src": "src/a.py"}
    assert found(act(house.room, "b", "guard .")) == {".": "src/a.py"}
    assert act(house.room, "b", "guard src/a src/a.pyc").exit_code == 0


def test_the_nearest_claim_is_the_one_that_is_told(house: House) -> None:
    house.claim(A, "src", "src/a.py")
    assert found(act(house.room, "b", "guard src/a.py src/b.py")) == {"src/a.py": "src/a.py", "src/b.py": "src"}


def test_advice_is_the_same_answer_and_stops_nobody(house: House) -> None:
    house.claim(A, "src")
    guarded = act(house.room, "b", "guard --advise src/a.py")
    assert (guarded.exit_code, found(guarded)) == (0, {"src/a.py": "src"})


def test_where_there_is_no_room_nobody_holds_anything(tmp_path: Path) -> None:
    house = House(str(tmp_path))
    doubt = f"There is no room for {house.repository}, so nobody holds anything here. If it was moved: relay doctor"
    assert act(house.room, "b", "guard README.md") == Guarded(1, [], False, [doubt])
    assert not os.path.exists(house.home)


@pytest.mark.parametrize("line", ["guard", "guard a --staged", "guard --staged --stdin0", "guard a --stdin0"])
def test_one_way_of_naming_paths_is_given(house: House, line: str) -> None:
    assert refused(house.room, "b", line).code == "usage"


def test_what_is_staged_is_looked_at_and_nothing_else(house: House) -> None:
    house.claim(A, "src")
    write(house.repository, {"src/a.py": "changed\n", "docs/x.md": "changed\n"})
    git(house.repository, "add", "docs/x.md")
    assert act(house.room, "b", "guard --staged").exit_code == 0
    git(house.repository, "add", "src/a.py")
    guarded = act(house.room, "b", "guard --staged")
    assert (guarded.checked, found(guarded)) == (2, {"src/a.py": "src"})


def test_both_sides_of_a_rename_and_what_is_deleted_count(house: House) -> None:
    house.claim(A, "src")
    git(house.repository, "mv", "src/a.py", "docs/a.py")
    git(house.repository, "rm", "-q", "src/b.py")
    assert set(found(act(house.room, "b", "guard --staged"))) == {"src/a.py", "src/b.py"}


def test_gits_own_index_of_the_moment_counts(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in `git commit PATH`, which makes an index beside the usual one."""
    house.claim(A, "src")
    write(house.repository, {"src/a.py": "changed\n"})
    git(house.repository, "add", "src/a.py")
    other = os.path.join(house.folder, "index")
    monkeypatch.setenv("GIT_INDEX_FILE", other)
    git_dir = os.path.join(house.repository, ".git")
    os.link(os.path.join(git_dir, "index"), other)
    assert act(house.room, "b", "guard --staged").exit_code == 5
    os.unlink(other)
    monkeypatch.delenv("GIT_INDEX_FILE")
    git(house.repository, "reset", "-q")
    monkeypatch.setenv("GIT_INDEX_FILE", other)
    assert found(act(house.room, "b", "guard --staged")), "an index without a file changes every path"


def test_staged_names_count_from_the_top_wherever_one_stands(house: House) -> None:
    git(house.repository, "config", "diff.relative", "true")
    house.claim(A, "src")
    write(house.repository, {"src/a.py": "changed\n"})
    git(house.repository, "add", "src/a.py")
    below = house.enter(os.path.join(house.repository, "docs"))
    assert found(act(below, "b", "guard --staged")) == {"src/a.py": "src"}


def test_another_worktree_has_the_same_keys(house: House) -> None:
    house.claim(A, "src")
    tree = add_worktree(house.repository, os.path.join(house.folder, "tree"), "feat/x")
    write(tree, {"src/a.py": "changed\n"})
    git(tree, "add", "src/a.py")
    assert found(act(house.enter(tree), "b", "guard --staged")) == {"src/a.py": "src"}


def pipe(house: House, names: bytes) -> None:
    house.room.stdin = lambda: io.BytesIO(names)


def test_names_are_read_from_a_pipe_whatever_is_in_them(house: House) -> None:
    house.claim(A, "src", "a file\nof two lines")
    odd = [b"src/a.py", b"src/[id].tsx", b"src/\xff.bin", b"what?*.c", b"a file\nof two lines", b"docs/x.md"]
    pipe(house, b"\0".join(odd) + b"\0")
    guarded = act(house.room, "b", "guard --stdin0")
    assert found(guarded) == {
        "src/a.py": "src", "src/[id].tsx": "src", "src/\udcff.bin": "src",
        "a file\nof two lines": "a file\nof two lines",
    }  # fmt: skip
    assert guarded.checked == len(odd)
    pipe(house, b"")
    assert act(house.room, "b", "guard --stdin0") == Guarded(0, [], False, [], "b", house.room.row.name)
    pipe(house, b"x" * (1 << 24) + b"y")
    assert refused(house.room, "b", "guard --stdin0").code == "too_large"


@pytest.mark.parametrize("line", ["guard --stdin0", "restore - --as-new"])
def test_where_another_reads_standard_input_it_is_not_taken_away(house: House, line: str) -> None:
    fault = refused(house.room, "operator", line)
    assert (fault.code, fault.message) == ("usage", "There is no standard input here.")


def test_a_link_out_of_the_tree_does_not_hide_what_else_is_staged(house: House) -> None:
    house.claim(A, "src")
    os.symlink("/etc/hosts", os.path.join(house.repository, "0-link"))
    os.symlink("loop", os.path.join(house.repository, "loop"))
    os.symlink("nowhere/at/all", os.path.join(house.repository, "dangling"))
    write(house.repository, {"src/a.py": "changed\n"})
    git(house.repository, "add", ".")
    assert found(act(house.room, "b", "guard --staged")) == {"src/a.py": "src"}
    assert act(house.room, "b", "guard 0-link").exit_code == 0


def statements(house: House, paths: int) -> tuple[int, Guarded]:
    """How many statements a guard of so many paths runs, and its answer."""
    room = house.enter(house.repository, keep_open=True)
    ran: list[str] = []
    room.store.reader.set_trace_callback(ran.append)
    wanted = [
        Resource("project", f"d{number % 100}/f{number}", f"d{number % 100}/f{number}") for number in range(paths)
    ]
    guarded = guard_paths(room, "b", wanted, advise=False)
    room.store.close()
    return len(ran), guarded


def test_a_few_paths_are_looked_up_without_reading_every_claim(house: House) -> None:
    claims.take(house.room, A, [Resource("project", f"e/f{number}", f"e/f{number}") for number in range(300)])
    assert house.claim(A, "d0").claimed
    _, guarded = statements(house, 20)
    assert {one.path for one in guarded.held} == {"d0/f0"}
    with house.room.reading() as db:
        read = overlapping(db, house.room, [Resource("project", "d0/f0", "d0/f0")], house.clock())
    assert [one.lookup for one in read] == ["d0"]


def test_thousands_of_paths_and_claims_cost_the_statements_of_one(house: House) -> None:
    before, _ = statements(house, 21)
    many = [Resource("project", f"d{number % 100}/f{number}", f"d{number % 100}/f{number}") for number in range(5000)]
    claims.take(house.room, A, many)
    after, guarded = statements(house, 2000)
    assert after == before
    assert len(guarded.held) == guarded.checked == 2000
    house.assert_whole()
