"""The one error type, and the one map from error codes to exit codes (CONTRACT, error codes)."""

from __future__ import annotations

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
    def exit_code(self) -> int:
        return EXIT_OF_CODE[self.code]


def _shortened(sentence: str) -> str:
    """Its beginning and its end, which say what is wrong with what stands between."""
    half = LONGEST // 2 - 1
    return sentence if len(sentence) <= LONGEST else f"{sentence[:half]}…{sentence[-half:]}"
