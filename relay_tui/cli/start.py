"""What the installed commands run: the command line, loaded without a collector that looks for garbage in it."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> NoReturn:
    """The `relay` command.

    Loading makes thousands of objects that stay, and looking through them again and again is a tenth of a
    command's time. A command ends before there is anything to collect; what lasts turns collection on again.
    """
    gc.disable()
    from relay_tui.cli.main import run

    gc.freeze()  # the collection at the end passes over them as well
    _leave(run(sys.argv[1:]))


def _leave(exit_code: int) -> NoReturn:
    """End the process. What was written is flushed and the room is closed by now, and where no thread was ever
    started nobody else has anything to end: taking the interpreter apart is a twentieth of a command's time."""
    if "threading" in sys.modules:
        sys.exit(exit_code)
    os._exit(exit_code)
