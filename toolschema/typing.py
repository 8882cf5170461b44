"""Names for annotations."""

from toolschema._json import DuplicateKeys, JSONText
from toolschema._semantic import Check, Run
from toolschema._stream import StreamEvent

__all__ = ["Check", "DuplicateKeys", "JSONText", "Run", "StreamEvent"]
