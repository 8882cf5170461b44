r"""A pattern of a schema, as its author wrote it and as the engine is asked for it.

JSON Schema asks for ECMA-262 patterns with the ``u`` flag (2020-12 core §6.4).
Most mean the same to the engine; what writes the others again is imported when
there is one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

# Anything made of these tokens means the same in both languages, so it is
# handed over as it is: most patterns are, and need no parsing to be loaded.
_SAME = re.compile(
    r"""(?:
        [A-Za-z0-9_ :@,;=%\#'"!<>~/.^$|()-]
      | \(\?:(?!\))
      | (?<![(|])(?:[*+?]|\{[0-9]{1,4}(?:,(?:[0-9]{1,4})?)?\})\??(?![*+?{])
      | \\[dDwWsS.*+?^$()|\[\]{}\\/]
      | \[\^?-?(?:(?:[A-Za-z0-9]-[A-Za-z0-9])|[A-Za-z0-9_ :@,;=%'"!<>/.+*?$(){}|]
                |\\[dDwWsS.*+?^$()|\[\]{}\\/-])+-?\]
    )*""",
    re.VERBOSE,
)


# The end of the text as Python's ``re`` spells it; only seen where ECMA-262
# has already been ruled out.
_PYTHON_END = re.compile(r"((?<!\\)(?:\\\\)*)\\Z")


class Pattern(NamedTuple):
    """One pattern of a schema and how the verdict engine is to be asked for it."""

    source: str
    engine: str
    """The same language, for the verdict engine."""
    is_bounded: bool
    """False where matching may backtrack: look-around, back-references."""


@lru_cache(maxsize=4096)
def translate(source: str) -> Pattern:
    r"""Write the ECMA-262 pattern *source* for the verdict engine.

    A text that is no ECMA-262 pattern comes back as it is: the engine may
    still know it, and `portability` names what other languages refuse.

    >>> translate("^[^]$").engine
    '^[\\u{0}-\\u{10FFFF}]$'
    """
    if _SAME.fullmatch(source):
        return Pattern(source, source, is_bounded=True)
    from toolschema._schema.patterns.writer import written  # noqa: PLC0415 - few patterns need it

    found = written(source)
    if found is None:
        return Pattern(source, _PYTHON_END.sub(r"\1$", source), is_bounded=False)
    engine, backtracks = found
    return Pattern(source, engine, is_bounded=not backtracks)
