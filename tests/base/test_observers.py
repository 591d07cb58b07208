from __future__ import annotations

from pathlib import Path

from watchdog.events import FileSystemEventHandler
from watchdog.observers.api import BaseObserver

from relay_tui.base.observers import start_observer


def test_an_observer_that_cannot_start_holds_no_watch(tmp_path: Path) -> None:
    emitters = set()

    def schedule(observer: BaseObserver) -> None:
        for number in range(12):
            folder = tmp_path / str(number)
            folder.mkdir()
            observer.schedule(FileSystemEventHandler(), str(folder))
        observer.schedule(FileSystemEventHandler(), str(tmp_path / "gone"))  # as where no watch is left
        emitters.update(observer.emitters)

    assert start_observer(schedule) is None
    assert len(emitters) == 13
    assert not any(emitter.is_alive() for emitter in emitters)
