"""Tools of MCP servers: listed, called and answered as the specification asks.

`validated` makes a low-level server check what it is sent and what it answers;
`tool_list` writes what it lists. For clients `tools_from_list` reads that, and
`checked_call` checks a call before it is sent. Works with ``mcp`` 1.x and 2.x.
"""

from toolschema.mcp._client import checked_call
from toolschema.mcp._listing import tool_list
from toolschema.mcp._reading import tools_from_list
from toolschema.mcp._server import validated

__all__ = ["checked_call", "tool_list", "tools_from_list", "validated"]
