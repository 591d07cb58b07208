"""What a terminal says of claims, handovers and waiting."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from relay_tui.cli.texts.claims import claims
from relay_tui.cli.texts.messages import receipt
from relay_tui.cli.texts.registry import agents
from relay_tui.cli.texts.work import tree
from relay_tui.room.held import list_claims
from relay_tui.room.ledger import Actor
from relay_tui.room.receipts import read_receipts
from relay_tui.room.registry import list_agents, report_status
from tests.actions.acting import act
from tests.cli.conftest import CommandLine
from tests.room.test_queueing import stand
from tests.room_fixture import House

LONG = "/".join(["deep" * 20] * 12)


@pytest.fixture
def pair(relay: CommandLine) -> CommandLine:
    for name in ("ann", "bob"):
        relay.data(f"join --as {name}")
    return relay


def said(relay: CommandLine, line: str) -> list[str]:
    answer = relay.run(line)
    assert answer.code == 0, answer.err
    return answer.text.splitlines()


def test_a_list_that_a_filter_leaves_empty_does_not_say_that_there_is_nothing(pair: CommandLine) -> None:
    pair.data("claim a --as ann")
    assert said(pair, "claims --stale") == ["No claims to show. Take something with: relay claim PATH"]


def test_of_several_the_offer_says_they_and_to_whom(pair: CommandLine) -> None:
    pair.data("claim a b c --as ann")
    assert said(pair, "handoff request a --to bob --as ann")[0].endswith(". It stays yours until bob accepts.")
    assert said(pair, "handoff request b c --to bob --as ann")[0].endswith(". They stay yours until bob accepts.")


def test_an_answer_in_part_says_what_moved_and_what_stays(pair: CommandLine) -> None:
    pair.data("claim a machine:native c --as ann")
    pair.data("handoff request a machine:native c --to bob --as ann")
    answered = said(pair, "handoff respond H --accept --resource machine:native --as bob")
    assert answered[0].endswith(": accepted in part. bob holds machine:native. a, c stay with ann.")
    assert "took machine:native; not a, c" in said(pair, "handoff list --all")[0]


def test_one_long_name_widens_no_other_row(pair: CommandLine) -> None:
    pair.data(f"claim {LONG} b --as ann")
    assert max(map(len, said(pair, "claims"))) < 140
    pair.data(f"handoff request {LONG} --to bob --as ann")
    assert max(map(len, said(pair, "handoff list"))) < 200


def test_one_long_text_fills_no_list(tmp_path: Path) -> None:
    """Also one of a megabyte, which an older room may have."""
    house, long = House(str(tmp_path)), "é\x1b" * 500_000
    bob = house.join("bob")
    report_status(house.room, bob, {"status": "working", "text": long}, None)
    house.claim(bob, "src", note=long)
    sent = house.send(house.operator, "bob", "hi").id
    house.ack(bob, sent, note=long)
    Path(house.repository, "PLAN.md").write_text(f"- [ ] {long.replace(chr(27), '')} @{'o' * 5000}\n")
    act(house.room, "bob", "work import --file PLAN.md")
    now = house.clock.now
    listed = [*agents(list_agents(house.room, ["live"]), now), *claims(list_claims(house.room), now)]
    listed += tree(act(house.room, None, "work tree"), now)
    assert max(map(len, listed)) < 700
    assert max(map(len, receipt(read_receipts(house.room, sent, "operator"), now))) < 12_000


def test_the_claims_of_nobody_are_no_empty_list(pair: CommandLine) -> None:
    assert pair.fault("claims --holder bib")["code"] == "unknown_agent"
    assert pair.data("claims --holder bob")["claims"] == []


def test_what_is_free_but_waited_for_is_listed(tmp_path: Path) -> None:
    house = House(str(tmp_path))
    house.join("bob")
    stand(house, "bob", "machine:native", "src")
    house.claim(house.operator, "README.md")
    rows = list(claims(list_claims(house.room), house.clock.now))
    assert rows[1].split() == ["Free", "machine:native", "waiting:", "bob"] and rows[2].split()[:2] == ["Free", "src"]
    assert list_claims(house.room, over=house.resources("src/auth")).free[0].waiting == ["bob"]
    house.claim(Actor("bob"), "src")
    assert [one.resource for one in list_claims(house.room).free] == ["native"]


def test_who_waits_hears_for_what_at_once_but_not_in_json(pair: CommandLine) -> None:
    pair.data("claim a --as ann")
    answer = pair.run("claim a --wait 1 --as bob")
    assert answer.code == 6
    first, then = answer.err.decode().splitlines()[:2]
    assert first.startswith("relay: a is held by ann (live") and first.endswith(" Waiting up to 1s.")
    assert then.startswith("relay: It was not free in time.")
    assert json.loads(pair.run("claim a --wait 1 --json --as bob").err)["error"]["code"] == "timeout"


@pytest.mark.parametrize(("line", "words"), [
    ("claim a --wait 0.5 --as bob", "'0.5' is not a length of time."),
    ("claim a --scope branch --as bob", "Write branch:NAME instead."),
])  # fmt: skip
def test_what_cannot_be_meant_is_told_in_its_own_words(pair: CommandLine, line: str, words: str) -> None:
    assert words in pair.run(line).err.decode()


def test_a_bound_that_is_none_says_how_one_is_written(pair: CommandLine) -> None:
    with open(os.path.join(pair.home, "relay.toml"), "w", encoding="utf-8") as file:
        file.write("[gate]\nmax_load_per_cpu = -1\n")
    assert pair.fault("gate")["hint"] == 'A load is a number such as 4; a size is "8GiB".'
