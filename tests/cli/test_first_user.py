"""What a first, hostile user met: each right answer stands here."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pytest

from relay_tui.base.errors import EXIT_OF_CODE
from relay_tui.cli.texts.demo import demo
from relay_tui.room.attention import Attention
from tests.cli.conftest import CommandLine


def test_a_hint_can_be_pasted_whatever_stands_in_it(room: CommandLine) -> None:
    room.ok("claim x/$(touch\tpwned) --as alice".replace("\t", "${IFS}"))
    fault = room.fault("claim x/$(touch\tpwned) --as bob".replace("\t", "${IFS}"))
    words = shlex.split(fault["hint"].partition(": ")[2])
    assert words == ["relay", "handoff", "ask", "x/$(touch${IFS}pwned)", "--as", "bob"]


def test_a_dry_run_says_that_it_was_one(room: CommandLine) -> None:
    assert "nothing of it was kept" in room.ok("send --as alice --to bob --message hi --dry-run")
    assert "nothing of it was kept" not in room.ok("send --as alice --to bob --message hi")


def test_ack_all_leaves_what_nobody_fetched(room: CommandLine) -> None:
    seen = room.data("send --as alice --to bob --message seen")["id"]
    room.ok("inbox --as bob")
    room.ok("send --as alice --to bob --message unseen")
    assert "note: 1 message was not fetched yet" in room.ok("ack --as bob --all --dry-run")
    done = room.document("ack --as bob --all")
    assert (done["data"]["handled"], len(done["warnings"])) == ([seen], 1)
    assert "Nothing that was fetched was left" in room.ok("ack --as bob --all")
    assert [one["summary"] for one in room.data("inbox --as bob")["messages"]] == ["unseen"]


def test_who_cannot_be_told_is_not_recorded_as_told(room: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = room.data("send --as alice --to bob --message news")["id"]
    with monkeypatch.context() as closed:
        closed.setattr(sys, "stdout", None)
        assert room.run("watch --as bob --timeout 0").code == EXIT_OF_CODE["storage"]
    assert sent in room.ok("watch --as bob --timeout 0")


def test_the_sender_is_told_what_its_recipients_did(room: CommandLine) -> None:
    sent = room.data("send --as alice --to bob --message done")["id"]
    assert room.data("outbox --as alice")["messages"][0]["handled_at"] is None
    room.ok("inbox --as bob")
    room.ok(f"ack {sent} --as bob")
    mine = room.data("outbox --as alice")["messages"][0]
    shown = room.data(f"show {sent} --as alice")["message"]
    for message in (mine, shown):
        assert message["delivered_at"] is not None
        assert message["handled_at"] is not None


def test_a_fact_that_only_some_reached_is_not_told_of_all(room: CommandLine) -> None:
    room.ok("join --as carol")
    sent = room.data("send --as alice --to *all --message everybody")["id"]
    room.ok(f"ack {sent} --as bob")
    assert room.data("outbox --as alice")["messages"][0]["handled_at"] is None


def test_a_placeholder_is_no_answer(room: CommandLine) -> None:
    assert room.fault("send --as alice --to bob --message …")["code"] == "usage"


def test_a_room_of_its_own_says_which_it_hides(room: CommandLine) -> None:
    done = room.data("init --room billing")
    assert (done["room"]["room"], done["hides"]) == ("billing", "shop")
    assert room.fault("init --room another")["code"] == "refused"


def test_the_list_of_rooms_says_which_one_lines_go_to(room: CommandLine) -> None:
    room.ok("init --room billing")
    assert [line.split()[:2] for line in room.ok("rooms").splitlines()] == [["billing", "here"], ["shop", "3"]]
    assert "now; reach it with --room billing." in room.ok("init --room shop")
    assert room.ok("rooms --room billing").split()[:2] == ["billing", "here"]
    assert [line.split()[:2] for line in room.ok("rooms").splitlines()] == [["billing", "1"], ["shop", "here"]]


def test_the_demo_ends_with_what_became_of_its_room() -> None:
    *_, last = demo(Attention([], {}, [], []), 0)
    assert last.startswith("The demo's room is gone;")


def test_a_folder_with_somebodys_files_is_not_made_private(room: CommandLine, tmp_path: Path, monkeypatch) -> None:
    open_home = tmp_path / "open"
    open_home.mkdir(mode=0o755)
    (open_home / "theirs").write_text("x")
    monkeypatch.setenv("RELAY_HOME", str(open_home))
    assert room.fault("join --as carol")["code"] == "refused"
    assert os.stat(open_home).st_mode & 0o777 == 0o755
