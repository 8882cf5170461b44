"""Feedback: issues, worded for the model that is to send the call again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from toolschema._calls.feedback.advice import MISSING, Case, advice
from toolschema._calls.feedback.annotations import description_of, error_message
from toolschema._calls.feedback.path import EvaluationPath, evaluation_path
from toolschema._calls.feedback.summary import json_line, shortened_json
from toolschema._json.kinds import noun
from toolschema._json.printable import LONGEST_NAME, one_line
from toolschema._json.text import from_json, is_json_text
from toolschema._schema.examples import FORMATS, Maker, Part, authored, of_format
from toolschema._validation.boundary import check_tool_arguments
from toolschema._validation.definition import ToolDefinition
from toolschema.errors import Issue, ToolArgumentsValidationError

_SHORTEST_TEXT = 200
_SHORTEST_LINE = 5
_LONGEST_LINE = 400
_LONGEST_EXAMPLE = 100
_LONGEST_ECHO = 80
_UNKNOWN = "..."
"""What cannot be made up for an example, such as a string that matches a pattern."""
_CHOICES = frozenset({"enum", "const"})
_SELF_CONTAINED = _CHOICES | {
    "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "false",
}  # fmt: skip
"""Keywords whose sentence is not helped by a description or an example."""


def feedback(
    tool: ToolDefinition[Any],
    error_or_issues: ToolArgumentsValidationError | Iterable[Issue],
    arguments: object = None,
    *,
    echo: bool = False,
    skeleton: bool = False,
    max_length: int = 2000,
    trust_schema_text: bool = True,
) -> str:
    """Explain what is wrong with a call so that a model can correct it.

    The first line names the tool and the number of problems; then one line for
    each says where it is, what is wrong and what a valid value looks like; the
    last says what to do. The schema's own words take precedence: ``errorMessage``
    in the convention of ajv-errors, then the first sentence of the
    ``description``, and the first of ``examples`` or the ``default``. An
    ``errorMessage`` should follow on from the property name: "must be …".

    The text holds no value of the arguments, only their types; names that the
    model made up are shown as in the issues.

    Args:
        tool: The definition that was called.
        error_or_issues: The error that was raised, or the issues that
            `check_tool_arguments` returned.
        arguments: What was sent, text or value. With it the text can say what
            type was received, and which name or value was probably meant.
        echo: Whether to repeat the value that was sent, as at most 80
            characters of JSON. Values can be secret, or meant to mislead.
        skeleton: Whether to add the smallest call that the schema requires.
        max_length: Most characters of the text, 200 or more; problems that do
            not fit are counted.
        trust_schema_text: Whether the author of the schema may address the
            model through ``errorMessage``, descriptions, examples and defaults.
            Names and allowed values are always shown: no call can do without.

    Returns:
        Text of several lines, one for each problem between the first and last.

    Raises:
        TypeError: An argument is of the wrong type.
        ValueError: *max_length* is below 200.

    >>> schema = {"properties": {"limit": {"type": "integer", "minimum": 1, "maximum": 50}}}
    >>> tool = ToolDefinition("search", "Search.", schema)
    >>> from toolschema import check_tool_arguments
    >>> print(feedback(tool, check_tool_arguments(tool, '{"limit": 500}')))
    The call to "search" was refused: 1 problem with its arguments.
    - /limit: must be between 1 and 50
    Call "search" again with complete and corrected arguments.
    """
    _check_options(tool, max_length)
    issues, omitted = _issues(error_or_issues)
    name = one_line(tool.name[:LONGEST_NAME])
    value = _received(arguments)
    distinct = dict.fromkeys(_lines(tool, issues, value, echo=echo, trusts=trust_schema_text))
    lines = list(distinct)
    count, or_more = len(lines) + (omitted or 0), "" if omitted is not None else " or more"
    problems = f"{count}{or_more} problem{'' if count == 1 and not or_more else 's'}"
    head = f'The call to "{name}" was refused: {problems} with its arguments.'
    tail = [f'Call "{name}" again with complete and corrected arguments.']
    if skeleton:
        tail.insert(0, _skeleton(tool, trusts=trust_schema_text))
    return _fitted(head, lines, tail, count, or_more, max_length)


def _check_options(tool: object, max_length: object) -> None:
    if not isinstance(tool, ToolDefinition):
        raise TypeError(f"tool must be a ToolDefinition, not {type(tool).__name__}")
    if type(max_length) is not int:
        raise TypeError(f"max_length must be int, not {type(max_length).__name__}")
    if max_length < _SHORTEST_TEXT:
        raise ValueError(f"max_length must be at least {_SHORTEST_TEXT}")


def _issues(
    given: ToolArgumentsValidationError | Iterable[Issue],
) -> tuple[list[Issue], int | None]:
    """The issues, and how many more there are; None if that is unknown."""
    if isinstance(given, ToolArgumentsValidationError):
        return list(given.issues), given.omitted
    is_listed = isinstance(given, Iterable) and not isinstance(given, (str, bytes))
    issues = list(given) if is_listed else []
    if not issues or not all(isinstance(issue, Issue) for issue in issues):
        raise TypeError("issues must be a ToolArgumentsValidationError, or at least one Issue")
    return issues, 0


def _received(arguments: object) -> Any:
    """The value of *arguments*, which may be JSON text; `MISSING` if that is invalid."""
    if not is_json_text(arguments):
        return MISSING if arguments is None else arguments
    try:
        return from_json(arguments.encode() if isinstance(arguments, str) else bytes(arguments))
    except ValueError:
        return MISSING


def _lines(
    tool: ToolDefinition[Any], issues: list[Issue], value: Any, *, echo: bool, trusts: bool
) -> Iterator[str]:
    described: set[str] = set()
    chosen = {issue.instance_location for issue in issues if issue.keyword in _CHOICES}
    for issue in issues:
        location = issue.instance_location
        if issue.keyword == "type" and location in chosen:
            continue  # the list of allowed values says more
        case = Case(issue, evaluation_path(tool.compiled, issue), value)
        sentences = list(_sentences(case, trusts=trusts, is_first=location not in described))
        described.add(location)
        sent = shortened_json(case.value, _LONGEST_ECHO) if echo and noun(case.value) else None
        if sent is not None and issue.keyword != "@object":
            sentences = [*sentences[:-1], _ended(sentences[-1]), f"You sent {sent}."]
        line = " ".join(sentences)
        if len(line) > _LONGEST_LINE:
            line = line[: _LONGEST_LINE - 3] + "..."
        yield f"- {location}: {line}" if location else f"- {line}"


def _sentences(case: Case, *, trusts: bool, is_first: bool) -> Iterator[str]:
    """What is wrong; then the author's words and an example, if they help."""
    issue = case.issue
    message = error_message(case.path, issue) if trusts else None
    if message is not None:
        yield _ended(one_line(" ".join(message.split())))
        return
    sentence = advice(case)
    schemas = _schemas_to_satisfy(case.path, issue)
    description = description_of(schemas) if trusts and is_first else None
    example = _example(case.path, schemas, issue, trusts=trusts)
    is_helped = issue.keyword not in _SELF_CONTAINED and not issue.keyword.startswith("@")
    if not is_helped or (description is None and example is None):
        yield sentence
        return
    yield _ended(sentence)
    if description is not None:
        yield _ended(one_line(description))
    if example is not None and example not in f"{sentence} {description}":
        yield f"Example: {example}"


def _schemas_to_satisfy(path: EvaluationPath, issue: Issue) -> list[dict[str, Any]]:
    """The schemas of the value that is to be sent."""
    if "allowedValues" in issue.params:
        return []  # the value is a tag, which lies below what the union applies to
    name = issue.params.get("property")
    if name is not None and issue.tokens and issue.tokens[-1] == one_line(str(name)):
        return path.declared(str(name))
    return [part for schema in path.schemas() for part in path.expanded(schema)]


def _example(
    path: EvaluationPath, schemas: list[dict[str, Any]], issue: Issue, *, trusts: bool
) -> str | None:
    """An example that all *schemas* accept, as JSON."""
    candidates = list(islice(authored(schemas), 1)) if trusts and issue.tokens else []
    if issue.keyword == "pattern":
        names = [schema["format"] for schema in schemas if "format" in schema]
        candidates += [FORMATS[name] for name in names[:1] if name in FORMATS]
    for candidate in candidates:
        if all(path.accepts(schema, candidate) for schema in schemas):
            text = json_line(candidate)
            return text if text and len(text) <= _LONGEST_EXAMPLE else None
    return None


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?", ":")) else f"{sentence}."


def _skeleton(tool: ToolDefinition[Any], *, trusts: bool) -> str:
    """A call with only what is required."""
    survey = tool.compiled.survey
    maker = Maker(
        survey, _Simplest(), shows=trusts, placeholder=_UNKNOWN, deepest=8, most_items=3, left=200
    )
    made = maker.value([survey.root.contents])
    value = made if type(made) is dict else {}
    is_valid = not check_tool_arguments(tool, value)
    label = "The smallest valid call" if is_valid else "A call looks like this"
    return f"{label}: {json_line(value) or 'too long to show'}"


class _Simplest:
    """The first of all choices, and no string but one for a format."""

    def below(self, _end: int) -> int:
        return 0

    def boolean(self) -> bool:
        return True

    def string(self, parts: list[Part], _attempt: int) -> str:
        return of_format(parts) or _UNKNOWN

    def matching(self, _patterns: list[str]) -> None:
        return None

    def matches(self, pattern: str, text: str) -> bool:
        return False


def _fitted(
    head: str, lines: list[str], tail: list[str], count: int, or_more: str, most: int
) -> str:
    """The whole text in at most *most* characters: what does not fit is counted."""
    kept = lines[: most // _SHORTEST_LINE]
    while True:
        left = count - len(kept)
        rest = [f"- and {left}{or_more} more" if left else "- and more"] if left or or_more else []
        text = "\n".join([head, *kept, *rest, *tail])
        if len(text) <= most:
            return text
        if len(kept) > 1:
            kept.pop()
        elif len(tail) > 1:
            tail = tail[1:]
        else:
            kept = [f"{kept[0][: most - len(text) - 3]}..."]
