"""Toolbox: look a tool up, validate, check, run; each step can end the call."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Generator, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from toolschema._calls.feedback.feedback import feedback
from toolschema._calls.result import (
    BROKEN,
    TIMED_OUT,
    ToolCall,
    ToolResult,
    answered,
    failed,
    log,
    unknown,
)
from toolschema._calls.retry import RetryGuard
from toolschema._calls.semantic import Accepted, Rejected, accepted_value, finish
from toolschema._calls.tool import Tool
from toolschema._json.printable import LONGEST_NAME, one_line
from toolschema._json.text import is_json_text
from toolschema._validation.boundary import parse_tool_arguments, validate_tool_arguments
from toolschema._validation.defaults import apply_defaults
from toolschema._validation.toolset import ToolSet
from toolschema.errors import ToolArgumentsValidationError

_MOST_SHOWN = 10
_INSTEAD = 'tool "{}" {}: await toolbox.acall(...) instead'
_Line = Generator[Any, Any, ToolResult]


class Toolbox:
    """The tools of one conversation, and the steps that every call goes through.

    A tool is looked up; its arguments are validated against the schema, then by
    the tool's own check; the handler runs with what the check accepted. If a
    step fails, the result tells the model what to do, and no later step runs.

    Whatever a model sends, a result comes back. If a tool's own function fails,
    the model gets a fixed sentence, the result carries the exception for the
    developer, and a line is logged that holds neither arguments nor the
    exception's message: one fault must not cost the other calls of a turn their
    results. Raised, before anything has run, is only what makes every call
    impossible: an object that is not a `ToolCall`, or an ``async`` function
    that `call` cannot await. `KeyboardInterrupt`, `SystemExit` and cancellation
    pass through.

    `rejected` belongs to one conversation, so make a toolbox for each. That is
    cheap: ``Toolbox(shared, guard=RetryGuard())`` shares the tools of another.

    Args:
        tools: `Tool` objects; or another toolbox, whose tools are shared.
        guard: Ends loops of failing calls; one for each conversation.

    Raises:
        TypeError: An argument is of the wrong type.
        ValueError: Two tools have the same name.

    >>> from toolschema import Tool, ToolCall, ToolDefinition
    >>> definition = ToolDefinition("add", "Add.", {"required": ["a", "b"]})
    >>> toolbox = Toolbox([Tool(definition, lambda value, context: value["a"] + value["b"])])
    >>> toolbox.call(ToolCall("call_1", "add", '{"a": 1, "b": 2}')).content
    '3'
    >>> toolbox.call(ToolCall("call_2", "ad", "{}")).content
    'There is no tool named "ad". Did you mean "add"? Send the call again with that name.'
    """

    def __init__(
        self, tools: Iterable[Tool[Any, Any]] | Toolbox, *, guard: RetryGuard | None = None
    ) -> None:
        self._guard = _checked_guard(guard)
        self._rejected: set[str] = set()
        if isinstance(tools, Toolbox):
            self._tools: dict[str, Tool[Any, Any]] = tools._tools
            self._definitions: ToolSet = tools._definitions
            return
        if not isinstance(tools, Iterable):
            raise TypeError(f"tools must be an iterable of Tool, not {type(tools).__name__}")
        checked = list(tools)
        for tool in checked:
            if not isinstance(tool, Tool):
                raise TypeError(f"tools must be an iterable of Tool, not of {type(tool).__name__}")
        self._tools = {tool.definition.name: tool for tool in checked}
        self._definitions = ToolSet(tool.definition for tool in checked)

    @property
    def definitions(self) -> ToolSet:
        """The definitions, to be sent to the model."""
        return self._definitions

    @property
    def rejected(self) -> frozenset[str]:
        """The names of tools with a call that was rejected as not retryable."""
        return frozenset(self._rejected)

    def __iter__(self) -> Iterator[Tool[Any, Any]]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def __repr__(self) -> str:
        names = [one_line(name)[:LONGEST_NAME] for name in islice(self._tools, _MOST_SHOWN)]
        more = ", ..." if len(self) > _MOST_SHOWN else ""
        return f"<Toolbox of {len(self)}: {', '.join(names)}{more}>"

    def call(
        self, call: ToolCall, context: Any = None, *, guard: RetryGuard | None = None
    ) -> ToolResult:
        """Answer one call, with plain functions.

        Args:
            call: As the model sent it.
            context: Passed to the tool's functions unchanged.
            guard: Used instead of the toolbox's own.

        Returns:
            A result, whatever the model sent and whatever the tool raised.

        Raises:
            TypeError: An argument is of the wrong type; or a function of the
                tool is ``async``, or has returned an awaitable.
        """
        tool, line = self._prepared(call, context, guard)
        if tool is not None and tool.is_async:
            raise TypeError(_INSTEAD.format(one_line(call.name), "is async"))
        try:
            awaitable = next(line)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        if inspect.iscoroutine(awaitable):
            awaitable.close()  # or Python warns that it was never awaited
        raise TypeError(_INSTEAD.format(one_line(call.name), "has returned an awaitable"))

    async def acall(
        self, call: ToolCall, context: Any = None, *, guard: RetryGuard | None = None
    ) -> ToolResult:
        """Answer one call, with plain or ``async`` functions.

        A plain function runs in the event loop, as it would anywhere else; use
        `asyncio.to_thread` for slow ones. A tool with a timeout needs the event
        loop of `asyncio`. See `call` for the rest.

        Raises:
            TypeError: An argument is of the wrong type.
        """
        tool, line = self._prepared(call, context, guard)
        try:
            awaitable = next(line)
            if tool is None or tool.timeout is None:
                return await finish(line, awaitable)
            return await _in_time(line, awaitable, tool.timeout)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    async def acall_all(
        self, calls: Iterable[ToolCall], context: Any = None, *, guard: RetryGuard | None = None
    ) -> list[ToolResult]:
        """Answer all calls of a turn concurrently; results are in the order of the calls.

        Each call is a task of `asyncio`; their number is not limited.

        If this is cancelled, or something other than an `Exception` passes
        through, the other calls are cancelled and waited for.

        Raises:
            TypeError: An argument is of the wrong type; nothing has run then.
        """
        import asyncio  # noqa: PLC0415 - a large import that an awaiting caller already has

        todo = list(calls)
        for call in todo:
            self._prepared(call, context, guard)
        tasks = [asyncio.ensure_future(self.acall(call, context, guard=guard)) for call in todo]
        try:
            return list(await asyncio.gather(*tasks))
        except BaseException:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            raise

    def _prepared(
        self, call: object, context: Any, guard: RetryGuard | None
    ) -> tuple[Tool[Any, Any] | None, _Line]:
        if not isinstance(call, ToolCall):
            raise TypeError(f"call must be a ToolCall, not {type(call).__name__}")
        tool = self._tools.get(call.name) if type(call.name) is str else None
        line = self._line(tool, call, context)
        guard = self._guard if guard is None else _checked_guard(guard)
        if guard is not None:
            line = _guarded(line, call, guard, is_known=tool is not None)
        return tool, line

    def _line(self, tool: Tool[Any, Any] | None, call: ToolCall, context: Any) -> _Line:
        """The steps of a call, as a generator: it yields what must be awaited."""
        if tool is None:
            return unknown(call, self._definitions)
        try:
            value = _validated(tool, call.arguments)
        except ToolArgumentsValidationError as error:
            text = feedback(tool.definition, error, call.arguments)
            return failed(call, text, retryable=True, issues=error.issues)
        function = "check"
        try:
            if tool.check is not None:
                outcome: Any = tool.check(value, context)
                if hasattr(outcome, "__await__"):
                    outcome = yield outcome
                if type(outcome) is Rejected:
                    text, retryable = outcome.text, outcome.retryable
                    if not retryable:
                        self._rejected.add(call.name)
                    return failed(call, text, retryable=retryable, rejection=outcome)
                value = accepted_value(outcome, value)
            function = "run"
            answer = tool.run(value, context)
            if hasattr(answer, "__await__"):
                answer = yield answer
            _expect_no_verdict(answer)
        except _TimedOutError:
            problem = f'tool "{one_line(call.name)}" took longer than {tool.timeout} seconds'
            return failed(call, TIMED_OUT, retryable=True, exception=TimeoutError(problem))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the developer's
            log(function, call.name, error)
            return failed(call, BROKEN, exception=error)
        return answered(call, answer)


def _guarded(line: _Line, call: ToolCall, guard: RetryGuard, *, is_known: bool) -> _Line:
    """The *line*, unless the guard answers the call; a faulty store costs no result."""
    fault: Exception | None = None
    try:
        text = guard.answer(call.name, call.arguments, is_known=is_known)
    except Exception as error:  # noqa: BLE001 - a store may raise anything
        log("the guard", call.name, error, is_known=is_known)
        text, fault = None, error
    if text is not None:
        return failed(call, text, retryable=True)  # other arguments may still be right
    result = yield from line
    try:
        if result.is_error:
            guard.failed(call.name, call.arguments, is_known=is_known)
        else:
            guard.succeeded(call.name, call.arguments)
    except Exception as error:  # noqa: BLE001 - a store may raise anything
        log("the guard", call.name, error, is_known=is_known)
        fault = fault or error
    if fault is None or result.exception is not None:
        return result
    return replace(result, exception=fault)


def _validated(tool: Tool[Any, Any], sent: Any) -> Any:
    if is_json_text(sent):
        arguments = parse_tool_arguments(tool.definition, sent)
    else:
        arguments = validate_tool_arguments(tool.definition, sent)
    return apply_defaults(tool.definition, arguments) if tool.defaults else arguments


def _expect_no_verdict(answer: object) -> None:
    if issubclass(type(answer), (Accepted, Rejected)):
        raise TypeError("run must return an answer; only a check accepts or rejects")


class _TimedOutError(Exception):
    """Raised inside a line that has waited longer than its tool may take."""


async def _time_out() -> None:
    raise _TimedOutError


async def _in_time(line: _Line, awaitable: Awaitable[Any], timeout: float) -> ToolResult:
    import asyncio  # noqa: PLC0415 - a large import that an awaiting caller already has

    try:
        return await asyncio.wait_for(finish(line, awaitable), timeout)
    except asyncio.TimeoutError:  # another class before Python 3.11
        pass  # and not the tool's own, which the line has made a result
    finally:
        if inspect.iscoroutine(awaitable):
            awaitable.close()  # if the time was over before it started
    return await finish(line, _time_out())


def _checked_guard(guard: RetryGuard | None) -> RetryGuard | None:
    if guard is not None and not isinstance(guard, RetryGuard):
        raise TypeError(f"guard must be a RetryGuard, not {type(guard).__name__}")
    return guard
