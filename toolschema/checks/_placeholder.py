"""Placeholders: strings that stand for a value still to be found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_LONGEST = 80
"""Characters of the longest string that may be a placeholder."""

_VALUE = r"(?:id|ids|key|token|value|name|title|text|string|email|number|date|url|path|uuid)"
_SUBJECT = (
    r"(?:one|account|address|appointment|booking|conversation|customer|date|document|email"
    r"|entry|event|file|id|invoice|issue|item|meeting|message|number|order|payment|record"
    r"|reservation|result|session|task|thread|ticket|transaction|user|value)s?"
)
_MENTIONED = r"(?:from|mentioned|discussed|given|shown|found|created)"
_EARLIER = r"(?:previous|prior|earlier|last|latest|most recent|current|same|above|aforementioned)"
_BEFORE = r"(?:above|before|earlier|previously)"
_FORMS = [
    # Template syntax.
    r"<[^<>]+>",
    r"\$?\{\{?[ \w.-]+\}\}?",
    r"%[a-z_]{2,}%",
    r"\[(?:[a-z]+(?:[ _][a-z]+)+|id|name|date|email|key|token|value)\]",
    r"__[a-z_]+__",
    # To be filled in later.
    r"\.{3,}",
    r"…+",
    r"\?{2,}",
    r"_{3,}",
    r"x{3,}(?:[-_ ]x{2,})*",
    r"to-?do",
    r"fix-?me",
    r"(?:replace|change|fill)[ _-](?:me|this|it)(?:[ _-]in)?",
    r"tb[acd]",
    r"to be (?:determined|decided|announced|confirmed|filled in)",
    # No value.
    r"n/a",
    r"not (?:available|applicable|provided|specified|known)",
    r"undefined",
    r"null",
    # No particular value: the words of the schema or of its documentation.
    r"string",
    rf"(?:an? |any |some[ _-]|the ){_VALUE}",
    rf"(?:example|placeholder|sample|dummy)(?:[ _-]?{_VALUE})*",
    rf"(?:[a-z]+[_-]){{0,3}}{_VALUE}[ _-](?:goes[ _-])?here",
    r"(?:your|insert|enter|put|fill[ _-]in)[ _-](?:[a-z]+[ _-]){0,4}here",
    r"your[_-](?:[a-z]+[_-]){0,3}[a-z]+",
    r"your (?:[a-z]+ ){0,2}(?:id|key|token|email|number|password)",
    # A reference to the conversation instead of the value.
    rf"(?:the )?(?:same )?(?:{_SUBJECT} )?(?:from|as|mentioned|given|see|shown) {_BEFORE}",
    rf"the {_SUBJECT} (?:(?:we|i|you) )?{_MENTIONED}(?: [a-z]+){{0,4}}",
    rf"(?:(?:the|my|your|their|his|her) )?{_EARLIER}[ _](?:[a-z]+[ _])?{_SUBJECT}",
]
_PLACEHOLDER = re.compile("|".join(_FORMS), re.IGNORECASE)


def is_placeholder(text: str) -> bool:
    """Whether *text* as a whole stands for a value still to be found.

    Recognised, in English, are template syntax (``<id>``, ``{{id}}``, ``${id}``),
    marks for something missing (``...``, ``xxx``, ``TODO``, ``N/A``, ``null``),
    words of a schema (``string``, ``example``, ``your_id_here``), and references
    to the conversation (``the one from earlier``, ``the previous booking``). Case
    and surrounding white space do not matter; a string of more than 80 characters
    is never a placeholder.

    >>> is_placeholder("<booking id>"), is_placeholder("bk_7f3a90c2e41d")
    (True, False)
    """
    return len(text) <= _LONGEST and _PLACEHOLDER.fullmatch(" ".join(text.split())) is not None


def strings_in(value: Any) -> Iterator[str]:
    """Every string in a JSON value, at any depth; property names are left out.

    >>> sorted(strings_in({"a": ["x", 1], "b": {"c": "y"}}))
    ['x', 'y']
    """
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, (dict, list)):
            todo.extend(item.values() if isinstance(item, dict) else item)
