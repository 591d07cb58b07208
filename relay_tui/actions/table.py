"""The table of actions: what their signatures cannot say, one line each (DESIGN §3.4).

A line names the module and the function; the function's own signature says which words and options there
are. Nothing is imported until a call needs it. From this table come the commands, the hot path, the keys
and the palette of the screen, its forms and its completion, and the tables in docs/.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple


class Action(NamedTuple):
    """One line of the table. `scope` is `read`, `write` or `operator`; `retype` is the parameter whose
    value a person types again before a forced act; `key` works on `screen` (`*` is every screen)."""

    name: str
    job: str
    function: str
    scope: str = "read"
    screen: str = ""
    key: str = ""
    retype: str = ""

    @property
    def writes(self) -> bool:
        return self.scope != "read"


ACTIONS = {
    action.name: action
    for action in (
        Action("init", "rooms", "init", "write"),
        Action("rooms", "rooms", "list_rooms"),
        Action("join", "registry", "join", "write", "agents", "n"),
        Action("status", "registry", "status", "write"),
        Action("leave", "registry", "leave", "write"),
        Action("retire", "registry", "retire", "write", "agents", "x", retype="name"),
        Action("revive", "registry", "revive", "operator"),
        Action("prune", "registry", "prune", "write"),
        Action("pending", "registry", "pending"),
        Action("agents", "registry", "agents", screen="agents"),
        Action("whoami", "registry", "whoami"),
        Action("send", "messages", "send", "write", "*", "m"),
        Action("inbox", "messages", "inbox", "write", "inbox"),
        Action("show", "messages", "show", "write", "inbox", "enter"),
        Action("ack", "messages", "ack", "write", "inbox", "a"),
        Action("receipt", "messages", "receipt"),
        Action("thread", "messages", "thread"),
        Action("outbox", "messages", "outbox"),
        Action("history", "messages", "history"),
        Action("archive", "messages", "archive"),
        Action("search", "messages", "search"),
        Action("followup", "messages", "followup", "write"),
        Action("reconcile", "messages", "reconcile", "write"),
        Action("fetch", "messages", "fetch"),
        Action("watch", "messages", "watch", "write"),
        Action("claim", "claims", "claim", "write", "claims", "c"),
        Action("release", "claims", "release", "write", "claims", "x", retype="resources"),
        Action("claims", "claims", "claims", screen="claims"),
        Action("gate", "claims", "gate"),
        Action("guard", "guard", "guard"),
        Action("hooks install", "hooks", "install", "write"),
        Action("hooks uninstall", "hooks", "uninstall", "write"),
        Action("handoff request", "handoffs", "request", "write", "claims", "t"),
        Action("handoff respond", "handoffs", "respond", "write", "claims", "a"),
        Action("handoff cancel", "handoffs", "cancel", "write"),
        Action("handoff ask", "handoffs", "ask", "write"),
        Action("handoff list", "handoffs", "list_all"),
        Action("branches", "branches", "branches", screen="branches"),
        Action("branch claim", "branches", "branch_claim", "write", "branches", "c"),
        Action("branch release", "branches", "branch_release", "write", "branches", "x", retype="branch"),
        Action("branch show", "branches", "branch_show"),
        Action("work add", "work", "add", "write", "roadmap", "n"),
        Action("work set", "work", "set_fields", "write", "roadmap", "s"),
        Action("work move", "work", "move", "write", "roadmap", "ctrl+j"),
        Action("work remove", "work", "remove", "write", "roadmap", "x"),
        Action("work restore", "work", "restore", "write", "roadmap", "V"),
        Action("work tree", "work", "tree", screen="roadmap"),
        Action("work show", "work", "show"),
        Action("work next", "work", "choose_next", screen="roadmap"),
        Action("work resolve", "work", "resolve", "write", "roadmap", "a"),
        Action("work import", "plans", "import_plan", "write", "roadmap", "i"),
        Action("work export", "plans", "export", "write", "roadmap", "E"),
        Action("work follow", "plans", "follow", "write", "roadmap", "F"),
        Action("screen", "screen", "screen"),
        Action("attention", "attention", "attention", screen="attention"),
        Action("log", "log", "log", screen="log"),
        Action("log head", "log", "head"),
        Action("log verify", "log", "verify"),
        Action("log rebuild", "log", "rebuild"),
        Action("doctor", "doctor", "doctor"),
        Action("demo", "demo", "demo"),
        Action("hook", "clients", "hook"),
        Action("mcp", "clients", "mcp"),
        Action("setup", "setup", "setup", "write"),
        Action("launch", "launch", "launch", "write"),
        Action("spec", "spec", "spec"),
    )
}

# Other spellings of commands, which mean the same (DESIGN §7).
ALIASES = {"handoff-request": "handoff request", "handoff-respond": "handoff respond"}

# One vocabulary of parameter names: what a name means, it means everywhere, with the shades of `MEANINGS`.
PARAMETERS = {
    "accept": "Take it.",
    "advise": "Warn only.",
    "after": "The sibling that it comes after.",
    "all_": "Include what the list leaves out, or take everything.",
    "apply": "Do it; without this the candidates are only listed.",
    "args": "Words for the client, after --.",
    "artifact": "A path, URL or commit that belongs to the item; may repeat.",
    "attach": "A file to send along; may repeat.",
    "before": "The sibling that it comes before.",
    "blocked_by": "An item that must be done first; may repeat.",
    "blocks": "An item that waits for this one; may repeat.",
    "branch": "A branch by its short name.",
    "bullets": "Take plain top-level bullets as tasks.",
    "by": "What to count by.",
    "cancel_removed": "Cancel items that left the file.",
    "claim": "Claim the worktree's branch for it as well.",
    "client": "Which agent's client it is.",
    "clients": "Which clients: claude, codex, opencode, gemini, generic.",
    "channel": "Also announce new mail over the channel that Claude Code offers its servers.",
    "check": "Fold the ledger into an empty database and compare every table.",
    "count": "Only the number of unhandled messages.",
    "days": "How many days without a sign.",
    "decline": "Leave it with its holder.",
    "depth": "How many levels of the tree.",
    "details": "Also read ahead, behind, dirty counts and overlaps from git.",
    "discover": "Also sessions of Claude Code and Codex on this machine that have not joined.",
    "due": "A date, YYYY-MM-DD.",
    "ephemeral": "Leave by itself when its process is gone and it holds nothing.",
    "event": "What happened in the client.",
    "expect": "NUMBER:HASH that `log head` printed before.",
    "field": "The field in which file and room differ, such as status.",
    "file": "A Markdown file.",
    "flag": "Only branches with this flag; may repeat.",
    "flat": "A list instead of a tree.",
    "follow": "Go on: print events as they arrive, or import the file again after each save.",
    "force": "Free what somebody else holds (operator, with --reason), or write over a file.",
    "from_": "Only messages from this agent.",
    "gate": "First measure swap, load and free disk, and refuse out of bounds.",
    "handled": "A message that is handled now; may repeat.",
    "headless": "Play it at once and print what needs attention.",
    "holder": "Only what this agent holds.",
    "id": "An id, or the beginning of one; an item's id (W12) is always whole.",
    "idle_hours": "How many hours without a sign; 24 unless said.",
    "ids": "Ids, or the beginnings of them.",
    "kind": "The kind of thing: roadmap, phase, epic, task, todo; in the log, an event's kind.",
    "label": "A label; may repeat.",
    "limit": "At most this many.",
    "mark": "Write markers into the file, so that every item is known again wherever its line goes.",
    "message": "The text; `-` reads standard input.",
    "mine": "Only what concerns you.",
    "name": "A name.",
    "needs": "Whom a question is for.",
    "new": "The branch does not exist yet; the claim is planned.",
    "note": "A note for others to read.",
    "of": "Another agent's mailbox (operator; changes no fact).",
    "off": "Take it off again.",
    "older_than": "Only what is older than this: 90s, 15m, 2h, 7d.",
    "only": "Only what stands under this heading; may repeat.",
    "operator": "The operator's name in this room.",
    "out": "A folder to write to.",
    "over": "Whatever lies on, above or below this resource.",
    "owner": "Who owns the item; any name.",
    "parent": "The item above.",
    "patch": "Also the diff against the default branch.",
    "paths": "Paths, from the current folder.",
    "peek": "Look without fetching: no bodies, no fact recorded.",
    "pid": "The client's process, so that its end can be noticed.",
    "prefer": "Which side settles a conflict.",
    "pretty": "Draw the tree with progress and owners.",
    "priority": "high, med, low or 1 to 4.",
    "question": "What you need to know.",
    "read_only": "Look only: no act is offered.",
    "reason": "Why; it is recorded and told to whom it concerns.",
    "recursive": "Also everything below it.",
    "relinquish": "Give up the branches it holds.",
    "remind": "Send one reminder for each, at most once a day.",
    "reply_to": "The message or question that this answers.",
    "resource": "A part of it: a path, machine:NAME or branch:NAME; may repeat.",
    "resources": "Paths, machine:NAME or branch:NAME.",
    "room_": "The room's name.",
    "root": "At the top, below nothing.",
    "runner": "Which client runs the agent (claude, codex, …).",
    "scope": "Which kind of resource.",
    "sections": "Take headings without any checkbox as items.",
    "side": "Whose value it has from now on.",
    "since": "The cursor that the list before ended with.",
    "skip": "Leave out what stands under this heading; may repeat.",
    "staged": "What the next commit changes.",
    "stale": "Only what is stale: claims whose holder is not live, agents without a sign.",
    "state": "Only agents in this state; may repeat.",
    "status": "What is being done.",
    "stdin0": "Names from standard input, each ended by NUL.",
    "summary": "One line for lists; otherwise the first line of the message.",
    "switch": "Go on with this worktree's file where another worktree's was read last.",
    "tables": "Take rows of tables with a status column as tasks.",
    "take": "A message that this session has now; may repeat.",
    "takeover": "Take a live name from its session (operator).",
    "task": "What the agent works on.",
    "text": "One sentence on how it stands.",
    "thread": "Only messages of this thread.",
    "through": "Everything that the list before this cursor showed.",
    "timeout": "Stop waiting after this long: 90s, 15m or seconds.",
    "title": "A title.",
    "to": "A name, '*' for everybody live, '*all' for everybody who has not left.",
    "under": "Only this item and what is below it.",
    "undo": "Take out what setup put in, and bring back what stood there before.",
    "unread": "What is unhandled; this is the default.",
    "unset": "A field to empty; may repeat.",
    "user": "In your own files, for every project, instead of this project's.",
    "wait": "Stand in line for it this long: 90s, 15m or seconds.",
    "wake": "Also the hook that wakes an idle session, where relay.toml allows it.",
    "worktree": "The worktree that the agent works in.",
}

# What a parameter means of one command, where its text above says too much or too little.
MEANINGS = {
    "ack all_": "Everything that you have not handled.",
    "branch release force": "Free what somebody else holds (operator, with --reason).",
    "branches all_": "Quiet branches too.",
    "claims stale": "Only claims whose holder is not live.",
    "fetch force": "Write over a file that is there.",
    "handoff list all_": "Answered ones too.",
    "handoff request to": "Who is to have it; a name.",
    "inbox all_": "Handled and expired ones too, newest first.",
    "leave stale": "Agents without a sign, instead of yourself.",
    "log follow": "Go on: print events as they arrive.",
    "log kind": "Only events of this kind, such as message or claim.taken.",
    "release all_": "Everything that you hold.",
    "release force": "Free what somebody else holds (operator, with --reason).",
    "retire stale": "Agents without a sign, instead of a name.",
    "search text": "Words to look for; a message must have them all.",
    "send id": "A key of your own: the same message under it again is stored once.",
    "work add kind": "roadmap, phase, epic, task or todo.",
    "work add status": "The item's status: todo, in-progress, blocked, review, done or cancelled.",
    "work import follow": "Go on: import the file again after each save.",
    "work set kind": "roadmap, phase, epic, task or todo.",
    "work set status": "The item's status: todo, in-progress, blocked, review, done or cancelled.",
    "work tree status": "Only items of this status, and what they stand below; may repeat.",
}
