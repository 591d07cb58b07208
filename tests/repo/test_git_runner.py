"""How git is run: found, bounded in time, ended, and left alone by its surroundings."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from relay_tui.base.errors import RelayError
from relay_tui.repo.branch_contents import read_commits, read_diffstat, read_patch
from relay_tui.repo.details import read_details
from relay_tui.repo.reader import read_git
from relay_tui.repo.runner import LOCAL_VARIABLES, git_version, run, start
from tests.repo.git_fixture import add_worktree, commit, git, put_git_on_path, wait_until_dead

REPOSITORY_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run_python(code: str) -> str:
    """In a clean interpreter, with the environment as the test left it."""
    environment = {**os.environ, "PYTHONPATH": REPOSITORY_ROOT}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


FIRST_CALL = """
from relay_tui.base.errors import RelayError
from relay_tui.repo.runner import git_version
try:
    git_version(deadline=0.3)
except RelayError as error:
    print(error.code, '|', error.message, '|', error.hint)
"""


def test_git_version_is_three_numbers(folder):
    assert git_version() == tuple(int(n) for n in git(folder, "version").split()[2].split(".")[:3])


@pytest.mark.parametrize(
    ("words", "version"),
    [
        ("git version 2.46.0 (Apple Git-154)", (2, 46, 0)),
        ("git version 2.47.1.windows.1", (2, 47, 1)),
        ("git version 2.48.rc1", (2, 48)),
        ("something else", ()),
    ],
)
def test_git_version_reads_what_vendors_print(folder, monkeypatch, words, version):
    git_version()
    put_git_on_path(monkeypatch, f"{folder}/bin", f"echo '{words}'")
    assert git_version() == version


def test_a_git_that_sleeps_times_out_and_nothing_of_it_is_left(repository, folder, monkeypatch):
    git_version()
    put_git_on_path(monkeypatch, f"{folder}/bin", f"sleep 60 & echo $! >>{folder}/sleeping; wait")
    with pytest.raises(RelayError) as caught:
        read_git(repository, lambda: 0, deadline=0.3)
    assert (caught.value.code, caught.value.exit_code) == ("timeout", 6)
    assert "did not answer within 0.3 s" in caught.value.message
    with open(f"{folder}/sleeping") as file:
        sleeping = [int(line) for line in file]
    assert len(sleeping) == 2
    assert all(wait_until_dead(pid) for pid in sleeping)
    assert psutil.Process().children() == []


def test_a_child_that_outlives_git_and_holds_the_pipe_is_ended_too(repository, folder, monkeypatch):
    git_version()
    put_git_on_path(monkeypatch, f"{folder}/bin", f"sleep 60 & echo $! >{folder}/sleeping")
    with pytest.raises(RelayError, match="did not answer"):
        run(repository, "version", deadline=0.3)
    with open(f"{folder}/sleeping") as file:
        assert wait_until_dead(int(file.read()))


def test_a_git_that_sleeps_on_the_very_first_call_times_out(folder, monkeypatch):
    put_git_on_path(monkeypatch, f"{folder}/bin", "sleep 60")
    assert run_python(FIRST_CALL).startswith("timeout | git version did not answer within 0.3 s")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_who_ends_relay_ends_the_git_that_it_waits_for(folder, monkeypatch, number):
    says_who = f"sleep 0.2; echo $$ >{folder}/new; mv {folder}/new {folder}/pid"  # by then relay knows of it
    put_git_on_path(monkeypatch, f"{folder}/bin", f"{says_who}; exec sleep 60")
    code = "from relay_tui.repo.runner import run; run('/', 'version', deadline=60)"
    relay = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": REPOSITORY_ROOT}, stderr=-3)
    while not os.path.exists(f"{folder}/pid"):
        assert relay.poll() is None
        time.sleep(0.01)
    relay.send_signal(number)
    assert relay.wait(30) == -number
    with open(f"{folder}/pid") as file:
        assert wait_until_dead(int(file.read()))


def test_no_time_left_starts_nothing(repository, folder, monkeypatch):
    git_version()
    put_git_on_path(monkeypatch, f"{folder}/bin", f"touch {folder}/started")
    with pytest.raises(RelayError) as caught:
        start(repository, "version", deadline=0)
    assert (caught.value.code, caught.value.message) == ("timeout", "git version was not asked: no time was left.")
    assert not os.path.exists(f"{folder}/started")


def test_leaving_the_block_early_ends_git(repository, folder, monkeypatch):
    git_version()
    put_git_on_path(monkeypatch, f"{folder}/bin", "sleep 60")
    with start(repository, "version"):
        assert len(psutil.Process().children()) == 1
    assert psutil.Process().children() == []


def test_without_git_the_error_says_so(repository, folder, monkeypatch):
    git_version()
    monkeypatch.setenv("PATH", f"{folder}/empty")
    with pytest.raises(RelayError) as caught:
        read_git(repository, lambda: 0)
    assert (caught.value.code, caught.value.message) == (
        "no_file", "git was not found on this machine's PATH.",
    )  # fmt: skip


def test_without_git_the_first_call_says_so(folder, monkeypatch):
    monkeypatch.setenv("PATH", f"{folder}/empty")
    assert run_python(FIRST_CALL) == (
        "no_file | git was not found on this machine's PATH. | Install git, or add it to PATH."
    )


def test_without_git_in_a_hooks_environment_the_error_says_so(repository, folder, monkeypatch):
    git_version()
    os.makedirs(f"{folder}/bin")
    os.symlink("/usr/bin/env", f"{folder}/bin/env")
    monkeypatch.setenv("PATH", f"{folder}/bin")
    monkeypatch.setenv("GIT_DIR", f"{repository}/.git")
    with pytest.raises(RelayError, match="git was not found"):
        run(repository, "version")


def test_a_git_that_makes_no_sense_is_an_error_with_a_hint(folder, monkeypatch):
    put_git_on_path(monkeypatch, f"{folder}/bin", "echo nonsense")
    with pytest.raises(RelayError) as caught:
        read_git(folder, lambda: 0)
    assert (caught.value.code, caught.value.message) == (
        "invalid", "git worktree or for-each-ref answered something that relay cannot read.",
    )  # fmt: skip
    assert "command -v git" in caught.value.hint


@pytest.mark.parametrize("name", ["GIT_PYTHON_GIT_EXECUTABLE", "GIT_PYTHON_REFRESH"])
def test_what_a_person_told_gitpython_changes_nothing_and_stays(repository, monkeypatch, name):
    monkeypatch.setenv(name, "/nonexistent")
    code = f"import os; from relay_tui.repo.runner import git_version; print(git_version()[0], os.environ[{name!r}])"
    assert run_python(code).split() == ["2", "/nonexistent"]


def test_the_first_call_starts_that_git_alone_and_in_a_session_of_its_own(repository, folder, monkeypatch):
    put_git_on_path(monkeypatch, f"{folder}/bin", f'ps -o sid= -p $$ >>"{folder}/sessions"\nexec {{git}} "$@"')
    run_python("from relay_tui.repo.runner import run; run('/', 'version')")
    with open(f"{folder}/sessions", encoding="utf-8") as file:
        (session,) = file.read().split()
    assert int(session) != os.getsid(0)


def test_a_failure_without_words_names_the_command_and_its_status(repository):
    with pytest.raises(RelayError) as caught:
        run(repository, "merge-base", "--is-ancestor", "HEAD", "HEAD^{tree}")
    assert (caught.value.code, caught.value.exit_code) == ("invalid", 4)
    line = f"git -C {repository} merge-base --is-ancestor HEAD 'HEAD^{{tree}}'"
    assert caught.value.hint == f"To see what it says, run: {line}"
    with pytest.raises(RelayError, match="git: config ended with status 1"):
        run(repository, "config", "--get", "not.set")


def test_every_variable_that_binds_git_to_a_repository_is_dropped(folder):
    assert set(git(folder, "rev-parse", "--local-env-vars").split()) <= set(LOCAL_VARIABLES)


def test_relays_own_folder_may_be_gone(repository, folder, monkeypatch):
    os.makedirs(f"{folder}/gone")
    monkeypatch.chdir(f"{folder}/gone")
    os.rmdir(f"{folder}/gone")
    assert read_git(repository, lambda: 0).repository == f"{repository}/.git"


def test_gitpython_is_not_imported_before_git_is_asked():
    modules = "relay_tui.repo.facts, relay_tui.repo.reader, relay_tui.repo.details, relay_tui.repo.worktrees"
    assert run_python(f"import sys, {modules}; print('git' in sys.modules, 'gitdb' in sys.modules)") == ("False False")


def test_the_facts_weigh_nothing():
    heavy = "{'typing', 'subprocess', 're', 'git'}"
    assert run_python(f"import sys, relay_tui.repo.facts; print(*({heavy} & set(sys.modules)))") == ""


def test_repeated_reads_leave_no_child_and_no_descriptor(repository, folder):
    commit(add_worktree(repository, f"{folder}/wt", "x"), "second", {"b.txt": "b\n"})
    ref, process = "refs/heads/x", psutil.Process()

    def read_everything() -> None:
        facts = read_git(repository, lambda: 0)
        read_details(facts, [branch.ref for branch in facts.branches])
        read_commits(facts, ref, 9), read_diffstat(facts, ref), read_patch(facts, ref)
        with pytest.raises(RelayError):
            read_git(folder, lambda: 0)

    read_everything()
    descriptors, threads = process.num_fds(), process.num_threads()
    for _ in range(5):
        read_everything()
    assert (process.children(), process.num_fds(), process.num_threads()) == ([], descriptors, threads)
