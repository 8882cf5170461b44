"""How much a provider takes of one tool, and what is more than that."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from toolschema._json.pointer import Token, join
from toolschema.providers._export.names import key_losses
from toolschema.providers._export.profile import Profile
from toolschema.providers._export.reading import Reading, reachable
from toolschema.providers._export.report import Loss

_MANY = 250
"""Values of an ``enum`` of texts from which their characters count."""
_SAID = {
    "properties": ("properties", "{} properties, where {} are taken"),
    "levels": ("properties", "{} levels of objects, where {} are taken"),
    "characters": ("properties", "{} characters of names and values, where {} are taken"),
    "enum": ("enum", "{} values to choose from, where {} are taken"),
    "enum characters": ("enum", "{} characters in one enum, where {} are taken"),
    "optional": ("required", "{} optional properties, where {} are taken in a whole request"),
    "unions": ("anyOf", "{} unions, where {} are taken in a whole request"),
}


def limit_losses(
    reading: Reading, parameters: dict[str, Any], description: str, profile: Profile
) -> list[Loss]:
    """What of the payload is more than the provider takes."""
    counts = _counts(parameters) if profile.most else Counter[str]()
    losses = [
        Loss("", _SAID[each][0], "impossible", _SAID[each][1].format(counts[each], most))
        for each, most in profile.most.items()
        if counts[each] > most
    ]
    most = profile.longest_description
    if most is not None and len(description) > most:
        note = f"some models refuse one of more than {most} characters; it is sent whole"
        losses.append(Loss("", "description", "narrowed", note))
    losses.extend(key_losses(reading, parameters, profile.property_name))
    if not profile.takes_recursion:
        losses.extend(_recursions(reading, parameters))
    return losses


def _counts(parameters: dict[str, Any]) -> Counter[str]:
    counts: Counter[str] = Counter(levels=_levels(parameters))
    for schema in schemas_of(parameters):
        names = [*schema.get("properties", {}), *schema.get("$defs", {})]
        values = schema.get("enum", [])
        size = sum(len(each if isinstance(each, str) else json.dumps(each)) for each in values)
        counts["properties"] += len(schema.get("properties", {}))
        counts["enum"] += len(values)
        counts["characters"] += sum(map(len, names)) + size
        texts = [each for each in values if isinstance(each, str)]
        if len(texts) > _MANY:
            counts["enum characters"] = max(counts["enum characters"], sum(map(len, texts)))
        optional = schema.get("properties", {}).keys() - set(schema.get("required", ()))
        counts["optional"] += len(optional)
        counts["unions"] += "anyOf" in schema or isinstance(schema.get("type"), list)
    return counts


def _levels(schema: Any) -> int:
    """Objects one inside the other; what a reference leads to stands for itself."""
    below = max((_levels(each) for each, _ in _below(schema)), default=0)
    return below + ("properties" in schema)


def _below(schema: dict[str, Any]) -> Iterator[tuple[dict[str, Any], tuple[Token, ...]]]:
    """The subschemas of one in a payload, and the tokens that lead there."""
    found: list[tuple[Any, tuple[Token, ...]]] = [
        (each, (keyword, name))
        for keyword in ("$defs", "properties")
        for name, each in schema.get(keyword, {}).items()
    ]
    found += [
        (each, (keyword, index))
        for keyword in ("anyOf", "prefixItems")
        for index, each in enumerate(schema.get(keyword, ()))
    ]
    found += [(schema.get(keyword), (keyword,)) for keyword in ("items", "additionalProperties")]
    yield from ((each, tokens) for each, tokens in found if isinstance(each, dict))


def schemas_of(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A schema of a payload, and all below it."""
    yield schema
    for each, _ in _below(schema):
        yield from schemas_of(each)


def placed(
    schema: dict[str, Any], path: tuple[Token, ...] = ()
) -> Iterator[tuple[dict[str, Any], tuple[Token, ...]]]:
    """The same, each with its tokens."""
    yield schema, path
    for each, tokens in _below(schema):
        yield from placed(each, (*path, *tokens))


def _recursions(reading: Reading, parameters: dict[str, Any]) -> list[Loss]:
    leads: dict[str, set[str]] = {}
    parts = {"#": {each: parameters[each] for each in parameters if each != "$defs"}}
    parts |= {f"#/$defs/{name}": each for name, each in parameters.get("$defs", {}).items()}
    for name, part in parts.items():
        leads[name] = {each["$ref"] for each in schemas_of(part) if "$ref" in each}
    note = "recursion is not taken"
    return [
        Loss(join(reading.place(reading.target(name))), "$ref", "impossible", note)
        for name in parts
        if name in reachable(leads, name)
    ]
