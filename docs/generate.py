"""Writes what is generated: the tables in docs/headless.md and docs/configuration.md, and the skill file.

python docs/generate.py           write them
python docs/generate.py --check   exit 1 where a file is not what the code says
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from configuration import CONFIGURATION, keys, settings
from skill import SKILL, skill

from relay_tui.actions.signature import read_signature
from relay_tui.actions.spec import describe_parameter, example_of, summarize
from relay_tui.actions.table import ACTIONS, Action
from relay_tui.base.bounds import GIB, Bounds
from relay_tui.base.errors import EXIT_CODES, EXIT_OF_CODE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.actions.signature import Parameter

GATES = {
    "max_swap": "swap in use",
    "max_load_per_cpu": "load of the last minute, for each core",
    "min_free_disk": "free space on the disk of the current folder",
}
DOCS = Path(__file__).parent
HEADLESS = DOCS / "headless.md"
JOBS = {
    "rooms": "Rooms",
    "registry": "Who is here",
    "messages": "Messages",
    "claims": "Claims",
    "handoffs": "Handovers",
    "guard": "The guard",
    "hooks": "The pre-commit hook",
    "branches": "Branches",
    "work": "Work",
    "plans": "Plan files",
    "attention": "Attention",
    "log": "The ledger",
    "setup": "Wiring clients",
    "launch": "Starting a client",
    "wake": "Waking idle agents",
    "keeping": "Keeping and bringing back",
    "doctor": "Doctor",
    "screen": "The screen",
    "demo": "The demo",
    "client_doors": "What agents' clients run",
    "spec": "The table itself",
}


def main(arguments: list[str]) -> int:
    pages = {
        HEADLESS: {"commands": commands(), "exits": exits(), "errors": errors()},
        CONFIGURATION: {"settings": settings(), "gates": gates(), "keys": keys()},
    }
    made = {page: filled(page, parts) for page, parts in pages.items()}
    made[SKILL] = (SKILL.read_text(encoding="utf-8") if SKILL.exists() else "", skill())
    stale = [file for file, (before, after) in made.items() if before != after]
    if "--check" in arguments:
        for file in stale:
            print(f"{file.name} is stale: run python docs/generate.py", file=sys.stderr)
        return int(bool(stale))
    for file in stale:
        file.write_text(made[file][1], encoding="utf-8")
    return 0


def gates() -> Iterator[str]:
    yield "| key | what is measured | closes | default |"
    yield "| --- | --- | --- | --- |"
    for key, default in Bounds()._asdict().items():
        size = f'"{default / GIB:g}GiB"' if default >= GIB else f"{default:g}"
        yield f"| `{key}` | {GATES[key]} | {'below' if key.startswith('min') else 'above'} | `{size}` |"


def filled(page: Path, parts: dict[str, Iterator[str]]) -> tuple[str, str]:
    """A page as it is, and with what stands between `<!-- NAME -->` and `<!-- /NAME -->` replaced."""
    before = text = page.read_text(encoding="utf-8")
    for name, lines in parts.items():
        head, begin, rest = text.partition(f"<!-- {name} -->\n")
        _, end, tail = rest.partition(f"<!-- /{name} -->")
        if not begin or not end:
            raise SystemExit(f"{page.name} has no place for {name}")
        text = "\n".join([head + begin + next(lines, ""), *lines, end + tail])
    return before, text


def commands() -> Iterator[str]:
    jobs = dict.fromkeys(action.job for action in ACTIONS.values())
    for job in sorted(jobs, key=list(JOBS).index):
        yield f"\n### {JOBS[job]}\n"
        for action in (one for one in ACTIONS.values() if one.job == job):
            yield from _command(action)


def exits() -> Iterator[str]:
    yield "| exit | meaning |\n| ---: | --- |"
    for code, meaning in EXIT_CODES.items():
        yield f"| {code} | {meaning} |"


def errors() -> Iterator[str]:
    yield "| code | exit |\n| --- | ---: |"
    for code, status in EXIT_OF_CODE.items():
        yield f"| `{code}` | {status} |"


def _command(action: Action) -> Iterator[str]:
    signature = read_signature(action)
    words = " ".join(_written(word) for word in signature.words)
    yield f"#### `relay {action.name}{' ' if words else ''}{words}`\n"
    yield f"{summarize(action)}\n"
    yield f"    {example_of(action)}\n"
    if signature.parameters:
        yield "| word or option | takes | meaning |\n| --- | --- | --- |"
        yield from (_row(action, one) for one in signature.parameters)
        yield ""


def _written(word: Parameter) -> str:
    name = word.name.rstrip("_").upper() + ("…" if word.kind == "list" else "")
    return name if word.required else f"[{name}]"


def _row(action: Action, one: Parameter) -> str:
    name = one.name.rstrip("_").upper() if one.is_word else one.option
    takes = " \\| ".join(one.choices) or {"bool": "", "list": "text, may repeat", "int": "number"}.get(one.kind, "text")
    return f"| `{name}` | {takes} | {describe_parameter(action, one)} |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
