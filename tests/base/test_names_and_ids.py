from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relay_tui.base.errors import EXIT_CODES, EXIT_OF_CODE, RelayError
from relay_tui.base.ids import LENGTH, random_id
from relay_tui.base.names import check_joinable, is_valid, nearest, unknown_agent

RULE = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


@given(st.one_of(st.text(max_size=70), st.text("aZ9._-é", max_size=66), st.from_regex(RULE, fullmatch=True)))
def test_the_rule_is_the_one_that_is_written(name: str) -> None:
    assert is_valid(name) == bool(RULE.fullmatch(name))


@pytest.mark.parametrize("name", ["", "Codex", "codex 3", "cоdex", "-x", ".x", "a" * 65, "a\n", "\udcff"])
def test_names_outside_the_rule_are_invalid(name: str) -> None:
    with pytest.raises(RelayError) as refused:
        check_joinable(name)
    assert refused.value.code == "invalid"
    assert refused.value.told.replace("\n", "").isprintable()


@pytest.mark.parametrize("name", "operator human all both leader orchestrator coordinator system relay 0 42".split())
def test_reserved_names_are_refused(name: str) -> None:
    with pytest.raises(RelayError) as refused:
        check_joinable(name)
    assert refused.value.code == "reserved_name"


def test_a_mistyped_name_is_answered_with_the_nearest() -> None:
    fault = unknown_agent("Codex3", ["codex-3", "claude-1", "vector-4"], "Run: relay agents")
    assert fault.details["near"] == ["codex-3"]
    assert fault.hint == "Did you mean codex-3? Run: relay agents"
    assert nearest("zzz", ["codex-3"]) == []
    assert unknown_agent("zzz", ["codex-3"], "Run: relay agents").hint == "Run: relay agents"


def test_ids_are_short_and_without_look_alikes() -> None:
    drawn = {random_id("M") for _ in range(2000)}
    assert len(drawn) == 2000
    assert all(re.fullmatch("M[0-9abcdefghjkmnpqrstvwxyz]{7}", one) and len(one) == LENGTH + 1 for one in drawn)


def test_every_error_code_has_an_exit_code_with_a_meaning() -> None:
    assert set(EXIT_OF_CODE.values()) <= set(EXIT_CODES)
    assert RelayError("claim_conflict", "x").exit_code == 5
