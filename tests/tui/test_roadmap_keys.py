"""What the Roadmap's keys do beside setting fields: moving, removing, settling, files; asserted on the room."""

from __future__ import annotations

import os

import pytest

from relay_tui.base.times import HOUR, SECOND
from relay_tui.room.ledger import Actor
from relay_tui.room.work import flatten, read_tree
from relay_tui.tui.widgets.row_tree import RowTree
from tests.repo.git_fixture import git, isolate_git
from tests.room_fixture import House
from tests.tui.plans import ROADMAP, do, imported, item, make_house, write_plan
from tests.tui.visits import Visit, visit

CODEX = Actor("codex-3")


@pytest.fixture
def house(tmp_path, monkeypatch) -> House:
    """A room whose plan is not imported yet."""
    isolate_git(monkeypatch)
    return make_house(tmp_path)


@pytest.fixture
def planned(house: House) -> House:
    return imported(house)


@pytest.fixture
def disputed(planned: House) -> House:
    """In W8 file and room say different statuses and different dates."""
    do(planned, "work set", id="W8", status="review", due="2026-12-05")
    changed = ROADMAP.replace(
        "[!] Reject tokens of the old format due:2026-12-04", "[x] Reject tokens of the old format"
    )
    write_plan(planned.repository, changed.replace("format\n", "format due:2026-12-09\n", 1))
    return imported(planned)


def read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def below(house: House, title: str) -> list[str]:
    """The titles right below an item, in their order."""
    parent = item(house, title)
    return [one.title for one in parent.children]


def drawn(here: Visit) -> str:
    tree = here.app.room_screen.query_one(RowTree)
    return "\n".join(tree.render_line(y).text.rstrip() for y in range(tree.size.height))


# Moving


async def test_ctrl_j_and_ctrl_k_move_among_siblings_and_the_cursor_goes_along(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Sign tokens").id)
        await here.press("ctrl+j")
        assert below(planned, "Server side")[:2] == ["Rotate keys while serving", "Sign tokens with two keys"]
        assert here.here == "W4" and here.lines == ["relay work move W4 --after W5 --as operator"]
        assert "Back: relay work move W4 --before W5 --as operator" in here.toasts
        await here.press("ctrl+k")
        assert below(planned, "Server side")[0] == "Sign tokens with two keys" and here.here == "W4"
    planned.assert_whole()


async def test_a_key_held_down_goes_on_from_where_the_item_is_and_tells_once(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Sign tokens").id)
        await here.pilot.press("ctrl+j", "ctrl+j", "ctrl+j")
        await here.settle()
        assert below(planned, "Server side")[2] == "Sign tokens with two keys"
        assert here.lines[:2] == [
            "relay work move W4 --after W5 --as operator", "relay work move W4 --after W8 --as operator"
        ]  # fmt: skip
        assert "W4 is the last of its siblings." in here.toasts
        assert here.toasts.count("Back: relay work move W4 --before W5") == 1


async def test_less_and_greater_move_out_and_in_unfolding_what_it_goes_below(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Reject").id)
        await here.press("greater_than_sign")
        assert item(planned, "Reject").parent == item(planned, "Rotate keys").id
        assert here.lines == ["relay work move W8 --parent W5 --as operator"] and here.here == "W8"
        assert "Back: relay work move W8 --after W5 --as operator" in here.toasts
        await here.press("less_than_sign")
        assert below(planned, "Server side")[-2:] == ["Rotate keys while serving", "Reject tokens of the old format"]
        assert here.lines[-1] == "relay work move W8 --after W5 --as operator"
        await here.press("less_than_sign", "less_than_sign", "less_than_sign", "less_than_sign")
        assert item(planned, "Reject").parent is None
        assert "W8 stands at the top already." in here.toasts
    planned.assert_whole()


async def test_what_has_nowhere_to_go_says_so(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Sign tokens").id)
        await here.press("ctrl+k")
        assert "W4 is the first of its siblings." in here.toasts
        await here.press("greater_than_sign")
        assert "> takes it below the one before it, and there is none." in here.toasts
        await here.press("slash", *"sign", "enter", "ctrl+j")
        assert "esc clears the filter first." in here.toasts
    assert planned.events("work.moved") == []


async def test_a_move_that_another_process_made_impossible_is_told_and_the_next_goes(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Sign tokens").id)
        do(planned, "work remove", CODEX, id="W5", recursive=True)
        await here.press("ctrl+j")
        assert "W5 was removed." in here.toasts
        do(planned, "work move", CODEX, id="W4", after="W8")
        await here.press("r", "ctrl+k")
        assert "Back: relay work move W4 --after W8 --as operator" in here.toasts, "where it stood before this move"
        await here.press("ctrl+j")
        assert below(planned, "Server side") == ["Reject tokens of the old format", "Sign tokens with two keys"]


# Removing


async def test_x_shows_what_goes_along_and_the_toast_names_the_way_back(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Rotate keys").id)
        await here.press("x")
        assert "W5 Rotate keys while serving would be removed, with 2 items below it:" in here.dialog
        assert "W6  Read both keys" in here.dialog and "--recursive" in here.dialog
        await here.press("n")
        assert planned.events("work.removed") == []
        await here.press("x", "y")
        assert here.toasts.count("Back: relay work restore W5") == 1
        assert here.lines[-1] == "relay work remove W5 --recursive --as operator"
        assert "Rotate keys" not in drawn(here)
    planned.assert_whole()


async def test_a_removed_item_is_listed_nested_and_comes_back(planned: House):
    do(planned, "work remove", id="W5", recursive=True)
    async with visit(planned, "roadmap") as here:
        await here.press("V")
        assert "V brings back what was removed." in here.toasts
        await here.press("left_square_bracket")
        assert "3 removed" in here.banner and here.ids == ["W5"]
        assert "0s ago, stood below Server s" in drawn(here)
        told = " ".join(here.detail.split())
        assert "removed 0s ago, stood below Server side" in told and "W6 ☑ done Read both keys" in told
        await here.press("Y", "s")
        assert here.app.clipboard == "relay work restore W5 --as operator" and "W5 is removed." in here.toasts
        await here.press("l")
        assert here.ids == ["W5", "W6", "W7"]
        await here.press("V")
        assert here.lines[-1] == "relay work restore W5 --as operator"
        assert "Back: relay work remove W5 --recursive --as operator" in here.toasts
        assert "Nothing was removed." in drawn(here)
        await here.press("escape")
        assert "W5" in here.ids
    assert below(planned, "Rotate keys") == ["Read both keys", "Drop the old one after an hour"]


# Next


async def test_next_lists_what_can_be_taken_up_and_why_the_rest_cannot(planned: House):
    do(planned, "work set", id=item(planned, "Retitles").id, blocked_by=["W8"])
    async with visit(planned, "roadmap", size=(160, 36)) as here:
        await here.press("right_square_bracket")
        told = do(planned, "work next", limit=100)
        assert here.ids == [*(one.id for one in told.items), *(one.id for one in told.excluded)]
        assert f"{len(told.items)} ready to be taken up · {len(told.excluded)} left out" in here.banner
        assert "its status is blocked" in drawn(here)
        here.row_list.move_to(item(planned, "Retitles").id)
        await here.settle()
        assert "not next: waits for W8, which is blocked" in here.detail
        await here.press("slash", *"why:blocked", "enter")
        assert here.ids == ["W8", item(planned, "Retitles").id]


# Conflicts


async def test_a_conflict_is_told_above_the_tree_in_its_row_and_with_all_three_values(disputed: House):
    async with visit(disputed, "roadmap") as here:
        assert "1 in conflict" in here.banner and "≠ Reject tokens" in drawn(here)
        await here.go_to(item(disputed, "Reject").id)
        told = " ".join(here.detail.split())
        assert "status ROADMAP.md done the room review both, before blocked" in told
        assert "a takes what the file says d keeps what the room says" in told
        await here.press("right_square_bracket", "right_square_bracket")
        assert here.ids == ["W8"] and "status, due" in drawn(here)


async def test_a_and_d_settle_one_field_each(disputed: House):
    async with visit(disputed, "roadmap") as here:
        await here.go_to(item(disputed, "Reject").id)
        await here.press("a", "1")
        assert item(disputed, "Reject").status == "done"
        assert here.lines == ["relay work resolve W8 status file --as operator"]
        assert "Back: relay work set W8 --status review --as operator" in here.toasts
        await here.press("d")
        assert item(disputed, "Reject").due == "2026-12-05" and "conflict" not in here.banner
        assert here.lines[-1] == "relay work resolve W8 due room --as operator"
        await here.press("a")
        assert "W8 is in no conflict.\nThe view 'conflicts' ([ and ]) shows the items that are." in here.toasts
    assert do(disputed, "work import", file="ROADMAP.md").conflicts == []
    disputed.assert_whole()


# Files


async def test_shift_e_shows_the_lines_and_writes_only_when_it_is_agreed_to(planned: House):
    do(planned, "work set", id="W8", status="done")
    path = os.path.join(planned.repository, "ROADMAP.md")
    async with visit(planned, "roadmap") as here:
        await here.press("E", "enter")
        assert "1 line of ROADMAP.md would change, and no other byte." in here.dialog
        assert "☑ done   W8  Reject tokens of the old format" in here.dialog
        assert read(path) == ROADMAP
        await here.press("y")
        assert here.lines[-1] == "relay work export --file ROADMAP.md --as operator"
        assert read(path) == ROADMAP.replace("[!] Reject", "[x] Reject")
        await here.press("E", "enter")
        assert "ROADMAP.md says what the room says; nothing would be written." in here.dialog


async def test_shift_f_follows_the_plan_of_the_row_and_leaves_it_again(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Reject").id)
        await here.press("F")
        assert here.lines == ["relay work follow --file ROADMAP.md --as operator"]
        assert "Back: relay work follow --file ROADMAP.md --off --as operator" in here.toasts
        assert "imported when it is saved" in " ".join(here.detail.split())
        await here.press("F")
        assert here.lines[-1] == "relay work follow --file ROADMAP.md --off --as operator"
        assert "imported when it is saved" not in " ".join(here.detail.split())


async def test_without_a_plan_there_is_nothing_to_follow_or_to_open(house: House):
    do(house, "work add", title="Made here")
    async with visit(house, "roadmap") as here:
        await here.press("F", "O")
        assert "No plan was imported yet." in here.toasts
        assert "W1 stands in no file." in here.toasts


async def test_of_several_plans_one_is_picked(planned: House):
    with open(os.path.join(planned.repository, "TODO.md"), "w", encoding="utf-8") as file:
        file.write("- [ ] buy milk\n")
    do(planned, "work import", file="TODO.md")
    added = do(planned, "work add", title="Made here").item
    async with visit(planned, "roadmap") as here:
        here.row_list.move_to(added.id)
        await here.press("F", "2")
        assert here.lines == ["relay work follow --file TODO.md --as operator"]


async def test_a_terminal_that_cannot_be_lent_names_the_line_to_type(planned: House, monkeypatch):
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Reject").id)
        await here.press("O")
        assert "No editor is set." in here.toasts and "export EDITOR=vim" in here.toasts
        monkeypatch.setenv("EDITOR", "vim -n")
        await here.press("O")
        path = os.path.join(planned.repository, "ROADMAP.md")
        assert f"In a terminal: vim -n +{item(planned, 'Reject').source.line} {path}" in here.toasts.replace("\n", " ")


# Saving a plan that is followed


async def until(here: Visit, found) -> None:
    for _ in range(200):
        await here.settle()
        if found():
            return
        await here.pilot.pause(0.05)
    raise AssertionError(here.toasts)


async def test_a_followed_plan_is_imported_when_it_is_saved_and_no_other(planned: House):
    do(planned, "work follow", file="ROADMAP.md")
    async with visit(planned, "roadmap", live=True) as here:
        seen = planned.rows("SELECT * FROM presence ORDER BY agent")
        planned.clock.advance(HOUR)
        write_plan(planned.repository, ROADMAP.replace("[!] Reject", "[x] Reject"))
        await until(here, lambda: item(planned, "Reject").status == "done")
        assert planned.rows("SELECT * FROM presence ORDER BY agent") == seen, "nobody has touched a key"
        assert here.lines == ["relay work import --file ROADMAP.md --as operator"]
        await until(here, lambda: "Saved, ROADMAP.md: 1 updated" in here.toasts)
        do(planned, "work set", id="W8", status="review")
        write_plan(planned.repository, ROADMAP.replace("[!] Reject", "[/] Reject"))
        await until(here, lambda: "W8 status: the file says in-progress, the room review" in here.toasts)
        await here.press("F")
        write_plan(planned.repository, ROADMAP.replace("[ ] Retitles", "[x] Retitles"))
        await here.pilot.pause(0.6)
        await here.settle()
        assert item(planned, "Retitles").status == "todo"
    planned.assert_whole()


async def test_a_saved_plan_that_is_refused_is_told(planned: House):
    do(planned, "work follow", file="ROADMAP.md")
    async with visit(planned, "inbox", live=True) as here:
        os.unlink(os.path.join(planned.repository, "ROADMAP.md"))
        await until(here, lambda: "There is no file ROADMAP.md." in here.toasts)
        git(planned.repository, "switch", "-q", "-c", "feat/other")
        write_plan(planned.repository, ROADMAP.replace("[!] Reject", "[x] Reject"))
        await until(here, lambda: "was last read on the branch main" in here.toasts.replace("\n", " "))
    assert item(planned, "Reject").status == "blocked"


async def test_a_lock_that_git_left_behind_is_told_of_once_and_looked_at_while_the_plan_is_followed(planned: House):
    do(planned, "work follow", file="ROADMAP.md")
    lock = os.path.join(planned.repository, ".git", "index.lock")

    def save(status: str) -> None:
        write_plan(planned.repository, ROADMAP.replace("[!] Reject", f"[{status}] Reject"))

    async with visit(planned, "roadmap", live=True) as here:

        def times_told() -> int:
            planned.clock.advance(SECOND)
            return here.toasts.count("If no git runs there, remove")

        with open(lock, "w", encoding="utf-8"):
            save("/")
        await until(here, times_told)
        save("x")
        await here.pilot.pause(0.4)
        os.unlink(lock)
        await until(here, lambda: times_told() and item(planned, "Reject").status == "done")
        assert times_told() == 1
        with open(lock, "w", encoding="utf-8"):
            save("/")
        await here.pilot.pause(0.4)
        await here.press("F")
        os.unlink(lock)
        await here.pilot.pause(1.2)
        await here.settle()
        done = [line.split()[2] for line in here.lines]
        assert done == ["import", "import", "follow"], "told of, then imported by one look; none once it is left"
        assert item(planned, "Reject").status == "done"


async def test_a_read_only_screen_imports_nothing(planned: House):
    do(planned, "work follow", file="ROADMAP.md")
    async with visit(planned, "roadmap", live=True, read_only=True) as here:
        write_plan(planned.repository, ROADMAP.replace("[!] Reject", "[x] Reject"))
        await here.pilot.pause(0.6)
        await here.settle()
    assert item(planned, "Reject").status == "blocked"
    assert len(flatten(read_tree(planned.room).items)) == 17
