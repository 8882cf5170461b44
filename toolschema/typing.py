"""Names for annotations."""

from toolschema._json import DuplicateKeys, JSONText

__all__ = ["DuplicateKeys", "JSONText"]
