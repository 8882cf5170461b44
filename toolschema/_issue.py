"""One thing that is wrong with the arguments of a call."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from toolschema._pointer import Token, join
from toolschema._printable import one_line

if TYPE_CHECKING:
    from typing_extensions import Self


class Issue(str):
    """One line, such as ``/options/labels/0: must be string``, and its parts.

    The line and every part hold no value of the arguments. Names that the
    schema does not declare are shown in ASCII, at most 64 characters of them,
    or not at all (`ToolDefinition.hide_undeclared_names`); a location with such
    a name says where to look, and may not resolve. In the line the root is
    written ``/``.

    Locations and keywords are stable; sentences may improve.

    >>> issue = Issue("must be string", ("options", "labels", 0), "type")
    >>> issue
    '/options/labels/0: must be string'
    >>> issue.instance_location
    '/options/labels/0'
    """

    __slots__ = ("_params", "instance_location", "keyword", "keyword_location", "message", "tokens")

    instance_location: str
    """JSON Pointer (RFC 6901) into the arguments; the empty text is the whole.
    For a missing property, where it would be."""
    tokens: tuple[Token, ...]
    """The same as property names, as they are shown, and indexes."""
    keyword: str
    """The keyword that failed; ``false`` for a ``false`` schema; with ``@``
    what comes before any schema: ``@json``, ``@object``, ``@value``,
    ``@limit``, ``@duplicate``, ``@disagreement``."""
    keyword_location: str
    """JSON Pointer through the schema, ``$ref`` hops included (2020-12 core
    §12.3); empty where no keyword of it was looked at."""
    message: str
    """The sentence without the location."""
    _params: dict[str, Any]

    def __new__(
        cls,
        message: str,
        tokens: tuple[Token, ...] = (),
        keyword: str = "",
        keyword_location: str = "",
        params: Mapping[str, Any] | None = None,
    ) -> Self:
        safe = [one_line(token) if isinstance(token, str) else token for token in tokens]
        location = join(safe)
        sentence = one_line(message)
        issue = super().__new__(cls, f"{location or '/'}: {sentence}")
        issue.tokens = tuple(safe)
        issue.instance_location = location
        issue.keyword = keyword
        issue.keyword_location = one_line(keyword_location)
        issue.message = sentence
        issue._params = dict(params) if params else {}
        return issue

    @property
    def params(self) -> dict[str, Any]:
        """What the schema asked for, such as ``{"minLength": 1}``: a fresh copy."""
        return deepcopy(self._params)

    def as_dict(self) -> dict[str, Any]:
        """The parts as plain JSON, named as in 2020-12 core §12.3."""
        return {
            "instanceLocation": self.instance_location,
            "keyword": self.keyword,
            "keywordLocation": self.keyword_location,
            "message": self.message,
            "params": self.params,
        }

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self.message, self.tokens, self.keyword, self.keyword_location, self._params)
        return type(self), parts
