from __future__ import annotations

from relay_tui.base.times import DAY, MINUTE
from relay_tui.room.ledger import Actor
from tests.room_fixture import House
from tests.tui.visits import visit

CODEX, CLAUDE = Actor("codex-3"), Actor("claude-1")


def kinds(house: House) -> list[str]:
    return [event.kind for event in house.events("message")]


async def test_looking_at_the_inbox_changes_no_fact(house: House):
    first = house.send(CODEX, "operator", "one\nwith a body")
    second = house.send(CLAUDE, "operator", "two")
    async with visit(house, "inbox") as here:
        assert here.ids == [first.id, second.id]
        assert "with a body" in here.detail
        await here.press("j", "k", "r", "tab", "escape", "right_square_bracket", "right_square_bracket", "escape")
    assert kinds(house) == ["message.sent", "message.sent"]


async def test_enter_fetches_a_message_once_and_keeps_it_unhandled(house: House):
    sent = house.send(CODEX, "operator", "Please review")
    async with visit(house, "inbox") as here:
        await here.press("enter")
        assert house.receipt(sent.id, "operator").delivered_at == house.clock.now
        assert here.ids == [sent.id]
        assert "done 09:00:00" in here.detail and "you decide: a" in here.detail
        await here.press("escape", "enter")
        assert here.lines == [f"relay show {sent.id} --as operator"]
    assert kinds(house).count("message.delivered") == 1


async def test_a_acks_what_is_under_the_cursor_and_the_cursor_stays_near(house: House):
    ids = [house.send(CODEX, "operator", f"message {place}").id for place in range(3)]
    async with visit(house, "inbox") as here:
        await here.press("j", "a")
        assert here.ids == [ids[0], ids[2]]
        assert here.here == ids[2]
        assert "Handled" in here.toasts
        assert here.lines == [f"relay ack {ids[1]} --as operator"]
    receipt = house.receipt(ids[1], "operator")
    assert receipt.handled_at == house.clock.now and receipt.delivered_at is None
    assert house.events("message.handled")[0].via == "tui"
    house.assert_whole()


async def test_marked_messages_are_acked_together(house: House):
    ids = [house.send(CODEX, "operator", f"message {place}").id for place in range(3)]
    async with visit(house, "inbox") as here:
        await here.press("space", "space", "a")
        assert here.ids == [ids[2]]
        assert len(house.events("message.handled")) == 1


async def test_reply_answers_the_author_in_the_thread(house: House):
    sent = house.send(CODEX, "operator", "Which base?")
    async with visit(house, "inbox") as here:
        await here.press("R")
        await here.fill("main")
        assert here.lines == [f"relay send --message main --reply-to {sent.id} --as operator"]
    answer = house.poll(CODEX).messages[-1]
    assert (answer.body, answer.reply_to, answer.thread, answer.from_) == ("main", sent.id, sent.id, "operator")


async def test_m_writes_to_the_sender_of_the_row_or_to_whoever_is_typed(house: House):
    house.send(CODEX, "operator", "hello")
    async with visit(house, "inbox") as here:
        await here.press("m")
        await here.fill("hi there")
    assert house.poll(CODEX).messages[-1].body == "hi there"


async def test_a_broadcast_shows_its_recipients_and_asks(house: House):
    async with visit(house, "inbox") as here:
        await here.press("m")
        await here.type("*")
        await here.press("tab")
        await here.fill("Rebase")
        assert "codex-3 is live" in here.dialog and "claude-1 is live" in here.dialog
        assert house.events("message") == []
        await here.press("y")
    assert house.events("message")[0].data["recipients"] == ["claude-1", "codex-3"]


async def test_nobodys_mailbox_is_not_shown(house: House):
    async with visit(house, "inbox") as here:
        for name in ("nosuch", "[/x"):
            await here.press("b")
            await here.fill(name)
            assert f"Nobody here is called '{name}'." in here.drawn
            assert "relay join" not in here.drawn and "mailbox," not in here.drawn
            await here.press("escape")


async def test_another_agents_mailbox_is_read_under_a_banner_and_stays_as_it_was(house: House):
    sent = house.send(CODEX, "claude-1", "for claude only")
    async with visit(house, "inbox") as here:
        await here.press("left_square_bracket")
        await here.type("claude-1")
        await here.press("enter")
        assert here.ids == [sent.id]
        assert "claude-1's mailbox" in here.banner
        assert "for claude only" in here.detail and "the agent decides" in here.detail
        await here.press("enter", "a")
        assert "Only claude-1 can ack its messages." in here.toasts
        await here.press("escape", "escape")
        assert here.ids == []
    assert kinds(house) == ["message.sent"]


async def test_the_outbox_shows_how_far_a_message_got(house: House):
    sent = house.send(house.operator, "codex-3", "Go ahead")
    house.clock.advance(MINUTE)
    house.poll(CODEX)
    house.ack(CODEX, sent.id, note="done")
    async with visit(house, "inbox") as here:
        await here.press("right_square_bracket")
        assert here.ids == [sent.id]
        assert here.detail.count("done 09:01:00") == 2
        assert "② Notified" in here.detail and "not yet" in here.detail
        assert "1 recipient · 1 stored · 0 notified · 1 delivered · 1 handled" in here.detail.replace("\n", " ")


async def test_the_archive_has_what_expired(house: House):
    sent = house.send(CODEX, "operator", "too late")
    house.clock.advance(31 * DAY)
    async with visit(house, "inbox") as here:
        assert here.ids == []
        await here.press("f", "f", "f", "f")
        assert here.ids == [sent.id]
        assert str(here.row_list.row.cells[3]) == "not handled in time"
        assert "expired" in here.detail and "not handled in time" in here.detail


async def test_an_agent_at_the_keyboard_has_its_own_inbox_and_no_other(house: House):
    sent = house.send(CLAUDE, "codex-3", "yours")
    async with visit(house, "inbox", me=Actor("codex-3", None, "cli", at_keyboard=True)) as here:
        assert here.ids == [sent.id]
        await here.press("left_square_bracket")
        assert "Only the operator may read another's mailbox." in here.toasts


async def test_read_only_looks_and_says_why_it_does_not_act(house: House):
    sent = house.send(CODEX, "operator", "hello")
    async with visit(house, "inbox", read_only=True) as here:
        await here.press("enter", "escape", "a")
        assert "This screen is read-only." in here.toasts
        assert here.ids == [sent.id]
    assert kinds(house) == ["message.sent"]
