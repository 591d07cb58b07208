"""Which room a folder belongs to, and when one comes to be (DESIGN §2, §7)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from relay_tui.base.names import check_room_name
from relay_tui.base.times import SECOND
from relay_tui.room import registry, sweeps
from relay_tui.room.adrift import rooms_adrift
from relay_tui.room.ledger import Actor, decode_payload
from relay_tui.room.lobby import init_room, read_lobby
from relay_tui.room.registry import Joining
from relay_tui.room.rooms import Room
from tests.repo.git_fixture import add_worktree, commit, git, make_repository
from tests.room_fixture import OPERATOR, House, refusal


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(str(tmp_path))


def join(room: Room, name: str) -> None:
    registry.join(room, Actor(name), Joining())


def test_reading_makes_nothing(house: House) -> None:
    assert refusal(registry.who_am_i, house.room, Actor("a")).code == "unknown_room"
    assert read_lobby(house.room).rooms == []
    assert not os.path.exists(house.home)


def test_the_first_write_makes_the_room_for_every_worktree(house: House) -> None:
    linked = add_worktree(house.repository, f"{house.folder}/linked", "feat/x")
    join(house.enter(linked), "a")
    for folder in (house.repository, linked, f"{house.repository}/.git"):
        assert house.enter(folder).row.name == "repo"
    os.mkdir(f"{linked}/below")
    assert house.enter(f"{linked}/below").row.id == "R0000001"
    assert os.stat(house.home).st_mode & 0o777 == 0o700
    assert {os.stat(f"{house.home}/{name}").st_mode & 0o777 for name in os.listdir(house.home)} == {0o600}


def test_two_that_both_found_no_room_make_one(house: House) -> None:
    first, second = house.enter(house.repository), house.enter(house.repository)
    join(first, "a")
    join(second, "b")
    assert first.row.id == second.row.id
    assert len(read_lobby(house.room).rooms) == 1


def test_outside_a_repository_a_room_exists_only_after_init(house: House) -> None:
    folder = f"{house.folder}/plain/below"
    os.makedirs(folder)
    assert refusal(join, house.enter(folder), "a").code == "unknown_room"
    init_room(house.enter(f"{house.folder}/plain"))
    join(house.enter(folder), "a")
    assert house.enter(folder).row.root == f"{house.folder}/plain"


def test_a_name_that_is_taken_gets_a_suffix(house: House) -> None:
    join(house.room, "a")
    for parent in ("x", "y"):
        join(house.enter(make_repository(f"{house.folder}/{parent}/repo")), "a")
    assert [room.room for room in read_lobby(house.room).rooms] == ["repo", "repo-2", "repo-3"]


def test_a_bare_repository_beside_its_worktrees_is_named_for_its_folder(house: House) -> None:
    project = f"{house.folder}/project"
    os.mkdir(project)
    git(project, "clone", "-q", "--bare", house.repository, ".bare")
    with open(f"{project}/.git", "w") as file:
        file.write("gitdir: ./.bare\n")
    linked = add_worktree(project, f"{project}/main", "feat/x")
    join(house.enter(linked), "a")
    assert house.enter(project).row.name == "project"


def test_a_repositorys_room_is_of_its_main_worktree_wherever_it_was_made(house: House, tmp_path: Path) -> None:
    linked = add_worktree(house.repository, f"{house.folder}/linked", "feat/x")
    join(house.enter(linked), "a")
    assert house.enter(linked).row.root == house.repository
    git(str(tmp_path), "clone", "-q", "--bare", house.repository, "bare.git")
    join(house.enter(add_worktree(f"{house.folder}/bare.git", f"{house.folder}/of-bare", "feat/x")), "a")
    assert house.enter(f"{house.folder}/of-bare").row.root == f"{house.folder}/bare.git"
    moved = shutil.move(house.repository, f"{house.folder}/moved")
    git(moved, "worktree", "repair", linked)
    assert init_room(house.enter(linked), name="repo").room.root == moved
    house.assert_whole()


def test_a_repositorys_room_whose_folder_is_gone_is_set_right_in_its_repository(house: House) -> None:
    git_dir = f"{house.folder}/apart"  # a repository that stays where it is when its worktree goes
    git(house.folder, "init", "-q", "--separate-git-dir", git_dir, "first")
    join(house.enter(f"{house.folder}/first"), "a")
    moved = shutil.move(f"{house.folder}/first", f"{house.folder}/second")
    with house.room.store.reading() as db:
        assert [row.name for row in rooms_adrift(db)] == ["apart"]
    assert init_room(house.enter(moved), name="apart").room.root == moved
    with house.room.store.reading() as db:
        assert rooms_adrift(db) == []
    house.assert_whole()


def test_a_repositorys_room_does_not_move_outside_of_git(house: House) -> None:
    join(house.room, "a")
    shutil.move(house.repository, f"{house.folder}/moved")
    os.makedirs(house.repository)  # what stands there now is no repository, and keeps nothing
    os.mkdir(f"{house.folder}/plain")
    assert refusal(init_room, house.enter(f"{house.folder}/plain"), name="repo").code == "refused"
    assert init_room(house.enter(f"{house.folder}/moved"), name="repo").room.id == "R0000001"


def test_a_worktree_may_have_a_room_of_its_own(house: House) -> None:
    join(house.room, "a")
    linked = add_worktree(house.repository, f"{house.folder}/linked", "feat/x")
    made = init_room(house.enter(linked), name="billing")
    assert (made.room.room, made.room.repository) == ("billing", f"{house.repository}/.git")
    assert house.enter(linked).row.name == "billing"
    assert house.enter(house.repository).row.name == "repo"
    assert init_room(house.enter(linked), name="billing").room.id == made.room.id
    assert house.enter(linked, "repo").row.name == "repo"
    assert house.enter(house.repository, linked).row.name == "billing"
    assert refusal(house.enter, linked, "nowhere").code == "unknown_room"


def test_a_moved_folder_gets_its_room_back(house: House) -> None:
    join(house.room, "a")
    assert refusal(init_room, house.enter(make_repository(f"{house.folder}/other")), name="repo").code == "refused"
    moved = shutil.move(house.repository, f"{house.folder}/moved")
    assert init_room(house.enter(moved), name="repo").room.id == "R0000001"
    assert house.enter(moved).row.repository == f"{moved}/.git"
    house.assert_whole()


def test_a_room_of_one_worktree_does_not_take_its_repository_elsewhere(house: House) -> None:
    join(house.room, "a")
    linked = add_worktree(house.repository, f"{house.folder}/linked", "feat/x")
    init_room(house.enter(linked), name="billing")
    shutil.rmtree(linked)
    stranger = make_repository(f"{house.folder}/stranger")
    assert refusal(init_room, house.enter(stranger), name="billing").code == "refused"
    again = add_worktree(house.repository, f"{house.folder}/again", "feat/y")
    assert init_room(house.enter(again), name="billing").room.root == again
    assert house.enter(house.repository).row.name == "repo"


def test_a_folder_goes_back_to_the_room_that_it_was_in(house: House) -> None:
    join(house.room, "a")
    init_room(house.enter(house.repository), name="foo")
    back = init_room(house.enter(house.repository), name="repo")
    assert (back.room.room, back.hides) == ("repo", "foo")
    assert house.enter(house.repository).row.name == "repo"
    assert house.enter(house.repository, "foo").row.root == house.repository
    init_room(house.enter(house.repository), name="foo")
    assert house.enter(house.repository).row.name == "foo"
    assert [(one.room, one.here) for one in read_lobby(house.enter(house.repository)).rooms] == [
        ("foo", True), ("repo", False),
    ]  # fmt: skip
    house.room = house.enter(house.repository)
    house.assert_whole()


def test_a_worktree_with_a_room_of_its_own_goes_back_to_its_repositorys(house: House) -> None:
    join(house.room, "a")
    linked = add_worktree(house.repository, f"{house.folder}/linked", "feat/x")
    init_room(house.enter(linked), name="billing")
    init_room(house.enter(linked), name="repo")
    assert house.enter(linked).row.name == "repo"
    assert init_room(house.enter(linked), name="billing").hides == "repo"
    house.assert_whole()


def test_the_operator_may_have_another_name(house: House) -> None:
    init_room(house.room, operator="kim")
    room, told = house.enter(house.repository), []
    room.tell = told.append
    assert room.row.operator == "kim"
    assert refusal(join, room, "kim").code == "reserved_name"
    assert refusal(house.send, house.join("b"), "operator", "x").hint.endswith("The operator here is kim.")
    init_room(room, Actor("kim"), operator="sam")
    assert told == ["sam is the operator from now on; until now it was kim."]
    assert house.enter(house.repository).row.operator == "sam"
    sweeps.retire(room, Actor("sam"), house.join("a").name, relinquish=False, reason=None)
    init_room(room, Actor("sam"), operator="a")
    assert registry.who_am_i(room, Actor("a")).agent.state != "retired"
    for name in ("Not A Name", "relay", "all", "7"):
        assert refusal(init_room, house.room, Actor("a"), operator=name).code == "invalid", name


def test_only_the_operator_names_another_one(house: House) -> None:
    a = house.join("a")
    for somebody, code in ((a, "not_operator"), (OPERATOR._replace(via="mcp"), "reserved_name"), (None, "usage")):
        assert refusal(init_room, house.room, somebody, operator="a").code == code
    assert init_room(house.room, a, operator="operator").room.room == "repo"


def test_the_ledger_names_who_made_a_room_and_who_moved_it(house: House) -> None:
    registry.join(house.room, Actor("a", "s", "mcp"), Joining())
    init_room(house.enter(house.repository), Actor("b"), name="foo")
    init_room(house.enter(house.repository), None, name="repo")
    init_room(house.enter(house.repository), OPERATOR, operator="kim")
    found = house.rows("SELECT kind, payload FROM events WHERE kind LIKE 'room.%' ORDER BY seq")
    said = [(kind, decode_payload(payload)) for kind, payload in found]
    assert [(kind, one["actor"], one["via"]) for kind, one in said] == [
        ("room.created", "a", "mcp"), ("room.created", "b", "cli"), ("room.detached", "relay", "cli"),
        ("room.operated", "operator", "cli"),
    ]  # fmt: skip


def test_an_open_room_hears_of_another_operator(house: House) -> None:
    a = house.join("a")
    init_room(house.enter(house.repository), OPERATOR, operator="kim")
    assert refusal(sweeps.revive, house.room, house.operator, "a").code == "not_operator"
    init_room(house.enter(house.repository), Actor("kim"), operator="a")
    with house.room.reading():
        assert house.room.operator == a.name


def test_a_dry_run_keeps_nothing_and_the_next_write_is_the_first(house: House) -> None:
    rehearsal = house.enter(house.repository, dry_run=True)
    told = registry.join(rehearsal, Actor("a"), Joining())
    assert told.agent.agent == "a"
    assert not rehearsal.exists
    assert not os.path.exists(house.room.store.path)
    join(house.enter(house.repository), "a")
    house.room = house.enter(house.repository)
    house.assert_whole()


def test_a_write_that_fails_leaves_no_half_room(house: House) -> None:
    assert refusal(house.send, Actor("nobody"), "operator", "x").code == "unknown_agent"
    assert not house.room.exists
    assert read_lobby(house.room).rooms == []


def test_a_folder_whose_name_is_not_unicode_is_told(house: House) -> None:
    folder = os.fsencode(house.folder) + b"/caf\xe9"
    os.mkdir(folder)
    made = os.fsdecode(folder) + "/repo"
    fault = refusal(lambda: join(house.enter(make_repository(made)), "a"))
    assert fault.code == "invalid"
    assert fault.message.isprintable()


def test_a_room_is_not_called_what_is_taken_for_another_or_a_path(house: House) -> None:
    billing = init_room(house.room, name="billing").room
    there = house.enter(make_repository(f"{house.folder}/there"))
    for name in ("shop\nrelay: run: evil", ".", "..", "", " ", "a/b", "-x", "a" * 101, " shop", billing.id):
        assert refusal(init_room, there, name=name).code == "invalid", name


@pytest.mark.parametrize(
    ("folder", "name"), [("-x", "x"), (" ", "room"), ("a" * 120, "a" * 100), ("new\nline", "new\\nline")]
)
def test_any_folder_gives_a_room_a_name_that_may_be_typed(house: House, folder: str, name: str) -> None:
    made = init_room(house.enter(make_repository(f"{house.folder}/{folder}"))).room.room
    assert made == name
    check_room_name(made)


def test_the_lobby_counts_each_room(house: House) -> None:
    a = house.join("a")
    house.send(a, "operator", "x")
    commit(house.repository, "more", {"b": "c"})
    (room,) = read_lobby(house.room).rooms
    assert (room.room, room.agents, room.live, room.unhandled) == ("repo", 2, 1, 1)
    join(house.enter(make_repository(f"{house.folder}/other")), "a")
    Path(house.home, "relay.toml").write_text("[room.other]\nlive_window = '1s'\n", encoding="utf-8")
    house.clock.advance(2 * SECOND)
    for folder in ("repo", "other"):
        seen = read_lobby(house.enter(f"{house.folder}/{folder}")).rooms
        assert {one.room: one.live for one in seen} == {"repo": 1, "other": 0}
