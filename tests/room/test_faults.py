"""The system's own errors, with what helps against each."""

from __future__ import annotations

import errno

from relay_tui.room.faults import os_error


def test_a_disk_that_a_sandbox_keeps_read_only_is_not_blamed_on_its_owner() -> None:
    assert "relay's MCP tools" in os_error(OSError(errno.EROFS, "Read-only file system"), "/x").hint
    assert os_error(OSError(errno.EACCES, "Permission denied"), "/x").hint == "Check its owner and its disk."


def test_what_stands_in_the_way_is_to_be_moved_and_a_full_disk_emptied() -> None:
    assert "move it away" in os_error(OSError(errno.EEXIST, "File exists"), "/x").hint
    assert "ulimit -n" in os_error(OSError(errno.EMFILE, "Too many open files"), "/x").hint
    assert os_error(OSError(errno.ENOSPC, "No space left on device"), "/x").hint == "Free disk space."
