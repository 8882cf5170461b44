"""Calls of a tool that are good or bad, one for each keyword that can fail."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from toolschema import ToolDefinition, check_tool_arguments
from toolschema._json.canonical import canonical_json
from toolschema._json.pointer import join, replace
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
    """One call, as JSON text, and what is said of it."""

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
        targets = {join(each): each for each in keyword_locations(self._survey)}
        for call in self._calls:
            for evaluation in self._evaluations(call):
                self._break(call, evaluation)
        for location in sorted(targets.keys() - self._failed):
            self._made.uncovered.append(location)
        self._made.locations = len(targets)
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
        """The verdict of a subschema; of one that has none alone, that it accepts *value*."""
        if id(schema) not in self._survey.nodes:
            return schema is not False
        verdict = self._tool.compiled.subschema(schema)
        return verdict is None or verdict(value)

    def _evaluations(self, call: dict[str, Any]) -> Iterator[Evaluation]:
        return evaluations(self._survey, self._accepts, call)

    def _edges(self) -> None:
        seen: set[Path] = set()
        for call in list(self._calls):
            for evaluation in self._evaluations(call):
                for keyword, value in at_the_edge(evaluation.schema, evaluation.instance):
                    if (*evaluation.keyword_location, keyword) not in seen:
                        seen.add((*evaluation.keyword_location, keyword))
                        changed = _changed(call, evaluation, value)
                        location = join((*evaluation.keyword_location, keyword))
                        self._add(f"{location} just met", changed, must_be_good=True)

    def _break(self, call: dict[str, Any], evaluation: Evaluation) -> None:
        for keyword in [*failing_keywords(evaluation.schema), *_MORE]:
            location = join((*evaluation.keyword_location, keyword))
            if keyword not in evaluation.schema or location in self._failed:
                continue
            best = self._best(call, evaluation, keyword, location)
            if best is not None:
                text, issues = best
                self._keep(Case(f"{location} not met", text, issues))

    def _best(
        self, call: dict[str, Any], evaluation: Evaluation, keyword: str, location: str
    ) -> tuple[str, tuple[Issue, ...]] | None:
        """Of the calls that fail there, the first with the fewest issues."""
        found: dict[int, tuple[str, tuple[Issue, ...]]] = {}
        for call_ in self._broken(call, evaluation, keyword):
            issues = check_tool_arguments(self._tool, call_)
            if any(_is_at(issue.keyword_location, location, keyword) for issue in issues):
                text = canonical_json(call_).decode()
                if len(text) <= _LONGEST:
                    found.setdefault(len(issues), (text, issues))
            if 1 in found:
                break
        return found[min(found)] if found else None

    def _broken(self, call: dict[str, Any], evaluation: Evaluation, keyword: str) -> Iterator[Any]:
        for number, value in enumerate(broken(keyword, evaluation.schema, evaluation.instance)):
            if number == _TRIES:
                return
            changed = _changed(call, evaluation, value)
            if isinstance(changed, dict):
                yield changed

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


_UNIONS = ("anyOf", "oneOf", "type")
_MORE = ("anyOf", "oneOf", "propertyNames", "patternProperties", "properties")


def _turns(survey: Survey) -> int:
    """As many as the widest union has branches, within reason."""
    widths = [2]
    for node in survey.nodes.values():
        widths += [len(x) for x in map(node.schema.get, _UNIONS) if isinstance(x, list)]
    return min(max(widths), _TURNS)


def _is_at(found: str, location: str, keyword: str) -> bool:
    return found == location or (keyword in _MORE and found.startswith(f"{location}/"))


def _changed(call: dict[str, Any], evaluation: Evaluation, value: Any) -> Any:
    return replace(call, evaluation.instance_location, value)
