"""The command line, run as a user runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import DATA, ROOT

from toolschema.cli import main

CALLS = str(DATA / "calls.jsonl")
SCHEMAS = str(ROOT / "schemas")
GOOD_CALL = '{"name": "write", "arguments": {"path": "a.txt", "content": "x"}}'


def run(*arguments: str, text: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "toolschema", *arguments],
        input=text,
        capture_output=True,
        check=False,
        cwd=ROOT,
    )


def test_the_sample_log_is_reported_as_in_the_readme(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", CALLS, "--tools", SCHEMAS]) == 1
    printed = capsys.readouterr().out
    assert printed.splitlines()[:4] == [
        'line 2: Invalid arguments for tool "reschedule_booking":',
        '  - /bookingId: must match pattern "^bk_[0-9a-f]{12}$"',
        '  - /date: must match format "date"',
        'line 3: Invalid arguments for tool "reschedule_booking":',
    ]
    assert 'did you mean "reschedule_booking"' in printed
    assert printed.endswith("45 calls: 19 valid, 26 invalid\n")


def test_json_lines_for_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", CALLS, "--tools", SCHEMAS, "--format", "json"]) == 1
    *calls, summary = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert summary == {"summary": {"calls": 45, "valid": 19, "invalid": 26}}
    assert calls[0]["line"] == 2
    assert calls[0]["tool"] == "reschedule_booking"
    assert calls[0]["issues"][0]["instanceLocation"] == "/bookingId"
    assert calls[0]["issues"][0]["text"].startswith("/bookingId: must match")
    assert [call["line"] for call in calls if call["error"]] == [8, 39, 40]


def test_valid_calls_are_read_from_standard_input() -> None:
    done = run("validate", "-", "--tools", "schemas", text=f"\ufeff{GOOD_CALL}\r\n\n".encode())
    assert (done.returncode, done.stdout) == (0, b"1 call: 1 valid, 0 invalid\n")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"not json", "line 1: the line must be valid JSON (not JSON at column 1)"),
        (b"[]", "line 1: the line must be an object"),
        (b'{"name": 5, "arguments": {}}', 'line 1: the line must have a string as "name"'),
        (b'{"name": "read"}', 'line 1: the line must have "arguments"'),
        (b'{"name": "\\u001b[2J", "arguments": {}}', 'line 1: no tool named "\\u001b[2J"'),
        (b"\xff", "line 1: the line must be valid JSON (invalid UTF-8"),
        (b'{"name": "write", "arguments": {"path": "a", "path": "b", "content": "x"}}',
            "line 1: the line must not have duplicate properties path"),
        (b'{"name": "write", "arguments": "{\\"path\\": 1}"}', "/path: must be string"),
        ('{"name": "write", "arguments": {"path": "a\u2028b", "content": "x"}}'.encode(),
            "1 call: 1 valid, 0 invalid"),
    ],
)  # fmt: skip
def test_every_line_is_judged_on_its_own(line: bytes, said: str) -> None:
    done = run("validate", "-", "--tools", "schemas", text=line)
    assert said in done.stdout.decode()
    assert done.stderr == b""


def test_large_integers_of_a_log_stay_exact(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('{"properties": {"n": {"const": 18446744073709551617}}}')
    line = b'{"name": "t", "arguments": {"n": 18446744073709551617}}'
    assert run("validate", "-", "--tools", str(tmp_path), text=line).returncode == 0


def test_integers_beyond_64_bits_are_printed_as_json(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('{"properties": {"n": {"maximum": 18446744073709551617}}}')
    line = b'{"name": "t", "arguments": {"n": 18446744073709551618}}'
    done = run("validate", "-", "--tools", str(tmp_path), "--format", "json", text=line)
    assert json.loads(done.stdout.splitlines()[0])["issues"][0]["params"] == {"maximum": 2**64 + 1}


def test_a_warning_names_the_file_even_where_schemas_are_equal(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text('{"properties": {"x": {"pattern": "(?i)a"}}}')
    warnings = run("check", str(tmp_path)).stdout.decode()
    assert "a.json#/properties/x/pattern" in warnings
    assert "b.json#/properties/x/pattern" in warnings


def test_empty_arguments_are_an_object_only_with_the_option(
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = b'{"name": "search_bookings", "arguments": ""}'
    assert run("validate", "-", "--tools", "schemas", text=line).returncode == 1
    done = run("validate", "-", "--tools", "schemas", "--empty-is-object", text=line)
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["validate", "gone.jsonl", "--tools", "schemas"], "gone.jsonl: No such file"),
        (["validate", "schemas", "--tools", "schemas"], "schemas: Is a directory"),
        (["validate", CALLS, "--tools", "gone"], "No such file or directory"),
        (["validate", CALLS], "the following arguments are required: --tools"),
        ([], "the following arguments are required: COMMAND"),
        (["validate", CALLS, "--tools", "schemas", "--format", "xml"], "invalid choice: 'xml'"),
    ],
)
def test_unusable_input_is_one_line_and_exit_code_two(arguments: list[str], said: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert said in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_a_file_that_is_not_a_bundle_is_a_single_fault() -> None:
    done = run("check", "README.md")
    assert done.returncode == 1
    assert done.stdout.decode() == (
        "README.md: a schema file must be valid JSON (not JSON at line 1 column 1)\n1 fault\n"
    )


def test_check_lists_faults_and_portability_warnings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.json").write_text(r'{"properties": {"x": {"pattern": "(?i)a"}}}')
    (tmp_path / "b.json").write_text(r'{"patternProperties": {"\\-": {}}}')
    assert main(["check", str(tmp_path)]) == 0
    warnings = capsys.readouterr().out
    assert "a.json#/properties/x/pattern: rejected by other languages" in warnings
    assert "b.json#/patternProperties/\\-: rejected by other languages" in warnings
    assert warnings.endswith("2 tools, no faults\n")
    (tmp_path / "c.json").write_text('{"type": "objekt", "required": 1}')
    (tmp_path / "d.json").write_text("{")
    assert main(["check", str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "3 faults"
    assert main(["check", str(tmp_path), "--format", "json"]) == 1
    *faults, summary = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert summary == {"summary": {"tools": 2, "faults": 3, "warnings": 2}}
    assert [fault["kind"] for fault in faults] == ["fault"] * 3 + ["warning"] * 2
    assert {fault["location"] for fault in faults[:3]} == {"/required", "/type", None}


def test_check_warns_about_defaults_and_examples_that_are_invalid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    x = {"type": "string", "default": None, "examples": ["a", 1]}
    (tmp_path / "a.json").write_text(json.dumps({"properties": {"x": x}}))
    place = f"{tmp_path.as_posix()}/a.json#/properties/x"
    assert main(["check", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{place}/default: must be string, according to the schema of this default (warning)",
        f"{place}/examples/1: must be string, according to the schema of this example (warning)",
        "1 tool, no faults",
    ]
    assert main(["check", str(tmp_path), "--format", "json"]) == 0
    first, _, summary = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (first["kind"], first["location"]) == ("warning", "/properties/x/default")
    assert first["message"] == "must be string, according to the schema of this default"
    assert summary == {"summary": {"tools": 1, "faults": 0, "warnings": 2}}


def test_the_projects_schemas_have_no_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", SCHEMAS]) == 0
    assert capsys.readouterr().out == "8 tools, no faults\n"


def test_a_bad_schema_stops_a_validation(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"type": "objekt"}')
    done = run("validate", CALLS, "--tools", str(tmp_path))
    assert done.returncode == 2
    assert b'a.json#/type: must be "object"' in done.stderr


def test_a_closed_pipe_prints_no_traceback() -> None:
    lines = (json.dumps({"name": "gone", "arguments": {}}) + "\n") * 20_000
    command = [sys.executable, "-m", "toolschema", "validate", "-", "--tools", "schemas"]
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, cwd=ROOT, **pipes) as process:
        process.stdout.close()  # type: ignore[union-attr]
        try:
            process.stdin.write(lines.encode())  # type: ignore[union-attr]
            process.stdin.close()  # type: ignore[union-attr]
        except BrokenPipeError:
            pass
        errors = process.stderr.read()  # type: ignore[union-attr]
    assert errors == b"toolschema: the output was closed before everything was written\n"
    assert process.returncode == 2


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal here")
def test_an_interrupt_prints_no_traceback() -> None:
    command = [sys.executable, "-m", "toolschema", "validate", "-", "--tools", "schemas"]
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    # If the tests run in the background the signal is ignored, and a child
    # would inherit that.
    restore = partial(signal.signal, signal.SIGINT, signal.default_int_handler)
    options: dict[str, Any] = {"cwd": ROOT, "env": {**os.environ, "PYTHONUNBUFFERED": "1"}}
    with subprocess.Popen(command, preexec_fn=restore, **options, **pipes) as process:  # noqa: PLW1509
        process.stdin.write(b"{}\n")  # type: ignore[union-attr]
        process.stdin.flush()  # type: ignore[union-attr]
        assert process.stdout.readline().startswith(b"line 1: ")  # type: ignore[union-attr]
        process.send_signal(signal.SIGINT)
        errors = process.stderr.read()  # type: ignore[union-attr]
    assert errors == b"toolschema: interrupted\n"
    assert process.returncode == 130


def test_a_folder_without_tools_is_an_error(tmp_path: Path) -> None:
    for command in (["check", str(tmp_path)], ["validate", CALLS, "--tools", str(tmp_path)]):
        done = run(*command)
        assert done.returncode == 2
        assert done.stderr.decode() == f"toolschema: {tmp_path}: has no tool schemas (*.json)\n"


def test_undeclared_names_can_be_hidden(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('{"additionalProperties": {"type": "string"}}')
    line = b'{"name": "t", "arguments": {"sk-live-42": 1}}'
    options = ["validate", "-", "--tools", str(tmp_path)]
    assert b"/sk-live-42: must be string" in run(*options, text=line).stdout
    hidden = run(*options, "--hide-undeclared-names", text=line).stdout
    assert b"/(undeclared name): must be string" in hidden


def test_a_duplicate_name_in_a_line_can_be_hidden_too() -> None:
    line = b'{"name": "write", "arguments": {"sk-live-42": 1, "sk-live-42": 2}}'
    options = ["validate", "-", "--tools", "schemas"]
    assert b"duplicate properties sk-live-42" in run(*options, text=line).stdout
    hidden = run(*options, "--hide-undeclared-names", text=line).stdout
    assert hidden.startswith(
        b"line 1: the line must not have duplicate properties (undeclared name)"
    )


def test_an_overlong_line_is_reported_in_one_line(tmp_path: Path) -> None:
    log = tmp_path / "calls.jsonl"
    with log.open("wb") as stream:
        stream.seek(200 * 1024 * 1024)
        stream.write(f"\n{GOOD_CALL}\n".encode())
    done = run("validate", str(log), "--tools", "schemas")
    assert done.stdout.decode().splitlines() == [
        "line 1: the line must not be longer than 67108864 bytes",
        "2 calls: 1 valid, 1 invalid",
    ]


def test_check_counts_tools_only(tmp_path: Path) -> None:
    (tmp_path / "_parts.json").write_text(r'{"pattern": "\\-"}')
    (tmp_path / "broken.json").symlink_to("gone.json")
    (tmp_path / "bad.json").write_text('{"type": "objekt"}')
    (tmp_path / "good.json").write_text("{}")
    done = run("check", str(tmp_path), "--format", "json")
    assert (done.returncode, done.stderr) == (1, b"")
    summary = json.loads(done.stdout.splitlines()[-1])
    assert summary == {"summary": {"tools": 1, "faults": 1, "warnings": 0}}


def test_version_prints_the_installed_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out.startswith("toolschema 0.1.")


@pytest.mark.parametrize("command", [[], ["validate"], ["check"]])
def test_help_explains_the_exit_codes(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*command, "--help"])
    assert caught.value.code == 0
    assert "  1    a call is invalid, a schema has a fault," in capsys.readouterr().out
