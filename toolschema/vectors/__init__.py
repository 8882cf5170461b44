"""Calls with their verdicts, by which a service in any language can test itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from toolschema import ToolSet
from toolschema._json.canonical import canonical_json
from toolschema._schema.compound import Compound
from toolschema.vectors._cases import Case, cases_of

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
        _row(name, case, compound)
        for name, cases in made.items()
        for case in (*cases.good, *cases.bad)
    ]
    return Vectors(
        _document(rows, seed),
        sum(row["valid"] for row in rows),
        sum(not row["valid"] for row in rows),
        sum(cases.locations for cases in made.values()),
        tuple(f"{name}#{location}" for name, cases in made.items() for location in cases.uncovered),
    )


def _row(tool: str, case: Case, compound: Compound) -> dict[str, Any]:
    own, *others = compound.reached[tool]
    row = {
        "name": f"{tool}: {case.name}",
        "tool": tool,
        "schema": compound.schemas[own],
        "arguments": case.arguments,
        "valid": not case.issues,
        "issues": [str(issue) for issue in case.issues],
    }
    resources = {
        uri: compound.schemas[uri] for uri in others if uri in compound.schemas and uri != own
    }
    return {**row, "resources": resources} if resources else row


def _document(rows: list[dict[str, Any]], seed: int) -> bytes:
    description = f"Calls that toolschema made from the schemas, with seed {seed}."
    cases = b",\n".join(map(canonical_json, rows))
    return b'{"description":%b,"cases":[\n%b\n]}\n' % (canonical_json(description), cases)
