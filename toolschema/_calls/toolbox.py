"""The line of a call: look up, shape, sense, run, and an early return at each step."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from toolschema._calls import result as _result
from toolschema._calls.result import ToolCall, ToolResult
from toolschema._calls.retry import RetryGuard
from toolschema._calls.semantic import Accepted, Rejected, accepted_value
from toolschema._calls.tool import Tool
from toolschema._json.printable import LONGEST_NAME, one_line
from toolschema._json.text import is_text
from toolschema._validation.boundary import parse_tool_arguments, validate_tool_arguments
from toolschema._validation.defaults import apply_defaults
from toolschema._validation.toolset import ToolSet
from toolschema.errors import ToolArgumentsValidationError

_SHOWN = 10


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
        names = [one_line(name)[:LONGEST_NAME] for name in islice(self._tools, _SHOWN)]
        more = ", ..." if len(self) > _SHOWN else ""
        return f"<Toolbox of {len(self)}: {', '.join(names)}{more}>"

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
        tool = self._tools.get(call.name) if type(call.name) is str else None
        if tool is not None and tool.is_async:
            shown = one_line(call.name)
            raise TypeError(f'tool "{shown}" is async: await toolbox.acall(...) instead')
        if guard is None:
            return self._line(tool, call, context)
        result, fault = _asked(guard, call, tool)
        if result is not None:
            return result
        return _counted(guard, call, tool, self._line(tool, call, context), fault)

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
        tool = self._tools.get(call.name) if type(call.name) is str else None
        if guard is None:
            return await self._in_time(tool, call, context)
        result, fault = _asked(guard, call, tool)
        if result is not None:
            return result
        return _counted(guard, call, tool, await self._in_time(tool, call, context), fault)

    async def acall_all(
        self, calls: Iterable[ToolCall], context: Any = None, *, guard: RetryGuard | None = None
    ) -> list[ToolResult]:
        """Take all calls of a turn along the line at once; results in their order.

        Each is a task of `asyncio`, and nothing limits how many there are.

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

    def _line(self, tool: Tool[Any, Any] | None, call: ToolCall, context: Any) -> ToolResult:
        if tool is None:
            return _result.unknown(call, self._definitions)
        value = _shaped(tool, call)
        if isinstance(value, ToolResult):
            return value
        step = "check"
        try:
            if tool.check is not None:
                outcome = tool.check(value, context)
                if type(outcome) is not Accepted:
                    _expect_no_awaitable(tool, outcome)
                    if type(outcome) is Rejected:
                        return self._refused(call, outcome)
                value = accepted_value(outcome, value)
            step = "run"
            answer = tool.run(value, context)
            if type(answer) is not str:
                _expect_no_awaitable(tool, answer)
                _expect_no_verdict(answer)
        except _AwaitableError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the developer's
            return _result.broken(call, step, error)
        return _result.answered(call, answer)

    async def _aline(self, tool: Tool[Any, Any] | None, call: ToolCall, context: Any) -> ToolResult:
        if tool is None:
            return _result.unknown(call, self._definitions)
        value = _shaped(tool, call)
        if isinstance(value, ToolResult):
            return value
        step = "check"
        try:
            if tool.check is not None:
                outcome: Any = tool.check(value, context)
                if hasattr(outcome, "__await__"):
                    outcome = await outcome
                if type(outcome) is Rejected:
                    return self._refused(call, outcome)
                value = accepted_value(outcome, value)
            step = "run"
            answer = tool.run(value, context)
            if type(answer) is not str:
                if hasattr(answer, "__await__"):
                    answer = await answer
                _expect_no_verdict(answer)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the developer's
            return _result.broken(call, step, error)
        return _result.answered(call, answer)

    def _refused(self, call: ToolCall, rejection: Rejected) -> ToolResult:
        result = _result.refused(call, rejection)
        if result.rejected:
            self._rejected.add(call.name)
        return result

    async def _in_time(
        self, tool: Tool[Any, Any] | None, call: ToolCall, context: Any
    ) -> ToolResult:
        if tool is None or tool.timeout is None:
            return await self._aline(tool, call, context)
        import asyncio  # noqa: PLC0415 - it is large, and whoever awaits has it

        # What the tool itself raises is in the result already, a TimeoutError
        # of its own included.
        try:
            return await asyncio.wait_for(self._aline(tool, call, context), tool.timeout)
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


def _shaped(tool: Tool[Any, Any], call: ToolCall) -> Any:
    """The arguments, of the shape that the tool takes; or a result that says what is not."""
    try:
        if is_text(call.arguments):
            arguments = parse_tool_arguments(tool.definition, call.arguments)
        else:
            arguments = validate_tool_arguments(tool.definition, call.arguments)
    except ToolArgumentsValidationError as error:
        return _result.malformed(tool, call, error)
    return apply_defaults(tool.definition, arguments) if tool.defaults else arguments


def _asked(
    guard: RetryGuard, call: ToolCall, tool: Tool[Any, Any] | None
) -> tuple[ToolResult | None, Exception | None]:
    """What the guard answers; a store that fails must not cost a call."""
    try:
        text = guard.answer(call.name, call.arguments, is_known=tool is not None)
    except Exception as error:  # noqa: BLE001 - a store may raise anything
        _result.log("the guard", call.name, error, is_known=tool is not None)
        return None, error
    return (None if text is None else _result.stopped(call, text)), None


def _counted(
    guard: RetryGuard,
    call: ToolCall,
    tool: Tool[Any, Any] | None,
    result: ToolResult,
    fault: Exception | None,
) -> ToolResult:
    """The result, once the guard knows of it; with the store's fault if it had one."""
    try:
        if result.is_error:
            guard.failed(call.name, call.arguments, is_known=tool is not None)
        else:
            guard.succeeded(call.name, call.arguments)
    except Exception as error:  # noqa: BLE001 - as above
        _result.log("the guard", call.name, error, is_known=tool is not None)
        fault = fault or error
    if fault is None or result.exception is not None:
        return result
    return replace(result, exception=fault)


class _AwaitableError(TypeError):
    pass


def _expect_no_awaitable(tool: Tool[Any, Any], answer: object) -> None:
    if hasattr(answer, "__await__"):
        if inspect.iscoroutine(answer):
            answer.close()  # or it warns that nobody has awaited it
        raise _AwaitableError(
            f'tool "{one_line(tool.definition.name)}" has answered with something to await:'
            " await toolbox.acall(...) instead"
        )


def _expect_no_verdict(answer: object) -> None:
    if issubclass(type(answer), (Accepted, Rejected)):
        raise TypeError("run must return an answer; only a check accepts or rejects")


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
