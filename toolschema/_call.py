"""The line of a call: look up, shape, sense, run, and an early return at each step."""

from __future__ import annotations

import inspect
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from typing import Any

from toolschema import _result
from toolschema._defaults import apply_defaults
from toolschema._result import ToolCall, ToolResult
from toolschema._retry import RetryGuard
from toolschema._semantic import Accepted, Rejected, accepted_value
from toolschema._tool import Tool
from toolschema._toolset import ToolSet
from toolschema._validation import parse_tool_arguments, validate_tool_arguments
from toolschema.errors import ToolArgumentsValidationError

_TEXT = frozenset({str, bytes, bytearray, memoryview})

Line = Generator[Any, Any, ToolResult]
"""Hands out what is to be awaited, and answers with the result."""


class Toolbox:
    """The tools of one conversation, and the line that every call goes along.

    A call is looked up, its arguments are held to the schema, then to the
    tool's own check, and what that accepted is handed to the tool. Where a step
    fails, the result says to the model what to do, and nothing after it happens.

    Whatever a model sends, a result comes back. What is wrong with a tool's own
    functions becomes a fixed sentence in the result, with the exception beside
    it for the developer, and a line in the log that holds neither arguments nor
    the exception's words: one fault must not cost the other calls of a turn
    their results. Only what no call could survive is raised at once, before
    anything has run: an object that is no `ToolCall`, or an ``async`` function
    where nobody awaits. `KeyboardInterrupt`, `SystemExit` and cancellation pass.

    `rejected` belongs to a conversation, so make one toolbox for each. That is
    cheap: ``Toolbox(shared, guard=RetryGuard())`` shares the tools of another.

    Args:
        tools: Each a `Tool`; or another toolbox, whose tools are shared.
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
    'There is no tool named "ad". Did you mean "add"? Send the call again with its name.'
    """

    __slots__ = ("_definitions", "_guard", "_rejected", "_tools")

    _definitions: ToolSet
    _tools: dict[str, Tool[Any, Any]]

    def __init__(
        self, tools: Iterable[Tool[Any, Any]] | Toolbox, *, guard: RetryGuard | None = None
    ) -> None:
        _check_guard(guard)
        self._guard = guard
        self._rejected: set[str] = set()
        if isinstance(tools, Toolbox):
            self._tools, self._definitions = tools._tools, tools._definitions
            return
        kept = _checked(tools)
        self._definitions = ToolSet(tool.definition for tool in kept)
        self._tools = {tool.definition.name: tool for tool in kept}

    @property
    def definitions(self) -> ToolSet:
        """What the model has to be told of."""
        return self._definitions

    @property
    def rejected(self) -> frozenset[str]:
        """The names of tools of which a call was rejected for good."""
        return frozenset(self._rejected)

    def __iter__(self) -> Iterator[Tool[Any, Any]]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def __repr__(self) -> str:
        return f"<Toolbox of {len(self)}: {', '.join(self._tools)}>"

    def call(
        self, call: ToolCall, context: Any = None, *, guard: RetryGuard | None = None
    ) -> ToolResult:
        """Take one call along the line, with plain functions.

        Args:
            call: As the model sent it.
            context: Handed to the tool's functions as it is.
            guard: Instead of the toolbox's own.

        Returns:
            A result, whatever the model sent and whatever the tool raised.

        Raises:
            TypeError: An argument is of the wrong type; or a function of the
                tool is ``async``, or has answered with something to await.
        """
        guard = self._usable(call, guard)
        tool = self._named(call.name)
        if tool is not None and tool.is_async:
            raise TypeError(f'tool "{call.name}" is async: await toolbox.acall(...) instead')
        if guard is None:
            return _finished(self._line(call, context), call)
        result, fault = self._asked(guard, call)
        if result is None:
            result = self._counted(guard, call, _finished(self._line(call, context), call), fault)
        return result

    async def acall(
        self, call: ToolCall, context: Any = None, *, guard: RetryGuard | None = None
    ) -> ToolResult:
        """Take one call along the line, with plain or ``async`` functions.

        A plain function runs in the event loop, as it would anywhere else; what
        takes long belongs into `asyncio.to_thread`. A tool with a timeout needs
        the event loop of `asyncio`. See `call` for the rest.

        Raises:
            TypeError: An argument is of the wrong type.
        """
        guard = self._usable(call, guard)
        if guard is None:
            return await self._in_time(call, context)
        result, fault = self._asked(guard, call)
        if result is None:
            result = self._counted(guard, call, await self._in_time(call, context), fault)
        return result

    async def acall_all(
        self, calls: Iterable[ToolCall], context: Any = None, *, guard: RetryGuard | None = None
    ) -> list[ToolResult]:
        """Take all calls of a turn along the line at once; results in their order.

        If this is cancelled, or something passes through that is no `Exception`,
        the other calls are cancelled too, and waited for.

        Raises:
            TypeError: An argument is of the wrong type; nothing has run then.
        """
        import asyncio  # noqa: PLC0415 - whoever awaits this has it

        todo = list(calls)
        for call in todo:
            self._usable(call, guard)
        tasks = [asyncio.ensure_future(self.acall(call, context, guard=guard)) for call in todo]
        try:
            return list(await asyncio.gather(*tasks))
        except BaseException:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            raise

    def _line(self, call: ToolCall, context: Any) -> Line:
        tool = self._named(call.name)
        if tool is None:
            return _result.unknown(call, self._definitions)
        try:
            arguments = _shaped(tool, call.arguments)
        except ToolArgumentsValidationError as error:
            return _result.malformed(tool, call, error)
        step = "check"
        try:
            if tool.defaults:
                arguments = apply_defaults(tool.definition, arguments)
            value = arguments
            if tool.check is not None:
                outcome = tool.check(arguments, context)
                if type(outcome) is not Accepted and hasattr(outcome, "__await__"):
                    outcome = yield outcome
                if isinstance(outcome, Rejected):
                    return self._refused(call, outcome)
                value = accepted_value(outcome, arguments)
            step = "run"
            answer = tool.run(value, context)
            if hasattr(answer, "__await__"):
                answer = yield answer
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the developer's
            return _result.broken(call, step, error)
        return _result.answered(call, answer)

    def _named(self, name: object) -> Tool[Any, Any] | None:
        return self._tools.get(name) if isinstance(name, str) else None

    def _refused(self, call: ToolCall, rejection: Rejected) -> ToolResult:
        if not rejection.retryable:
            self._rejected.add(call.name)
        return _result.refused(call, rejection)

    async def _in_time(self, call: ToolCall, context: Any) -> ToolResult:
        tool = self._named(call.name)
        line = self._line(call, context)
        if tool is None or tool.timeout is None:
            return await _awaited(line)
        import asyncio  # noqa: PLC0415 - it is large, and whoever awaits has it

        # What the tool itself raises is in the result already, a TimeoutError
        # of its own included.
        try:
            return await asyncio.wait_for(_awaited(line), tool.timeout)
        except asyncio.TimeoutError:  # another class before Python 3.11
            pass
        return _result.timed_out(call, tool.timeout)

    def _usable(self, call: object, guard: RetryGuard | None) -> RetryGuard | None:
        if not isinstance(call, ToolCall):
            raise TypeError(f"call must be a ToolCall, not {type(call).__name__}")
        if guard is None:
            return self._guard
        _check_guard(guard)
        return guard

    def _asked(
        self, guard: RetryGuard, call: ToolCall
    ) -> tuple[ToolResult | None, Exception | None]:
        """What the guard answers; a store that fails must not cost a call."""
        try:
            text = guard.answer(
                call.name, call.arguments, is_known=self._named(call.name) is not None
            )
        except Exception as error:  # noqa: BLE001 - a store may raise anything
            _result.log("the guard", call.name, error)
            return None, error
        return (None if text is None else _result.stopped(call, text)), None

    def _counted(
        self, guard: RetryGuard, call: ToolCall, result: ToolResult, fault: Exception | None
    ) -> ToolResult:
        """The result, once the guard knows of it; with the store's fault if it had one."""
        try:
            if not result.is_error:
                guard.succeeded(call.name, call.arguments)
            else:
                is_known = self._named(call.name) is not None
                guard.failed(call.name, call.arguments, is_known=is_known)
        except Exception as error:  # noqa: BLE001
            _result.log("the guard", call.name, error)
            fault = fault or error
        if fault is None or result.exception is not None:
            return result
        return replace(result, exception=fault)


def _shaped(tool: Tool[Any, Any], arguments: Any) -> Any:
    if type(arguments) in _TEXT:
        return parse_tool_arguments(tool.definition, arguments)
    return validate_tool_arguments(tool.definition, arguments)


def _finished(line: Line, call: ToolCall) -> ToolResult:
    """The end of a line on which there is nothing to await."""
    try:
        awaitable = next(line)
    except StopIteration as end:
        result: ToolResult = end.value
        return result
    line.close()
    if inspect.iscoroutine(awaitable):
        awaitable.close()  # or it warns that nobody has awaited it
    raise TypeError(
        f'tool "{call.name}" has answered with something to await: await toolbox.acall(...) instead'
    )


async def _awaited(line: Line) -> ToolResult:
    try:
        awaitable = next(line)
        while True:
            try:
                outcome = await awaitable
            except Exception as error:  # noqa: BLE001, PERF203 - the line decides
                awaitable = line.throw(error)
            else:
                awaitable = line.send(outcome)
    except StopIteration as end:
        result: ToolResult = end.value
        return result


def _checked(tools: Iterable[Tool[Any, Any]]) -> list[Tool[Any, Any]]:
    if not isinstance(tools, Iterable):
        raise TypeError(f"tools must be an iterable of Tool, not {type(tools).__name__}")
    kept = list(tools)
    for tool in kept:
        if not isinstance(tool, Tool):
            raise TypeError(f"tools must be an iterable of Tool, not of {type(tool).__name__}")
    return kept


def _check_guard(guard: object) -> None:
    if guard is not None and not isinstance(guard, RetryGuard):
        raise TypeError(f"guard must be a RetryGuard, not {type(guard).__name__}")
