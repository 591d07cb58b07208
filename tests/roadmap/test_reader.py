"""Reading a plan: levels, boxes, notes, what is left aside, and what is refused."""

from __future__ import annotations

import sys

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.roadmap.lines import LARGEST_FILE
from tests.roadmap.plan_room import print_tree, read, titles


def only_item(text, **choices):
    (roadmap,) = read(text, **choices).nodes
    (item,) = roadmap.children
    return item


class TestLevels:
    def test_headings_are_roadmap_phase_epic_and_deeper_ones_tasks(self):
        tree = print_tree(read("# A\n## B\n### C\n#### D\n##### E\n- [ ] f\n  - [ ] g\n").nodes)
        kinds = [line.split()[0] for line in tree]
        assert kinds == ["roadmap", "phase", "epic", "task", "task", "task", "todo"]

    def test_skipped_levels_hang_under_the_nearest_heading_above(self):
        assert titles(read("# A\n### C\n- [ ] x\n## B\n- [ ] y\n").nodes) == [("A", [("C", ["x"]), ("B", ["y"])])]

    def test_each_first_level_heading_is_a_roadmap(self):
        assert titles(read("# A\n- [ ] x\n# B\n- [ ] y\n").nodes) == [("A", ["x"]), ("B", ["y"])]

    def test_what_stands_above_the_first_heading_hangs_under_the_name_of_the_file(self):
        reading = read("- [ ] loose\n\n# A\n- [ ] x\n", "docs/TODO.md")
        assert titles(reading.nodes) == [("TODO", ["loose"]), ("A", ["x"])]
        assert reading.title == "TODO"

    def test_a_heading_without_text_is_still_a_place(self):
        assert titles(read("#\n##\n- [ ] x\n", "ROADMAP.md").nodes) == [("ROADMAP", [("Untitled", ["x"])])]

    def test_a_box_inside_a_plain_bullet_is_a_task_of_the_section(self):
        tree = print_tree(read("# A\n- group\n  - [ ] x\n    - [ ] y\n").nodes)
        assert tree == ["roadmap todo A (0/1)", "  task todo x (0/1)", "    todo todo y"]

    def test_a_box_inside_a_plain_bullet_of_an_item_is_its_todo(self):
        item = only_item("# A\n- [ ] x\n  - details\n    - [ ] y\n")
        assert titles([item]) == [("x", ["y"])]
        assert item.note == "- details"

    def test_lists_deeper_than_are_read_are_said_with_their_line(self):
        lines = [f"{'  ' * depth}- [ ] d{depth}\n" for depth in range(60)]
        reading = read("".join(lines))
        assert len(reading.walk()) == 51
        assert [warning.line for warning in reading.warnings] == [51]

    def test_a_link_definition_is_no_paragraph_that_a_list_would_continue(self):
        assert titles(read("[a]: https://b.c\n2. [ ] x\n").nodes) == [("plan", ["x"])]

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_any_line_end_reads_the_same(self, end):
        text = "# A\n\n- [ ] x\n  more\n  - [x] y\n"
        plain, ended = read(text), read("\ufeff" + text.replace("\n", end))
        assert plain == ended

    def test_characters_that_only_python_breaks_lines_at_do_not_shift_lines(self):
        assert read("# A\n- [ ] x\x0by\x85z\u2028w\n- [x] end\n").nodes[0].children[1].line == 3


class TestBoxes:
    @pytest.mark.parametrize(
        ("mark", "status"),
        [
            (" ", "todo"),
            ("x", "done"),
            ("X", "done"),
            ("/", "in-progress"),
            ("~", "in-progress"),
            ("-", "cancelled"),
            ("!", "blocked"),
            ("?", "review"),
        ],
    )
    def test_the_mark_says_the_status_and_where_it_stands(self, mark, status):
        item = only_item(f"1) [{mark}] title\n")
        assert (item.status, item.box) == (status, (1, 4, mark))

    @pytest.mark.parametrize("text", ["- [>] x", "- [x]x", "- [] x", "- [x](https://a.b)", "- \\[ ] x"])
    def test_what_is_no_box_is_a_plain_bullet(self, text):
        reading = read(f"# A\n- [ ] real\n{text}\n")
        assert titles(reading.nodes) == [("A", ["real"])]
        assert reading.left_aside[0].lines == (3,)

    def test_a_box_without_a_title_is_said_and_no_item(self):
        reading = read("# A\n- [ ]\n- [x] <!-- relay:W3 -->\n- [ ] x\n")
        assert titles(reading.nodes) == [("A", ["x"])]
        assert [warning.line for warning in reading.warnings] == [2, 3]

    def test_emoji_mean_nothing_where_there_is_a_box(self):
        item = only_item("- [ ] ship ✅\n")
        assert (item.title, item.status) == ("ship ✅", "todo")

    def test_a_struck_title_is_cancelled_with_its_attributes(self):
        item = only_item("- [ ] ~~old plan @ana~~ #core\n")
        assert (item.title, item.status, item.owner, item.labels) == (
            "old plan",
            "cancelled",
            "ana",
            ("core",),
        )

    def test_a_parent_keeps_its_own_status(self):
        assert only_item("- [ ] a\n  - [x] b\n").status == "todo"


class TestNotes:
    def test_paragraphs_bullets_and_fences_under_an_item_are_its_note_as_written(self):
        item = only_item("- [ ] a\n\n  One *line*.\n\n  - point\n\n  ```sh\n  - [ ] no\n  ```\n  - [ ] b\n")
        assert item.note == "One *line*.\n\n- point\n\n```sh\n- [ ] no\n```"
        assert item.children[0].note is None

    def test_a_wrapped_title_is_one_line_and_no_note(self):
        item = only_item("- [ ] a\n   b\nc  @ana\n")
        assert (item.title, item.owner, item.note) == ("a b c", "ana", None)

    def test_paragraphs_under_a_heading_are_its_note(self):
        assert read("# A\nIntro\nmore\n\nThen\n\n- [ ] x\n").nodes[0].note == "Intro\nmore\n\nThen"


class TestProse:
    TEXT = "# A\n\n## Plan\n- [ ] x\n\n## Notes\n- one\n- two\n  - deeper\n\n| Item | Status |\n|-|-|\n| t | done |\n"

    def test_what_is_left_aside_is_counted_with_its_lines(self):
        said = {part.kind: (part.lines, part.text) for part in read(self.TEXT).left_aside}
        assert said == {
            "bullets": ((7, 8), "2 bullets in 1 section are not tasks: `--bullets`"),
            "table": ((13,), "1 row in 1 table is not a task: `--tables`"),
            "section": ((6,), "1 heading without a checkbox below: `--sections`"),
        }

    def test_each_choice_takes_its_kind_in(self):
        assert titles(read(self.TEXT, bullets=True).nodes) == [("A", [("Plan", ["x"]), ("Notes", ["one", "two"])])]
        assert titles(read(self.TEXT, tables=True).nodes) == [("A", [("Plan", ["x"]), ("Notes", ["t"])])]
        assert titles(read(self.TEXT, sections=True).nodes) == [("A", [("Plan", ["x"]), "Notes"])]

    def test_all_choices_leave_nothing_aside(self):
        assert read(self.TEXT, bullets=True, tables=True, sections=True).left_aside == ()

    def test_a_marker_makes_a_heading_an_item(self):
        assert titles(read("# A\n- [ ] x\n## Later <!-- relay:W4 -->\n").nodes) == [("A", ["x", "Later"])]

    def test_without_any_checkbox_the_headings_are_the_items(self):
        assert titles(read("# A\n## B\n- plain\n").nodes) == [("A", ["B"])]

    def test_only_takes_a_heading_with_what_is_below_it(self):
        reading = read("# A\n- [ ] x\n## B\n- [ ] y\n### C\n- [ ] z\n## D\n- [ ] w\n", only=("b",))
        assert titles(reading.nodes) == [("A", [("B", ["y", ("C", ["z"])])])]
        assert reading.left_aside[0].lines == (2, 7, 8)

    def test_skip_leaves_a_heading_out_with_what_is_below_it(self):
        reading = read("# A\n- [ ] x\n## B\n- [ ] y\n### C\n- [ ] z\n", skip=("## B",))
        assert titles(reading.nodes) == [("A", ["x"])]
        assert reading.left_aside[0].lines == (3, 4, 5, 6)

    def test_an_unknown_only_is_refused_and_an_unknown_skip_said(self):
        with pytest.raises(RelayError) as refused:
            read("# A\n- [ ] x\n", only=("Z",))
        assert refused.value.code == "invalid"
        assert "'Z'" in read("# A\n- [ ] x\n", skip=("Z",)).warnings[0].text


class TestTables:
    def test_only_tables_with_a_status_column_count(self):
        reading = read("# A\n| Item | Size |\n|-|-|\n| t | 3 |\n", tables=True)
        assert titles(reading.nodes) == ["A"]

    def test_the_title_is_the_first_column_where_none_is_named_so(self):
        text = "| Status | What | Owner |\n|-|-|-|\n| wip | build | — |\n| Blocked | test | @ana |\n"
        assert print_tree(read(text, tables=True).nodes)[1:] == [
            "  task in-progress build",
            "  task blocked test @ana",
        ]

    def test_an_unknown_status_is_said_and_read_as_todo(self):
        reading = read("| Task | Status |\n|-|-|\n| t | soonish |\n", tables=True)
        assert reading.nodes[0].children[0].status == "todo"
        assert "'soonish'" in reading.warnings[0].text
        assert reading.warnings[0].line == 3


class TestFrontMatter:
    def test_it_names_the_roadmap_and_is_no_item(self):
        text = "---\ntitle: 'The plan'\nowner: @ana\nlabels:\n  - core\n  - ui\ndue: 2026-12-24\n---\n- [ ] x\n"
        (roadmap,) = read(text).nodes
        assert print_tree([roadmap])[0] == "roadmap todo The plan @ana #core #ui due:2026-12-24 (0/1)"
        assert roadmap.children[0].line == 9

    def test_a_heading_keeps_its_own_title_and_owner(self):
        (roadmap,) = read("---\ntitle: T\nowner: ana\nlabels: [a, b]\n---\n# H @bob\n- [ ] x\n").nodes
        assert (roadmap.title, roadmap.owner, roadmap.labels) == ("H", "bob", ("a", "b"))

    @pytest.mark.parametrize("text", ["---\n- [ ] x\n---\n", "---\nno pair\n- [ ] x\n---\n", "---\n---\n- [ ] x\n"])
    def test_a_rule_is_not_taken_for_front_matter(self, text):
        assert titles(read(text).nodes) == [("plan", ["x"])]

    def test_a_heading_between_rules_is_kept(self):
        assert titles(read("---\n# T\n---\n- [ ] x\n").nodes) == [("T", ["x"])]

    def test_a_bad_date_is_said_with_its_line(self):
        reading = read("---\ntitle: T\ndue: 2026-02-30\n---\n- [ ] x\n")
        assert (reading.nodes[0].due, reading.warnings[0].line) == (None, 3)


class TestRefused:
    def test_an_empty_file_has_no_nodes(self):
        assert read(b"", "EMPTY.md")[:2] == ("EMPTY", ())

    def test_a_file_above_sixteen_mebibytes_is_too_large(self):
        with pytest.raises(RelayError) as refused:
            read(b"x" * (LARGEST_FILE + 1))
        assert refused.value.code == "too_large"
        assert "16 MiB" in refused.value.message

    @pytest.mark.parametrize("text", [b"# A\n\r\n- [ ] \xff\n", b"# A\r\r- [ ] \0\n"])
    def test_what_is_not_text_is_invalid_with_its_line(self, text):
        with pytest.raises(RelayError) as refused:
            read(text)
        assert (refused.value.code, refused.value.details) == ("invalid", {"lines": [3]})


def test_importing_the_reader_does_not_load_the_parser():
    import subprocess

    code = "import sys, relay_tui.roadmap.reader; print('markdown_it' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "False"
