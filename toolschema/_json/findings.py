"""What is wrong with an instance, before it is presented as issues.

A finding still holds the names as the model wrote them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from toolschema._json.pointer import Token
from toolschema._json.printable import HIDDEN_NAME, undeclared

_ARGUMENTS = "arguments"


class Finding(NamedTuple):
    """One fault of an instance."""

    message: str
    keyword: str
    tokens: tuple[Token, ...] = ()
    keyword_tokens: tuple[Token, ...] = ()
    params: Mapping[str, Any] | None = None
    name: str | None = None
    """A property name that ends the message."""

    def about(self, subject: str, *, hides_undeclared: bool = False) -> str:
        """The message about a *subject* other than the arguments of a call."""
        message = self.message
        if message.startswith(_ARGUMENTS):
            message = subject + message[len(_ARGUMENTS) :]
        if self.name is None:
            return message
        return f"{message} {HIDDEN_NAME if hides_undeclared else undeclared(self.name)}"


class Findings(NamedTuple):
    """The faults of an instance that were found; all of them if it is complete."""

    found: list[Finding]
    is_complete: bool = True
