"""The clients that can be wired: which of their files say what, and what only a person can do. Pure.

The facts are those of Claude Code 2.1, Codex 0.171, OpenCode 1.18 and Gemini CLI 0.61.
"""

from __future__ import annotations

from functools import partial
from importlib.resources import files

from relay_tui.base.errors import RelayError
from relay_tui.wiring.agents_md import put_habits, put_include, take_block_of_markdown
from relay_tui.wiring.codex_toml import put_codex, take_codex
from relay_tui.wiring.json_hooks import put_hooks, put_server, take_hooks, take_server

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NamedTuple, TypeAlias

    # A file's text ("" where there is none) and its name, to its text after.
    Edit: TypeAlias = Callable[[str, str], str]
else:
    from relay_tui.base.record import NamedTuple

AGENTS = "AGENTS.md"
GENERIC = "generic"  # the client of those that have no files of their own
# Files that only lead to AGENTS.md.
INCLUDES = ("CLAUDE.md", "GEMINI.md")
NAMES = ("claude", "codex", "opencode", "gemini")
_EDITS = "Edit|Write|NotebookEdit"
# What a file that is relay's as a whole says in a comment.
_WRITES_IT = "`relay setup` writes this file; `relay setup --undo` removes it."
_HOOK_SECONDS = 10
_END_SECONDS = 5
_WAKE_SECONDS = 3600
_CLAUDE_SERVER = {"type": "stdio", "command": "relay", "args": ["mcp"]}
_GEMINI_SERVER = {"command": "relay", "args": ["mcp"]}


class FileWiring(NamedTuple):
    """A file, by its path below the project or the person's home; `put_in` raises where it must not be written."""

    path: str
    put_in: Edit
    take_out: Edit


class ClientWiring(NamedTuple):
    """A client's files in a project and in the person's home, and what to tell the person of each."""

    project: list[FileWiring]
    user: list[FileWiring]
    notes: list[str]
    user_notes: list[str]


def wiring_of(client: str, *, wake: bool = False) -> ClientWiring:
    """What can be wired for one of `NAMES` or `GENERIC`; `wake` adds the hook that wakes an idle session."""
    if client == "claude":
        return _claude(wake)
    return {"codex": _codex, "opencode": _opencode, "gemini": _gemini, GENERIC: _generic}[client]()


def _claude(wake: bool) -> ClientWiring:
    server = FileWiring(
        ".mcp.json", partial(put_server, wanted=_CLAUDE_SERVER), partial(take_server, written=_CLAUDE_SERVER)
    )
    hooks = FileWiring(
        ".claude/settings.json", partial(put_hooks, wanted=_claude_hooks(wake=wake)),
        partial(take_hooks, written=_claude_hooks(wake=True)),
    )  # fmt: skip
    skill = _whole_file(".claude/skills/relay/SKILL.md", "skill.md")
    woken = ['An idle session is woken only where relay.toml allows its agent: wake = ["claude-*"]'] if wake else []
    return ClientWiring(
        [
            server,
            hooks,
            skill,
            FileWiring("CLAUDE.md", partial(put_include, line=f"@{AGENTS}"), take_block_of_markdown),
        ],
        [hooks, skill],
        ["Claude Code asks once whether to use the server of .mcp.json.", *woken],
        ["For the tools as well, run: claude mcp add --scope user relay -- relay mcp", *woken],
    )


def _codex() -> ClientWiring:
    configuration = FileWiring(".codex/config.toml", put_codex, take_codex)
    trust = "Run /hooks in Codex and trust relay's hooks, now and after each change; until then it skips them silently."
    sandbox = (
        "In Codex's sandbox a shell cannot write to relay's home, though relay's tools can;"
        " sandbox_workspace_write.writable_roots in your own config.toml lets it."
    )
    return ClientWiring(
        [configuration], [configuration],
        [trust, "Codex reads .codex/config.toml in trusted projects only.", sandbox], [trust, sandbox],
    )  # fmt: skip


def _opencode() -> ClientWiring:
    notes = [
        "OpenCode reads the plugin when it starts. It cannot be made to go on, so questions wait for its next turn.",
        "No tools are wired, as OpenCode does not say which session calls one; relay in its shell knows who acts.",
    ]
    return ClientWiring(
        [_whole_file(".opencode/plugins/relay.js", "opencode.js")],
        [_whole_file(".config/opencode/plugins/relay.js", "opencode.js")],
        notes, notes,
    )  # fmt: skip


def _gemini() -> ClientWiring:
    settings = FileWiring(".gemini/settings.json", _put_gemini, _take_gemini)
    include = FileWiring("GEMINI.md", partial(put_include, line=f"@./{AGENTS}"), take_block_of_markdown)
    note = "Gemini CLI does not say which session calls a tool, so the tools need: relay launch gemini"
    return ClientWiring([settings, include], [settings], [note], [note])


def _generic() -> ClientWiring:
    notes = [
        f"An agent whose client has no hooks reads {AGENTS} and joins by hand: relay join --as NAME",
        "Commit what was written, so that other worktrees and clones have it.",
    ]
    return ClientWiring([FileWiring(AGENTS, put_habits, take_block_of_markdown)], [], notes, [])


def _claude_hooks(*, wake: bool) -> dict[str, list[dict[str, Any]]]:
    def group(does: str, seconds: int = _HOOK_SECONDS, **more: str) -> dict[str, Any]:
        return {**more, "hooks": [handler(does, seconds)]}

    def handler(does: str, seconds: int, **more: bool) -> dict[str, Any]:
        words = ["hook", does, "--client", "claude"]
        return {"type": "command", "command": "relay", "args": words, **more, "timeout": seconds}

    stop = group("stop")
    if wake:
        stop["hooks"].append(handler("watch", _WAKE_SECONDS, asyncRewake=True))
    return {
        "SessionStart": [group("session-start")],
        "UserPromptSubmit": [group("prompt")],
        "PreToolUse": [group("guard", matcher=_EDITS)],
        "PostToolUse": [group("check", matcher=f"Bash|{_EDITS}")],
        "Stop": [stop],
        "Notification": [group("notification")],
        "SessionEnd": [group("session-end", _END_SECONDS)],
    }


def _gemini_hooks() -> dict[str, list[dict[str, Any]]]:
    """Gemini's hooks are lines for a shell, and its timeouts milliseconds."""

    def group(does: str, **more: str) -> dict[str, Any]:
        line = f"relay hook {does} --client gemini"
        return {**more, "hooks": [{"type": "command", "command": line, "timeout": _HOOK_SECONDS * 1000}]}

    return {
        "SessionStart": [group("session-start")],
        "BeforeAgent": [group("prompt")],
        "BeforeTool": [group("guard", matcher="write_file|replace")],
        "AfterTool": [group("check", matcher="run_shell_command|write_file|replace")],
        "AfterAgent": [group("stop")],
        "Notification": [group("notification")],
        "SessionEnd": [group("session-end")],
    }


def _put_gemini(text: str, name: str) -> str:
    hooked = put_hooks(text, name, _gemini_hooks())
    return put_server(hooked, name, _GEMINI_SERVER)


def _take_gemini(text: str, name: str) -> str:
    return take_server(take_hooks(text, name, _gemini_hooks()), name, _GEMINI_SERVER)


def _whole_file(path: str, kept: str) -> FileWiring:
    """A file that is relay's as a whole, and is `kept` beside this module."""
    return FileWiring(path, partial(_put_file, kept=kept), _take_file)


def _put_file(text: str, name: str, kept: str) -> str:
    """The file as this version has it. Raises `file_exists` for another's."""
    if text and _WRITES_IT not in text:
        raise RelayError("file_exists", f"{name} is there and not relay's.", "Rename it; nothing was written.")
    return files("relay_tui.wiring").joinpath(kept).read_text("utf-8")


def _take_file(text: str, name: str) -> str:
    return "" if _WRITES_IT in text else text
