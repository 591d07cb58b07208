"""Each tool as an agent uses it: what the room learns, what the model is told, and that a retry is no second act."""

from __future__ import annotations

import os
from typing import Any

import pytest

from relay_tui.agents.mcp.answers import PEERS
from relay_tui.agents.mcp.tools import TOOLS, read_request
from relay_tui.room import claims, handoffs, registry
from relay_tui.room.ledger import Actor
from relay_tui.room.mishaps import read_mishaps
from relay_tui.room.registry import report_status
from tests.agents.mcp.conftest import connect, desk_of
from tests.repo.git_fixture import make_repository
from tests.room_fixture import House


async def test_mail_is_listed_read_and_acknowledged_as_three_things(house: House, b: Actor) -> None:
    async with connect(house) as mcp:
        name = (await mcp.ok("room"))["me"]
        sent = house.send(b, name, "line\twith \x1b]52;c;x\x07\nsecond \u202e", summary="s\x1b[31m")
        listed = await mcp.ok("inbox")
        assert listed["unhandled"] == 1
        assert "peer_body" not in listed["messages"][0]
        assert house.receipt(sent.id, name).delivered_at is None
        read = await mcp.ok("inbox", do="read")
        (mail,) = read["messages"]
        assert (mail["sender"], mail["peer_summary"]) == ("b", "s\\x1b[31m")
        assert mail["peer_body"] == "line    with \\x1b]52;c;x\\x07\nsecond \\u202e"
        assert read["note"] == PEERS
        receipt = house.receipt(sent.id, name)
        assert (receipt.stage, receipt.delivered_session) == ("delivered", mcp_session(house, name))
        assert (await mcp.ok("ack", ids=[sent.id], note="merged")) == {"handled": [sent.id], "already": []}
        assert (await mcp.ok("ack", ids=[sent.id])) == {"handled": [], "already": [sent.id]}
        assert await mcp.ok("inbox") == {"unhandled": 0, "messages": []}
    assert house.receipt(sent.id, name).note == "merged"
    assert {event.via for event in house.events("message.handled")} == {"mcp"}
    house.assert_whole()


def mcp_session(house: House, name: str) -> str:
    return str(house.rows("SELECT session FROM agents WHERE name = ?", name)[0][0])


async def test_what_is_claimed_in_another_room_is_not_ones_own_by_a_name(house: House, b: Actor) -> None:
    room = house.enter(make_repository(os.path.join(house.folder, "other")))
    registry.join(room, Actor("claude-1"), registry.Joining())
    claims.take(room, Actor("claude-1"), house.resources("machine:gpu"))
    async with connect(house, environ={"RELAY_AGENT": "claude-1"}) as mcp:
        (held,) = (await mcp.ok("claim", do="list"))["claims"]
    assert (held["resource"], held["holder"]) == ("machine:gpu", "claude-1 of room other")


async def test_a_model_reads_letters_and_no_escapes_of_them(house: House, b: Actor) -> None:
    async with connect(house) as mcp:
        sent = house.send(b, (await mcp.ok("room"))["me"], "Fünf ½ 日本")
        result = await mcp.client.call_tool("inbox", {"do": "show", "id": sent.id}, meta=mcp.meta)
    assert "Fünf ½ 日本" in result.content[0].text


async def test_one_message_in_full(house: House, b: Actor) -> None:
    async with connect(house) as mcp:
        name = (await mcp.ok("room"))["me"]
        sent = house.send(b, name, "first\nsecond")
        shown = await mcp.ok("inbox", do="show", id=sent.id)
        assert shown["messages"][0]["peer_body"] == "first\nsecond"
        assert house.receipt(sent.id, name).stage == "delivered"


async def test_a_call_that_the_client_repeats_stores_one_message(house: House, b: Actor) -> None:
    async with connect(house) as mcp:
        for meta in ({"claudecode/toolUseId": "toolu_1"}, {"threadId": "t-1", "callId": "call_1"}):
            again = mcp.saying(**meta)
            first = await again.ok("send", to="b", message="ready")
            second = await again.ok("send", to="b", message="ready")
            assert (first["duplicate"], second["duplicate"]) == (False, True)
            assert first["id"] == second["id"]
            other = mcp.saying(**{name: f"{value}2" if name != "threadId" else value for name, value in meta.items()})
            assert (await other.ok("send", to="b", message="ready"))["id"] != first["id"]
    assert len(house.poll(b).messages) == 4


async def test_a_model_that_repeats_its_own_key_stores_one_message(house: House, b: Actor) -> None:
    async with connect(house) as mcp:
        calls = [mcp.saying(**{"claudecode/toolUseId": f"toolu_{number}"}) for number in range(3)]
        sent = [await one.ok("send", to="b", message="ready", request_id="ready-1") for one in calls]
        assert [one["duplicate"] for one in sent] == [False, True, True]
        assert (await mcp.refused("send", to="b", message="other", request_id="ready-1"))["code"] == "id_conflict"
    assert len(house.poll(b).messages) == 1


async def test_a_broadcast_tells_who_may_not_hear_it(house: House, b: Actor) -> None:
    house.join("c")
    async with connect(house) as mcp:
        sent = await mcp.ok("send", to="*all", message="x")
        assert (sent["count"], sent["recipients"]) == (3, ["b", "c", "operator"])
        assert sent["not_live"] == ["operator"]


async def test_what_somebody_holds_is_refused_with_the_holder(house: House, b: Actor) -> None:
    house.claim(b, "src/auth", note="a rewrite\x07")
    async with connect(house) as mcp:
        assert await mcp.ok("claim", resources=["README.md"]) == {"claimed": ["README.md"], "already": []}
        assert await mcp.ok("claim", resources=["README.md"]) == {"claimed": [], "already": ["README.md"]}
        refused = await mcp.refused("claim", resources=["src/auth/login.py", "docs"])
        assert refused["code"] == "claim_conflict"
        assert "b" in refused["message"]
        listed = await mcp.ok("claim", do="list", over="src")
        assert [(one["resource"], one["peer_note"]) for one in listed["claims"]] == [("src/auth", "a rewrite\\x07")]
        assert (await mcp.refused("release", resources=["src/auth"]))["code"] == "not_yours"
        assert await mcp.ok("release", resources=["README.md"]) == {"released": ["README.md"]}


async def test_claims_are_handed_over_both_ways(house: House, b: Actor) -> None:
    house.claim(b, "src/auth")
    async with connect(house) as mcp:
        name = (await mcp.ok("room"))["me"]
        await mcp.ok("claim", resources=["docs"])
        offered = await mcp.ok("handoff", do="offer", resources=["docs"], to="b", reason="done")
        (offer,) = offered["handoffs"]
        assert (offer["holder"], offer["to"], offer["state"]) == (name, "b", "waiting")
        assert (await mcp.refused("handoff", do="accept", id=offer["id"]))["code"] == "not_yours"
        assert (await mcp.ok("handoff", do="cancel", id=offer["id"]))["handoffs"][0]["state"] == "cancelled"
        (asked,) = (await mcp.ok("handoff", do="ask", resources=["src/auth"]))["asked"]
        assert (asked["resource"], asked["holder"]) == ("src/auth", "b")
        given = handoffs.request(house.room, b, house.resources("src/auth"), name, "here").handoff
        waiting = (await mcp.ok("handoff"))["handoffs"]
        assert [(one["id"], one["peer_reason"]) for one in waiting] == [(given.id, "here")]
        await mcp.ok("handoff", do="accept", id=given.id)
        assert (await mcp.ok("claim", do="list", over="src"))["claims"][0]["holder"] == name
    house.assert_whole()


async def test_a_question_goes_to_whom_it_is_for(house: House, b: Actor) -> None:
    async with connect(house) as mcp:
        asked = await mcp.ok("status", status="waiting", needs="b", question="Which base?")
        assert asked["question"].startswith("Q")
        assert house.poll(b).messages[0].body == "Which base?"
        assert "question" not in await mcp.ok("status", status="working")


async def test_others_are_shown_with_what_they_say_of_themselves(house: House, b: Actor) -> None:
    report_status(house.room, b, {"status": "working", "text": "on \x1b[0m", "task": "W3"}, None)
    async with connect(house) as mcp:
        seen = await mcp.ok("room")
        (peer,) = seen["others"]
        assert (peer["agent"], peer["status"], peer["task"], peer["peer_text"]) == ("b", "working", "W3", "on \\x1b[0m")
        assert (seen["branch"], seen["unhandled"], seen["note"]) == ("main", 0, PEERS)


async def test_branches_are_claimed_and_given_back(house: House) -> None:
    async with connect(house) as mcp:
        name = (await mcp.ok("room"))["me"]
        assert await mcp.ok("branch", do="claim", branch="main") == {"claimed": ["branch:main"], "already": []}
        (row,) = [one for one in (await mcp.ok("branch"))["branches"] if one["branch"] == "main"]
        assert (row["flag"], row["holder"], row["agents"]) == ("clear", name, [name])
        assert (await mcp.refused("branch", do="claim", branch="no/such"))["code"] == "unknown_branch"
        assert await mcp.ok("branch", do="release", branch="main") == {"released": ["branch:main"]}


async def test_the_roadmap_is_read_and_changed(house: House) -> None:
    async with connect(house) as mcp:
        (phase,) = (await mcp.ok("work", do="add", title="Phase"))["items"]
        (task,) = (await mcp.ok("work", do="add", title="Task", parent=phase["id"]))["items"]
        changed = await mcp.ok("work", do="set", id=task["id"], status="done", owner="me")
        assert changed["changed"] == ["status", "owner"]
        tree = await mcp.ok("work", do="tree")
        assert [(one["id"], one["progress"]) for one in tree["items"]] == [("W1", 100), ("W2", 100)]
        assert [one["id"] for one in (await mcp.ok("work", do="show", id="W2"))["items"]] == ["W2"]
        assert [one["id"] for one in (await mcp.ok("work"))["items"]] == ["W1"], "its own status says todo"


async def test_long_lists_say_how_much_they_leave_out(house: House) -> None:
    async with connect(house) as mcp:
        for number in range(53):
            await mcp.ok("work", do="add", title=f"t{number}")
        tree = await mcp.ok("work", do="tree")
        assert (len(tree["items"]), tree["more"]) == (50, 3)
        following = await mcp.ok("work", do="next", limit=10)
        assert (len(following["items"]), following["more"]) == (10, 43)


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("send", {}, "usage"),
        ("send", {"message": "x", "as": "operator"}, "usage"),
        ("send", {"message": "x", "to": 7}, "invalid"),
        ("send", {"message": " ", "to": "b"}, "invalid"),
        ("send", {"message": "x" * 70_000, "to": "b"}, "too_large"),
        ("send", {"message": "x", "to": "b\ud800"}, "invalid"),
        ("ack", {"ids": "M1"}, "invalid"),
        ("ack", {"ids": [1]}, "invalid"),
        ("ack", {"ids": []}, "usage"),
        ("inbox", {"limit": True}, "invalid"),
        ("inbox", {"limit": 0}, "usage"),
        ("inbox", {"do": "count"}, "usage"),
        ("inbox", {"do": ["read"]}, "usage"),
        ("inbox", {"do": "list", "id": "M1"}, "usage"),
        ("inbox", {"do": "show", "id": "M9"}, "unknown_message"),
        ("status", {"status": "sleeping"}, "invalid"),
        ("claim", {}, "usage"),
        ("claim", {"resources": ["/etc/passwd"]}, "outside_tree"),
        ("work", {"do": "set", "id": "W9", "status": "done"}, "unknown_item"),
    ],
)
async def test_a_call_that_is_wrong_says_how_and_changes_nothing(
    house: House, b: Actor, tool: str, arguments: dict[str, Any], code: str
) -> None:
    desk = desk_of(house, {"CLAUDE_CODE_SESSION_ID": "s-1"})
    joined = desk.carry_out(lambda: read_request(TOOLS["room"], {}), {})
    assert not isinstance(joined, Exception)
    before = len(house.events())
    answer = desk.carry_out(lambda: read_request(TOOLS[tool], arguments), {})
    assert getattr(answer, "code", None) == code
    assert len(house.events()) == before


async def test_a_fault_of_relays_own_is_told_and_noted(house: House, b: Actor) -> None:
    def broken() -> int:
        raise ValueError("no clock")

    async with connect(house, clock=broken) as mcp:
        refused = await mcp.refused("room")
        assert (refused["code"], "ValueError: no clock" in refused["message"]) == ("internal", True)
    (mishap,) = read_mishaps(house.home, 0)
    assert mishap.where == "mcp" and mishap.text.startswith("relay failed: ValueError: no clock (test_tools.py:")
