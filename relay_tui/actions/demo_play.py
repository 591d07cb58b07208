"""The demo's play: who says and does what, in order. Only words here; `demo` runs them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

ROADMAP = """\
# Shop API 2.0

## Foundation

### Sign-in

- [x] Choose a session store @nimbus-2
- [/] Rewrite session handling @codex-3 branch:feat/auth !high
  - [x] Expire idle sessions
  - [ ] Rotate tokens
- [ ] Review the rewrite @claude-1 due:2026-12-11

### Cart

- [x] Prices in minor units
- [/] Merge carts at sign-in @harbor-1 branch:feat/cart
- [!] Tax per country #waiting

## Launch

### Search

- [ ] Index the catalogue @kestrel-9 branch:feat/search
- [ ] Typo tolerance

### Export

- [ ] Retire the old export branch:feat/legacy-export
"""


def play(run: Callable[..., dict[str, Any]], worktree: Callable[[str], str], pause: Callable[[], None]) -> None:
    """Six agents on four worktrees. `run(folder, *words)` performs one `relay` line and returns its data.

    It ends with a contested and an orphaned branch, a question, mail to handle and a blocked task.
    """
    main, auth, cart, search = (worktree(name) for name in ("shop-api", "wt-auth", "wt-cart", "wt-search"))

    def act(folder: str, *words: str) -> dict[str, Any]:
        pause()
        return run(folder, *words)

    act(main, "work", "import", "--file", "ROADMAP.md", "--as", "operator")
    act(auth, "join", "--as", "codex-3", "--runner", "codex", "--branch", "feat/auth", "--worktree", auth)
    act(auth, "branch", "claim", "feat/auth", "--note", "session rewrite", "--as", "codex-3")
    act(auth, "claim", "src/auth", "--note", "moving to rotating tokens", "--as", "codex-3")
    act(main, "join", "--as", "claude-1", "--runner", "claude", "--branch", "main", "--worktree", main)
    act(cart, "join", "--as", "harbor-1", "--runner", "claude", "--branch", "feat/cart", "--worktree", cart)
    act(cart, "branch", "claim", "feat/cart", "--as", "harbor-1")
    act(search, "join", "--as", "kestrel-9", "--runner", "opencode", "--branch", "feat/search", "--worktree", search)
    act(search, "claim", "machine:search-index", "--note", "one indexer at a time", "--as", "kestrel-9")
    act(main, "join", "--as", "vector-4", "--runner", "codex", "--ephemeral")
    act(main, "branch", "claim", "feat/legacy-export", "--note", "old export", "--as", "vector-4")
    act(main, "claim", "src/export.py", "--as", "vector-4")
    review = act(
        auth, "send", "--as", "codex-3", "--to", "claude-1", "--summary", "Review request",
        "--message", "The session rewrite is ready on feat/auth.\nPlease review before I release the claim.",
    )  # fmt: skip
    act(main, "inbox", "--as", "claude-1")
    act(main, "status", "working", "--text", "reading the session rewrite", "--as", "claude-1")
    act(main, "ack", review["id"], "--note", "reviewing now", "--as", "claude-1")
    act(
        main, "send", "--as", "claude-1", "--reply-to", review["id"],
        "--message", "Two remarks: TTL belongs in settings, and rotate() lacks a test.",
    )  # fmt: skip
    act(auth, "inbox", "--as", "codex-3")
    act(cart, "join", "--as", "nimbus-2", "--runner", "claude", "--branch", "feat/cart", "--worktree", cart)
    act(cart, "status", "working", "--text", "merging carts", "--as", "nimbus-2")
    act(main, "leave", "--as", "vector-4")
    act(main, "send", "--as", "harbor-1", "--to", "*", "--message", "Rebase before 17:00, please.")
    act(search, "inbox", "--as", "kestrel-9")
    act(
        search, "status", "waiting", "--needs", "operator", "--question", "Which analyser for Japanese?",
        "--as", "kestrel-9",
    )  # fmt: skip
    act(auth, "status", "working", "--text", "answering the review", "--as", "codex-3")
