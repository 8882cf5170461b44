"""Work that needs more stack than the thread it is asked for in may have.

Threads have as little as 128 KiB on some systems, and a caller may be close to
the recursion limit of its own; a thread of ours has neither worry.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from toolschema._json.cache import Lock

Result = TypeVar("Result")

_BYTES = 64 * 1024 * 1024  # of address space; only what is used becomes memory
_SIZE = Lock()


def with_a_deep_stack(work: Callable[[], Result]) -> Result:
    """Do *work* in a thread of its own, and answer or raise what it does.

    Another thread that is started in the same instant gets as much stack.
    Where no thread can be had, the work is done in this one.
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
    with _SIZE.held():
        before = threading.stack_size(_BYTES)
        try:
            thread.start()
        except RuntimeError:  # no more threads, or the interpreter is ending
            return None
        finally:
            threading.stack_size(before)
    return thread
