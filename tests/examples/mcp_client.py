"""An MCP client that starts the example server, makes a mistake, gets feedback and corrects it.

    python tests/examples/mcp_client.py

It needs ``pip install -e '.[mcp]'``, 1.x or 2.x.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from toolschema import ToolArgumentsValidationError
from toolschema.mcp import checked_call, tools_from_list

SERVER = StdioServerParameters(
    command=sys.executable, args=[str(Path(__file__).with_name("mcp_server.py"))]
)
BAD: dict[str, Any] = {"path": "LICENSE", "limit": "2", "options": {"labels": []}}
GOOD = {**BAD, "limit": 2}


async def main() -> None:
    async with stdio_client(SERVER) as streams, ClientSession(*streams) as session:
        await session.initialize()
        tools = tools_from_list(await session.list_tools())
        print("The server has", *tools)

        print("\n> read, with a text as its limit")
        print(text_of(await session.call_tool("read", BAD)))

        print("\n> the same, held to the server's own list before it is sent")
        try:
            await checked_call(session, tools, "read", BAD)
        except ToolArgumentsValidationError as error:
            print(error)

        print("\n> read, mended")
        print(text_of(await checked_call(session, tools, "read", GOOD)))


def text_of(result: Any) -> str:
    return "\n".join(block.text for block in result.content)


if __name__ == "__main__":
    asyncio.run(main())
