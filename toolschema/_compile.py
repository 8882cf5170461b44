"""Schema to cached validators: one compilation for equal schemas."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import quote, unquote, urldefrag

from toolschema._cache import Cache, Lock
from toolschema._dialect import DRAFT_2020_12, Dialect, Schema, dialect_of
from toolschema._explanation import Facts
from toolschema._faults import metaschema_faults, refuse, root_faults, schema_faults
from toolschema._finding import Findings
from toolschema._node import Node
from toolschema._pointer import Token, join, split
from toolschema._reference import explain, own_dialect_uri, reference_validator
from toolschema._resources import Resources, Source
from toolschema._sealed import NOT_MONOTONE, Depths, OpenError, Sealing
from toolschema._stack import with_a_deep_stack
from toolschema._survey import Survey, survey
from toolschema._verdict import (
    CarefulVerdict,
    Registry,
    Verdict,
    VerdictError,
    compile_careful,
    compile_endurance,
    compile_registry,
    compile_verdict,
)
from toolschema.errors import SchemaFault

_SMALL = 4096
"""Characters that can hold no array whose items are costly to compare."""
_LONGEST_NAME = 256
_SHALLOW = 60
"""Objects in a schema that can nest as deep as they like."""
UNLIMITED = 1 << 62
_CACHE: Cache[Compiled] = Cache(4096)
_EXPLAINERS = Lock()


class Compiled:
    """What a definition asks; shared by all definitions with equal schemas."""

    def __init__(self, survey: Survey, most_text: int) -> None:
        self.survey = survey
        self.dialect = survey.dialect
        self.most_text = most_text
        self._engine = _EngineCopies(survey)
        self._documents = {
            each.uri: self._engine.copy(each.contents) for each in survey.documents.values()
        }
        self._root = next(iter(self._documents.values()))
        # References within one document need no registry to be compiled.
        self._registry = self._make_registry() if len(self._documents) > 1 else None
        self.is_valid: Verdict = compile_verdict(self.dialect, self._root, self._registry)
        """The verdict on a plain, finite value of bounded depth."""
        self._reference: tuple[Any, Facts] | None = None
        self._careful: CarefulVerdict | None = None
        self._sealed: tuple[tuple[Verdict, int] | None] | None = None
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
        """A stricter verdict that needs no guard, and the greatest depth it accepts."""
        if self._sealed is None:
            self._sealed = (self._make_sealed(),)
        return self._sealed[0]

    def _make_sealed(self) -> tuple[Verdict, int] | None:
        survey = self.survey
        if survey.is_mixed:
            return None
        alone = self.dialect.name == "draft-07"
        with suppress(OpenError):
            root = next(iter(survey.documents.values())).contents
            return self.is_valid, Depths(survey.targets, alone).of(root)
        if self._registry is not None or not NOT_MONOTONE.isdisjoint(survey.keywords):
            return None
        with suppress(OpenError):
            sealing = Sealing()
            root = sealing.seal(self._root)
            targets = {
                id(sealing.of(self._engine.of(survey.nodes[each].schema))): sealing.of(
                    self._engine.of(target)
                )
                for each, target in survey.targets.items()
            }
            return compile_verdict(self.dialect, root), Depths(targets, alone).of(root)
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
        return validator, Facts(self.survey, self.subschema, self.most_text)

    def _dialect_at(self, contents: Schema) -> Dialect:
        node = self.survey.nodes.get(id(contents))
        return node.dialect if node else self.dialect

    def subschema(self, schema: Schema, *, is_large: bool) -> Verdict | None:
        """The verdict of one subschema alone.

        None where the engine cannot look at it alone: one that only a pointer
        reaches may have an ``$id`` that the engine does not know, and what a
        dynamic reference means is not said by the subschema.
        """
        if self.survey.is_dynamic and id(schema) in self.survey.dynamic:
            return None
        with suppress(VerdictError):
            return self._compile_subschema(schema, is_large=is_large)
        return None

    def findings(self, schema: Schema, value: Any, steps: int) -> Findings:
        """What one subschema alone has against a plain *value*."""
        validator, facts = self.reference
        return explain(validator.evolve(schema=schema), value, facts, steps, is_large=True)

    def _compile_subschema(self, schema: Schema, *, is_large: bool) -> Verdict:
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


class _EngineCopies:
    """The private copies once more, with every pattern in the engine's words."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        self._differs = survey.is_mixed or any(
            each.engine != each.source for each in survey.patterns.values()
        )
        self._copies: dict[int, Any] = {}

    def copy(self, contents: Any) -> Any:
        return self._copy(contents, is_root=True) if self._differs else contents

    def of(self, schema: Schema) -> Schema:
        return self._copies.get(id(schema), schema)

    def tokens(self, tokens: tuple[Token, ...]) -> tuple[Token, ...]:
        """The same way through the copy: patterns are names there, too."""
        patterns = self._survey.patterns
        return tuple(
            patterns[token].engine if above == "patternProperties" and token in patterns else token
            for above, token in zip(("", *tokens), tokens, strict=False)
        )

    def _reference(self, reference: str) -> str:
        uri, _, fragment = reference.partition("#")
        tokens = split(unquote(fragment))
        said = self.tokens(tokens)
        return reference if said == tokens else f"{uri}#{quote(join(said))}"

    def _copy(self, value: Any, *, is_root: bool = False) -> Any:
        if isinstance(value, list):
            return [self._copy(item) for item in value]
        if not isinstance(value, dict):
            return value
        copied = {key: self._copy(item) for key, item in value.items()}
        node = self._survey.nodes.get(id(value))
        if node is not None:
            self._copies[id(value)] = copied
            self._say(node, copied, is_root=is_root)
        return copied

    def _say(self, node: Node, copied: dict[str, Any], *, is_root: bool) -> None:
        patterns = self._survey.patterns
        if copied.get("pattern") in patterns:
            copied["pattern"] = patterns[copied["pattern"]].engine
        if isinstance(copied.get("patternProperties"), dict):
            copied["patternProperties"] = {
                patterns[key].engine: each for key, each in copied["patternProperties"].items()
            }
        reference = copied.get("$ref")
        if isinstance(reference, str) and urldefrag(reference).fragment.startswith("/"):
            copied["$ref"] = self._reference(reference)
        if self._survey.is_mixed and (is_root or "$id" in copied):
            copied["$schema"] = node.dialect.uri


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

    def make() -> Compiled:
        return _compile(root, resources, most_text, for_arguments=for_arguments)

    # Both engines go through a schema level by level.
    is_deep = root.text.count("{") > _SHALLOW or root.refers_away
    return _CACHE.get(key, (lambda: with_a_deep_stack(make)) if is_deep else make)


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
        return Compiled(seen, most_text)
    except VerdictError as error:
        refused = SchemaFault(root.label, join(error.tokens), error.message)
    refuse(schema_faults(seen) or [refused])
    raise AssertionError("a refused schema has a fault")  # pragma: no cover
