"""Files that several have in hand, as `branches --details` and `attention` tell of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from relay_tui.actions import attention as attention_action
from relay_tui.cli.output import to_json
from relay_tui.cli.texts.branches import OVERLAPS_SHOWN
from relay_tui.cli.texts.branches import branches as told_branches
from tests.actions.acting import act
from tests.repo.git_fixture import add_worktree, commit, git, isolate_git, put_git_on_path, write
from tests.room_fixture import House


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """`a` on feat/a and `b` on feat/b, each in a worktree where it committed a change of auth.py."""
    isolate_git(monkeypatch)
    made = House(str(tmp_path))
    commit(made.repository, "base", {"auth.py": "base\n", "cart.py": "base\n"})
    for name in ("a", "b"):
        tree = add_worktree(made.repository, f"{made.folder}/wt-{name}", f"feat/{name}")
        commit(tree, f"by {name}", {"auth.py": f"{name}\n"})
        act(made.room, name, f"join --branch feat/{name} --worktree", tree)
    return made


@pytest.fixture
def spy(house: House, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every git command, a line each, from here on."""
    log = Path(house.folder, "commands")
    log.touch()
    put_git_on_path(monkeypatch, f"{house.folder}/bin", f'echo "$*" >> \'{log}\'\nexec {{git}} "$@"')
    return log


def commands(log: Path, subcommand: str) -> int:
    return sum(f" {subcommand} " in line for line in log.read_text().splitlines())


def test_a_file_changed_on_two_branches_names_both_and_the_claim(house: House) -> None:
    assert act(house.room, None, "branches --details").overlaps == [("auth.py", [], None, ["feat/a", "feat/b"])]
    act(house.room, "b", "claim auth.py")
    found = act(house.room, None, "branches --details")
    (overlap,) = to_json(found)["overlaps"]
    assert (overlap["path"], overlap["worktrees"], overlap["branches"]) == ("auth.py", [], ["feat/a", "feat/b"])
    assert overlap["claim"]["holder"] == "b"
    assert "auth.py: changed on feat/a and feat/b, claimed by b" in told_branches(found, house.clock())


def test_a_file_changed_on_one_branch_and_claimed_by_another_overlaps(house: House) -> None:
    commit(f"{house.folder}/wt-a", "cart", {"cart.py": "a\n"})
    act(house.room, "b", "claim cart.py")
    paths = [overlap.path for overlap in act(house.room, None, "branches --details").overlaps]
    assert paths == ["auth.py", "cart.py"]
    act(house.room, "b", "release cart.py")
    act(house.room, "a", "claim cart.py")
    paths = [overlap.path for overlap in act(house.room, None, "branches --details").overlaps]
    assert paths == ["auth.py"]


def test_what_is_merged_and_who_builds_upon_another_overlaps_with_nobody(house: House) -> None:
    git(f"{house.folder}/wt-b", "reset", "-q", "--hard", "feat/a")
    commit(f"{house.folder}/wt-b", "on top", {"auth.py": "a\nb\n"})
    assert act(house.room, None, "branches --details").overlaps == []


def test_a_quiet_branch_overlaps_with_nobody(house: House) -> None:
    git(house.repository, "branch", "old", "feat/a")
    git(house.repository, "worktree", "remove", f"{house.folder}/wt-a")
    act(house.room, "a", "status --branch main --worktree .")
    assert act(house.room, None, "branches --all --details").overlaps == []


def test_rows_that_are_not_shown_overlap_with_those_that_are(house: House) -> None:
    found = act(house.room, "a", "branches --mine --details")
    assert [row.branch for row in found.branches] == ["feat/a"]
    assert [overlap.branches for overlap in found.overlaps] == [["feat/a", "feat/b"]]


def test_people_are_told_of_many_overlaps_by_their_number(house: House) -> None:
    many = {f"new/{number:02}.py": "x\n" for number in range(OVERLAPS_SHOWN + 2)}
    for name in ("a", "b"):
        write(f"{house.folder}/wt-{name}", many)
    found = act(house.room, None, "branches --details")
    assert len(found.overlaps) == OVERLAPS_SHOWN + 3
    assert list(told_branches(found, house.clock()))[-1] == "and 3 more overlaps: --json has them all"


def test_attention_asks_a_live_agent_to_agree_with_the_other(house: House) -> None:
    write(f"{house.folder}/wt-a", {"cart.py": "a\n"})
    write(f"{house.folder}/wt-b", {"cart.py": "b\n"})
    (item,) = act(house.room, None, "attention").items
    said = "changed on feat/a and feat/b"
    assert (item.id, item.kind, item.subject) == ("overlap:feat/a+feat/b", "overlap", "auth.py")
    assert item.text == f"{said}, and 1 more like it"
    asked = f"Please settle with b who goes on with auth.py: {said}."
    assert item.command == ["relay", "send", "--to", "a", "--message", asked, "--as", "operator"]
    act(house.room, "a", "claim auth.py")
    items = {item.id: item for item in act(house.room, None, "attention").items}
    assert set(items) == {"overlap:feat/a+feat/b", "overlap:feat/a+feat/b+a"}
    assert items["overlap:feat/a+feat/b+a"].command[3:6] == [
        "b", "--message", f"Please settle with a who goes on with auth.py: {said}, claimed by a.",
    ]  # fmt: skip
    assert items["overlap:feat/a+feat/b"].text == "dirty in 2 trees (wt-a, wt-b)"


def test_attention_asks_git_only_where_live_agents_are(house: House, spy: Path) -> None:
    git(house.repository, "branch", "feat/task-only")
    act(house.room, "operator", "work add --title later --branch feat/task-only")
    act(house.room, None, "attention")
    assert (commands(spy, "status"), commands(spy, "log")) == (2, 2)
    spy.write_text("")
    for name in ("a", "b"):
        act(house.room, name, "leave")
    assert act(house.room, None, "attention").items == []
    assert (commands(spy, "status"), commands(spy, "log")) == (0, 0)
    assert commands(spy, "for-each-ref") == 1


def test_attention_looks_at_so_many_branches_and_says_so(
    house: House, spy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attention_action, "LOOKED_AT", 1)
    found = act(house.room, None, "attention")
    assert commands(spy, "log") == 1
    assert found.items == []
    assert found.doubts == ["overlap was looked for on 1 of 2 branches; relay branches --details has all"]


def test_a_tree_that_does_not_answer_is_a_warning_of_attention_and_the_rest_is_told(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attention_action, "OVERLAP_DEADLINE", 0.5)
    slow = 'case " $* " in *" status "*) sleep 60;; esac\nexec {git} "$@"'
    put_git_on_path(monkeypatch, f"{house.folder}/bin", slow)
    found = act(house.room, None, "attention")
    assert [item.subject for item in found.items] == ["auth.py"]
    (doubt,) = found.doubts
    assert "wt-a: git status did not answer within 0.5 s" in doubt
