from __future__ import annotations

import io

from relay_tui.tui.widgets.letters import write_ascii


def test_what_is_drawn_stays_ascii_and_as_wide():
    drawn = io.BytesIO()
    stream = io.TextIOWrapper(drawn, encoding="utf-8")
    write_ascii(stream)
    stream.write("a · b → c … │ 日本 ü e\u0301\x1b[1m")
    stream.flush()
    assert drawn.getvalue() == b"a . b > c . | ???? ? e\x1b[1m"
