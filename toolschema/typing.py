"""Names for annotations."""

from toolschema._calls.semantic import Check, Run
from toolschema._calls.stream import StreamEvent
from toolschema._json.text import DuplicateKeys, JSONText

__all__ = ["Check", "DuplicateKeys", "JSONText", "Run", "StreamEvent"]
