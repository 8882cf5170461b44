"""Rooms import one way only; what is public is exactly what is meant to be."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
import textwrap
from fnmatch import fnmatch
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from conftest import ROOT

import toolschema
import toolschema.errors
import toolschema.typing

PACKAGE = ROOT / "toolschema"

PROVIDERS = ("anthropic", "gemini", "openai_chat", "openai_responses")
COMMANDS = ("bundle", "check", "export", "types", "validate", "vectors")

# Each room and what it may import. The ring knows the front door, and looks inside
# no further than JSON and what schemas say.
INNER = {"_json", "errors", "_schema"}
DOORS = {"__init__", "errors", "typing"}
RING: dict[str, set[str]] = {
    "bundle": DOORS | {"_json", "_schema"},
    "checks": DOORS | {"_json", "_schema"},
    "types": DOORS | {"_json", "_schema"},
    "vectors": DOORS | {"_json", "_schema"},
    "providers": DOORS | {"_json", "_schema"},
    "mcp": DOORS | {"_json", "_schema", "providers"},
    "cli": DOORS | {"_json", "_schema", "bundle", "types", "vectors", "providers"},
    "__main__": {"cli"},
}
ROOMS: dict[str, set[str]] = {
    "_json": set(),
    "errors": {"_json"},
    "_schema": {"_json", "errors"},
    "_validation": INNER,
    "_calls": INNER | {"_validation"},
    "typing": {"_json", "_calls"},
    "__init__": INNER | {"_validation", "_calls"},
    **RING,
}
# What does not hold yet; each entry is to go, and none is to come.
IMPORTS_TO_REMOVE: dict[str, set[str]] = {
    "checks": {"_calls.semantic"},
    "cli.export": {
        "providers._export.names",
        "providers._export.profiles",
        "providers._export.report",
    },
    "mcp._listing": {"providers._export.export", "providers._export.profiles"},
}
ATTRIBUTES_TO_REMOVE: dict[str, set[str]] = {}
PRIVATE_ROOMS = list(PACKAGE.rglob("_*/__init__.py"))


def module_of(path: Path) -> str:
    """Its dotted name below the package; a package has its own."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def known(name: str) -> str:
    """The module of ours that a dotted name leads to."""
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name or "__init__"


def imports(path: Path) -> set[str]:
    """The modules of ours that a file imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.module, "imports are absolute"
            assert not node.level, "imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {
            known(name.removeprefix("toolschema").removeprefix("."))
            for name in names
            if name.partition(".")[0] == "toolschema"
        }
    return found


IMPORTS = {module: imports(path) for module, path in MODULES.items()}


def room_of(module: str) -> str:
    return module.partition(".")[0]


def test_every_room_is_in_the_table() -> None:
    assert {room_of(module) for module in MODULES} == ROOMS.keys()
    TopologicalSorter(ROOMS).prepare()  # a cycle raises


def abroad(module: str) -> set[str]:
    """The modules of other rooms that a module imports."""
    found = {other for other in IMPORTS[module] if room_of(other) != room_of(module)}
    return found - IMPORTS_TO_REMOVE.get(module, set())


@pytest.mark.parametrize("module", MODULES)
def test_rooms_import_one_way(module: str) -> None:
    assert {room_of(other) for other in abroad(module)} <= ROOMS[room_of(module)]


@pytest.mark.parametrize("module", [module for module in MODULES if room_of(module) in RING])
def test_the_ring_imports_what_is_public_of_the_ring(module: str) -> None:
    assert not {other for other in abroad(module) if room_of(other) in RING and "._" in other}


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def private_definitions(tree: ast.AST) -> set[str]:
    """The underscored names that a file defines: functions, classes, variables, attributes."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(node.name)
            case ast.Name(ctx=ast.Store()):
                found.add(node.id)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), ctx=ast.Store()):
                found.add(node.attr)
            case ast.Assign(targets=[ast.Name(id="__slots__")]):
                slots = ast.literal_eval(node.value)
                found |= {slots} if isinstance(slots, str) else {*slots}
    return {name for name in found if is_private(name)}


def private_accesses(tree: ast.AST) -> set[str]:
    """The underscored attributes that a file reads or sets of other objects than its own."""
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and is_private(node.attr)
        if not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
    }


TREES = {module: ast.parse(path.read_text(encoding="utf-8")) for module, path in MODULES.items()}
PRIVATE_NAMES: dict[str, set[str]] = {room: set() for room in ROOMS}
for _module, _tree in TREES.items():
    PRIVATE_NAMES[room_of(_module)] |= private_definitions(_tree)


@pytest.mark.parametrize("module", MODULES)
def test_no_file_touches_an_underscored_attribute_of_another_room(module: str) -> None:
    """By its name alone: it is another room's where only other rooms define it.

    What a definition shows to the ring has no underscore: ``compiled``, ``source``,
    ``sources`` and ``schema_fault``.
    """
    foreign = set().union(*PRIVATE_NAMES.values()) - PRIVATE_NAMES[room_of(module)]
    touched = private_accesses(TREES[module]) & foreign
    assert touched <= ATTRIBUTES_TO_REMOVE.get(module, set())


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib is not in this Python")
def test_coverage_and_mutants_are_of_the_whole_core() -> None:
    from tomllib import loads  # noqa: PLC0415 - not in Python 3.10

    settings = loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    core = {"_json", "errors", "_schema", "_validation", "_calls"}
    assert set(settings["coverage"]["run"]["source_pkgs"]) == {f"toolschema.{r}" for r in core}
    mutated = {
        module
        for module, path in MODULES.items()
        for pattern in settings["mutmut"]["only_mutate"]
        if fnmatch(path.relative_to(ROOT).as_posix(), pattern)
    }
    assert mutated == {module for module in MODULES if room_of(module) in core}


def test_an_underscored_attribute_is_found_however_it_is_defined() -> None:
    defining = """
        _a: int = 1
        class _B:
            __slots__ = ("_c", "public")
            _d: str
            def _e(self):
                self._f = _g = 1
                self.__mangled = self.public = 1
    """
    tree = ast.parse(textwrap.dedent(defining))
    assert private_definitions(tree) == {"_a", "_B", "_c", "_d", "_e", "_f", "_g"}
    using = "self._a; cls._b; x._c; x.y._d(); f()._e = 1; x.__f__; x.g; x._h.i"
    assert private_accesses(ast.parse(using)) == {"_c", "_d", "_e", "_h"}


@pytest.mark.parametrize("room", ROOMS)
def test_no_cycle_within_a_room(room: str) -> None:
    inside = {
        module: {each for each in IMPORTS[module] if room_of(each) == room and each != module}
        for module in MODULES
        if room_of(module) == room
    }
    TopologicalSorter(inside).prepare()  # a cycle raises


@pytest.mark.parametrize("path", PRIVATE_ROOMS, ids=module_of)
def test_the_init_of_a_private_room_is_one_docstring(path: Path) -> None:
    [statement] = ast.parse(path.read_text(encoding="utf-8")).body
    assert isinstance(statement, ast.Expr)


@pytest.mark.parametrize(
    ("library", "modules"),
    [
        ("jsonschema_rs", ["_validation.verdict"]),
        ("jiter", ["_json.text"]),
        ("jsonschema", ["_validation.explain.stock"]),
    ],
)
def test_every_engine_is_imported_by_one_module_only(library: str, modules: list[str]) -> None:
    knowing = {
        module
        for module, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] == library)
        or (
            isinstance(node, ast.Import)
            and library in [alias.name.partition(".")[0] for alias in node.names]
        )
    }
    assert sorted(knowing) == modules


def test_the_public_names_are_exactly_these() -> None:
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
def test_all_commands_have_the_same_functions(name: str) -> None:
    command = importlib.import_module(f"toolschema.cli.{name}")
    assert all((command.SUMMARY, command.TEXT, callable(command.run)))
    assert command.EXAMPLE.startswith(f"toolschema {name} ")
    assert callable(command.add_arguments)


@pytest.mark.parametrize("name", PROVIDERS)
def test_all_providers_have_the_same_functions(name: str) -> None:
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


def test_nothing_else_is_at_the_top_of_the_repository() -> None:
    fixed = {"pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "toolschema", "schemas",
             "tests", "benchmarks"}  # fmt: skip
    made = {"build", "dist", "node_modules", "tools.json", "vectors.json"}  # as README shows
    names = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert names - made <= fixed


def test_modules_behind_the_boundary_are_imported_on_first_use() -> None:
    code = """
        import sys, toolschema
        assert "toolschema._calls.toolbox" not in sys.modules
        assert toolschema.Toolbox and "toolschema._calls.toolbox" in sys.modules
        assert set(toolschema.__all__) <= set(dir(toolschema))
        assert not hasattr(toolschema, "gone")
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, b"")
