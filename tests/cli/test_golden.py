"""The JSON of every command, kept in golden/*.json: one scene played with a clock and ids of ours.

Where an answer is meant to change, run this with UPDATE_GOLDEN=1 and read the difference.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from relay_tui.actions.table import ACTIONS
from tests.cli.conftest import CommandLine
from tests.repo.git_fixture import add_worktree, commit

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")
ROADMAP = """\
# Roadmap

## Phase 1: checkout

### Tokens

- [x] Rotate tokens @alice #security
- [ ] Revoke on logout !high branch:feat/auth
  - [ ] Write the test due:2026-12-24

## Phase 2: search

- plain prose, left aside
- [~] Index titles @bob
"""
# In order; what is named is kept. Each line comes a minute after the one before. `edit` is a person at a file.
SCENE = (
    ("init", "init"),
    ("rooms", "rooms"),
    ("join", "join --as alice --runner codex --branch feat/auth --worktree ../shop-auth --task auth"),
    ("join-pool", "join --as worker-% --ephemeral"),
    ("", "join --as bob"),
    ("status", "status waiting --as alice --text 'two of five' --needs operator --question 'Which base?'"),
    ("whoami", "whoami --as alice"),
    ("agents", "agents"),
    ("send", "send --as alice --to bob --summary Review --message 'Auth is ready' --attach README.md --id k1"),
    ("send-again", "send --as alice --to bob --summary Review --message 'Auth is ready' --attach README.md --id k1"),
    ("send-conflict", "send --as alice --to bob --message 'Something else' --id k1"),
    ("send-all", "send --as bob --to '*' --message 'Rebase before 17:00'"),
    ("watch", "watch --as bob --timeout 0"),
    ("inbox-count", "inbox --as bob --count"),
    ("inbox-peek", "inbox --as bob --peek"),
    ("inbox", "inbox --as bob"),
    ("show", "show --as bob M0000002"),
    ("receipt", "receipt M0000002"),
    ("ack", "ack --as bob M0000002 --note merged"),
    ("ack-again", "ack --as bob --id M0000002"),
    ("receipt-handled", "receipt --as operator --id M0000002"),
    ("reply", "send --as bob --reply-to M0000002 --message Thanks"),
    ("thread", "thread --as bob M0000002"),
    ("outbox", "outbox --as alice --limit 1"),
    ("history", "history --as bob"),
    ("claim", "claim --as alice src machine:native --note auth"),
    ("claim-again", "claim --as alice src README.md"),
    ("claim-conflict", "claim --as bob src/a.py"),
    ("claims", "claims"),
    ("claims-over", "claims --over src/b.py"),
    ("release", "release --as alice README.md"),
    ("release-forced", "release --as operator machine:native --force --reason 'the build waits'"),
    ("gate", "gate"),
    ("claim-gated", "claim --as alice --gate machine:gpu"),
    ("guard", "guard --as alice src/a.py"),
    ("guard-held", "guard --as bob src/a.py README.md"),
    ("guard-staged", "guard --as bob --staged"),
    ("hooks-install", "hooks install"),
    ("hooks-install-again", "hooks install"),
    ("hooks-uninstall", "hooks uninstall"),
    ("handoff-request", "handoff request --as alice src machine:gpu --to bob --reason 'auth is done'"),
    ("handoff-request-again", "handoff request --as alice src --to bob"),
    ("release-offered", "release --as alice src"),
    ("handoff-list", "handoff list"),
    ("handoff-respond", "handoff respond --as bob H0000001 --accept --resource machine:gpu"),
    ("handoff-respond-again", "handoff respond --as bob H0000001 --decline"),
    ("handoff-ask", "handoff ask --as bob src --reason 'the fix belongs there'"),
    ("handoff-request-other", "handoff request --as bob machine:gpu --to alice"),
    ("handoff-cancel", "handoff cancel --as bob H0000002"),
    ("handoff-list-all", "handoff list --all"),
    ("handoff-unknown", "handoff cancel --as bob H9"),
    ("branch-claim", "branch claim feat/auth --as alice --note 'auth rewrite'"),
    ("branch-claim-new", "branch claim feat/later --as bob --new"),
    ("branches", "branches"),
    ("branches-details", "branches --details --all"),
    ("branch-show", "branch show feat/auth --patch"),
    ("branch-release", "branch release feat/later --as bob"),
    ("branch-unknown", "branch show feat/aut"),
    ("work-import-dry-run", "work import --as alice --file ROADMAP.md --dry-run"),
    ("work-import", "work import --as alice --file ROADMAP.md"),
    ("work-import-again", "work import --as alice --file ROADMAP.md"),
    ("work-tree", "work tree --pretty"),
    ("work-tree-flat", "work tree --flat --owner bob"),
    ("work-add", "work add --as bob --title 'Ship it' --kind task --owner bob --label release --priority high"),
    ("work-set", "work set W5 --as bob --status in-progress --artifact src/a.py"),
    ("work-show", "work show W5"),
    ("attention", "attention"),
    ("log", "log --as operator --limit 4"),
    ("log-kind", "log --kind message.sent --limit 2"),
    ("log-head", "log head"),
    ("log-verify", "log verify"),
    ("log-rebuild", "log rebuild --check"),
    ("log-at", "log --at '30m ago' --limit 1"),
    ("agents-at", "agents --at '30m ago'"),
    ("claims-at", "claims --at '30m ago'"),
    ("branches-at", "branches --at '5m ago'"),
    ("work-tree-at", "work tree --at 6m --flat --owner bob"),
    ("log-at-before", "log --at 2026-11-29"),
    ("log-archive-dry-run", "log archive --as operator --before '30m ago' --dry-run"),
    ("log-attach", "log attach --as operator ledger-1-20-0a1b2c3d.db"),
    ("search", "search --as bob ready"),
    ("fetch", "fetch --as bob M0000002 --out ../fetched"),
    ("fetch-again", "fetch --as bob M0000002 --out ../fetched"),
    ("followup", "followup --as bob --older-than 30m"),
    ("followup-remind", "followup --as bob --remind"),
    ("", "inbox --as alice"),
    ("reconcile", "reconcile --as alice --session night"),
    ("reconcile-take", "reconcile --as alice --session night --take M0000003 --handled M0000004"),
    ("ack-all", "ack --as alice --all"),
    ("archive", "archive --as bob"),
    ("pending", "pending --by state"),
    ("prune", "prune"),
    ("retire", "retire --as operator worker-1 --reason 'its work is merged'"),
    ("revive", "revive --as operator worker-1"),
    ("not-operator", "revive --as bob worker-1"),
    ("leave-stale", "leave --stale --idle-hours 1"),
    ("retire-stale", "retire --as operator --stale --idle-hours 1 --apply"),
    ("leave", "leave --as bob"),
    ("agents-left", "agents --state left"),
    ("work-add-blocks", "work add --as alice --title 'Choose the index' --parent W7 --blocks W8"),
    ("work-move", "work move W10 --as alice --before W8"),
    ("work-move-circle", "work move W2 --as alice --parent W3"),
    ("work-next", "work next --as alice"),
    ("work-remove-refused", "work remove W7 --as alice"),
    ("work-remove", "work remove W7 --as alice --recursive"),
    ("work-removed", "work show W8"),
    ("work-restore", "work restore W7 --as alice"),
    ("", "edit ROADMAP.md '[ ] Revoke' '[x] Revoke'"),
    ("", "work import --as alice --file ROADMAP.md"),
    ("work-show-conflict", "work show W5"),
    ("work-resolve", "work resolve W5 status file --as alice"),
    ("work-resolve-again", "work resolve W5 status room --as alice"),
    ("", "work set W4 --as alice --status blocked"),
    ("work-import-switch", "work import --as alice --file ../shop-auth/ROADMAP.md"),
    ("work-export-dry-run", "work export --as alice --dry-run"),
    ("work-export", "work export --as alice --file ROADMAP.md --mark"),
    ("work-export-again", "work export --as alice"),
    ("work-follow", "work follow --as alice --file ROADMAP.md"),
    ("work-export-unknown", "work export --as alice --file README.md"),
    ("doctor", "doctor"),
    ("setup-dry-run", "setup claude codex opencode gemini --wake --dry-run"),
    ("setup", "setup claude"),
    ("setup-again", "setup claude"),
    ("setup-undo", "setup claude --undo"),
    ("launch-dry-run", "launch claude --worktree feat/auth --dry-run"),
    ("launch-unknown", "launch codex --worktree nowhere"),
    ("wake", "wake --as alice alice"),
    ("backup", "backup --as operator ../shop.db"),
    ("export", "export --as operator ../shop.ndjson"),
    ("export-again", "export --as operator ../shop.ndjson"),
    ("restore", "restore --as operator ../shop.ndjson"),
    ("restore-dry-run", "restore --as operator ../shop.ndjson --as-new --dry-run"),
    ("db", "db --as operator 'SELECT name, standing FROM agents ORDER BY name' --limit 2"),
    ("db-refused", "db --as operator 'DELETE FROM agents'"),
    ("spec", "spec"),
    ("usage", "inbox --bogus"),
    ("unknown-agent", "inbox --as alic"),
)  # fmt: skip


@pytest.fixture
def shop(relay: CommandLine) -> CommandLine:
    relay.open_gates()
    relay.put_on_path("claude", "codex")
    commit(relay.repository, "plan", {"ROADMAP.md": ROADMAP})
    tree = add_worktree(relay.repository, f"{relay.repository}-auth", "feat/auth")
    commit(tree, "rotate tokens", {"src/token.py": "t\n"})
    return relay


def play(relay: CommandLine) -> dict[str, Any]:
    """What each line of the scene answers, on whichever stream, with what no clock and no id decides taken out."""
    answers = {}
    for name, line in SCENE:
        if line.startswith("edit "):
            edit(relay, *shlex.split(line)[1:])
            continue
        answer = relay.run(f"{line} --json")
        assert name or answer.code == 0, answer
        documents = [json.loads(text) for text in (answer.out or answer.err).decode().splitlines()]
        document = documents[0] if len(documents) == 1 and name != "watch" else documents
        answers[name] = {"line": f"relay {line}", "exit": answer.code, "answer": settled(document, relay)}
    del answers[""]
    return answers


def edit(relay: CommandLine, name: str, old: str, new: str) -> None:
    file = Path(relay.repository, name)
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def settled(value: Any, relay: CommandLine, key: str = "") -> Any:
    if isinstance(value, dict):
        if value.get("command") in ("doctor", "spec"):
            return {"command": value["command"], "data": shape(value["data"])}
        return {name: settled(member, relay, name) for name, member in value.items()}
    if isinstance(value, list):
        return [settled(member, relay, key) for member in value]
    if (isinstance(value, float) and key == "value") or key == "bytes":
        return "MEASURED"
    if key in ("hash", "prev"):
        assert re.fullmatch("[0-9a-f]{64}", value)
        return "HASH"
    return value.replace(os.path.dirname(relay.repository), "/tmp/x") if isinstance(value, str) else value


def shape(value: Any) -> Any:
    """Members and names, without what the machine or a sentence of help decides."""
    if isinstance(value, dict):
        unsettled = ("text", "hint", "ok", "help", "summary")
        return {name: "…" if name in unsettled else shape(member) for name, member in value.items()}
    return [shape(member) for member in value] if isinstance(value, list) else value


def test_every_command_answers_as_it_did(shop: CommandLine) -> None:
    answers = play(shop)
    if os.environ.get("UPDATE_GOLDEN") == "1":
        for name, answer in answers.items():
            with open(os.path.join(GOLDEN, f"{name}.json"), "w", encoding="utf-8") as file:
                file.write(json.dumps(answer, indent=1, ensure_ascii=False) + "\n")
    kept = {}
    for file_name in os.listdir(GOLDEN):
        with open(os.path.join(GOLDEN, file_name), encoding="utf-8") as file:
            kept[file_name.removesuffix(".json")] = json.load(file)
    assert answers.keys() == kept.keys()
    for name, answer in answers.items():
        assert answer == kept[name], name


def test_the_scene_plays_every_command_that_answers_with_a_document() -> None:
    played = {name for name in ACTIONS if any(f"{line} ".startswith(f"{name} ") for _, line in SCENE)}
    assert set(ACTIONS) - played == {"screen", "demo", "hook", "mcp"}
