"""The types of JSON values, by the names that JSON Schema gives them."""

from __future__ import annotations

from typing import Any

SCALARS = ("string", "number", "integer", "boolean", "null")
TYPES = (*SCALARS, "array", "object")

_CLASSES = (
    (str, "string"),
    (float, "number"),
    (int, "integer"),
    (bool, "boolean"),
    (type(None), "null"),
    (list, "array"),
    (dict, "object"),
)


def type_of(value: object) -> str:
    """The type of a value as it is written; the empty string if it is not plain JSON.

    >>> [type_of(value) for value in (1, 1.0, True, None, (1,))]
    ['integer', 'number', 'boolean', 'null', '']
    """
    # A lookup would call the class of the value, which may be anyone's.
    return next((name for kind, name in _CLASSES if type(value) is kind), "")


def narrowest_type(value: Any) -> str:
    """The same, but a float without a fraction is an integer (2020-12 core §4.2.3).

    >>> [narrowest_type(value) for value in (1, 1.0, 1.5)]
    ['integer', 'integer', 'number']
    """
    return "integer" if type(value) is float and value.is_integer() else type_of(value)


def primitive(name: str) -> str:
    """The type in the data model, which has no integers (2020-12 core §4.2.1).

    >>> primitive("integer"), primitive("string")
    ('number', 'string')
    """
    return "number" if name == "integer" else name


def with_article(noun: str) -> str:
    """Such as ``an email``; before a u it is mostly spoken as in ``a user``.

    >>> with_article("uuid"), with_article("item")
    ('a uuid', 'an item')
    """
    return f"{'an' if noun[:1].lower() in tuple('aeio') else 'a'} {noun}"


NOUNS = {name: name if name == "null" else with_article(name) for name in TYPES}


def noun(value: object) -> str | None:
    """The type of a value with its article; None if it is not plain JSON.

    >>> noun([]), noun(None), noun({1})
    ('an array', 'null', None)
    """
    return NOUNS.get(type_of(value))
