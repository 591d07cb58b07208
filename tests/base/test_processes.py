from __future__ import annotations

import os
import subprocess
import sys

from relay_tui.base.filesystem import filesystem_type
from relay_tui.base.processes import identify, is_running


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


def test_the_file_system_of_a_path_that_is_not_there_yet(tmp_path: object) -> None:
    assert filesystem_type(f"{tmp_path}/not/yet") == filesystem_type(str(tmp_path))
