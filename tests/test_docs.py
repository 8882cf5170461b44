"""What README and docstrings show is what happens."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
import subprocess
import sys

import pytest
from conftest import ROOT

import toolschema

README = (ROOT / "README.md").read_text(encoding="utf-8")

MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((ROOT / "toolschema").rglob("*.py"))
}
PUBLIC = [name for name in MODULES if not re.search(r"\._|\.cli", name)]
WITH_EXAMPLES = [name for name, path in MODULES.items() if ">>>" in path.read_text("utf-8")]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_in_docstrings_run(name: str) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0
    # Since Python 3.13 an example that is skipped counts as attempted.
    assert result.attempted > getattr(result, "skipped", 0)


@pytest.mark.parametrize("name", sorted({*PUBLIC} - {"toolschema.typing"}))
def test_every_public_module_shows_an_example(name: str) -> None:
    """In its docstring, or in that of something that it exports.

    `toolschema.typing` holds nothing but names for annotations.
    """
    module = importlib.import_module(name)
    exported = [getattr(module, export) for export in getattr(module, "__all__", ())]
    assert any(">>>" in (inspect.getdoc(shown) or "") for shown in [module, *exported])


@pytest.mark.parametrize(
    "block", re.findall(r"```python\n(.*?)```", README, re.DOTALL), ids=lambda block: block[:30]
)
def test_python_in_the_readme_runs(block: str) -> None:
    """Lines after ``# prints`` comments are what is printed."""
    done = subprocess.run(
        [sys.executable, "-c", block], capture_output=True, text=True, check=True, cwd=ROOT
    )
    expected = [line[2:] for line in block.splitlines() if line.startswith("# ")]
    assert done.stdout.splitlines() == expected


def test_the_sample_in_the_readme_is_what_is_printed() -> None:
    [shown] = re.findall(r"```text\n(line 2: .*?)```", README, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-m", "toolschema", "validate", "tests/data/calls.jsonl", "--tools", "schemas"],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    first, last = shown.split("…\n")
    assert done.stdout.startswith(first)
    assert done.stdout.endswith(last)


def test_links_in_the_readme_resolve() -> None:
    for target in re.findall(r"\]\(([\w./-]+)\)", README):
        assert (ROOT / target).exists(), target


# Errors that only others raise, files that are not there, and the events that
# `StreamValidator` shows together.
WITHOUT_EXAMPLE = {
    "StreamFinish", "ToolCallDelta", "ToolCallEnd", "ToolCallStart", "ToolError",
    "load_tool", "load_tools",
}  # fmt: skip


def test_every_public_name_is_documented() -> None:
    for name in toolschema.__all__:
        text = getattr(toolschema, name).__doc__
        assert text, name
        assert ">>>" in text or name in WITHOUT_EXAMPLE, name
