"""Folds of claims: events `claim.*`. Only held claims have a row; what was released is in the ledger."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import Any

    from relay_tui.room.fold import Fold


def claim_taken(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    for claim in data["claims"]:
        db.execute(
            "INSERT INTO claims (scope, family, lookup, resource, agent, note, claimed_at, planned)"
            " SELECT ?, ?, ?, ?, key, ?, ?, ? FROM agents WHERE room = ? AND name = ?",
            (
                claim["scope"], claim["family"], claim["lookup"], claim["resource"], data["note"], at,
                int(claim["planned"]), room, data["holder"],
            ),
        )  # fmt: skip


def claim_released(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    for claim in data["claims"]:
        db.execute(
            "DELETE FROM claims WHERE scope = ? AND family = ? AND lookup = ?",
            (claim["scope"], claim["family"], claim["lookup"]),
        )


FOLDS: dict[str, Fold] = {"claim.taken": claim_taken, "claim.released": claim_released}
