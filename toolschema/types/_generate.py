"""From the definitions of tools to the text of a module."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from toolschema import ToolDefinition
from toolschema.types._conjunction import Conjunctions
from toolschema.types._module import Module
from toolschema.types._tool import ToolTypes


def generate_types(tools: Iterable[ToolDefinition[Any]], *, folder: str | None = None) -> str:
    """Write a Python module of the types of arguments.

    An object becomes a `typing.TypedDict`, with the names that the schema declares;
    where it declares none, a `dict`. **What validates conforms to its type.** So:

    * ``integer`` is `float`, as ``number`` is: 3.0 is an integer in JSON Schema,
      is accepted, and comes back as it is. A constant number is `float` too.
    * A schema that does not say ``type`` may hold anything, whatever its other
      keywords say of objects or texts; that is `Any`.
    * Formats and contents stay `str`, tuples are lists, and what only ``not``,
      ``if``, ``contains`` or ``unevaluated…`` say is not in the type.

    ``allOf`` and what stands beside ``$ref`` are taken together, ``anyOf`` and
    ``oneOf`` are unions, recursion stays recursive. An open object may hold
    more than its type names. Past bounds that no reader would miss, types are
    wider. The schema of the result has no type.

    `datamodel-code-generator` was tried for this. For 1,489 tools of MCP servers
    its types were wrong only about integers; but for random schemas 17 % of the
    valid values did not conform, references to other files were read from wherever
    they led, and to put many tools into one module was left to do.

    Args:
        tools: Whose types; their order is that of the module.
        folder: Where the module finds their schemas when it is imported: a path
            from its own folder, with ``/``. Then it has a constant for each tool,
            such as ``READ: ToolDefinition[ReadArguments]``. Without it, types only.

    Returns:
        The text. It depends on the schemas alone, runs on Python 3.10 and later,
        and is the same whatever the order of keys but that of ``properties``.
        Texts of the schemas stand in it as nothing but text.

    Raises:
        TypeError: *folder* is no text.

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
        conjunctions = Conjunctions(tool.compiled.survey)
        module.add(ToolTypes(tool, module.names, _orders(tool), conjunctions))
    return module.text()


def _orders(tool: ToolDefinition[Any]) -> dict[int, list[str]]:
    """The names in each object of the schemas as their authors ordered them, by `id`.

    The copies that a survey is made of have theirs sorted.
    """
    found: dict[int, list[str]] = {}
    for document in tool.compiled.survey.documents.values():
        is_root = document is tool.compiled.survey.root
        source = tool.source if is_root else tool.sources.get(document.place)
        if source is not None:  # but for a metaschema
            todo = [(document.contents, json.loads(source.text))]
            while todo:
                copy, written = todo.pop()
                if isinstance(written, dict):
                    found[id(copy)] = list(written)
                todo.extend(_pairs(copy, written))
    return found


def _pairs(copy: Any, written: Any) -> Iterator[tuple[Any, Any]]:
    """What stands in the same place in a copy and in what was written."""
    if isinstance(written, dict):
        yield from ((copy[name], value) for name, value in written.items() if name in copy)
    elif isinstance(written, list):
        yield from zip(copy, written, strict=True)
