"""The official JSON Schema Test Suite, fetched when a test needs it.

It is part of the source distribution of jsonschema, downloaded from the package
index at a pinned version and checksum; nothing of it is committed.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tarfile
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

CACHE = Path(__file__).parent.parent / ".cache"
VERSION = "4.26.0"
NAME = f"jsonschema-{VERSION}.tar.gz"
SHA256 = "0c26707e2efad8aa1bfc5b7ce170f3fccc2e4918ff85989ba9ffa9facb2be326"

FOLDERS = {"2020-12": "draft2020-12", "2019-09": "draft2019-09", "draft-07": "draft7"}
URIS = {
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft-07": "http://json-schema.org/draft-07/schema#",
}


class Group(NamedTuple):
    dialect: str
    file: str
    description: str
    schema: Any
    tests: list[dict[str, Any]]

    def __str__(self) -> str:
        return f"{self.dialect}/{self.file}: {self.description}"


@cache
def folder() -> Path:
    """The folder of the suite. Without it the test is skipped, or fails in CI."""
    archive = CACHE / NAME
    if not archive.exists():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary",
                   "jsonschema", "--dest", str(CACHE), f"jsonschema=={VERSION}"]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            reason = f"the test suite cannot be had: {done.stderr.strip()[-200:]}"
            pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    assert digest == SHA256, "this is not the archive that the tests were written for"
    target = CACHE / f"jsonschema-{VERSION}"
    if not target.exists():
        with tarfile.open(archive) as tar:
            tar.extractall(CACHE, [member for member in tar if "/json/" in member.name])  # noqa: S202
    return target / "json"


@cache
def remotes() -> dict[str, Any]:
    """The schemas that the suite expects to be served from localhost."""
    root = folder() / "remotes"
    unknown = ("draft3", "draft4", "draft6", "draft-next")
    return {
        f"http://localhost:1234/{path.relative_to(root).as_posix()}": json.loads(path.read_bytes())
        for path in sorted(root.rglob("*.json"))
        if path.relative_to(root).parts[0] not in unknown
    }


def groups(dialect: str) -> list[Group]:
    root = folder() / "tests" / FOLDERS[dialect]
    return [
        Group(dialect, path.relative_to(root).as_posix(), *_parts(group))
        for path in sorted(root.rglob("*.json"))
        for group in json.loads(path.read_bytes())
    ]


def _parts(group: dict[str, Any]) -> tuple[str, Any, list[dict[str, Any]]]:
    return group["description"], group["schema"], group["tests"]
