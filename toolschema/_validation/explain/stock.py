"""python-jsonschema, without the parsers that one of its formats builds.

With its format extras installed, importing jsonschema imports `rfc3987_syntax`,
which builds the parsers of two grammars: a second and more, although nothing
here asks jsonschema about formats. So a stand-in is there while jsonschema is
imported, and imports the real one when it is first called.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

_SLOW, _FUNCTION = "rfc3987_syntax", "is_valid_syntax"


@contextmanager
def _without_parsers() -> Iterator[None]:
    if "jsonschema" in sys.modules or _SLOW in sys.modules or find_spec(_SLOW) is None:
        yield
        return
    stand_in = ModuleType(_SLOW)

    def real(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)  # what Python asks of every module
        # Another thread may import it in the same moment.
        if sys.modules.get(_SLOW) is stand_in:
            del sys.modules[_SLOW]
        return getattr(import_module(_SLOW), name)

    def ask(*arguments: Any) -> Any:
        try:
            function = real(_FUNCTION)
        except ImportError:
            return True  # as jsonschema has it where the format cannot be had
        return function(*arguments)

    stand_in.__dict__.update({_FUNCTION: ask, "__getattr__": real})
    sys.modules[_SLOW] = stand_in
    try:
        yield
    finally:
        if sys.modules.get(_SLOW) is stand_in:
            del sys.modules[_SLOW]


with _without_parsers():
    from jsonschema import (
        Draft7Validator,
        Draft201909Validator,
        Draft202012Validator,
        FormatChecker,
    )
    from jsonschema.exceptions import FormatError, ValidationError
    from jsonschema.validators import extend, validates

__all__ = [
    "Draft7Validator",
    "Draft201909Validator",
    "Draft202012Validator",
    "FormatChecker",
    "FormatError",
    "ValidationError",
    "extend",
    "validates",
]
