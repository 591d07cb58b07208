"""Pictures only; what the widgets do is asserted in the tests beside this one."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.tui.dialogs.confirm import ConfirmDialog, ForcedDialog
from relay_tui.tui.dialogs.form import Field
from relay_tui.tui.themes import LIGHT
from relay_tui.tui.widgets.command_bar import CommandBar
from relay_tui.tui.widgets.command_log import CommandLog, CommandLogScreen
from relay_tui.tui.widgets.glyphs import LETTERS
from tests.tui.conftest import Picture, at_both_sizes
from tests.tui.stages import DialogStage, FormStage, ListStage, branch_rows, hostile_rows


class OpenBarStage(ListStage):
    def on_mount(self) -> None:
        super().on_mount()
        lines = ["branch claim feat/a", "branches", "branch show [/]"]
        self.query_one(CommandBar).open(":", "br", lambda _: lines)


@at_both_sizes
def test_list_dark(picture: Picture, size):
    picture(ListStage(branch_rows()), "j", "space", size=size)


@at_both_sizes
def test_list_light(picture: Picture, size):
    picture(ListStage(branch_rows()), "j", "space", "j", theme=LIGHT.name, size=size)


def test_list_narrow(picture: Picture):
    picture(ListStage(branch_rows()), size=(60, 15))


def test_list_in_letters(picture: Picture):
    picture(ListStage(branch_rows(LETTERS), glyphs=LETTERS), "space")


@at_both_sizes
def test_list_of_hostile_text(picture: Picture, size):
    picture(ListStage(hostile_rows()), "j", size=size)


def test_list_empty(picture: Picture):
    picture(ListStage())


def test_command_bar_with_suggestions(picture: Picture):
    picture(OpenBarStage(branch_rows()), "tab")


def test_confirm(picture: Picture):
    picture(DialogStage(ConfirmDialog("Import roadmap.md", ["3 added", "1 retitled [/]"], "import")))


def test_forced_refuses_another_name(picture: Picture):
    affected = ["nimbus-2 · live, heard from 40s ago", "harbor-1 · quiet, heard from 3h ago"]
    picture(DialogStage(ForcedDialog("Release feat/a by force", affected, "feat/a")), "x", "enter", "enter")


@at_both_sizes
def test_form(picture: Picture, size):
    fields = [
        Field("to", required=True, help="who gets it"),
        Field("message", "text", required=True),
        Field("status", "choice", choices=("todo", "done")),
        Field("dry-run", "bool", help="show what would happen"),
        Field("labels", "list", default=["a b", "c"]),
    ]
    picture(FormStage(fields, "Send a message"), "ctrl+s", theme=LIGHT.name, size=size)


def test_command_log(picture: Picture):
    log = CommandLog()
    log.add(("relay", "send", "--to", "nimbus-2", "--message", "hi there"), "09:54:07", 12)
    refused = RelayError("claim_conflict", "nimbus-2 holds src.", "Ask with relay handoff ask.")
    log.add(("relay", "claim", "src/[id].tsx"), "09:54:09", 120, refused)
    picture(DialogStage(CommandLogScreen(log)))
