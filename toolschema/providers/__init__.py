"""The wire formats of providers: one module for each, with the same functions in all.

The modules are ``openai_chat``, ``openai_responses``, ``anthropic`` and ``gemini``:

* ``export_tool(tool, strict=…)`` writes a tool for the provider, with a report of
  everything that is lost; ``original_name(exports, name)`` finds the tool again.
* ``tool_calls(response)`` reads the calls of a finished answer;
  ``stream_events(chunks)`` and ``astream_events(chunks)`` read those of a streamed
  one. `toolschema.StreamValidator` takes the events and returns only whole calls: one
  that was cut off or garbled is an error with a code, never a call that looks valid.
* ``import_arguments(exported, arguments)`` removes the nulls that strict modes require.
* ``tool_result(result)`` writes what goes back to the model.

Responses and chunks may be dictionaries or the SDK's own objects; no SDK is imported.
``tests/examples/streamed_turn.py`` shows a turn with each provider.

>>> from toolschema import StreamValidator, ToolDefinition
>>> from toolschema.providers import openai_chat
>>> read = ToolDefinition("read", "Read a file.", {"properties": {"path": {"type": "string"}}})
>>> exported = openai_chat.export_tool(read, strict=True)
>>> exported.payload["function"]["parameters"]["properties"]
{'path': {'type': ['string', 'null']}}
>>> function = {"name": "read", "arguments": '{"path": null}'}
>>> delta = {"tool_calls": [{"index": 0, "id": "call_1", "function": function}]}
>>> chunks = [{"choices": [{"delta": delta, "finish_reason": "tool_calls"}]}]
>>> stream = StreamValidator()
>>> [call] = [call for event in openai_chat.stream_events(chunks) for call in stream.feed(event)]
>>> openai_chat.import_arguments(exported, call.arguments)
'{}'
"""
