"""The ways to wake an idle session of a client, as far as the client shows that there is one (DESIGN §11).

Claude Code listens on a socket of each session, which it does not document: what has another shape is no way.
Codex has a command for it. Nothing is typed into a terminal, nothing of a peer's is sent, and no token is read.
"""

from __future__ import annotations

import os
import shutil
import socket
import stat
import sys
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from relay_tui.base.canonical import encode
from relay_tui.base.children import end_children_on_signals, finish, follow
from relay_tui.base.text import clip
from relay_tui.wiring.sessions import running_claudes

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

SOCKET, QUEUE = "socket", "queue"  # the means
TOLD, FAILED, UNCERTAIN = "told", "failed", "uncertain"
SOCKET_SECONDS = 2.0
QUEUE_SECONDS = 10.0
_PEER_PROTOCOL = 1
_CREDENTIALS = 12  # bytes: pid, uid and gid of a socket's other end
_TEXT = 200


class Way(NamedTuple):
    """`target` is a socket's real path or a thread's id; `pid` the process that listens, where that is known."""

    means: str
    target: str
    pid: int | None = None


class Ending(NamedTuple):
    """`TOLD`, `FAILED` where nothing can have arrived, else `UNCERTAIN`; and why."""

    outcome: str
    text: str


def find_way(client: str | None, session: str | None, pid: int | None, person: str) -> Way | str:
    """How a session is woken, or why it cannot be; looks and does nothing. `person` is the person's home."""
    if client == "claude":
        return _find_socket(session, pid, person)
    if client == "codex":
        return _find_thread(session)
    return f"nobody can wake {client}" if client else "nobody knows its client"


def take_way(way: Way, line: str) -> Ending:
    """Wake the session with a line. The caller has recorded that it will."""
    return _write_to_socket(way, line) if way.means == SOCKET else _put_in_queue(way, line)


def _find_socket(session: str | None, pid: int | None, person: str) -> Way | str:
    running = list(running_claudes(person))
    said = next((one for one in running if one["sessionId"] == session), None)
    if said is None and not _is_uuid(session):  # a session that somebody named before the client began
        said = next((one for one in running if one["pid"] == pid), None)
    if said is None:
        return "its session was not found among those that run"
    path = said.get("messagingSocketPath")
    if said.get("peerProtocol") != _PEER_PROTOCOL or not isinstance(path, str):
        return "its Claude Code has no inbox that relay knows"
    if said.get("status") != "idle":
        return "it is at work, and hears of mail by itself"
    real = os.path.realpath(path)
    try:
        facts = os.lstat(real)
    except OSError:
        return "its inbox is gone"
    if not stat.S_ISSOCK(facts.st_mode) or facts.st_uid != os.geteuid():
        return "its inbox is not a socket of yours"
    return Way(SOCKET, real, said["pid"])


def _find_thread(session: str | None) -> Way | str:
    if shutil.which("codex") is None:
        return "codex is not on PATH"
    return Way(QUEUE, session) if session and _is_uuid(session) else "its Codex thread is not known"


def _is_uuid(session: str | None) -> bool:
    """Whether it is the client's own id, which it writes in the one usual way."""
    try:
        return str(UUID(session or "")) == session
    except ValueError:
        return False


def _write_to_socket(way: Way, line: str) -> Ending:
    """Whether the session's own process took the line; there is no receipt of it."""
    frame = encode({"type": "user", "message": {"role": "user", "content": line}, "msg_id": str(uuid4())}) + "\n"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as inbox:
        inbox.settimeout(SOCKET_SECONDS)
        try:
            inbox.connect(way.target)
            stranger = _is_stranger(inbox, way.pid)
        except OSError as fault:
            return Ending(FAILED, str(fault.strerror or fault))
        if stranger:
            return Ending(FAILED, "another process listens there")
        try:
            inbox.sendall(frame.encode())
            inbox.shutdown(socket.SHUT_WR)
        except OSError as fault:
            return Ending(UNCERTAIN, str(fault.strerror or fault))
    return Ending(TOLD, "")


def _is_stranger(inbox: socket.socket, pid: int | None) -> bool:
    """Whether the other end is not the session's process, where the system says."""
    if not hasattr(socket, "SO_PEERCRED"):
        return False
    said = inbox.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS)
    return int.from_bytes(said[:4], sys.byteorder) != pid


def _put_in_queue(way: Way, line: str) -> Ending:
    """Codex has no key for a repeated call, so whatever else than its "yes" may have worked."""
    command = ["codex", "queue", "--thread", way.target, "--message", line]
    end_children_on_signals()
    try:
        codex = Popen(command, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE, start_new_session=True)
    except OSError as fault:
        return Ending(FAILED, f"codex could not be started ({fault.strerror})")
    follow(codex.pid)
    try:
        _, errors = codex.communicate(timeout=QUEUE_SECONDS)
    except TimeoutExpired:
        return Ending(UNCERTAIN, f"codex did not answer in {QUEUE_SECONDS:g} s")
    finally:
        finish(codex)
    if codex.returncode:
        said = errors.decode("utf-8", "replace").strip().split("\n")[0]
        return Ending(UNCERTAIN, clip(said, _TEXT) or f"codex ended with status {codex.returncode}")
    return Ending(TOLD, "")
