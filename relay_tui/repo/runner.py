"""The one place that starts git: by GitPython, with a deadline, for reading.

GitPython is imported on the first call and only its process runner is used. Nothing here knows what an
answer means; nothing else in relay may start git.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
from contextlib import contextmanager
from subprocess import TimeoutExpired
from typing import TYPE_CHECKING, Self

from relay_tui.base.children import end_children_on_signals, finish, follow
from relay_tui.base.errors import RelayError
from relay_tui.base.text import shell_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from subprocess import Popen

    from git.cmd import Git

DEADLINE = 10.0  # seconds, for one git

# What `git rev-parse --local-env-vars` lists. Git sets them for its hooks, and they outvote `-C`.
LOCAL_VARIABLES = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
)
_OPTIONS = (
    "--no-pager", "--no-optional-locks", "-c", "core.quotePath=false", "-c", "core.fsmonitor=false",
    "-c", "log.showRoot=true",
)  # fmt: skip
# A partial clone fetches what it lacks in the middle of a diff; relay opens no connection (DESIGN §1).
_ENVIRONMENT = {"GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "none"}
_NOT_FOUND = 127
# What GitPython takes for git while it is imported, and that it bears the lack of one.
_NO_GIT = {"GIT_PYTHON_GIT_EXECUTABLE": os.devnull, "GIT_PYTHON_REFRESH": "quiet"}
_IMPORTING = threading.Lock()


class GitError(RelayError):
    """Git ended with a status other than zero; the message is git's own first line."""

    def __init__(self, code: str, message: str, hint: str, status: int) -> None:
        super().__init__(code, message, hint)
        self.status = status


class GitProcess:
    """One running git. Leaving the `with` block ends it, whatever happened."""

    def __init__(self, child: Popen[bytes], folder: str, arguments: Sequence[str], deadline: float) -> None:
        self.complaints: list[str] = []
        self._child = child
        follow(child.pid)
        self._folder = folder
        self._arguments = arguments
        self._deadline = deadline
        self._ends = time.monotonic() + deadline

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        finish(self._child)

    def output(self) -> bytes:
        """All of standard output; warnings go to `complaints`. Raises `timeout` or a `GitError`."""
        try:
            output, errors = self._child.communicate(timeout=max(self._ends - time.monotonic(), 0))
        except TimeoutExpired:
            raise _timed_out(self._arguments[0], self._line, self._deadline) from None
        stderr = decode(errors)
        if self._child.returncode != 0:
            raise _failure(self._arguments[0], self._line, self._child.returncode, stderr)
        self.complaints = [line for line in stderr.splitlines() if line.startswith(("warning: ", "error: "))]
        return output

    @property
    def _line(self) -> str:
        """What a person types to ask the same."""
        return shell_line(["git", "-C", self._folder, *self._arguments])


def start(folder: str, *arguments: str, deadline: float = DEADLINE, keep: Collection[str] = ()) -> GitProcess:
    """Start git in `folder`; `keep` names local variables of git that count.

    Raises `timeout` at once where no time is left, `no_file` without a git.
    """
    if deadline <= 0:
        message = f"git {arguments[0]} was not asked: no time was left."
        raise RelayError("timeout", message, "Ask again, or for fewer branches.")
    # `Git(folder)` would expand `$` and `~` in the path, so git is told the folder itself, by -C.
    runner = _gitpython()(os.sep)
    command = [*_without_local_variables(keep), "git", "-C", os.path.abspath(folder), *_OPTIONS, *arguments]
    from git.exc import GitCommandNotFound

    try:
        process = runner.execute(command, as_process=True, env=_ENVIRONMENT, start_new_session=True)
    except (GitCommandNotFound, OSError):
        raise _not_found() from None
    child = process.proc
    process.proc = None  # Ours to end: GitPython's own clean-up waits without a deadline.
    assert child is not None
    return GitProcess(child, folder, arguments, deadline)


def run(folder: str, *arguments: str, deadline: float = DEADLINE, keep: Collection[str] = ()) -> bytes:
    """Start git in `folder` and return what it printed."""
    with start(folder, *arguments, deadline=deadline, keep=keep) as process:
        return process.output()


def git_version(deadline: float = DEADLINE) -> tuple[int, ...]:
    """`(2, 39, 5)`: the leading numbers of `git version`."""
    words = decode(run(os.sep, "version", deadline=deadline)).split()
    numbers = words[2].split(".")[:3] if len(words) > 2 else []
    return tuple(int(number) for number in numbers if number.isdecimal())


def decode(answer: bytes) -> str:
    """Git's bytes as text; what is not UTF-8 survives as surrogate escapes."""
    return answer.decode("utf-8", "surrogateescape")


@contextmanager
def understood(name: str) -> Iterator[None]:
    """Around the taking apart of an answer: where it is not what git answers, raises `invalid`."""
    try:
        yield
    except (LookupError, ValueError, StopIteration) as error:
        message = f"git {name} answered something that relay cannot read."
        raise RelayError("invalid", message, "See which git is the first on your PATH: command -v git") from error


def _gitpython() -> type[Git]:
    """GitPython starts git while it is imported, on our terminal and without a deadline: there it finds none."""
    with _IMPORTING:
        if "git.cmd" not in sys.modules:
            said = {name: os.environ.get(name) for name in _NO_GIT}
            os.environ.update(_NO_GIT)
            try:
                _import_gitpython()
            finally:
                for name, value in said.items():
                    os.environ.pop(name) if value is None else os.environ.update({name: value})
        from git.cmd import Git
    return Git


def _import_gitpython() -> None:
    try:
        import git.cmd  # noqa: F401 - that it is loaded is all
    except ImportError as error:
        message = f"GitPython could not be loaded: {str(error).strip()}"
        raise RelayError("internal", message, "Reinstall relay.") from error
    end_children_on_signals()
    gc.freeze()  # its thousands of objects are there to stay, and going through them again takes 10 ms each time


def _without_local_variables(keep: Collection[str]) -> list[str]:
    """GitPython can add to the environment but not take away; `env` becomes git, so it costs no process."""
    present = [name for name in LOCAL_VARIABLES if name in os.environ and name not in keep]
    return ["env", *(word for name in present for word in ("-u", name))] if present else []


def _failure(name: str, line: str, status: int, stderr: str) -> RelayError:
    if status == _NOT_FOUND and stderr.startswith("env:"):
        return _not_found()
    code, hint = _advice(line, stderr)
    return GitError(code, f"git: {_own_words(stderr) or f'{name} ended with status {status}'}", hint, status)


def _own_words(stderr: str) -> str:
    lines = [line for line in stderr.splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith("fatal: ")]
    return (fatal or lines or [""])[0].removeprefix("fatal: ").removeprefix("error: ")


def _advice(line: str, stderr: str) -> tuple[str, str]:
    """The error code, and what to do: the fix that git itself proposes where it does."""
    if "safe.directory" in stderr:
        fixes = [line.strip() for line in stderr.splitlines() if line.strip().startswith("git config ")]
        return "refused", f"If you trust the owner of that folder: {fixes[0] if fixes else 'git help config'}"
    if "not a git repository" in stderr:
        return "no_file", "Go to a folder inside a git repository, or make one with `git init`."
    if "cannot change to" in stderr:
        return "no_file", "Check that the folder exists and that you may enter it."
    return "invalid", f"To see what it says, run: {line}"


def _not_found() -> RelayError:
    return RelayError("no_file", "git was not found on this machine's PATH.", "Install git, or add it to PATH.")


def _timed_out(name: str, line: str, deadline: float) -> RelayError:
    return RelayError(
        "timeout",
        f"git {name} did not answer within {round(deadline, 1):g} s and was stopped.",
        f"The disk may be slow or absent. Try again, or run: {line}",
    )
