"""The root of a tool's schema as one object with properties, as most providers require."""

from __future__ import annotations

from typing import Any

from toolschema._json.equality import key_of
from toolschema.providers._export.all_of import AllOf, Node
from toolschema.providers._export.reading import Reading
from toolschema.providers._export.values import allows_type

NO_OBJECT = "no object satisfies the schema"


def plain_root(reading: Reading, all_of: AllOf) -> Node | None:
    """The root without reference, ``allOf`` and unions; None where nothing satisfies it.

    The properties of all branches of a union are put together, and those that some
    branch does not require are optional. So whatever satisfies the union satisfies
    the result, unless a branch accepts anything under a name that another branch
    declares, which is reported as narrowed.
    """
    node = all_of.root()
    if node is None or not allows_type(node, {}):
        return None
    for keyword in ("anyOf", "oneOf"):
        if node is not None and keyword in node:
            node = _without_union(node, keyword, reading, all_of)
    if node is not None:
        reading.put(node, "type", "object", reading.location(node, "type"))
    return node


def _without_union(node: Node, keyword: str, reading: Reading, all_of: AllOf) -> Node | None:
    rest = reading.without(node, (keyword,))
    branches = []
    for schema in [all_of.fold(branch) for branch in node[keyword]]:
        whole = all_of.both(rest, all_of.expanded(schema, is_forced=True))
        if whole is not None and allows_type(whole, {}):
            branches.append(whole)
    if not branches:
        return None
    names = dict.fromkeys(name for branch in branches for name in branch.get("properties", {}))
    location = reading.location(node, keyword)
    properties = {name: _any_of(_declared(branches, name), reading, location) for name in names}
    is_open = any(
        name not in branch.get("properties", {}) and branch.get("additionalProperties", True)
        for branch in branches
        for name in names
    )
    mentioned = dict.fromkeys(name for branch in branches for name in branch.get("required", ()))
    required = [
        name for name in mentioned if all(name in branch.get("required", ()) for branch in branches)
    ]
    note = "a union is not supported at the root; the properties of its branches are combined"
    reading.lose(node, keyword, "narrowed" if is_open else "rewritten", note)
    for combined, value in (("properties", properties), ("required", required)):
        if value:
            reading.put(rest, combined, value, reading.location(node, combined))
    rest.pop("additionalProperties", None)
    if all(branch.get("additionalProperties", True) is False for branch in branches):
        rest["additionalProperties"] = False
    return rest


def _declared(branches: list[Node], name: str) -> list[Any]:
    """The different schemas that branches declare for one property."""
    declared = [
        branch["properties"][name] for branch in branches if name in branch.get("properties", {})
    ]
    return list({key_of(schema): schema for schema in declared if schema is not False}.values())


def _any_of(schemas: list[Any], reading: Reading, location: tuple[Any, ...]) -> Any:
    if len(schemas) < 2:
        return schemas[0] if schemas else False
    made = reading.make(location)
    reading.put(made, "anyOf", schemas, location)
    return made
