from __future__ import annotations

from relay_tui.base.times import DAY, MINUTE, SECOND
from relay_tui.room.held import Claim
from relay_tui.tui.glyphs import LETTERS, UNICODE
from relay_tui.tui.rows_of.claims import claim_detail, claim_row, claim_rows

NOW = 1_796_029_200 * SECOND
HELD = Claim("project", "src/auth", "codex-3", "live", NOW, "shop", "rewrite", NOW - MINUTE, False, False, None, [])
STALE = HELD._replace(resource="b.py", holder_state="quiet", holder_last_seen=NOW - DAY, stale=True)


def test_held_claims_come_first_each_part_under_its_heading():
    listed = claim_rows([STALE, HELD], NOW, UNICODE)
    assert [claim for _, claim in listed] == [None, HELD, None, STALE]
    assert [row.heading for row, _ in listed] == [True, False, True, False]
    assert len(claim_rows([HELD], NOW, UNICODE)) == 2
    assert claim_rows([], NOW, UNICODE) == []


def test_a_row_spells_its_resource_and_says_what_is_planned():
    branch = HELD._replace(scope="branch", resource="feat/a", planned=True)
    assert [str(cell) for cell in claim_row(branch, NOW, LETTERS).cells] == [
        "H Held", "branch:feat/a", "codex-3", "1m", "planned, rewrite",
    ]  # fmt: skip
    assert claim_row(branch._replace(note=None), NOW, UNICODE).cells[4] == "planned"


def test_rows_of_the_same_name_in_two_scopes_have_ids_of_their_own():
    ids = {claim_row(HELD._replace(scope=scope), NOW, UNICODE).id for scope in ("project", "machine", "branch")}
    assert len(ids) == 3


def test_the_detail_of_a_stale_claim_says_how_old_the_last_sign_is():
    text = claim_detail(STALE._replace(waiting=["a", "b"]), NOW, UNICODE).plain
    assert "◐ quiet, heard from 1d ago" in text
    assert "stays until its holder or the operator releases it" in text
    assert "waiting  a, b" in text
    assert "stays until" not in claim_detail(HELD, NOW, UNICODE).plain
    assert "never heard from" in claim_detail(HELD._replace(holder_last_seen=None), NOW, UNICODE).plain
