"""Two type checkers know the type of the arguments of a typed definition."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

pytestmark = pytest.mark.once

TYPED = Path(__file__).parent / "typed" / "typed_arguments.py"
EXPECTED = [
    number for number, line in enumerate(TYPED.read_text().splitlines(), 1) if "# EXPECT" in line
]


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "checker",
    [
        pytest.param(["mypy", "--strict", "--no-incremental"], id="mypy"),
        pytest.param(["pyright", "--pythonpath", sys.executable], id="pyright"),
    ],
)
def test_type_checkers_know_the_type_of_the_arguments(checker: list[str]) -> None:
    pytest.importorskip(checker[0])
    done = subprocess.run(
        [sys.executable, "-m", *checker, str(TYPED)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    printed = done.stdout + done.stderr
    errors = {
        int(number) for number in re.findall(r"typed_arguments\.py:(\d+)[^\n]*error", printed)
    }
    assert errors == set(EXPECTED), printed
