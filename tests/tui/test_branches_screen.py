from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import time

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.repo import details
from relay_tui.room.held import list_claims
from relay_tui.room.ledger import Actor
from relay_tui.tui.readings import branch_readings
from tests.actions.acting import act
from tests.repo.git_fixture import commit, git, isolate_git, put_git_on_path
from tests.room_fixture import House
from tests.tui.branch_scenes import CJK, EMOJI, furnish_branches
from tests.tui.stages import HOSTILE
from tests.tui.visits import Visit, make_app, visit


@pytest.fixture
def house(tmp_path, monkeypatch) -> House:
    isolate_git(monkeypatch)
    made = House(str(tmp_path))
    furnish_branches(made)
    return made


def holders(house: House) -> dict[str, str]:
    return {claim.resource: claim.holder for claim in list_claims(house.room, scope="branch").claims}


def cells(here: Visit, branch: str) -> list[str]:
    row = next(row for row in here.row_list.rows if row.id == branch)
    return [str(cell) for cell in row.cells]


async def test_rows_say_who_owns_what_most_urgent_first(house: House):
    async with visit(house, "branches") as here:
        assert here.ids == [
            "feat/shared-room", "feat/work-tree", "feat/payments", "feat/gone", EMOJI, CJK, "feat/auth"
        ]  # fmt: skip
        flag, _, holder, agents, tree, tasks, distance, old = cells(here, "feat/shared-room")
        assert (flag, holder, agents) == ("! contested", "nimbus-2", "harbor-1, nimbus-2")
        assert (tree, tasks, distance, old) == ("../wt-room", "W1", "+2", "2d")
        assert cells(here, "feat/payments")[6:] == ["", ""]
        assert cells(here, "feat/work-tree")[6] == "even"


async def test_an_agent_in_the_wrong_worktree_is_marked_where_it_is_and_where_it_says_it_is(house: House):
    async with visit(house, "branches") as here:
        for branch in (EMOJI, "feat/auth"):
            assert cells(here, branch)[3] == "≠ claude-1"
            await here.go_to(branch)
            assert f"≠ claude-1 reports feat/auth and stands in {EMOJI}" in here.detail.split("\n")


async def test_f_shows_the_quiet_ones_and_hides_them_again(house: House):
    async with visit(house, "branches") as here:
        await here.press("f")
        assert {"docs/typos", "main"} < set(here.ids)
        await here.press("f")
        assert "docs/typos" not in here.ids


async def test_the_detail_joins_git_with_the_room(house: House):
    async with visit(house, "branches") as here:
        for words in (
            "2 live agents are on it: harbor-1 and nimbus-2", "nimbus-2  heard", '"shared room"', "harbor-1  reported",
            "../wt-room  2 not committed", "W1  Share one room", "2 ahead, 0 behind",
            "src/auth.py: dirty in 2 trees (../wt-room, ../wt-tree), changed on feat/shared-room, claimed by codex-3",
            "counted git, 0s ago",
            "2 commits that main lacks   git, 0s ago", "Share one room [/] between worktrees", "2 files   +3 -1",
        ):  # fmt: skip
            assert " ".join(words.split()) in " ".join(here.detail.split()), words


async def test_d_shows_the_diff_and_esc_comes_back(house: House):
    async with visit(house, "branches") as here:
        await here.press("d")
        view = here.app.screen.query_one("DiffView")
        lines = [view.render_line(y).text.rstrip() for y in range(17)]
        assert "+def sign_in(room):" in lines and "-def sign_in():" in lines
        await here.press("right_square_bracket", "escape")
        assert len(here.app.screen_stack) == 1


async def test_a_diff_is_inert_and_scrolls(house: House):
    tree = os.path.join(house.folder, "wt-launch")
    commit(tree, "hostile", {"a.txt": "\n".join(HOSTILE * 40), "b.txt": "last\n"})
    async with visit(house, "branches", size=(80, 24)) as here:
        await here.go_to(EMOJI)
        await here.press("d")
        drawn = ""
        for key in ("g", "ctrl+d", "ctrl+d", "j", "l", "h", "right_square_bracket", "G"):
            await here.press(key)
            drawn += "".join(strip.text for strip in here.app.screen._compositor.render_strips())
        assert not any(char in drawn for char in "\x1b\x9b\x07\u202e")
        assert "[@click=app.quit]x[/]" in drawn and "+last" in drawn


async def test_a_branch_that_git_lacks_has_no_diff(house: House):
    async with visit(house, "branches") as here:
        await here.go_to("feat/payments")
        await here.press("d")
        assert "Git has no branch feat/payments" in here.toasts


async def test_c_claims_with_a_note_and_x_gives_back(house: House):
    async with visit(house, "branches") as here:
        await here.go_to(EMOJI)
        await here.press("c")
        await here.type("release day")
        await here.press("enter")
        assert here.lines == [f"relay branch claim '{EMOJI}' --note 'release day' --as operator"]
        assert holders(house)[EMOJI] == "operator"
        await here.go_to(EMOJI)
        await here.press("x")
        assert here.lines[-1] == f"relay branch release '{EMOJI}' --as operator"
    assert EMOJI not in holders(house)


async def test_c_on_a_missing_branch_and_n_claim_what_is_not_there_yet(house: House):
    async with visit(house, "branches") as here:
        await here.go_to("feat/payments")
        await here.press("c", "enter")
        await here.press("n")
        await here.type("feat/later")
        await here.press("enter")
        assert here.lines == [
            "relay branch claim feat/payments --new --as operator", "relay branch claim feat/later --new --as operator"
        ]  # fmt: skip
        await here.go_to("feat/later")
        assert "planned" in here.detail
        await here.press("d")
        assert "feat/later is planned and git does not have it yet, so it has no diff." in here.toasts


async def test_what_another_holds_is_not_claimed_or_released(house: House):
    async with visit(house, "branches") as here:
        await here.press("c")
        assert "nimbus-2 holds branch:feat/shared-room." in here.toasts
        await here.press("x")
        assert here.toasts.count("nimbus-2 holds branch:feat/shared-room.") == 2
        await here.go_to(EMOJI)
        await here.press("X")
        assert f"Nobody holds {EMOJI}." in here.toasts
        assert here.lines == []


async def test_t_asks_for_what_another_holds_and_offers_what_is_ones_own(house: House):
    async with visit(house, "branches") as here:
        await here.press("t")
        assert "Ask nimbus-2 for branch:feat/shared-room" in here.dialog
        await here.press("escape")
        await here.go_to(EMOJI)
        await here.press("c", "enter")
        await here.press("t")
        await here.type("codex-3")
        await here.press("tab")
        await here.type("over to you")
        await here.press("ctrl+s")
        assert here.lines[-1].startswith(f"relay handoff request 'branch:{EMOJI}' --to codex-3 --reason 'over to you'")


async def test_force_wants_the_name_and_a_reason(house: House):
    async with visit(house, "branches") as here:
        await here.go_to("feat/work-tree")
        await here.press("X")
        assert "branch:feat/work-tree · vector-4" in here.dialog
        await here.type("feat/work-tree")
        await here.press("enter")
        await here.type("gone for two days")
        await here.press("enter")
        assert here.lines[-1] == (
            "relay branch release feat/work-tree --force --reason 'gone for two days' --as operator"
        )
    assert "feat/work-tree" not in holders(house)


async def test_m_writes_to_whoever_should_not_be_there(house: House):
    async with visit(house, "branches") as here:
        await here.press("m")
        await here.type("Please leave")
        await here.press("ctrl+s")
        assert here.lines == ["relay send --message 'Please leave' --to harbor-1 --as operator"]


async def test_y_copies_the_name_and_shift_y_the_line_that_settles_it(house: House):
    async with visit(house, "branches") as here:
        gone = os.path.join(house.folder, "wt-gone")
        for branch, line in {
            "feat/gone": f"git worktree remove -- {gone}",
            "feat/auth": f"git -C {os.path.join(house.folder, 'wt-launch')} switch -- feat/auth",
            "feat/payments": "git branch -- feat/payments main",
            "feat/work-tree": "relay branch release feat/work-tree --force --reason '…' --as operator",
            EMOJI: f"relay branch claim '{EMOJI}' --as operator",
        }.items():
            await here.go_to(branch)
            await here.press("y")
            assert here.app.clipboard == branch
            await here.press("Y")
            assert here.app.clipboard == line
            assert "Y copies" in here.detail
        await here.press("f")
        await here.go_to("docs/typos")
        await here.press("Y")
        assert here.app.clipboard == "relay branch show docs/typos"
    assert git(house.repository, "for-each-ref", "refs/heads/docs/typos")


async def test_no_key_waits_for_a_git_that_does_not_answer(house: House, tmp_path, monkeypatch):
    """Git answers when the test lets it: every key has done its work before."""
    gate = tmp_path / "answer"
    waiting = f"while ! [ -e '{gate}' ]; do sleep 0.02; done\nexec {{git}} \"$@\""
    put_git_on_path(monkeypatch, str(tmp_path / "slow"), waiting)
    app = make_app(house)
    async with app.run_test(size=(120, 36)) as pilot:
        here = Visit(app, pilot)
        for key, mode in {"3": "branches", "1": "attention", "5": "inbox", "6": "claims"}.items():
            await pilot.press(key, "j", "G", "slash", "a", "escape")
            assert app.current_mode == mode
        await pilot.press("3", "f")
        drawn = "".join(strip.text for strip in app.screen._compositor.render_strips())
        assert "Reading git" in drawn and here.ids == []
        gate.touch()
        await here.settle()
        assert {"docs/typos", "main", "feat/shared-room"} < set(here.ids)


async def test_only_rows_that_are_seen_are_counted(house: House, tmp_path, monkeypatch):
    head = git(house.repository, "rev-parse", "docs/typos").strip()
    made = "".join(f"create refs/heads/many/{number:04} {head}\n" for number in range(2000))
    git(house.repository, "update-ref", "--stdin", stdin=made)
    seen = tmp_path / "seen"
    put_git_on_path(monkeypatch, str(tmp_path / "spy"), f'echo "$@" >> {seen}\nexec {{git}} "$@"')
    async with visit(house, "branches") as here:
        await here.press("f", "G", "g", "ctrl+d")
        assert len(here.ids) > 2000
        asked = seen.read_text().splitlines()
    assert sum(" rev-list " in line for line in asked) < 100
    assert sum(" status " in line for line in asked) < 100
    assert len({line.split("-n1000")[1] for line in asked if "-n1000" in line}) < 10  # quiet ones are not compared


async def test_a_commit_elsewhere_shows_within_a_second(house: House):
    app = make_app(house, live=True)
    async with app.run_test(size=(120, 36)) as pilot:
        here = Visit(app, pilot)
        await here.press("3")
        await pilot.pause(1.2)
        assert cells(here, CJK)[6] == "+1"
        await asyncio.to_thread(commit, os.path.join(house.folder, "wt-search"), "more", {"more.py": "x\n"})
        committed = time.monotonic()
        while cells(here, CJK)[6] != "+2":
            await pilot.pause(0.02)
            assert time.monotonic() - committed < 30  # it comes by itself; how soon is the bench's to say


async def test_what_has_moved_is_counted_first_and_git_is_listed_once(house: House, tmp_path, monkeypatch):
    async with visit(house, "branches") as here:
        head = commit(os.path.join(house.folder, "wt-launch"), "more", {"more.py": "x\n"})
        seen = tmp_path / "seen"
        put_git_on_path(monkeypatch, str(tmp_path / "spy"), f'echo "$@" >> {seen}\nexec {{git}} "$@"')
        here.app.room_screen.git_changed()
        await here.settle()
        asked = seen.read_text().splitlines()
    counts = [line for line in asked if " rev-list " in line]
    assert head in counts[0] and len(counts) > 2
    assert sum(" for-each-ref " in line for line in asked) == 1


async def test_without_git_it_says_so_and_goes_on(house: House, monkeypatch):
    monkeypatch.setenv("PATH", house.folder)
    async with visit(house, "branches") as here:
        drawn = "".join(strip.text for strip in here.app.screen._compositor.render_strips())
        assert "git was not found" in drawn
        await here.press("6")
        assert here.ids


async def test_the_screen_only_reads_git(house: House, tmp_path, monkeypatch):
    seen = tmp_path / "seen"
    put_git_on_path(monkeypatch, str(tmp_path / "spy"), f'echo "$@" >> {seen}\nexec {{git}} "$@"')
    async with visit(house, "branches") as here:
        for key in ("j", "j", "d", "escape", "f", "G", "r", "1", "w"):
            await here.press(key)
    reading = {
        "worktree list", "for-each-ref", "rev-list", "status", "log", "merge-base", "diff-tree", "config", "version"
    }  # fmt: skip
    for line in seen.read_text().splitlines():
        words = [word for word in line.split() if not word.startswith("-")]
        assert any(set(one.split()) <= set(words) for one in reading), line


async def test_a_person_who_is_no_operator_is_told_by_the_room(house: House):
    async with visit(house, "branches", me=Actor("codex-3")) as here:
        await here.go_to("feat/work-tree")
        await here.press("X")
        assert "operator" in here.toasts
    assert holders(house)["feat/work-tree"] == "vector-4"


async def test_a_name_that_is_no_text_is_shown_and_not_copied(house: House):
    subprocess.run([b"git", b"-C", os.fsencode(house.repository), b"branch", b"caf\xe9"], check=True)
    async with visit(house, "branches") as here:
        await here.press("f")
        await here.go_to("caf\udce9")
        assert "caf\\udce9" in here.detail
        await here.press("y")
        assert "not valid UTF-8" in here.toasts


async def test_a_worktree_that_does_not_answer_hides_no_distance_and_no_diff(house: House, tmp_path, monkeypatch):
    """Its status answers when the test ends."""
    gate = tmp_path / "answer"
    waiting = f"case \"$*\" in *' status '*) while ! [ -e '{gate}' ]; do sleep 0.02; done;; esac\nexec {{git}} \"$@\""
    put_git_on_path(monkeypatch, str(tmp_path / "slow"), waiting)
    app = make_app(house)
    async with app.run_test(size=(120, 36)) as pilot:
        here = Visit(app, pilot)
        await pilot.press("3")
        began = time.monotonic()
        while CJK not in here.ids or cells(here, CJK)[6] != "+1":
            await pilot.pause(0.02)
            assert time.monotonic() - began < 4, "the numbers waited for the status"
        gate.touch()
        await here.settle()


async def test_a_status_that_failed_is_told_in_the_rows_detail(house: House, tmp_path, monkeypatch):
    failing = "case \"$*\" in *wt-search*' status '*) echo 'fatal: it is broken' >&2; exit 1;; esac\nexec {git} \"$@\""
    put_git_on_path(monkeypatch, str(tmp_path / "bad"), failing)
    async with visit(house, "branches") as here:
        await here.go_to(CJK)
        assert "wt-search: git: it is broken" in " ".join(here.detail.split())
        assert cells(here, CJK)[6] == "+1"


async def test_the_distance_follows_the_default_branch_at_once(house: House):
    async with visit(house, "branches") as here:
        assert cells(here, CJK)[6] == "+1"
        commit(house.repository, "on main", {"m.txt": "m\n"})
        await here.press("r")
        assert cells(here, CJK)[6] == "+1 -1"


async def test_a_git_that_answers_nonsense_is_told(house: House, tmp_path, monkeypatch):
    put_git_on_path(monkeypatch, str(tmp_path / "bad"), "echo nonsense")
    async with visit(house, "branches") as here:
        drawn = "".join(strip.text for strip in here.app.screen._compositor.render_strips())
        assert "git worktree or for-each-ref answered something that relay cannot" in drawn


async def test_the_diffs_question_mark_names_its_keys(house: House):
    async with visit(house, "branches") as here:
        await here.go_to("feat/shared-room")
        await here.press("d", "question_mark")
        drawn = "".join(strip.text for strip in here.app.screen._compositor.render_strips())
        assert "Keys of the diff" in drawn and "half a page" in drawn


def raising(fault: RelayError):
    def fail(*_: object) -> None:
        raise fault

    return fail


@pytest.mark.parametrize("question", ["look_at", "look_for_uncommitted"])
async def test_numbers_that_could_not_be_read_are_not_said_to_be_fresh(house: House, monkeypatch, question: str):
    async with visit(house, "branches") as here:
        monkeypatch.setattr(branch_readings, question, raising(RelayError("storage", "Git went away.")))
        house.clock.advance(branch_readings.YOUNG)
        await here.press("r")
        assert "Git went away." in here.detail
        assert ("counted" in here.detail) == (question == "look_for_uncommitted")
        monkeypatch.undo()
        house.clock.advance(branch_readings.YOUNG)
        await here.press("r")
        assert "Git went away." not in here.detail and "git, 0s ago" in here.detail


async def test_what_is_not_committed_is_forgotten_where_it_can_no_longer_be_read(house: House):
    async with visit(house, "branches") as here:
        assert "2 not committed" in here.detail
        git_folder = git(os.path.join(house.folder, "wt-room"), "rev-parse", "--absolute-git-dir").strip()
        with open(os.path.join(git_folder, "index"), "wb") as index:
            index.write(b"no index of git")
        house.clock.advance(branch_readings.YOUNG)
        await here.press("r")
        assert "not committed" not in here.detail and "dirty in 1 tree" in here.detail


async def test_nothing_is_said_any_more_of_a_branch_or_a_folder_that_is_gone(house: House):
    async with visit(house, "branches") as here:
        await here.go_to("feat/work-tree")
        assert cells(here, "feat/work-tree")[6] == "even" and "1 not committed" in here.detail
        shutil.rmtree(os.path.join(house.folder, "wt-tree"))
        await here.press("r")
        assert "../wt-tree  missing (prunable)" in here.detail
        assert "not committed" not in here.detail and "dirty in" not in here.detail
        git(house.repository, "branch", "-m", "feat/work-tree", "feat/new")
        await here.press("r")
        assert cells(here, "feat/work-tree")[6:] == ["", ""] and cells(here, "feat/new")[6] == "even"
        await here.go_to("feat/work-tree")
        assert "± main" not in here.detail and "counted" not in here.detail


async def test_whoever_is_of_another_room_is_named_with_it(house: House):
    """In a sister room is a nimbus-2 too, who holds one branch and is on another."""
    side = house.enter(os.path.join(house.folder, "wt-launch"))
    act(side, "operator", "init --room side")
    side = house.enter(side.folder)
    act(side, "nimbus-2", "join --branch feat/work-tree")
    act(side, "nimbus-2", "branch claim", EMOJI)
    async with visit(house, "branches") as here:
        assert cells(here, EMOJI)[2:4] == ["nimbus-2 of room side", "≠ claude-1"]
        assert cells(here, "feat/work-tree")[3] == "vector-4, nimbus-2 of room side"
        for branch, words in (
            ("feat/work-tree", "nimbus-2 of room side reported"),
            (EMOJI, "nimbus-2 of room side heard"),
        ):
            await here.go_to(branch)
            assert words in " ".join(here.detail.split())
        await here.press("1")
        await here.go_to("contested:feat/work-tree")
        assert "nimbus-2 of room side\n" in here.detail  # what is heard of its namesake here is not told of it


async def test_a_fault_is_told_of_the_branch_that_was_asked_about(house: House, monkeypatch):
    async with visit(house, "branches") as here:
        monkeypatch.setattr(here.app.desk, "borrowed", raising(RelayError("storage", "The disk went away.")))
        await here.go_to("feat/work-tree")
        assert "commits and files: The disk went away." in here.detail
        await here.go_to("feat/shared-room")
        assert "2 commits that main lacks" in here.detail


async def test_changes_that_git_could_not_look_for_are_no_absence_of_changes(house: House, monkeypatch):
    lost = RelayError("invalid", "The changes of it cannot be read.")
    changed = "refs/heads/feat/shared-room"
    answer = {changed: lost}
    monkeypatch.setattr(details, "read_changed", lambda facts, refs: {ref: answer.get(ref, {}) for ref in refs})
    async with visit(house, "branches") as here:
        assert lost.message in here.detail
        await here.go_to("feat/work-tree")
        assert lost.message not in here.detail
