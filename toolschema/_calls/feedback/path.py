"""The evaluation path of an issue: the subschemas from the root to its keyword."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from toolschema._json.pointer import resolve, split
from toolschema._schema.applicators import Applied, always_applied, possibly_applied
from toolschema._schema.dialect import IN_PLACE
from toolschema._schema.survey import Survey
from toolschema._validation.compiled import Compiled
from toolschema.errors import Issue

_MOST = 64
"""Subschemas considered for one value: a schema may be wide."""


class Step(NamedTuple):
    """One subschema on the path, and the keyword location tokens that lead to it."""

    schema: dict[str, Any]
    hop: tuple[str, ...]
    is_in_place: bool
    """Whether it applies to the same value as the one before."""


class EvaluationPath(NamedTuple):
    """The steps to an issue; the last schema holds the keyword, or is as near as is known."""

    compiled: Compiled
    steps: tuple[Step, ...]

    @property
    def holder(self) -> dict[str, Any]:
        return self.steps[-1].schema

    def schemas(self) -> list[dict[str, Any]]:
        """Those on the path that apply to the value of the issue, outermost first."""
        return [step.schema for step in self.steps[self._entry() :]]

    def _entry(self) -> int:
        """The index of the step that enters the value."""
        return max(index for index, step in enumerate(self.steps) if not step.is_in_place)

    def declared(self, name: str) -> list[dict[str, Any]]:
        """The schemas that declare a property of the value, outermost first."""
        for schema in self.applied():
            below = schema.get("properties", {}).get(name)
            if isinstance(below, dict):
                return self.expanded(below)
        return []

    def parent(self) -> EvaluationPath | None:
        """The path to the object that declares the value as a property, if one does."""
        index = self._entry()
        is_property = self.steps[index].hop[:1] == ("properties",)
        return EvaluationPath(self.compiled, self.steps[:index]) if is_property else None

    def applied(self, *, with_branches: bool = False) -> Iterator[dict[str, Any]]:
        """The schemas that apply to the value, innermost first; *with_branches*, or may apply."""
        in_place = possibly_applied if with_branches else always_applied
        starts = reversed(self.schemas())
        found = {id(part): part for start in starts for part in self.expanded(start, in_place)}
        for key, schema in islice(found.items(), _MOST):
            node = self.compiled.survey.nodes.get(key)
            if node is None or not node.dialect.voids_siblings(schema):
                yield schema

    def expanded(
        self, start: dict[str, Any], in_place: Callable[..., Applied] = always_applied
    ) -> list[dict[str, Any]]:
        """A schema and those it applies to the same value, level by level."""
        survey = self.compiled.survey
        found = [start]
        for schema in found:
            node, target = survey.nodes.get(id(schema)), survey.targets.get(id(schema))
            if node is not None:
                below = [subschema for _, subschema in in_place(schema, node.dialect, target)]
                found += [subschema for subschema in below if isinstance(subschema, dict)]
            if len(found) >= _MOST:
                break
        return found[:_MOST]

    def accepts(self, schema: dict[str, Any], value: Any) -> bool:
        """Whether an author's example satisfies *schema*."""
        verdict = self.compiled.subschema(schema)
        return verdict is not None and verdict(value)


def evaluation_path(compiled: Compiled, issue: Issue) -> EvaluationPath:
    """Follow the keyword location of *issue* as far as it leads."""
    survey = compiled.survey
    steps = [Step(survey.root.contents, (), is_in_place=False)]
    tokens = split(issue.keyword_location)
    while tokens:
        hop, schema = _next(survey, steps[-1].schema, tokens)
        if not isinstance(schema, dict):
            break
        steps.append(Step(schema, hop, hop[0] == "$ref" or hop[0] in IN_PLACE))
        tokens = tokens[len(hop) :]
    return EvaluationPath(compiled, tuple(steps))


def _next(
    survey: Survey, schema: dict[str, Any], tokens: tuple[str, ...]
) -> tuple[tuple[str, ...], Any]:
    """The tokens that lead to the next subschema, and what is there."""
    value = schema.get(tokens[0])
    if tokens[0] == "$ref":
        return tokens[:1], survey.targets.get(id(schema))
    if id(value) in survey.nodes:
        return tokens[:1], value
    below = resolve(value, tokens[1:2])
    return tokens[:2], below if id(below) in survey.nodes else None
