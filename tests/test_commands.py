"""What all commands share: files, terminals, scripts and errors."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from conftest import ROOT

from toolschema.cli import main

pty = pytest.importorskip("pty", reason="terminals are of POSIX")

EXPORT = ["export", "schemas", "--provider", "gemini"]
CALLS = '{"name": "write", "arguments": {"path": "a.txt", "content": 1}}\n'


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def on_a_terminal(
    *arguments: str, without_rich: bool = False, **environment: str
) -> tuple[int, str]:
    """The exit code, and the output on a terminal of 100 columns."""
    hidden = "sys.modules['rich.console'] = None; " if without_rich else ""
    code = f"import sys; {hidden}from toolschema.cli import main; sys.exit(main(sys.argv[1:]))"
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "COLUMNS": "100", "TERM": "xterm-256color", **environment},
    ) as process:
        os.close(theirs)
        pieces = []
        while piece := _read(ours):
            pieces.append(piece)
    os.close(ours)
    return process.returncode, b"".join(pieces).decode().replace("\r\n", "\n")


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # the other end was closed
        return b""


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "calls.jsonl"
    path.write_text(CALLS)
    return str(path)


def test_a_terminal_gets_colours_and_a_table(log: str) -> None:
    code, printed = on_a_terminal("validate", log, "--tools", "schemas")
    assert code == 1
    assert "\x1b[36m/content\x1b[0m: must be string" in printed
    plain = re.sub(r"\x1b\[[\d;]*m", "", printed)
    assert [line.split() for line in plain.splitlines()[-3:-1]] == [
        ["tool", "calls", "valid", "invalid"],
        ["write", "1", "0", "1"],
    ]


def test_a_terminal_without_colours_still_gets_the_table(log: str) -> None:
    code, printed = on_a_terminal("validate", log, "--tools", "schemas", NO_COLOR="1")
    assert code == 1
    assert "\x1b" not in printed
    assert ["write", "1", "0", "1"] in [line.split() for line in printed.splitlines()]


def test_without_rich_the_output_is_plain(log: str) -> None:
    command = ["validate", log, "--tools", "schemas"]
    code, printed = on_a_terminal(*command, without_rich=True)
    piped = subprocess.run(
        [sys.executable, "-m", "toolschema", *command], capture_output=True, text=True, check=False
    )
    assert (code, printed) == (piped.returncode, piped.stdout)


def test_export_losses_are_a_table_on_a_terminal() -> None:
    code, printed = on_a_terminal(*EXPORT, "-o", os.devnull, NO_COLOR="1")
    assert code == 0
    assert ["location", "effect", "reason"] in [line.split() for line in printed.splitlines()]


def test_names_are_not_read_as_markup(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('{"properties": {"[bold]x[/]": {"type": "string"}}}')
    calls = tmp_path / "calls.jsonl"
    calls.write_text('{"name": "t", "arguments": {"[bold]x[/]": 1}}')
    _, printed = on_a_terminal("validate", str(calls), "--tools", str(tmp_path), NO_COLOR="1")
    assert "/[bold]x[~1]: must be string" in printed


def test_scripts_on_a_terminal_get_json(log: str) -> None:
    _, printed = on_a_terminal("validate", log, "--tools", "schemas", "--format", "json")
    assert [json.loads(line) for line in printed.splitlines()][-1]["summary"]["calls"] == 1


def test_export_losses_are_json_lines_for_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*EXPORT, "--format", "json"]) == 0
    losses = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert losses
    for loss in losses:
        assert list(loss) == ["source", "location", "keyword", "effect", "message"]
        assert loss["source"].startswith("schemas/")


def test_a_file_receives_what_would_be_printed(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "tools.json"
    assert main(EXPORT) == main([*EXPORT, "-o", str(path)]) == 0
    assert path.read_bytes() == capsysbinary.readouterr().out


def test_reports_can_be_written_to_a_file(
    log: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "report.txt"
    assert main(["validate", log, "--tools", "schemas", "-o", str(path)]) == 1
    assert path.read_text().endswith("1 call: 0 valid, 1 invalid\n")
    assert main(["check", "schemas", "-o", str(path)]) == 0
    assert path.read_text() == "8 tools, no faults\n"
    assert capsys.readouterr() == ("", "")


def test_a_file_keeps_its_content_if_the_command_fails(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    path.write_text("before")
    assert main(["validate", "gone.jsonl", "--tools", "schemas", "-o", str(path)]) == 2
    code = f"""
        import sys
        from toolschema.cli import validate
        from toolschema.cli import main
        def fail(*_): raise KeyboardInterrupt
        validate._summarise = fail
        sys.exit(main(["validate", {os.devnull!r}, "--tools", "schemas", "-o", {str(path)!r}]))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], check=False, capture_output=True
    )
    assert (done.returncode, done.stderr) == (130, b"toolschema: interrupted\n")
    assert path.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["report.txt"]


def test_a_file_keeps_its_mode_and_a_link_stays_one(tmp_path: Path) -> None:
    path, link = tmp_path / "tools.json", tmp_path / "link.json"
    path.touch(0o640)
    path.chmod(0o640)
    link.symlink_to(path)
    assert main([*EXPORT, "-o", str(link)]) == 0
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert json.loads(path.read_text())


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    assert main([*EXPORT, "-o", str(tmp_path / "tools.json")]) == 0
    modes = {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert len(modes) == 1


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("gone/tools.json", "its folder does not exist"),
        ("schemas", "Is a directory"),
        ("README.md/tools.json", "its folder does not exist"),
    ],
)
def test_an_output_that_cannot_be_written_is_one_line(
    path: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*EXPORT, "-o", path]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("toolschema: ")
    assert line.endswith(f"{path}: {said}")


def test_check_only_compares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tools.json"
    checked = [*EXPORT, "-o", str(path), "--check"]
    assert main(checked) == 1
    assert not path.exists()
    assert main([*EXPORT, "-o", str(path)]) == 0
    capsys.readouterr()
    assert main(checked) == 0
    path.write_text("[]")
    assert main(checked) == 1
    assert path.read_text() == "[]"
    assert capsys.readouterr().err == (
        f"toolschema: {path}: is out of date; run the command without --check to update it\n"
    )
    assert main([*checked, "--fail-on-loss"]) == 1


def test_check_needs_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*EXPORT, "--check"]) == 2
    assert capsys.readouterr().err == "toolschema: --check needs a file to compare with: -o FILE\n"


def test_every_schema_fault_has_its_own_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.json").write_text('{"type": "objekt", "required": 1}')
    assert main(["export", str(tmp_path), "--provider", "gemini"]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"toolschema: {tmp_path}/a.json#/required: ")
    assert second.startswith(f"toolschema: {tmp_path}/a.json#/type: ")


def test_a_usage_error_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["export", "schemas", "--provider", "other"])
    assert caught.value.code == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.endswith("; see toolschema export --help")


def test_output_is_utf_8_in_any_locale(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('{"description": "Grüße"}', encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "toolschema", "export", str(tmp_path), "--provider", "anthropic"],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
    )
    assert json.loads(done.stdout)[0]["description"] == "Grüße"


@pytest.mark.parametrize("closed", ["2>/dev/full", "2>&-"])
def test_the_exit_code_is_right_even_if_errors_cannot_be_written(closed: str) -> None:
    command = f"{sys.executable} -m toolschema validate gone --tools schemas {closed}"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
