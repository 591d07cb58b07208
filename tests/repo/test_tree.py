from __future__ import annotations

import os

from relay_tui.repo.tree import list_tree
from tests.repo.git_fixture import commit, isolate_git, make_repository, write


def test_tracked_and_new_files_are_listed_and_ignored_ones_are_not(tmp_path, monkeypatch):
    isolate_git(monkeypatch)
    made = make_repository(str(tmp_path / "repo"))
    commit(made, "first", {"src/a b.py": "a\n", "src/検索.py": "b\n", ".gitignore": "*.log\n"})
    write(made, {"src/new\nline.py": "c\n", "x.log": "d\n"})
    assert list_tree(made) == [".gitignore", "src/a b.py", "src/new\nline.py", "src/検索.py"]
    assert list_tree(os.path.join(made, "src")) == ["a b.py", "new\nline.py", "検索.py"]
