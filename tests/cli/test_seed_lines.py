"""The eighteen lines that the project was asked for, each as it stands."""

from __future__ import annotations

import pytest

from relay_tui.base.times import DAY
from tests.cli.conftest import CommandLine
from tests.repo.git_fixture import git, write

ROADMAP = """\
# Roadmap

## Phase 1: sign-in

### Epic: tokens

- [x] Rotate
- [x] Revoke
- [ ] Refresh
- [ ] Audit

### Epic: forms

- [x] Fields
- [x] Errors
- [ ] Labels
- [ ] Focus
- [ ] Order

## Phase 2: search

- [ ] Index
- [ ] Rank
- [ ] Page
- [ ] Filter
- [ ] Sort
- [ ] Save
"""


@pytest.fixture
def seeded(relay: CommandLine) -> CommandLine:
    """A repository with ROADMAP.md, packet.txt and the branch feat/auth; codex-3, claude-1 and lead joined."""
    write(relay.repository, {"ROADMAP.md": ROADMAP, "packet.txt": "evidence\n", "src/auth/session.js": "//\n"})
    git(relay.repository, "branch", "feat/auth")
    relay.open_gates()
    for name in ("codex-3", "claude-1", "lead"):
        relay.ok(f"join --as {name}")
    return relay


def test_a_review_request_is_sent_fetched_handled_and_receipted(seeded: CommandLine) -> None:
    said = seeded.ok(
        'send --as codex-3 --to claude-1 --summary "Review request" --message "Auth rewrite is ready"'
        " --attach ./packet.txt"
    )
    message = said.split()[0]
    assert said.startswith(f"{message} stored for 1 recipient.\n")
    inbox = seeded.ok("inbox --as claude-1 --unread")
    assert "claude-1: 1 unhandled" in inbox
    assert "Auth rewrite is ready" in inbox
    assert "attached: packet.txt (9 bytes)" in inbox
    assert seeded.ok(f"ack --as claude-1 --id {message}") == f"Handled: {message}\n"
    receipt = seeded.ok(f"receipt --id {message}")
    assert "1 recipient · 1 stored · 0 notified · 1 delivered · 1 handled" in receipt


def test_a_file_is_claimed(seeded: CommandLine) -> None:
    assert seeded.ok("claim --as codex-3 src/auth/session.js") == "Held by codex-3: src/auth/session.js\n"


def test_a_machines_resource_is_claimed_in_every_room(seeded: CommandLine) -> None:
    assert seeded.ok("claim --as codex-3 --scope machine --gate native") == "Held by codex-3: machine:native\n"
    assert seeded.fault("claim --as claude-1 machine:native")["code"] == "claim_conflict"


def test_a_claim_is_handed_over(seeded: CommandLine) -> None:
    seeded.ok("claim --as codex-3 src/auth/session.js")
    said = seeded.ok('handoff-request --as codex-3 --to claude-1 --reason "Done with auth" src/auth/session.js')
    offer = said.partition(":")[0]
    assert said == f"{offer}: offered to claude-1: src/auth/session.js. It stays yours until claude-1 accepts.\n"
    assert "codex-3" in seeded.ok("claims")
    answered = seeded.ok(f"handoff-respond --as claude-1 --id {offer} --accept")
    assert answered == f"{offer}: accepted. claude-1 holds src/auth/session.js.\n"
    assert [claim["holder"] for claim in seeded.data("claims")["claims"]] == ["claude-1"]


def test_a_branch_is_claimed_listed_and_given_back(seeded: CommandLine) -> None:
    said = seeded.ok('branch claim feat/auth --as codex-3 --note "auth rewrite"')
    assert said == "Held by codex-3: branch:feat/auth\n"
    listed = next(line for line in seeded.ok("branches").splitlines() if "feat/auth" in line)
    assert "clear" in listed and "codex-3" in listed
    assert seeded.ok("branch release feat/auth --as codex-3") == "Released: branch:feat/auth\n"


def test_a_roadmap_is_planned_without_a_change_then_imported_with_its_progress(
    seeded: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RELAY_AGENT", "lead")
    planned = seeded.ok("work import --file ROADMAP.md --dry-run")
    assert "20" in planned
    assert planned.endswith("\nThis was a dry run: nothing of it was kept.\n")
    assert seeded.data("work tree --pretty")["items"] == []
    seeded.ok("work import --file ROADMAP.md")
    items = {item["title"]: item for item in seeded.data("work tree --flat")["items"]}
    assert items["Roadmap"]["progress"] == 27
    assert [item["progress"] for title, item in items.items() if title.startswith("Phase")] == [44, 0]
    tokens = next(item for title, item in items.items() if "tokens" in title)
    assert tokens["progress"] == 50
    drawn = seeded.ok("work tree --pretty")
    for share in ("27%", "44%", "50%", "0%"):
        assert share in drawn.replace(" %", "%"), drawn


def test_everybody_live_is_told(seeded: CommandLine) -> None:
    said = seeded.ok("send --as lead --to '*' --message \"Rebase before 17:00\"")
    assert "stored for 2 recipients." in said
    for name in ("codex-3", "claude-1"):
        assert "Rebase before 17:00" in seeded.ok(f"inbox --as {name}")


def test_agents_nobody_heard_from_are_listed_before_they_are_set_aside(
    seeded: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is named on these lines: the person at the keyboard types them."""
    monkeypatch.setenv("RELAY_OPERATOR", "1")
    seeded.clock.advance(8 * DAY)
    seeded.ok("claim --as lead src")
    named = "claude-1 (8d ago), codex-3 (8d ago)"
    assert seeded.ok("prune") == f"Would be set aside as dormant: {named}\nNothing was changed; add --apply to do it.\n"
    assert seeded.ok("prune --apply") == f"2 agents set aside as dormant: {named}\n"
    waiting = seeded.ok("pending --by state").splitlines()
    assert [line.split()[0] for line in waiting] == ["live", "quiet", "dormant", "left", "retired", "expired"]
    swept = seeded.ok("leave --stale --idle-hours 24")
    assert swept == f"Would be recorded as left: {named}\nNothing was changed; add --apply to do it.\n"
