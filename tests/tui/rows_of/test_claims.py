from __future__ import annotations

from relay_tui.base.times import DAY, MINUTE, SECOND
from relay_tui.room.handoffs import Handoff, HandoffResource
from relay_tui.room.held import Claim
from relay_tui.tui.rows_of.claims import COLUMNS, claim_detail, claim_row, claim_rows
from relay_tui.tui.widgets.columns import fit, laid_out
from relay_tui.tui.widgets.glyphs import LETTERS, UNICODE

NOW = 1_796_029_200 * SECOND
HELD = Claim("project", "src/auth", "codex-3", "live", NOW, "shop", "rewrite", NOW - MINUTE, False, False, None)
STALE = HELD._replace(
    resource="b.py", holder="vector-4", holder_state="quiet", holder_last_seen=NOW - DAY, stale=True, note=None
)
BRANCH = HELD._replace(scope="branch", resource="feat/a", planned=True)
OFFER = Handoff(
    "H1", "codex-3", "claude-1", None, "waiting", [HandoffResource("project", "src/auth", None)], NOW - MINUTE, None,
    "shop", "shop",
)  # fmt: skip


def headings(claims: list[Claim]) -> list[str]:
    return [str(row.cells[0]) for row, _ in claim_rows(claims, {}, "shop", NOW, UNICODE) if row.heading]


def cells(claim: Claim, **offers: Handoff) -> list[str]:
    return [str(cell) for cell in claim_row(claim, offers, "shop", NOW, LETTERS).cells]


def test_a_heading_for_each_scope_and_holder_says_when_it_was_heard_from():
    machine = STALE._replace(scope="machine", resource="native", room="other", holder_last_seen=None)
    assert headings([machine, STALE, BRANCH, HELD, HELD._replace(resource="a")]) == [
        "paths · codex-3   ● live, heard from 0s ago",
        "paths · vector-4   ◐ quiet, heard from 1d ago",
        "branches · codex-3   ● live, heard from 0s ago",
        "machine · vector-4 of room other   ◐ quiet, never heard from",
    ]


def test_in_a_scope_those_held_come_before_those_stale():
    anna = STALE._replace(holder="anna")
    listed = claim_rows([anna, HELD], {}, "shop", NOW, UNICODE)
    assert [claim for _, claim in listed] == [None, HELD, None, anna]
    assert claim_rows([], {}, "shop", NOW, UNICODE) == []


def test_a_row_spells_its_resource_and_says_what_is_planned():
    assert cells(BRANCH) == ["H Held", "branch:feat/a", "1m", "planned, rewrite"]
    assert cells(BRANCH._replace(note=None))[3] == "planned"


def test_a_stale_row_says_so_with_the_age_of_the_last_sign():
    assert cells(STALE)[0] == "S Stale 1d"
    assert cells(STALE._replace(holder_last_seen=None))[0] == "S Stale"


def test_a_row_says_whom_it_is_offered_to_and_who_stands_in_line():
    offered = HELD._replace(handoff="H1", waiting=["a", "b"], waiting_rooms=["shop", "shop"])
    assert cells(offered, H1=OFFER)[3] == "offered to claude-1, in line: a, b, rewrite"
    assert cells(offered)[3].startswith("offered to somebody, ")


def test_rows_of_the_same_name_in_two_scopes_have_ids_of_their_own():
    claims = [HELD._replace(scope=scope) for scope in ("project", "machine", "branch")]
    ids = {claim_row(claim, {}, "shop", NOW, UNICODE).id for claim in claims}
    assert len(ids) == 3


def test_the_filter_finds_the_holder_and_who_waits():
    assert claim_row(HELD._replace(waiting=["a"], waiting_rooms=["shop"]), {}, "shop", NOW, UNICODE).fields == {
        "scope": "project", "holder": "codex-3", "line": "a"
    }  # fmt: skip


def test_the_detail_of_a_stale_claim_says_how_old_the_last_sign_is():
    text = claim_detail(
        STALE._replace(waiting=["a", "b"], waiting_rooms=["shop", "shop"]), None, "shop", NOW, UNICODE
    ).plain
    assert "◐ quiet, heard from 1d ago" in text
    assert "stays until its holder or the operator releases it" in text
    assert "in line  a, b" in text
    assert "stays until" not in claim_detail(HELD, None, "shop", NOW, UNICODE).plain
    assert "never heard from" in claim_detail(HELD._replace(holder_last_seen=None), None, "shop", NOW, UNICODE).plain


def test_the_detail_says_in_which_handover_a_claim_stands():
    more = OFFER._replace(resources=OFFER.resources * 3)
    offered = HELD._replace(handoff="H1")
    assert "⇄ waiting for 1m: H1 to claude-1, with 2 more" in claim_detail(offered, more, "shop", NOW, UNICODE).plain
    assert "H1 to claude-1\n" in claim_detail(offered, OFFER, "shop", NOW, UNICODE).plain
    assert "handover" not in claim_detail(HELD, None, "shop", NOW, UNICODE).plain


def test_names_in_other_scripts_keep_the_columns_and_hostile_ones_become_visible():
    wide = HELD._replace(resource="src/日本語/👩‍👩‍👧.py", note="検索を直す 🚀")
    hostile = HELD._replace(resource="[@click=app.quit]x[/]\x1b[31m", note="\x1b]52;c;aGk=\x07", holder="a\u202eb")
    for claim in (wide, hostile):
        for width in (57, 77, 120):
            line = laid_out(claim_row(claim, {}, "shop", NOW, UNICODE).cells, fit(COLUMNS, width))
            assert line.cell_length == width
            assert not set(line.plain) & set("\x1b\x07\u202e")
    assert "\u202e" not in headings([hostile])[0]
    detail = claim_detail(hostile, None, "shop", NOW, UNICODE).plain
    assert "[@click=app.quit]x[/]" in detail and not set(detail) & set("\x1b\x07\u202e")


def test_a_note_of_a_megabyte_that_an_old_room_has_is_not_laid_out_whole():
    long = HELD._replace(note="é\x1b " * 300_000)
    assert len(cells(long)[3]) < 10_000
    assert len(claim_detail(long, None, "shop", NOW, UNICODE)) < 20_000
