"""The members of every answer, as the headless contract lists them; more may be added, none may go."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from relay_tui.actions.call import DRY_RUN
from relay_tui.base.errors import EXIT_OF_CODE
from tests.cli.test_golden import GOLDEN, SCENE

OBJECTS = {
    "AGENT": "agent runner state ephemeral last_seen source session pid transport status text question task branch"
    " worktree observed_branch claims unhandled joined_at left_at",
    "MESSAGE": "id seq from audience to recipients summary body reply_to thread sent_at attachments stored_at"
    " notified_at delivered_at handled_at expires_at expired_at reached",
    "RECEIPT": "agent agent_state stage stored_at notified_at notified_by delivered_at delivered_session handled_at"
    " handled_session note expired_at expired_reason last_fetched_at",
    "CLAIM": "scope resource holder holder_state holder_last_seen room note claimed_at stale planned handoff waiting"
    " waiting_rooms",
    "BRANCH": "branch flag reasons claim worktree agents mismatches tasks head committed_at upstream ahead_upstream"
    " behind_upstream ahead_default behind_default dirty",
    "WORKTREE": "path head branch main detached bare unborn busy locked prunable missing elsewhere dirty",
    "ITEM": "id kind title status progress leaves done owner priority labels branch artifacts due blocked_by parent"
    " revision note source",
    "EVENT": "seq room number at actor session via kind data hash prev",
    "ROOM": "room id root repository agents live unhandled created_at here",
    "REACHED": "agent agent_state last_seen last_fetched_at",
    "ATTACHMENT": "name size sha256",
    "QUESTION": "id whom text asked_at",
    "NOTICE": "seq at kind id from summary thread",
    "NEED": "id kind subject since text command",
    "ASIDE": "kind lines text",
    "CHECK": "name ok text hint",
    "TABLE": "rows equal",
    "CLIENT": "client files notes",
    "ACTION": "name summary writes scope screen key params",
    "COMMIT": "commit subject author at",
    "FILE": "path added deleted",
    "FETCHED": "name path size sha256",
    "ELSEWHERE": "id from summary delivered_session delivered_at",
    "CANDIDATE": "agent last_seen",
    "SKIPPED": "agent reasons",
    "WAITING": "deliveries agents",
    "HEAD": "room number hash",
    "HANDOFF": "id from to reason state resources requested_at answered_at from_room to_room",
    "OFFERED": "scope resource accepted",
    "ASKED": "resource holder message room",
    "MEASURE": "name value bound unit ok",
    "HELD": "path claim",
    "RELATIVE": "id title status open",
    "EXCLUDED": "id title reasons",
    "CONFLICT": "path field base file room",
}
# The members of `data`, and what object they are or list.
MAILBOX = {"agent": "", "unhandled": "", "messages": "MESSAGE", "next": ""}
CHANGE = {"agent": "AGENT", "changed": ""}
TAKEN = {"claimed": "CLAIM", "already": "CLAIM"}
FREED = {"released": "CLAIM", "forced": "", "room": ""}
HOOK = {"path": "", "change": ""}
OFFER = {"handoff": "HANDOFF"}
ITEMS = {"item": "ITEM", "changed": ""}
KEPT = {"file": "", "bytes": "", "events": "", "rooms": "room id number hash", "attachments": ""}
SWEEP = {"applied": "", "candidates": "CANDIDATE", "skipped": "SKIPPED"}
BRANCHES = {"repository": "", "default_branch": "", "branches": "BRANCH", "worktrees": "WORKTREE", "overlaps": "",
            "counts": "contested orphaned unclaimed missing clear quiet"}  # fmt: skip
DATA = {
    "init": {"home": "", "rooms": "ROOM", "room": "ROOM"},
    "rooms": {"home": "", "rooms": "ROOM"},
    **dict.fromkeys(("join", "status", "leave", "retire", "revive", "whoami"), CHANGE),
    **dict.fromkeys(("prune", "leave-stale", "retire-stale"), SWEEP),
    "pending": {"by": "", **dict.fromkeys(("live", "quiet", "dormant", "left", "retired", "expired"), "WAITING")},
    "agents": {"agents": "AGENT", "counts": "stored live quiet dormant left retired ephemeral"},
    "send": {"id": "", "seq": "", "duplicate": "", "stored_at": "", "expires_at": "", "recipients": "REACHED"},
    **dict.fromkeys(("inbox", "outbox", "history", "thread", "archive", "search"), MAILBOX),
    "followup": {"open": "id summary " + OBJECTS["RECEIPT"], "reminded": ""},
    "reconcile": {"agent": "", "session": "", "deliveries": "ELSEWHERE", "taken": "", "handled": ""},
    "fetch": {"id": "", "files": "FETCHED"},
    "show": {"message": "MESSAGE"},
    "ack": {"handled": "", "already": ""},
    "receipt": {"id": "", "from": "", "summary": "", "recipients": "RECEIPT",
                "counts": "recipients stored notified delivered handled expired missing"},
    **dict.fromkeys(("claim", "branch claim"), TAKEN),
    **dict.fromkeys(("release", "branch release"), FREED),
    "claims": {"claims": "CLAIM"},
    "gate": {"ok": "", "measures": "MEASURE"},
    "guard": {"checked": "", "held": "HELD"},
    **dict.fromkeys(("hooks install", "hooks uninstall"), HOOK),
    **dict.fromkeys(("handoff request", "handoff respond", "handoff cancel"), OFFER),
    "handoff list": {"handoffs": "HANDOFF"},
    "handoff ask": {"asked": "ASKED"},
    "branches": BRANCHES,
    "branch show": {"branch": "BRANCH", "commits": "COMMIT", "files": "FILE", "patch": ""},
    "work tree": {"items": "ITEM"},
    **dict.fromkeys(("work add", "work set", "work move"), ITEMS),
    "work remove": {**ITEMS, "removed": ""},
    "work restore": {**ITEMS, "restored": ""},
    "work show": {**ITEMS, "waits_for": "RELATIVE", "blocks": "RELATIVE", "owner_state": "", "conflicts": "CONFLICT"},
    "work resolve": {**ITEMS, "conflict": "CONFLICT", "side": ""},
    "work next": {"items": "ITEM", "excluded": "EXCLUDED", "more": ""},
    "work import": {"file": "", "dry_run": "", "added": "ITEM", "updated": "", "retitled": "", "moved": "",
                    "reordered": "", "removed": "", "unchanged": "", "conflicts": "", "left_aside": "ASIDE",
                    "warnings": "", "marked_lines": "", "last_read": "worktree commit read_at", "switched": ""},
    "work export": {"file": "", "changed_lines": ""},
    "work follow": {"file": "", "follow": "", "changed": ""},
    "attention": {"items": "NEED", "counts": "", "unknown": ""},
    "log": {"events": "EVENT", "next": ""},
    "log head": {"heads": "HEAD"},
    "log-at": {"at": "", "events": "EVENT", "next": ""},
    "agents-at": {"at": "", "agents": "AGENT", "counts": ""},
    "claims-at": {"at": "", "claims": "CLAIM"},
    "branches-at": {"at": "", **BRANCHES},
    "work-tree-at": {"at": "", "items": "ITEM"},
    "log archive": {"file": "", "sha256": "", "events": "", "messages_kept": "", "cut_at": "", "rooms": "HEAD"},
    "log verify": {"events": "", "rooms": "", "ok": "", "first_bad": "", "archive": ""},
    "log rebuild": {"events": "", "tables": "", "equal": ""},
    **dict.fromkeys(("backup", "export"), KEPT),
    "restore": {"home": "", "source": "", "events": "", "rooms": "room id number hash was", "attachments": ""},
    "db": {"columns": "", "rows": "", "more": ""},
    "doctor": {"checks": "CHECK", "ok": ""},
    "setup": {"clients": "CLIENT", "changed": ""},
    "wake": {"attempts": "agent means messages outcome text", "skipped": "agent reason", "allowed": ""},
    "launch": {"client": "", "agent": "", "session": "", "worktree": "", "branch": "", "claimed": "CLAIM", "argv": ""},
    "spec": {"actions": "ACTION", "exit_codes": "", "errors": ""},
}  # fmt: skip


def golden(name: str) -> dict[str, Any]:
    with open(os.path.join(GOLDEN, f"{name}.json"), encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
    return found


ANSWERS = {name: golden(name) for name, _ in SCENE if name}
RIGHT = {name: kept["answer"] for name, kept in ANSWERS.items() if "data" in kept["answer"]}
WRONG = {name: kept for name, kept in ANSWERS.items() if "error" in kept["answer"]}


@pytest.mark.parametrize("name", RIGHT)
def test_an_answer_has_the_members_of_the_contract(name: str) -> None:
    document = RIGHT[name]
    members = DATA.get(name) or DATA[document["command"]]
    assert members.keys() <= document["data"].keys()
    for member, kind in members.items():
        value = document["data"][member]
        for one in value if isinstance(value, list) else [value]:
            if kind and one is not None:
                assert set(OBJECTS.get(kind, kind).split()) <= one.keys(), member


@pytest.mark.parametrize("name", sorted(set(RIGHT) - {"doctor", "spec"}))
def test_an_answer_is_one_document_of_this_schema(name: str) -> None:
    assert RIGHT[name].keys() == {"schema", "command", "data", "warnings"}
    assert RIGHT[name]["schema"] == 1
    # The ledger alone does not know all of what was; a restore frees claims on the machine, and says how many.
    doubtful = name.endswith("-at") or RIGHT[name]["command"] == "restore"
    dry_run = [DRY_RUN] if name.endswith("-dry-run") else []
    assert doubtful or RIGHT[name]["warnings"] == dry_run
    assert RIGHT[name]["warnings"][-1:] == dry_run or not dry_run


def test_inner_objects_have_the_members_of_the_contract() -> None:
    agents = {agent["agent"]: agent for agent in RIGHT["agents"]["data"]["agents"]}
    assert set(OBJECTS["QUESTION"].split()) == agents["alice"]["question"].keys()
    assert set(OBJECTS["ATTACHMENT"].split()) == RIGHT["inbox"]["data"]["messages"][0]["attachments"][0].keys()
    branch = RIGHT["branch-show"]["data"]["branch"]
    assert set(OBJECTS["CLAIM"].split()) <= branch["claim"].keys()
    assert set(OBJECTS["WORKTREE"].split()) <= branch["worktree"].keys()
    assert branch["agents"][0].keys() >= {"agent", "state", "source"}
    assert RIGHT["setup"]["data"]["clients"][0]["files"][0].keys() == {"path", "change", "diff"}
    tree = RIGHT["work-tree"]["data"]["items"][0]
    assert set(OBJECTS["ITEM"].split()) | {"children"} <= tree["children"][0].keys()
    assert tree["source"].keys() == {"file", "line"}
    assert all(table.keys() == {"rows", "equal"} for table in RIGHT["log-rebuild"]["data"]["tables"].values())
    assert RIGHT["spec"]["data"]["actions"][0]["params"][0].keys() == {"name", "type", "default", "help"}


def test_a_stream_prints_one_notice_a_line_without_a_body() -> None:
    notices = ANSWERS["watch"]["answer"]
    assert notices
    assert all(set(OBJECTS["NOTICE"].split()) == notice.keys() for notice in notices)


@pytest.mark.parametrize("name", WRONG)
def test_an_error_has_a_code_of_the_contract_and_leaves_with_its_exit_code(name: str) -> None:
    error = WRONG[name]["answer"]["error"]
    assert error.keys() == {"code", "message", "hint", "details"}
    assert EXIT_OF_CODE[error["code"]] == WRONG[name]["exit"]


def test_a_guard_that_found_something_answers_with_a_document_and_exit_code_five() -> None:
    kept = ANSWERS["guard-held"]
    assert kept["exit"] == 5
    assert [(one["path"], one["claim"]["holder"]) for one in kept["answer"]["data"]["held"]] == [("src/a.py", "alice")]


def test_the_scene_meets_errors() -> None:
    assert {kept["answer"]["error"]["code"] for kept in WRONG.values()} == {
        "id_conflict", "claim_conflict", "unknown_branch", "usage", "unknown_agent", "file_exists", "not_operator",
        "held", "refused", "unknown_handoff", "unknown_item", "unknown_room", "no_file",
    }  # fmt: skip
    assert "holder" in WRONG["claim-conflict"]["answer"]["error"]["details"]["conflicts"][0]
    assert "near" in WRONG["unknown-agent"]["answer"]["error"]["details"]
