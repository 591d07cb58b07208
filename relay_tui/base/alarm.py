"""A limit for a call that blocks in the kernel and has none of its own, such as a wait for a lock."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_AGAIN = 0.05  # seconds; an alarm that rang just before the call went to sleep has not woken it


def is_main_thread() -> bool:
    """Whether an alarm can reach this thread."""
    import threading

    return threading.current_thread() is threading.main_thread()


def ends_within(seconds: float, call: Callable[[], object]) -> bool:
    """Whether the call ended in time; it is given up otherwise. For the main thread alone."""
    import signal

    waiting = True

    def give_up(_signal: int, _frame: object) -> None:
        nonlocal waiting
        if waiting:
            waiting = False
            raise TimeoutError

    previous = signal.signal(signal.SIGALRM, give_up)
    masked = signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGALRM,))  # a parent may have left it blocked
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
        call()
    except TimeoutError:
        return False
    finally:
        waiting = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.pthread_sigmask(signal.SIG_SETMASK, masked)
        signal.signal(signal.SIGALRM, previous)
    return True
