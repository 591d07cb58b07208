from __future__ import annotations

from relay_tui.base.times import MINUTE, SECOND
from relay_tui.room.agents import Agent, AgentCounts, Transport
from relay_tui.room.held import Claim
from relay_tui.room.questions import Question
from relay_tui.tui.rows_of.agents import Wait, agent_detail, agent_row, chips, waits_by_agent
from relay_tui.tui.widgets.content import one_line
from relay_tui.tui.widgets.glyphs import LETTERS, UNICODE

NOW = 1_796_029_200 * SECOND
AGENT = Agent(
    "codex-3", "codex", "live", False, NOW - 2 * MINUTE, "hook", "S1", None, None, "working", "on it", None, "W14",
    "feat/auth", "/wt", "feat/auth", 2, 1234, NOW - 5 * MINUTE, None,
)  # fmt: skip
CLAIM = Claim(
    "project", "src/[id].tsx", "codex-3", "live", NOW, "shop", "rewrite", NOW - MINUTE, False, False, None, []
)
WAIT = Wait("machine:native", "nimbus-2", 2)


def cells(agent: Agent, waits=(), glyphs=UNICODE) -> list[str]:
    return [one_line(cell).plain for cell in agent_row(agent, waits, NOW, glyphs).cells]


def detail(agent: Agent, claims=(), waits=(), width=0) -> str:
    return agent_detail(agent, claims, waits, NOW, UNICODE, width).plain


def test_a_row_has_the_state_the_last_sign_with_its_source_and_the_counts():
    assert cells(AGENT, glyphs=LETTERS) == [
        "L live", "codex-3", "working · on it", "feat/auth", "2m hook", "2", "1,234",
    ]  # fmt: skip


def test_what_is_zero_or_unknown_stays_blank_or_says_never():
    bare = AGENT._replace(
        status=None, text=None, branch=None, observed_branch=None, claims=0, unhandled=0, last_seen=None
    )
    assert cells(bare)[2:] == ["", "", "never", "", ""]


def test_what_it_waits_for_stands_before_what_it_says():
    asking = AGENT._replace(question=Question("Q1", "operator", "Which\n[/]?", NOW), observed_branch="main")
    assert cells(asking, [WAIT])[2] == "? asks operator: Which\\n[/]?"
    assert cells(asking)[3] == "main (reports feat/auth)"
    assert cells(AGENT, [WAIT])[2] == "in line for machine:native"
    assert agent_row(asking, (), NOW, UNICODE).fields["asks"] == "operator"


def test_places_in_line_are_found_by_agent():
    claim = CLAIM._replace(waiting=["b", "c"], waiting_rooms=["shop", "shop"])
    found = waits_by_agent(
        [claim, CLAIM._replace(scope="machine", resource="native", waiting=["c"], waiting_rooms=["shop"])], CLAIM.room
    )
    far = claim._replace(waiting_rooms=["billing", "shop"])
    assert waits_by_agent([far], CLAIM.room) == {"c": [Wait("src/[id].tsx", "codex-3", 2)]}, "a namesake's place"
    assert found == {
        "b": [Wait("src/[id].tsx", "codex-3", 1)],
        "c": [Wait("src/[id].tsx", "codex-3", 2), Wait("machine:native", "codex-3", 1)],
    }
    text = detail(AGENT, waits=[WAIT, WAIT._replace(place=1)])
    assert "machine:native   nimbus-2 holds it, 1 before it" in text
    assert "machine:native   nimbus-2 holds it, next" in text


def test_the_chips_count_every_view_and_leave_empty_ones_out():
    counts = AgentCounts(1410, 4, 2, 1391, 12, 0, 0)
    assert chips(counts, 0).plain == "4 live · 2 quiet   1,391 dormant   12 left   1,410 stored"
    assert "0 retired" in chips(counts, 3).plain


def test_the_detail_says_what_is_held_and_asked():
    asking = AGENT._replace(question=Question("Q1", "operator", "Which base?\nmain?", NOW - MINUTE))
    text = detail(asking, [CLAIM, CLAIM._replace(handoff="H1", waiting=["b"], waiting_rooms=["shop"], note=None)])
    assert "asks operator (Q1, 1m ago)   R answers\nWhich base?\nmain?" in text
    assert '  src/[id].tsx   1m   "rewrite"' in text
    assert "  src/[id].tsx   1m, offered to somebody, 1 in line" in text
    assert "2m ago (hook)" in text and "1,234 unhandled" in text
    assert "holds nothing" in detail(AGENT)


def test_what_it_reports_and_where_it_stands_are_told_apart():
    assert "feat/auth (reported, and so git says)" in detail(AGENT)
    differs = detail(AGENT._replace(observed_branch="main"))
    assert "reports    feat/auth" in differs and "stands on  main" in differs
    assert "not known: no worktree reported" in detail(AGENT._replace(worktree=None, observed_branch=None))
    assert "not reported" in detail(AGENT._replace(branch=None, observed_branch=None))


def test_session_process_and_transport_are_said_also_where_they_are_not_known():
    text = detail(AGENT._replace(session=None))
    assert "session   none" in text and "process   unknown" in text and "transport" not in text
    transport = Transport("channel", True, NOW - MINUTE)
    text = detail(AGENT._replace(pid=4242, transport=transport))
    assert "process    4242" in text and "transport  channel, connected, reported 1m ago" in text


def test_hostile_words_become_visible():
    evil = AGENT._replace(text="t\x1b[31m", task="k\u202e", branch="b\x9b", observed_branch=None)
    asking = evil._replace(question=Question("Q1", "o\x07", "q\x1b]52;c;aGk=\x07", NOW))
    waits = [Wait("r\x1b[31m", "h\u202e", 1)]
    text = detail(asking, [CLAIM._replace(note="n\x1b[31m")], waits) + " ".join(cells(asking)) + " ".join(cells(evil))
    assert not set(text) & set("\x1b\u202e\x9b\x07")


def test_a_view_has_its_chip_while_anybody_is_in_it():
    nobody = AgentCounts(3, 0, 0, 3, 0, 0, 0)
    assert chips(nobody, 1).plain == "3 dormant   3 stored"
    assert chips(nobody._replace(quiet=5), 1).plain == "0 live · 5 quiet   3 dormant   3 stored"


def test_texts_of_a_megabyte_that_an_old_room_has_are_not_laid_out_whole():
    long = "é\x1b " * 300_000
    agent = AGENT._replace(text=long, task=long, question=Question("Q1", "operator", long[:65_536], NOW))
    assert len(cells(agent)[2]) < 10_000
    assert len(detail(agent._replace(question=None), [CLAIM._replace(note=long)])) < 40_000
