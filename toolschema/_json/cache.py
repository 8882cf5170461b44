"""A cache whose answers are made once, even if several threads ask at the same time."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

Answer = TypeVar("Answer")


class Lock:
    """A re-entrant lock that is free in a child process after `fork`.

    There, nothing would release a lock that another thread held at the fork.
    """

    def __init__(self) -> None:
        self._renew()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        self._lock = threading.RLock()

    @contextmanager
    def held(self) -> Iterator[None]:
        with self._lock:
            yield


class Cache(Generic[Answer]):
    """Keeps the *most* recently used answers. Errors are not kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Answer] = OrderedDict()
        self._lock = Lock()
        self._forget_makers()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget_makers)

    def _forget_makers(self) -> None:
        # Re-entrant, because a signal handler may ask for the same answer meanwhile.
        self._being_made: dict[Hashable, Any] = {}

    def get(self, key: Hashable, make: Callable[[], Answer]) -> Answer:
        """The answer for *key*; one thread makes it while the others wait."""
        with self._lock.held():
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            being_made = self._being_made.setdefault(key, threading.RLock())
        with being_made:
            with self._lock.held():
                if key in self._kept:
                    return self._kept[key]
            try:
                answer = make()
                self._keep(key, answer)
            finally:
                with self._lock.held():
                    self._being_made.pop(key, None)
            return answer

    def _keep(self, key: Hashable, answer: Answer) -> None:
        with self._lock.held():
            self._kept[key] = answer
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
