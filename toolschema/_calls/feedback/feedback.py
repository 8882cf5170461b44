"""Issues, said for the model that is to send the call again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from toolschema._calls.feedback import annotations as _authored
from toolschema._calls.feedback.advice import Case, advice
from toolschema._calls.feedback.example import FORMATS, smallest_call
from toolschema._calls.feedback.path import Route, route_of
from toolschema._calls.feedback.received import MISSING, echoed, received
from toolschema._json.printable import one_line
from toolschema._validation.definition import ToolDefinition
from toolschema.errors import Issue, ToolArgumentsValidationError

_LEAST_LENGTH = 200
_LONGEST_LINE = 400
_LONGEST_NAME = 64
_LONGEST_EXAMPLE = 100
_CHOICES = frozenset({"enum", "const"})
_SAYS_IT_ALL = frozenset(
    {"enum", "const", "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "false"}
)
"""Keywords after whose sentence neither a description nor an example helps."""


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
    """Say what is wrong with a call so that a model can mend it.

    One line tells the tool and how many problems there are; then one line for
    each says where it is, what was wrong and what a good value looks like; the
    last says what to do. The schema's own words come first: ``errorMessage`` as
    ajv-errors takes it, then the first sentence of the ``description``, and the
    first of ``examples`` or the ``default``. An author's ``errorMessage`` should
    read on from the name of the property: "must be …".

    No value of the arguments is in the text, only their types; names that a
    model made up are as in the issues.

    Args:
        tool: The definition that was called.
        error_or_issues: The error that was raised, or issues of
            `check_tool_arguments`.
        arguments: What was sent, text or value. With it the text can say what
            type was received, and which name or value was probably meant.
        echo: Whether to repeat the value that was sent, as at most 80
            characters of JSON. Values can be secret, or meant to mislead.
        skeleton: Whether to add the smallest call that the schema asks for.
        max_length: Characters of the text, at least 200; problems that have no
            room are counted.
        trust_schema_text: Whether the author of the schema may speak to the
            model: ``errorMessage``, descriptions, examples and defaults. Names
            and allowed values are shown anyway: a call cannot do without them.

    Returns:
        Text of several lines, each about one problem.

    Raises:
        TypeError: An argument is of the wrong type.
        ValueError: *max_length* is below 200.

    >>> schema = {"properties": {"limit": {"type": "integer", "minimum": 1, "maximum": 50}}}
    >>> tool = ToolDefinition("search", "Search.", schema)
    >>> from toolschema import check_tool_arguments
    >>> print(feedback(tool, check_tool_arguments(tool, '{"limit": 500}')))
    The call of "search" was refused: 1 problem with its arguments.
    - /limit: must be between 1 and 50
    Call "search" again with complete and corrected arguments.
    """
    issues, omitted = _issues(tool, error_or_issues, max_length)
    value = received(arguments)
    name = one_line(tool.name[:_LONGEST_NAME])
    lines = _once(_lines(tool, issues, value, echo=echo, trusts=trust_schema_text))
    count = len(lines) + (omitted or 0)
    more = "" if omitted is not None else " or more"
    head = f'The call of "{name}" was refused: {_counted(count, more)} with its arguments.'
    tail = [f'Call "{name}" again with complete and corrected arguments.']
    if skeleton:
        tail.insert(0, _skeleton(tool, trusts=trust_schema_text))
    return _bounded(head, lines, tail, count, more, max_length)


def _issues(
    tool: object, given: ToolArgumentsValidationError | Iterable[Issue], max_length: object
) -> tuple[list[Issue], int | None]:
    if not isinstance(tool, ToolDefinition):
        raise TypeError(f"tool must be a ToolDefinition, not {type(tool).__name__}")
    if type(max_length) is not int:
        raise TypeError(f"max_length must be int, not {type(max_length).__name__}")
    if max_length < _LEAST_LENGTH:
        raise ValueError(f"max_length must be at least {_LEAST_LENGTH}")
    if isinstance(given, ToolArgumentsValidationError):
        return list(given.issues), given.omitted
    is_listed = isinstance(given, Iterable) and not isinstance(given, (str, bytes))
    issues = list(given) if is_listed else []
    if not issues or not all(isinstance(each, Issue) for each in issues):
        raise TypeError("issues must be a ToolArgumentsValidationError or one Issue or more")
    return issues, 0


def _once(lines: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(lines))


def _lines(
    tool: ToolDefinition[Any], issues: list[Issue], value: Any, *, echo: bool, trusts: bool
) -> Iterator[str]:
    described: set[str] = set()
    chosen = {each.instance_location for each in issues if each.keyword in _CHOICES}
    for issue in issues:
        if issue.keyword == "type" and issue.instance_location in chosen:
            continue  # the values that are allowed say it better
        case = Case(issue, route_of(tool.compiled, issue), value)
        parts = list(_parts(case, trusts=trusts, is_first=issue.instance_location not in described))
        described.add(issue.instance_location)
        shown = echoed(case.value) if echo and case.value is not MISSING else None
        if shown is not None and issue.keyword != "@object":
            parts = [*parts[:-1], _ended(parts[-1]), f"You sent {shown}."]
        line = " ".join(parts)
        if len(line) > _LONGEST_LINE:
            line = line[: _LONGEST_LINE - 3] + "..."
        place = f"{issue.instance_location}: " if issue.instance_location else ""
        yield f"- {place}{line}"


def _parts(case: Case, *, trusts: bool, is_first: bool) -> Iterator[str]:
    """What was wrong; then the author's words and an example, where they help."""
    issue = case.issue
    written = _authored.error_message(case.route, issue) if trusts else None
    if written is not None:
        yield _ended(one_line(" ".join(written.split())))
        return
    sentence = advice(case)
    about = _about(case.route, issue)
    said = _authored.description(about) if trusts and is_first else None
    known = _example(case.route, about, issue, trusts=trusts)
    helps = issue.keyword not in _SAYS_IT_ALL and not issue.keyword.startswith("@")
    if not helps or (said is None and known is None):
        yield sentence
        return
    yield _ended(sentence)
    if said is not None:
        yield _ended(one_line(said))
    if known is not None and known not in f"{sentence} {said}":
        yield f"Example: {known}"


def _about(route: Route, issue: Issue) -> list[dict[str, Any]]:
    """The schemas of the value that is to be sent."""
    if "allowedValues" in issue.params:
        return []  # it is about a tag, which is below what the union is about
    name = issue.params.get("property")
    if name is not None and issue.tokens and issue.tokens[-1] == one_line(str(name)):
        return route.declared(str(name))
    return [each for schema in route.same_value() for each in route.reached(schema)]


def _example(
    route: Route, schemas: list[dict[str, Any]], issue: Issue, *, trusts: bool
) -> str | None:
    found = _authored.example(schemas) if trusts and issue.tokens else None
    if found is not None and not all(route.accepts(each, found[0]) for each in schemas):
        found = None
    if found is None:
        formats = (each.get("format") for each in schemas)
        name = next((each for each in formats if isinstance(each, str)), None)
        if name in FORMATS and issue.keyword == "pattern":
            known = FORMATS[name]
            found = (known,) if all(route.accepts(each, known) for each in schemas) else None
    try:
        text = json.dumps(found[0], ensure_ascii=False) if found is not None else ""
    except ValueError:
        return None
    return one_line(text) if 0 < len(text) <= _LONGEST_EXAMPLE else None


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?", ":")) else f"{sentence}."


def _counted(count: int, more: str) -> str:
    return f"{count}{more} problem{'' if count == 1 and not more else 's'}"


def _skeleton(tool: ToolDefinition[Any], *, trusts: bool) -> str:
    value, is_valid = smallest_call(tool, trust_schema_text=trusts)
    try:
        text = one_line(json.dumps(value, ensure_ascii=False))
    except ValueError:
        return "There is no short form of a call."  # a number of very many digits
    return f"{'The smallest valid call' if is_valid else 'A call has this form'}: {text}"


def _bounded(head: str, lines: list[str], tail: list[str], count: int, more: str, most: int) -> str:
    kept = lines[: most // 5]  # no line is shorter
    while True:
        left = count - len(kept)
        rest = [f"- and {left}{more} more" if left else "- and more"] if left or more else []
        text = "\n".join([head, *kept, *rest, *tail])
        if len(text) <= most:
            return text
        if len(kept) > 1:
            kept.pop()
        elif len(tail) > 1:
            tail = tail[1:]
        else:
            over = len(text) - most
            kept = [f"{kept[0][: len(kept[0]) - over - 3]}..."]
