"""What an import would change, as lines and as keys: no app, no room."""

from __future__ import annotations

from typing import Any

from relay_tui.actions.plan_files.importing import (
    Aside,
    FieldConflict,
    Imported,
    ItemMove,
    ItemRetitle,
    ItemUpdate,
    Remark,
)
from relay_tui.room.work import Item
from relay_tui.tui.rows_of.plan import SHOWN, changes_nothing, offers_of, plan_lines
from relay_tui.tui.widgets.glyphs import UNICODE
from tests.tui.items import one

NOTHING = Imported("ROADMAP.md", True, [], [], [], [], [], [], 0, [], [], [])
TITLES = {"W1": "Launch", "W2": "Ship [/]"}


def told(**parts: Any) -> str:
    return "\n".join(str(line) for line in plan_lines(NOTHING._replace(**parts), TITLES, UNICODE))


def added(item_id: str, parent: str | None = None, **said: Any) -> Item:
    return one(title=f"title of {item_id}", **said)._replace(id=item_id, parent=parent)


def test_every_part_of_the_plan_is_told_by_title():
    words = told(
        added=[added("W8"), added("W9", "W8", status="blocked")],
        updated=[ItemUpdate("W2", {"status": ["todo", "done"], "labels": [["a"], []]})],
        retitled=[ItemRetitle("W3", "old [b]", "new")],
        moved=[ItemMove("W2", "W1", None)],
        reordered=["W2"],
        removed=["W1"],
        unchanged=1200,
        conflicts=[FieldConflict("W2", "status", "todo", "done", "blocked")],
        left_aside=[Aside("bullets", [3, 4, 5, 6, 7, 8, 9], "7 bullets in 1 section are not tasks: `--bullets`")],
        warnings=[Remark(12, "'due:soon' is not a date."), Remark(None, "No heading is called 'x'.")],
    )
    lines = words.split("\n")
    assert lines[0] == (
        "1 in conflict · 2 added · 1 updated · 1 retitled · 1 moved · 1 reordered · 1 gone · 1,200 unchanged"
    )
    for line in (
        "  W2  Ship [/]",
        "    status: the file says done, the room blocked, it was todo",
        "  line 12: 'due:soon' is not a date.",
        "  No heading is called 'x'.",
        "  7 bullets in 1 section are not tasks: `--bullets`  (lines 3, 4, 5, 6, 7, 8 and 1 more)",
        "  W1  Launch",
        "  W3  old [b] → new",
        "  W2  Ship [/]: status todo → done, labels a → nothing",
        "  W2  Ship [/]: below W1 → the top",
        "  title of W8",
        "    title of W9   ⊘ blocked",
    ):
        assert line in lines, line
    assert words.index("until you settle them") < words.index("warnings") < words.index("added\n")


def test_a_plan_that_changes_nothing_says_so():
    assert changes_nothing(NOTHING) and not changes_nothing(NOTHING._replace(reordered=["W1"]))
    assert told(unchanged=3) == "Nothing would change: 3 unchanged."
    assert told() == "Nothing would change: there is no item in it."


def test_a_long_part_is_cut_and_says_how_much_more_there_is():
    lines = told(removed=["W1"] * (SHOWN + 1200)).split("\n")
    assert lines.count("  W1  Launch") == SHOWN and lines[-1] == "  and 1,200 more"


def test_text_of_the_file_acts_on_nothing():
    words = told(
        retitled=[ItemRetitle("W2", "a\x1b[31m", "[@click=app.quit]x[/]")],
        updated=[ItemUpdate("W2", {"note": ["one\ntwo", "\u202egpj"]})],
    )
    assert "W2  a\\x1b[31m → [@click=app.quit]x[/]" in words
    assert "note one … → \\u202egpj" in words


def test_keys_are_offered_only_for_what_they_can_change():
    def keys(said: dict[str, object], **parts: Any) -> str:
        return "".join(offer.key for offer in offers_of(NOTHING._replace(**parts), said))

    aside = [
        Aside("bullets", [1], "1 bullet in 1 section is not a task: `--bullets`"),
        Aside("section", [2], "1 heading without a checkbox below: `--sections`"),
        Aside("section", [2], "1 line left out by `--only` and `--skip`"),
    ]
    conflict = [FieldConflict("W2", "status", "todo", "done", "blocked")]
    assert keys({}) == ""
    assert keys({}, left_aside=aside) == "bs"
    assert keys({"bullets": True}, left_aside=aside) == "s"
    assert keys({}, conflicts=conflict, removed=["W1"]) == "frc"
    assert keys({"prefer": "file"}, conflicts=conflict) == "r"
