"""Writes the tables of docs/performance.md and docs/scale.md, and the plots, from what the bench measured.

python -m tests.bench --json docs/performance.json && python docs/performance.py
python docs/performance.py FILE.json     from another run
python docs/performance.py --check       exit 1 where a file is not what docs/performance.json says
"""

from __future__ import annotations

import json
import math
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

DOCS = Path(__file__).parent
PAGE, SCALE, FIGURES = DOCS / "performance.md", DOCS / "scale.md", DOCS / "performance.json"
# What docs/scale.md tells again, by the beginnings of the names.
CARRIED = (
    "build ", "send among ", "newest 50 of an agent", "1,000 agents", "broadcast to 1,000", "sends a second",
    "longest wait", "log verify / 100,000", "relay export", "relay restore", "relay log rebuild", "bytes of relay.db",
)  # fmt: skip
BEGIN, END = "<!-- figures -->\n", "<!-- /figures -->"
_GROWTH = re.compile(r"(.+), ([\d,]+) messages and claims / ([\d,]+)")

WIDTH, LEFT, RIGHT, ROW = 880, 420, 90, 18
INK, MET, MISSED, FAINT = "#6e7781", "#2da44e", "#cf222e", "#8c959f"
LINES = ("#0969da", "#2da44e", "#bf8700", "#8250df", "#cf222e", "#1b7c83", "#bc4c00", "#57606a", "#e85aad")


def main(arguments: list[str]) -> int:
    named = [word for word in arguments if not word.startswith("-")]
    said = json.loads(Path(named[0] if named else FIGURES).read_text(encoding="utf-8"))
    made = {
        PAGE: _page(PAGE, _figures(said)),
        SCALE: _page(SCALE, _carried(said)),
        DOCS / "performance-goals.svg": _goals(said),
        DOCS / "performance-commands.svg": _commands(said),
        DOCS / "performance-growth.svg": _growth(said),
    }
    stale = [file for file, text in made.items() if not file.exists() or file.read_text(encoding="utf-8") != text]
    if "--check" in arguments:
        for file in stale:
            print(f"{file.name} is stale: run python docs/performance.py", file=sys.stderr)
        return int(bool(stale))
    for file in stale:
        file.write_text(made[file], encoding="utf-8")
    return 0


# The page


def _page(file: Path, figures: Iterator[str]) -> str:
    head, begin, rest = file.read_text(encoding="utf-8").partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{file.name} has no place for the figures")
    return head + BEGIN + "\n".join(figures) + "\n" + END + tail


def _figures(said: Mapping[str, Any]) -> Iterator[str]:
    yield f"{said['machine']}.\n"
    missed = [one for part in said["parts"] for one in part["ratios"] if one["met"] is False]
    yield f"**Missed: {len(missed)}.**" if missed else "**No goal is missed.**"
    yield from (f"- {one['name']}: {_number(one['ratio'])}, goal {_goal(one)}" for one in missed)
    for part in said["parts"]:
        yield f"\n### {part['title']}\n"
        yield from _table(part["ratios"])


def _carried(said: Mapping[str, Any]) -> Iterator[str]:
    yield f"{said['machine']}.\n"
    yield from _table([one for part in said["parts"] for one in part["ratios"] if one["name"].startswith(CARRIED)])


def _table(figures: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "| relay / its floor or limit | relay | p99 | floor | ratio | goal | |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
    yield from (_row(one) for one in figures)


def _row(one: Mapping[str, Any]) -> str:
    unit = one["unit"]
    verdict = {True: "met", False: "**missed**", None: ""}[one["met"]]
    p99 = f"{_number(one['p99'])} {unit}" if one["p99"] != one["ours"] else ""
    return (
        f"| {one['name']} | {_number(one['ours'])} {unit} | {p99} | {_number(one['floor'])} {unit}"
        f" | **{_number(one['ratio'])}** | {_goal(one)} | {verdict} |"
    )


def _goal(one: Mapping[str, Any]) -> str:
    return "" if one["goal"] is None else f"{'≥' if one['at_least'] else '≤'} {one['goal']:g}"


def _number(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


# The plots


def _goals(said: Mapping[str, Any]) -> str:
    """How much of its goal each figure takes up; at the line it is just met."""
    figures = [one for part in said["parts"] for one in part["ratios"] if one["goal"] and part["part"] != "growth"]
    shares = [one["goal"] / one["ratio"] if one["at_least"] else one["ratio"] / one["goal"] for one in figures]
    unit = (WIDTH - LEFT - RIGHT) / 1.5
    marks = []
    for place, (one, share) in enumerate(zip(figures, shares, strict=True)):
        y, width = 30 + ROW * place, unit * min(share, 1.5)
        marks += [
            _text(LEFT - 8, y + 12, one["name"], "end"),
            _bar(y + 2, width, ROW - 5, MET if one["met"] else MISSED),
            _text(WIDTH - 8, y + 12, f"{_number(one['ratio'])} ({_goal(one)})", "end"),
        ]
    bottom = 30 + ROW * len(figures)
    marks.append(_line(LEFT + unit, 24, LEFT + unit, bottom, INK))
    marks.append(_text(LEFT + unit, 18, "goal", "middle"))
    return _svg(bottom + 10, marks, "Each figure as a share of its goal")


def _commands(said: Mapping[str, Any]) -> str:
    """Milliseconds of whole commands: the median, a whisker to p99, and the floor."""
    figures = [one for part in said["parts"] if part["part"] == "commands" for one in part["ratios"]]
    most = max((one["p99"] for one in figures), default=1)
    unit = (WIDTH - LEFT - RIGHT) / most
    marks = []
    for place, one in enumerate(figures):
        y = 30 + 2 * ROW * place
        ours, p99, floor = (unit * one[name] for name in ("ours", "p99", "floor"))
        marks += [
            _text(LEFT - 8, y + 16, one["name"], "end"),
            _bar(y, ours, 12, LINES[0]),
            _line(LEFT + ours, y + 6, LEFT + p99, y + 6, LINES[0]),
            _bar(y + 14, floor, 10, FAINT),
            _text(LEFT + p99 + 6, y + 10, f"{_number(one['ours'])} ms"),
            _text(LEFT + floor + 6, y + 23, f"{_number(one['floor'])} ms"),
        ]
    marks.append(_text(LEFT, 18, "relay, with a whisker to p99; below it its floor"))
    return _svg(40 + 2 * ROW * len(figures), marks, "Whole commands beside their floors")


def _growth(said: Mapping[str, Any]) -> str:
    """Steps of SQLite against messages and claims, both in powers of ten."""
    curves: dict[str, dict[int, float]] = {}
    for one in (one for part in said["parts"] if part["part"] == "growth" for one in part["ratios"]):
        found = _GROWTH.fullmatch(one["name"])
        if found:
            many, few = (int(found[place].replace(",", "")) for place in (2, 3))
            curves.setdefault(found[1], {})[few] = one["floor"]
            curves[found[1]][many] = one["ours"]
    if not curves:
        return _svg(40, [], "Growth")
    sizes = sorted({many for curve in curves.values() for many in curve})
    height, left, width = 300, 60, WIDTH - 60 - 240

    def x(many: float) -> float:
        return left + width * math.log10(many / sizes[0]) / math.log10(sizes[-1] / sizes[0])

    def y(steps: float) -> float:
        return 20 + height * (1 - math.log10(steps / 10) / 3)

    marks = [_line(x(many), 20, x(many), 20 + height, FAINT) for many in sizes]
    marks += [_text(x(many), 36 + height, f"{many:,}", "middle") for many in sizes]
    marks += [_text(left - 8, y(steps) + 4, f"{steps:,}", "end") for steps in (10, 100, 1000, 10_000)]
    ends = _apart(sorted((y(curve[max(curve)]), name) for name, curve in curves.items()))
    for color, (name, curve) in zip(LINES * 2, curves.items(), strict=False):
        points = " ".join(f"{x(many):.1f},{y(steps):.1f}" for many, steps in sorted(curve.items()))
        marks.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>')
        marks.append(_text(left + width + 10, ends[name] + 4, name, color=color))
    marks.append(_text(left, 54 + height, "steps of SQLite's virtual machine, by messages and claims in the room"))
    return _svg(height + 64, marks, "What a command costs as the room grows")


def _apart(ends: Sequence[tuple[float, str]]) -> dict[str, float]:
    """Words at the ends of the lines, none above another."""
    found: dict[str, float] = {}
    last = -math.inf
    for place, name in ends:
        last = found[name] = max(place, last + 14)
    return found


def _text(x: float, y: float, words: str, anchor: str = "start", color: str = INK) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}">{escape(words)}</text>'


def _bar(y: float, width: float, height: float, color: str) -> str:
    return f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{height}" fill="{color}"/>'


def _line(x1: float, y1: float, x2: float, y2: float, color: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}"/>'


def _svg(height: float, marks: Sequence[str], title: str) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" font-family="sans-serif"'
        f' font-size="11" role="img"><title>{escape(title)}</title>'
    )
    return "\n".join([head, *marks, "</svg>", ""])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
