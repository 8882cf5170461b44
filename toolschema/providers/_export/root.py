"""The root of a tool's schema as one object with properties, as most providers ask."""

from __future__ import annotations

from typing import Any

from toolschema.providers._export.conjunction import Conjunction, Node
from toolschema.providers._export.reading import Reading
from toolschema.providers._export.values import key, types_of


def plain_root(reading: Reading, conjunction: Conjunction) -> Node | None:
    """The root without reference, ``allOf`` and unions; None where nothing satisfies it.

    The properties of all branches of a union come together, and those that some
    branch does without are optional. So whatever satisfies the union satisfies
    the result, unless a branch takes anything under a name that another
    declares, which is reported as narrowed.
    """
    node = conjunction.fold(reading.root)
    if node is None:
        return None
    node = conjunction.expanded(node, (id(reading.root),), is_forced=True)
    if node is None or ("type" in node and "object" not in types_of(node)):
        return None
    for keyword in ("anyOf", "oneOf"):
        if node is not None and keyword in node:
            node = _without_union(node, keyword, reading, conjunction)
    if node is not None:
        reading.put(node, "type", "object", reading.place(node, "type"))
    return node


def _without_union(
    node: Node, keyword: str, reading: Reading, conjunction: Conjunction
) -> Node | None:
    rest = reading.make(reading.place(node))
    for each in [each for each in node if each != keyword]:
        reading.put(rest, each, node[each], reading.place(node, each))
    folded = [conjunction.fold(each) for each in node[keyword]]
    branches = [conjunction.expanded(each, is_forced=True) for each in folded if each is not None]
    wholes = [whole for each in branches if (whole := conjunction.both(rest, each)) is not None]
    wholes = [each for each in wholes if "type" not in each or "object" in types_of(each)]
    if not wholes:
        return None
    names = dict.fromkeys(name for each in wholes for name in each.get("properties", {}))
    place = reading.place(node, keyword)
    properties = {name: _any_of([*_said(wholes, name)], reading, place) for name in names}
    is_open = any(
        name not in each.get("properties", {}) and each.get("additionalProperties", True)
        for each in wholes
        for name in names
    )
    required = [
        name
        for name in dict.fromkeys(name for each in wholes for name in each.get("required", ()))
        if all(name in each.get("required", ()) for each in wholes)
    ]
    note = "the root can be no union; the properties of its branches are put together"
    reading.lose(node, keyword, "narrowed" if is_open else "rewritten", note)
    if properties:
        reading.put(rest, "properties", properties, reading.place(node, "properties"))
    if required:
        reading.put(rest, "required", required, reading.place(node, "required"))
    rest.pop("additionalProperties", None)
    if all(each.get("additionalProperties", True) is False for each in wholes):
        rest["additionalProperties"] = False
    return rest


def _said(wholes: list[Node], name: str) -> list[Any]:
    """The different things that branches say of one property."""
    said = [each["properties"][name] for each in wholes if name in each.get("properties", {})]
    return list({key(each): each for each in said if each is not False}.values())


def _any_of(schemas: list[Any], reading: Reading, place: tuple[Any, ...]) -> Any:
    if len(schemas) < 2:
        return schemas[0] if schemas else False
    made = reading.make(place)
    reading.put(made, "anyOf", schemas, place)
    return made
