"""Calls of a tool that are good or bad, one for each keyword that can fail."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from toolschema import ToolDefinition, check_tool_arguments
from toolschema._json.canonical import canonical_json
from toolschema._json.pointer import join, replace
from toolschema._schema.applicators import UNIONS
from toolschema._schema.dialect import Schema
from toolschema._schema.examples import ImpossibleError, Maker
from toolschema._schema.survey import Survey
from toolschema.errors import Issue
from toolschema.vectors._evaluations import (
    Evaluation,
    Path,
    evaluations,
    failing_keywords,
    keyword_locations,
)
from toolschema.vectors._instances import Seeded
from toolschema.vectors._mutations import at_the_edge, broken
from toolschema.vectors._random import Choice

_TURNS = 12
_TRIES = 30
_LONGEST = 20_000
"""Characters of a case that is written."""


class Case(NamedTuple):
    """One call, as JSON text, and its issues."""

    name: str
    arguments: str
    issues: tuple[Issue, ...]


@dataclass(slots=True)
class Cases:
    """What was made for one tool, and the keywords for which nothing was."""

    good: list[Case] = field(default_factory=list)
    bad: list[Case] = field(default_factory=list)
    locations: int = 0
    uncovered: list[str] = field(default_factory=list)


def cases_of(tool: ToolDefinition[Any], seed: int) -> Cases:
    """Examples first, then what was made from the schema."""
    return _Making(tool, seed).run()


class _Making:
    def __init__(self, tool: ToolDefinition[Any], seed: int) -> None:
        self._tool = tool
        self._survey = tool.compiled.survey
        self._seed = seed
        self._made = Cases()
        self._texts: set[str] = set()
        self._failed: set[str] = set()
        self._calls: list[dict[str, Any]] = []

    def run(self) -> Cases:
        self._examples()
        self._instances()
        self._edges()
        self._add("arguments that are no object", [])
        for call in self._calls:
            for evaluation in evaluations(self._survey, self._accepts, call):
                self._break(call, evaluation)
        locations = set(map(join, keyword_locations(self._survey)))
        self._made.locations = len(locations)
        self._made.uncovered = sorted(locations - self._failed)
        return self._made

    def _examples(self) -> None:
        examples = self._tool.parameters.get("examples")
        for index, example in enumerate(examples if isinstance(examples, list) else ()):
            self._add(f"example {index + 1}", example)

    def _instances(self) -> None:
        """The smallest call, then whole ones, by every branch of the unions."""
        turns = [(0, False), *((turn, True) for turn in range(_turns(self._survey)))]
        for index, (turn, is_whole) in enumerate(turns):
            source = Seeded(Choice(f"{self._seed}:{self._tool.name}:{index}"))
            maker = Maker(self._survey, source, self._accepts, turn, is_whole, shows=turn == 0)
            try:
                call = maker.value([self._survey.root.contents])
            except ImpossibleError:
                continue
            name = f"all properties, {turn + 1}" if is_whole else "no more than is required"
            self._add(name, call)

    def _accepts(self, schema: Schema, value: Any) -> bool:
        """The verdict of a subschema; one that cannot be judged alone accepts *value*."""
        verdict = self._tool.compiled.subschema(schema)
        return schema is not False if verdict is None else verdict(value)

    def _edges(self) -> None:
        seen: set[Path] = set()
        for call in list(self._calls):
            for evaluation in evaluations(self._survey, self._accepts, call):
                for keyword, value in at_the_edge(evaluation.schema, evaluation.instance):
                    path = (*evaluation.keyword_location, keyword)
                    if path not in seen:
                        seen.add(path)
                        changed = replace(call, evaluation.instance_location, value)
                        self._add(f"{join(path)} just met", changed, must_be_good=True)

    def _break(self, call: dict[str, Any], evaluation: Evaluation) -> None:
        """For each keyword, keep the first call with the fewest issues that fails it."""
        for keyword in [*failing_keywords(evaluation.schema), *_MORE]:
            location = join((*evaluation.keyword_location, keyword))
            if keyword not in evaluation.schema or location in self._failed:
                continue
            found: dict[int, Case] = {}
            values = broken(keyword, evaluation.schema, evaluation.instance)
            for value in islice(values, _TRIES):
                changed = replace(call, evaluation.instance_location, value)
                if not isinstance(changed, dict):
                    continue
                issues = check_tool_arguments(self._tool, changed)
                if any(_is_at(issue.keyword_location, location, keyword) for issue in issues):
                    text = canonical_json(changed).decode()
                    if len(text) <= _LONGEST:
                        found.setdefault(len(issues), Case(f"{location} not met", text, issues))
                if 1 in found:
                    break
            if found:
                self._keep(found[min(found)])

    def _add(self, name: str, call: Any, *, must_be_good: bool = False) -> None:
        text = canonical_json(call).decode()
        issues = check_tool_arguments(self._tool, text)
        if len(text) > _LONGEST or (must_be_good and issues):
            return
        if not issues and isinstance(call, dict):
            self._calls.append(json.loads(text))
        self._keep(Case(name, text, issues))

    def _keep(self, case: Case) -> None:
        self._failed.update(issue.keyword_location for issue in case.issues)
        if case.arguments not in self._texts:
            self._texts.add(case.arguments)
            (self._made.bad if case.issues else self._made.good).append(case)


_MORE = (*UNIONS, "propertyNames", "patternProperties", "properties")
"""Keywords that fail where one of their subschemas does."""


def _turns(survey: Survey) -> int:
    """As many as the widest union has branches, within reason."""
    widths = [2]
    for node in survey.nodes.values():
        unions = map(node.schema.get, (*UNIONS, "type"))
        widths += [len(union) for union in unions if isinstance(union, list)]
    return min(max(widths), _TURNS)


def _is_at(found: str, location: str, keyword: str) -> bool:
    return found == location or (keyword in _MORE and found.startswith(f"{location}/"))
