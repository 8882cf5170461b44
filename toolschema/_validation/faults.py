"""Everything that is wrong with a schema, reported to its author."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolschema._json.kinds import TYPES
from toolschema._json.pointer import Token
from toolschema._schema.dialect import DRAFT_2020_12, NAMED
from toolschema._schema.document import Document, Node
from toolschema._schema.patterns.pattern import translate
from toolschema._schema.survey import Survey
from toolschema._validation.messages import sentence
from toolschema._validation.verdict import VerdictError, compile_verdict, is_schema, schema_errors
from toolschema.errors import SchemaFault

_HINTS = {
    "exclusiveMaximum": "must be a number; the boolean form is draft-04's",
    "exclusiveMinimum": "must be a number; the boolean form is draft-04's",
    "required": "must be a list of property names, beside the properties that it is about",
    "type": f"must be one of {', '.join(sorted(TYPES))}, or a list of them without repetition",
}


def root_faults(document: Document, *, for_arguments: bool) -> list[SchemaFault]:
    """Why a document cannot be the schema of a tool's arguments or result."""
    contents = document.contents
    if not isinstance(contents, dict):
        message = "must be a JSON object that is a schema"
        return [document.origin.fault(message)]
    if not for_arguments:
        return []
    types = contents.get("type", "object")
    if types != "object" and not (isinstance(types, list) and "object" in types):
        message = 'must be "object": arguments always are one'
        return [document.origin.fault(message, "type")]
    return []


def schema_faults(survey: Survey) -> list[SchemaFault]:
    """What the metaschemas and the pattern compiler find wrong with all documents."""
    found = [fault for node in survey.nodes.values() for fault in _pattern_faults(node)]
    found.extend(fault for node in _roots(survey) for fault in _violations(node, survey))
    return found


def metaschema_faults(survey: Survey) -> list[SchemaFault]:
    """What the metaschemas find wrong with the tool and everything it refers to."""
    return [
        fault
        for node in _roots(survey)
        if not is_schema(node.dialect, node.schema)
        for fault in _violations(node, survey)
    ]


def _roots(survey: Survey) -> list[Node]:
    """The schemas that a metaschema applies to; the tool's own is the first.

    They are the roots of all documents, and of embedded resources in another dialect.
    """
    if len(survey.documents) == 1 and not survey.is_mixed:
        return [next(iter(survey.nodes.values()))]
    dialects = {node.origin: node.dialect for node in survey.nodes.values() if not node.location}
    return [
        node
        for node in survey.nodes.values()
        if not node.location or (not node.tokens and node.dialect is not dialects.get(node.origin))
    ]


def _violations(node: Node, survey: Survey) -> Iterator[SchemaFault]:
    for tokens, keyword, value in schema_errors(node.dialect, node.schema):
        if not _is_foreign(node, tokens, survey):
            yield node.fault(_violation(tokens, keyword, value), *tokens)


def _violation(tokens: tuple[Token, ...], keyword: str, value: Any) -> str:
    """What a metaschema requires, and how to fix the common mistakes."""
    name = tokens[-1] if tokens else ""
    if name == "items" and value == ["boolean", "object"]:
        return "must be one schema; a list of schemas is prefixItems in 2020-12"
    is_name = len(tokens) > 1 and tokens[-2] in NAMED
    if name in _HINTS and keyword in ("type", "anyOf") and not is_name:
        return _HINTS[str(name)]
    try:
        return sentence(keyword, value)
    except KeyError:
        return "does not satisfy the metaschema of its dialect"


def _is_foreign(node: Node, tokens: tuple[Token, ...], survey: Survey) -> bool:
    """Whether *tokens* lead into a resource of another dialect."""
    value: Any = node.schema
    for token in tokens:
        value = value[token]
        below = survey.nodes.get(id(value))
        if below is not None and below.dialect is not node.dialect:
            return True
    return False


def _pattern_faults(node: Node) -> Iterator[SchemaFault]:
    pattern = node.schema.get("pattern")
    if isinstance(pattern, str) and not _compiles(pattern):
        yield node.fault(_not_a_pattern(pattern), "pattern")
    keyed = node.schema.get("patternProperties")
    if isinstance(keyed, dict):
        for key in keyed:
            if not _compiles(key):
                yield node.fault(_not_a_pattern(key), "patternProperties", key)


def _compiles(pattern: str) -> bool:
    try:
        compile_verdict(DRAFT_2020_12, {"pattern": translate(pattern).engine})
    except VerdictError:
        return False
    return True


def _not_a_pattern(pattern: str) -> str:
    from toolschema._schema.patterns.writer import portability  # noqa: PLC0415 - only a fault needs it

    reason = portability(pattern)
    if reason is None:
        return "is too large to be compiled, or uses what the engine does not know"
    return f"not an ECMA-262 regular expression ({reason})"
