"""Names for annotations."""

from toolschema._json import DuplicateKeys, JSONText
from toolschema._semantic import Check, Run

__all__ = ["Check", "DuplicateKeys", "JSONText", "Run"]
