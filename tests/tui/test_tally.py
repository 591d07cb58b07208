from __future__ import annotations

from relay_tui.room import registry
from relay_tui.room.attention import Attention
from relay_tui.room.ledger import Actor
from relay_tui.tui.readings.tally import Survey, Tally, badges, read_survey, read_tally
from tests.room_fixture import House


def test_the_tally_counts_agents_and_the_persons_own_mail(house: House):
    house.send(Actor("codex-3"), "operator", "hi")
    registry.leave(house.room, Actor("claude-1"))
    assert read_tally(house.room, "operator") == Tally("shop-api", 1, 3, 1)
    assert read_tally(house.room, "stranger").unhandled == 0


def test_the_survey_finds_what_needs_the_person(house: House):
    house.send(Actor("codex-3"), "operator", "hi")
    survey = read_survey(house.room)
    assert survey.attention.counts == {"mail": 1}
    assert survey.percent is None


def test_badges_stand_only_where_there_is_something_to_do():
    assert badges(None, None) == {}
    assert badges(Tally("r", 1, 1, 0), Survey(Attention([], {}, [], []), None, {})) == {}
    counts = {"contested": 1, "missing": 2, "mail": 3}
    found = badges(Tally("r", 1, 1, 1234), Survey(Attention([None] * 6, counts, [], []), 0, {}))
    assert found == {"inbox": "1,234", "attention": "6", "branches": "!3", "roadmap": "0%"}
