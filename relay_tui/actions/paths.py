"""Which paths there are to claim, for doors that complete them."""

from __future__ import annotations


def list_claimable(folder: str) -> list[str]:
    """Paths in and below `folder` that git tracks or does not ignore, relative to it and sorted.

    Raises `no_file` outside a repository, `timeout` where git takes too long.
    """
    from relay_tui.repo.tree import list_tree

    return list_tree(folder)
