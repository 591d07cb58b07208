"""What the installed commands run: the command line, loaded without a collector that looks for garbage in it."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """The `relay` command.

    Loading makes thousands of objects that stay, and looking through them again and again is a tenth of a
    command's time. A command ends before there is anything to collect; what lasts turns collection on again.
    """
    gc.disable()
    from relay_tui.cli.main import run

    gc.freeze()  # the collection at the end passes over them as well
    sys.exit(run(sys.argv[1:]))
