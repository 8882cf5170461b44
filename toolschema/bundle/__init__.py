"""All tools in one file that any validator of 2020-12 can read as it is."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from toolschema import ToolSet
from toolschema._json.canonical import canonical_json
from toolschema._validation.bundle_file import BUNDLE_LIMITS, HEAD
from toolschema.bundle._embedding import embed
from toolschema.errors import SchemaFault, ToolSchemaError

__all__ = ["Bundle", "bundle"]


@dataclass(frozen=True, slots=True)
class Bundle:
    """One document with the schemas of tools, and what names it."""

    data: bytes
    """UTF-8, without a line end: RFC 8785, but that integers keep all digits."""
    dialects: tuple[str, ...]
    """Of the schemas in it; a reader has to know them all."""

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes, such as ``sha256:2c26b46b…``, 64 digits of it."""
        return f"sha256:{hashlib.sha256(self.data).hexdigest()}"


def bundle(tools: ToolSet) -> Bundle:
    """Write *tools* and all that they refer to as one compound document.

    As 2020-12 core §9.3 asks, every schema lies in ``$defs`` under its ``$id``,
    and references are what they were; only one to the place of a file that has
    an ``$id`` says the ``$id`` now. A file without one gets its place in the
    folder, below ``https://toolschema.invalid/``. ``properties`` has the names of
    the tools: the whole accepts ``{"read": {…}}``, a call with its arguments.

    The same schemas give the same bytes, whatever the order of their names and
    their white space; so the order of properties is lost. Files that no tool
    reaches are left out, as are limits, results and annotations of tools made in
    code. `toolschema.load_tools` reads the file as it reads the folder.

    Raises:
        ToolSchemaError: Two schemas have the same ``$id``, one can have none, or
            the whole is larger than 64 MiB.
        TypeError: *tools* is no `ToolSet`.

    >>> from toolschema import ToolDefinition
    >>> made = bundle(ToolSet([ToolDefinition("ping", "Say pong.", {})]))
    >>> made.data.decode()[:76]
    '{"$defs":{"https://toolschema.invalid/ping.json":{"$id":"https://toolschema.'
    >>> made.digest[:19]
    'sha256:...'
    """
    if not isinstance(tools, ToolSet):
        raise TypeError(f"tools must be a ToolSet, not {type(tools).__name__}")
    made = embed(tools.values())
    document = {**HEAD, "properties": made.tools, "$defs": made.schemas}
    data = canonical_json(document)
    if len(data) > BUNDLE_LIMITS.max_bytes:
        message = f"would be longer than {BUNDLE_LIMITS.max_bytes} bytes"
        raise ToolSchemaError([SchemaFault("the bundle", None, message)])
    return Bundle(data, tuple(sorted(made.dialects)))
