"""A model's API on loopback for real clients: it answers what a test's script says, and keeps what it was asked.

Claude Code speaks Anthropic's Messages to it and Codex OpenAI's Responses, both as a stream of events. It is also
the proxy for whatever else a client wants to reach, and refuses that at once.
"""

from __future__ import annotations

import json
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

SECONDS = 60  # after which what did not come never will, on a machine however busy


class Use(NamedTuple):
    """A tool that the model uses: a name, for Codex with the namespace before a dot; or a free text for it."""

    tool: str
    given: dict[str, Any] | str


class ModelApi:
    """Each request with tools is a turn of the model's and takes the next line of the script, or ends the turn."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self._script: deque[str | Use | Callable[[], str]] = deque()
        self._came = threading.Condition()
        api = self

        class Handler(_Handler):
            def answer(self, body: dict[str, Any]) -> list[dict[str, Any]]:
                said = api._next(body) if body.get("tools") else "Nothing."
                number = len(api.asked)
                return claude_events(said, number) if "messages" in body else codex_events(said, number)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def will(self, *script: str | Use | Callable[[], str]) -> None:
        """What the model says and does from here on; a call is made while the client waits for what it returns."""
        self._script.extend(script)

    def heard(self, number: int) -> str:
        """All that the model was given at its turn of this number, from 0; waits for that turn."""
        with self._came:
            assert self._came.wait_for(lambda: len(self.asked) > number, SECONDS), f"turn {number} never came"
        body = self.asked[number]
        return "\n".join(_texts(body.get("messages") or body["input"]))

    def _next(self, body: dict[str, Any]) -> str | Use:
        with self._came:
            self.asked.append(body)
            self._came.notify_all()
            said = self._script.popleft() if self._script else "That is all."
        return said() if callable(said) else said


class _Handler(BaseHTTPRequestHandler, ABC):
    protocol_version = "HTTP/1.1"

    @abstractmethod
    def answer(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        """The events of the stream that answers a request."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not self.path.partition("?")[0].endswith(("/messages", "/responses")):
            return self.do_GET()
        events = [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in self.answer(body)]
        return self._reply(200, "".join(events).encode())

    def do_GET(self) -> None:
        self._reply(404, b"")

    do_HEAD = do_GET

    def do_CONNECT(self) -> None:
        self.close_connection = True
        self._reply(403, b"")

    def log_message(self, *_: object) -> None:
        """Nothing: what matters is kept in `asked`."""

    def _reply(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def claude_events(said: str | Use, number: int) -> list[dict[str, Any]]:
    """One message of Anthropic's API, as its stream brings it."""
    if isinstance(said, Use):
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": said.tool, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(said.given)}
    else:
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": said}
    message = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "content": [], "stop_reason": None,
        "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip
    ends = {"stop_reason": "tool_use" if isinstance(said, Use) else "end_turn", "stop_sequence": None}
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": ends, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]


def codex_events(said: str | Use, number: int) -> list[dict[str, Any]]:
    """One response of OpenAI's API, as its stream brings it."""
    item: dict[str, Any] = {"call_id": f"call_{number}"}
    if isinstance(said, str):
        item = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": said}]}
    elif isinstance(said.given, str):
        item |= {"type": "custom_tool_call", "name": said.tool, "input": said.given}
    else:
        space, _, name = said.tool.rpartition(".")
        item |= {"type": "function_call", "name": name, "arguments": json.dumps(said.given)}
        item |= {"namespace": space} if space else {}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    return [
        {"type": "response.created", "response": {"id": "r"}},
        {"type": "response.output_item.done", "item": item},
        {"type": "response.completed", "response": {"id": "r", "usage": usage}},
    ]


def _texts(value: object) -> list[str]:
    """Every text in a request, in order."""
    if isinstance(value, str):
        return [value]
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for member in members for text in _texts(member)]
