"""The wire formats of providers: one module each, and the same verbs in all.

``export_tool(tool, strict=…)`` writes a tool for the provider, with a report of all
that is lost; ``import_arguments(exported, arguments)`` takes back what strict modes
add to a call. ``tool_calls(response)`` reads the calls of a finished answer,
``stream_events(chunks)`` and ``astream_events(chunks)`` those of a streamed one,
and ``tool_result(result)`` makes what goes back. A response and a chunk may be
dictionaries or an SDK's own objects; no SDK is imported.
"""
