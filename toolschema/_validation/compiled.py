"""Schema to cached validators: one compilation for equal schemas."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from toolschema._json.cache import Cache, Lock
from toolschema._json.findings import Findings
from toolschema._json.pointer import join
from toolschema._json.stack import with_a_deep_stack
from toolschema._schema.dialect import DRAFT_2020_12, Dialect, Schema, dialect_of
from toolschema._schema.resources import Resources, Source
from toolschema._schema.survey import Survey
from toolschema._schema.surveyor import survey
from toolschema._validation.closed import NOT_MONOTONE, Depths, OpenError, Sealing, levels
from toolschema._validation.engine_copies import EngineCopies
from toolschema._validation.explain.context import Facts, Verdicts
from toolschema._validation.explain.engine import explain, own_dialect_uri, reference_validator
from toolschema._validation.faults import metaschema_faults, refuse, root_faults, schema_faults
from toolschema._validation.verdict import (
    CarefulVerdict,
    Registry,
    Verdict,
    VerdictError,
    compile_careful,
    compile_endurance,
    compile_registry,
    compile_verdict,
)

_SMALL = 4096
"""Characters that can hold no array whose items are costly to compare."""
_LONGEST_NAME = 256
_SHALLOW = 20
"""Levels of a schema without references for which a stack of 128 KiB has room."""
_SHALLOW_IN_MAIN = 60
"""The same for the main thread, which has megabytes; references to itself included."""
_MOST_SEALED = 400
"""Subschemas that are compiled once more in the time of a call."""
Room = Callable[[Callable[[], Any]], Any]
"""Where to do work that goes through a schema level by level."""
UNLIMITED = 1 << 62
_CACHE: Cache[Compiled] = Cache(4096)
_EXPLAINERS = Lock()


class Compiled:
    """What a definition asks; shared by all definitions with equal schemas."""

    def __init__(self, survey: Survey, most_text: int, *, is_steep: bool) -> None:
        self.survey = survey
        self._is_steep = is_steep
        self.dialect = survey.dialect
        self.most_text = most_text
        self._engine = EngineCopies(survey)
        self._documents = {
            each.uri: self._engine.copy(each.contents) for each in survey.documents.values()
        }
        self._root = next(iter(self._documents.values()))
        # References within one document need no registry to be compiled.
        self._registry = self._make_registry() if len(self._documents) > 1 else None
        self.is_valid: Verdict = compile_verdict(self.dialect, self._root, self._registry)
        """The verdict on a plain, finite value of bounded depth."""
        self._verdicts: Verdicts = {}, {}
        self._reference: tuple[Any, Facts] | None = None
        self._careful: CarefulVerdict | None = None
        self._sealed: tuple[Verdict, int] | None = None
        self._was_sealed = False
        self.backtracking = frozenset(
            each.engine for each in survey.patterns.values() if not each.is_bounded
        )
        """The patterns that may backtrack, in the engine's words."""
        self.has_backtracking_names = any(
            not survey.patterns[each].is_bounded for each in survey.key_patterns
        )
        self.longest_name = min(most_text, _LONGEST_NAME)
        """Characters of a property name where patterns of names may backtrack."""
        self.longest_plain_text = self._longest_plain_text()
        """Characters up to which `is_valid` costs little, whatever they say."""

    def _longest_plain_text(self) -> int:
        longest = self.most_text if self.backtracking else UNLIMITED
        return min(longest, _SMALL) if "uniqueItems" in self.survey.keywords else longest

    @property
    def sealed(self) -> tuple[Verdict, int] | None:
        """A verdict whose yes needs no guard, and the greatest depth it accepts."""
        if not self._was_sealed:
            with _EXPLAINERS.held():
                if not self._was_sealed:
                    # The first call may come from a thread with less stack than
                    # the one that compiled.
                    room_for = with_a_deep_stack if self._is_steep else _here
                    self._sealed = room_for(self._make_sealed)
                    self._was_sealed = True
        return self._sealed

    def _make_sealed(self) -> tuple[Verdict, int] | None:
        survey, dialect = self.survey, self.dialect
        if survey.is_mixed or len(survey.nodes) > _MOST_SEALED:
            return None
        with suppress(OpenError):
            return self.is_valid, Depths(dialect, survey.targets).of(survey.root.contents)
        if len(survey.documents) > 1 or not NOT_MONOTONE.isdisjoint(survey.keywords):
            return None
        with suppress(OpenError):
            sealing = Sealing(dialect)
            root = sealing.seal(self._root)
            targets = {
                id(sealing.of(self._engine.of(survey.nodes[each].schema))): sealing.of(
                    self._engine.of(target)
                )
                for each, target in survey.targets.items()
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
                self.dialect, self._root, self._registry, self.backtracking, self.most_text
            )
        return self._careful

    def gives_up_on_names(self, value: Any) -> bool:
        """Whether the search of some name of *value* is not done to the end."""
        searches = [
            compile_endurance(each.engine)
            for each in map(self.survey.patterns.__getitem__, self.survey.key_patterns)
            if not each.is_bounded
        ]
        return not all(ends(name) for name in _names(value) for ends in searches)

    @property
    def reference(self) -> tuple[Any, Facts]:
        """The validator that explains, made at the first failure and kept."""
        if self._reference is None:
            with _EXPLAINERS.held():
                if self._reference is None:
                    self._reference = self._make_reference()
        return self._reference

    def _make_reference(self) -> tuple[Any, Facts]:
        (_, root), *rest = self.survey.documents.items()
        if self.survey.is_mixed:
            for node in self.survey.nodes.values():
                node.schema["$schema"] = own_dialect_uri(node.dialect)
        resources = [(uri, each.contents, self._dialect_at(each.contents)) for uri, each in rest]
        validator = reference_validator(
            self.dialect, root.contents, resources, is_dynamic=self.survey.is_dynamic
        )
        return validator, Facts(self.survey, self.subschema, self._verdicts, self.most_text)

    def _dialect_at(self, contents: Schema) -> Dialect:
        node = self.survey.nodes.get(id(contents))
        return node.dialect if node else self.dialect

    def subschema(self, schema: Schema, *, is_large: bool) -> Verdict | None:
        """The verdict of one subschema alone, compiled when first asked for.

        None where the engine cannot look at it alone: one that only a pointer
        reaches may have an ``$id`` that the engine does not know, and what a
        dynamic reference means is not said by the subschema.
        """
        verdicts = self._verdicts[is_large]
        if id(schema) not in verdicts:
            verdicts[id(schema)] = self._compile_subschema(schema, is_large=is_large)
        return verdicts[id(schema)]

    def findings(self, schema: Schema, value: Any, steps: int) -> Findings:
        """What one subschema alone has against a plain *value*."""
        validator, facts = self.reference
        return explain(validator.evolve(schema=schema), value, facts, steps, is_large=True)

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
        with _EXPLAINERS.held():
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
        return compile_careful(dialect, schema, registry, self.backtracking, self.most_text)


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

    room_for: Room = with_a_deep_stack if _is_deep(root) else _here

    def make() -> Compiled:
        return _compile(root, resources, most_text, for_arguments=for_arguments)

    return _CACHE.get(key, lambda: room_for(make))


def _is_deep(root: Source) -> bool:
    """Whether it takes more stack to compile than a thread may have.

    Both engines go through a schema level by level, and through references.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if root.refers_away if is_main else root.refers:
        return True
    most = _SHALLOW_IN_MAIN if is_main else _SHALLOW
    return root.text.count("{") > most and levels(json.loads(root.text)) > most


def _here(work: Callable[[], Any]) -> Any:
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
    search = resources.search()
    dialect = dialect_of(document.contents) or DRAFT_2020_12
    seen = survey(document, dialect, search.find)
    found = [*found, *seen.faults, *search.broken]
    if not found:
        refuse(metaschema_faults(seen))
    else:
        places = {(fault.source, fault.location) for fault in found}
        more = [each for each in schema_faults(seen) if (each.source, each.location) not in places]
        refuse([*found, *more])
    try:
        return Compiled(seen, most_text, is_steep=root.refers or root.text.count("{") > _SHALLOW)
    except VerdictError as error:
        refused = root.origin.fault(error.message, *error.tokens)
    refuse(schema_faults(seen) or [refused])
    raise AssertionError("a refused schema has a fault")  # pragma: no cover
