"""Tool: a definition with the functions that check and run its calls."""

from __future__ import annotations

import inspect
import math
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any, Generic

from toolschema._calls.semantic import Check, Run, is_async, is_kind
from toolschema._validation.definition import ToolDefinition

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Arguments = TypeVar("Arguments", default=Any)
    Value = TypeVar("Value", default=Any)
else:
    from typing import TypeVar

    Arguments, Value = TypeVar("Arguments"), TypeVar("Value")

_GENERATORS = (inspect.isgeneratorfunction, inspect.isasyncgenfunction)


@dataclass(frozen=True, slots=True)
class Tool(Generic[Arguments, Value]):
    """A tool that can be called: its definition, its semantic check and its handler.

    Args:
        definition: Describes the arguments; its name is the tool's.
        run: The handler: a plain or ``async`` function of the value that *check*
            accepted and the caller's context. What it returns goes to the model:
            a string unchanged, anything else as JSON.
        check: A plain or ``async`` function of the arguments and the context
            that returns `accept(...)` or `reject(...)`. Without one, *run* gets
            the arguments. In either case they are a copy of the function's own.
        timeout: Seconds that an ``async`` check and run may take together.
            Plain functions cannot be stopped, so it does not apply to them.
        defaults: Whether declared defaults are filled in before the check.

    Raises:
        TypeError: An argument is of the wrong type, or a function does not take
            two positional arguments or is a generator.
        ValueError: *timeout* is not a positive, finite number.

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
        object.__setattr__(self, "is_async", is_async(self.run) or is_async(self.check))


def _check_function(label: str, function: object) -> None:
    if not callable(function):
        raise TypeError(f"{label} must be a function, not {type(function).__name__}")
    if any(is_kind(kind, function) for kind in _GENERATORS):
        raise TypeError(f"{label} must return its answer, not yield it")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some built-in functions have none
        return
    try:
        signature.bind(None, None)
    except TypeError:
        problem = f"{label} must take two positional arguments; it takes {signature}"
        raise TypeError(problem) from None


def _check_timeout(timeout: object) -> None:
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)):
        raise TypeError(f"timeout must be a number of seconds, not {type(timeout).__name__}")
    if not 0 < timeout < math.inf:
        raise ValueError("timeout must be a positive number of seconds")
