"""Runs work that may need more stack than the calling thread has left.

Threads have as little as 128 KiB on some systems, and a caller may be close to its
recursion limit. A new thread has a large stack and no callers.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from toolschema._json.cache import Lock

Result = TypeVar("Result")

_BYTES = 64 * 1024 * 1024  # address space; memory is taken only as it is used
_STACK_SIZE = Lock()


def with_a_deep_stack(work: Callable[[], Result]) -> Result:
    """Run *work* in a new thread; return its result or raise its error.

    Another thread that starts at the same moment may get as much stack. If no
    thread can be started, the work runs in this one.
    """
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again below
            errors.append(error)

    thread = _started(run)
    if thread is None:
        return work()
    thread.join()
    if errors:
        raise errors.pop()
    return results[0]


def _started(run: Callable[[], None]) -> threading.Thread | None:
    thread = threading.Thread(target=run, name="toolschema")
    with _STACK_SIZE.held():
        before = threading.stack_size(_BYTES)
        try:
            thread.start()
        except RuntimeError:  # too many threads, or the interpreter is shutting down
            return None
        finally:
            threading.stack_size(before)
    return thread
