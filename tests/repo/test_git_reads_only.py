"""The proof that relay only reads git: every subcommand recorded, every byte of the repository compared."""

from __future__ import annotations

import os

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.repo.branch_contents import read_commits, read_diffstat, read_patch
from relay_tui.repo.details import dirty_paths, read_changed, read_details, read_dirty
from relay_tui.repo.facts import GitFacts
from relay_tui.repo.reader import read_git
from relay_tui.repo.runner import git_version
from tests.repo.git_fixture import (
    build_odd_repository,
    commit,
    git,
    make_repository,
    make_script,
    put_git_on_path,
    write,
)

READING = {
    "version",
    "worktree list",
    "for-each-ref",
    "config --null --get",
    "status",
    "rev-list",
    "log",
    "merge-base",
    "diff-tree",
}


def read_everything(repository: str) -> GitFacts:
    git_version()
    facts = read_git(repository, lambda: 0)
    refs = [branch.ref for branch in facts.branches]
    read_details(facts, refs), read_changed(facts, refs)
    read_dirty([tree.path for tree in facts.worktrees])
    dirty_paths(repository)
    for ref in refs:
        read_commits(facts, ref, 9), read_diffstat(facts, ref), read_patch(facts, ref)
    return facts


def every_byte(folder: str) -> dict[str, bytes | None]:
    files: dict[str, bytes | None] = {}
    for parent, folders, names in os.walk(folder):
        files |= {os.path.join(parent, name): None for name in folders}
        for name in names:
            with open(os.path.join(parent, name), "rb") as file:
                files[os.path.join(parent, name)] = file.read()
    return files


def subcommand(line: str) -> str:
    """The words after git's own options, as far as they decide whether it reads."""
    words = iter(line.split("\x1f")[:-1])
    rest: list[str] = []
    for word in words:
        if not rest and word in ("-C", "-c"):
            next(words)
        elif rest or not word.startswith("--"):
            rest.append(word)
    length = {"worktree": 2, "config": 3}.get(rest[0], 1)
    return " ".join(rest[:length])


def test_every_subcommand_that_relay_runs_reads(folder, monkeypatch):
    repository = build_odd_repository(f"{folder}/odd")
    log = f"{folder}/commands"
    record = f"{{ printf '%s\\037' \"$@\"; printf '\\036'; }} >>'{log}'"
    put_git_on_path(monkeypatch, f"{folder}/bin", record + '\nexec {git} "$@"')
    read_everything(repository)
    with open(log) as file:
        lines = file.read().split("\x1e")[:-1]
    assert {subcommand(line) for line in lines} == READING
    # GitPython's own start aside, no git runs without its folder, nor with a lock it could do without.
    ours = [line for line in lines if line != "version\x1f"]
    assert all(line.startswith("-C\x1f/") and "\x1f--no-optional-locks\x1f" in line for line in ours)


def test_reading_changes_no_byte_of_the_repository(folder):
    repository = build_odd_repository(f"{folder}/odd")
    # A plain `git status` would now write the index, to note that the file is still the same.
    os.utime(f"{repository}/README.md", (0, 0))
    before = every_byte(f"{folder}/odd")
    listed = git(repository, "worktree", "list", "--porcelain"), git(repository, "show-ref")
    read_everything(repository)
    assert every_byte(f"{folder}/odd") == before
    assert (git(repository, "worktree", "list", "--porcelain"), git(repository, "show-ref")) == listed
    git(repository, "status")
    assert every_byte(f"{folder}/odd") != before


def sign_head(repository: str) -> None:
    """Give the last commit a signature header, so that `log.showSignature` has something to check."""
    header, _, body = git(repository, "cat-file", "commit", "HEAD").partition("\n\n")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"
    signed = git(repository, "hash-object", "-t", "commit", "-w", "--stdin", stdin=f"{header}\n{signature}\n\n{body}")
    git(repository, "update-ref", "HEAD", signed.strip())


def test_no_program_named_in_the_repositorys_configuration_is_run(folder):
    repository = make_repository(f"{folder}/repo")
    commit(repository, "first", {"a.txt": "a\n", ".gitattributes": "*.txt diff=trap\n"})
    git(repository, "checkout", "-q", "-b", "x")
    commit(repository, "second", {"a.txt": "b\n"})
    sign_head(repository)
    write(repository, {"a.txt": "c\n"})
    witness = f"{folder}/witness"
    for key in ("core.fsmonitor", "diff.external", "diff.trap.textconv", "gpg.program"):
        trap = make_script(f"{folder}/{key}", f"echo {key} >>'{witness}'")
        git(repository, "config", key, trap)
    git(repository, "config", "log.showSignature", "true")

    facts = read_everything(repository)
    assert read_diffstat(facts, "refs/heads/x")
    assert not os.path.exists(witness)

    git(repository, "status"), git(repository, "diff", "main", "x"), git(repository, "log")
    git(repository, "diff", "--no-ext-diff", "main", "x")
    with open(witness) as file:
        sprung = set(file.read().split())
    assert sprung == {"core.fsmonitor", "diff.external", "diff.trap.textconv", "gpg.program"}


def test_a_partial_clone_is_not_completed_over_the_network(folder):
    origin = make_repository(f"{folder}/origin")
    commit(origin, "first", {"a.txt": "a\n"})
    git(origin, "checkout", "-q", "-b", "x")
    commit(origin, "second", {"a.txt": "b\n"})
    git(origin, "config", "uploadpack.allowFilter", "true")
    git(folder, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{origin}", "clone")
    clone = f"{folder}/clone"
    git(clone, "branch", "main", "origin/main")
    git(clone, "remote", "set-head", "origin", "main")
    git(clone, "config", "protocol.file.allow", "always")
    before = every_byte(clone)
    with pytest.raises(RelayError):
        read_patch(read_git(clone, lambda: 0), "refs/heads/x")
    assert every_byte(clone) == before
    git(clone, "diff", "main", "x")
    assert every_byte(clone) != before
