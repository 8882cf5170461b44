"""Both engines agree: a share of what ``python tests/differential.py`` compares."""

from __future__ import annotations

import logging
import os
from typing import Any

import differential
import pytest
from conftest import property_tool

from toolschema import (
    ToolDefinition,
    check_tool_arguments,
    parse_tool_arguments,
    validate_tool_arguments,
)
from toolschema.errors import ToolArgumentsValidationError

pytestmark = pytest.mark.once

VERDICTS = 200_000 if os.environ.get("CI") else 20_000


@pytest.mark.timeout(300)
def test_the_engines_agree(record_property: Any) -> None:
    report = differential.run(VERDICTS, seed=1)
    record_property("counts", dict(report.counts))
    assert not report.classes, str(report)
    share = {name: count / VERDICTS for name, count in report.counts.items()}
    assert share["verdicts"] >= 1
    assert min(share["valid"], share["invalid"]) > 0.3
    assert share["verdicts at the front door"] > 0.05
    assert report.counts["verdicts beyond the backtrack limit"] > VERDICTS / 4000
    assert report.counts["schemas with a dynamic scope"] > report.counts["schemas"] / 20
    assert report.counts["schemas in two dialects"]


def test_every_keyword_that_can_fail_does_fail() -> None:
    found = differential.run(20_000, seed=2).keywords
    missing = {
        "additionalProperties", "anyOf", "const", "contains", "contentEncoding",
        "contentMediaType", "dependencies", "dependentRequired", "enum", "exclusiveMaximum",
        "exclusiveMinimum", "false", "format", "maxContains", "maxItems", "maxLength",
        "maxProperties", "maximum", "minContains", "minItems", "minLength", "minProperties",
        "minimum", "multipleOf", "not", "oneOf", "pattern", "required", "type",
        "unevaluatedItems", "unevaluatedProperties", "uniqueItems",
    } - set(found)  # fmt: skip
    assert missing == set()


def test_a_seed_gives_the_same_cases() -> None:
    one, same, other = (differential.run(1_000, seed) for seed in (3, 3, 4))
    assert (one.counts, one.keywords) == (same.counts, same.keywords)
    assert one.keywords != other.keywords


SECRET = "hunter2SECRET"


@pytest.fixture
def disagreeing(monkeypatch: pytest.MonkeyPatch) -> ToolDefinition:
    """A tool whose verdict engine says no to everything."""
    tool = property_tool({"title": "planted", "type": "string"})
    monkeypatch.setattr(tool.compiled, "is_valid", lambda value: False)
    # What decides small calls at once holds verdicts of its own.
    validate_tool_arguments(tool, {"v": SECRET})
    for verdict in ("is_valid", "closed"):
        assert getattr(tool._fast, verdict)({"v": SECRET})
        monkeypatch.setattr(tool._fast, verdict, tool.compiled.is_valid)
    return tool


def test_a_planted_disagreement_is_refused_and_logged(
    disagreeing: ToolDefinition, caplog: pytest.LogCaptureFixture
) -> None:
    arguments = {"v": SECRET}
    for given in (arguments, f'{{"v": "{SECRET}"}}'):
        caplog.clear()
        (issue,) = check_tool_arguments(disagreeing, given)
        assert issue == "/: arguments do not satisfy the tool schema"
        assert issue.keyword == "@disagreement"
        assert [(each.name, each.levelno) for each in caplog.records] == [
            ("toolschema", logging.ERROR)
        ]
        assert 'the engines disagree about arguments of tool "tool"; refused' in caplog.text
        assert SECRET not in caplog.text + repr([vars(each) for each in caplog.records])
    with pytest.raises(ToolArgumentsValidationError) as caught:
        parse_tool_arguments(disagreeing, f'{{"v": "{SECRET}"}}')
    assert caught.value.issues == (issue,)
