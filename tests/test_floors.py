"""Modules import downwards only; what is public is exactly what is meant to be."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from conftest import ROOT

import toolschema
import toolschema.errors
import toolschema.typing

PACKAGE = ROOT / "toolschema"

PROVIDERS = ("anthropic", "gemini", "openai_chat", "openai_responses")
COMMANDS = ("bundle", "check", "export", "types", "validate", "vectors")

# From the ground up. A module imports from lines above its own only.
FLOORS = [
    [
        "_pointer",
        "_placeholder",
        "_printable",
        "_limits",
        "_cache",
        "_choice",
        "_exact",
        "_property",
        "_jsonschema",
    ],
    ["_issue", "_place", "_stack", "_pattern_tree"],
    ["_finding", "errors"],
    ["_json", "_ecma", "_dialect", "_messages", "_unique"],
    ["_translation"],
    ["_plain", "_pattern"],
    ["_node"],
    ["_edge", "_sealed"],
    ["_gathering"],
    ["_unfold"],
    ["_survey", "_verdict"],
    ["_surveyor"],
    ["_resources", "_engine_copies"],
    ["_load", "_explanation", "_faults"],
    ["_bundle_file", "_canonical_json", "_pattern_text"],
    ["_union", "_unevaluated"],
    ["_keywords"],
    ["_reference"],
    ["_compile"],
    ["_definition"],
    ["_toolset", "_embedding"],
    ["_folder"],
    ["_filling"],
    ["_validation", "_route"],
    ["_authored", "_received"],
    ["_sample", "_near", "_breaking"],
    ["_shape", "_specimen"],
    ["_spots"],
    ["_case"],
    ["_advice"],
    ["_feedback", "_semantic", "_defaults", "_canonical"],
    ["_tool", "_retry"],
    ["_result"],
    ["_call", "_stream"],
    ["typing"],
    ["__init__"],
    ["bundle", "portability", "samples", "checks", "vectors", "providers", "providers._parts"],
    ["providers._finished", "providers._patches"],
    ["providers._stream"],
    [f"providers._{name}_stream" for name in ("anthropic", "chat", "gemini", "responses")],
    ["providers._export", "providers._profile", "providers._export_modern"],
    ["providers._export_reading"],
    ["providers._export_values", "providers._export_names"],
    ["providers._export_clashes", "providers._export_conjunction", "providers._export_limits"],
    ["providers._export_root", "providers._export_containers"],
    ["providers._export_hint", "providers._export_rewrite"],
    ["providers._export_build", "providers._export_import"],
    ["providers._export_anthropic", "providers._export_gemini", "providers._export_openai"],
    [f"providers.{name}" for name in PROVIDERS],
    ["mcp._sdk", "mcp._output", "mcp._client", "mcp._reading", "mcp._standalone"],
    ["mcp._server", "mcp._listing"],
    ["mcp"],
    ["types._kinds", "types._names", "types._text"],
    ["types._conjunction", "types._expression"],
    ["types._parts"],
    ["types._tool"],
    ["types._module"],
    ["types._generate"],
    ["types"],
    ["commands", "commands._exit", "commands._terminal"],
    ["commands._flags", "commands._page", "commands._exports", "commands._output"],
    [f"commands.{name}" for name in COMMANDS],
    ["cli"],
    ["__main__"],
]
FLOOR_OF = {module: floor for floor, modules in enumerate(FLOORS) for module in modules}
DOORS = frozenset({"__init__", "errors", "typing"})
PACKAGES = frozenset({"commands", "mcp", "providers", "types"})
RING = frozenset({"bundle", "checks", "portability", "samples", "vectors", "cli", "__main__"})
# The ring proves that the public names are enough; tools for the authors of
# schemas may look at what is below the engines.
INSIDE_FOR_THE_RING = frozenset(
    {
        "_bundle_file",
        "_canonical_json",
        "_case",
        "_dialect",
        "_embedding",
        "_json",
        "_messages",
        "_place",
        "_placeholder",
        "_pointer",
        "_printable",
        "_resources",
        "_semantic",
        "_survey",
        "_translation",
    }
)

MODULES = sorted(PACKAGE.rglob("*.py"))


def module_of(path: Path) -> str:
    """Its name below the package; a sub-package has its own."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


def known(parts: list[str]) -> str:
    """The module that a dotted name of ours leads to."""
    while parts and ".".join(parts) not in FLOOR_OF:
        parts = parts[:-1]
    return ".".join(parts) or "__init__"


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
                found.add(known(parts[1:]))
    return found


@pytest.mark.parametrize("path", MODULES, ids=module_of)
def test_modules_import_downwards(path: Path) -> None:
    module = module_of(path)
    assert module in FLOOR_OF, "every module has its floor"
    package = module.partition(".")[0]
    for imported in imports(path):
        assert FLOOR_OF[imported] < FLOOR_OF[module]
        if imported.startswith("providers"):
            assert package in PACKAGES
        elif module in RING or package in PACKAGES:
            assert not imported.startswith("_") or imported in DOORS | INSIDE_FOR_THE_RING


@pytest.mark.parametrize(
    ("library", "module"),
    [("jsonschema_rs", "_verdict"), ("jiter", "_json")],
)
def test_one_module_knows_each_engine(library: str, module: str) -> None:
    knowing = [path.stem for path in MODULES if f"import {library}" in path.read_text()]
    assert knowing == [module]


@pytest.mark.parametrize("path", MODULES, ids=module_of)
def test_modules_stay_small(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 360


def test_the_public_names() -> None:
    assert toolschema.__all__ == [
        "Accepted",
        "Issue",
        "Limits",
        "ProviderFormatError",
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
        "apply_defaults",
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


@pytest.mark.parametrize("name", COMMANDS)
def test_the_commands_have_one_shape(name: str) -> None:
    command = importlib.import_module(f"toolschema.commands.{name}")
    assert all((command.SUMMARY, command.TEXT, callable(command.run)))
    assert command.EXAMPLE.startswith(f"toolschema {name} ")
    assert callable(command.add_arguments)


@pytest.mark.parametrize("name", PROVIDERS)
def test_the_verbs_of_providers(name: str) -> None:
    provider = importlib.import_module(f"toolschema.providers.{name}")
    assert {"astream_events", "stream_events", "tool_calls", "tool_result"} <= {*provider.__all__}
    assert provider.__all__ == sorted(provider.__all__)
    assert all(getattr(provider, verb).__doc__.count(">>>") for verb in provider.__all__)


def test_no_provider_needs_its_sdk() -> None:
    names = "".join(f"import toolschema.providers.{name}; " for name in PROVIDERS)
    sdks = "{'anthropic', 'google', 'openai'}"
    code = f"import sys; {names}print({sdks} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_nothing_else_lies_at_the_top() -> None:
    fixed = {"pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "toolschema", "schemas",
             "tests", "benchmarks"}  # fmt: skip
    made = {"build", "dist", "node_modules", "tools.json", "vectors.json"}  # as README shows
    names = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert names - made <= fixed


def test_what_lies_behind_the_boundary_is_imported_when_it_is_asked_for() -> None:
    code = """
        import sys, toolschema
        assert "toolschema._call" not in sys.modules
        assert toolschema.Toolbox and "toolschema._call" in sys.modules
        assert set(toolschema.__all__) <= set(dir(toolschema))
        assert not hasattr(toolschema, "gone")
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, b"")
