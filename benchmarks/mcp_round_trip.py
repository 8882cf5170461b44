"""A round trip from an MCP client to a server in the same process.

    pip install -e '.[mcp]' && python benchmarks/mcp_round_trip.py

The server's handler does nothing. It is called without validation, through
`toolschema.mcp.validated`, and in the usual way, with ``jsonschema.validate`` for
every call. That is what mcp 1.x itself does; 2.x validates nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

from measure import Case, duration, measure

from toolschema import ToolDefinition, ToolSet, load_tool
from toolschema.mcp import tool_list, validated

try:
    import jsonschema
    from mcp import types
    from mcp.server.lowlevel import Server
except ImportError as error:
    sys.exit(f"{error.name} is missing: pip install -e '.[mcp]'")

IS_FIRST = hasattr(Server, "call_tool")
READ = load_tool(Path(__file__).parent.parent / "schemas" / "read.json")
WIDE = ToolDefinition(
    "wide",
    "Thirty properties.",
    {
        "type": "object",
        "properties": {
            f"p{number}": {"type": "string", "minLength": 1, "maxLength": 80, "description": "One."}
            for number in range(30)
        },
        "required": [f"p{number}" for number in range(30)],
        "additionalProperties": False,
    },
)
CALLS: dict[str, dict[str, Any]] = {
    "read": {"path": "README.md", "limit": 20, "options": {"labels": ["docs"]}},
    "wide": {f"p{number}": "value" for number in range(30)},
}
TOOLS = ToolSet([READ, WIDE])
ANSWER = types.CallToolResult(content=[types.TextContent(type="text", text="done")])


async def of_1(_name: str, _arguments: Any) -> Any:
    return ANSWER


async def of_2(_context: Any, _params: Any) -> Any:
    return ANSWER


async def naively(_context: Any, params: Any) -> Any:
    jsonschema.validate(params.arguments, TOOLS[params.name].parameters)
    return ANSWER


HANDLER: Callable[[Any, Any], Any] = of_1 if IS_FIRST else of_2
KINDS = {
    "no check": HANDLER,
    "toolschema": validated(TOOLS, HANDLER),
    "jsonschema.validate": of_1 if IS_FIRST else naively,
}


def server(kind: str) -> Any:
    listed: Any = types.ListToolsResult.model_validate(tool_list(TOOLS))
    if not IS_FIRST:

        async def list_all(_context: Any, _params: Any) -> Any:
            return listed

        return Server(kind, on_list_tools=list_all, on_call_tool=KINDS[kind])
    made: Any = Server(kind)

    async def list_tools() -> Any:
        return listed.tools

    made.list_tools()(list_tools)
    made.call_tool(validate_input=kind == "jsonschema.validate")(KINDS[kind])
    return made


def connected(kind: str) -> Any:
    if IS_FIRST:
        from mcp.shared.memory import create_connected_server_and_client_session  # noqa: PLC0415

        return create_connected_server_and_client_session(server(kind))
    from mcp import Client  # noqa: PLC0415

    return Client(server(kind))


async def serve(clients: dict[str, Any], ready: asyncio.Event, done: asyncio.Event) -> None:
    """Keep every client connected until the calls are done."""
    async with AsyncExitStack() as stack:
        for kind in KINDS:
            clients[kind] = await stack.enter_async_context(connected(kind))
            await clients[kind].list_tools()
        ready.set()
        await done.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--slice", type=float, default=0.05, help="seconds per case and round")
    arguments = parser.parse_args()

    loop = asyncio.new_event_loop()
    clients: dict[str, Any] = {}
    ready, done = asyncio.Event(), asyncio.Event()
    serving = loop.create_task(serve(clients, ready, done))
    loop.run_until_complete(ready.wait())

    def call(kind: str, name: str) -> None:
        loop.run_until_complete(clients[kind].call_tool(name, CALLS[name]))

    print(f"mcp {metadata.version('mcp')}, one round trip")
    print(f"{'':24}{'median':>10}{'ratio':>10}")
    for name, values in CALLS.items():
        cases: dict[str, Case] = {kind: partial(call, kind, name) for kind in KINDS}
        timed = measure(cases, rounds=arguments.rounds, slice_seconds=arguments.slice)
        print(f"{name}, {len(json.dumps(values))} bytes")
        for kind, each in timed.items():
            ratio = each.ratio(timed["no check"])
            print(f"  {kind:22}{duration(each.median):>10}{ratio:10.2f}")
    done.set()
    loop.run_until_complete(serving)
    loop.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
