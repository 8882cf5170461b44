"""String literals and docstrings that can hold any string.

Titles, descriptions, names and values come from the author of the schema. In
generated code they occur in string literals only, never in comments, which can
give instructions to a type checker.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from toolschema._json.printable import one_line

WIDTH = 100
_QUOTE = re.compile('"(?=")')
_SHORT = {"\\": "\\\\", '"': '\\"'}


def quoted(value: str) -> str:
    r"""Write *value* as a string literal.

    >>> quoted('say "hi"\n')
    '"say \\"hi\\"\\n"'
    """
    return '"' + "".join(_SHORT.get(char) or _visible(char) for char in value) + '"'


def _visible(char: str) -> str:
    """The character, or an escape if it is invisible or reorders others."""
    if char.isprintable() and one_line(char) == char:
        return char
    return char.encode("unicode_escape").decode()


def docstring(content: str, indent: str = "") -> Iterator[str]:
    """The lines of a docstring; none if *content* is empty."""
    lines = list(_wrapped(content, WIDTH - len(indent) - 3))
    if len(lines) == 1 and len(indent) + len(lines[0]) + 6 <= WIDTH and lines[0][-1] != '"':
        yield f'{indent}"""{lines[0]}"""'
    elif lines:
        yield f'{indent}"""{lines[0]}'
        yield from (indent + line if line else "" for line in lines[1:])
        yield f'{indent}"""'


def _wrapped(content: str, width: int) -> Iterator[str]:
    """Wrapped lines; line breaks are kept, and successive empty lines become one."""
    was_empty = True
    for line in content.splitlines():
        words = " ".join(line.split())
        if not (words or was_empty):
            yield ""
        was_empty = not words
        for part in textwrap.wrap(words, width, break_long_words=False, break_on_hyphens=False):
            yield _escaped(part)


def _escaped(line: str) -> str:
    """The line without what would end the docstring or make it a doctest."""
    line = line.replace(">>>", "> > >")
    visible = "".join("\\\\" if char == "\\" else _visible(char) for char in line)
    return _QUOTE.sub(r"\"", visible)
