"""The boundary: what a model sent, against what the tool takes."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from toolschema._json.findings import Finding, Findings
from toolschema._json.plain import (
    NOT_PLAIN,
    SHORT,
    copied,
    digits_are_usual,
    measured,
    plain,
    value_findings,
    writable,
)
from toolschema._json.printable import one_line
from toolschema._json.stack import with_a_deep_stack
from toolschema._json.text import (
    FEW,
    DuplicateKeys,
    JSONText,
    decode,
    decoded,
    from_json,
    is_text,
    limit,
    size_of,
)
from toolschema._validation import messages as _messages
from toolschema._validation.compiled import Compiled
from toolschema._validation.definition import NOT_YET, Args, ToolDefinition
from toolschema._validation.explain.engine import explain
from toolschema._validation.verdict import compile_guard
from toolschema.errors import Issue, ToolArgumentsValidationError

Result = TypeVar("Result")

_LOG = logging.getLogger("toolschema")
_CUT_SHORT = Findings([Finding(_messages.UNSATISFIED, "@limit")], is_complete=False)
"""Said where nothing was found before the steps, the time or the stack ran out."""
_NOT_OBJECT = Findings([Finding("arguments must be a plain object", "@object")])
"""Said of anything that is no object, whatever the schema says."""


def parse_tool_arguments(
    tool: ToolDefinition[Args],
    json: JSONText,
    *,
    empty_is_object: bool = False,
    duplicate_keys: DuplicateKeys = "refuse",
) -> Args:
    """Decode *json* and check it against the parameters of *tool*.

    Strict: nothing is converted, repaired or filled in. Every other rule is
    the one of `validate_tool_arguments`, which takes the decoded value.

    Args:
        tool: The definition whose ``parameters`` schema decides.
        json: One JSON document (RFC 8259) as text or UTF-8 bytes, at most
            ``tool.limits.max_bytes`` bytes. Integers stay exact; they have at
            most 4300 digits.
        empty_is_object: Take a text of nothing but white space for ``{}``, as
            some providers send it for a tool without parameters.
        duplicate_keys: ``"refuse"`` an object with the same name twice, on
            which services disagree (RFC 8259 §4), or keep the ``"last"``, as
            `JSON.parse` does.

    Returns:
        The arguments as plain built-in types, shared with nobody. What was
        written with a fraction or an exponent is a `float`, also where the
        schema asks for an integer, as 3.0 is one (2020-12 core §6.3).

    Raises:
        ToolArgumentsValidationError: The model is at fault. Its issues are
            ordered by instance location and hold no value.
        TypeError: An argument is of the wrong type.
        ValueError: *duplicate_keys* is neither of its two values.

    >>> tool = ToolDefinition("read", "Read a file.", {"required": ["path"]})
    >>> parse_tool_arguments(tool, '{"path": "README.md", "limit": 20}')
    {'path': 'README.md', 'limit': 20}
    """
    # A short text is judged here; what goes wrong with it is found out below.
    if (
        (type(json) is str or type(json) is bytes)
        and type(tool) is ToolDefinition
        and (size := len(json)) <= tool._longest_quick
        and duplicate_keys == "refuse"
        and (size <= SHORT or digits_are_usual())
    ):
        try:
            # NaN and Infinity are let through here; neither verdict takes them.
            if type(json) is str:
                json = json.encode()
            is_short = size <= FEW
            value = from_json(json, catch_duplicate_keys=True) if is_short else decoded(json)  # type: ignore[arg-type]
        except ValueError:
            value = None
        if type(value) is dict:
            if tool._sealed is not None and tool._sealed(value):
                return value  # type: ignore[return-value]
            if tool._guard(value):
                if tool._is_valid(value):
                    if tool._sealed is NOT_YET:
                        with suppress(RecursionError):
                            tool._seal()
                    return value  # type: ignore[return-value]
                shown = tool._presentation.present(_explained(tool, value, is_large=False))
                del value, json
                raise ToolArgumentsValidationError(tool.name, *shown)
    _check_call(tool, json, duplicate_keys)
    value, findings = _parse(
        tool, json, empty_is_object=empty_is_object, duplicate_keys=duplicate_keys
    )
    if findings is None:
        return value  # type: ignore[no-any-return]
    shown = tool._presentation.present(findings)
    # From here on no frame of ours holds anything that the model sent; nor the
    # error, which would be a cycle.
    del value, json, findings
    raise ToolArgumentsValidationError(tool.name, *shown)


def validate_tool_arguments(tool: ToolDefinition[Args], value: object) -> Args:
    """Check a decoded *value* against the parameters of *tool*.

    Strict: nothing is converted, repaired or filled in. The value must be made
    of exactly `dict` with `str` names, `list`, `str`, `int`, `float`, `bool`
    and `None`; a subclass, a tuple, a non-finite float or a lone surrogate is
    an issue at its location. No method of the value's own is ever called, and
    *value* is not changed.

    Copying is not permission control: the copy protects what was checked from
    later changes, not a secret from its reader.

    Args:
        tool: The definition whose ``parameters`` schema decides.
        value: What a decoder made of the arguments.

    Returns:
        A deep copy as plain built-in types, shared with nobody.

    Raises:
        ToolArgumentsValidationError: The value is at fault. Its issues are
            ordered by instance location and hold no value.
        TypeError: *tool* is no `ToolDefinition`.

    >>> tool = ToolDefinition("read", "Read a file.", {"required": ["path"]})
    >>> validate_tool_arguments(tool, {"limit": 20})
    Traceback (most recent call last):
    toolschema.errors.ToolArgumentsValidationError: Invalid arguments for tool "read":
      - /path: must have required properties path
    """
    # A small value is judged here; what is no plain one is looked at below.
    if type(value) is dict and type(tool) is ToolDefinition:
        copy: dict[str, Any] | None
        try:
            copy = copied(value, tool.limits.max_depth, [*tool._room])
            # The engine looks at every name, and stumbles on a lone surrogate.
            if tool._sealed is not None and tool._sealed(copy):
                return copy  # type: ignore[return-value]
            writable(copy)
        except Exception:  # noqa: BLE001 - whatever it is, it is found again
            copy = None
        if copy is not None:
            if tool._is_valid(copy):
                if tool._sealed is NOT_YET:
                    with suppress(RecursionError):
                        tool._seal()
                return copy  # type: ignore[return-value]
            shown = tool._presentation.present(_explained(tool, copy, is_large=False))
            del copy, value
            raise ToolArgumentsValidationError(tool.name, *shown)
    _check_tool(tool)
    copy, findings = _validate(tool, value)
    if findings is None:
        return copy  # type: ignore[return-value]
    shown = tool._presentation.present(findings)
    del copy, value, findings
    raise ToolArgumentsValidationError(tool.name, *shown)


def check_tool_arguments(tool: ToolDefinition[Any], arguments: object) -> tuple[Issue, ...]:
    """Say what is wrong with *arguments*, without raising for it.

    Text is decoded as by `parse_tool_arguments` with its defaults; anything
    else is taken as `validate_tool_arguments` takes it.

    Returns:
        The issues, ordered by instance location; empty where the arguments are
        valid. At most ``tool.limits.max_issues``.

    Raises:
        TypeError: *tool* is no `ToolDefinition`.

    >>> tool = ToolDefinition("read", "Read a file.", {"required": ["path"]})
    >>> check_tool_arguments(tool, '{"limit": 20}')
    ('/path: must have required properties path',)
    """
    _check_tool(tool)
    try:
        if is_text(arguments):
            parse_tool_arguments(tool, arguments)
        else:
            validate_tool_arguments(tool, arguments)
    except ToolArgumentsValidationError as error:
        return error.issues
    return ()


def _parse(
    tool: ToolDefinition[Any],
    text: JSONText,
    *,
    empty_is_object: bool = False,
    duplicate_keys: DuplicateKeys = "refuse",
) -> tuple[Any, Findings | None]:
    value, finding = decode(text, tool.limits, duplicate_keys)
    if finding is not None:
        if not (empty_is_object and _is_blank(text)):
            return None, Findings([finding])
        value = {}
    if type(value) is not dict:
        return None, _NOT_OBJECT
    if not tool._guard(value) and not compile_guard(tool.limits.max_depth)(value):
        return None, value_findings(value, tool.limits)
    size = size_of(text)
    if size > SHORT and not digits_are_usual() and plain(value, tool.limits) is NOT_PLAIN:
        return None, value_findings(value, tool.limits)
    if size > tool._compiled.longest_plain_text:
        # What counts is the value, not its spaces, escapes or encoding.
        size = measured(value, tool.limits)[1]
    return _judge(tool, value, size)


def _validate(tool: ToolDefinition[Any], value: object) -> tuple[Any, Findings | None]:
    if type(value) is not dict:
        return None, _NOT_OBJECT
    try:
        copy, size = measured(value, tool.limits)
    except RecursionError:
        copy, size = with_a_deep_stack(lambda: measured(value, tool.limits))
    if copy is NOT_PLAIN:
        return None, value_findings(value, tool.limits)
    return _judge(tool, copy, size)


def _is_blank(text: JSONText) -> bool:
    data = text.encode(errors="replace") if isinstance(text, str) else bytes(text)
    return not data.strip(b" \t\n\r")


def _judge(tool: ToolDefinition[Any], value: Any, size: int) -> tuple[Any, Findings | None]:
    """The verdict on a plain value; *size* bounds the characters in it, or nearly."""
    compiled, max_depth = tool._compiled, tool.limits.max_depth
    is_large = size > compiled.longest_plain_text
    try:
        if with_room(tool, value, lambda: is_valid(compiled, value, max_depth, is_large=is_large)):
            return value, None
    except RecursionError:
        return None, _CUT_SHORT
    return None, _explained(tool, value, is_large=is_large)


def with_room(tool: ToolDefinition[Any], value: Any, work: Callable[[], Result]) -> Result:
    """Do *work* on a plain value here, or where there is enough stack for it."""
    if tool._guard(value):
        with suppress(RecursionError):
            return work()
    # The value and the schema are so deep, or the caller is so deep in the
    # stack, that this thread may not have room.
    return with_a_deep_stack(work)


def _explained(tool: ToolDefinition[Any], value: Any, *, is_large: bool) -> Findings:
    try:
        return with_room(tool, value, lambda: _explain(tool, value, is_large=is_large))
    except RecursionError:
        return _CUT_SHORT


def is_valid(compiled: Compiled, value: Any, max_depth: int, *, is_large: bool) -> bool:
    if not is_large:
        return compiled.is_valid(value)
    return _has_short_names(compiled, value, max_depth) and compiled.careful(value)


def _has_short_names(compiled: Compiled, value: Any, max_depth: int) -> bool:
    """Whether no name is too long for a pattern that backtracks."""
    if not compiled.has_backtracking_names:
        return True
    return compile_guard(max_depth, compiled.longest_name)(value)


def _explain(tool: ToolDefinition[Any], value: Any, *, is_large: bool) -> Findings:
    compiled = tool._compiled
    if not _has_short_names(compiled, value, tool.limits.max_depth):
        # Which patterns such a name matches is not known, nor what they ask for.
        most = compiled.longest_name
        return Findings([limit(f"must not have property names of more than {most} characters")])
    validator, facts = compiled.reference
    findings = explain(validator, value, facts, tool.limits.max_steps, is_large=is_large)
    if findings.found:
        return findings
    if not findings.is_complete:
        return _CUT_SHORT
    if compiled.backtracking:
        compiled.careful(value)
        if compiled.careful.was_exceeded or compiled.gives_up_on_names(value):
            message = "must not hold texts that take too long to be searched for a pattern"
            return Findings([limit(message)])
    # Both engines answer the same for everything that is known; so this is a
    # fault of theirs or ours, and the safe answer is no.
    _LOG.error('the engines disagree about arguments of tool "%s"; refused', one_line(tool.name))
    return Findings([Finding(_messages.UNSATISFIED, "@disagreement")])


def _check_tool(tool: object) -> None:
    if not isinstance(tool, ToolDefinition):
        raise TypeError(f"tool must be a ToolDefinition, not {type(tool).__name__}")


def _check_call(tool: object, json: object, duplicate_keys: object) -> None:
    _check_tool(tool)
    if not is_text(json):
        raise TypeError(
            "json must be exactly str, bytes, bytearray or memoryview, "
            f"not {type(json).__name__}; validate_tool_arguments takes a decoded value"
        )
    if duplicate_keys not in ("refuse", "last"):
        raise ValueError('duplicate_keys must be "refuse" or "last"')
