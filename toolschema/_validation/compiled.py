"""Schema to cached validators: one compilation for equal schemas."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import quote

from toolschema._json.cache import Cache, Lock
from toolschema._json.findings import Finding, Findings
from toolschema._json.limits import DEEPEST
from toolschema._json.pointer import join
from toolschema._json.printable import one_line
from toolschema._json.stack import with_a_deep_stack
from toolschema._json.text import limit
from toolschema._schema.dialect import DRAFT_2020_12, Dialect, Schema, dialect_of
from toolschema._schema.resources import Resources, Search, Source
from toolschema._schema.survey import Survey
from toolschema._schema.surveyor import survey
from toolschema._validation.closed import NOT_MONOTONE, Closing, Depths, OpenError, levels
from toolschema._validation.engine_copies import EngineCopies
from toolschema._validation.explain.context import Facts, Verdicts
from toolschema._validation.explain.engine import explain, own_dialect_uri, reference_validator
from toolschema._validation.faults import metaschema_faults, root_faults, schema_faults
from toolschema._validation.messages import UNSATISFIED
from toolschema._validation.verdict import (
    CarefulVerdict,
    Registry,
    Verdict,
    VerdictError,
    compile_careful,
    compile_endurance,
    compile_guard,
    compile_registry,
    compile_verdict,
)
from toolschema.errors import refuse

Result = TypeVar("Result")

_SMALL_TEXT = 4096
"""Characters up to which comparing array items pairwise is cheap."""
_LONGEST_NAME = 256
_SHALLOW = 20
"""Levels of a schema without references that compile on a stack of 128 KiB."""
_FRAMES = 400
"""Nested subschemas that can be judged on a stack of 128 KiB."""
_MOST_CLOSED = 400
"""Subschemas that are compiled once more during a call."""
UNLIMITED = 1 << 62
_CACHE: Cache[Compiled] = Cache(4096)
_LOCK = Lock()
_LOG = logging.getLogger("toolschema")

CUT_SHORT = Findings([Finding(UNSATISFIED, "@limit")], is_complete=False)
"""Reported where nothing was found before the steps, the time or the stack ran out."""


class Compiled:
    """One schema, compiled: what `accepts` it, and what `explain`s why not.

    Shared by all definitions with equal schemas. Which engine answers, on which
    stack, and what happens should they disagree is decided here.
    """

    def __init__(self, survey: Survey, most_text: int, *, is_steep: bool) -> None:
        self.survey = survey
        self.dialect = survey.dialect
        self._is_steep = is_steep
        self._most_text = most_text
        self._engine = EngineCopies(survey)
        self._documents = {
            document.uri: self._engine.copy(document.contents)
            for document in survey.documents.values()
        }
        self._root = next(iter(self._documents.values()))
        # References within one document need no registry to be compiled.
        self._registry = self._make_registry() if len(self._documents) > 1 else None
        self.is_valid: Verdict = compile_verdict(self.dialect, self._root, self._registry)
        """The verdict on a plain, finite value of bounded depth and length."""
        self._backtracking = frozenset(
            pattern.engine for pattern in survey.patterns.values() if not pattern.is_bounded
        )
        """The translated patterns that may backtrack."""
        self._has_backtracking_names = any(
            not survey.patterns[pattern].is_bounded for pattern in survey.key_patterns
        )
        self._longest_name = min(most_text, _LONGEST_NAME)
        """Characters of a property name where patterns of names may backtrack."""
        self.longest_plain_text = self._longest_plain_text()
        """Characters up to which `is_valid` costs little, whatever they are."""
        self.inline_depth = max(1, min(DEEPEST, _FRAMES // survey.longest_chain))
        """Depth up to which a value is judged on the stack of the caller."""
        self._is_shallow = compile_guard(self.inline_depth)
        self._verdicts: Verdicts = {}, {}
        self._careful: CarefulVerdict | None = None
        self._closed: tuple[Verdict, int] | None = None
        self._was_closed = False
        self.validator = self._make_validator()
        """The validator of python-jsonschema, which explains."""

    def _longest_plain_text(self) -> int:
        longest = self._most_text if self._backtracking else UNLIMITED
        return min(longest, _SMALL_TEXT) if "uniqueItems" in self.survey.keywords else longest

    def accepts(self, value: Any, size: int) -> bool:
        """Whether a plain value is valid.

        Args:
            value: Plain, and no deeper than `DEEPEST`.
            size: No fewer characters than any string in it has.

        Raises:
            RecursionError: The caller has used up its stack.
        """

        def verdict() -> bool:
            if size <= self.longest_plain_text:
                return self.is_valid(value)
            return self._has_short_names(value) and self.careful(value)

        return self.with_enough_stack(value, verdict)

    def explain(self, value: Any, size: int, steps: int) -> Findings:
        """Why a plain value is not valid: at least one finding, in at most *steps*."""
        try:
            return self.with_enough_stack(value, lambda: self._explain(value, size, steps))
        except RecursionError:
            return CUT_SHORT

    def _explain(self, value: Any, size: int, steps: int) -> Findings:
        if not self._has_short_names(value):
            # Which patterns such a name matches is not known, nor what they ask for.
            most = self._longest_name
            return Findings([limit(f"must not have property names of more than {most} characters")])
        is_large = size > self.longest_plain_text
        findings = explain(self.validator, value, steps, is_large=is_large)
        if findings.found:
            return findings
        if not findings.is_complete:
            return CUT_SHORT
        if self._backtracking:
            self.careful(value)
            if self.careful.was_exceeded or self._gives_up_on_names(value):
                message = "must not hold texts that take too long to be searched for a pattern"
                return Findings([limit(message)])
        # The engines answer the same for everything that is known, so this is a
        # fault of theirs or ours; the safe answer is no.
        origin = one_line(self.survey.root.origin.name)
        _LOG.error("the engines disagree about arguments of %s; refused", origin)
        return Findings([Finding(UNSATISFIED, "@disagreement")])

    def with_enough_stack(self, value: Any, work: Callable[[], Result]) -> Result:
        """Do *work* on a plain value here, or in a thread with a larger stack."""
        if self._is_shallow(value):
            with suppress(RecursionError):
                return work()
        # The value and the schema are so deep, or the caller is so deep in the
        # stack, that this thread may not have enough of it.
        return with_a_deep_stack(work)

    def _has_short_names(self, value: Any) -> bool:
        """Whether no name is too long for a pattern that backtracks."""
        if not self._has_backtracking_names:
            return True
        return compile_guard(DEEPEST, self._longest_name)(value)

    @property
    def closed(self) -> tuple[Verdict, int] | None:
        """A verdict whose yes needs no guard, and the greatest depth it accepts."""
        if not self._was_closed:
            with _LOCK.held():
                if not self._was_closed:
                    # The first call may come from a thread with less stack than
                    # the one that compiled.
                    run = with_a_deep_stack if self._is_steep else _here
                    self._closed = run(self._make_closed)
                    self._was_closed = True
        return self._closed

    def _make_closed(self) -> tuple[Verdict, int] | None:
        survey, dialect = self.survey, self.dialect
        if survey.is_mixed or len(survey.nodes) > _MOST_CLOSED:
            return None
        with suppress(OpenError):
            return self.is_valid, Depths(dialect, survey.targets).of(survey.root.contents)
        if len(survey.documents) > 1 or not NOT_MONOTONE.isdisjoint(survey.keywords):
            return None
        with suppress(OpenError):
            closing = Closing(dialect)
            root = closing.close(self._root)
            targets = {
                id(closing.of(self._engine.of(survey.nodes[key].schema))): closing.of(
                    self._engine.of(target)
                )
                for key, target in survey.targets.items()
            }
            depth = Depths(dialect, targets).of(root)
            return compile_verdict(dialect, root), depth
        return None

    def _make_registry(self) -> Registry:
        dialect = None if self.survey.is_mixed else self.dialect
        return compile_registry(dialect, self._documents.items())

    @property
    def careful(self) -> CarefulVerdict:
        """The verdict for larger instances."""
        if self._careful is None:
            self._careful = compile_careful(
                self.dialect, self._root, self._registry, self._backtracking, self._most_text
            )
        return self._careful

    def _gives_up_on_names(self, value: Any) -> bool:
        """Whether matching some property name hits the backtrack limit."""
        patterns = map(self.survey.patterns.__getitem__, self.survey.key_patterns)
        searches = [
            compile_endurance(pattern.engine) for pattern in patterns if not pattern.is_bounded
        ]
        return not all(ends(name) for name in _names(value) for ends in searches)

    def _make_validator(self) -> Any:
        (_, root), *rest = self.survey.documents.items()
        if self.survey.is_mixed:
            for node in self.survey.nodes.values():
                node.schema["$schema"] = own_dialect_uri(node.dialect)
        resources = [
            (uri, document.contents, self._dialect_at(document.contents)) for uri, document in rest
        ]
        facts = Facts(self.survey, self.subschema, self._verdicts, self._most_text)
        return reference_validator(self.dialect, root.contents, resources, facts)

    def _dialect_at(self, contents: Schema) -> Dialect:
        node = self.survey.nodes.get(id(contents))
        return node.dialect if node else self.dialect

    def subschema(self, schema: Schema, *, is_large: bool = True) -> Verdict | None:
        """The verdict of one subschema alone, compiled when first asked for.

        None where the engine cannot compile it alone: one that only a pointer
        reaches may have an ``$id`` that the engine does not know, and a subschema
        does not determine what a dynamic reference in it means.
        """
        verdicts = self._verdicts[is_large]
        if id(schema) not in self.survey.nodes:
            return None
        if id(schema) not in verdicts:
            verdicts[id(schema)] = self._compile_subschema(schema, is_large=is_large)
        return verdicts[id(schema)]

    def findings(self, schema: Schema, value: Any, steps: int) -> Findings:
        """What one subschema alone finds wrong with a plain *value*."""
        return explain(self.validator.evolve(schema=schema), value, steps, is_large=True)

    def _compile_subschema(self, schema: Schema, *, is_large: bool) -> Verdict | None:
        if self.survey.is_dynamic and id(schema) in self.survey.dynamic:
            return None
        with suppress(VerdictError):
            return self._compiled_subschema(schema, is_large=is_large)
        return None

    def _compiled_subschema(self, schema: Schema, *, is_large: bool) -> Verdict:
        node = self.survey.nodes[id(schema)]
        if "$ref" not in self.survey.keywords:
            return self._compile_alone(
                node.dialect, self._engine.of(schema), None, is_large=is_large
            )
        with _LOCK.held():
            if self._registry is None:
                self._registry = self._make_registry()
        pointer = quote(join(self._engine.tokens(node.tokens)))
        reference = {"$ref": f"{node.base}#{pointer}" if pointer else node.base}
        return self._compile_alone(node.dialect, reference, self._registry, is_large=is_large)

    def _compile_alone(
        self, dialect: Dialect, schema: Schema, registry: Registry | None, *, is_large: bool
    ) -> Verdict:
        if not is_large:
            return compile_verdict(dialect, schema, registry)
        return compile_careful(dialect, schema, registry, self._backtracking, self._most_text)


def _names(value: Any) -> Iterator[str]:
    """The names of all objects in a plain value."""
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            yield from item
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)


def compile_schema(
    root: Source, resources: Resources, most_text: int, *, for_arguments: bool = True
) -> Compiled:
    """Compile *root* with what it reaches of *resources*, or find it compiled.

    Args:
        root: The schema of a tool.
        resources: What its references may lead to.
        most_text: `Limits.max_pattern_text`.
        for_arguments: Whether it must be a schema for an object.

    Raises:
        ToolSchemaError: With every fault of the schema and of all it reaches.
    """
    key: tuple[Any, ...] = (root.text, most_text, for_arguments)
    if root.refers:
        key = (*key, root.uri, resources.digest)

    run = with_a_deep_stack if _is_steep(root) else _here

    def make() -> Compiled:
        return _compile(root, resources, most_text, for_arguments=for_arguments)

    return _CACHE.get(key, lambda: run(make))


def _is_steep(root: Source) -> bool:
    """Whether it takes more stack to compile than a thread may have.

    Both engines go through a schema level by level, and through references.
    """
    if root.refers:
        return True
    return root.text.count("{") > _SHALLOW and levels(json.loads(root.text)) > _SHALLOW


def _here(work: Callable[[], Result]) -> Result:
    return work()


def check_resource(source: Source, resources: Resources) -> None:
    """Refuse a schema that is only there to be referred to, if it is bad.

    Raises:
        ToolSchemaError: With every fault of the schema and of all it reaches.
    """
    if source.text not in ("true", "false"):
        _compile(source, resources, 1, for_arguments=False)


def _compile(
    root: Source, resources: Resources, most_text: int, *, for_arguments: bool
) -> Compiled:
    document = root.document(as_root=True)
    found = root_faults(document, for_arguments=for_arguments)
    if not isinstance(document.contents, dict):
        refuse(found)
    search = Search(resources)
    dialect = dialect_of(document.contents) or DRAFT_2020_12
    seen = survey(document, dialect, search.find)
    found = [*found, *seen.faults, *search.broken]
    if not found:
        refuse(metaschema_faults(seen))
    else:
        locations = {(fault.source, fault.location) for fault in found}
        more = [
            fault
            for fault in schema_faults(seen)
            if (fault.source, fault.location) not in locations
        ]
        refuse([*found, *more])
    try:
        return Compiled(seen, most_text, is_steep=_is_steep(root))
    except VerdictError as error:
        refused = root.origin.fault(error.message, *error.tokens)
    refuse(schema_faults(seen) or [refused])
    raise AssertionError("a refused schema has a fault")  # pragma: no cover
