"""A real `relay mcp` process: what goes over its pipes, whatever the process itself or its children write."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import mcp_types
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from relay_tui.actions.call import Call
from relay_tui.actions.perform import perform
from relay_tui.agents.mcp.door import serve
from tests.agents.mcp.conftest import ERAS
from tests.agents.mcp.test_contract import NAMES
from tests.cli.conftest import PROJECT, CommandLine, command, crew, relay
from tests.cli.test_weight import REPORT
from tests.room_fixture import House, refusal

__all__ = ["crew", "relay"]

LIST_BYTES = 10 * 1024
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "claude-code", "version": "2.1.332"},
}  # fmt: skip
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "codex-mcp-client", "version": "1"},
}
# The server, in a process that writes to standard output by every way there is: while the SDK is looked for, and
# in every call, since every call asks the clock. Its child reads standard input to the end.
_NOISY = f"""
import ctypes, logging, os, subprocess, sys, time, warnings
sys.path[:0] = [{PROJECT!r}, *{[path for path in sys.path if path.endswith("-packages")]!r}]
from relay_tui.cli.main import run

def noise():
    print("noise by print", flush=True)
    sys.__stdout__.write("noise by sys")
    logging.getLogger("x").error("noise by logging")
    warnings.warn("noise by warning")
    os.write(1, b"noise by descriptor")
    ctypes.CDLL(None).puts(b"noise by C")
    subprocess.run(["sh", "-c", "echo noise by child; cat"], timeout=20, check=True)

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name in ("mcp_types", "mcp"):
            noise()

def clock():
    noise()
    return time.time_ns() // 1000

sys.meta_path.insert(0, Finder())
sys.exit(run(["mcp"], clock=clock))
"""


class Process:
    """A server spoken to in bytes."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self.popen = popen
        self._last = 0

    def say(self, method: str, params: dict[str, Any] | None = None, *, asks: bool = True) -> None:
        self._last += asks
        message = {"jsonrpc": "2.0", "method": method, **({"id": self._last} if asks else {})}
        line = json.dumps({**message, **({} if params is None else {"params": params})})
        assert self.popen.stdin is not None
        self.popen.stdin.write(line.encode() + b"\n")
        self.popen.stdin.flush()

    def hear(self) -> bytes:
        assert self.popen.stdout is not None
        return self.popen.stdout.readline()

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.say(method, params)
        answer: dict[str, Any] = json.loads(self.hear())
        assert answer["id"] == self._last, answer
        return answer

    def shake_hands(self) -> dict[str, Any]:
        answer = self.ask("initialize", HELLO)
        self.say("notifications/initialized", asks=False)
        return answer

    def end(self) -> tuple[int, bytes, bytes]:
        out, err = self.popen.communicate(timeout=30)
        return self.popen.returncode, out, err


@contextmanager
def started(words: list[str], relay: CommandLine) -> Iterator[Process]:
    environ = {**os.environ, "CLAUDE_CODE_SESSION_ID": "s-1", "RELAY_HOME": relay.home}
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(words, env=environ, cwd=relay.repository, **pipes) as popen:  # type: ignore[call-overload]
        try:
            yield Process(popen)
        finally:
            popen.kill()


@pytest.mark.parametrize("mode", ERAS)
async def test_the_sdks_client_over_pipes(crew: CommandLine, mode: str) -> None:
    words = command("mcp")
    environ = {"CLAUDE_CODE_SESSION_ID": "s-1", "RELAY_HOME": crew.home}
    server = StdioServerParameters(command=words[0], args=words[1:], env=environ, cwd=crew.repository)
    async with Client(server, mode=mode) as client:  # type: ignore[arg-type]
        assert client.protocol_version == ERAS[mode]
        assert [tool.name for tool in (await client.list_tools()).tools] == NAMES
        sent = await client.call_tool("send", {"to": "alice", "message": "hello"})
        assert sent.structured_content["recipients"] == ["alice"]
    (mail,) = crew.data("inbox --as alice")["messages"]
    assert (mail["body"], mail["from"].startswith("claude-shop-")) == ("hello", True)


def test_nothing_but_the_protocol_goes_to_standard_output(crew: CommandLine) -> None:
    with started([sys.executable, "-I", "-W", "always", "-c", _NOISY], crew) as process:
        answers = [process.shake_hands(), process.ask("tools/call", {"name": "room", "arguments": {}})]
        answers.append(process.ask("tools/call", {"name": "send", "arguments": {"to": "bob", "message": "x"}}))
        code, out, err = process.end()
    assert (code, out) == (0, b"")
    assert [answer["result"].get("isError", False) for answer in answers] == [False] * 3
    for way in ("print", "sys", "logging", "warning", "descriptor", "C", "child"):
        assert f"noise by {way}".encode() in err


@pytest.mark.parametrize("meta", [MODERN, {}], ids=["modern", "handshake"])
def test_the_list_of_tools_is_at_most_ten_kibibytes(relay: CommandLine, meta: dict[str, Any]) -> None:
    with started(command("mcp"), relay) as process:
        if not meta:
            process.shake_hands()
        process.say("tools/list", {"_meta": meta})
        line = process.hear()
        assert process.end()[0] == 0
    assert len(json.loads(line)["result"]["tools"]) == len(NAMES)
    assert len(line) <= LIST_BYTES, len(line)


def test_calls_are_carried_out_in_the_order_in_which_they_came(relay: CommandLine) -> None:
    titles = [f"t{number}" for number in range(20)]
    with started(command("mcp"), relay) as process:
        process.shake_hands()
        for title in titles:
            process.say("tools/call", {"name": "work", "arguments": {"do": "add", "title": title}})
        answers = [json.loads(process.hear())["result"]["structuredContent"]["items"][0] for _ in titles]
        assert process.end()[0] == 0
    assert [answer["title"] for answer in sorted(answers, key=lambda answer: int(answer["id"][1:]))] == titles


def test_a_server_that_nobody_called_leaves_no_trace(relay: CommandLine) -> None:
    with started(command("mcp"), relay) as process:
        assert process.ask("server/discover", {"_meta": MODERN})["result"]["supportedVersions"] == ["2026-07-28"]
        assert process.end() == (0, b"", b"")
    assert not os.path.exists(relay.home)


def test_a_client_that_is_gone_ends_the_server_quietly(relay: CommandLine) -> None:
    with started(command("mcp"), relay) as process:
        process.shake_hands()
        assert process.popen.stdout is not None
        process.popen.stdout.close()
        process.say("tools/list", {})
        assert process.popen.stdin is not None and process.popen.stderr is not None
        process.popen.stdin.close()
        assert process.popen.wait(30) == 0
        assert process.popen.stderr.read() == b""


def test_lines_that_are_no_messages_do_not_end_the_server(relay: CommandLine) -> None:
    with started(command("mcp"), relay) as process:
        assert process.popen.stdin is not None
        process.popen.stdin.write(b"\xff\xfe\n[]\nnull\n{\n\n")
        process.shake_hands()
        assert len(process.ask("tools/list", {})["result"]["tools"]) == len(NAMES)
        assert process.end()[:2] == (0, b"")


def test_without_the_sdk_it_says_what_to_install(relay: CommandLine) -> None:
    words = [sys.executable, "-I", "-S", "-c", REPORT, "mcp"]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(
        b"relay: relay mcp needs the MCP SDK, which is not installed.\nRun: pip install 'relay-tui[mcp]'\n"
    )


def test_a_person_at_a_terminal_is_told_what_it_is_for(relay: CommandLine) -> None:
    master, slave = pty.openpty()
    done = subprocess.run(command("mcp"), stdin=slave, capture_output=True, check=False)
    os.close(master)
    os.close(slave)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"relay: relay mcp speaks to an agent's client, not to a person.\nRun: relay setup\n"


def test_what_it_cannot_do_is_refused_before_it_serves(relay: CommandLine, house: House) -> None:
    dry = refusal(serve, Call("mcp", {}, dry_run=True), {}, "/")
    nobodys = refusal(serve, Call("mcp", {"channel": True}), {}, "/")
    elsewhere = refusal(perform, Call("mcp", {}), house.room, None)
    assert {dry.code, nobodys.code, elsewhere.code} == {"usage"}
    assert relay.fault("mcp --bad")["code"] == "usage"
    assert mcp_types.LATEST_PROTOCOL_VERSION == "2026-07-28"
