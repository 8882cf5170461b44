"""How much a provider takes in one tool, and what exceeds it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from toolschema._json.pointer import join
from toolschema._schema.dialect import DRAFT_2020_12
from toolschema.providers._export.profiles import Profile
from toolschema.providers._export.reading import Reading, located_schemas, recursive_references
from toolschema.providers._export.report import Loss

Schema = dict[str, Any]

_LONG_ENUM = 250
"""Strings in an ``enum`` above which OpenAI limits their characters, too."""
_NOTES = {
    "properties": ("properties", "{} properties; at most {} are allowed"),
    "levels": ("properties", "{} levels of objects; at most {} are allowed"),
    "characters": ("properties", "{} characters in names and values; at most {} are allowed"),
    "enum": ("enum", "{} enum values; at most {} are allowed"),
    "enum characters": ("enum", "{} characters in one enum; at most {} are allowed"),
    "optional": ("required", "{} optional properties; at most {} are allowed in a request"),
    "unions": ("anyOf", "{} unions; at most {} are allowed in a request"),
}
"""By the name of a limit, the keyword that it is reported for, and the note."""


def limit_losses(
    reading: Reading, parameters: Schema, description: str, profile: Profile
) -> list[Loss]:
    """What in the payload exceeds the limits of the provider."""
    counts = _counts(parameters) if profile.limits else Counter[str]()
    losses = []
    for limit, most in profile.limits.items():
        if counts[limit] > most:
            keyword, note = _NOTES[limit]
            losses.append(Loss("", keyword, "impossible", note.format(counts[limit], most)))
    most = profile.longest_description or len(description)
    if len(description) > most:
        note = f"some models refuse more than {most} characters; it is sent in full"
        losses.append(Loss("", "description", "narrowed", note))
    losses.extend(_refused_names(reading, parameters, profile))
    if not profile.supports_recursion:
        losses.extend(_recursions(reading, parameters))
    return losses


def _counts(parameters: Schema) -> Counter[str]:
    counts: Counter[str] = Counter(levels=_levels(parameters))
    for schema, _ in located_schemas(parameters):
        properties, values = schema.get("properties", {}), schema.get("enum", [])
        size = sum(len(value if isinstance(value, str) else json.dumps(value)) for value in values)
        counts["properties"] += len(properties)
        counts["enum"] += len(values)
        counts["characters"] += sum(map(len, [*properties, *schema.get("$defs", {})])) + size
        strings = [value for value in values if isinstance(value, str)]
        if len(strings) > _LONG_ENUM:
            counts["enum characters"] = max(counts["enum characters"], sum(map(len, strings)))
        counts["optional"] += len(properties.keys() - set(schema.get("required", ())))
        counts["unions"] += "anyOf" in schema or isinstance(schema.get("type"), list)
    return counts


def _levels(schema: Any) -> int:
    """Objects one inside the other; the target of a reference counts by itself."""
    if not isinstance(schema, dict):
        return 0
    below = [_levels(subschema) for _, subschema in DRAFT_2020_12.subschemas(schema)]
    return max(below, default=0) + ("properties" in schema)


def _refused_names(reading: Reading, parameters: Schema, profile: Profile) -> Iterator[Loss]:
    """Names of properties at the root that the provider refuses."""
    note = "the name of a property at the root must be 1 to 64 of A-Z a-z 0-9 _ . -"
    for name in parameters.get("properties", {}):
        if profile.property_name is not None and not profile.property_name.match(name):
            is_own = name in reading.root.get("properties", {})
            location = join(("properties", name)) if is_own else ""
            yield Loss(location, "properties", "impossible", note)


def _recursions(reading: Reading, parameters: Schema) -> Iterator[Loss]:
    root = {keyword: value for keyword, value in parameters.items() if keyword != "$defs"}
    for reference in recursive_references(root, parameters.get("$defs", {})):
        location = join(reading.location(reading.target(reference)))
        yield Loss(location, "$ref", "impossible", "recursion is not supported")
