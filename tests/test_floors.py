"""Modules import downwards only; what is public is exactly what is meant to be."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from conftest import ROOT

import toolschema
import toolschema.errors
import toolschema.typing

PACKAGE = ROOT / "toolschema"

# From the ground up. A module imports from lines above its own only.
FLOORS = [
    ["_pointer", "_printable", "_limits", "_cache", "_property", "_jsonschema"],
    ["_issue", "_stack", "_pattern_tree"],
    ["_finding", "errors"],
    ["_json", "_ecma", "_dialect", "_messages", "_unique"],
    ["_translation"],
    ["_plain", "_pattern"],
    ["_node"],
    ["_unfold", "_sealed"],
    ["_survey", "_verdict"],
    ["_resources"],
    ["_load", "_explanation", "_faults"],
    ["_union", "_unevaluated"],
    ["_keywords"],
    ["_reference"],
    ["_compile"],
    ["_definition"],
    ["_toolset"],
    ["_folder"],
    ["_validation", "_route"],
    ["_authored", "_received"],
    ["_sample", "_near"],
    ["_shape"],
    ["_advice"],
    ["_feedback", "_semantic", "_defaults", "_canonical"],
    ["_tool", "_retry", "typing"],
    ["_result"],
    ["_call", "_stream"],
    ["__init__"],
    ["portability"],
    ["providers.__init__"],
    ["providers._export", "providers._profile", "providers._export_modern"],
    ["providers._export_reading"],
    ["providers._export_values", "providers._export_names"],
    ["providers._export_clashes", "providers._export_conjunction", "providers._export_limits"],
    ["providers._export_root", "providers._export_containers"],
    ["providers._export_hint", "providers._export_rewrite"],
    ["providers._export_build", "providers._export_import"],
    ["providers._export_anthropic", "providers._export_gemini", "providers._export_openai"],
    ["providers._export_command"],
    ["cli"],
    ["__main__"],
]
FLOOR_OF = {module: floor for floor, modules in enumerate(FLOORS) for module in modules}
RING = frozenset({"portability", "cli", "__main__"}) | {
    module for module in FLOOR_OF if module.startswith("providers.")
}
# The ring proves that the public names are enough; tools for the authors of
# schemas may look at what is below the engines.
INSIDE_FOR_THE_RING = frozenset(
    {"_dialect", "_json", "_pointer", "_printable", "_resources", "_translation"}
)

MODULES = sorted(PACKAGE.rglob("*.py"))


def imports(path: Path) -> set[str]:
    """The modules of ours that a file imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            assert not (isinstance(node, ast.ImportFrom) and node.level), "imports are absolute"
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == "toolschema":
                inside = ".".join(parts[1:3])
                known = len(parts) > 1 and parts[1] in FLOOR_OF
                module = parts[1] if known else "__init__"
                found.add(inside if inside in FLOOR_OF else module)
    return found


def name_of(path: Path) -> str:
    """A module by its name, one of a sub-package with that in front."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_import_downwards(path: Path) -> None:
    module = name_of(path)
    assert module in FLOOR_OF, "every module has its floor"
    for imported in imports(path):
        assert FLOOR_OF[imported] < FLOOR_OF[module]
        if module in RING:
            assert not imported.startswith("_") or imported in {"__init__", *INSIDE_FOR_THE_RING}


@pytest.mark.parametrize(
    ("library", "module"),
    [("jsonschema_rs", "_verdict"), ("jiter", "_json")],
)
def test_one_module_knows_each_engine(library: str, module: str) -> None:
    knowing = [path.stem for path in MODULES if f"import {library}" in path.read_text()]
    assert knowing == [module]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.stem))
def test_modules_stay_small(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 360


def test_the_public_names() -> None:
    assert toolschema.__all__ == [
        "Accepted",
        "Issue",
        "Limits",
        "Rejected",
        "RetryGuard",
        "StreamFinish",
        "StreamSequenceError",
        "StreamValidator",
        "Tool",
        "ToolArgumentsValidationError",
        "ToolCall",
        "ToolCallDelta",
        "ToolCallEnd",
        "ToolCallStart",
        "ToolDefinition",
        "ToolError",
        "ToolResult",
        "ToolSchemaError",
        "ToolSet",
        "Toolbox",
        "UnknownToolError",
        "accept",
        "check_tool_arguments",
        "feedback",
        "load_tool",
        "load_tools",
        "parse_tool_arguments",
        "reject",
        "validate_tool_arguments",
    ]
    for door in (toolschema, toolschema.errors, toolschema.typing):
        assert door.__all__ == sorted(door.__all__)
        assert all(hasattr(door, name) for name in door.__all__)


def test_nothing_else_lies_at_the_top() -> None:
    fixed = {"pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "toolschema", "schemas",
             "tests", "benchmarks"}  # fmt: skip
    made = {"build", "dist", "node_modules"}
    names = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert names - made <= fixed
