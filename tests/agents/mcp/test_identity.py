"""Who a call over MCP acts as: what the connection says, never what an argument says, and never a person."""

from __future__ import annotations

import os
import re
from typing import Any

import anyio
import pytest

from relay_tui.base.times import MINUTE
from relay_tui.room import registry
from relay_tui.room.agents import Agent
from relay_tui.room.ledger import Actor
from relay_tui.room.lobby import init_room
from tests.agents.conftest import SESSION, Client
from tests.agents.mcp.conftest import CLAUDE, Connected, connect
from tests.agents.mcp.test_contract import CALLS
from tests.repo.git_fixture import add_worktree, make_repository
from tests.room_fixture import House


def agent(house: House, name: str) -> Agent:
    return registry.who_am_i(house.enter(house.repository), Actor(name)).agent


async def me(mcp: Connected) -> str:
    return str((await mcp.ok("room"))["me"])


async def test_a_session_of_claude_is_the_same_agent_through_hooks_and_mcp(house: House, era: str) -> None:
    name = Client(house).start()
    async with connect(house, era) as mcp:
        assert await me(mcp) == name
    assert len(house.events("agent.joined")) == 1


async def test_a_client_inside_another_one_does_not_act_as_that(house: House) -> None:
    around = house.join("claude-1", session="S1", runner="claude", pid=os.getppid())
    given = {"RELAY_AGENT": around.name, "RELAY_SESSION": "S1"}
    async with connect(house, environ=given) as mcp:
        assert (await me(mcp.saying(threadId="t-1"))).startswith("codex-shop-api-")
        assert await me(mcp) == "claude-1", "a client that does not say which it is is taken at its word"


async def test_a_session_without_hooks_joins_by_its_first_call(house: House) -> None:
    async with connect(house, parent=os.getpid()) as mcp:
        await mcp.client.list_tools()
        assert house.enter(house.repository).exists is False
        name = await me(mcp)
    assert re.fullmatch(r"claude-shop-api-[0-9a-f]{4}", name)
    known = agent(house, name)
    assert (known.runner, known.state, known.source, known.session) == ("claude", "live", "mcp", SESSION)
    assert (known.branch, known.worktree, known.pid, known.ephemeral) == ("main", house.repository, os.getpid(), True)
    assert Client(house).start() == name, "and its hooks find it"


async def test_threads_of_codex_over_one_connection_are_agents_of_their_own(house: House, era: str) -> None:
    async with connect(house, era, {}) as mcp:
        one, two = mcp.saying(threadId="t-1"), mcp.saying(threadId="t-2")
        names = [await me(one), await me(two), await me(one)]
        assert names[0] == names[2] != names[1]
        assert all(name.startswith("codex-shop-api-") for name in names)
        sent = await one.ok("send", to=names[1], message="x")
        assert [mail["id"] for mail in (await two.ok("inbox"))["messages"]] == [sent["id"]]
    assert {agent(house, name).session for name in names} == {"t-1", "t-2"}


async def test_a_thread_of_codex_stands_in_the_folder_that_it_names(house: House) -> None:
    tree = add_worktree(house.repository, os.path.join(house.folder, "wt"), "feat/mcp")
    async with connect(house, environ={}) as mcp:
        said = {"workspaces": {tree: {"has_changes": True}}}
        name = await me(mcp.saying(threadId="t-1", **{"x-codex-turn-metadata": said}))
    assert (agent(house, name).branch, agent(house, name).worktree) == ("feat/mcp", tree)


@pytest.mark.parametrize(
    "turn", [None, [], {"workspaces": []}, {"workspaces": {"../x": {}}}, {"workspaces": {"/no": 1}}]
)
async def test_what_a_client_says_wrongly_is_passed_over(house: House, turn: Any) -> None:
    async with connect(house, environ={}) as mcp:
        name = await me(mcp.saying(threadId="t-1", **{"x-codex-turn-metadata": turn}))
        assert agent(house, name).worktree == house.repository
        for thread in ("", 7, "x" * 201, None):
            assert (await mcp.saying(threadId=thread).refused("room"))["code"] == "usage"


async def test_a_name_that_was_set_is_taken(house: House) -> None:
    async with connect(house, environ={**CLAUDE, "RELAY_AGENT": "codex-3"}) as mcp:
        assert await me(mcp) == "codex-3"
    assert not agent(house, "codex-3").ephemeral
    async with connect(house, environ={"CLAUDE_CODE_SESSION_ID": "another", "RELAY_AGENT": "codex-3"}) as mcp:
        assert (await mcp.refused("room"))["code"] == "session_conflict"
    async with connect(house, environ={"RELAY_AGENT": "else"}, name="gem") as mcp:
        assert await me(mcp) == "gem"
    async with connect(house, environ={}, name="gem") as mcp:
        assert await me(mcp) == "gem", "a client without sessions keeps its name when it starts again"


async def test_a_session_that_was_given_with_a_name_is_the_one_that_hooks_know(house: House) -> None:
    given = {"RELAY_AGENT": "nina", "RELAY_SESSION": "S1"}
    async with connect(house, environ={**CLAUDE, **given}) as mcp:
        assert await me(mcp) == "nina"
        assert await me(mcp.saying(threadId="t-1")) == "nina"
    assert agent(house, "nina").session == "S1"


async def test_a_connection_that_says_nothing_is_told_how(house: House, b: Actor, era: str) -> None:
    async with connect(house, era, {}) as mcp:
        for tool, arguments in CALLS:
            refused = await mcp.refused(tool, **arguments)
            assert (refused["code"], "--as NAME" in refused["hint"]) == ("usage", True)
    assert len(house.events("agent.joined")) == 1


@pytest.mark.parametrize("name", ["operator", "relay", "all", "42"])
async def test_nobody_acts_as_a_person(house: House, b: Actor, name: str) -> None:
    for environ in ({"RELAY_AGENT": name}, {**CLAUDE, "RELAY_AGENT": name}, {**CLAUDE, "RELAY_OPERATOR": "1"}):
        before = len(house.events())
        async with connect(house, environ=environ) as mcp:
            for tool, arguments in CALLS if "RELAY_AGENT" in environ else ():
                assert (await mcp.refused(tool, **arguments))["code"] == "reserved_name"
            if "RELAY_OPERATOR" in environ:
                assert await me(mcp) != "operator"
            else:
                assert len(house.events()) == before


async def test_the_operator_of_another_name_is_a_person_too(house: House) -> None:
    init_room(house.room, name=None, operator="kim")
    house.room = house.enter(house.repository)
    for environ in ({"RELAY_AGENT": "kim"}, {**CLAUDE, "RELAY_AGENT": "kim"}):
        async with connect(house, environ=environ) as mcp:
            assert (await mcp.refused("send", to="kim", message="x"))["code"] == "reserved_name"


async def test_a_session_that_was_cleared_is_followed_to_the_next(house: House) -> None:
    pid = {"CLAUDE_PID": str(os.getpid())}
    first = Client(house, **pid)
    before = first.start()
    async with connect(house, parent=os.getpid()) as mcp:
        assert await me(mcp) == before
        first.hook("session-end", reason="clear")
        house.clock.advance(MINUTE)
        after = Client(house, "the-next", **pid).start()
        assert await me(mcp) == after != before
        house.clock.advance(MINUTE)
        first.hook("session-start", source="resume")
        assert await me(mcp) == before


async def test_a_session_with_a_name_that_was_set_is_followed_too(house: House) -> None:
    environ = {"RELAY_AGENT": "codex-3", "CLAUDE_PID": str(os.getpid())}
    first = Client(house, **environ)
    first.start()
    async with connect(house, environ={**CLAUDE, "RELAY_AGENT": "codex-3"}, parent=os.getpid()) as mcp:
        first.hook("session-end", reason="clear")
        house.clock.advance(MINUTE)
        Client(house, "the-next", **environ).hook("session-start", source="clear")
        assert await me(mcp) == "codex-3"
    assert agent(house, "codex-3").session == "the-next"


async def test_a_client_that_this_one_started_is_not_taken_for_it(house: House) -> None:
    inherited = {"CLAUDE_PID": str(os.getpid())}
    name = Client(house, **inherited).start()
    house.clock.advance(MINUTE)
    other = Client(house, "within", client="gemini", **inherited).start()
    registry.join(house.room, Actor(other, "within", "cli"), registry.Joining(pid=os.getpid()))
    async with connect(house, parent=os.getpid()) as mcp:
        assert await me(mcp) == name


async def test_another_process_of_the_same_client_is_not_followed(house: House) -> None:
    name = Client(house).start()
    Client(house, "of-another", CLAUDE_PID=str(os.getppid())).start()
    async with connect(house, parent=os.getpid()) as mcp:
        assert await me(mcp) == name


@pytest.mark.parametrize("environ", [{}, {"RELAY_AGENT": "codex-3"}], ids=["made name", "set name"])
async def test_an_agent_that_left_is_back_by_its_next_call(house: House, environ: dict[str, str]) -> None:
    client = Client(house, **environ)
    name = client.start()
    client.hook("session-end", reason="other")
    async with connect(house, environ={**CLAUDE, **environ}) as mcp:
        await mcp.ok("work", do="add", title="x")
        assert await me(mcp) == name
    assert agent(house, name).state == "live"


async def test_outside_a_repository_there_is_no_room_to_join(house: House, tmp_path: Any) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    async with connect(house, folder=str(elsewhere)) as mcp:
        assert (await mcp.refused("room"))["code"] == "unknown_room"


async def test_a_server_that_outlives_a_restore_serves_the_new_file(house: House, b: Actor) -> None:
    async with connect(house) as mcp:
        first = await me(mcp)
        house.room.store.close()
        for name in os.listdir(house.home):
            if name.startswith("relay.db"):
                os.remove(os.path.join(house.home, name))
        assert await me(mcp) == first
    house.room = house.enter(house.repository)
    assert [event.kind for event in house.events()][:1] == ["room.created"]


async def test_two_servers_at_once_lose_nothing(house: House, b: Actor) -> None:
    async def talk(number: int) -> None:
        environ = {"CLAUDE_CODE_SESSION_ID": f"s-{number}"}
        async with connect(house, environ=environ) as mcp, anyio.create_task_group() as tasks:
            for index in range(10):
                tasks.start_soon(lambda i=index: mcp.ok("send", to="b", message=f"{number}.{i}"))

    async with anyio.create_task_group() as both:
        both.start_soon(talk, 1)
        both.start_soon(talk, 2)
    bodies = {mail.body for mail in house.poll(b, limit=100).messages}
    assert bodies == {f"{number}.{index}" for number in (1, 2) for index in range(10)}
    house.assert_whole()


async def test_another_repository_is_another_room(house: House, b: Actor) -> None:
    other = make_repository(os.path.join(house.folder, "other"))
    async with connect(house, folder=other) as mcp:
        seen = await mcp.ok("room")
        assert (seen["room"], seen["others"]) == ("other", [])
