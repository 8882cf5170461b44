"""The boundary, top to bottom: text, value, copy, verdict, explanation, issues, error."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from toolschema._json.findings import Finding, Findings
from toolschema._json.plain import (
    ALWAYS_SAFE_DIGITS,
    NOT_PLAIN,
    copied,
    digits_are_usual,
    measured,
    plain,
    value_findings,
    writable,
)
from toolschema._json.stack import with_a_deep_stack
from toolschema._json.text import (
    DUPLICATES_BY_DECODER,
    DuplicateKeys,
    JSONText,
    decode,
    decoded,
    from_json,
    is_json_text,
    size_of,
)
from toolschema._validation.compiled import CUT_SHORT
from toolschema._validation.definition import Args, ToolDefinition
from toolschema._validation.fast import NOT_COMPILED, Fast
from toolschema._validation.verdict import compile_guard
from toolschema.errors import Issue, ToolArgumentsValidationError

Outcome = dict[str, Any] | Findings
"""The arguments where they are valid; else what is wrong with them."""

_NOT_OBJECT = Findings([Finding("arguments must be a plain object", "@object")])
"""For anything that is not an object, whatever the schema."""


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
    outcome = _decide_short_text(tool, json) if duplicate_keys == "refuse" else None
    if outcome is None:
        _check_call(tool, json, duplicate_keys)
        outcome = _decide_text(tool, json, empty_is_object, duplicate_keys)
    if type(outcome) is dict:
        return outcome  # type: ignore[return-value]
    shown = tool._presentation.present(outcome)  # type: ignore[arg-type]
    # From here on no frame of ours holds anything that the model sent; nor the
    # error, which would be a cycle.
    del json, outcome
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
        TypeError: *tool* is not a `ToolDefinition`.

    >>> tool = ToolDefinition("read", "Read a file.", {"required": ["path"]})
    >>> validate_tool_arguments(tool, {"limit": 20})
    Traceback (most recent call last):
    toolschema.errors.ToolArgumentsValidationError: Invalid arguments for tool "read":
      - /path: must have required properties path
    """
    outcome = _decide_small_value(tool, value)
    if outcome is None:
        _check_tool(tool)
        outcome = _decide_value(tool, value)
    if type(outcome) is dict:
        return outcome  # type: ignore[return-value]
    shown = tool._presentation.present(outcome)  # type: ignore[arg-type]
    del value, outcome
    raise ToolArgumentsValidationError(tool.name, *shown)


def check_tool_arguments(tool: ToolDefinition[Any], arguments: object) -> tuple[Issue, ...]:
    """Say what is wrong with *arguments*, without raising for it.

    Text is decoded as by `parse_tool_arguments` with its defaults; anything
    else is taken as `validate_tool_arguments` takes it.

    Returns:
        The issues, ordered by instance location; empty where the arguments are
        valid. At most ``tool.limits.max_issues``.

    Raises:
        TypeError: *tool* is not a `ToolDefinition`.

    >>> tool = ToolDefinition("read", "Read a file.", {"required": ["path"]})
    >>> check_tool_arguments(tool, '{"limit": 20}')
    ('/path: must have required properties path',)
    """
    _check_tool(tool)
    try:
        if is_json_text(arguments):
            parse_tool_arguments(tool, arguments)
        else:
            validate_tool_arguments(tool, arguments)
    except ToolArgumentsValidationError as error:
        return error.issues
    return ()


def _decide_short_text(tool: ToolDefinition[Any], json: Any) -> Outcome | None:
    """Decide a text that exceeds no limit and decodes; None for any other."""
    kind = type(json)
    if kind is not str and kind is not bytes:
        return None
    try:
        fast, size = tool._fast, len(json)
        if size > fast.longest_text or (size > ALWAYS_SAFE_DIGITS and not digits_are_usual()):
            return None
        if kind is str:
            json = json.encode()
        # NaN and Infinity are let through here; neither verdict takes them.
        is_short = size <= DUPLICATES_BY_DECODER
        value = from_json(json, catch_duplicate_keys=True) if is_short else decoded(json)
    except (ValueError, AttributeError):  # the latter for what is not a tool
        return None
    if type(value) is not dict:
        return None
    if fast.closed(value):
        return value
    return _decided(tool, fast, value, size) if fast.guard(value) else None


def _decide_small_value(tool: ToolDefinition[Any], value: object) -> Outcome | None:
    """Decide a plain object that exceeds no limit; None for anything else."""
    if type(value) is not dict:
        return None
    try:
        fast = tool._fast
        copy = copied(value, fast.max_depth, [*fast.budget])
        # The engine reads every name, and stumbles on a lone surrogate.
        if fast.closed(copy):
            return copy
        writable(copy)
    except Exception:  # noqa: BLE001 - whatever it is, it is found again
        return None
    return _decided(tool, fast, copy, 0)


def _decided(tool: ToolDefinition[Any], fast: Fast, value: dict[str, Any], size: int) -> Outcome:
    if not fast.is_valid(value):
        return tool.compiled.explain(value, size, tool.limits.max_steps)
    if fast.closed is NOT_COMPILED:
        with suppress(RecursionError):
            fast.compile_closed()
    return value


def _decide_text(
    tool: ToolDefinition[Any],
    text: JSONText,
    empty_is_object: bool,  # noqa: FBT001 - as the caller of the boundary chose
    duplicate_keys: DuplicateKeys,
) -> Outcome:
    value, finding = decode(text, tool.limits, duplicate_keys)
    if finding is not None:
        if not (empty_is_object and _is_blank(text)):
            return Findings([finding])
        value = {}
    if type(value) is not dict:
        return _NOT_OBJECT
    if not tool._fast.guard(value) and not compile_guard(tool.limits.max_depth)(value):
        return value_findings(value, tool.limits)
    size = size_of(text)
    has_unusual_digits = size > ALWAYS_SAFE_DIGITS and not digits_are_usual()
    if has_unusual_digits and plain(value, tool.limits) is NOT_PLAIN:
        return value_findings(value, tool.limits)
    if size > tool.compiled.longest_plain_text:
        # What counts is the value, not its spaces, escapes or encoding.
        size = measured(value, tool.limits)[1]
    return _judged(tool, value, size)


def _decide_value(tool: ToolDefinition[Any], value: object) -> Outcome:
    if type(value) is not dict:
        return _NOT_OBJECT
    try:
        copy, size = measured(value, tool.limits)
    except RecursionError:
        copy, size = with_a_deep_stack(lambda: measured(value, tool.limits))
    if copy is NOT_PLAIN:
        return value_findings(value, tool.limits)
    return _judged(tool, copy, size)


def _judged(tool: ToolDefinition[Any], value: dict[str, Any], size: int) -> Outcome:
    """The verdict on a plain value, and the explanation where it is not valid."""
    try:
        if tool.compiled.accepts(value, size):
            return value
    except RecursionError:
        return CUT_SHORT
    return tool.compiled.explain(value, size, tool.limits.max_steps)


def _is_blank(text: JSONText) -> bool:
    data = text.encode(errors="replace") if isinstance(text, str) else bytes(text)
    return not data.strip(b" \t\n\r")


def _check_tool(tool: object) -> None:
    if not isinstance(tool, ToolDefinition):
        raise TypeError(f"tool must be a ToolDefinition, not {type(tool).__name__}")


def _check_call(tool: object, json: object, duplicate_keys: object) -> None:
    _check_tool(tool)
    if not is_json_text(json):
        raise TypeError(
            "json must be exactly str, bytes, bytearray or memoryview, "
            f"not {type(json).__name__}; validate_tool_arguments takes a decoded value"
        )
    if duplicate_keys not in ("refuse", "last"):
        raise ValueError('duplicate_keys must be "refuse" or "last"')
