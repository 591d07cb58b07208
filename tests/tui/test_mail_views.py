"""Views of the inbox beside the unhandled mail, and the acts on many messages at once."""

from __future__ import annotations

from relay_tui.actions.call import Call
from relay_tui.actions.perform import perform
from relay_tui.base.times import HOUR
from relay_tui.room.ledger import Actor
from relay_tui.tui.readings import mail_pages
from tests.room_fixture import House
from tests.tui.visits import Visit, visit

CODEX, CLAUDE = Actor("codex-3"), Actor("claude-1")


def kinds(house: House) -> list[str]:
    return [event.kind for event in house.events("message")]


async def test_the_filter_looks_into_bodies_and_keeps_whose_mailbox_it_is(house: House):
    ids = [house.send(CODEX, "claude-1", body, summary="s").id for body in ("tokens rotate", "cart")]
    async with visit(house, "inbox") as here:
        await here.press("b")
        await here.type("claude-1")
        await here.press("enter", "slash")
        await here.type("rotate")
        await here.press("enter")
        assert here.ids == ids[:1]
        banner = here.banner
        assert banner.startswith("claude-1's mailbox") and banner.endswith("/rotate   1 of 2")


async def test_a_mailbox_shows_what_is_settled_below_what_waits(house: House):
    handled = house.send(CODEX, "claude-1", "first")
    waiting = house.send(CODEX, "claude-1", "second")
    house.ack(CLAUDE, handled.id)
    async with visit(house, "inbox") as here:
        here.app.room_screen.show_mailbox("claude-1")
        await here.settle()
        assert here.ids == [waiting.id, handled.id]
        assert [row.cells[0] for row in here.row_list.rows if row.heading] == ["unhandled", "handled or expired"]


async def test_a_thread_is_shown_whole_and_changes_no_fact(house: House):
    root = house.send(CODEX, "operator", "Which base?\nmain or dev?")
    house.send(house.operator, None, "main, of course", reply_to=root.id)
    house.send(CODEX, "operator", "thanks", reply_to=root.id)
    house.send(CLAUDE, "operator", "another")
    async with visit(house, "inbox") as here:
        assert here.detail.split("\n")[0].endswith("thread of 3")
        await here.press("T")
        said = [line.strip() for line in here.detail.split("\n")]
        assert said.index("main or dev?") < said.index("main, of course")
        await here.press("G")
        assert here.detail.startswith("thread of 1") and "another" in here.detail
        await here.press("escape")
        assert "durable in the ledger" in here.detail
    assert set(kinds(house)) == {"message.sent"}


async def test_A_acks_what_is_shown_after_it_was_read(house: House):
    ids = [house.send(CODEX, "operator", f"message {place}").id for place in range(3)]
    async with visit(house, "inbox") as here:
        await here.press("A")
        assert "3 messages would be handled" in here.dialog
        assert all(f"codex-3   message {place}   not fetched" in here.dialog for place in range(3))
        late = house.send(CLAUDE, "operator", "came meanwhile")
        await here.press("y", "r")
        assert here.ids == [late.id]
        assert here.lines[-1].startswith("relay ack --through c")
    assert house.events("message.handled")[0].data["messages"] == ids


async def test_A_acks_only_what_the_filter_lets_through(house: House):
    kept, acked = (house.send(CODEX, "operator", body).id for body in ("keep", "done"))
    async with visit(house, "inbox") as here:
        await here.press("slash")
        await here.type("done")
        await here.press("enter", "A", "y")
        assert here.lines[-1] == f"relay ack {acked} --as operator"
    assert house.events("message.handled")[0].data["messages"] == [acked]
    assert house.receipt(kept, "operator").handled_at is None


async def test_the_outbox_counts_how_far_a_broadcast_got(house: House):
    sent = house.send(house.operator, "*", "Freeze")
    house.poll(CODEX)
    house.ack(CODEX, sent.id, note="ok")
    async with visit(house, "inbox") as here:
        await here.press("right_square_bracket")
        assert str(here.row_list.row.cells[1]) == "1/2 handled"
        assert "1 of 2: they decide" in here.detail
        assert here.detail.index("claude-1") < here.detail.index('codex-3  handled 0s ago · live  "ok"')
        await here.press("a")
        assert "Only its recipients can ack a message." in here.toasts


async def test_u_shows_who_would_be_reminded_and_reminds_once(house: House):
    sent = house.send(house.operator, "codex-3", "Review, please")
    house.send(house.operator, "claude-1", "And you")
    house.clock.advance(2 * HOUR)
    async with visit(house, "inbox") as here:
        await here.press("f", "f")
        assert here.ids[0] == f"{sent.id} codex-3"
        assert "Never reminded; u reminds everybody who is due." in here.detail
        await here.press("u")
        assert "codex-3   Review, please   sent 2h ago, never fetched" in here.dialog
        assert len(house.events("message")) == 2
        await here.press("y")
        assert "You reminded it 0s ago." in here.detail
        await here.press("u")
        assert "Left alone (2)" in here.dialog and "would be sent" not in here.dialog
    assert len(house.events("message")) == 4


async def test_a_reply_to_ones_own_message_goes_to_its_recipient(house: House):
    sent = house.send(house.operator, "codex-3", "Go ahead")
    many = house.send(house.operator, "*", "Freeze")
    async with visit(house, "inbox") as here:
        await here.press("f")
        assert here.here == many.id
        await here.press("R")
        assert "You sent this to several agents." in here.toasts
        await here.press("j", "R")
        await here.fill("now")
    last = house.poll(CODEX).messages[-1]
    assert (last.body, last.reply_to) == ("now", sent.id)


async def test_search_finds_what_the_list_does_not_show(house: House):
    sent = house.send(CODEX, "operator", "tokens rotate hourly", summary="Auth")
    house.ack(house.operator, sent.id)
    mine = house.send(house.operator, "claude-1", "do tokens rotate?", summary="Ask")
    async with visit(house, "inbox") as here:
        await here.press("left_square_bracket")
        await here.press("escape", *["right_square_bracket"] * 5)
        await here.type("tokens rotate")
        await here.press("enter")
        assert here.ids == [mine.id, sent.id]
        assert "'tokens rotate'" in here.banner
        assert [str(row.cells[2]) for row in here.row_list.rows] == ["stored", "handled"]
        await here.press("escape")
        assert here.ids == []


async def test_files_are_written_where_one_says_and_over_another_only_when_asked(house: House, tmp_path):
    (tmp_path / "plan.md").write_text("the plan")
    with_file = Call("send", {"to": "operator", "message": "See the plan", "attach": [str(tmp_path / "plan.md")]})
    sent = perform(with_file, house.room, CODEX)
    out = tmp_path / "out dir"
    async with visit(house, "inbox") as here:
        assert "1 attached" in here.detail and "plan.md  8 bytes" in here.detail
        await fetch_into(here, str(out))
        assert (out / "plan.md").read_text() == "the plan"
        (out / "plan.md").write_text("mine")
        await fetch_into(here, str(out))
        assert "is there already." in here.dialog
        await here.press("n")
        assert (out / "plan.md").read_text() == "mine"
        await fetch_into(here, str(out))
        await here.press("y")
        assert (out / "plan.md").read_text() == "the plan"
        assert here.lines[-1] == f"relay fetch {sent.id} --out '{out}' --force --as operator"
    assert kinds(house) == ["message.sent"]


async def fetch_into(here: Visit, folder: str) -> None:
    await here.press("F")
    here.app.screen.query_one("#field-0").value = folder
    await here.press("enter")


async def test_a_message_without_files_says_so(house: House):
    house.send(CODEX, "operator", "hello")
    async with visit(house, "inbox") as here:
        await here.press("F")
        assert "This message has no attachments." in here.toasts


async def test_m_sends_files_along_and_says_how_many_a_broadcast_reaches(house: House, tmp_path):
    (tmp_path / "a plan.md").write_text("x")
    house.clock.advance(2 * HOUR)
    house.join("harbor-1")
    async with visit(house, "inbox") as here:
        await here.press("m")
        assert "* for all live agents (1), or *all for everybody here (3)." in here.dialog
        await here.type("codex-3")
        await here.press("tab")
        await here.type("See")
        here.app.screen.query_one("#field-3").value = f"'{tmp_path}/a plan.md'"
        await here.press("ctrl+s")
    assert [file.name for file in house.poll(CODEX).messages[-1].attachments] == ["a plan.md"]


async def test_pages_turn_through_more_than_one_list_holds(house: House, monkeypatch):
    monkeypatch.setattr(mail_pages, "SHOWN", 2)
    ids = [house.send(CODEX, "operator", f"message {place}").id for place in range(5)]
    async with visit(house, "inbox") as here:
        assert here.ids == ids[:2]
        assert "the first 2 of 5 · > turns" in here.banner
        await here.press("greater_than_sign", "greater_than_sign")
        assert here.ids == ids[4:]
        await here.press("greater_than_sign")
        assert "There is no other page." in here.toasts
        await here.press("less_than_sign", "A", "y")
        assert house.events("message.handled")[0].data["messages"] == ids[2:4]
    assert set(kinds(house)) == {"message.sent", "message.handled"}


async def test_the_operator_reads_history_of_others_and_acks_nothing(house: House):
    sent = house.send(CODEX, "operator", "hello")
    async with visit(house, "inbox") as here:
        await here.press("f", "f", "f", "A")
        assert "A acks what the view 'unhandled' shows." in here.toasts
        await here.press("a")
        assert house.receipt(sent.id, "operator").handled_at == house.clock.now


async def test_hostile_mail_is_shown_as_text_and_acts_on_nothing(house: House):
    evil = "[/] [@click=app.quit]x[/] \x1b[31m \x1b]52;c;aGk=\x07 \u202e \x9b31m"
    house.send(CODEX, "operator", f"{evil}\nbody {evil}", summary=evil)
    house.send(house.operator, "codex-3", evil)
    async with visit(house, "inbox") as here:
        for keys in (["T"], ["T", "f"], ["f"], ["f"], ["f"], ["A"]):
            await here.press(*keys)
            assert not set(here.detail) & set("\x1b\x07\u202e\x9b")
        await here.press("escape", "escape", "escape", "A")
        assert "[@click=app.quit]x[/]" in here.dialog and "\x1b" not in here.dialog
