"""The pre-commit hook against the real git: what it stops, what it lets through, and how it goes away again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from relay_tui.actions.hooks import install, uninstall
from relay_tui.repo import hook_places, hooks
from relay_tui.room.ledger import Actor
from tests.actions.acting import refused
from tests.repo.git_fixture import add_worktree, commit, git, isolate_git, write
from tests.room_fixture import House, disk_full_after, refusal

PROJECT = str(Path(__file__).parents[2])
A, B = Actor("a"), Actor("b")
_RELAY = f"""\
#!{sys.executable}
import sys
sys.path[:0] = [{PROJECT!r}]
sys.argv[0] = "relay"
from relay_tui.cli.start import main
main()
"""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    isolate_git(monkeypatch)
    made = House(str(tmp_path))
    commit(made.repository, "tree", {"src/a.py": "a\n", "docs/x.md": "x\n"})
    made.clock.now = 1 << 60  # live for a process with a clock of its own
    made.join("a")
    made.join("b")
    return made


@pytest.fixture
def relay(house: House) -> str:
    """A `relay` that a hook can start."""
    path = os.path.join(house.folder, "bin", "relay")
    executable(path, _RELAY)
    return path


def executable(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")
    os.chmod(path, 0o755)


def hooks_folder(house: House) -> str:
    return hook_places.hooks_folder(house.repository, os.path.join(house.repository, ".git"))


def put_in(house: House, relay: str, *, advise: bool = False) -> hooks.HookChange:
    return hooks.install(hooks_folder(house), relay, advise=advise, dry_run=False)


def commit_as(house: House, name: str, *words: str, folder: str | None = None, path: str = "") -> tuple[int, str]:
    """The exit status of a real `git commit`, and what it and the hook said."""
    environment = {**os.environ, "RELAY_HOME": house.home, "RELAY_AGENT": name, "PATH": path or os.environ["PATH"],
                   **{f"GIT_{role}_{fact}": "t@example.com" for role in ("AUTHOR", "COMMITTER")
                      for fact in ("NAME", "EMAIL")}}  # fmt: skip
    done = subprocess.run(
        ["git", "commit", "-q", "-m", "x", *words], cwd=folder or house.repository, env=environment,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr


def stage(folder: str, *names: str) -> None:
    write(folder, dict.fromkeys(names, "changed\n"))
    git(folder, "add", *names)


def test_a_commit_of_what_another_holds_is_stopped_and_says_who(house: House, relay: str) -> None:
    house.claim(A, "src")
    assert put_in(house, relay).change == "created"
    stage(house.repository, "src/a.py")
    status, said = commit_as(house, "b")
    assert status == 1
    assert "src/a.py: src is held by a" in said
    assert "relay: the commit was stopped" in said
    assert commit_as(house, "b", "--no-verify") == (0, "")


def test_ones_own_and_what_is_free_is_committed_silently(house: House, relay: str) -> None:
    house.claim(A, "src")
    put_in(house, relay)
    stage(house.repository, "src/a.py")
    assert commit_as(house, "a") == (0, "")
    stage(house.repository, "docs/x.md")
    assert commit_as(house, "b") == (0, "")


def test_a_commit_of_named_paths_is_judged_by_those(house: House, relay: str) -> None:
    """Git makes an index for it, which holds less than the usual one, or more."""
    house.claim(A, "src")
    put_in(house, relay)
    stage(house.repository, "src/a.py")
    write(house.repository, {"docs/x.md": "changed\n"})
    assert commit_as(house, "b", "docs/x.md") == (0, "")
    git(house.repository, "reset", "-q")
    assert commit_as(house, "b", "src/a.py")[0] == 1


def test_the_first_commit_of_a_branch_without_any_is_judged_too(house: House, relay: str) -> None:
    house.claim(A, "src")
    put_in(house, relay)
    git(house.repository, "checkout", "-q", "--orphan", "fresh")
    assert commit_as(house, "b")[0] == 1


def test_every_worktree_is_guarded(house: House, relay: str) -> None:
    house.claim(A, "src")
    put_in(house, relay)
    tree = add_worktree(house.repository, os.path.join(house.folder, "tree"), "feat/x")
    stage(tree, "src/a.py")
    status, said = commit_as(house, "b", folder=tree)
    assert (status, "held by a" in said) == (1, True)


def test_advice_warns_and_commits(house: House, relay: str) -> None:
    house.claim(A, "src")
    put_in(house, relay)
    assert put_in(house, relay, advise=True).change == "updated"
    stage(house.repository, "src/a.py")
    status, said = commit_as(house, "b")
    assert status == 0
    assert "src/a.py: src is held by a" in said


@pytest.mark.parametrize("script", ["#!/bin/sh\nexit 1\n", "#!/bin/sh\nexit 4\n", "#!/bin/sh\nkill -9 $$\n"])
def test_a_relay_that_fails_stops_no_commit_and_that_is_said(house: House, relay: str, script: str) -> None:
    house.claim(A, "src")
    put_in(house, relay)
    executable(relay, script)
    stage(house.repository, "src/a.py")
    status, said = commit_as(house, "b")
    assert status == 0
    assert "could not look" in said


def test_a_relay_that_is_missing_stops_no_commit_and_that_is_said(house: House) -> None:
    put_in(house, "/nowhere/relay")
    stage(house.repository, "src/a.py")
    status, said = commit_as(house, "b", path="/usr/bin:/bin")
    assert status == 0
    assert "relay: not found" in said


def test_a_home_that_is_damaged_stops_no_commit(house: House, relay: str) -> None:
    put_in(house, relay)
    Path(house.home, "relay.toml").write_text("[gate\n", encoding="utf-8")
    house.claim(A, "src")
    stage(house.repository, "src/a.py")
    status, said = commit_as(house, "b")
    assert status == 0
    assert "is not TOML" in said


@pytest.mark.parametrize("mode", [0o755, 0o700, 0o644])
def test_an_earlier_hook_runs_first_and_comes_back_byte_for_byte(house: House, relay: str, mode: int) -> None:
    earlier = Path(hooks_folder(house), "pre-commit")
    earlier.parent.mkdir(exist_ok=True)
    before = b"#!/bin/sh\r\n" if mode == 0o644 else b"#!/bin/sh\necho \xff earlier >&2\nexit 3\n"
    earlier.write_bytes(before)
    earlier.chmod(mode)
    assert put_in(house, relay).change == ("kept" if mode == 0o644 else "chained")
    stage(house.repository, "docs/x.md")
    status, said = commit_as_bytes(house)
    assert (status, b"earlier" in said) == ((0, False) if mode == 0o644 else (1, True))
    assert put_in(house, relay).change == "none"
    assert hooks.uninstall(hooks_folder(house), dry_run=False).change == "removed"
    assert (earlier.read_bytes(), earlier.stat().st_mode & 0o777) == (before, mode)
    assert sorted(os.listdir(earlier.parent)) == sorted({"pre-commit", *samples(earlier.parent)})


def commit_as_bytes(house: House) -> tuple[int, bytes]:
    done = subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "x"],
        cwd=house.repository, env={**os.environ, "RELAY_HOME": house.home, "RELAY_AGENT": "b"}, capture_output=True,
        check=False,
    )  # fmt: skip
    return done.returncode, done.stderr


def samples(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.endswith(".sample")]


@pytest.mark.parametrize("text", ["#!/bin/sh\n", "#!/usr/bin/python3\n"])
def test_an_earlier_hook_comes_back_where_the_guard_was_deleted_by_hand(house: House, relay: str, text: str) -> None:
    hook = Path(hooks_folder(house), "pre-commit")
    executable(str(hook), text)
    put_in(house, relay)
    hook.unlink()
    assert hooks.uninstall(hooks_folder(house), dry_run=True).change == "restored"
    assert hooks.uninstall(hooks_folder(house), dry_run=False).change == "restored"
    assert hook.read_text(encoding="utf-8") == text
    assert hooks.uninstall(hooks_folder(house), dry_run=False).change == "none"


def test_a_link_to_a_hook_comes_back_as_a_link_even_where_it_leads_nowhere(house: House, relay: str) -> None:
    hook = Path(hooks_folder(house), "pre-commit")
    hook.parent.mkdir(exist_ok=True)
    hook.symlink_to("../../shared/pre-commit")
    assert put_in(house, relay).change == "kept"
    hooks.uninstall(hooks_folder(house), dry_run=False)
    assert os.readlink(hook) == "../../shared/pre-commit"


def test_a_hook_kept_before_is_not_written_over(house: House, relay: str) -> None:
    folder = hooks_folder(house)
    for name in ("pre-commit", "pre-commit.before-relay"):
        executable(os.path.join(folder, name), "#!/bin/sh\n")
    fault = refusal(put_in, house, relay)
    assert fault.code == "file_exists"
    assert Path(folder, "pre-commit").read_text(encoding="utf-8") == "#!/bin/sh\n"


def test_a_hook_that_cannot_be_written_leaves_the_earlier_one_in_its_place(house: House, relay: str) -> None:
    folder = Path(hooks_folder(house))
    executable(str(folder / "pre-commit"), "#!/bin/sh\n")
    names = os.listdir(folder)
    with disk_full_after(1000):
        assert refusal(put_in, house, relay).code == "storage"
    assert sorted(os.listdir(folder)) == sorted(names)
    (folder / "pre-commit").write_text("#!/usr/bin/python3\n", encoding="utf-8")
    (folder / "before-relay").touch()  # a file in the place of the folder for such a hook
    assert refusal(put_in, house, relay).code == "storage"
    assert sorted(os.listdir(folder)) == sorted([*names, "before-relay"])


def test_a_hook_of_somebody_else_is_not_taken_away(house: House) -> None:
    executable(os.path.join(hooks_folder(house), "pre-commit"), "#!/bin/sh\n")
    assert hooks.uninstall(hooks_folder(house), dry_run=False).change == "none"
    assert Path(hooks_folder(house), "pre-commit").exists()


@pytest.mark.parametrize("said", ["my hooks", "{folder}/shared"])
def test_the_folder_that_git_is_told_to_look_in_is_used(house: House, relay: str, said: str) -> None:
    said = said.format(folder=house.folder)
    git(house.repository, "config", "core.hooksPath", said)
    changed = put_in(house, relay)
    assert changed.path == os.path.join(house.repository, said, "pre-commit")
    house.claim(A, "src")
    stage(house.repository, "src/a.py")
    assert commit_as(house, "b")[0] == 1


def test_installing_is_for_a_repository_and_a_dry_run_writes_nothing(house: House, tmp_path: Path) -> None:
    dry = house.enter(house.repository, dry_run=True)
    hook = os.path.join(hooks_folder(house), "pre-commit")
    assert install(dry) == hooks.HookChange(hook, "created", [])
    assert not os.path.exists(hook)
    assert uninstall(house.room).change == "none"
    assert install(house.room).change == "created"
    assert uninstall(dry).change == "removed"
    assert os.path.exists(hook)
    (tmp_path / "plain").mkdir()
    assert refused(house.enter(str(tmp_path / "plain")), None, "hooks install").code == "no_file"


def test_a_folder_that_cannot_be_written_is_said(house: House, relay: str) -> None:
    git(house.repository, "config", "core.hooksPath", "README.md/hooks")
    assert refusal(put_in, house, relay).code == "storage"
