"""Waiting beside an idle session: allowed by the person, one waiter a session, woken once."""

from __future__ import annotations

import os
import threading
import time

from relay_tui.agents.hooks import NOTHING, WAKE, Answer
from relay_tui.base.times import MINUTE
from relay_tui.room.ledger import Actor
from tests.agents.conftest import Client
from tests.room_fixture import House


def allow(house: House, *names: str) -> None:
    with open(os.path.join(house.home, "relay.toml"), "w", encoding="utf-8") as file:
        file.write(f"wake = {list(names)!r}\n")


def wait_beside(house: House, client: Client) -> tuple[threading.Thread, list[Answer]]:
    """A waiter that has its place, and what it will answer."""
    answers: list[Answer] = []
    waiting = threading.Thread(target=lambda: answers.append(client.hook("watch")))
    waiting.start()
    folder = os.path.join(house.home, "wakers")
    while not os.path.isdir(folder) or not os.listdir(folder):
        time.sleep(0.01)
    return waiting, answers


def test_nobody_is_woken_unless_the_person_allows_it(house: House, b: Actor, client: Client) -> None:
    name = client.start()
    house.send(b, name, "x")
    assert client.hook("watch") == NOTHING
    allow(house, "codex-*", "other")
    assert client.hook("watch") == NOTHING


def test_mail_wakes_once_without_a_peers_word_and_without_a_sign(house: House, b: Actor, client: Client) -> None:
    name = client.start()
    allow(house, "claude-*")
    sent = house.send(b, name, "secret words")
    seen = house.clock.now
    house.clock.advance(MINUTE)
    answer = client.hook("watch")
    assert answer == Answer(None, "relay: 1 new message for this session; `relay inbox` shows them.", WAKE)
    receipt = house.receipt(sent.id, name)
    assert (receipt.notified_by, receipt.delivered_at) == ("wake", None)
    assert house.rows("SELECT last_seen FROM presence AS p JOIN agents AS a ON a.key = p.agent"
                      " WHERE a.name = ?", name) == [(seen,)]  # fmt: skip


def test_a_newer_waiter_takes_the_place_of_the_older(house: House, b: Actor, client: Client) -> None:
    name = client.start()
    allow(house, name)
    waiting, answers = wait_beside(house, client)
    folder = os.path.join(house.home, "wakers")
    (place,) = os.listdir(folder)
    with open(os.path.join(folder, place), "w", encoding="utf-8") as file:
        file.write("another process")
    waiting.join(20)
    assert answers == [NOTHING]


def test_a_waiter_is_woken_by_what_another_process_stores(house: House, b: Actor, client: Client) -> None:
    name = client.start()
    allow(house, name)
    answers: list[Answer] = []
    waiting = threading.Thread(target=lambda: answers.append(client.hook("watch")))
    waiting.start()
    house.enter(house.repository)
    house.send(b, name, "x")
    waiting.join(20)
    assert [answer.exit_code for answer in answers] == [WAKE]
    assert os.listdir(os.path.join(house.home, "wakers")) == []


def test_a_waiter_ends_when_its_agent_leaves(house: House, b: Actor, client: Client) -> None:
    name = client.start()
    allow(house, name)
    waiting, answers = wait_beside(house, client)
    house.enter(house.repository)
    client.hook("session-end", reason="other")
    waiting.join(20)
    assert answers == [NOTHING]


def test_nobody_waits_beside_a_session_that_nobody_attends(house: House, b: Actor) -> None:
    """Claude Code started with `-p` would wait for its hook, and never end."""
    client = Client(house, CLAUDE_CODE_SESSION_ATTENDED="0")
    name = client.start()
    allow(house, name)
    house.send(b, name, "x")
    assert client.hook("watch") == NOTHING
