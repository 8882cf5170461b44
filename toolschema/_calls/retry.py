"""RetryGuard: ends loops in which a model repeats a failing call."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Mapping, MutableMapping
from itertools import chain, islice
from typing import Any

from toolschema._json.equality import arguments_key
from toolschema._json.printable import one_line, undeclared

_END = "#"
"""Ends the tool's name in a key of the store. A call's digest follows, or nothing: then
the value is the tool's failures in a row, kept even at 0 because calls may remain."""
_SAME_CALL = (
    "This call to {} has already failed with the same arguments, so it was not run again."
    " Do not repeat it. Correct the arguments as the earlier errors say, look up what is"
    " missing, or ask the user."
)
_TOO_MANY_IN_A_ROW = (
    "Calls to {} have failed too often in a row, so this one was not run. Do not try again."
    " Tell the user what you were trying to do, and ask how to continue."
)


class RetryGuard:
    """Counts the failed calls of one conversation, and answers those that repeat.

    Two calls are identical if they name the same tool and their arguments are
    the same JSON value: key order, white space, and 1 or 1.0 make no difference;
    1 and true do. Text that is not JSON is compared by its bytes; objects that
    are not JSON values all count as one. A call with corrected arguments starts
    from zero, and one that succeeds is forgotten. The reason for a failure makes
    no difference, so the answers cannot tell what is unknown from what belongs
    to another user.

    Make one guard for each conversation. Threads and tasks may share it; calls
    that start before the first of them has failed all run.

    Neither arguments nor names that a model made up are kept, only digests
    (BLAKE2b, RFC 7693) made with a key of the guard's own, so that nobody can
    recover what was sent by guessing.

    Args:
        max_attempts: Failures of an identical call after which it is answered
            without being run. Default 2.
        max_consecutive: Failures of a tool in a row, whatever the arguments,
            after which all its calls are answered without being run, until
            `reset`; call that when the user has said something new. Default 10.
        store: Where the counts are kept: any mutable mapping from strings to
            integers; what it raises is passed on. Default: in memory. An existing
            store is continued if *key* is the same.
        key: 16 to 64 secret bytes. Default: random. Needed for a store that
            outlives this object or is shared by processes. The guard's lock does
            not extend to other processes, so they may lose a count.
        texts: What to tell the model instead of the built-in answers, by tool
            name: what to do now, such as to ask the user. ``""`` is for tools
            that do not exist.
        max_entries: Counts kept at most, 10,000 by default; beyond it, the calls
            that come first in the store (in memory: the oldest) are forgotten.

    Raises:
        TypeError: An argument is of the wrong type.
        ValueError: A number is below 1 (*max_entries*: 2), a text is blank, or
            *key* is too short or too long.

    >>> guard = RetryGuard(texts={"find": "Ask the user what to look for."})
    >>> for _ in range(2):
    ...     guard.failed("find", '{"id": 1}')
    >>> guard.answer("find", {"id": 1.0})
    'Ask the user what to look for.'
    >>> guard.answer("find", {"id": 2})
    """

    def __init__(
        self,
        max_attempts: int = 2,
        *,
        max_consecutive: int = 10,
        store: MutableMapping[str, Any] | None = None,
        key: bytes | None = None,
        texts: Mapping[str, str] | None = None,
        max_entries: int = 10_000,
    ) -> None:
        _check_count("max_attempts", max_attempts, 1)
        _check_count("max_consecutive", max_consecutive, 1)
        _check_count("max_entries", max_entries, 2)
        if store is not None and not isinstance(store, MutableMapping):
            raise TypeError(f"store must be a mutable mapping, not {type(store).__name__}")
        self.max_attempts = max_attempts
        self.max_consecutive = max_consecutive
        self._max_entries = max_entries
        # Deleting the first entries of a plain dict again and again is quadratic.
        self._store: MutableMapping[str, Any] = OrderedDict() if store is None else store
        self._key = _checked_key(key)
        self._texts = _checked_texts(texts)
        self._lock = threading.RLock()

    def answer(self, name: object, arguments: object, *, is_known: bool = True) -> str | None:
        """What to tell the model instead of running a call; None if it may run.

        Args:
            name: The tool's name, as the model sent it.
            arguments: Text or object, as the model sent them.
            is_known: Whether such a tool exists. Those that do not count as one
                for *max_consecutive*, and their names are not kept.
        """
        tool = _tool_key(name, is_known=is_known)
        if not self._has_failed(tool):
            return None
        call = self._call_key(tool, name, arguments)
        shown = f'"{one_line(name) if is_known else undeclared(name)}"' if type(name) is str else ""
        with self._lock:
            if self._count(call) >= self.max_attempts:
                answer = _SAME_CALL.format(shown or "a tool that does not exist")
            elif self._count(tool) >= self.max_consecutive:
                # Unknown tools are counted together, so none of them is named.
                tools = (is_known and shown) or "tools that do not exist"
                answer = _TOO_MANY_IN_A_ROW.format(tools)
            else:
                return None
        return self._texts.get(tool.removesuffix(_END)) or answer

    def failed(self, name: object, arguments: object, *, is_known: bool = True) -> None:
        """Count a call that has failed, for whatever reason; see `answer`."""
        tool = _tool_key(name, is_known=is_known)
        call = self._call_key(tool, name, arguments)
        with self._lock:
            for key in (tool, call):
                self._store[key] = self._count(key) + 1
                if isinstance(self._store, OrderedDict):
                    self._store.move_to_end(key)
            self._forget_oldest(call)

    def succeeded(self, name: str, arguments: object) -> None:
        """Forget the failures of a call that has succeeded, and its tool's failures in a row."""
        tool = _tool_key(name, is_known=True)
        if not self._has_failed(tool):
            return
        call = self._call_key(tool, name, arguments)
        with self._lock:
            self._store[tool] = 0
            self._store.pop(call, None)

    def state(self) -> dict[str, dict[str, Any]]:
        """The counts by tool, as plain values: failures in a row, and failures of each call.

        Calls are identified by digest; the name ``""`` stands for all tools that
        do not exist.

        >>> guard = RetryGuard()
        >>> guard.failed("find", "{}")
        >>> guard.state()["find"]["consecutive"]
        1
        """
        with self._lock:
            counts = list(self._store.items())
        tools: dict[str, dict[str, Any]] = {}
        for key, count in counts:
            name, _, digest = key.rpartition(_END)
            tool = tools.setdefault(name, {"consecutive": 0, "calls": {}})
            if digest:
                tool["calls"][digest] = count
            else:
                tool["consecutive"] = count
        return tools

    def reset(self, tool: str | None = None) -> None:
        """Forget everything, or only the counts of one tool."""
        with self._lock:
            for key in list(self._store):
                if tool is None or key.rpartition(_END)[0] == tool:
                    self._store.pop(key, None)

    def __repr__(self) -> str:
        return f"<RetryGuard of {self.max_attempts} attempts>"

    def _has_failed(self, tool: str) -> bool:
        with self._lock:
            return tool in self._store

    def _call_key(self, tool: str, name: object, arguments: object) -> str:
        import hashlib  # noqa: PLC0415 - it loads OpenSSL; most conversations do not need it

        called = name.encode(errors="surrogatepass") if type(name) is str else b""
        content = b"%d:%b%b" % (len(called), called, arguments_key(arguments))
        return tool + hashlib.blake2b(content, digest_size=16, key=self._key).hexdigest()

    def _count(self, key: str) -> int:
        count = self._store.get(key, 0)
        if type(count) is not int:
            raise TypeError(f"the store must hold int, not {type(count).__name__}")
        return count

    def _forget_oldest(self, fresh: str) -> None:
        """Drop calls before tools: while a tool's own count is missing, its calls are ignored."""
        excess = len(self._store) - self._max_entries
        if excess <= 0:
            return
        calls = (key for key in self._store if key != fresh and not key.endswith(_END))
        tools = (key for key in self._store if key.endswith(_END))
        for key in list(islice(chain(calls, tools), excess)):
            self._store.pop(key, None)


def _tool_key(name: object, *, is_known: bool) -> str:
    return f"{name}{_END}" if is_known else _END


def _check_count(name: str, value: object, least: int) -> None:
    if type(value) is not int:
        raise TypeError(f"{name} must be int, not {type(value).__name__}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}")


def _checked_key(key: bytes | None) -> bytes:
    if key is None:
        return os.urandom(32)
    if not isinstance(key, bytes):
        raise TypeError(f"key must be bytes, not {type(key).__name__}")
    if not 16 <= len(key) <= 64:
        raise ValueError("key must be 16 to 64 bytes long")
    return key


def _checked_texts(texts: Mapping[str, str] | None) -> dict[str, str]:
    if texts is not None and not isinstance(texts, Mapping):
        raise TypeError(f"texts must be a mapping, not {type(texts).__name__}")
    checked = dict(texts or {})
    for name, text in checked.items():
        if not isinstance(name, str) or not isinstance(text, str):
            raise TypeError("texts must map tool names to strings")
        if not text.strip():
            raise ValueError(f'the text for "{name}" must say what to do instead')
    return checked
