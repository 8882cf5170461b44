"""Text that stands for a value which is yet to be found."""

from __future__ import annotations

import re

_LONGEST = 80
"""Characters of the longest text that may be a placeholder."""

_KIND = r"(?:id|ids|key|token|value|name|title|text|string|email|number|date|url|path|uuid)"
_THING = (
    r"(?:one|account|address|appointment|booking|conversation|customer|date|document|email"
    r"|entry|event|file|id|invoice|issue|item|meeting|message|number|order|payment|record"
    r"|reservation|result|session|task|thread|ticket|transaction|user|value)s?"
)
_SAID = r"(?:from|mentioned|discussed|given|shown|found|created)"
_WHICH = r"(?:previous|prior|earlier|last|latest|most recent|current|same|above|aforementioned)"
_BEFORE = r"(?:above|before|earlier|previously)"
_FORMS = [
    # Brackets of a template.
    r"<[^<>]+>",
    r"\$?\{\{?[ \w.-]+\}\}?",
    r"%[a-z_]{2,}%",
    r"\[(?:[a-z]+(?:[ _][a-z]+)+|id|name|date|email|key|token|value)\]",
    r"__[a-z_]+__",
    # Something to come.
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
    # Nothing.
    r"n/a",
    r"not (?:available|applicable|provided|specified|known)",
    r"undefined",
    r"null",
    # No value in particular; the schema's own words.
    r"string",
    rf"(?:an? |any |some[ _-]|the ){_KIND}",
    rf"(?:example|placeholder|sample|dummy)(?:[ _-]?{_KIND})*",
    rf"(?:[a-z]+[_-]){{0,3}}{_KIND}[ _-](?:goes[ _-])?here",
    r"(?:your|insert|enter|put|fill[ _-]in)[ _-](?:[a-z]+[ _-]){0,4}here",
    r"your[_-](?:[a-z]+[_-]){0,3}[a-z]+",
    r"your (?:[a-z]+ ){0,2}(?:id|key|token|email|number|password)",
    # What was said before, instead of what it was.
    rf"(?:the )?(?:same )?(?:{_THING} )?(?:from|as|mentioned|given|see|shown) {_BEFORE}",
    rf"the {_THING} (?:(?:we|i|you) )?{_SAID}(?: [a-z]+){{0,4}}",
    rf"(?:(?:the|my|your|their|his|her) )?{_WHICH}[ _](?:[a-z]+[ _])?{_THING}",
]
_PLACEHOLDER = re.compile("|".join(_FORMS), re.IGNORECASE)


def is_placeholder(text: str) -> bool:
    """Whether *text* as a whole stands for a value that is yet to be found.

    Such are brackets of a template (``<id>``, ``{{id}}``, ``${id}``), marks and
    words for something to come or for nothing (``...``, ``xxx``, ``TODO``,
    ``N/A``, ``null``), a schema's own words (``string``, ``example``,
    ``your_id_here``), and hints at something said before (``the one from
    earlier``, ``the previous booking``), in English. Case does not matter, and
    neither does white space around it; a text of more than 80 characters is
    none.

    >>> is_placeholder("<booking id>"), is_placeholder("bk_7f3a90c2e41d")
    (True, False)
    """
    return len(text) <= _LONGEST and _PLACEHOLDER.fullmatch(" ".join(text.split())) is not None
