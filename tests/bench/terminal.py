"""Timing what appears in a real terminal: a pseudo-terminal, read until a text is on it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROWS, COLUMNS = 40, 120
PATIENCE = 30.0  # seconds until a text that does not come is a failure


class Terminal:
    """A program in a pseudo-terminal of 120 x 40; `see` waits for bytes, `close` ends it."""

    def __init__(self, argv: Sequence[str], environ: Mapping[str, str], folder: str) -> None:
        self.began = time.perf_counter()
        self.pid, self._file = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(argv[0], list(argv), {**environ, "TERM": "xterm-256color"})
        fcntl.ioctl(self._file, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.seen = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def see(self, text: str) -> float:
        """Seconds since the start at which `text` had been written; forgets what came before it."""
        wanted, ends = text.encode(), time.perf_counter() + PATIENCE
        while wanted not in self.seen:
            if time.perf_counter() > ends:
                raise SystemExit(f"'{text}' never appeared")
            if select.select([self._file], [], [], 0.5)[0]:
                self.seen += os.read(self._file, 65536)
        self.seen = self.seen.partition(wanted)[2]
        return time.perf_counter() - self.began

    def forget(self) -> None:
        """Leave behind whatever was written, once nothing more comes."""
        while select.select([self._file], [], [], 0.2)[0]:
            os.read(self._file, 65536)
        self.seen = b""

    def type(self, keys: str) -> None:
        os.write(self._file, keys.encode())

    def close(self) -> None:
        os.kill(self.pid, signal.SIGTERM)
        ends = time.perf_counter() + 5
        while os.waitpid(self.pid, os.WNOHANG) == (0, 0):
            if select.select([self._file], [], [], 0.05)[0]:
                try:
                    os.read(self._file, 65536)
                except OSError:
                    pass
            if time.perf_counter() > ends:
                os.kill(self.pid, signal.SIGKILL)
        os.close(self._file)
