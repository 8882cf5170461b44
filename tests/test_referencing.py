"""References are resolved by `referencing`, with our specification of each dialect."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import ROOT, define
from referencing import Registry, Specification
from referencing._core import Resolver
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT7, DRAFT201909, DRAFT202012

from toolschema import Limits, ToolSchemaError, load_tools
from toolschema._schema.dialect import DIALECTS, DRAFT_07, DRAFT_2020_12, Dialect

BASE = "https://example.com/root.json"
BUNDLED: dict[str, Specification[Any]] = {
    "2020-12": DRAFT202012,
    "2019-09": DRAFT201909,
    "draft-07": DRAFT7,
}
FULL: dict[str, Any] = {
    "$defs": {"a": {"$id": "a.json"}},
    "definitions": {"b": {"not": {}}},
    "properties": {"$id": {"type": "string"}, "p": {}},
    "patternProperties": {"x": {}},
    "additionalProperties": {},
    "propertyNames": {},
    "items": {},
    "contains": {},
    "allOf": [{}, {}],
    "if": {},
    "then": {},
    "else": {},
    "enum": [{"$id": "not-a-schema.json"}],
}


def lookups(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the references passed to `Resolver.lookup` from now on."""
    asked: list[str] = []
    real = Resolver.lookup

    def lookup(self: Resolver[Any], ref: str) -> Any:
        asked.append(ref)
        return real(self, ref)

    monkeypatch.setattr(Resolver, "lookup", lookup)
    return asked


def test_every_reference_in_our_schemas_is_looked_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "".join(path.read_text() for path in (ROOT / "schemas").glob("*.json"))
    asked = lookups(monkeypatch)
    load_tools(ROOT / "schemas", limits=Limits(max_pattern_text=8191))  # compiled by no other test
    assert text.count('"$ref"') <= len(asked) <= 2 * text.count('"$ref"')


def test_nothing_resolves_without_referencing(monkeypatch: pytest.MonkeyPatch) -> None:
    def lookup(self: Resolver[Any], ref: str) -> Any:
        raise Unresolvable(ref=ref)

    monkeypatch.setattr(Resolver, "lookup", lookup)
    for reference in ("#", "#/$defs/a", "#b", "c.json", "d.json"):
        schema = {
            "properties": {f"v-{reference}": {"$ref": reference}},
            "$defs": {"a": {}, "b": {"$anchor": "b"}, "c": {"$id": "c.json"}},
        }
        with pytest.raises(ToolSchemaError, match="leads to"):
            define(schema, resources={"d.json": {}})


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_our_specification_finds_the_same_subresources_as_the_bundled_one(dialect: Dialect) -> None:
    def registry(specification: Specification[Any]) -> set[str]:
        resource = specification.create_resource(FULL)
        return set(Registry().with_resource(BASE, resource).crawl())

    assert registry(dialect.specification) == registry(BUNDLED[dialect.name])
    ours = {id(subresource) for subresource in dialect.specification.subresources_of(FULL)}
    assert ours == {id(subresource) for subresource in BUNDLED[dialect.name].subresources_of(FULL)}


def test_both_forms_of_dependencies_are_subresources() -> None:
    """The bundled specification decides by the first entry whether all are schemas."""
    schema = {"dependencies": {"a": ["b"], "c": {"$id": "c.json"}}}
    specification = DRAFT_07.specification
    registry = Registry().with_resource(BASE, specification.create_resource(schema)).crawl()
    assert "https://example.com/c.json" in registry
    assert [*DRAFT7.subresources_of(schema)] == []


def test_siblings_of_a_draft_07_reference_are_not_resources() -> None:
    schema = {"properties": {"a": {"$ref": "#", "allOf": [{"$id": "void.json"}]}}}
    specification = DRAFT_07.specification
    registry = Registry().with_resource(BASE, specification.create_resource(schema)).crawl()
    assert set(registry) == {BASE}


@pytest.mark.parametrize(
    ("pointer", "base"),
    [
        ("/properties/a/properties/b", "https://example.com/a.json"),
        ("/properties/a", "https://example.com/a.json"),
        ("/enum/0", BASE),
        ("/properties/$id", BASE),
        ("/allOf/0/properties/b", "https://example.com/all.json"),
    ],
)
def test_a_pointer_enters_the_resources_on_its_path(pointer: str, base: str) -> None:
    schema = {
        "properties": {
            "a": {"$id": "a.json", "properties": {"b": {}}},
            "$id": {"type": "string"},
        },
        "allOf": [{"$id": "all.json", "properties": {"b": {}}}],
        "enum": [{"$id": "not-a-schema.json"}],
    }
    resource = DRAFT_2020_12.specification.create_resource(schema)
    resolver = Registry().with_resource(BASE, resource).resolver()
    found = resolver.lookup(f"{BASE}#{pointer}")
    assert found.resolver.lookup("#").contents == found.resolver.lookup(base).contents


@pytest.mark.parametrize("index", ["-1", "01", "2", "+1", "\u0661", ""])
def test_an_index_follows_rfc_6901(index: str) -> None:
    """`Resolver.lookup` accepts the first two (RFC 6901 §4)."""
    schema = {"properties": {"v": {"$ref": f"#/allOf/{index}"}}, "allOf": [{}, {}]}
    with pytest.raises(ToolSchemaError, match="leads to nothing"):
        define(schema)


def test_a_plain_reference_to_a_dynamic_anchor_is_resolved_lexically() -> None:
    """A plain `$ref` has no dynamic scope (2020-12 core §8.2.3.1)."""
    schema = {
        "$dynamicAnchor": "node",
        "properties": {"v": {"$ref": "other.json#node"}},
    }
    other = {"$defs": {"n": {"$dynamicAnchor": "node", "type": "integer"}}}
    tool = define(schema, resources={"other.json": other})
    assert tool.parameters == schema


@pytest.mark.parametrize("contents", [[], "text", 5, None], ids=repr)
def test_a_resource_that_is_not_a_schema_is_named(contents: Any) -> None:
    with pytest.raises(ToolSchemaError, match="does not lead to a schema"):
        define({"properties": {"v": {"$ref": "r.json"}}}, resources={"r.json": contents})
