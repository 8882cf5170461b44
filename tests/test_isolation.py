"""Nothing is ever fetched, and definitions work under every way of starting a process."""

from __future__ import annotations

import json
import multiprocessing
import os
import socket
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import READ, ROOT, define

from toolschema import (
    Issue,
    Limits,
    ToolDefinition,
    ToolSchemaError,
    check_tool_arguments,
    load_tools,
)


class Listener:
    """A local server that counts its connections."""

    def __init__(self) -> None:
        self.calls = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket.settimeout(0.2)
        self.port: int = self._socket.getsockname()[1]
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        while not self._ends.is_set():
            try:
                connection, _ = self._socket.accept()
            except TimeoutError:
                continue
            self.calls += 1
            connection.close()

    def close(self) -> None:
        self._ends.set()
        self._thread.join()
        self._socket.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    server = Listener()
    yield server
    server.close()


@pytest.mark.parametrize("keyword", ["$ref", "$dynamicRef", "$schema", "$id"])
@pytest.mark.parametrize("is_resource", [False, True], ids=["tool", "resource"])
def test_no_uri_is_ever_fetched(
    listener: Listener, tmp_path: Path, keyword: str, is_resource: Any
) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('{"type": "string"}')
    for uri in (f"http://127.0.0.1:{listener.port}/x.json", secret.as_uri()):
        schema: Any = {keyword: uri, "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {}}}
        resources = {"r.json": schema} if is_resource else {}
        try:
            tool = define({"$ref": "r.json"} if is_resource else schema, resources=resources)
        except ToolSchemaError:
            assert keyword != "$id"
        else:
            assert keyword == "$id"
            check_tool_arguments(tool, {"a": 1})
            check_tool_arguments(tool, [])
    assert listener.calls == 0


def test_the_listener_counts_connections(listener: Listener) -> None:
    """Otherwise the test above would prove nothing."""
    with socket.create_connection(("127.0.0.1", listener.port)):
        pass
    for _ in range(50):
        if listener.calls:
            break
        threading.Event().wait(0.05)
    assert listener.calls == 1


def _check(tool: ToolDefinition, text: str) -> tuple[Issue, ...]:
    return check_tool_arguments(tool, text)


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_definitions_and_issues_can_be_sent_to_other_processes(method: str) -> None:
    tool = ToolDefinition("read", "", READ)
    here = _check(tool, "{}")
    with multiprocessing.get_context(method).Pool(2) as pool:
        there = pool.starmap(_check, [(tool, "{}"), (tool, '{"path": 5}')])
    assert there[0] == here
    assert [issue.as_dict() for issue in there[0]] == [issue.as_dict() for issue in here]
    assert "/path: must be string" in there[1]


def test_limits_for_untrusted_schemas_are_stricter() -> None:
    usual, strict = Limits(), Limits.untrusted()
    for name in ("max_bytes", "max_depth", "max_nodes", "max_steps", "max_pattern_text"):
        assert getattr(strict, name) < getattr(usual, name)
    tool = define(READ, limits=strict)
    assert check_tool_arguments(tool, '{"path": "a", "limit": 1, "options": {"labels": []}}') == ()
    [issue] = check_tool_arguments(tool, '{"path": "' + "a" * 200_000 + '"}')
    assert issue == "/: arguments must not be longer than 131072 bytes"


@pytest.mark.parametrize("shape", ["one text", "many texts", "many names", "many values"])
def test_arguments_just_within_the_limits_are_judged(shape: str) -> None:
    texts: dict[str, Callable[[], Any]] = {
        "one text": lambda: {"v": "x" * (2**24 - 100)},
        "many texts": lambda: {"v": ["x" * 1000] * 16_000},
        "many names": lambda: {f"k{index}": 1 for index in range(900_000)},
        "many values": lambda: {"v": [1] * 990_000},
    }
    text = json.dumps(texts[shape](), separators=(",", ":"))
    assert (
        check_tool_arguments(define({"properties": {"v": {"not": {"type": "null"}}}}), text) == ()
    )


@pytest.mark.skipif(sys.platform == "win32", reason="no such names there")
def test_a_file_name_cannot_forge_a_line(tmp_path: Path) -> None:
    """A line break in the name is escaped: a heading and one fault remain."""
    (tmp_path / "a\nb.json").write_text('{"type": "objekt"}')
    with pytest.raises(ToolSchemaError) as caught:
        load_tools(tmp_path)
    assert len(str(caught.value).splitlines()) == 2


def test_format_parsers_are_imported_only_when_jsonschema_needs_them(
    tmp_path: Path,
) -> None:
    """They belong to an extra of jsonschema, and importing them takes a second."""
    package = tmp_path / "rfc3987_syntax"
    package.mkdir()
    (package / "__init__.py").write_text("def is_valid_syntax(rule, text): return text == 'good'")
    code = """
        import sys
        import toolschema
        assert "rfc3987_syntax" not in sys.modules
        import jsonschema
        from importlib.metadata import version
        checker = jsonschema.FormatChecker()
        assert checker.conforms("good", "iri")
        if tuple(map(int, version("jsonschema").split(".")[:2])) >= (4, 25):
            assert not checker.conforms("bad", "iri")
            assert sys.modules["rfc3987_syntax"].__file__
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=environment,
        capture_output=True,
        check=False,
    )
    assert done.stderr == b""
    assert done.returncode == 0
