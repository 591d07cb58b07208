"""The one error type, the one map from error codes to exit codes (CONTRACT, error codes), and checks that raise it."""

from __future__ import annotations

import errno

from relay_tui.base.text import inert

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

EXIT_OF_CODE = {
    "internal": 1, "storage": 1,
    "usage": 2,
    "unknown_agent": 3, "unknown_message": 3, "unknown_claim": 3, "unknown_handoff": 3,
    "unknown_item": 3, "unknown_branch": 3, "unknown_room": 3, "no_recipients": 3, "no_file": 3,
    "invalid": 4, "corrupt": 4, "too_large": 4, "newer_schema": 4, "outside_tree": 4,
    "claim_conflict": 5, "id_conflict": 5, "session_conflict": 5, "edit_conflict": 5, "held": 5,
    "file_exists": 5,
    "busy": 6, "timeout": 6,
    "ambiguous": 7,
    "gate_refused": 8, "reserved_name": 8, "not_yours": 8, "not_operator": 8, "retired": 8, "left": 8,
    "refused": 8,
}  # fmt: skip

EXIT_CODES = {
    0: "done",
    1: "internal fault",
    2: "usage",
    3: "not found",
    4: "invalid data",
    5: "conflict",
    6: "busy or timed out",
    7: "ambiguous",
    8: "refused by a gate or a rule",
    130: "interrupted",
}


REPORT_IT = "This is a fault of relay's own; please report it."
# What a shell bounds for whatever it starts, and what says how far.
LIMITS = {errno.EMFILE: "ulimit -n", errno.ENFILE: "sysctl fs.file-max", errno.EFBIG: "ulimit -f"}
LONGEST = 2000  # characters of a sentence; what it quotes may be a megabyte


class RelayError(Exception):
    """Something a person or a program can act on: a code, one sentence, and what to do next."""

    def __init__(self, code: str, message: str, hint: str = "", details: dict[str, object] | None = None) -> None:
        self.code = code
        self.message = _shortened(message)
        self.hint = _shortened(hint)
        super().__init__(self.message)
        self.details = details or {}

    @property
    def told(self) -> str:
        """What happened and, on a line of its own, what to do next: for people, so inert."""
        return "\n".join(inert(sentence) for sentence in (self.message, self.hint) if sentence)

    @property
    def in_a_line(self) -> str:
        """The same as it was said, in one sentence after the other: who shows it makes it inert."""
        return " ".join(filter(None, (self.message, self.hint)))

    @property
    def exit_code(self) -> int:
        return EXIT_OF_CODE[self.code]


def check_choices(words: Iterable[str], kind: str, choices: Sequence[str]) -> None:
    """Raises `usage` for a word that is none of these."""
    for word in words:
        if word not in choices:
            raise RelayError("usage", f"'{word}' is not a {kind}.", f"Use one of {', '.join(choices)}.")


def check_number(option: str, value: int, least: int = 1, most: int | None = None) -> None:
    """Raises `usage` for a number that is out of bounds."""
    if value < least or (most is not None and value > most):
        upwards = "" if most is None else f" to {most}"
        raise RelayError("usage", f"{option} {value} is out of bounds.", f"Take a number from {least}{upwards}.")


def internal_fault(fault: Exception, hint: str = REPORT_IT) -> RelayError:
    """What a door says of a fault that nobody foresaw: what it was, and the line that failed."""
    import os
    import traceback

    if isinstance(fault, OSError) and fault.errno in LIMITS:
        return RelayError("storage", f"The system refused it: {fault.strerror}.", beyond_limit(fault))
    last = traceback.extract_tb(fault.__traceback__)[-1]
    where = f"{os.path.basename(last.filename)}:{last.lineno}"
    return RelayError("internal", f"relay failed: {type(fault).__name__}: {fault} ({where}).", hint)


def beyond_limit(fault: OSError) -> str:
    """What to do about one of `LIMITS`."""
    return f"Raise the limit of this process or system: {LIMITS[fault.errno or 0]}"


def _shortened(sentence: str) -> str:
    """Its beginning and its end, which say what is wrong with what stands between."""
    half = LONGEST // 2 - 1
    return sentence if len(sentence) <= LONGEST else f"{sentence[:half]}…{sentence[-half:]}"
