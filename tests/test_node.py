"""Implementations in JavaScript agree, and read the schemas of the project as they are."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, cannot
from test_contract import CASES

pytestmark = pytest.mark.once

NODE = ROOT / "tests" / "node"
CACHE = ROOT / ".cache" / "node"


def install() -> Path:
    """The pinned packages, from the lock file; once, until that file changes."""
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
def replayed() -> dict[str, Any]:
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            cannot(f"{program} is not installed")
    # Node looks for packages beside the script.
    script = shutil.copy(NODE / "replay.mjs", install())
    ended = subprocess.run(["node", script, ROOT], capture_output=True, text=True, check=False)
    assert ended.stdout, ended.stderr
    summary: dict[str, Any] = json.loads(ended.stdout)
    assert bool(ended.returncode) is bool(summary["unexplained"])
    return summary


def claimed(engine: str) -> Counter[str]:
    return Counter(case.get(engine, "same") for case in CASES)


def test_every_difference_has_its_reason_in_the_contract(replayed: dict[str, Any]) -> None:
    assert replayed["unexplained"] == []


def test_every_case_was_replayed(replayed: dict[str, Any]) -> None:
    assert replayed["cases"] == len(CASES)
    assert replayed["typebox"] == claimed("typebox")
    assert replayed["ajv"] == claimed("ajv")


def test_both_take_every_example_of_the_schemas_as_they_are(replayed: dict[str, Any]) -> None:
    tools = [json.loads(path.read_bytes()) for path in (ROOT / "schemas").glob("[!_]*.json")]
    assert replayed["schemas"] == len(tools)
    assert replayed["examples"] == sum(len(tool["examples"]) for tool in tools)
    assert not [each for each in replayed["unexplained"] if "example" in each]


def test_the_lock_file_names_no_server() -> None:
    assert b"resolved" not in (NODE / "package-lock.json").read_bytes()
