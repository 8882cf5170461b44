"""Calls with their verdicts, by which a service in any language can test itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from toolschema import ToolSet
from toolschema._json.canonical import canonical_json
from toolschema._schema.compound import Compound
from toolschema.vectors._cases import cases_of

__all__ = ["Vectors", "vectors"]


@dataclass(frozen=True, slots=True)
class Vectors:
    """One document of cases, and what they do not reach."""

    data: bytes
    """UTF-8: an object with ``description`` and ``cases``, one case a line."""
    valid: int
    """How many of the cases are valid calls."""
    invalid: int
    locations: int
    """Keywords of all tools that can fail, each on every way to it."""
    uncovered: tuple[str, ...]
    """Those of them that fail in no case, such as ``read#/properties/path/maxLength``."""


def vectors(tools: ToolSet, *, seed: int = 0) -> Vectors:
    """Make good and bad calls of *tools*, with verdicts and issue lines.

    Of each tool first the ``examples`` of its schema; then, made from it, the
    smallest call, whole ones by each branch of its unions, and values on the
    bounds; then a call for each keyword that can fail, where one is found. What
    is said of them is what `toolschema.check_tool_arguments` says: nothing is
    listed as valid because it was meant to be.

    Every case has ``name``, ``tool``, ``schema``, ``arguments`` (JSON text),
    ``valid`` and ``issues``, and ``resources`` where the schema refers to others.
    Schemas have the absolute ``$id`` that they have in a bundle. No case is for a
    text of more than 2,000 characters or an array of more than 200 items.

    Args:
        tools: What is called.
        seed: Names the choices. The same seed and schemas give the same bytes, in
            every version of Python and on every machine.

    Raises:
        ToolSchemaError: The tools cannot be bundled; see `toolschema.bundle`.
        TypeError: An argument is of the wrong type.

    >>> from toolschema import ToolDefinition
    >>> ping = ToolDefinition("ping", "", {"properties": {"count": {"minimum": 1}}})
    >>> made = vectors(ToolSet([ping]))
    >>> made.valid, made.invalid, made.uncovered
    (4, 2, ())
    """
    if not isinstance(tools, ToolSet):
        raise TypeError(f"tools must be a ToolSet, not {type(tools).__name__}")
    if type(seed) is not int:
        raise TypeError(f"seed must be int, not {type(seed).__name__}")
    compound = Compound.of((tool.name, tool.source, tool.sources) for tool in tools.values())
    made = {name: cases_of(tool, seed) for name, tool in tools.items()}
    rows = [
        _row(name, case.name, case.arguments, case.issues, compound)
        for name, cases in made.items()
        for case in (*cases.good, *cases.bad)
    ]
    return Vectors(
        _document(rows, seed),
        sum(row["valid"] for row in rows),
        sum(not row["valid"] for row in rows),
        sum(cases.locations for cases in made.values()),
        tuple(f"{name}#{place}" for name, cases in made.items() for place in cases.uncovered),
    )


def _row(
    tool: str, name: str, arguments: str, issues: tuple[str, ...], compound: Compound
) -> dict[str, Any]:
    own, *others = compound.reached[tool]
    row = {
        "name": f"{tool}: {name}",
        "tool": tool,
        "schema": compound.schemas[own],
        "arguments": arguments,
        "valid": not issues,
        "issues": [str(issue) for issue in issues],
    }
    resources = {
        uri: compound.schemas[uri] for uri in others if uri in compound.schemas and uri != own
    }
    return {**row, "resources": resources} if resources else row


def _document(rows: list[dict[str, Any]], seed: int) -> bytes:
    return b"".join(_lines(rows, f"Calls that toolschema made from the schemas, with seed {seed}."))


def _lines(rows: list[dict[str, Any]], description: str) -> Iterator[bytes]:
    yield b'{"description":' + canonical_json(description) + b',"cases":[\n'
    for index, row in enumerate(rows):
        yield (b",\n" if index else b"") + canonical_json(row)
    yield b"\n]}\n"
