"""The screen in a real terminal that goes away, as a closed window does: the process ends and puts all away."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
from pathlib import Path

import pytest

from tests.cli.conftest import PROJECT, command
from tests.repo.git_fixture import REAL_GIT, make_script, wait_until_dead
from tests.room_fixture import House
from tests.tui.visits import visit

ROWS, COLUMNS = 40, 120
PATIENCE = 60.0  # seconds after which a process that has not ended never will


def start(home: Path, words: list[str], *, as_leader: bool) -> tuple[subprocess.Popen[bytes], int]:
    """relay on a terminal of its own, and our end of it. Only a leader of a session hears SIGHUP when that closes.

    Its git does not answer what is not committed, and writes its number into `home/hanging`.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RELAY")}
    environ = {**kept, "RELAY_HOME": str(home / "home"), "TMPDIR": str(home), "TERM": "xterm-256color"}
    environ["PYTHONPATH"] = PROJECT  # the demo starts `relay` commands of its own
    os.mkdir(home / "bin")
    hang = f"case \"$*\" in *' status '*) echo $$ >>'{home}/hanging'; exec sleep 600;; esac"
    make_script(str(home / "bin" / "git"), f'{hang}\nexec {REAL_GIT} "$@"')
    environ["PATH"] = f"{home / 'bin'}{os.pathsep}{environ['PATH']}"
    claim_terminal = (lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)) if as_leader else None
    relay = subprocess.Popen(
        command(*words), cwd=home, env=environ, stdin=theirs, stdout=theirs, stderr=theirs,
        start_new_session=True, preexec_fn=claim_terminal,
    )  # fmt: skip
    os.close(theirs)
    return relay, ours


def see(terminal: int, text: bytes) -> None:
    seen = b""
    while text not in seen:
        assert select.select([terminal], [], [], PATIENCE)[0], f"{text!r} never came"
        seen += os.read(terminal, 65536)


@pytest.mark.parametrize("as_leader", [True, False], ids=["SIGHUP", "end of file"])
def test_a_closed_window_ends_the_screen_and_what_it_started_and_removes_what_it_made(tmp_path: Path, as_leader: bool):
    relay, terminal = start(tmp_path, ["demo"], as_leader=as_leader)
    try:
        see(terminal, b"Attention")
        for keys in [b"4jj3j6j", b"1234567"] * 10:  # frames that nobody reads any more: the way out is blocked
            os.write(terminal, keys)
        while not (tmp_path / "hanging").exists():
            select.select([], [], [], 0.01)
        os.close(terminal)
        relay.wait(PATIENCE)
    finally:
        relay.kill()
        relay.wait()
    assert list(tmp_path.glob("relay-demo-*")) == []
    assert all(wait_until_dead(int(number)) for number in (tmp_path / "hanging").read_text().split())


async def test_q_waits_for_what_still_runs_and_says_so(house: House):
    async with visit(house, "claims") as here:
        with house.room.store.writing():
            here.app.acts.type_line("claim src/auth")
            await here.pilot.press("q")
            await here.pilot.pause()
            assert here.app.is_running
            assert "Still running: relay claim src/auth" in here.toasts and "q again closes now" in here.toasts
        while here.app.is_running:
            await here.pilot.pause(0.01)
    assert [event.kind for event in house.events("claim.taken")] == ["claim.taken"]


async def test_q_again_does_not_wait(house: House):
    with house.room.store.writing():
        async with visit(house, "claims") as here:
            here.app.acts.type_line("claim src/auth")
            await here.pilot.press("q", "q")
            await here.pilot.pause()
            assert not here.app.is_running


async def test_who_left_and_hears_that_it_failed_stays(house: House):
    async with visit(house, "claims") as here:
        with house.room.store.writing():
            here.app.acts.type_line("release src/nothing")
            await here.pilot.press("q")
        await here.settle()
        assert here.app.is_running and here.app.status.entry.error


async def test_ctrl_c_names_the_key_that_closes(house: House):
    async with visit(house, "claims") as here:
        await here.press("ctrl+c")
        assert here.toasts == "q closes relay."
        await here.press("question_mark")
        await here.pilot.resize_terminal(120, 36)
        assert here.app.is_running
