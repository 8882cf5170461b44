"""An MCP server over standard input and output, for the tools in schemas/.

    python tests/examples/mcp_server.py

It needs ``pip install -e '.[mcp]'``, 1.x or 2.x. It lists the tools of these files and
validates every call against them before running it.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from toolschema import Tool, Toolbox, ToolCall, ToolResult, load_tools
from toolschema.mcp import tool_list, validated

TOOLS = load_tools(Path(__file__).parents[2] / "schemas")


def read(arguments: dict[str, Any], _context: object) -> str:
    lines = Path(arguments["path"]).read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(lines[: int(arguments["limit"])])


TOOLBOX = Toolbox([Tool(TOOLS["read"], read)])
LISTED = types.ListToolsResult.model_validate(tool_list(TOOLBOX.definitions))


async def answer(name: str, arguments: dict[str, Any]) -> ToolResult:
    """Run one call; the result of a toolbox is returned unchanged."""
    return await TOOLBOX.acall(ToolCall("", name, arguments))


def made_with_1() -> Any:
    """A server of mcp 1.x."""
    server: Any = Server("files")

    async def list_tools() -> Any:
        return LISTED.tools

    server.list_tools()(list_tools)
    server.call_tool(validate_input=False)(validated(TOOLBOX.definitions, answer))
    return server


def made_with_2() -> Any:
    """A server of mcp 2.x."""

    async def list_tools(_context: object, _params: object) -> Any:
        return LISTED

    async def call_tool(_context: object, params: Any) -> ToolResult:
        return await answer(params.name, params.arguments)

    calls = validated(TOOLBOX.definitions, call_tool)
    return Server("files", on_list_tools=list_tools, on_call_tool=calls)


SERVER = made_with_1() if hasattr(Server, "call_tool") else made_with_2()


async def main() -> None:
    async with stdio_server() as (incoming, outgoing):
        await SERVER.run(incoming, outgoing, SERVER.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
