"""Strings from schemas and models, made safe to show on one line.

Issues end up in logs, terminals and prompts. A name from a schema is shown as it is,
except for characters that move the cursor, change the direction of writing or are
invisible; a name from a model is shown in printable ASCII.
"""

from __future__ import annotations

import re

LONGEST_NAME = 64
"""Characters shown of a name that the schema does not declare."""

HIDDEN_NAME = "(undeclared name)"
"""Shown instead of such a name if the tool hides them."""

# C0, DEL and C1 controls; line and paragraph separators; what UAX #9 calls
# explicit directional formatting; surrogates; the byte order mark; fillers, soft
# hyphens and variation selectors; and the tag characters. People do not see them,
# but models read them.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\u3164\ud800-\udfff\ufe00-\ufe0f"
    "\ufeff\uffa0\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)
_LARGE = 1 << 64
_NOT_PRINTABLE_ASCII = re.compile(r"[^ -~]|\\")


def one_line(text: str) -> str:
    r"""Escape the characters that could fake another line, or hide or reorder text.

    >>> one_line("a\nb")
    'a\\u000ab'
    """
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(_escaped, text)


def undeclared(name: str) -> str:
    r"""Show a name that the schema does not declare: ASCII, at most 64 characters.

    >>> undeclared("größe")
    'gr\\u00f6\\u00dfe'
    """
    start = name[: LONGEST_NAME + 1]
    shown = _NOT_PRINTABLE_ASCII.sub(_escaped, start)
    if len(name) <= LONGEST_NAME and len(shown) <= LONGEST_NAME:
        return shown
    pieces: list[str] = []
    left = LONGEST_NAME - len("...")
    for character in start:
        piece = _NOT_PRINTABLE_ASCII.sub(_escaped, character)
        if len(piece) > left:
            break
        pieces.append(piece)
        left -= len(piece)
    return "".join(pieces) + "..."


def quoted(name: object) -> str:
    """For a `repr`: a name that a model may have made up, or the type of anything else.

    >>> quoted("read"), quoted(7), quoted(["read"])
    ("'read'", '7', '<list>')
    """
    if type(name) is str:
        shown = undeclared(name).replace("'", "\\'")
        return f"'{shown}'"
    if name is None or (type(name) is int and -_LARGE < name < _LARGE):
        return repr(name)
    return f"<{type(name).__name__}>"


def _escaped(match: re.Match[str]) -> str:
    point = ord(match.group())
    if point == ord("\\"):
        return "\\\\"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\u{{{point:x}}}"
