"""Python types for the arguments of tools, generated from their schemas.

``toolschema types schemas -o tools.py`` writes a module with a `typing.TypedDict`
for each object in the schemas and a typed constant for each tool. With it, mypy
and pyright know that ``parse_tool_arguments(READ, text)["limit"]`` is a `float`.
The module loads the schemas from where they are, relative to itself. With
``--check`` the command reports whether the module is up to date. `generate_types`
does the same in code.

**Every valid value conforms to its type**, and types are as narrow as that allows:

* ``integer`` is `float`, as ``number`` is: 3.0 is an integer in JSON Schema, is
  accepted, and is returned unchanged. A constant number is `float` too.
* A schema without ``type`` accepts values of any type, whatever its other keywords
  require of objects or strings; it becomes `Any`.
* An object is a ``TypedDict`` of the property names that its schema declares, and a
  `dict` if there are none. An open object may hold more than its type names.
* ``allOf`` and the siblings of ``$ref`` are combined, ``anyOf`` and ``oneOf`` are
  unions, and recursive schemas give recursive types.
* ``format`` stays `str`, and tuples are lists. ``not``, ``if``, ``contains`` and
  ``unevaluated…`` do not affect the type.
* Schemas with very many branches or levels get wider types, such as `Any`.

Output schemas get no types.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolschema import ToolDefinition
from toolschema.types._module import Module

__all__ = ["generate_types"]

# `datamodel-code-generator` was tried first. Its types for 1,489 tools of MCP servers
# were wrong only about integers. But for random schemas 17 % of the valid values did
# not conform, it read references to other files from wherever they led, and it does
# not put several tools into one module.


def generate_types(tools: Iterable[ToolDefinition[Any]], *, folder: str | None = None) -> str:
    """Write a Python module with the types of the arguments of *tools*.

    Args:
        tools: The tools, in the order in which the module defines their types.
        folder: The path of the folder or bundle that the module loads when it is
            imported, relative to the module and with ``/`` as separator. With it,
            the module has a constant for each tool, such as
            ``READ: ToolDefinition[ReadArguments]``. Without it, only types.

    Returns:
        The source code, for Python 3.10 and later. It depends on the schemas alone,
        and not on the order of their keys, except for the names in ``properties``.
        Strings from the schemas occur only in string literals, never as code.

    Raises:
        TypeError: *folder* is not a string.

    >>> schema = {"properties": {"limit": {"type": "integer"}}, "required": ["limit"]}
    >>> for line in generate_types([ToolDefinition("read", "", schema)]).splitlines()[-2:]:
    ...     print(line)
    class ReadArguments(TypedDict):
        limit: float
    """
    if folder is not None and not isinstance(folder, str):
        raise TypeError(f"folder must be str, not {type(folder).__name__}")
    module = Module(folder)
    for tool in tools:
        module.add(tool)
    return module.source()
