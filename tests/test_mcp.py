"""Servers and clients of the Model Context Protocol, with the real SDK of either major."""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from conftest import ROOT, foreign_rows

from toolschema import (
    Limits,
    Tool,
    ToolArgumentsValidationError,
    Toolbox,
    ToolCall,
    ToolDefinition,
    ToolResult,
    ToolSchemaError,
    ToolSet,
    UnknownToolError,
    check_tool_arguments,
    load_tools,
)
from toolschema.errors import SchemaFault, ToolOutputError
from toolschema.mcp import checked_call, tool_list, tools_from_list, validated

TOOLS = load_tools(ROOT / "schemas")
GOOD = {"path": "a.txt", "limit": 1, "options": {"labels": []}}
LINES = "The most lines to return, counted from the start of the file; at least 1."
SECRET = "sk-live-42"
COUNTED = ToolDefinition(
    "count",
    "Count.",
    {"type": "object"},
    output={"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
)
Handler = Callable[[str, Any], Coroutine[Any, Any, Any]]
BOTH = ToolSet([*TOOLS.values(), COUNTED])

needs_sdk = pytest.mark.filterwarnings("default")


def sdk(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        reason = 'mcp is not installed: pip install -e ".[mcp]"'
        # The run in which it must be there says so.
        (pytest.fail if os.environ.get("SDKS") == "required" else pytest.skip)(reason)


def is_first() -> bool:
    return hasattr(sdk("mcp.server.lowlevel").Server, "call_tool")


def result(**fields: Any) -> Any:
    return sdk("mcp.types").CallToolResult.model_validate({"content": [], **fields})


def served(tools: ToolSet, handler: Handler, **options: Any) -> Any:
    """A server whose handler takes a name and arguments, with either major."""
    server = sdk("mcp.server.lowlevel").Server
    listed = sdk("mcp.types").ListToolsResult.model_validate(tool_list(tools))
    if is_first():
        made = server("s")

        async def list_tools() -> Any:
            return listed

        made.list_tools()(list_tools)
        made.call_tool(validate_input=False)(validated(tools, handler, **options))
        return made

    async def list_all(_context: Any, _params: Any) -> Any:
        return listed

    async def call_tool(_context: Any, params: Any) -> Any:
        return await handler(params.name, params.arguments)

    calls = validated(tools, call_tool, **options)
    return server("s", on_list_tools=list_all, on_call_tool=calls)


def connected(server: Any) -> Any:
    """A client in the same process."""
    if is_first():
        return sdk("mcp.shared.memory").create_connected_server_and_client_session(server)
    return sdk("mcp").Client(server)


def call(
    handler: Handler,
    name: str,
    arguments: Any = None,
    tools: ToolSet = BOTH,
    **options: Any,
) -> dict[str, Any]:
    """The answer as a client gets it; of an error of the protocol its code and message."""
    sdk("mcp")

    async def talk() -> dict[str, Any]:
        error = sdk("toolschema.mcp._sdk").sdk().error
        async with connected(served(tools, handler, **options)) as client:
            try:
                answer = await client.call_tool(name, arguments)
            except error as refusal:
                return {"code": refusal.error.code, "message": refusal.error.message}
            dumped: dict[str, Any] = answer.model_dump(by_alias=True, exclude_none=True)
            return dumped

    return asyncio.run(talk())


def text_of(answer: dict[str, Any]) -> str:
    return "".join(block["text"] for block in answer["content"])


async def unreached(name: str, arguments: Any) -> Any:
    raise AssertionError("the handler was called")


async def echo(name: str, arguments: Any) -> Any:
    return result(content=[{"type": "text", "text": json.dumps(arguments)}])


@needs_sdk
@pytest.mark.parametrize("arguments", [None, {}, {**GOOD, "limit": "1"}, {**GOOD, "path": ""}])
def test_bad_arguments_get_an_answer_that_says_what_to_correct(arguments: Any) -> None:
    answer = call(unreached, "read", arguments)
    assert answer["isError"] is True
    assert text_of(answer).startswith('The call to "read" was refused: ')


@needs_sdk
def test_no_value_is_sent_back() -> None:
    assert SECRET not in str(call(unreached, "read", {**GOOD, "limit": SECRET}))


@needs_sdk
def test_an_unknown_tool_is_an_error_of_the_protocol() -> None:
    answer = call(unreached, "reed", GOOD)
    assert answer == {"code": -32602, "message": 'no tool named "reed"; did you mean "read"?'}


@needs_sdk
def test_good_arguments_reach_the_handler() -> None:
    answer = call(echo, "read", GOOD)
    assert (json.loads(text_of(answer)), answer["isError"]) == (GOOD, False)


@needs_sdk
def test_absent_arguments_are_an_empty_object() -> None:
    async def shown(name: str, arguments: Any) -> Any:
        return result(content=[{"type": "text", "text": repr(arguments)}])

    assert text_of(call(shown, "search_bookings")) == "{}"


@needs_sdk
def test_only_the_developer_is_told_about_an_exception_of_the_handler(
    caplog: pytest.LogCaptureFixture,
) -> None:
    seen: list[tuple[str, Exception]] = []
    fault = RuntimeError(SECRET)

    async def fail(name: str, arguments: Any) -> Any:
        raise fault

    with caplog.at_level(logging.ERROR, "toolschema"):
        answer = call(fail, "read", GOOD, on_error=lambda *each: seen.append(each))
    assert answer["isError"] is True
    assert text_of(answer).startswith("The tool failed, and the arguments are not the cause")
    assert seen == [("read", fault)]
    assert SECRET not in str(answer) + caplog.text
    assert "RuntimeError" in caplog.text


@needs_sdk
def test_an_error_of_the_protocol_passes() -> None:
    exceptions, types = sdk("mcp.shared.exceptions"), sdk("mcp.types")

    async def fail(name: str, arguments: Any) -> Any:
        elicitation = {"mode": "url", "message": "m", "url": "https://x.test", "elicitationId": "1"}
        asked = types.ElicitRequestURLParams.model_validate(elicitation)
        raise exceptions.UrlElicitationRequiredError([asked])

    assert call(fail, "read", GOOD)["code"] == -32042


@needs_sdk
def test_structured_output_that_fits_is_sent() -> None:
    async def count(name: str, arguments: Any) -> Any:
        return result(structuredContent={"n": 2})

    assert call(count, "count")["structuredContent"] == {"n": 2}


@needs_sdk
@pytest.mark.parametrize(
    ("fields", "issue"),
    [
        ({"structuredContent": {"n": SECRET}}, "/n: must be integer"),
        ({"structuredContent": {}}, "/n: must have required properties n"),
        ({}, "/: must be there, because the tool has an output schema"),
    ],
)
def test_output_that_does_not_fit_is_withheld(fields: Any, issue: str) -> None:
    seen: list[Exception] = []

    async def count(name: str, arguments: Any) -> Any:
        return result(**fields)

    answer = call(count, "count", on_error=lambda name, error: seen.append(error))
    assert answer["isError"] is True
    assert text_of(answer).startswith("The tool ran, but its result did not match")
    assert SECRET not in str(answer)
    [error] = seen
    assert isinstance(error, ToolOutputError)
    assert (error.tool_name, error.issues) == ("count", (issue,))


@needs_sdk
def test_an_error_answer_needs_no_structured_output() -> None:
    async def count(name: str, arguments: Any) -> Any:
        return result(content=[{"type": "text", "text": "none"}], isError=True)

    answer = call(count, "count")
    assert (answer["isError"], text_of(answer)) == (True, "none")


@needs_sdk
def test_results_of_a_toolbox_are_answers() -> None:
    box = Toolbox(
        [Tool(COUNTED, lambda value, context: {"n": 3}), Tool(TOOLS["read"], lambda *_: "text")]
    )

    async def handler(name: str, arguments: Any) -> ToolResult:
        return await box.acall(ToolCall("", name, arguments))

    counted = call(handler, "count", tools=box.definitions)
    assert (counted["structuredContent"], text_of(counted)) == ({"n": 3}, '{"n":3}')
    assert text_of(call(handler, "read", GOOD, tools=box.definitions)) == "text"


@needs_sdk
@pytest.mark.parametrize("form", ["structure", "both", "content"])
def test_everything_that_the_decorator_of_1_accepts(form: str) -> None:
    if not is_first():
        pytest.skip("mcp 1.x takes these")
    content = [sdk("mcp.types").TextContent(type="text", text="two")]
    answers = {"structure": {"n": 2}, "both": (content, {"n": 2}), "content": content}

    async def count(name: str, arguments: Any) -> Any:
        return answers[form]

    answer = call(count, "read" if form == "content" else "count", GOOD)
    assert answer.get("structuredContent") == (None if form == "content" else {"n": 2})
    assert text_of(answer) == ('{\n  "n": 2\n}' if form == "structure" else "two")


@needs_sdk
def test_the_context_is_passed_on() -> None:
    if is_first():
        pytest.skip("mcp 2.x hands one over")
    sent = sdk("mcp.types").CallToolRequestParams(name="read", arguments=GOOD)
    seen: list[tuple[Any, Any]] = []

    async def handler(context: Any, params: Any) -> Any:
        seen.append((context, params))
        return result()

    context = object()
    asyncio.run(validated(TOOLS, handler)(context, sent))
    [(passed, params)] = seen
    assert passed is context
    assert params == sent
    assert params.arguments is not sent.arguments


@needs_sdk
def test_concurrent_calls_get_their_own_answers() -> None:
    async def slow(name: str, arguments: Any) -> Any:
        await asyncio.sleep(0.001 * (arguments["limit"] % 3))
        return result(content=[{"type": "text", "text": str(arguments["limit"])}])

    async def talk() -> list[str]:
        async with connected(served(TOOLS, slow)) as client:
            calls = (client.call_tool("read", {**GOOD, "limit": n}) for n in range(1, 30))
            return [each.content[0].text for each in await asyncio.gather(*calls)]

    assert asyncio.run(talk()) == [str(n) for n in range(1, 30)]


@needs_sdk
def test_cancellation_passes() -> None:
    async def forever(name: Any, arguments: Any) -> Any:
        await asyncio.sleep(60)

    async def talk() -> None:
        sent = sdk("mcp.types").CallToolRequestParams(name="read", arguments=GOOD)
        both = ("read", GOOD) if is_first() else (None, sent)
        task: asyncio.Task[Any] = asyncio.create_task(validated(TOOLS, forever)(*both))
        await asyncio.sleep(0.01)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(talk())


@needs_sdk
@pytest.mark.once
def test_the_examples_talk_over_standard_input_and_output() -> None:
    sdk("mcp")
    done = subprocess.run(
        [sys.executable, "tests/examples/mcp_client.py"],
        capture_output=True, text=True, check=False, cwd=ROOT, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().splitlines() == [
        "The server has read",
        "",
        "> read, with a text as its limit",
        'The call to "read" was refused: 1 problem with its arguments.',
        f"- /limit: must be a number, got a string; send the number without quotes. {LINES}",
        'Call "read" again with complete and corrected arguments.',
        "",
        "> the same, held to the server's own list before it is sent",
        'Invalid arguments for tool "read":',
        "  - /limit: must be number",
        "",
        "> read, mended",
        "MIT License",
    ]


def test_without_the_sdk_there_is_a_hint() -> None:
    code = "import sys; sys.modules['mcp'] = None; from toolschema.mcp import validated; validated([], print)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.endswith(
        'ImportError: a checked MCP server needs mcp: pip install "toolschema-validator[mcp]"\n'
    )


# Lists; no SDK is needed for these

LISTED: dict[str, Any] = {
    "name": "now",
    "title": "Clock",
    "description": "The time.",
    "inputSchema": {"type": "object", "properties": {"zone": {"type": "string", "default": None}}},
    "outputSchema": {"type": "object", "required": ["time"]},
    "annotations": {"readOnlyHint": True, "title": "Time"},
    "icons": [{"src": "https://x.test/clock.png"}],
    "_meta": {"a": None},
    "execution": {"taskSupport": "optional"},
    "ofTheFuture": 1,
}


def test_nothing_of_a_listed_tool_is_lost() -> None:
    tools = tools_from_list({"tools": [LISTED]})
    assert tool_list(tools) == {"tools": [LISTED]}
    tool = tools["now"]
    assert (tool.title, tool.description) == ("Clock", "The time.")
    assert (tool.output, tool.annotations) == (LISTED["outputSchema"], LISTED["annotations"])
    assert set(tool.extra or {}) == {"icons", "_meta", "execution", "ofTheFuture"}


@needs_sdk
def test_the_sdks_own_list_is_read_alike() -> None:
    known = {key: value for key, value in LISTED.items() if key != "ofTheFuture"}
    answer = sdk("mcp.types").ListToolsResult.model_validate({"tools": [known]})
    for each in (answer, answer.tools):
        assert tool_list(tools_from_list(each)) == {"tools": [known]}


def test_extra_fields_do_not_replace_those_of_the_definition() -> None:
    tool = ToolDefinition("t", "d", {"type": "object"}, extra={"name": "other", "icons": []})
    [entry] = tool_list([tool])["tools"]
    assert (entry["name"], entry["icons"]) == ("t", [])


def test_pages_are_one_list() -> None:
    pages = [{"tools": [{**LISTED, "name": name}], "nextCursor": "x"} for name in "abc"]
    assert list(tools_from_list(*pages)) == ["a", "b", "c"]


def test_real_tools_of_servers_are_not_changed() -> None:
    kept = {"title", "description", "inputSchema", "outputSchema", "annotations"}
    entries: list[dict[str, Any]] = [
        {"name": f"t{number}", **{key: row[key] for key in kept & row.keys()}}
        for number, row in enumerate(foreign_rows("mcp_tools.jsonl"))
    ]
    listed = tool_list(tools_from_list({"tools": entries}))["tools"]
    typeless = 0
    for entry, back in zip(entries, listed, strict=True):
        if entry["inputSchema"].get("type") != "object":
            typeless += 1
            entry["inputSchema"] = {**entry["inputSchema"], "type": "object"}
        assert back == entry
    assert typeless < len(entries) / 100


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "tools/list#/tools: must be a list, not NoneType"),
        ({"tools": {}}, "tools/list#/tools: must be a list, not dict"),
        ({"tools": [1]}, "tools/list#/tools/0: must be an object, not int"),
        ({"tools": [{}]}, "tools/list#/tools/0/name: must be a string, not NoneType"),
        ({"tools": [{**LISTED, "name": ""}]}, "tools/list#/tools/0/name: must not be empty"),
        ({"tools": [{"name": "a"}]}, "tools/list#/tools/0/inputSchema: must be an object, not NoneType"),
        ({"tools": [{**LISTED, "title": 1}]}, "tools/list#/tools/0/title: must be a string, not int"),
        ({"tools": [{**LISTED, "annotations": []}]}, "tools/list#/tools/0/annotations: must be an object"),
        ({"tools": [LISTED, LISTED]}, 'tool "now": 2 tools have this name'),
        ({"tools": [{"name": "a", "inputSchema": {"type": "objekt"}}]}, 'tool "a"#/type: '),
        ({"tools": [{"name": "a", "inputSchema": {"$ref": "https://x.test/y"}}]}, 'tool "a"#/$ref: '),
        ({"tools": [{**LISTED, "outputSchema": {"type": "objekt"}}]}, 'output of tool "now"#/type: '),
    ],
)  # fmt: skip
def test_malformed_lists_are_refused(answer: Any, said: str) -> None:
    with pytest.raises(ToolSchemaError) as caught:
        tools_from_list(answer)
    [fault] = caught.value.faults
    assert str(fault).startswith(said)


def test_a_bad_tool_can_be_left_out() -> None:
    faults: list[SchemaFault] = []
    bad = [{"name": "a", "inputSchema": {"type": "objekt"}}, {"name": "b", "inputSchema": 1}]
    tools = tools_from_list({"tools": [*bad, LISTED]}, faults=faults)
    assert list(tools) == ["now"]
    assert [str(fault).partition(": ")[0] for fault in faults] == [
        'tool "a"#/type', "tools/list#/tools/1/inputSchema",
    ]  # fmt: skip
    with pytest.raises(ToolSchemaError) as caught:
        tools_from_list({"tools": bad})
    assert len(caught.value.faults) == 2


def test_servers_are_not_trusted() -> None:
    assert tools_from_list({"tools": [LISTED]})["now"].limits == Limits.untrusted()
    assert tools_from_list({"tools": [LISTED]}, limits=Limits())["now"].limits == Limits()


def test_what_a_schema_refers_to_is_listed_with_it() -> None:
    listed = tool_list(TOOLS)
    assert "_common.json" not in json.dumps(listed)
    again = tools_from_list(listed)
    for name, tool in TOOLS.items():
        for example in tool.parameters["examples"]:
            assert not check_tool_arguments(again[name], example)
            for key in example:
                bad = {**example, key: []}
                assert check_tool_arguments(again[name], bad) == check_tool_arguments(tool, bad)


@pytest.mark.parametrize("dialect", ["2020-12/schema", "2019-09/schema"])
@pytest.mark.parametrize("kind", ["input", "output"])
def test_what_cannot_be_written_with_local_references_is_a_compound_document(
    kind: str, dialect: str
) -> None:
    uri = f"https://json-schema.org/draft/{dialect}"
    tree = {
        "$schema": uri,
        "type": "object",
        "properties": {"next": {"$ref": "#"}, "n": {"$ref": "parts/n.json#/$defs/n"}},
    }
    if dialect.startswith("2020"):
        tree["properties"]["m"] = {"$dynamicRef": "#m"}  # type: ignore[index]
        tree["$defs"] = {"m": {"$dynamicAnchor": "m", "type": "string"}}
    resources = {
        "tree.json": tree,
        "parts/n.json": {"$schema": uri, "$defs": {"n": {"type": "integer"}}},
    }
    schema = {"$schema": uri, "type": "object", "properties": {"tree": {"$ref": "tree.json"}}}
    parts = {"parameters": schema} if kind == "input" else {"parameters": {}, "output": schema}
    tool = ToolDefinition("t", "", **parts, resources=resources)  # type: ignore[arg-type]
    [entry] = tool_list([tool])["tools"]
    alone = ToolDefinition("t", "", entry[f"{kind}Schema"])
    whole = ToolDefinition("t", "", schema, resources=resources)
    for value in (
        {"tree": {"next": {"n": 1, "m": "x"}}},
        {"tree": {"next": {"n": "x"}}},
        {"tree": {"next": {"m": 1}}},
        {"tree": 1},
    ):
        assert check_tool_arguments(alone, value) == check_tool_arguments(whole, value)


def test_a_reference_to_the_uri_of_a_named_schema_becomes_its_id() -> None:
    count = {"$id": "https://e.x/count", "type": "integer"}
    output = {"properties": {"n": {"$ref": "count.json"}}}
    tool = ToolDefinition("t", "", {}, output=output, resources={"count.json": count})
    [entry] = tool_list([tool])["tools"]
    assert entry["outputSchema"]["properties"] == {"n": {"$ref": "https://e.x/count"}}
    assert entry["outputSchema"]["$defs"] == {"https://e.x/count": count}


def test_the_root_of_a_listed_schema_has_the_type_object() -> None:
    schemas: list[dict[str, Any]] = [{}, {"type": ["object", "null"]}, {"properties": {"a": {}}}]
    for schema in schemas:
        [entry] = tool_list([ToolDefinition("t", "", schema)])["tools"]
        assert entry["inputSchema"] == {**schema, "type": "object"}


# Clients


class Session:
    def __init__(self) -> None:
        self.sent: list[Any] = []

    async def call_tool(self, *call: Any, **options: Any) -> str:
        self.sent.append((*call, options))
        return "answered"


def test_a_good_call_is_sent_with_a_copy_of_its_arguments() -> None:
    session = Session()
    answer = asyncio.run(checked_call(session, TOOLS, "read", GOOD, meta={"a": 1}))
    assert answer == "answered"
    [(name, arguments, options)] = session.sent
    assert (name, arguments, options) == ("read", GOOD, {"meta": {"a": 1}})
    assert arguments is not GOOD


@pytest.mark.parametrize(
    ("name", "arguments", "error"),
    [
        ("read", None, ToolArgumentsValidationError),
        ("read", {**GOOD, "limit": "1"}, ToolArgumentsValidationError),
        ("reed", GOOD, UnknownToolError),
    ],
)
def test_a_bad_call_is_not_sent(name: str, arguments: Any, error: type[Exception]) -> None:
    session = Session()
    with pytest.raises(error):
        asyncio.run(checked_call(session, dict(TOOLS), name, arguments))
    assert session.sent == []
