"""A whole crew at once: the screen in a terminal, MCP servers whose agents read their mail, and writers."""

from __future__ import annotations

import json
import statistics
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.bench.terminal import Terminal
from tests.bench.timing import clean_environment
from tests.cli.conftest import command
from tests.gauntlet.figures import Answer, Figures, figures_of
from tests.gauntlet.stage import Stage

HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "gauntlet", "version": "1"}}
KIBIBYTES = 1024  # in one MiB


class McpAgent:
    """A `relay mcp` process under a name whose mail a thread fetches and acknowledges through it."""

    def __init__(self, stage: Stage, name: str, environ: dict[str, str]) -> None:
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        environ = {**environ, "RELAY_AGENT": name, "RELAY_SESSION": f"session-of-{name}"}
        self.process = subprocess.Popen(command("mcp"), cwd=stage.repository, env=environ, text=True, **pipes)
        self.answers: list[Answer] = []
        self._asked = 0
        self._pool = ThreadPoolExecutor(1)

    def shake_hands(self) -> None:
        self._ask("initialize", HELLO)
        self._say({"method": "notifications/initialized"})
        self.call("room")  # its first call joins

    def begin(self, over: threading.Event) -> None:
        self._work_done = self._pool.submit(self._work, over)

    def end(self) -> None:
        """Wait until its mail is handled; raises what went wrong, and where the server did not end as it should."""
        self._work_done.result()
        self._pool.shutdown()
        out, err = self.process.communicate(timeout=60)
        assert (self.process.returncode, out, err) == (0, "", "")

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        result = self._ask("tools/call", {"name": tool, "arguments": arguments})
        assert not result.get("isError"), result
        answer: dict[str, Any] = result["structuredContent"]
        return answer

    def _work(self, over: threading.Event) -> None:
        while not over.wait(0.2):
            self._handle_some()
        while self._handle_some():
            pass

    def _handle_some(self) -> int:
        ids = [one["id"] for one in self.call("inbox", do="read", limit=100)["messages"]]
        if ids:
            began = time.perf_counter_ns()
            self.call("ack", ids=ids)
            self.answers.append(Answer("acked", ",".join(ids), (time.perf_counter_ns() - began) // 1000))
        return len(ids)

    def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._asked += 1
        self._say({"method": method, "params": params, "id": self._asked})
        assert self.process.stdout is not None
        answer = json.loads(self.process.stdout.readline())
        assert answer["id"] == self._asked, answer
        result: dict[str, Any] = answer["result"]
        return result

    def _say(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()


def crew(folder: str, servers: int = 10, writers: int = 5, seconds: float = 60, pause: float = 0.1) -> Figures:
    """The screen, MCP servers and writers that send to their agents; everything that was sent is handled."""
    stage = Stage(folder)
    names = stage.enter([f"writer-{number}" for number in range(writers)])
    readers = [f"reader-{number}" for number in range(servers)]
    environ = {**clean_environment(stage.home), "HOME": folder}
    agents = [McpAgent(stage, name, environ) for name in readers]
    for agent in agents:
        agent.shake_hands()
    over, drawn = threading.Event(), threading.Event()
    with Terminal(command(), environ, stage.repository) as terminal:
        terminal.see("Attention")
        watcher = threading.Thread(target=_keep_reading, args=(terminal, drawn))
        watcher.start()
        for agent in agents:
            agent.begin(over)
        took, answers = stage.play(
            [stage.worker("write_for", name, ",".join(readers), seconds, pause) for name in names]
        )
        memory = [_resident(agent.process.pid) for agent in agents]
        over.set()
        for agent in agents:
            agent.end()
        drawn.set()
        watcher.join()
        terminal.type("2")
        terminal.see(readers[0])
    handled = [answer for agent in agents for answer in agent.answers]
    stage.check([*answers, *handled])
    assert sum(len(one.what.split(",")) for one in handled) == sum(one.act == "sent" for one in answers)
    more = f"{statistics.median(memory):.0f} MiB a server"
    return figures_of(f"the screen, {servers} MCP servers, {writers} writers", took, [*answers, *handled], more)


def _keep_reading(terminal: Terminal, over: threading.Event) -> None:
    """What nobody takes off a terminal would stop the screen at the next byte."""
    while not over.is_set():
        terminal.forget()


def _resident(pid: int) -> float:
    """MiB of memory that are a process's own share; 0 where the system does not say."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("Pss:")) / KIBIBYTES
    except OSError:
        return 0.0
