"""Answers that are costly to make: each is made once, whoever asks at once."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class Cache(Generic[Answer]):
    """Keeps the answers that were asked for last. Errors are not kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Answer] = OrderedDict()
        self._reset_locks()
        if hasattr(os, "register_at_fork"):
            # A lock that another thread held at the fork is never let go of
            # in the child.
            os.register_at_fork(after_in_child=self._reset_locks)

    def _reset_locks(self) -> None:
        self._lock = threading.Lock()
        self._being_made: dict[Hashable, threading.Lock] = {}

    def get(self, key: Hashable, make: Callable[[], Answer]) -> Answer:
        """Answer for *key*; one thread makes it while the others wait for it."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            being_made = self._being_made.setdefault(key, threading.Lock())
        with being_made:
            with self._lock:
                if key in self._kept:
                    return self._kept[key]
            try:
                answer = make()
                with self._lock:
                    self._kept[key] = answer
                    if len(self._kept) > self._most:
                        self._kept.popitem(last=False)
            finally:
                with self._lock:
                    self._being_made.pop(key, None)
            return answer
