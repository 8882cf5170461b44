"""Types generated from schemas: every valid value conforms, and they are as narrow as that allows."""

from __future__ import annotations

import ast
import doctest
import io
import os
import re
import subprocess
import sys
import textwrap
import tokenize
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import conforming
import pytest
from conftest import ROOT, define, foreign_rows, property_tool
from differential import Case, Values, shuffled

from toolschema import ToolDefinition, load_tools
from toolschema.cli import main
from toolschema.types import generate_types

TEXT = {"type": "string"}
NODE = {"$ref": "#/$defs/node"}
OLD = {"$schema": "http://json-schema.org/draft-07/schema#"}


def closed(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def types_in(text: str) -> dict[str, Any]:
    """The annotated keys of every type in a module; for an alias, its target."""
    found: dict[str, Any] = {}
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.ClassDef):
            found[statement.name] = {
                ast.unparse(item.target): ast.unparse(item.annotation)
                for item in statement.body
                if isinstance(item, ast.AnnAssign)
            }
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            found[ast.unparse(statement.target)] = ast.unparse(statement.value)
        elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            written = statement.value.args[1:]
            for keys in written:
                assert isinstance(keys, ast.Dict)
                found[ast.unparse(statement.targets[0])] = {
                    ast.literal_eval(name): ast.unparse(value)
                    for name, value in zip(keys.keys, keys.values, strict=True)
                    if name is not None
                }
    return found


def types_of(schema: Any, **options: Any) -> dict[str, Any]:
    return types_in(generate_types([define(schema, **options)]))


PROPERTIES = {
    "text": (TEXT, "str"),
    "a date is text": ({"type": "string", "format": "date"}, "str"),
    "number": ({"type": "number"}, "float"),
    "an integer may be 3.0": ({"type": "integer"}, "float"),
    "boolean": ({"type": "boolean"}, "bool"),
    "null": ({"type": "null"}, "None"),
    "nothing said": ({}, "Any"),
    "true": (True, "Any"),
    "a list of types": ({"type": ["integer", "string", "null"]}, "str | float | None"),
    "all types": ({"type": ["array", "boolean", "null", "number", "object", "string"]}, "Any"),
    "properties without type": ({"properties": {"a": TEXT}}, "Any"),
    "items without type": ({"items": TEXT}, "Any"),
    "a pattern without type": ({"pattern": "^a"}, "Any"),
    "enum of texts": ({"enum": ["a", "b"]}, "Literal['a', 'b']"),
    "enum and type": ({"type": "string", "enum": ["a", 1, None]}, "Literal['a']"),
    "mixed enum": ({"enum": ["a", 1, None, True]}, "Literal['a'] | float | Literal[True] | None"),
    "1.0 is the constant 1": ({"const": 1}, "float"),
    "const true": ({"const": True}, "Literal[True]"),
    "both booleans": ({"enum": [True, False]}, "bool"),
    "const list": ({"const": [1]}, "list[Any]"),
    "const object": ({"const": {"a": 1}}, "dict[str, Any]"),
    "list": ({"type": "array"}, "list[Any]"),
    "list of texts": ({"type": "array", "items": TEXT}, "list[str]"),
    "no items": ({"type": "array", "items": False}, "list[Any]"),
    "tuple": ({"type": "array", "prefixItems": [TEXT, {"type": "null"}]}, "list[Any]"),
    "closed tuple": (
        {"type": "array", "prefixItems": [TEXT, {"type": "null"}], "items": False},
        "list[str | None]",
    ),
    "tuple and rest": (
        {"type": "array", "prefixItems": [TEXT], "items": {"type": "number"}},
        "list[str | float]",
    ),
    "tuple with room": ({"type": "array", "prefixItems": [TEXT], "maxItems": 2}, "list[Any]"),
    "full tuple": ({"type": "array", "prefixItems": [TEXT], "maxItems": 1}, "list[str]"),
    "no tuple in this dialect": ({"type": "array", "additionalItems": False}, "list[Any]"),
    "object": ({"type": "object"}, "dict[str, Any]"),
    "map": ({"type": "object", "additionalProperties": TEXT}, "dict[str, str]"),
    "open map by pattern": ({"type": "object", "patternProperties": {"a": TEXT}}, "dict[str, Any]"),
    "map by pattern": (
        {"type": "object", "patternProperties": {"a": TEXT}, "additionalProperties": False},
        "dict[str, str]",
    ),
    "map by pattern and rest": (
        {"type": "object", "patternProperties": {"a": TEXT}, "additionalProperties": {"const": None}},
        "dict[str, str | None]",
    ),
    "map of maps": (
        {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": TEXT}},
        "dict[str, dict[str, str]]",
    ),
    "anyOf": ({"anyOf": [TEXT, {"type": "null"}]}, "str | None"),
    "oneOf": ({"oneOf": [{"const": "a"}, {"const": "b"}]}, "Literal['a', 'b']"),
    "a wider branch takes the literals": ({"anyOf": [{"const": "a"}, TEXT]}, "str"),
    "an open branch": ({"anyOf": [TEXT, {}]}, "Any"),
    "a false branch": ({"anyOf": [TEXT, False]}, "str"),
    "a branch that only asks": ({"type": "string", "anyOf": [{"minLength": 1}, {"pattern": "a"}]}, "str"),
    "type beside anyOf": ({"type": "string", "anyOf": [{"enum": ["a", 1]}, {"const": "b"}]}, "Literal['a', 'b']"),
    "branches that cannot be": ({"type": "string", "anyOf": [{"type": "null"}, TEXT]}, "str"),
    "no branch can be": ({"type": "string", "anyOf": [{"type": "null"}, False]}, "Any"),
    "allOf": ({"allOf": [{"type": ["string", "null"]}, {"type": ["null", "number"]}]}, "None"),
    "allOf of items": (
        {"type": "array", "allOf": [{"items": {"enum": ["a", "b"]}}, {"items": {"enum": ["b"]}}]},
        "list[Literal['b']]",
    ),
    "allOf of unions": (
        {"allOf": [{"anyOf": [TEXT, {"type": "null"}]}, {"oneOf": [TEXT, {"type": "boolean"}]}]},
        "str",
    ),
    "not": ({"type": ["string", "null"], "not": {"type": "null"}}, "str | None"),
    "if": ({"if": {"type": "string"}, "then": False}, "Any"),
    "contains": ({"type": "array", "contains": TEXT}, "list[Any]"),
    "unevaluatedItems": ({"type": "array", "unevaluatedItems": TEXT}, "list[Any]"),
    "beside $ref": ({"$ref": "#/$defs/texts", "enum": ["b", None]}, "Literal['b']"),
}  # fmt: skip


def write_types(folder: Path | str, output: Path | str, *flags: str) -> int:
    return main(["types", str(folder), "-o", str(output), *flags])


@pytest.mark.parametrize("name", PROPERTIES)
def test_the_type_of_a_property(name: str) -> None:
    schema, expected = PROPERTIES[name]
    root = {"properties": {"v": schema}, "$defs": {"texts": {"enum": ["a", "b"]}}}
    assert types_of(root)["ToolArguments"] == {"v": f"NotRequired[{expected}]"}


def test_an_unsatisfiable_property_is_left_out() -> None:
    both = {"type": "string", "allOf": [{"type": "null"}]}
    neither = {"const": "a", "enum": ["b"]}
    assert types_of({"properties": {"a": False, "b": both, "c": TEXT, "d": neither}}) == {
        "ToolArguments": {"c": "NotRequired[str]"}
    }


def test_an_undeclared_required_property_is_a_key() -> None:
    schema = {"properties": {"a": TEXT}, "required": ["a", "b"]}
    assert types_of(schema)["ToolArguments"] == {"a": "str", "b": "Any"}


def test_additional_properties_types_an_undeclared_required_property() -> None:
    schema = {"required": ["b"], "additionalProperties": TEXT}
    assert types_of(schema)["ToolArguments"] == {"b": "str"}


def test_pattern_properties_do_not_type_a_required_name() -> None:
    """Whether the pattern matches the name is not decided here."""
    schema = {"required": ["ab"], "patternProperties": {"^a": TEXT}, "additionalProperties": False}
    assert types_of(schema)["ToolArguments"] == {"ab": "Any"}


def test_all_of_becomes_one_record() -> None:
    one, two = {"properties": {"a": TEXT}, "required": ["b"]}, {"properties": {"b": TEXT, "a": {}}}
    assert types_of({"allOf": [one, two]})["ToolArguments"] == {"a": "NotRequired[str]", "b": "str"}


def test_a_closed_branch_removes_properties_declared_by_another() -> None:
    schema = {"allOf": [closed(a=TEXT), {"properties": {"b": TEXT}}]}
    assert types_of(schema)["ToolArguments"] == {"a": "NotRequired[str]"}


def test_an_unsatisfiable_record_is_not_a_member_of_a_union() -> None:
    branch = {**closed(a=TEXT), "required": ["b"]}
    assert types_of({"properties": {"v": {"anyOf": [branch, {"type": "null"}]}}}) == {
        "ToolArguments": {"v": "NotRequired[None]"}
    }


def test_a_tag_makes_every_branch_a_record_of_its_own() -> None:
    branches = [
        {
            "properties": {"kind": {"const": "cat"}, "lives": {"type": "number"}},
            "required": ["kind"],
        },
        {"title": "A dog", "properties": {"tricks": TEXT}, "required": ["tricks"]},
        {"properties": {"fins": TEXT}},
    ]
    pet = {"type": "object", "properties": {"name": TEXT}, "oneOf": branches}
    assert types_of({"properties": {"pet": pet}}) == {
        "ToolPetCat": {"name": "NotRequired[str]", "kind": "Literal['cat']", "lives": "NotRequired[float]"},
        "ToolPetADog": {"name": "NotRequired[str]", "tricks": "str"},
        "ToolPetOption": {"name": "NotRequired[str]", "fins": "NotRequired[str]"},
        "ToolArguments": {"pet": "NotRequired[ToolPetCat | ToolPetADog | ToolPetOption]"},
    }  # fmt: skip


def test_branches_with_nothing_but_required_make_no_types() -> None:
    schema = {
        "properties": {"a": TEXT, "b": TEXT},
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    }
    assert types_of(schema) == {"ToolArguments": {"a": "NotRequired[str]", "b": "NotRequired[str]"}}


def test_conditional_properties_are_keys_of_any_type() -> None:
    schema = {
        "properties": {"a": TEXT},
        "if": {"required": ["a"]},
        "then": {"properties": {"b": TEXT}},
        "dependentSchemas": {"a": {"properties": {"c": TEXT}}},
        "dependencies": {"a": {"$ref": "#/$defs/d"}, "b": ["c"]},
        "$defs": {"d": {"properties": {"d": TEXT}}},
    }
    assert types_of(schema)["ToolArguments"] == {
        "a": "NotRequired[str]", "b": "NotRequired[Any]", "c": "NotRequired[Any]", "d": "NotRequired[Any]",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        pytest.param({}, "dict[str, Any]", id="empty schema"),
        pytest.param({"type": "object"}, "dict[str, Any]", id="any object"),
        pytest.param({"additionalProperties": TEXT}, "dict[str, str]", id="map"),
        pytest.param({"type": ["object", "null"], "properties": {"a": TEXT}}, {"a": "NotRequired[str]"}, id="only objects are arguments"),
        pytest.param(closed(), {}, id="closed and empty"),
        pytest.param({"anyOf": [{"type": "null"}, {"type": "string"}]}, "dict[str, Any]", id="unsatisfiable"),
        pytest.param({"anyOf": [closed(a=TEXT), closed(b=TEXT)]}, "ToolOption | ToolOption2", id="union"),
        pytest.param({"$ref": "#/$defs/a", "$defs": {"a": closed(a=TEXT)}}, {"a": "NotRequired[str]"}, id="reference"),
    ],
)  # fmt: skip
def test_the_type_of_the_root(schema: Any, expected: Any) -> None:
    assert types_of(schema)["ToolArguments"] == expected


RECURSIVE: dict[str, tuple[Any, dict[str, Any]]] = {
    "record": (
        {"type": "object", "properties": {"next": NODE}},
        {"ToolNode": {"next": "NotRequired['ToolNode']"}},
    ),
    "record or null": (
        {"type": "object", "properties": {"next": {"anyOf": [NODE, {"type": "null"}]}}},
        {"ToolNode": {"next": "NotRequired[Union['ToolNode', None]]"}},
    ),
    "record whose names are none in Python": (
        {"type": "object", "properties": {"a-b": {"type": "array", "items": NODE}}},
        {"ToolNode": {"a-b": "NotRequired[list['ToolNode']]"}},
    ),
    "list": (
        {"type": ["array", "string"], "items": NODE},
        {"ToolNode": "list['ToolNode'] | str"},
    ),
    "any JSON": (
        {
            "anyOf": [
                {"type": ["null", "boolean", "number", "string"]},
                {"type": "array", "items": NODE},
                {"type": "object", "additionalProperties": NODE},
            ]
        },
        {"ToolNode": "dict[str, 'ToolNode'] | list['ToolNode'] | str | float | bool | None"},
    ),
    "the tool itself": (
        {"type": "object", "properties": {"root": {"$ref": "#"}}},
        {"ToolNode": {"root": "NotRequired['ToolArguments']"}},
    ),
    "a record before another": (
        {"type": "object", "properties": {"next": NODE, "end": closed(a=TEXT)}},
        {
            "ToolNodeEnd": {"a": "NotRequired[str]"},
            "ToolNode": {"next": "NotRequired['ToolNode']", "end": "NotRequired[ToolNodeEnd]"},
        },
    ),
    "two records": (
        {"type": "object", "properties": {"other": {"type": "object", "properties": {"node": NODE}}}},
        {
            "ToolNode": {"other": "NotRequired[ToolNodeOther]"},
            "ToolNodeOther": {"node": "NotRequired['ToolNode']"},
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RECURSIVE)
def test_recursion_stays_recursive(name: str) -> None:
    node, expected = RECURSIVE[name]
    found = types_of({"type": "object", "properties": {"v": NODE}, "$defs": {"node": node}})
    assert found == {**expected, "ToolArguments": {"v": "NotRequired[ToolNode]"}}


def test_draft_07_ignores_siblings_of_a_reference_and_reads_tuples_from_items() -> None:
    schema = {
        **OLD,
        "properties": {
            "a": {"$ref": "#/definitions/text", "enum": [1], "allOf": [False]},
            "b": {"type": "array", "items": [TEXT], "additionalItems": {"type": "null"}},
            "c": {"type": "array", "items": [TEXT], "prefixItems": [{"type": "null"}]},
        },
        "definitions": {"text": TEXT},
    }
    assert types_of(schema)["ToolArguments"] == {
        "a": "NotRequired[str]", "b": "NotRequired[list[str | None]]", "c": "NotRequired[list[Any]]",
    }  # fmt: skip


def test_references_into_other_files_keep_the_dialect_of_the_file() -> None:
    other = {
        **OLD,
        "definitions": {"pair": {"type": "array", "items": [TEXT, TEXT], "maxItems": 2}},
        **closed(x=TEXT),
    }
    root = {
        "properties": {
            "v": {"$ref": "other.json"},
            "w": {"type": "array", "items": {"$ref": "other.json"}},
        }
    }
    assert types_of(root, resources={"other.json": other}) == {
        "ToolV": {"x": "NotRequired[str]"},
        "ToolArguments": {"v": "NotRequired[ToolV]", "w": "NotRequired[list[ToolV]]"},
    }


def test_keys_keep_the_order_of_the_schema() -> None:
    other = {"other.json": closed(z=TEXT, y=TEXT)}
    schema = {"properties": {"b": {"$ref": "other.json"}, "a": TEXT}, "required": ["z", "a"]}
    found = types_of(schema, resources=other)
    assert [list(keys) for keys in found.values()] == [["z", "y"], ["b", "a", "z"]]


@pytest.mark.parametrize(
    "name", ["a-b", "", "class", "__a", "é", "1", "list", "Any", "ToolList", 'a"\\\n']
)
def test_a_property_that_is_not_an_identifier_still_becomes_a_key(name: str) -> None:
    """So does a name that would shadow an annotation in the class body."""
    inner = {"list": closed(x=TEXT)} if name == "ToolList" else {}
    text = generate_types([define(closed(**{name: TEXT, "other": TEXT, **inner}))])
    assert {name, "other"} <= types_in(text)["ToolArguments"].keys()
    assert "ToolArguments = TypedDict(" in text
    assert set(executed(text)["ToolArguments"].__annotations__) >= {name, "other"}


def executed(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {"__name__": "generated", "__file__": str(ROOT / "generated.py")}
    exec(compile(text, "generated", "exec", dont_inherit=True), found)  # noqa: S102
    return found


def test_required_keys_are_known_at_run_time() -> None:
    schema = {"type": "object", "properties": {"a": TEXT, "b": {"$ref": "#"}}, "required": ["a"]}
    made = executed(generate_types([define(schema)]))["ToolArguments"]
    assert (made.__required_keys__, made.__optional_keys__) == ({"a"}, {"b"})


def test_colliding_tool_names_are_numbered() -> None:
    tools = [
        ToolDefinition(name, "", closed(a=closed()))
        for name in ("a b", "a-b", "天", "path", "read", "READ", "3d", "typed")
    ]
    text = generate_types(tools, folder="schemas")
    constants = dict(re.findall(r"^(\w+): ToolDefinition\[(\w+)\]", text, re.MULTILINE))
    assert constants == {
        "A_B": "ABArguments", "A_B_2": "AB2Arguments", "TOOL": "ToolArguments", "PATH": "PathArguments",
        "READ": "ReadArguments", "READ_2": "READArguments", "TOOL_3D": "Tool3dArguments", "TYPED": "TypedArguments",
    }  # fmt: skip
    assert len(types_in(text)) == 3 * len(tools)


def test_no_type_shadows_an_import_of_the_module() -> None:
    text = generate_types([ToolDefinition("typed", "", closed(dict=closed(a=TEXT)))])
    assert types_in(text) == {
        "TypedDict2": {"a": "NotRequired[str]"},
        "TypedArguments": {"dict": "NotRequired[TypedDict2]"},
    }


def test_the_name_of_a_deeply_nested_type_is_shortened() -> None:
    schema: dict[str, Any] = closed(end=TEXT)
    for _ in range(8):
        schema = closed(containerOfThings=schema)
    assert max(map(len, types_of(schema))) <= 62


def test_descriptions_become_docstrings_where_editors_look_for_them() -> None:
    address = {
        "description": "Where it is.",
        "type": "object",
        "properties": {"a": {"description": "Street."}},
    }
    schema = {
        "properties": {
            "to": {"$ref": "#/$defs/address", "description": "Where it goes."},
            "odd": {"type": "object", "description": "Odd.", "properties": {"a-b": {"description": "One."}, "c": {}}},
        },
        "$defs": {"address": address},
    }  # fmt: skip
    tool = ToolDefinition("send", "Send it.\n\n\n  * " + "long " * 30 + "\n", schema)
    shown = (
        generate_types([tool])
        .partition("import NotRequired, TypedDict\n\n\n")[2]
        .rpartition("\n\n\n")
    )
    assert generate_types([tool]).rpartition("\n\n\nclass SendAddress")[2] == textwrap.dedent(
        '''\
        (TypedDict):
            """Where it is."""

            a: NotRequired[Any]
            """Street."""


        SendOdd = TypedDict(
            "SendOdd",
            {
                "a-b": NotRequired[Any],
                "c": NotRequired[Any],
            },
        )
        """a-b: One."""


        class SendArguments(TypedDict):
            """Send it.

            * long long long long long long long long long long long long long long long long long long
            long long long long long long long long long long long long
            """

            to: NotRequired[SendAddress]
            """Where it goes."""
            odd: NotRequired[SendOdd]
            """Odd."""
        '''
    )
    assert shown


def test_the_description_of_a_tool_appears_once() -> None:
    text = generate_types([ToolDefinition("send", "Send it.", closed(a=TEXT))], folder="x")
    assert text.count("Send it.") == 1
    assert 'SEND: ToolDefinition[SendArguments] = _TOOLS["send"]\n"""Send it."""\n' in text


def test_lines_are_wrapped_where_possible() -> None:
    values = [f"value {number}" for number in range(40)]
    fits = {"enum": values}
    wide = {
        "anyOf": [
            fits,
            {"type": "array", "items": fits},
            closed(**{"a" * 50: TEXT}),
            {"type": "null"},
        ]
    }
    tool = ToolDefinition("a" * 40, "", closed(v=wide, w=fits))
    for folder in (None, "b" * 30):
        text = generate_types([tool], folder=folder)
        assert max(map(len, text.splitlines())) <= 100
    assert executed(generate_types([tool]))  # a trailing comma would make a tuple


HOSTILE = [
    '"""\nopen("made", "w")\n"""', '\\"""\nopen("made", "w")\n"""\\', "'''", '"' * 7, "\\", "\\\\", 'end"',
    '"start', "#\ropen('made', 'w')", "a\0b", "\u2028open('made', 'w')", "\u202eopen", "type: ignore",
    "pyright: basic", "fmt: on", "noqa", ">>> open('made', 'w')", "  >>> open('made', 'w')\n", "%s{0}", "\\N{DIGIT ONE}",
    "\\x22\\x22\\x22", 'a": str})\nopen("made", "w")\n({"', '"]; open("made", "w") #', "a" * 300, "x]\ny[", "\t\x0b\x0c\x85", "😀é",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
@pytest.mark.parametrize("folder", [None, "schemas"])
def test_strings_in_a_schema_never_become_code(text: str, folder: str | None) -> None:
    said = {"title": text, "description": text}
    schema = {
        **said,
        "properties": {
            text: {**said, "type": "string"},
            "enum": {**said, "enum": [text, "a"]},
            "object": {**said, "type": "object", "properties": {text: {**said, "const": text}}},
            "union": {"anyOf": [{**said, "properties": {"b": {"const": text}}, "type": "object"}, {"type": "null"}]},
            "ref": {"$ref": "#/$defs/x"},
        },
        "required": [text],
        "$defs": {"x": {"$anchor": "x", **said, **closed(**{text: {}})}},
    }  # fmt: skip
    tool = ToolDefinition(text, text, schema, title=text)
    code = generate_types([tool], folder=folder)
    assert_tame(code)
    whole = next(name for name in types_in(code) if name.endswith("Arguments"))
    found = types_in(code)[whole]
    assert found[text] == "str"
    assert found["enum"] == f"NotRequired[Literal[{text!r}, 'a']]"
    if folder:
        assert f"_TOOLS[{text!r}]" in ast.unparse(ast.parse(code))


def assert_tame(code: str) -> None:
    """The code defines types and does nothing else; no comment comes from the schema."""
    calls = [
        ast.unparse(node.func) for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)
    ]
    assert set(calls) <= {"TypedDict", "load_tools", "Path"}
    kinds = {type(statement) for statement in ast.parse(code).body}
    assert kinds <= {
        ast.AnnAssign,
        ast.Assign,
        ast.ClassDef,
        ast.Expr,
        ast.If,
        ast.Import,
        ast.ImportFrom,
    }
    said = [
        expression.value
        for expression in ast.walk(ast.parse(code))
        if isinstance(expression, ast.Expr)
    ]
    for expression in said:
        assert isinstance(expression, ast.Constant)
        assert isinstance(expression.value, str)
        assert not doctest.DocTestParser().get_examples(expression.value)
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
    assert comments == ["# fmt: off", "# ruff: noqa"]
    assert all(character.isprintable() for character in code.replace("\n", ""))


def test_a_folder_name_never_becomes_code(tmp_path: Path) -> None:
    folder = tmp_path / 'a"""\nopen("made")\n#'
    folder.mkdir()
    (folder / "now.json").write_text("{}")
    write_types(folder, tmp_path / "tools.py")
    code = (tmp_path / "tools.py").read_text()
    assert_tame(code)
    assert executed(code.replace("__file__", repr(str(tmp_path / "tools.py"))))["NOW"].name == "now"


def test_very_deep_and_very_wide_types_become_any() -> None:
    deep: dict[str, Any] = TEXT
    for _ in range(30):
        deep = {"type": "array", "items": deep}
    branches = {"oneOf": [{"const": f"{number}"} for number in range(1500)]}
    found = types_of({"properties": {"deep": deep, "many": branches}})["ToolArguments"]
    assert found["deep"] == f"NotRequired[{'list[' * 21}Any{']' * 21}]"
    assert found["many"] == "NotRequired[Any]"


def test_an_exponentially_expanding_schema_is_typed_quickly() -> None:
    def choice(number: int, depth: int) -> dict[str, Any]:
        below = [{"properties": {f"{number}{way}": doubling(depth)}} for way in "ab"]
        return {"anyOf": below}

    def doubling(depth: int) -> dict[str, Any]:
        if not depth:
            return TEXT
        return {"type": "object", "allOf": [choice(number, depth - 1) for number in range(3)]}

    found = types_of(closed(v=doubling(3)))
    assert 100 < len(found) <= 510


def test_objects_beyond_the_limit_become_plain_dicts() -> None:
    found = types_of(closed(**{f"a{number}": closed(b=TEXT) for number in range(600)}))
    assert len(found) == 500
    assert found["ToolArguments"]["a0"] == "NotRequired[ToolA0]"
    assert found["ToolArguments"]["a599"] == "NotRequired[dict[str, Any]]"


def test_combinations_of_many_patterns_are_left_out() -> None:
    one, two = (
        {
            "patternProperties": {f"{letter}{number}": {"const": letter} for number in range(40)},
            "additionalProperties": TEXT,
        }
        for letter in "ab"
    )
    found = types_of(closed(v={"type": "object", "allOf": [one, two]}))["ToolArguments"]
    assert found == {"v": "NotRequired[dict[str, str]]"}


def test_a_definition_without_a_usable_name_is_named_after_the_property() -> None:
    schema = {"properties": {"v": {"$ref": "#/$defs/%E5%A4%A9"}}, "$defs": {"天": closed(a=TEXT)}}
    assert types_of(schema).keys() == {"ToolV", "ToolArguments"}


def test_a_reference_to_a_metaschema_has_a_type() -> None:
    schema = {
        "type": "object",
        "properties": {"v": {"$ref": "http://json-schema.org/draft-07/schema#"}},
    }
    assert types_of(schema)["ToolArguments"]["v"].startswith("NotRequired[ToolV")


def test_an_oversized_expression_becomes_any() -> None:
    tuples = {
        "type": "array",
        "prefixItems": [closed(**{f"a{number}": TEXT}) for number in range(300)],
        "items": False,
    }
    assert types_of(closed(v=tuples))["ToolArguments"] == {"v": "NotRequired[list[Any]]"}


def test_the_generated_module_is_deterministic() -> None:
    code = "from toolschema import load_tools; from toolschema.types import *; print(generate_types(load_tools('schemas').values()))"
    texts = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip
    assert len(texts) == 1


def test_the_order_of_keywords_does_not_matter() -> None:
    compared = 0
    for case, random in conforming.random_cases(100, seed=5):
        try:
            one = case.define()
        except ValueError:
            continue
        compared += 1
        again = shuffled(random, case.schema)
        other = case._replace(schema=in_order_of(again, case.schema)).define()
        assert generate_types([one]) == generate_types([other])
    assert compared > 50


def in_order_of(value: Any, model: Any, *, is_named: bool = False) -> Any:
    """The same value, with the names below ``properties`` in the order of *model*."""
    if isinstance(value, list):
        return [in_order_of(*pair) for pair in zip(value, model, strict=True)]
    if isinstance(value, dict):
        names = model if is_named else value
        return {
            name: in_order_of(value[name], model[name], is_named=name == "properties")
            for name in names
        }
    return value


@pytest.mark.once
@pytest.mark.timeout(300)
def test_valid_arguments_conform_to_their_type() -> None:
    """For random schemas of every dialect and random values."""
    counts: Counter[str] = Counter()
    broken: list[str] = []
    for case, random in conforming.random_cases(4000 if os.environ.get("CI") else 600, seed=1):
        broken += conforming.compare(case, random, counts)
    assert not broken, min(broken, key=len)
    total = sum(counts.values()) - counts["tools"] - counts["refused"]
    assert counts["valid, typed"] > total / 3
    assert counts["invalid, not"] > total / 50  # types that accept everything would pass, too


@pytest.mark.parametrize("name", load_tools(ROOT / "schemas"))
def test_the_types_of_our_schemas_distinguish_valid_from_invalid(name: str) -> None:
    tool = load_tools(ROOT / "schemas")[name]
    held = conforming.adapter(
        tool,
        next(title for title in types_in(generate_types([tool])) if title.endswith("Arguments")),
    )
    random = Random(name)  # noqa: S311
    values = Values(random, Case(tool.parameters, {}, {}, is_hard=False))
    for example in tool.parameters["examples"]:
        assert conforming.conforms(held, example)
        changed = [values.changed(example) for _ in range(300)]
        typed = [conforming.conforms(held, value) for value in changed]
        valid = [tool.compiled.is_valid(value) for value in changed]
        assert all(is_typed for is_typed, is_valid in zip(typed, valid, strict=True) if is_valid)
        assert not all(typed)


@pytest.mark.once
def test_valid_arguments_of_mcp_tools_conform_to_their_type() -> None:
    counts: Counter[str] = Counter()
    for number, row in enumerate(foreign_rows("mcp_tools.jsonl")[::3]):
        case = Case(row["inputSchema"], {}, {}, is_hard=False)
        assert not list(conforming.compare(case, Random(number), counts))  # noqa: S311
    assert counts["valid, typed"] > 3000


CHECKERS = [
    pytest.param(["mypy", "--strict", "--no-incremental"], id="mypy"),
    pytest.param(["pyright", "--pythonpath", sys.executable], id="pyright"),
]


def check(checker: list[str], folder: Path, *files: str) -> str:
    """What a type checker prints about files of *folder*, or nothing if it has no complaint."""
    pytest.importorskip(checker[0])
    done = subprocess.run(
        [sys.executable, "-m", *checker, *files], capture_output=True, text=True, check=False, cwd=folder
    )  # fmt: skip
    return done.stdout + done.stderr if done.returncode else ""


USE = """
from typing import Any, Literal

from typing_extensions import assert_type

from toolschema import Tool, accept, parse_tool_arguments, validate_tool_arguments
from tools import CREATE_ISSUE, READ, SEARCH_BOOKINGS, WRITE, ReadArguments

read = parse_tool_arguments(READ, "{}")
assert_type(read, ReadArguments)
assert_type(read["limit"], float)
assert_type(read["options"]["labels"], list[str])
assert_type(validate_tool_arguments(WRITE, {}).get("mode"), Literal["create", "overwrite", "append"] | None)
issue = parse_tool_arguments(CREATE_ISSUE, "{}")["issue"]
if issue["kind"] == "feature":
    assert_type(issue["reason"], str)
search = parse_tool_arguments(SEARCH_BOOKINGS, "{}")
if "dates" in search:
    assert_type(search["dates"]["from"], str)

def run(arguments: ReadArguments, context: str) -> str:
    return arguments["path"]

def run_of_text(arguments: str, context: str) -> str:
    return arguments

Tool(READ, run)
read["lines"]  # EXPECT
read["limit"] = "20"  # EXPECT
[][read["limit"]]  # EXPECT
issue["reason"]  # EXPECT
made: ReadArguments = {"path": "a", "limit": 1, "options": {}}  # EXPECT
"""


@pytest.mark.once
@pytest.mark.timeout(300)
@pytest.mark.parametrize("checker", CHECKERS)
def test_checkers_read_the_types_of_our_schemas(checker: list[str], tmp_path: Path) -> None:
    write_types(ROOT / "schemas", tmp_path / "tools.py")
    (tmp_path / "use.py").write_text(USE)
    printed = check(checker, tmp_path, "tools.py", "use.py")
    errors = {int(number) for number in re.findall(r"use\.py:(\d+)[^\n]*error", printed)}
    expected = {number for number, line in enumerate(USE.splitlines(), 1) if "# EXPECT" in line}
    assert errors == expected, printed
    assert not re.search(r"tools\.py:\d+[^\n]*error", printed)


@pytest.mark.once
@pytest.mark.timeout(300)
@pytest.mark.parametrize("checker", CHECKERS)
def test_checkers_accept_every_kind_of_type(checker: list[str], tmp_path: Path) -> None:
    """The types of the tables above, with hostile names and strings."""
    tools = [
        property_tool({"allOf": [schema]}, resources={"texts.json": TEXT})
        for schema, _ in PROPERTIES.values()
        if "$defs" not in str(schema)
    ]
    tools += [
        define({"properties": {"v": NODE}, "$defs": {"node": node}})
        for node, _ in RECURSIVE.values()
    ]
    tools += [
        define(closed(**{name: {**TEXT, "description": name}, "list": {"const": name}}))
        for name in HOSTILE
    ]
    names = [
        "list",
        "str",
        "float",
        "Any",
        "items",
        "get",
        "class",
        "__doc__",
        "_",
        "match",
        "TypedDict",
    ]
    tools += [
        define(closed(**{name: {"type": "array", "items": TEXT} for name in names})),
        define(closed(items=TEXT, keys=TEXT, type=TEXT)),
    ]
    (tmp_path / "tools.py").write_text(generate_types(tools), encoding="utf-8")
    assert check(checker, tmp_path, "tools.py") == ""
    executed((tmp_path / "tools.py").read_text(encoding="utf-8"))


@pytest.mark.once
@pytest.mark.timeout(300)
@pytest.mark.parametrize("checker", CHECKERS)
def test_checkers_accept_the_types_of_tools_of_mcp_servers(
    checker: list[str], tmp_path: Path
) -> None:
    rows = foreign_rows("mcp_tools.jsonl")
    share = rows[:: len(rows) // 100][:100]
    tools = [
        ToolDefinition(row["name"], row["description"] or "", row["inputSchema"]) for row in share
    ]
    assert len(tools) == 100
    (tmp_path / "tools.py").write_text(generate_types(tools), encoding="utf-8")
    assert check(checker, tmp_path, "tools.py") == ""
    executed((tmp_path / "tools.py").read_text(encoding="utf-8"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A package with its own folder of schemas."""
    schemas = tmp_path / "package" / "schemas"
    schemas.mkdir(parents=True)
    (schemas / "read.json").write_text('{"properties": {"path": {"$ref": "_common.json"}}}')
    (schemas / "_common.json").write_text('{"type": "string"}')
    return tmp_path


def test_a_module_is_current_until_a_schema_changes(project: Path) -> None:
    schemas, output = project / "package" / "schemas", project / "package" / "tools.py"
    assert write_types(schemas, output, "--check") == 1
    assert not output.exists()
    assert write_types(schemas, output) == 0
    assert write_types(schemas, output, "--check") == 0
    written = output.stat().st_mtime_ns
    assert write_types(schemas, output) == 0
    assert output.stat().st_mtime_ns == written
    (schemas / "_common.json").write_text('{"type": "null"}')
    assert write_types(schemas, output, "--check") == 1
    assert output.stat().st_mtime_ns == written
    assert write_types(schemas, output) == 0
    assert output.stat().st_mtime_ns > written


def test_line_endings_do_not_matter(project: Path) -> None:
    schemas, output = project / "package" / "schemas", project / "tools.py"
    write_types(schemas, output)
    output.write_bytes(output.read_bytes().replace(b"\n", b"\r\n"))
    assert write_types(schemas, output, "--check") == 0
    output.write_bytes(output.read_bytes() + b"\r\n")
    assert write_types(schemas, output, "--check") == 1


@pytest.mark.parametrize("place", ["package/tools.py", "tools.py", "other/tools.py"])
def test_a_module_finds_its_schemas_from_anywhere(
    project: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / place).parent.mkdir(exist_ok=True)
    monkeypatch.chdir(project)
    write_types("package/schemas", place)
    moved = project.rename(project.with_name(f"{project.name} moved"))
    monkeypatch.chdir(ROOT)
    code = "from tools import READ; print(READ.parameters)"
    where = {**os.environ, "PYTHONPATH": os.pathsep.join([str((moved / place).parent), str(ROOT)])}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=where
    )
    assert "_common.json" in done.stdout


def test_types_without_a_folder_do_not_import_the_library() -> None:
    text = generate_types([define(closed(a=TEXT))])
    assert "toolschema import" not in text
    assert generate_types([]) == generate_types(iter(()))


def test_the_folder_must_be_a_string() -> None:
    with pytest.raises(TypeError, match="folder must be str, not"):
        generate_types([], folder=ROOT)  # type: ignore[arg-type]


def test_nothing_is_written_for_a_folder_with_a_fault(project: Path) -> None:
    (project / "package" / "schemas" / "bad.json").write_text("{")
    assert write_types(project / "package" / "schemas", project / "tools.py") == 2
    assert not (project / "tools.py").exists()
