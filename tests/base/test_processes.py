from __future__ import annotations

import os
import shlex
import subprocess
import sys

from relay_tui.base.processes import find_ancestor, identify, is_running
from tests.cli.conftest import PROJECT


def test_a_process_is_itself_until_it_ends() -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    known = identify(process.pid)
    assert known is not None
    assert (known.pid, is_running(known)) == (process.pid, True)
    process.communicate()
    assert not is_running(known)
    assert identify(process.pid) is None


def test_a_number_that_was_used_again_is_somebody_else() -> None:
    me = identify(os.getpid())
    assert me is not None
    assert not is_running(me._replace(start=me.start + 1))
    assert not is_running(me._replace(boot="another boot"))


def test_the_client_above_a_shell_is_found_by_its_name() -> None:
    with open("/proc/self/comm", encoding="utf-8") as file:
        mine = file.read().strip()
    code = f"from relay_tui.base.processes import find_ancestor; print(find_ancestor({mine!r}))"
    line = shlex.join([sys.executable, "-c", code])
    found = subprocess.run(["sh", "-c", f"{line}; true"], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert found.stdout == f"{os.getpid()}\n"
    assert find_ancestor("no such client") is None
