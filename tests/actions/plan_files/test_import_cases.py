"""Every case file imported into a real room: the right tree or the right refusal, and the imports of `again`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from relay_tui.cli.texts.plans import import_plan as told_import
from relay_tui.room.work import flatten
from tests.actions.acting import act, refused
from tests.actions.plan_files.planning import changes_nothing, every_row, items, load, make_house, print_tree, put, say
from tests.repo.git_fixture import isolate_git
from tests.room_fixture import House

CASES = Path(__file__).parents[2] / "roadmap" / "cases"


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    isolate_git(monkeypatch)
    return make_house(str(tmp_path))


class TestCases:
    @pytest.mark.parametrize("name", sorted(path.stem for path in CASES.glob("*.tree")))
    def test_a_plan_becomes_the_tree_that_is_right(self, house: House, name: str) -> None:
        flags = CASES / f"{name}.flags"
        options = flags.read_text().strip() if flags.exists() else ""
        put(house, (CASES / f"{name}.md").read_bytes(), f"{name}.md")
        first = act(house.room, "operator", f"work import --file {name}.md {options}")
        tree = act(house.room, None, "work tree").items
        assert print_tree(tree) == (CASES / f"{name}.tree").read_text().splitlines()
        assert len(first.added) == len(flatten(tree))
        before = len(house.events())
        again = act(house.room, "operator", f"work import --file {name}.md")
        assert changes_nothing(again)
        assert again.unchanged == len(first.added)
        assert len(house.events()) == before
        house.assert_whole()

    @pytest.mark.parametrize("name", sorted(path.stem for path in CASES.glob("*.error")))
    def test_a_faulty_plan_is_refused_with_its_lines_and_nothing_is_applied(self, house: House, name: str) -> None:
        code, *lines = (CASES / f"{name}.error").read_text().split()
        before = every_row(house)
        put(house, (CASES / f"{name}.md").read_bytes())
        fault = refused(house.room, "operator", "work import --file PLAN.md")
        assert (fault.code, fault.details) == (code, {"lines": [int(line) for line in lines]})
        assert all(f"line {line}" in fault.message for line in lines)
        assert every_row(house) == before


class TestAgain:
    """again.1.md, then what is done in the room, then again.2.md: three values for every field."""

    @pytest.fixture
    def ids(self, house: House) -> dict[str, str]:
        load(house, (CASES / "again.1.md").read_bytes())
        for line in (CASES / "again.room").read_text().splitlines():
            _, title, *options = shlex.split(line)
            say(house, title, shlex.join(options))
        return {title: item.id for title, item in items(house).items()}

    @pytest.fixture
    def second(self, house: House, ids: dict[str, str]) -> Any:
        return load(house, (CASES / "again.2.md").read_bytes())

    def test_the_second_import_reports_what_the_file_changed(self, second: Any, ids: dict[str, str]) -> None:
        assert [item.title for item in second.added] == ["write the docs again"]
        assert [tuple(one) for one in second.retitled] == [
            (ids["write the tests"], "write the tests", "write the tests, all of them")
        ]
        assert second.reordered == [ids["write the parser"]]
        assert [(one.id, one.changes) for one in second.updated] == [(ids["same name"], {"status": ["todo", "done"]})]
        assert [tuple(one) for one in second.conflicts] == [
            (ids["take photographs"], "status", "todo", "done", "blocked")
        ]
        assert (second.moved, second.removed, second.dry_run) == ([], [], False)

    def test_the_room_keeps_what_it_changed_itself(self, house: House, second: Any) -> None:
        assert print_tree(act(house.room, None, "work tree").items) == [
            "roadmap todo Launch (2/7)",
            "  phase todo One (1/4)",
            "    task todo write the tests, all of them",
            "    task in-progress write the parser @codex-3",
            "    task todo same name",
            "    task done same name",
            "  phase todo Two (1/3)",
            "    task done write the docs",
            "    task blocked take photographs",
            "    task todo write the docs again",
        ]
        house.assert_whole()

    def test_the_third_import_changes_nothing_and_the_conflict_is_still_open(self, house: House, second: Any) -> None:
        before = every_row(house)
        third = load(house, (CASES / "again.2.md").read_bytes())
        assert changes_nothing(third)
        assert third.conflicts == second.conflicts
        assert every_row(house) == before

    @pytest.mark.parametrize(("prefer", "status"), [("file", "done"), ("room", "blocked")])
    def test_a_conflict_is_settled_by_preferring_one_side_once(
        self, house: House, second: Any, prefer: str, status: str
    ) -> None:
        text = (CASES / "again.2.md").read_bytes()
        assert load(house, text, f"--prefer {prefer}").conflicts == []
        assert items(house)["take photographs"].status == status
        last = load(house, text)
        assert (last.conflicts, changes_nothing(last)) == ([], True)
        house.assert_whole()

    def test_what_people_are_told(self, second: Any, ids: dict[str, str]) -> None:
        lines = list(told_import(second, 0))
        assert lines[0] == "PLAN.md: 1 added, 1 updated, 1 retitled, 1 reordered, 5 unchanged, 1 conflict."
        tests, photographs = ids["write the tests"], ids["take photographs"]
        assert f"  retitled   {tests}  write the tests → write the tests, all of them" in lines
        assert f"  conflict   {photographs}  status: file says done, room says blocked (was todo)" in lines
