"""Types of arguments, written as Python from the schemas of tools."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Any

from toolschema import ToolDefinition, load_tools
from toolschema._types_conjunction import Conjunctions
from toolschema._types_module import Module
from toolschema._types_tool import ToolTypes

__all__ = ["generate_types", "types_are_current", "write_types"]

StrPath = str | os.PathLike[str]


def generate_types(tools: Iterable[ToolDefinition[Any]], *, folder: str | None = None) -> str:
    r"""Write a Python module of the types of arguments.

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
    more than its type names. The schema of the result has no type.

    `datamodel-code-generator` was tried for this. For 1,489 tools of MCP servers
    its types were wrong only about integers; but for schemas at large 17 % of the
    valid values did not conform, a reference was read from wherever it led, and a
    module of many tools was left to do.

    Args:
        tools: Whose types; their order is that of the module.
        folder: Where the module finds their schemas when it is imported: a path
            from its own folder, with ``/``. Then it has a constant for each tool,
            such as ``READ: ToolDefinition[ReadArguments]``. Without it, types only.

    Returns:
        The text. It depends on the schemas alone, runs on Python 3.10 and later,
        and is the same whatever the order of keys but that of ``properties``.
        Texts of the schemas stand in it as nothing but text.

    >>> limit = {"type": "integer", "description": "Lines."}
    >>> tool = ToolDefinition("read", "Read a file.", {"properties": {"limit": limit}})
    >>> print(generate_types([tool])[-125:])
    class ReadArguments(TypedDict):
        \"\"\"Read a file.\"\"\"
    <BLANKLINE>
        limit: NotRequired[float]
        \"\"\"Lines.\"\"\"
    <BLANKLINE>
    """
    module = Module(folder)
    for tool in tools:
        conjunctions = Conjunctions(tool._compiled.survey)
        module.add(ToolTypes(tool, module.names, _orders(tool), conjunctions))
    return module.text()


def write_types(folder: StrPath, output: StrPath) -> bool:
    """Write the module of the tools of *folder* to *output*, where it is not there yet.

    The module loads the schemas when it is imported, from the same place relative
    to itself: files stay their only source. In a package they have to be installed
    beside it. Constants have the default `Limits`; for others, annotate a definition
    of your own with its types.

    Args:
        folder: As `load_tools` takes it.
        output: Path of the module; its folder must exist.

    Returns:
        Whether the file was changed.

    Raises:
        ToolSchemaError: Some file of *folder* cannot be used.
        OSError: A folder is missing, or something cannot be read or written.
        ValueError: No relative path leads from *output* to *folder*.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as place:
    ...     _ = Path(place, "now.json").write_text('{"type": "object"}')
    ...     write_types(place, f"{place}/tools.py"), types_are_current(place, f"{place}/tools.py")
    (True, True)
    """
    text = _text(folder, output)
    if _is(text, output):
        return False
    Path(output).write_bytes(text)
    return True


def types_are_current(folder: StrPath, output: StrPath) -> bool:
    """Tell whether `write_types` would leave *output* as it is; nothing is written.

    Line ends do not matter. A file that is missing is not current.

    Raises:
        ToolSchemaError: Some file of *folder* cannot be used.
        OSError: The folder is missing, or something cannot be read.
        ValueError: No relative path leads from *output* to *folder*.

    >>> types_are_current("schemas", "none.py")
    False
    """
    return _is(_text(folder, output), output)


def _text(folder: StrPath, output: StrPath) -> bytes:
    tools = load_tools(folder).values()
    way = os.path.relpath(folder, Path(output).parent)
    return generate_types(tools, folder=PurePath(way).as_posix()).encode()


def _is(text: bytes, output: StrPath) -> bool:
    try:
        return Path(output).read_bytes().replace(b"\r\n", b"\n") == text
    except FileNotFoundError:
        return False


def _orders(tool: ToolDefinition[Any]) -> dict[int, list[str]]:
    """The names in each object of the schemas as their authors ordered them, by `id`.

    The copies that a survey is made of have theirs sorted.
    """
    found: dict[int, list[str]] = {}
    originals = tool.resources
    for number, document in enumerate(tool._compiled.survey.documents.values()):
        original = originals.get(document.place) if number else tool.parameters
        todo = [(document.contents, original)]
        while todo:
            copy, written = todo.pop()
            if isinstance(copy, dict) and isinstance(written, dict):
                found[id(copy)] = list(written)
            todo.extend(_pairs(copy, written))
    return found


def _pairs(copy: Any, written: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(copy, dict) and isinstance(written, dict):
        yield from ((copy[name], written[name]) for name in written if name in copy)
    elif isinstance(copy, list) and isinstance(written, list):
        yield from zip(copy, written, strict=False)
