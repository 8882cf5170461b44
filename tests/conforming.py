"""Whether values conform to generated types, according to pydantic."""

from __future__ import annotations

import ast
import json
import sys
import types
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from differential import HINTS, Case, Schemas, Values
from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypeAliasType

from toolschema import ToolDefinition, ToolSchemaError
from toolschema.types import generate_types

PER_TOOL = 40


class _Aliases(ast.NodeTransformer):
    """Rewrite type aliases so that pydantic can read recursive ones."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if not (isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"):
            return node
        assert isinstance(node.target, ast.Name)
        assert node.value is not None
        call = ast.parse(f"{node.target.id} = TypeAliasType({node.target.id!r}, 0)").body[0]
        assert isinstance(call, ast.Assign)
        assert isinstance(call.value, ast.Call)
        call.value.args[1] = node.value
        return ast.copy_location(call, node)


def adapter(tool: ToolDefinition[Any], name: str = "ToolArguments") -> TypeAdapter[Any]:
    """A pydantic adapter for the generated type of the arguments."""
    tree = ast.fix_missing_locations(_Aliases().visit(ast.parse(generate_types([tool]))))
    module = types.ModuleType("generated")
    # An int is a float for type checkers. For pydantic it is only if it
    # can be converted, and the largest cannot.
    vars(module).update({"float": int | float, "TypeAliasType": TypeAliasType})
    sys.modules["generated"] = module  # where quoted annotations are resolved
    exec(compile(tree, "generated", "exec", dont_inherit=True), vars(module))  # noqa: S102
    return TypeAdapter(getattr(module, name))


def conforms(held: TypeAdapter[Any], value: Any) -> bool:
    try:
        held.validate_python(value, strict=True)
    except ValidationError:
        return False
    return True


class TypedSchemas(Schemas):
    """Schemas that mostly declare the type to which their other keywords apply."""

    def bare(self, depth: int) -> dict[str, Any]:
        schema = super().bare(depth)
        hints = [kind for kind, keywords in HINTS.items() if keywords & schema.keys()]
        if hints and schema.keys().isdisjoint({"type", "const", "enum"}) and self.chance(0.8):
            schema["type"] = hints[0]
        return schema


def random_cases(count: int, seed: int) -> Iterator[tuple[Case, Random]]:
    for number in range(count):
        random = Random(f"{seed}:{number}")  # noqa: S311
        yield (TypedSchemas if number % 2 else Schemas)(random).case(), random


def compare(case: Case, random: Random, counts: Counter[str]) -> Iterator[str]:
    """Check random values of one tool against its type; yield those that are valid but do not conform."""
    try:
        tool = case.define(hides=False)
    except ToolSchemaError:
        counts["refused"] += 1
        return
    held = adapter(tool)
    counts["tools"] += 1
    values = Values(random, case)
    for _ in range(PER_TOOL):
        value = values.object(case.schema, 5)
        is_valid, is_typed = tool.compiled.is_valid(value), conforms(held, value)
        counts[f"{'valid' if is_valid else 'invalid'}, {'typed' if is_typed else 'not'}"] += 1
        if is_valid and not is_typed:
            yield json.dumps([case.schema, case.resources, value])
