"""Findings to the issues that a caller sees.

Only `present` makes issues, so no name leaves without having been escaped.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from toolschema._json.findings import Finding, Findings
from toolschema._json.pointer import Token, join, order
from toolschema._json.printable import HIDDEN_NAME, undeclared
from toolschema.errors import Issue


@dataclass(frozen=True, slots=True)
class Presentation:
    """How the issues of one tool are shown."""

    names: frozenset[str]
    """Property names that the schema declares: they are shown as they are."""
    hides_undeclared: bool
    most: int

    def present(self, findings: Findings) -> tuple[tuple[Issue, ...], int | None]:
        """The first issues in order, and how many were left out; None if unknown."""
        ordered = findings.found
        if len(ordered) > 1:
            ordered = sorted(_once(ordered), key=_order)
        kept = [self._issue(finding) for finding in ordered[: self.most]]
        omitted = len(ordered) - len(kept) if findings.is_complete else None
        if len(kept) < 2:
            return tuple(kept), omitted
        # Names that are hidden or cut may have made some of them the same.
        return tuple({(issue, issue.keyword_location): issue for issue in kept}.values()), omitted

    def _issue(self, finding: Finding) -> Issue:
        message = finding.message
        if finding.name is not None:
            message = f"{message} {self._token(finding.name)}"
        return Issue(
            message,
            tuple(map(self._token, finding.tokens)),
            finding.keyword,
            join(finding.keyword_tokens),
            finding.params,
        )

    def _token(self, token: Token) -> Token:
        if isinstance(token, int) or token in self.names:
            return token
        return HIDDEN_NAME if self.hides_undeclared else undeclared(token)


def _once(found: Iterable[Finding]) -> list[Finding]:
    """One of those that are equal in message, keyword and locations."""
    return list({finding[:4]: finding for finding in found}.values())


def _order(finding: Finding) -> tuple[Any, ...]:
    return order(finding.tokens), order(finding.keyword_tokens), finding.message
