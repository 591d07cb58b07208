"""The Roadmap screen over a real room and a real ROADMAP.md; what is done is asserted on the room."""

from __future__ import annotations

import os

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert
from relay_tui.base.times import DAY
from relay_tui.room.ledger import Actor
from relay_tui.room.work import flatten, read_tree
from relay_tui.room.work_top import read_top
from relay_tui.tui.acts.carrying import BACK_CHARACTERS
from relay_tui.tui.acts.item_acts import ItemActs
from relay_tui.tui.readings.plan_reader import Glimpsed
from relay_tui.tui.rows_of.work import make_first_look
from relay_tui.tui.widgets.row_tree import RowTree
from tests.repo.git_fixture import isolate_git
from tests.room_fixture import House
from tests.tui.plans import ROADMAP, do, imported, item, make_house, write_plan
from tests.tui.stages import HOSTILE
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


def titles(here: Visit) -> list[str]:
    """What the lines of the tree are about, from the top."""
    tree = here.app.room_screen.query_one(RowTree)
    nodes = (tree.get_node_at_line(line) for line in range(tree.last_line + 1))
    return [node.data.title for node in nodes if node is not None]


def lines(here: Visit) -> list[str]:
    tree = here.app.room_screen.query_one(RowTree)
    return [tree.render_line(y).text.rstrip() for y in range(min(tree.last_line + 1, tree.size.height))]


async def test_the_tree_opens_unfolded_to_tasks_with_progress_status_owner_and_due(planned: House):
    async with visit(planned, "roadmap", size=(160, 36)) as here:
        assert titles(here)[:6] == [
            "Relay 0.4 launch", "Rotating tokens", "Server side", "Sign tokens with two keys",
            "Rotate keys while serving", "Reject tokens of the old format",
        ]  # fmt: skip
        drawn = lines(here)
        assert "▾ Relay 0.4 launch  ███░░░░░░░  33%  3/9" in drawn[0]
        assert "▸ Rotate keys while serving" in drawn[4]
        for word in ("◧ in-progress", "codex-3", "overdue 3d", "× feat/auth"):
            assert word in drawn[4], word
        assert "Drop the old one" not in "\n".join(drawn)
        assert "3 of 9 done" in here.banner


async def test_the_detail_has_the_path_every_fact_and_the_source_line(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Rotate keys").id)
        for words in (
            "Relay 0.4 launch › Rotating tokens › Server side", "1/2", "codex-3", "× missing",
            "overdue 3d", "security", "ROADMAP.md:8", "Drop the old one",
        ):  # fmt: skip
            assert words in " ".join(here.detail.split()), words
        await here.press("enter")
        assert here.app.focused is here.app.room_screen.detail


async def test_todos_are_made_when_their_task_is_unfolded(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Rotate keys").id)
        await here.press("l")
        assert titles(here)[5:7] == ["Read both keys", "Drop the old one after an hour"]
        await here.press("h")
        assert titles(here)[5] == "Reject tokens of the old format"


async def test_a_large_plan_shows_its_top_at_once_and_makes_nodes_only_for_what_is_unfolded(house: House):
    epic = "### Epic\n\n" + "".join(f"- [{'x' if place % 4 else ' '}] task {place}\n" for place in range(100))
    write_plan(house.repository, "# Large\n\n" + "## Phase\n\n" + epic * 12)
    imported(house)
    async with visit(house, "roadmap") as here:
        tree = here.app.room_screen.query_one(RowTree)
        assert titles(here) == ["Large", "Phase", *["Epic"] * 12]
        assert len(tree._tree_nodes) == 1 + 14
        assert "75%  900/1,200" in lines(here)[0] and "75%  75/100" in lines(here)[2]
        assert "900 of 1,200 done" in here.banner
        await here.press("G", "l")
        assert titles(here)[-1] == "task 99" and len(tree._tree_nodes) == 1 + 14 + 100


async def test_what_is_still_being_read_is_shown_and_is_nothing_to_act_on(planned: House):
    async with visit(planned, "roadmap") as here:
        screen = here.app.room_screen
        top = make_first_look(read_top(planned.room, ["phase", "roadmap"]), planned.clock.now, frozenset({"roadmap"}))
        screen.show_fault(RelayError("busy", "Somebody writes.", ""))
        screen.on_glimpsed(Glimpsed(top))
        assert titles(here) == ["Relay 0.4 launch", "Rotating tokens", "Work tree"]
        assert "reading the rest" in here.banner
        await here.press("j", "l", "j", "l", "j", "s")
        assert titles(here)[3] == "…" and "There is no row to act on." in here.toasts
        screen.filter_text = "two keys"
        screen.draw_rows()
        assert titles(here) == [], "what stands in for the rest fits no filter"
        await here.press("escape", "r")
        assert "Rotate keys while serving" in titles(here) and "…" not in titles(here)


async def test_s_sets_the_status_and_the_toast_names_the_way_back(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Reject tokens").id)
        await here.press("s", "5")
        reject = item(planned, "Reject tokens")
        assert reject.status == "done"
        assert here.lines == [f"relay work set {reject.id} --status done --as operator"]
        assert f"Back: relay work set {reject.id} --status blocked --as operator" in here.toasts
        assert "☑ done" in lines(here)[5] and "4/9" in lines(here)[0]
        assert here.here == reject.id
    event = planned.events("work.changed")[0]
    assert (event.actor, event.via, event.data["set"]) == ("operator", "tui", {"status": "done"})
    planned.assert_whole()


async def test_the_picker_stands_on_what_is_and_esc_leaves_it(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Rotate keys").id)
        await here.press("s", "escape", "s", "enter")
        assert item(planned, "Rotate keys").status == "in-progress"
        await here.press("s", "j", "enter")
        assert item(planned, "Rotate keys").status == "blocked"
    assert len(planned.events("work.changed")) == 1


async def test_marked_items_get_one_status_and_one_toast(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Sign tokens").id)
        await here.press("space", "space", "s", "6")
        assert [item(planned, title).status for title in ("Sign", "Rotate keys", "Reject")] == [
            "cancelled", "cancelled", "blocked",
        ]  # fmt: skip
        assert "2 items changed: status" in here.toasts
        for title, status in (("Sign", "done"), ("Rotate keys", "in-progress")):
            back = f"Back: relay work set {item(planned, title).id} --status {status} --as operator"
            assert back in here.toasts, back
        await here.press("space", "space", "o")
        assert "one item at a time" in here.toasts


async def test_one_toast_says_what_was_changed_of_several_items_though_one_is_gone(planned: House):
    done, open_, gone = (item(planned, title) for title in ("Sign tokens", "Rotate keys", "Reject"))
    do(planned, "work remove", id=gone.id)
    async with visit(planned, "roadmap") as here:
        ItemActs(here.app).change([done, open_, gone], {"status": "done"})
        await here.settle()
        assert f"{gone.id} was removed." in here.toasts and "1 of 3 items changed: status" in here.toasts
        assert here.toasts.count("Back: ") == 1
        assert f"Back: relay work set {open_.id} --status in-progress --as operator" in here.toasts


async def test_a_way_back_is_inert_and_never_endless(planned: House):
    do(planned, "work set", id="W8", title="evil \x1b]52;c;aGk=\x07 \u202e" + "x" * 400)
    async with visit(planned, "roadmap") as here:
        await here.go_to("W8")
        await here.press("e", "ctrl+u")
        await here.fill("harmless")
        back = here.toasts.partition("Back: ")[2]
        assert back.startswith("relay work set W8 --title $'evil") and len(back) <= BACK_CHARACTERS
        assert not set(back) & set("\x1b\x07\u202e")


async def test_o_sets_the_owner_completed_and_emptied_it_is_nobodys(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Reject tokens").id)
        await here.press("o")
        await here.type("clau")
        await here.press("right", "enter")
        reject = item(planned, "Reject tokens")
        assert reject.owner == "claude-1"
        assert f"Back: relay work set {reject.id} --unset owner" in here.toasts
        await here.press("o", "ctrl+u", "enter")
        assert item(planned, "Reject tokens").owner is None
        assert here.lines[-1] == f"relay work set {reject.id} --unset owner --as operator"


async def test_e_says_only_what_was_changed(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Reject tokens").id)
        await here.press("e")
        assert "Edit W8 Reject tokens" in here.dialog
        await here.press("end")
        await here.type(" by noon")
        await here.press("enter")
        assert here.lines == [
            "relay work set W8 --title 'Reject tokens of the old format by noon' --as operator"
        ]  # fmt: skip
        await here.press("e", "enter")
        assert "Nothing has changed." in here.toasts and len(here.lines) == 1
    assert item(planned, "Reject tokens").title.endswith("by noon")


async def test_a_date_that_is_none_is_refused_in_words(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Reject tokens").id)
        await here.press("e")
        here.app.screen.query_one("#field-4").value = "soon"
        await here.press("enter")
        assert "'soon' is not a date." in here.dialog
    assert item(planned, "Reject tokens").due == "2026-12-04"


async def test_n_adds_below_and_the_cursor_goes_to_the_new_item(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Rotate keys").id)
        await here.press("n")
        await here.type("Measure it")
        await here.press("enter")
        new = item(planned, "Measure it")
        assert (new.kind, new.parent) == ("todo", item(planned, "Rotate keys").id)
        assert here.here == new.id and "Measure it" in titles(here)
        assert here.lines == [f"relay work add --title 'Measure it' --parent {new.parent} --as operator"]


async def test_shift_n_adds_beside(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Reject tokens").id)
        await here.press("N")
        await here.type("Beside it")
        await here.press("enter")
        new = item(planned, "Beside it")
        assert (new.kind, new.parent) == ("task", item(planned, "Reject tokens").parent)
        assert titles(here)[6] == "Beside it" and here.here == new.id


async def test_an_empty_room_says_what_to_type_and_every_key_why_it_cannot(house: House):
    async with visit(house, "roadmap") as here:
        assert "i imports one, or type :work import --file ROADMAP.md" in "\n".join(
            here.row_list.render_line(y).text for y in range(5)
        )
        for key in ("s", "o", "e", "N"):
            await here.press(key)
            assert "There is no item yet." in here.toasts
        await here.press("c")
        assert "c does nothing on this screen." in here.toasts
        await here.press("n")
        await here.type("First thing")
        await here.press("enter")
        assert here.here == item(house, "First thing").id
    assert item(house, "First thing").kind == "task"


async def test_i_shows_the_plan_and_imports_it_only_when_it_is_agreed_to(house: House):
    async with visit(house, "roadmap") as here:
        await here.press("i", "enter")
        assert "17 added" in here.dialog and "Rotate keys while serving   ◧ in-progress" in here.dialog
        assert "1 bullet in 1 section is not a task: `--bullets`  (line 27)" in here.dialog
        assert house.events("work") == []
        await here.press("n")
        assert house.events("work") == []
        await here.press("enter", "y")
        assert titles(here)[0] == "Relay 0.4 launch"
        assert "ROADMAP.md: 17 added." in here.toasts
        assert here.lines[-1] == "relay work import --file ROADMAP.md --as operator"
    assert len(flatten(read_tree(house.room).items)) == 17
    assert house.events("work.imported")[0].via == "tui"
    house.assert_whole()


async def test_the_file_is_completed_and_a_file_that_is_not_there_is_refused(house: House):
    os.rename(os.path.join(house.repository, "ROADMAP.md"), os.path.join(house.repository, "next.md"))
    async with visit(house, "roadmap") as here:
        await here.press("i")
        await here.type("nex")
        await here.press("right", "enter")
        assert "--file next.md" in here.dialog
        await here.press("escape", "ctrl+u")
        await here.type("gone.md")
        await here.press("enter")
        assert "There is no file gone.md." in here.dialog


async def test_b_takes_the_bullets_in_and_keys_without_work_say_so(house: House):
    async with visit(house, "roadmap") as here:
        await here.press("i", "enter", "t")
        assert "No rows of tables are left aside." in here.toasts
        await here.press("b")
        assert "18 added" in here.dialog and "a bullet that is no task" in here.dialog
        assert "--bullets" in here.dialog
        await here.press("y")
    assert item(house, "a bullet that is no task").kind == "task"


async def test_a_conflict_is_shown_kept_and_settled_by_a_key(planned: House):
    do(planned, "work set", id=item(planned, "Reject").id, status="review")
    write_plan(planned.repository, ROADMAP.replace("[!] Reject", "[x] Reject").replace("- [x] Sign", "- [ ] Sign"))
    async with visit(planned, "roadmap") as here:
        await here.press("i", "enter")
        told = " ".join(here.dialog.split())
        assert "1 in conflict · 1 updated" in told
        assert "W8 Reject tokens of the old format status: the file says done, the room review" in told
        assert "b bullets too f file wins r room wins" in told
        await here.press("y")
        assert "Conflicts stay open" in here.toasts
        assert (item(planned, "Reject").status, item(planned, "Sign").status) == ("review", "todo")
        await here.press("i", "enter", "f", "y")
    assert item(planned, "Reject").status == "done"
    planned.assert_whole()


async def test_warnings_come_with_their_lines_and_what_left_the_file_is_named(planned: House):
    gone = ROADMAP.replace("- [!] Reject tokens of the old format due:2026-12-04\n", "")
    write_plan(planned.repository, gone.replace("due:2026-11-27", "due:2026-13-27"))
    async with visit(planned, "roadmap") as here:
        await here.press("i", "enter")
        told = here.dialog
        assert "line 8: " in told and "2026-13-27" in told
        assert "gone from the file, kept in the room\n  W8  Reject tokens of the old format" in told
        await here.press("c", "y")
    assert item(planned, "Reject").status == "cancelled"


async def test_the_same_file_again_would_change_nothing(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.press("i", "enter")
        assert "Nothing would change: 17 unchanged." in here.dialog
        await here.press("y")
    assert len(planned.events("work")) == 1


async def test_the_filter_keeps_what_leads_to_a_match_and_esc_gives_the_folds_back(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Work tree").id)
        await here.press("h", "slash")
        await here.type("old one")
        await here.press("enter")
        assert titles(here) == [
            "Relay 0.4 launch", "Rotating tokens", "Server side", "Rotate keys while serving",
            "Drop the old one after an hour",
        ]  # fmt: skip
        assert "1 of 17" in here.banner
        await here.press("slash", "ctrl+u")
        await here.type("owner:claude !review")
        await here.press("enter")
        assert titles(here)[-1] == "トークンの更新を再試行する" and len(titles(here)) == 4
        await here.press("escape")
        assert "Import" not in titles(here) and "Rotate keys while serving" in titles(here)
        assert "Drop the old one after an hour" not in titles(here)


async def test_a_filter_that_nothing_fits_says_so(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.press("slash")
        await here.type("[/]x")
        await here.press("enter")
        assert "Nothing matches the filter '[/]x'." in here.row_list.render_line(1).text
        await here.press("escape")
        assert len(titles(here)) == 15


async def test_folds_and_cursor_stay_when_another_process_changes_the_plan(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Client side").id)
        await here.press("h")
        await here.go_to(item(planned, "Headings").id)
        do(planned, "work set", CODEX, id=item(planned, "Sign").id, status="blocked", owner="codex-3")
        do(planned, "work add", CODEX, title="Before all that", parent=item(planned, "Server side").id)
        write_plan(planned.repository, ROADMAP.replace("### Server side", "### Newer\n\n- [ ] one\n\n### Server side"))
        do(planned, "work import", file="ROADMAP.md")
        await here.press("r")
        assert here.here == item(planned, "Headings").id
        assert "トークンの更新を再試行する" not in titles(here)
        for title in ("Newer", "one", "Before all that"):
            assert title in titles(here), title
        assert "⊘ blocked" in next(line for line in lines(here) if "Sign tokens" in line)


async def test_an_item_that_is_moved_takes_the_cursor_with_it(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Headings").id)
        box = "- [x] Headings and nested boxes\n"
        write_plan(
            planned.repository, ROADMAP.replace(box, "").replace("### Client side\n\n", "### Client side\n\n" + box)
        )
        do(planned, "work import", file="ROADMAP.md")
        await here.press("r")
        assert here.here == item(planned, "Headings").id
        assert "Client side" in here.detail


async def test_what_is_due_moves_on_with_the_clock(planned: House):
    async with visit(planned, "roadmap") as here:
        planned.clock.advance(5 * DAY)
        await here.press("r")
        assert "overdue 8d" in lines(here)[4] and "overdue 1d" in lines(here)[5]


async def test_a_branch_is_marked_as_it_stands(planned: House):
    planned.claim(CODEX, "branch:main")
    do(planned, "work set", id=item(planned, "Reject").id, branch="main")
    async with visit(planned, "roadmap", size=(160, 36)) as here:
        assert "✓ main" in lines(here)[5] and "× feat/auth" in lines(here)[3]
        await here.go_to(item(planned, "Reject").id)
        assert "main   ✓ clear" in here.detail


async def test_a_survey_that_ends_before_the_screen_stands_is_no_trouble(planned: House):
    async with visit(planned, "inbox") as here:
        here.app.action_go("roadmap")
        here.app.room_screen.surveyed()
        await here.settle()
        assert len(titles(here)) == 15


async def test_y_copies_the_id_and_shift_y_the_line(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Rotate keys").id)
        await here.press("y")
        assert here.app.clipboard == "W5"
        await here.press("Y")
        assert here.app.clipboard == "relay work show W5"


async def test_m_writes_to_the_owner(planned: House):
    async with visit(planned, "roadmap") as here:
        await here.go_to(item(planned, "Rotate keys").id)
        await here.press("m")
        await here.fill("how is it going")
    assert planned.poll(CODEX).messages[-1].body == "how is it going"


async def test_read_only_looks_and_says_why_it_does_not_act(planned: House):
    async with visit(planned, "roadmap", read_only=True) as here:
        await here.go_to(item(planned, "Rotate keys").id)
        await here.press("s", "1")
        assert "This screen is read-only." in here.toasts
    assert item(planned, "Rotate keys").status == "in-progress"


async def test_any_title_is_shown_edited_and_obeyed_by_nobody(house: House):
    texts = [*HOSTILE, "日本語の題名", "🚀 family 👩‍👩‍👧 flag 🇯🇵"]
    made = [do(house, "work add", title=text, owner=text, label=[text]).item.id for text in texts]
    async with visit(house, "roadmap") as here:
        await here.pilot.click(here.row_list, offset=(6, 0))
        for one in made:
            await here.go_to(one)
            await here.press("s", "2")
        await here.press("slash")
        await here.type("in-progress")
        await here.press("enter")
        for place, one in enumerate(made):
            await here.go_to(one)
            await here.press("e", "enter")
            assert here.app.is_running and inert(lines(here)[place]) == lines(here)[place]
            for segment in here.row_list.render_line(place):
                assert not segment.style.meta and not segment.style.link
    for text in texts:
        kept = item(house, text)
        assert (kept.title, kept.owner, kept.status) == (text, text, "in-progress")
