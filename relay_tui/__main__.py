"""`python -m relay_tui`: the `relay` command where no script is on PATH."""

from relay_tui.cli.start import main

main()
