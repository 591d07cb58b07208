"""Search: every word, one's own messages only, and nothing but the index is written."""

from __future__ import annotations

import pytest

from relay_tui.room import search
from relay_tui.room.cursors import parse_cursor
from relay_tui.room.ledger import LAST, Actor
from relay_tui.room.mail import Mailbox
from relay_tui.room.search import catch_up, search_indexed, search_messages
from tests.room_fixture import House, refusal


def find(house: House, name: str, text: str, before: int = LAST, limit: int = 50) -> Mailbox:
    return search_messages(house.room, name, text, before=before, limit=limit)


def found(house: House, name: str, text: str) -> list[str]:
    return [message.id for message in find(house, name, text).messages]


def test_every_word_in_body_or_summary_newest_first(house: House, a: Actor, b: Actor) -> None:
    first = house.send(a, "b", "The auth rewrite is ready", summary="Review")
    second = house.send(b, "a", "Rewrite it again: AUTH, tokens")
    for text, ids in {
        "auth rewrite": [second.id, first.id], "review": [first.id], "tokens auth": [second.id], "auth nothing": [],
        "rewrite is": [first.id], "auth*": [second.id, first.id],
    }.items():  # fmt: skip
        assert found(house, "a", text) == ids, text


def test_others_find_what_they_may_read_and_no_more(house: House, a: Actor, b: Actor) -> None:
    house.join("c")
    direct = house.send(a, "b", "secret word")
    house.join("d")
    broadcast = house.send(a, "*", "secret to all")
    assert found(house, "b", "secret") == found(house, "operator", "secret") == [broadcast.id, direct.id]
    assert found(house, "c", "secret") == found(house, "d", "secret") == [broadcast.id]
    house.join("e")
    assert found(house, "e", "secret") == []
    assert refusal(found, house, "nobody", "secret").code == "unknown_agent"


def test_searching_delivers_nothing(house: House, a: Actor, b: Actor) -> None:
    sent = house.send(a, "b", "word")
    before = len(house.events())
    (message,) = find(house, "b", "word").messages
    assert (message.body, message.delivered_at) == ("word", None)
    assert house.receipt(sent.id, "b").delivered_at is None
    assert len(house.events()) == before
    house.assert_whole()


def test_what_comes_later_is_indexed_by_the_next_search_and_only_once(
    house: House, a: Actor, b: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "_BATCH", 2)
    first = [house.send(a, "b", f"word {number}").id for number in range(5)]
    assert found(house, "b", "word") == first[::-1]
    assert house.rows("SELECT count(*) FROM search") == [(5,)]
    later = house.send(a, "b", "word again").id
    assert found(house, "b", "word") == [later, *first[::-1]]
    catch_up(house.room)
    assert house.rows("SELECT count(*) FROM search") == [(6,)]


def test_pages_end_where_nothing_follows(house: House, a: Actor, b: Actor) -> None:
    ids = [house.send(a, "b", f"word {number}").id for number in range(5)]
    seen, before = [], LAST
    while True:
        page = find(house, "b", "word", before, limit=2)
        seen += [message.id for message in page.messages]
        assert page.unhandled == 5
        if page.next is None:
            break
        before = parse_cursor(page.next, newest=True).seq
    assert seen == ids[::-1]


@pytest.mark.parametrize("text", ['"', 'a" OR "b', "auth-x", "NEAR(a b)", "a AND", "(", "summary:auth", "-", "^a", "*",
                                  "'; DROP TABLE search", "na\u0000ive", "\u0000", "日本", "é" * 5000])  # fmt: skip
def test_whatever_is_typed_is_words_and_never_a_query(house: House, a: Actor, b: Actor, text: str) -> None:
    house.send(a, "b", "auth NEAR a b")
    if text.strip("\0"):
        assert find(house, "b", text).agent == "b"
    else:
        assert refusal(find, house, "b", text).code == "usage"


def test_bodies_of_control_characters_are_indexed_as_well(house: House, a: Actor, b: Actor) -> None:
    sent = house.send(a, "b", "before\x00after \x1b[2J word")
    assert found(house, "b", "word") == found(house, "b", "before") == [sent.id]


def test_no_word_is_a_usage_error(house: House, a: Actor) -> None:
    for text in ("", "  \n"):
        assert refusal(find, house, "a", text).code == "usage"


def test_a_dry_run_keeps_no_index(house: House, a: Actor, b: Actor) -> None:
    house.send(a, "b", "word")
    search_messages(house.enter(house.repository, dry_run=True), "b", "word", before=LAST)
    assert house.rows("SELECT count(*) FROM search") == [(0,)]


def test_what_is_not_indexed_yet_is_not_found_by_the_reader_that_writes_nothing(
    house: House, a: Actor, b: Actor
) -> None:
    first = house.send(a, "b", "word")
    assert found(house, "b", "word") == [first.id]
    house.send(a, "b", "another word")
    seen = search_indexed(house.room, "b", "word", before=LAST)
    assert [message.id for message in seen.messages] == [first.id]
    assert house.rows("SELECT count(*) FROM search") == [(1,)]
    assert refusal(search_indexed, house.room, "b", " ", before=LAST).code == "usage"
