"""A definition together with the functions that do its work."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any, Generic

from toolschema._calls.semantic import Check, Run
from toolschema._validation.definition import ToolDefinition

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Arguments = TypeVar("Arguments", default=Any)
    Value = TypeVar("Value", default=Any)
else:
    from typing import TypeVar

    Arguments, Value = TypeVar("Arguments"), TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Tool(Generic[Arguments, Value]):
    """A tool that can be called: what it takes, whether that makes sense, what it does.

    Args:
        definition: What it takes; its name is the tool's.
        run: Does the work: a plain or ``async`` function of what *check*
            accepted and the caller's context. What it answers goes to the
            model: text as it is, anything else as JSON.
        check: A plain or ``async`` function of the arguments and the context
            that answers `accept` or `reject`. Without one, *run* gets the
            arguments. They are a copy of its own, in either case.
        timeout: Seconds that an ``async`` check and run may take together. A
            plain function cannot be stopped, so it is not held to them.
        defaults: Whether declared defaults are filled in before the check.

    Raises:
        TypeError: An argument is of the wrong type, or a function does not take
            two positional arguments or is a generator.
        ValueError: *timeout* is no positive number of seconds.

    >>> definition = ToolDefinition("greet", "Greet.", {"required": ["name"]})
    >>> Tool(definition, lambda arguments, context: f"Hello {arguments['name']}").is_async
    False
    """

    definition: ToolDefinition[Arguments]
    run: Run[Value] = field(repr=False)
    check: Check[Arguments, Value] | None = field(default=None, repr=False)
    _: KW_ONLY
    timeout: float | None = None
    defaults: bool = False
    is_async: bool = field(init=False, repr=False, compare=False)
    """Whether a function is ``async``, so that only `Toolbox.acall` can call it."""

    def __post_init__(self) -> None:
        if not isinstance(self.definition, ToolDefinition):
            kind = type(self.definition).__name__
            raise TypeError(f"definition must be a ToolDefinition, not {kind}")
        _check_function(f'run of tool "{self.definition.name}"', self.run)
        if self.check is not None:
            _check_function(f'check of tool "{self.definition.name}"', self.check)
        if self.timeout is not None:
            _check_timeout(self.timeout)
        if not isinstance(self.defaults, bool):
            raise TypeError(f"defaults must be bool, not {type(self.defaults).__name__}")
        object.__setattr__(self, "is_async", _is_async(self.run) or _is_async(self.check))


def _check_function(label: str, function: object) -> None:
    if not callable(function):
        raise TypeError(f"{label} must be a function, not {type(function).__name__}")
    if _is(inspect.isgeneratorfunction, function) or _is(inspect.isasyncgenfunction, function):
        raise TypeError(f"{label} must return its answer, not yield it")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some that are built in have none
        return
    try:
        signature.bind(None, None)
    except TypeError:
        problem = f"{label} must take two positional arguments; it takes {signature}"
    else:
        return
    raise TypeError(problem)


def _check_timeout(timeout: object) -> None:
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)):
        raise TypeError(f"timeout must be a number of seconds, not {type(timeout).__name__}")
    if not 0 < timeout < math.inf:
        raise ValueError("timeout must be a positive number of seconds")


def _is_async(function: object) -> bool:
    return _is(inspect.iscoroutinefunction, function)


def _is(kind: Callable[[Any], bool], function: object) -> bool:
    return kind(function) or kind(getattr(function, "__call__", None))  # noqa: B004
