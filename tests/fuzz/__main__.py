"""`python -m tests.fuzz TARGET [options of libFuzzer]`: feed one target with atheris until it fails or is stopped."""

from __future__ import annotations

import os
import sys
import tempfile


def main(arguments: list[str]) -> None:
    try:
        import atheris
    except ImportError:
        raise SystemExit("Fuzzing needs atheris, which is not installed. Run: pip install atheris") from None
    with atheris.instrument_imports(include=["relay_tui"]):
        from tests.fuzz.targets import SEEDS, TARGETS
    if not arguments or arguments[0] not in TARGETS:
        raise SystemExit(f"Say which target: {', '.join(TARGETS)}. Options of libFuzzer may follow.")
    name, *options = arguments
    folder = tempfile.mkdtemp(prefix="relay-fuzz-")  # libFuzzer leaves without a word, so nothing cleans it up
    corpus = os.path.join(folder, "corpus")
    os.mkdir(corpus)
    for place, seed in enumerate(SEEDS[name]):
        with open(os.path.join(corpus, str(place)), "wb") as file:
            file.write(seed)
    atheris.Setup([sys.argv[0], *options, corpus], TARGETS[name](folder))
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
