"""A handler of calls that receives only valid arguments."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any

from toolschema import Tool, Toolbox, ToolCall, ToolDefinition, ToolResult, ToolSet
from toolschema.errors import ToolOutputError, UnknownToolError
from toolschema.mcp._output import Output
from toolschema.mcp._sdk import Sdk, sdk

Handler = Callable[[Any, Any], Coroutine[Any, Any, Any]]
OnError = Callable[[str, Exception], object]

WITHHELD = (
    "The tool ran, but its result did not match its output schema and was withheld."
    " Do not repeat the call; tell the user."
)


def validated(
    tools: Mapping[str, ToolDefinition[Any]] | Iterable[ToolDefinition[Any]],
    handler: Handler,
    *,
    on_error: OnError | None = None,
) -> Handler:
    """Wrap the call handler of a low-level MCP server.

    With ``mcp`` 2.x, write ``Server(…, on_call_tool=validated(tools, handler))``;
    *handler* takes ``(context, params)``. With 1.x, write
    ``server.call_tool(validate_input=False)(validated(tools, handler))``; it takes
    ``(name, arguments)``.

    * An unknown tool is an error of the protocol, -32602.
    * Invalid arguments get an answer with ``isError``, whose text tells the model
      what to correct; the handler is not called. Absent arguments are an empty
      object.
    * The handler gets a plain copy of the arguments, which nothing else refers to.
    * It may return what the SDK accepts there, or a `ToolResult` such as those of a
      `Toolbox`. Structured output is checked against the output schema.
    * An exception of the handler, or output that does not fit, becomes an answer
      with ``isError`` and a fixed sentence that contains nothing of either. The
      SDK's own protocol errors pass through, as do cancellation and
      `KeyboardInterrupt`.

    Args:
        tools: The tools that are listed: a `ToolSet`, or definitions.
        handler: A function, usually ``async``.
        on_error: Called with the name of the tool and the exception that the caller
            is not told; a `ToolOutputError` where output did not fit. The name of
            the exception's class is logged in any case.

    Returns:
        A handler to give to the SDK.

    Raises:
        ImportError: ``mcp`` is not installed.
        ToolSchemaError: An output schema cannot be used.

    Source: Model Context Protocol 2026-07-28, server/tools, *Error Handling* and
    *Security Considerations* ("servers MUST validate all tool inputs").

    >>> from toolschema import load_tools
    >>> async def handler(context, params):
    ...     return ToolResult("", params.name, "done")
    >>> call = validated(load_tools("schemas"), handler)  # doctest: +SKIP
    """
    kept = ToolSet(tools.values() if isinstance(tools, Mapping) else tools)
    outputs = {name: Output(tool) for name, tool in kept.items() if tool.output is not None}
    known = sdk()

    async def run(arguments: dict[str, Any], turn: _Turn) -> str:
        answer = handler(*turn.with_arguments(arguments))
        if inspect.isawaitable(answer):
            answer = await answer
        turn.answer = _answer(known, answer, outputs.get(turn.name))
        return ""

    toolbox = Toolbox(Tool(tool, run) for tool in kept.values())

    async def checked(first: Any, second: Any) -> Any:
        turn = _Turn(first, second)
        try:
            _ = kept[turn.name]
        except UnknownToolError as error:
            raise known.refusal(str(error)) from None
        call = ToolCall("", turn.name, {} if turn.arguments is None else turn.arguments)
        result = await toolbox.acall(call, turn)
        if isinstance(result.exception, known.error):
            raise result.exception
        if result.exception is not None and on_error is not None:
            on_error(turn.name, result.exception)
        if not result.is_error:
            return turn.answer
        is_withheld = isinstance(result.exception, ToolOutputError)
        return known.answer(WITHHELD if is_withheld else result.content, is_error=True)

    return checked


class _Turn:
    """One call of the handler: ``(context, params)``, or ``(name, arguments)``."""

    def __init__(self, first: Any, second: Any) -> None:
        self._first, self._second = first, second
        is_named = isinstance(first, str)
        self.name: str = first if is_named else second.name
        self.arguments: Any = second if is_named else second.arguments
        self.answer: Any = None

    def with_arguments(self, arguments: dict[str, Any]) -> tuple[Any, Any]:
        """The same call with the arguments that were checked."""
        if isinstance(self._first, str):
            return self.name, arguments
        return self._first, self._second.model_copy(update={"arguments": arguments})


def _answer(known: Sdk, answer: Any, output: Output | None) -> Any:
    """What the handler returned, as one whole result, with its output checked."""
    whole = _whole(known, answer, output)
    if not isinstance(whole, known.result) or output is None:
        return whole
    field, flag = (
        ("structuredContent", "isError") if known.is_first else ("structured_content", "is_error")
    )
    if getattr(whole, flag):
        return whole
    value = getattr(whole, field)
    if value is None and field not in whole.model_fields_set:
        raise output.missing()
    output.check(value)
    return whole


def _whole(known: Sdk, answer: Any, output: Output | None) -> Any:
    if isinstance(answer, ToolResult):
        is_structured = output is not None and not answer.is_error
        structured = answer.value if is_structured else None
        return known.answer(answer.content, is_error=answer.is_error, structured=structured)
    if not known.is_first:
        if isinstance(answer, dict) and "content" in answer:
            return known.result.model_validate(answer)
        return answer
    # 1.x accepts content, structured output, both, or a whole result.
    if isinstance(answer, dict):
        return _both(known, None, answer)
    if isinstance(answer, tuple) and len(answer) == 2:
        return _both(known, *answer)
    return answer if hasattr(answer, "model_dump") else _both(known, answer, None)


def _both(known: Sdk, content: Any, structured: Any) -> Any:
    if content is None:
        content = [{"type": "text", "text": json.dumps(structured, indent=2)}]
    fields = {"content": list(content)}
    if structured is not None:
        fields["structuredContent"] = structured
    return known.result.model_validate(fields)
