"""Validators in JavaScript agree, and read our schemas, bundles and vectors unchanged."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, cannot
from test_contract import CASES

from toolschema import check_tool_arguments, load_tools
from toolschema.bundle import __doc__ as help_text
from toolschema.bundle import bundle
from toolschema.vectors import vectors

pytestmark = pytest.mark.once

NODE = ROOT / "tests" / "node"
CACHE = ROOT / ".cache" / "node"


def install() -> Path:
    """Install the packages of the lock file, once until that file changes."""
    done = CACHE / "installed.json"
    lock = (NODE / "package-lock.json").read_bytes()
    if done.exists() and done.read_bytes() == lock:
        return CACHE
    CACHE.mkdir(parents=True, exist_ok=True)
    done.unlink(missing_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(NODE / name, CACHE / name)
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    ended = subprocess.run(command, cwd=CACHE, capture_output=True, text=True, check=False)
    if ended.returncode:
        cannot(f"the packages cannot be had: npm exited with {ended.returncode}")
    done.write_bytes(lock)
    return CACHE


@pytest.fixture(scope="module")
def scripts() -> Path:
    """A folder with the programs of tests/node and their packages."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            cannot(f"{program} is not installed")
    folder = install()
    for script in NODE.glob("*.mjs"):
        shutil.copy(script, folder)
    return folder


def replay(scripts: Path, *arguments: str | Path) -> dict[str, Any]:
    command = ["node", scripts / "replay.mjs", *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.stdout, ended.stderr
    summary: dict[str, Any] = json.loads(ended.stdout)
    assert bool(ended.returncode) is bool(summary["unexplained"])
    return summary


@pytest.fixture(scope="module")
def replayed(scripts: Path) -> dict[str, Any]:
    return replay(scripts, ROOT)


@pytest.fixture(scope="module")
def clone(scripts: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the commands of a service need from the repository, with their input."""
    folder = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / "schemas", folder / "schemas")
    shutil.copytree(ROOT / "tests" / "data", folder / "tests" / "data")
    (folder / "tests" / "node").symlink_to(scripts, target_is_directory=True)
    tools = load_tools(ROOT / "schemas")
    (folder / "tools.json").write_bytes(bundle(tools).data)
    (folder / "vectors.json").write_bytes(vectors(tools).data)
    return folder


def claimed(engine: str) -> Counter[str]:
    return Counter(case.get(engine, "same") for case in CASES)


def test_every_difference_is_explained_in_the_contract(replayed: dict[str, Any]) -> None:
    assert replayed["unexplained"] == []


def test_every_case_was_replayed(replayed: dict[str, Any]) -> None:
    assert replayed["cases"] == len(CASES)
    assert replayed["typebox"] == claimed("typebox")
    assert replayed["ajv"] == claimed("ajv")


def test_both_accept_every_example_of_the_unchanged_schemas(replayed: dict[str, Any]) -> None:
    tools = [json.loads(path.read_bytes()) for path in (ROOT / "schemas").glob("[!_]*.json")]
    assert replayed["schemas"] == len(tools)
    assert replayed["examples"] == sum(len(tool["examples"]) for tool in tools)
    assert not [difference for difference in replayed["unexplained"] if "example" in difference]


def test_both_reproduce_generated_vectors_and_the_bundle(scripts: Path, clone: Path) -> None:
    given = (clone / "vectors.json", clone / "tools.json")
    summary = replay(scripts, "--vectors", given[0], "--bundle", given[1])
    cases = json.loads((clone / "vectors.json").read_bytes())["cases"]
    assert summary["unexplained"] == []
    assert summary["cases"] == summary["bundle"] == summary["ajv"]["same"] == len(cases)
    # For a union, TypeBox lists the issues of every branch; all other lines are the same.
    assert summary["typebox"]["differs"] == 0
    in_unions = sum("oneOf" in json.dumps(case["schema"]) and not case["valid"] for case in cases)
    assert summary["typebox"]["verdict"] <= in_unions


def test_a_replay_reports_a_wrong_verdict_and_a_wrong_line(scripts: Path, tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"v": {"type": "string"}}}
    case = {"name": "a", "tool": "t", "schema": schema, "arguments": '{"v": 1}'}
    wrong = [
        {**case, "valid": True, "issues": []},
        {**case, "valid": False, "issues": ["/v: must be number"]},
    ]
    path = tmp_path / "vectors.json"
    path.write_text(json.dumps({"description": "", "cases": wrong}))
    found = replay(scripts, "--vectors", path)["unexplained"]
    assert [(difference["engine"], difference["measured"]) for difference in found] == [
        ("typebox", "differs"),
        ("ajv", "differs"),
        ("typebox", "verdict"),
    ]


COMMANDS = {
    "node tests/node/service.mjs schemas < tests/data/calls.jsonl": "45 calls: 20 valid, 25 invalid",
    "node tests/node/service.mjs tools.json < tests/data/calls.jsonl": "45 calls: 20 valid, 25 invalid",
    "node tests/node/service.mjs schemas --vectors vectors.json": "as expected",
    "node tests/node/service.mjs tools.json --vectors vectors.json": "as expected",
}
"""The commands of a service in Node, and how their output ends.

One call of the log has a duplicate name: `JSON.parse` keeps the last value. All other
verdicts are those of `toolschema validate`.
"""


@pytest.mark.parametrize("command", COMMANDS)
def test_a_service_reads_the_folder_the_bundle_and_the_vectors(command: str, clone: Path) -> None:
    ended = subprocess.run(
        ["sh", "-c", command], cwd=clone, capture_output=True, text=True, check=False
    )
    assert ended.stdout.rstrip().endswith(COMMANDS[command]), ended.stderr
    assert ended.returncode is int("calls.jsonl" in command)


def test_every_command_named_by_the_service_is_tested() -> None:
    head = (NODE / "service.mjs").read_text().split("import")[0]
    named = {line.removeprefix("// ") for line in head.splitlines() if "node tests/" in line}
    assert named <= set(COMMANDS)


def test_a_service_refuses_the_same_calls(clone: Path) -> None:
    ours = set()
    tools = load_tools(clone / "tools.json")
    lines = (clone / "tests" / "data" / "calls.jsonl").read_text().split("\n")
    for number, line in enumerate(filter(None, lines), 1):
        try:
            call = json.loads(line)
            if check_tool_arguments(tools[call["name"]], call["arguments"]):
                ours.add(number)
        except (ValueError, KeyError):
            ours.add(number)
    command = "node tests/node/service.mjs tools.json < tests/data/calls.jsonl"
    said = subprocess.run(
        ["sh", "-c", command], cwd=clone, capture_output=True, text=True, check=False
    ).stdout
    theirs = {int(number) for number in re.findall("^line ([0-9]+):", said, re.MULTILINE)}
    duplicate = 1 + next(
        n
        for n, line in enumerate(filter(None, lines))
        if "date" in line and line.count('date\\"') == 2
    )
    assert ours - theirs == {duplicate}
    assert theirs <= ours


def test_the_lock_file_names_no_registry() -> None:
    assert b"resolved" not in (NODE / "package-lock.json").read_bytes()


def test_the_commands_shown_by_help_work(clone: Path) -> None:
    indented = [line for line in str(help_text).splitlines() if line.startswith("    ")]
    steps = [line.strip() for line in indented]
    assert steps[0] == "npm ci --prefix tests/node"  # already done in this clone
    for step in steps[1:]:
        ours = f"{sys.executable} -m toolschema "
        ended = subprocess.run(
            ["sh", "-c", step.replace("toolschema ", ours)],
            cwd=clone, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ended.returncode == int("calls.jsonl" in step), ended.stderr
        assert ended.stdout.rstrip().endswith(COMMANDS.get(step, ""))
    assert set(COMMANDS) & set(steps)
