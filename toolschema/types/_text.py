"""Texts of others inside Python code, where they can be nothing but text.

Titles, descriptions, names and values come from whoever wrote the schema. In
code they stand in string literals only, never in comments: a comment can
speak to a type checker.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from toolschema._json.printable import one_line

WIDTH = 100
_QUOTE = re.compile('"(?=")')
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\", '"': '\\"'}


def quoted(text: str) -> str:
    r"""A literal of exactly this text.

    >>> quoted('say "hi"\n')
    '"say \\"hi\\"\\n"'
    """
    return '"' + "".join(_SHORT.get(each) or _visible(each) for each in text) + '"'


def _visible(character: str) -> str:
    """Itself, or an escape where it would be unseen or move others."""
    if character.isprintable() and one_line(character) == character:
        return character
    point = ord(character)
    if point < 0x100:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def docstring(text: str, indent: str = "") -> Iterator[str]:
    """The lines of a docstring; none for an empty text."""
    lines = list(_wrapped(text, WIDTH - len(indent) - 3))
    if len(lines) == 1 and len(indent) + len(lines[0]) + 6 <= WIDTH and lines[0][-1] != '"':
        yield f'{indent}"""{lines[0]}"""'
    elif lines:
        yield f'{indent}"""{lines[0]}'
        yield from (indent + line if line else "" for line in lines[1:])
        yield f'{indent}"""'


def _wrapped(text: str, width: int) -> Iterator[str]:
    """Lines of *text*, its own line breaks kept, and several empty lines made one."""
    was_empty = True
    for line in text.splitlines():
        words = " ".join(line.split())
        if not (words or was_empty):
            yield ""
        was_empty = not words
        for each in textwrap.wrap(words, width, break_long_words=False, break_on_hyphens=False):
            yield _escaped(each)


def _escaped(line: str) -> str:
    """Text that cannot end a docstring: no two quotes meet in it.

    Nor is it an example: `doctest` would run it.
    """
    line = line.replace(">>>", "> > >")
    visible = "".join("\\\\" if each == "\\" else _visible(each) for each in line)
    return _QUOTE.sub(r"\"", visible)
