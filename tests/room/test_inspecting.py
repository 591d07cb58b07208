"""Questions to relay.db: they read, one at a time and not for ever, and whatever else they want is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from relay_tui.base.times import SECOND
from relay_tui.room.inspecting import DEADLINE, Rows, list_tables, read_table, run_query
from relay_tui.room.rooms import Room
from tests.room_fixture import House, refusal


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Room:
    house = House(str(tmp_path_factory.mktemp("asked")))
    a, b = house.join("a"), house.join("b")
    house.send(a, "b", "\x1b[31mred")
    house.ack(b)
    return house.room


def ask(room: Room, sql: str, *, limit: int = 1000, timeout: int = DEADLINE) -> Rows:
    return run_query(room, sql, limit=limit, timeout=timeout)


def test_a_question_is_answered_with_columns_and_rows(asked: Room) -> None:
    found = ask(asked, "SELECT name, left_at FROM agents ORDER BY name -- everybody")
    assert found == Rows(["name", "left_at"], [["a", None], ["b", None], ["operator", None]], False)
    assert ask(asked, "SELECT key FROM agents ORDER BY key", limit=2)[1:] == ([[1], [2]], True)
    assert ask(asked, "WITH x AS (SELECT 1 AS n) SELECT n, n FROM x") == Rows(["n", "n"], [[1, 1]], False)
    assert ask(asked, "SELECT name FROM agents WHERE 0").columns == ["name"]
    assert ask(asked, "PRAGMA table_info(agents)").rows[0][1] == "key"
    assert ask(asked, "EXPLAIN QUERY PLAN SELECT * FROM agents").rows


def test_what_json_and_terminals_cannot_hold_is_told_otherwise(asked: Room) -> None:
    said = ask(asked, "SELECT hash, payload, 9e999, CAST(x'ff61' AS TEXT), x'00' FROM events WHERE number = 1").rows[0]
    assert [len(str(said[0])), str(said[1])[:6]] == [64, '{"v":1']
    assert said[2:] == ["inf", "�a", "00"]


@pytest.mark.parametrize("sql", [
    "DELETE FROM agents", "INSERT INTO rooms (key) VALUES (9)", "UPDATE agents SET name = 'x' RETURNING name",
    "DROP TABLE agents", "CREATE TEMP TABLE x (y)", "ATTACH '/tmp/other.db' AS x", "ATTACH 'file:x?mode=rwc' AS x",
    "PRAGMA journal_mode = DELETE", "PRAGMA user_version = 9", "PRAGMA query_only = OFF", "PRAGMA writable_schema = ON",
    "BEGIN", "COMMIT", "SAVEPOINT x", "VACUUM", "VACUUM INTO '/tmp/x'", "REINDEX", "ANALYZE",
    "SELECT load_extension('x')", "SELECT writefile('x', 'y')", "WITH x AS (SELECT 1) DELETE FROM agents",
])  # fmt: skip
def test_whatever_would_change_something_is_refused(asked: Room, sql: str) -> None:
    before = ask(asked, "SELECT count(*), max(seq) FROM events").rows
    assert refusal(ask, asked, sql).code == ("usage" if "writefile" in sql else "refused"), "there is no such function"
    assert ask(asked, "SELECT count(*), max(seq) FROM events").rows == before


@pytest.mark.parametrize(("sql", "code"), [
    ("", "usage"), (" ; ", "usage"), ("-- nothing", "usage"), ("SELEC 1", "usage"), ("SELECT 1; SELECT 2", "usage"),
    ("SELECT ?", "usage"), ("SELECT nothing FROM agents", "usage"), ("SELECT 1\0", "usage"),
    ("SELECT '\ud800'", "invalid"),
    ("SELECT zeroblob(100000000)", "too_large"), ("SELECT hex(zeroblob(9000000))", "too_large"),
    ("WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x) SELECT zeroblob(9000000) FROM x", "too_large"),
])  # fmt: skip
def test_what_is_no_question_or_has_no_end_is_answered_with_a_code(asked: Room, sql: str, code: str) -> None:
    assert refusal(ask, asked, sql).code == code


def test_a_question_that_takes_too_long_is_given_up(asked: Room) -> None:
    endless = "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x) SELECT count(*) FROM x"
    assert refusal(ask, asked, endless, timeout=SECOND // 20).code == "timeout"
    with asked.reading() as db:
        assert db.execute("SELECT 1").fetchone() == (1,), "the connection is as it was"


def test_tables_are_listed_and_printed_by_their_names(asked: Room, tmp_path: Path) -> None:
    listed = {str(name): rows for name, rows, _ in list_tables(asked).rows}
    assert (listed["agents"], listed["messages"]) == (3, 1)
    assert not any(name.startswith(("sqlite", "search", "_")) for name in listed)
    for name, rows in listed.items():
        assert len(read_table(asked, name, limit=1000, timeout=DEADLINE).rows) == rows
    fault = refusal(read_table, asked, 'agents"; --', limit=1, timeout=DEADLINE)
    assert (fault.code, "agents" in fault.hint) == ("usage", True)
