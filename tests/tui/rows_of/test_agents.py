from __future__ import annotations

from relay_tui.base.times import MINUTE, SECOND
from relay_tui.room.agents import Agent, AgentCounts, Question
from relay_tui.room.held import Claim
from relay_tui.tui.glyphs import LETTERS, UNICODE
from relay_tui.tui.rows_of.agents import agent_detail, agent_row, chips

NOW = 1_796_029_200 * SECOND
AGENT = Agent(
    "codex-3", "codex", "live", False, NOW - 2 * MINUTE, "hook", "S1", None, None, "working", "on it", None, "W14",
    "feat/auth", "/wt", "feat/auth", 2, 1234, NOW - 5 * MINUTE, None,
)  # fmt: skip


def test_a_row_has_the_state_the_place_and_the_counts():
    assert [str(cell) for cell in agent_row(AGENT, NOW, LETTERS).cells] == [
        "L live", "codex-3", "working", "feat/auth", "2m", "2", "1,234",
    ]  # fmt: skip


def test_what_is_zero_or_unknown_stays_blank_or_says_never():
    bare = AGENT._replace(status=None, branch=None, observed_branch=None, claims=0, unhandled=0, last_seen=None)
    assert [str(cell) for cell in agent_row(bare, NOW, UNICODE).cells][2:] == ["", "", "never", "", ""]


def test_a_question_and_a_mismatch_are_seen_in_the_row():
    asking = AGENT._replace(question=Question("Q1", "operator", "Which?", NOW), observed_branch="main")
    cells = agent_row(asking, NOW, UNICODE).cells
    assert cells[1] == "? codex-3"
    assert cells[3] == "main (reports feat/auth)"


def test_the_chips_count_every_view_and_leave_empty_ones_out():
    counts = AgentCounts(1410, 4, 2, 1391, 12, 0, 0)
    assert chips(counts, 0).plain == "4 live · 2 quiet   1,391 dormant   12 left   1,410 stored"
    assert "0 retired" in chips(counts, 3).plain


def test_the_detail_says_what_is_held_and_asked():
    asking = AGENT._replace(question=Question("Q1", "operator", "Which base?\nmain?", NOW - MINUTE))
    since = NOW - MINUTE
    claim = Claim("project", "src/[id].tsx", "codex-3", "live", NOW, "shop", "rewrite", since, False, False, None, [])
    text = agent_detail(asking, [claim], NOW, UNICODE).plain
    assert "asks operator (Q1, 1m ago)\nWhich base?\nmain?" in text
    assert '  src/[id].tsx   1m   "rewrite"' in text
    assert "heard     2m ago (hook)" in text and "mail      1,234 unhandled" in text
    assert "process" not in text and "left" not in text
    assert "holds nothing" in agent_detail(AGENT, [], NOW, UNICODE).plain
