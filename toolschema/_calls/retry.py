"""An end to correction loops: a call that has failed before is not tried for ever."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Mapping, MutableMapping
from itertools import chain, islice
from typing import Any

from toolschema._json.equality import canonical
from toolschema._json.printable import one_line, undeclared

_END = "#"
"""Ends the name of a tool in a key of the store. For the tool itself nothing follows:
its failures in a row, kept when they are none again, as its calls may still be there."""


class RetryGuard:
    """Counts failed calls of one conversation, and answers those that go round in circles.

    A call is identical to another if it names the same tool and its arguments
    are the same JSON value: the order of names, spaces, and 1 or 1.0 make no
    difference, 1 and true do. Text that is no JSON is the same if its bytes are;
    what is no JSON value is all the same. A call with corrected arguments starts
    afresh, and one that succeeds is forgotten. It makes no difference why a call
    failed, so the answers cannot tell what is unknown from what is not the
    user's.

    Make one guard for each conversation. It may be used by many threads and
    tasks; calls that start before the first of them has failed all run.

    Neither arguments nor names that a model made up are kept, only digests with
    a key of the guard's own (BLAKE2b, RFC 7693), which cannot be guessed back.

    Args:
        max_attempts: Failures of an identical call after which it is answered
            and no longer run.
        max_consecutive: Failures of a tool in a row, whatever the arguments,
            after which all its calls are answered, until `reset`. Call that
            when the user has said something new.
        store: Where the counts are kept: any mutable mapping from text to
            integers. One in memory, without it. What it raises is passed on. An
            existing store goes on where it was if *key* is the same.
        key: 16 to 64 secret bytes. Random, without it: give it for a store that
            outlives this object or is shared by processes. The guard's lock
            does not reach into other processes, so they may lose a count.
        texts: What to say to the model instead of our own words, by the name of
            the tool: what to do now, such as to ask the user. ``""`` is for
            tools that do not exist.
        max_entries: Counts kept at most; those of the calls that come first in
            the store are forgotten, which in memory are the oldest.

    Raises:
        TypeError: An argument is of the wrong type.
        ValueError: A number is below 1 (*max_entries*: 2), a text is blank or
            *key* has another length.

    >>> guard = RetryGuard(texts={"find": "Ask the user what to look for."})
    >>> for _ in range(2):
    ...     guard.failed("find", '{"id": 1}')
    >>> guard.answer("find", {"id": 1.0})
    'Ask the user what to look for.'
    >>> guard.answer("find", {"id": 2})
    """

    __slots__ = (
        "_is_own", "_key", "_lock", "_max_entries", "_store", "_texts",
        "max_attempts", "max_consecutive",
    )  # fmt: skip

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
        self._is_own = store is None
        # It gives up its oldest entry in no time, which a dict does not.
        self._store: MutableMapping[str, Any] = OrderedDict() if store is None else store
        self._key = _checked_key(key)
        self._texts = _checked_texts(texts)
        self._lock = threading.RLock()

    def answer(self, name: object, arguments: object, *, is_known: bool = True) -> str | None:
        """What to say instead of running a call; None if it may run.

        Args:
            name: Of the tool, as the model sent it.
            arguments: Text or object, as the model sent them.
            is_known: Whether there is such a tool. All others count as one for
                *max_consecutive*, and their names are not kept.
        """
        tool = _tool_key(name, is_known=is_known)
        if not self._has_failed(tool):
            return None
        call = self._call_key(tool, name, arguments)
        with self._lock:
            if self._count(call) >= self.max_attempts:
                return self._texts.get(tool[:-1]) or _same_call(name, is_known=is_known)
            if self._count(tool) >= self.max_consecutive:
                return self._texts.get(tool[:-1]) or _too_many(name, is_known=is_known)
        return None

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
        """Forget the failures of a call that has succeeded, and those of its tool in a row."""
        tool = _tool_key(name, is_known=True)
        if not self._has_failed(tool):
            return
        call = self._call_key(tool, name, arguments)
        with self._lock:
            self._store[tool] = 0
            self._store.pop(call, None)

    def state(self) -> dict[str, dict[str, Any]]:
        """The counts as plain values: by tool, failures in a row and of each call.

        Calls are named by their digests; tools that do not exist, by ``""``.

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
        """Forget everything, or what is known of one tool."""
        with self._lock:
            for key in list(self._store):
                if tool is None or key.rpartition(_END)[0] == tool:
                    self._store.pop(key, None)

    def __repr__(self) -> str:
        return f"<RetryGuard of {self.max_attempts} attempts>"

    def _has_failed(self, tool: str) -> bool:
        if self._is_own:  # Python's own dict can be asked at any time
            return tool in self._store
        with self._lock:
            return tool in self._store

    def _call_key(self, tool: str, name: object, arguments: object) -> str:
        import hashlib  # noqa: PLC0415 - it loads OpenSSL, and most calls are right

        called = name.encode(errors="surrogatepass") if type(name) is str else b""
        content = b"%d:%b%b" % (len(called), called, canonical(arguments))
        return tool + hashlib.blake2b(content, digest_size=16, key=self._key).hexdigest()

    def _count(self, key: str) -> int:
        count = self._store.get(key, 0)
        if type(count) is not int:
            raise TypeError(f"the store must hold int, not {type(count).__name__}")
        return count

    def _forget_oldest(self, fresh: str) -> None:
        """Make room. Tools stay, if they can: where one is missing, no call is looked up."""
        excess = len(self._store) - self._max_entries
        if excess <= 0:
            return
        calls = (key for key in self._store if key != fresh and not key.endswith(_END))
        tools = (key for key in self._store if key.endswith(_END))
        for key in list(islice(chain(calls, tools), excess)):
            self._store.pop(key, None)


def _tool_key(name: object, *, is_known: bool) -> str:
    return f"{name}{_END}" if is_known else _END


def _same_call(name: object, *, is_known: bool) -> str:
    return (
        f"{_about(name, is_known=is_known)} has failed with these same arguments before,"
        " so it was not tried again. Do not repeat it. Correct the arguments as the"
        " answers before said, look up what is missing, or ask the user."
    )


def _too_many(name: object, *, is_known: bool) -> str:
    # Of tools that do not exist, it is no single one that has failed.
    about = _about(name if is_known else None, is_known=is_known)
    return (
        f"{about} has failed too often in a row, so it was not tried again."
        " Do not call it again. Tell the user what you were trying to do, and ask how to go on."
    )


def _about(name: object, *, is_known: bool) -> str:
    if type(name) is str:
        return f'The call of "{one_line(name) if is_known else undeclared(name)}"'
    return "The call of a tool that does not exist"


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
        raise ValueError("key must have 16 to 64 bytes")
    return key


def _checked_texts(texts: Mapping[str, str] | None) -> dict[str, str]:
    if texts is None:
        return {}
    if not isinstance(texts, Mapping):
        raise TypeError(f"texts must be a mapping, not {type(texts).__name__}")
    kept = dict(texts)
    for name, text in kept.items():
        if not isinstance(name, str) or not isinstance(text, str):
            raise TypeError("texts must be str by the name of a tool")
        if not text.strip():
            raise ValueError(f'the text for "{name}" must say what to do instead')
    return kept
