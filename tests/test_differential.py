"""Both engines agree: a sample of what ``python tests/differential.py`` compares."""

from __future__ import annotations

import os
from typing import Any

import differential
import pytest

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


def test_every_keyword_that_can_fail_does() -> None:
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
