"""`relay setup` on real files: shown, written, written again, undone to the byte, and refused before any write."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from relay_tui.actions.setup import SetUp
from relay_tui.wiring import clients
from relay_tui.wiring.files import Keeper, put
from relay_tui.wiring.plan import FilePlan, Kept
from tests.actions.acting import act, refused
from tests.repo.git_fixture import add_worktree, git, isolate_git
from tests.room_fixture import House, disk_full_after

# A person's own files, each set in a way of its own.
THEIRS = {
    "AGENTS.md": "# Rules\n\nNo line end",
    "CLAUDE.md": "# Claude\r\n",
    ".mcp.json": '{"mcpServers":{"other":{"command":"x"}}}',
    ".claude/settings.json": '{\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say"}]}]}\n}\n',
    ".codex/config.toml": 'model = "x" # mine\n\n[mcp_servers.a]\ncommand = "b"\n',
    ".gemini/settings.json": "{}",
}
ALL = "setup claude codex opencode gemini --wake"


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """A repository beside a person's home; no client is on PATH."""
    isolate_git(monkeypatch)
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "bin").mkdir()
    (tmp_path / "person").mkdir()
    return House(str(tmp_path))


def write(house: House, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = Path(house.repository, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def files_of(folder: str) -> dict[str, bytes]:
    """Everything below a folder but git's own: a file by its bytes, a folder as nothing."""
    found = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        for name in [*names, *folders]:
            path = os.path.join(place, name)
            found[os.path.relpath(path, folder)] = Path(path).read_bytes() if name in names else b""
    return found


def setup(house: House, line: str, **options: Any) -> SetUp:
    found: SetUp = act(house.enter(house.repository, **options), None, line)
    return found


def changes(done: SetUp) -> dict[str, str]:
    return {os.path.basename(file.path): file.change for client in done.clients for file in client.files}


@pytest.mark.parametrize("theirs", [{}, THEIRS], ids=["no files", "a person's files"])
def test_what_setup_wrote_is_as_it_was_after_undo(house: House, theirs: dict[str, str]) -> None:
    write(house, theirs)
    before = files_of(house.repository)
    done = setup(house, ALL)
    assert len(done.changed) == 9
    assert set(changes(done).values()) == ({"created", "merged"} if theirs else {"created"})
    wired = files_of(house.repository)
    assert wired != before
    undone = setup(house, "setup --undo")
    assert set(undone.changed) == set(done.changed)
    assert files_of(house.repository) == before
    assert files_of(os.path.join(house.home, "setup")).keys() == {os.listdir(os.path.join(house.home, "setup"))[0]}
    assert setup(house, "setup --undo").changed == []


def test_a_second_setup_changes_nothing(house: House) -> None:
    write(house, THEIRS)
    setup(house, ALL)
    wired = files_of(house.repository)
    for line in (ALL, "setup", "setup claude"):
        again = setup(house, line)
        assert again.changed == []
        assert {file.diff for client in again.clients for file in client.files} == {""}
    assert files_of(house.repository) == wired


def test_a_dry_run_says_the_same_and_writes_nothing(house: House) -> None:
    write(house, THEIRS)
    before = files_of(house.folder)
    planned = setup(house, ALL, dry_run=True)
    assert files_of(house.folder) == before
    assert planned == setup(house, ALL)
    before = files_of(house.folder)
    assert setup(house, "setup --undo", dry_run=True).changed == planned.changed
    assert files_of(house.folder) == before


def test_the_difference_shown_is_the_one_that_is_made(house: House) -> None:
    """Git takes it out again with nothing but what was shown."""
    write(house, THEIRS)
    before = files_of(house.repository)
    done = setup(house, ALL)
    shown = "".join(file.diff for client in done.clients for file in client.files)
    assert shown.count("\n\\ No newline at end of file\n") == 5
    git(house.repository, "apply", "--reverse", "-", stdin=shown)
    assert {name for name in files_of(house.repository).items() ^ before.items() if name[1]} == set()


def test_a_persons_own_lines_stay_where_they_are(house: House) -> None:
    write(house, THEIRS)
    setup(house, ALL)
    wired = {name: Path(house.repository, name).read_bytes().decode() for name in THEIRS}
    for name in ("AGENTS.md", "CLAUDE.md", ".codex/config.toml"):
        assert wired[name].startswith(THEIRS[name])
    assert json.loads(wired[".mcp.json"])["mcpServers"]["other"] == {"command": "x"}
    stop = json.loads(wired[".claude/settings.json"])["hooks"]["Stop"]
    assert stop[0] == {"hooks": [{"type": "command", "command": "say"}]}
    assert [hook.get("asyncRewake") for hook in stop[1]["hooks"]] == [None, True]


def test_a_file_that_was_changed_meanwhile_loses_relays_part_only_and_it_is_said(house: House) -> None:
    write(house, {"AGENTS.md": "# Rules\n"})
    setup(house, "setup codex")
    agents, config = Path(house.repository, "AGENTS.md"), Path(house.repository, ".codex/config.toml")
    agents.write_text(agents.read_text(encoding="utf-8") + "\nNew rule.\n", encoding="utf-8")
    config.write_text("top = 1\n" + config.read_text(encoding="utf-8"), encoding="utf-8")
    undone = setup(house, "setup --undo")
    assert agents.read_text(encoding="utf-8") == "# Rules\n\nNew rule.\n"
    assert config.read_text(encoding="utf-8") == "top = 1\n"
    assert [note for client in undone.clients for note in client.notes] == [
        f"{name} was changed since relay wrote to it, so only relay's part was taken out."
        for name in (".codex/config.toml", "AGENTS.md")
    ]


def test_a_change_between_two_setups_is_what_undo_brings_back(house: House) -> None:
    setup(house, "setup claude")
    settings = Path(house.repository, ".claude/settings.json")
    person = json.loads(settings.read_text(encoding="utf-8"))
    settings.write_text(json.dumps({"model": "x", **person}), encoding="utf-8")
    setup(house, "setup claude --wake")
    setup(house, "setup --undo")
    assert json.loads(settings.read_text(encoding="utf-8")) == {"model": "x"}


def test_what_others_wired_is_taken_out_too_and_that_it_is_said(house: House, tmp_path: Path) -> None:
    """As after a clone or a move, where this home keeps nothing of it."""
    write(house, {"AGENTS.md": "# Rules\n"})
    setup(house, ALL)
    other = House(str(tmp_path / "other"), repository=house.repository)
    undone = setup(other, "setup --undo")
    assert {name: text.decode() for name, text in files_of(house.repository).items()} == {
        "README.md": "a\n", "AGENTS.md": "# Rules\n",
    }  # fmt: skip
    notes = [note for client in undone.clients for note in client.notes]
    assert len(notes) == len(undone.changed)
    assert notes[-1] == (
        "relay's home does not know what stood in AGENTS.md before, as after a clone or a move, "
        "so only relay's part was taken out."
    )
    assert all(note.endswith("so it was removed: nothing but relay's part was in it.") for note in notes[:-1])


def test_an_empty_object_that_relay_did_not_write_to_stays(house: House) -> None:
    write(house, {".mcp.json": "{}", ".claude/settings.json": '{"a": 1}'})
    before = files_of(house.repository)
    assert setup(house, "setup claude --undo").changed == []
    assert files_of(house.repository) == before


@pytest.mark.parametrize("line", ["setup --undo", "setup claude --undo", "setup"])
def test_a_wired_file_that_no_longer_parses_is_named_and_nothing_is_written(house: House, line: str) -> None:
    setup(house, "setup claude codex")
    settings = Path(house.repository, ".claude/settings.json")
    settings.write_text(settings.read_text(encoding="utf-8") + "}", encoding="utf-8")
    before = files_of(house.folder)
    fault = refused(house.room, None, line)
    assert (fault.code, ".claude/settings.json is not JSON" in fault.message) == ("invalid", True)
    assert files_of(house.folder) == before


def test_a_file_of_a_client_that_was_never_wired_is_in_nobodys_way(house: House) -> None:
    setup(house, "setup claude")
    write(house, {".gemini/settings.json": "{} // mine"})
    assert changes(setup(house, "setup --undo"))["AGENTS.md"] == "removed"


def test_a_persons_own_entries_of_relays_stay_and_come_back(house: House) -> None:
    hook = {"type": "command", "command": "relay hook stop --client claude", "timeout": 99}
    server = {"command": "relay", "args": ["mcp", "--channel"], "env": {"A": "b"}}
    write(house, {
        ".claude/settings.json": json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}),
        ".mcp.json": json.dumps({"mcpServers": {"relay": server}}),
    })  # fmt: skip
    before = files_of(house.repository)
    setup(house, "setup claude")
    wired = files_of(house.repository)
    assert wired[".mcp.json"] == before[".mcp.json"]
    hooks = json.loads(wired[".claude/settings.json"])["hooks"]
    assert (len(hooks), hooks["Stop"]) == (7, [{"hooks": [hook]}])
    setup(house, "setup --undo")
    assert files_of(house.repository) == before
    undone = setup(House(os.path.join(house.folder, "other"), repository=house.repository), "setup claude --undo")
    assert undone.changed == []
    assert files_of(house.repository) == before
    assert ".mcp.json still runs relay in a way that relay did not write; that stays yours." in [
        note for client in undone.clients for note in client.notes
    ]


def test_a_persons_own_plugin_of_that_name_is_refused(house: House) -> None:
    write(house, {".opencode/plugins/relay.js": "// relay: mine\n"})
    assert refused(house.room, None, "setup opencode").code == "file_exists"
    setup(house, "setup --undo")
    assert Path(house.repository, ".opencode/plugins/relay.js").read_text(encoding="utf-8") == "// relay: mine\n"


def test_two_names_of_one_file_lose_nobodys_part(house: House) -> None:
    write(house, {"CLAUDE.md": "# Notes\n", ".claude/settings.json": "{}", ".gemini/x": ""})
    Path(house.repository, "GEMINI.md").symlink_to("CLAUDE.md")
    before = files_of(house.repository)
    done = setup(house, "setup claude gemini")
    notes = Path(house.repository, "CLAUDE.md").read_text(encoding="utf-8")
    told = [file.change for client in done.clients for file in client.files if file.path.endswith("CLAUDE.md")]
    assert (told, notes.count("AGENTS.md")) == (["merged", "none"], 1)
    setup(house, "setup --undo")
    assert files_of(house.repository) == before
    Path(house.repository, ".gemini/settings.json").symlink_to("../.claude/settings.json")
    for line in ("setup claude gemini", "setup gemini"):
        assert refused(house.room, None, line).message.endswith("/settings.json are one file.")


@pytest.mark.parametrize(("name", "text", "code"), [
    (".mcp.json", "{} // mine", "invalid"), (".claude/settings.json", "[]", "invalid"),
    (".mcp.json", '{"mcpServers": {"relay": {"command": "x"}}}', "file_exists"),
    (".codex/config.toml", "model =", "invalid"), (".opencode/plugins/relay.js", "mine()\n", "file_exists"),
    ("AGENTS.md", "<!-- relay:end -->\n", "invalid"), ("CLAUDE.md", "\udcff", "invalid"),
    (".gemini/settings.json", '{"hooks": 1}', "invalid"), (".claude/skills/relay/SKILL.md", "mine\n", "file_exists"),
])  # fmt: skip
def test_what_cannot_be_merged_is_refused_before_anything_is_written(
    house: House, name: str, text: str, code: str
) -> None:
    path = Path(house.repository, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    before = files_of(house.folder)
    fault = refused(house.room, None, ALL)
    assert fault.code == code
    assert os.path.basename(name) in fault.message
    assert files_of(house.folder) == before


def test_a_link_to_gits_own_files_is_refused(house: House) -> None:
    Path(house.repository, "AGENTS.md").symlink_to(".git/config")
    before = Path(house.repository, ".git/config").read_bytes()
    fault = refused(house.room, None, "setup generic")
    assert (fault.code, "which is git's own" in fault.message) == ("outside_tree", True)
    assert Path(house.repository, ".git/config").read_bytes() == before


def test_what_is_no_plain_file_is_never_waited_for(house: House) -> None:
    os.mkfifo(os.path.join(house.repository, "AGENTS.md"))
    Path(house.repository, ".mcp.json").mkdir()
    assert refused(house.room, None, "setup generic").message.endswith("(it is no plain file).")
    assert refused(house.room, None, "setup claude").message.endswith("(it is no plain file).")


@pytest.mark.parametrize("line", ["setup claude", "setup claude --undo"])
def test_a_file_that_its_owner_protected_is_refused(house: House, line: str) -> None:
    write(house, {".mcp.json": "{}"})
    if "--undo" in line:
        setup(house, "setup claude")
    Path(house.repository, ".mcp.json").chmod(0o444)
    before = files_of(house.folder)
    fault = refused(house.room, None, line)
    assert (fault.code, fault.message) == ("refused", ".mcp.json is protected against writing.")
    assert files_of(house.folder) == before


def test_a_link_out_of_the_project_is_refused_and_one_inside_is_followed(house: House) -> None:
    outside = Path(house.folder, "person", "settings.json")
    outside.write_text("{}", encoding="utf-8")
    Path(house.repository, ".claude").mkdir()
    link = Path(house.repository, ".claude/settings.json")
    link.symlink_to(outside)
    assert refused(house.room, None, "setup claude").code == "outside_tree"
    assert outside.read_text(encoding="utf-8") == "{}"
    link.unlink()
    write(house, {"AGENTS.md": "# Rules\n"})
    Path(house.repository, "CLAUDE.md").symlink_to("AGENTS.md")
    assert changes(setup(house, "setup claude"))["AGENTS.md"] == "merged"
    assert "@AGENTS.md" not in Path(house.repository, "AGENTS.md").read_text(encoding="utf-8")
    assert Path(house.repository, "CLAUDE.md").is_symlink()


def test_a_file_where_a_folder_must_be_is_refused_by_a_dry_run_too(house: House) -> None:
    write(house, {"AGENTS.md": "# Rules\n", ".codex": ""})
    before = files_of(house.folder)
    for dry_run in (True, False):
        fault = refused(house.enter(house.repository, dry_run=dry_run), None, "setup claude codex")
        assert (fault.code, fault.message) == ("storage", f"{house.repository}/.codex is no folder.")
    assert files_of(house.folder) == before


def test_a_write_that_fails_takes_the_ones_before_it_back(house: House) -> None:
    write(house, {"AGENTS.md": "# Rules\n"})
    before = files_of(house.repository)
    with disk_full_after(1000):
        assert refused(house.room, None, "setup claude codex").code == "storage"
    assert files_of(house.repository) == before
    Path(house.home).mkdir(mode=0o700, exist_ok=True)
    shutil.rmtree(Path(house.home, "setup"))
    Path(house.home, "setup").touch()  # where what stood there before would be kept
    assert refused(house.room, None, "setup claude codex").code == "storage"
    assert files_of(house.repository) == before


def test_an_interrupt_stays_one_where_something_cannot_be_put_back(tmp_path: Path) -> None:
    class Interrupted(Keeper):
        def keep(self, path: str, kept: Kept) -> None:
            if path.endswith("two"):
                Path(self.root, "one").unlink()
                Path(self.root, "one").mkdir()
                raise KeyboardInterrupt

    plans = [FilePlan(str(tmp_path / name), name, None, "x\n") for name in ("one", "two")]
    with pytest.raises(KeyboardInterrupt):
        put(plans, Interrupted(str(tmp_path / "home"), str(tmp_path)))


def test_without_a_name_those_on_path_or_wired_are_set_up_and_else_agents_md_alone(house: House) -> None:
    assert [client.client for client in setup(house, "setup", dry_run=True).clients] == [clients.GENERIC]
    found = Path(house.folder, "bin", "codex")
    found.write_text("#!/bin/sh\n", encoding="utf-8")
    found.chmod(0o755)
    assert [client.client for client in setup(house, "setup").clients] == ["codex", clients.GENERIC]
    found.unlink()
    assert [client.client for client in setup(house, "setup").clients] == ["codex", clients.GENERIC]


def test_agents_md_stays_until_the_last_client_is_undone(house: House) -> None:
    setup(house, "setup claude codex")
    assert "AGENTS.md" not in changes(setup(house, "setup codex --undo"))
    assert changes(setup(house, "setup claude --undo"))["AGENTS.md"] == "removed"


def test_the_persons_own_files_are_written_with_user_alone(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    person = os.path.join(house.folder, "person")
    setup(house, ALL)
    assert files_of(person) == {}
    monkeypatch.setenv("CODEX_HOME", os.path.join(person, "codex"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", os.path.join(person, "claude"))
    done = setup(house, "setup claude codex opencode gemini --user")
    assert {os.path.relpath(path, person) for path in done.changed} == {
        "claude/settings.json", "claude/skills/relay/SKILL.md", "codex/config.toml",
        ".config/opencode/plugins/relay.js", ".gemini/settings.json",
    }  # fmt: skip
    diffs = "".join(file.diff for client in done.clients for file in client.files)
    assert f"+++ b/{person}/codex/config.toml" in diffs
    assert "+++ b/~/.gemini/settings.json" in diffs
    assert setup(house, "setup --user --undo").changed == done.changed
    assert files_of(person) == {}
    assert refused(house.room, None, "setup generic --user").code == "usage"


def test_it_works_in_a_linked_worktree_outside_of_git_and_without_a_home(house: House) -> None:
    tree = add_worktree(house.repository, os.path.join(house.folder, "tree"), "feat/x")
    os.makedirs(os.path.join(tree, "src"))
    assert act(house.enter(os.path.join(tree, "src")), None, "setup generic").changed == [f"{tree}/AGENTS.md"]
    plain = os.path.join(house.folder, "plain")
    os.makedirs(plain)
    assert act(house.enter(plain), None, "setup generic").changed == [f"{plain}/AGENTS.md"]
    assert not os.path.exists(os.path.join(house.home, "relay.db")), "no room is made"
    assert os.stat(house.home).st_mode & 0o777 == 0o700


def test_nothing_is_written_among_gits_own_files(house: House) -> None:
    inside = house.enter(os.path.join(house.repository, ".git"))
    assert refused(inside, None, "setup generic").code == "no_file"
    assert all(check.ok is None for check in act(inside, None, "doctor").checks if check.name in clients.NAMES)


def test_modes_of_files_stay(house: House) -> None:
    write(house, {".mcp.json": "{}"})
    path = Path(house.repository, ".mcp.json")
    path.chmod(0o640)
    setup(house, "setup claude")
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("line", ["setup vim", "setup codex --wake", "setup claude --wake --undo"])
def test_what_cannot_be_meant_is_a_usage_error(house: House, line: str) -> None:
    assert refused(house.room, None, line).code == "usage"


def test_the_doctor_says_of_each_client_how_it_stands(house: House) -> None:
    def said(client: str) -> tuple[bool | None, str, str]:
        found = next(
            check for check in act(house.enter(house.repository), None, "doctor").checks if check.name == client
        )
        return found.ok, found.text, found.hint

    assert said("codex") == (None, "not on PATH, not wired", "")
    setup(house, "setup claude codex")
    assert said("codex")[1] == "not on PATH, wired here, never seen in this room"
    assert "/hooks" in said("codex")[2]
    house.join("a", via="hook", runner="codex")
    assert said("codex") == (True, "not on PATH, wired here, last seen 0s ago over hook", "")
    write(house, {".mcp.json": "{}"})
    assert said("claude")[1:] == (
        "not on PATH, partly wired here, never seen in this room", "Run: relay setup claude",
    )  # fmt: skip
    setup(house, "setup codex --user")
    assert said("codex")[0] is False
    assert "runs twice" in said("codex")[1]
