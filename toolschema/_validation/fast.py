"""Small calls decided at once, without the checks that only large ones need."""

from __future__ import annotations

import logging

from toolschema._json.limits import Limits
from toolschema._validation.compiled import Compiled
from toolschema._validation.verdict import Verdict, compile_guard

_LOG = logging.getLogger("toolschema")

NOT_COMPILED: Verdict = ().__contains__
"""Placeholder until the closed verdict exists; it rejects everything, so the guard decides."""
_NONE: Verdict = [].__contains__
"""The same where a schema has no closed verdict."""


class Fast:
    """What decides the small calls of one definition."""

    __slots__ = (
        "_compiled",
        "_depth",
        "budget",
        "closed",
        "guard",
        "is_valid",
        "longest_text",
        "max_depth",
    )

    def __init__(self, compiled: Compiled, limits: Limits) -> None:
        self._compiled = compiled
        self.max_depth = limits.max_depth
        self._depth = min(limits.max_depth, compiled.inline_depth)
        self.is_valid = compiled.is_valid
        self.guard = compile_guard(self._depth)
        """Whether a value is finite, and no deeper than any stack can take."""
        self.closed = NOT_COMPILED
        """Whether a value is valid and needs no guard; False decides nothing. It is
        compiled after the first valid call: most tools of a large set are never used."""
        # A character takes four bytes at most, and every value at least one.
        self.longest_text = min(
            limits.max_bytes // 4, limits.max_nodes, compiled.longest_plain_text
        )
        """Characters of a text that cannot exceed any other limit."""
        half = compiled.longest_plain_text // 2
        is_deep = self._depth < limits.max_depth
        self.budget = (
            (0, 0)
            if is_deep
            else (min(limits.max_nodes - 1, half // 2 - 1), min(limits.max_bytes, half))
        )
        """Values and characters of an object that is decided at once."""

    def compile_closed(self) -> None:
        """Compile the closed verdict; a valid call must not fail for it."""
        try:
            found = self._compiled.closed
        except RecursionError:
            return  # the caller is deep in the stack; another may not be
        except Exception as error:  # noqa: BLE001 - it is only needed for speed
            _LOG.error("a closed schema could not be compiled: %s", type(error).__name__)
            found = None
        verdict, depth = found or (_NONE, 0)
        self.closed = verdict if depth <= self._depth else _NONE
