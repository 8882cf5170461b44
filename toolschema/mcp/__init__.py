"""Tools of MCP servers: listed, called and answered as the specification requires.

The low-level server of ``mcp`` 2.x checks nothing that it receives, and that of 1.x
compiles the schema for every call and repeats the value in its message. Install
``toolschema-validator[mcp]``; both major versions work.

For servers:

* ``Server(…, on_call_tool=validated(tools, handler))`` answers invalid arguments with
  ``isError`` and feedback for the model, answers an unknown tool with an error of the
  protocol, and checks structured output against its schema. With 1.x it is
  ``server.call_tool(validate_input=False)(validated(tools, handler))``.
* ``tool_list(tools)`` is the answer to ``tools/list``, with self-contained schemas.

For clients, which cannot trust the server:

* ``tools_from_list(answer)`` reads the answer to ``tools/list``.
* ``await checked_call(session, tools, name, arguments)`` checks before it sends.

>>> from toolschema import ToolDefinition
>>> now = ToolDefinition("now", "The time.", {"properties": {"zone": {"type": "string"}}})
>>> tools = tools_from_list(tool_list([now]))
>>> tools["now"].parameters
{'type': 'object', 'properties': {'zone': {'type': 'string'}}}

``tests/examples/mcp_server.py`` serves the tools of a folder, and ``mcp_client.py``
makes a mistake, gets feedback and corrects it. ``benchmarks/mcp_round_trip.py``
measures what the checks cost.
"""

from toolschema.mcp._client import checked_call
from toolschema.mcp._listing import tool_list
from toolschema.mcp._reading import tools_from_list
from toolschema.mcp._server import validated

__all__ = ["checked_call", "tool_list", "tools_from_list", "validated"]
