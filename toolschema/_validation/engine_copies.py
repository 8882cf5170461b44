"""Copies of the schemas with their patterns translated for jsonschema-rs."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, unquote, urldefrag

from toolschema._json.pointer import Token, join, split
from toolschema._schema.dialect import Schema
from toolschema._schema.document import Node
from toolschema._schema.survey import Survey


class EngineCopies:
    """Copies of the private copies, made only where some pattern or ``$schema`` differs."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        self._differs = survey.is_mixed or any(
            pattern.engine != pattern.source for pattern in survey.patterns.values()
        )
        self._copies: dict[int, Any] = {}

    def copy(self, contents: Any) -> Any:
        return self._copy(contents, is_root=True) if self._differs else contents

    def of(self, schema: Schema) -> Schema:
        return self._copies.get(id(schema), schema)

    def tokens(self, tokens: tuple[Token, ...]) -> tuple[Token, ...]:
        """The same location in the copy: patterns are property names there, too."""
        patterns = self._survey.patterns
        return tuple(
            patterns[token].engine if above == "patternProperties" and token in patterns else token
            for above, token in zip(("", *tokens), tokens, strict=False)
        )

    def _reference(self, reference: str) -> str:
        uri, _, fragment = reference.partition("#")
        tokens = split(unquote(fragment))
        translated = self.tokens(tokens)
        return reference if translated == tokens else f"{uri}#{quote(join(translated))}"

    def _copy(self, value: Any, *, is_root: bool = False) -> Any:
        if isinstance(value, list):
            return [self._copy(item) for item in value]
        if not isinstance(value, dict):
            return value
        copied = {key: self._copy(item) for key, item in value.items()}
        node = self._survey.nodes.get(id(value))
        if node is not None:
            self._copies[id(value)] = copied
            self._translate(node, copied, is_root=is_root)
        return copied

    def _translate(self, node: Node, copied: dict[str, Any], *, is_root: bool) -> None:
        patterns = self._survey.patterns
        if copied.get("pattern") in patterns:
            copied["pattern"] = patterns[copied["pattern"]].engine
        if isinstance(copied.get("patternProperties"), dict):
            copied["patternProperties"] = {
                patterns[key].engine: below for key, below in copied["patternProperties"].items()
            }
        reference = copied.get("$ref")
        if isinstance(reference, str) and urldefrag(reference).fragment.startswith("/"):
            copied["$ref"] = self._reference(reference)
        if self._survey.is_mixed and (is_root or "$id" in copied):
            copied["$schema"] = node.dialect.uri
