"""What got past the guard, as through a shell: told to the model, the holder and the operator, each once."""

from __future__ import annotations

import os

import pytest

from relay_tui.actions import guard
from relay_tui.agents.hooks import NOTHING
from relay_tui.base.times import MINUTE, SECOND
from relay_tui.room.attention import read_attention
from relay_tui.room.claims import give_back
from relay_tui.room.ledger import Actor
from relay_tui.room.passed import read_passed
from relay_tui.room.registry import report_status
from tests.actions.acting import act
from tests.agents.conftest import Client
from tests.repo.git_fixture import add_worktree
from tests.room_fixture import House

LOGIN = "src/auth/login.py"


@pytest.fixture
def tree(house: House, client: Client) -> str:
    """A worktree of its own, in which the client works; its files are older than any claim."""
    branch = os.path.basename(house.folder)  # the repository is shared
    client.folder = add_worktree(house.repository, os.path.join(house.folder, "wt"), branch)
    for folder, _, names in os.walk(client.folder):
        for name in ("", *names):
            touch(house, os.path.join(folder, name), -MINUTE)
    return client.folder


def touch(house: House, path: str, later: int) -> None:
    at = (house.clock.now + later) * 1000
    os.utime(path, ns=(at, at))


def change(house: House, tree: str, path: str, later: int = SECOND) -> None:
    """As a shell would, at a moment of the house's clock."""
    with open(os.path.join(tree, path), "a", encoding="utf-8") as file:
        file.write("changed\n")
    touch(house, os.path.join(tree, path), later)


def test_a_change_that_met_no_hook_is_told_once_to_each(house: House, b: Actor, client: Client, tree: str) -> None:
    name = client.start()
    house.claim(b, "src/auth")
    change(house, tree, LOGIN, -SECOND)
    assert client.hook("check", tool_name="Bash") == NOTHING, "the change was there before the claim"
    change(house, tree, LOGIN)
    house.clock.advance(5 * MINUTE)
    text = client.told("check", tool_name="Bash")
    assert text.splitlines() == [
        "relay: 1 file that somebody else holds is changed in this worktree; the holder was told.",
        f"{LOGIN}: src/auth is held by b (live, heard from 5m ago), for 5m.",
        "`relay handoff ask src/auth --reason …` asks the holder; `relay claims --over src/auth` shows it.",
    ]
    assert client.hook("check", tool_name="Bash") == NOTHING
    client.hook("stop")
    (event,) = house.events("guard.passed")
    claimed_at = house.clock.now - 5 * MINUTE
    assert event.data == {
        "agent": name, "resource": LOGIN, "holder": "b", "claim": "src/auth", "claimed_at": claimed_at,
    }  # fmt: skip
    (mail,) = house.poll(b).messages
    assert mail.body == f"{LOGIN}, which you hold, is changed in the worktree where {name} works."
    house.assert_whole()


def test_what_is_found_at_the_end_of_a_turn_is_told_in_the_next(
    house: House, b: Actor, client: Client, tree: str
) -> None:
    client.start()
    house.claim(b, LOGIN)
    os.remove(os.path.join(tree, LOGIN))
    touch(house, os.path.join(tree, "src/auth"), SECOND)
    assert client.hook("stop") == NOTHING
    assert f"{LOGIN} is changed in your worktree, and held by b, who was told of it." in client.told("prompt")


def test_git_is_not_asked_where_nothing_that_others_hold_has_changed(
    house: House, b: Actor, client: Client, tree: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = client.start()
    monkeypatch.setenv("PATH", "")
    house.claim(Actor(name), "README.md")
    change(house, tree, "README.md")
    assert client.hook("check", tool_name="Bash") == NOTHING, "nobody else holds anything"
    house.claim(b, "src")
    assert client.hook("check", tool_name="Bash") == NOTHING, "by the look of it nothing there has changed"
    change(house, tree, LOGIN)
    with pytest.raises(Exception, match="git was not found"):
        client.hook("check", tool_name="Bash")
    report_status(house.room, b, {"status": "waiting"}, (name, "Which base?"))
    answer = client.hook("stop")
    assert answer.document is not None
    assert "Which base?" in answer.document["reason"], "whether or not git can be asked"


def test_who_works_in_the_holders_own_worktree_is_not_suspected(house: House, client: Client, tree: str) -> None:
    client.start()
    holder = Client(house, "another", tree)
    house.claim(Actor(holder.start()), "src/auth")
    change(house, tree, LOGIN)
    assert client.hook("check", tool_name="Bash") == NOTHING


def test_the_operator_sees_it_until_the_holder_has_handled_it(
    house: House, b: Actor, client: Client, tree: str
) -> None:
    name = client.start()
    house.claim(b, "src/auth")
    change(house, tree, LOGIN)
    client.hook("check", tool_name="Bash")
    (item,) = read_attention(house.room, []).items
    assert (item.kind, item.subject, item.since) == ("overlap", LOGIN, house.clock.now)
    assert item.text == f"changed where {name} works, claimed by b"
    assert item.command[:4] == ["relay", "send", "--to", name]
    (check,) = [one for one in act(house.room, None, "doctor").checks if one.name == "passed"]
    assert (check.ok, f"{LOGIN}, which b holds, where {name} works" in check.text) == (None, True)
    client.hook("session-end", reason="other")
    (item,) = read_attention(house.room, []).items
    assert item.command[:4] == ["relay", "send", "--to", "b"], "who left is not asked"
    house.ack(b, house.poll(b).messages[0].id)
    assert read_attention(house.room, []).items == []


def test_git_shows_it_and_the_room_says_since_when(house: House, b: Actor, client: Client, tree: str) -> None:
    client.start()
    house.claim(b, "src/auth")
    change(house, tree, LOGIN)
    client.hook("check", tool_name="Bash")
    (item,) = [one for one in act(house.room, None, "attention").items if one.kind == "overlap"]
    assert item.since == house.clock.now
    assert "dirty in 1 tree (wt), claimed by b" in item.text
    act(house.room, "b", "release src/auth")
    assert [one for one in act(house.room, None, "attention").items if one.kind == "overlap"] == []


def test_a_large_folder_is_left_to_git(house: House, tree: str, monkeypatch: pytest.MonkeyPatch) -> None:
    since = [("src", house.clock.now)]
    room = house.enter(tree)
    change(house, tree, "README.md", -SECOND)
    assert guard.changed_paths(room, since) == {}
    monkeypatch.setattr(guard, "_FILES_LOOKED_AT", 1 + sum(1 + len(files) for _, _, files in os.walk(f"{tree}/src")))
    assert guard.changed_paths(room, since) == {}
    since *= 2  # the bound is for all of them together
    assert [one.resource for one in guard.changed_paths(room, since)] == ["README.md"]


def test_a_path_that_was_released_is_of_no_concern_whatever_was_claimed_with_it(
    house: House, b: Actor, client: Client, tree: str
) -> None:
    client.start()
    house.claim(b, "src/auth", "README.md")
    change(house, tree, LOGIN)
    change(house, tree, "README.md")
    house.clock.advance(MINUTE)
    client.hook("check", tool_name="Bash")
    give_back(house.room, b, house.resources("src/auth"))
    with house.room.reading() as db:
        assert [one.path for one in read_passed(db, house.room, house.clock.now)] == ["README.md"]
