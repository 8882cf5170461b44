"""Names that a provider takes, and the way back to a tool's own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from toolschema import UnknownToolError
from toolschema._json.pointer import join
from toolschema.providers._export.profile import Profile
from toolschema.providers._export.reading import Reading
from toolschema.providers._export.report import Exported, Loss

_DIGITS = 8


def provider_name(name: str, profile: Profile, *, taken: frozenset[str] = frozenset()) -> str:
    """The name of a tool with other characters replaced, and cut where it is too long.

    What is cut, or already taken by another, ends with a short hash of the whole.

    >>> from toolschema.providers._export.profile import OPENAI
    >>> provider_name("files.read", OPENAI[False])
    'files_read'
    >>> provider_name("files.read", OPENAI[False], taken=frozenset({"files_read"}))
    'files_read_601e4eb6'
    """
    made = "".join(each if profile.name.fullmatch(each) else "_" for each in name)
    if not re.match(r"[A-Za-z_]", made) and profile.name.fullmatch("."):
        made = f"_{made}"  # Gemini's begin with a letter or an underscore
    if len(made) <= profile.longest_name and made not in taken:
        return made
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return f"{made[: profile.longest_name - _DIGITS - 1]}_{digest}"


def distinct(exports: Iterable[Exported], profile: Profile) -> list[Exported]:
    """The same tools, each under a name of its own.

    A tool whose name a provider takes as it is keeps it; of others that would
    be called the same, each gets a short hash.

    Raises:
        ValueError: Two of the tools have the same name themselves.
    """
    listed = list(exports)
    if len({each.name for each in listed}) < len(listed):
        raise ValueError("two tools have the same name")
    used = [each.provider_name for each in listed]
    made = []
    for each in listed:
        name = each.provider_name
        if used.count(name) > 1 and name != each.name:
            name = provider_name(each.name, profile, taken=frozenset(used))
        made.append(renamed(each, name))
    return made


def renamed(exported: Exported, name: str) -> Exported:
    """The same under another name for the provider."""
    payload: dict[str, Any] = dict(exported.payload)
    if "function" in payload:
        payload["function"] = {**payload["function"], "name": name}
    else:
        payload["name"] = name
    return replace(exported, payload=payload)


def original_name(exports: Iterable[Exported], name: str) -> str:
    """The own name of the tool that a call names as the provider does.

    Raises:
        UnknownToolError: No tool was exported under that name, or more than one.

    >>> original_name([Exported({"name": "files_read"}, (), (), "files.read")], "files_read")
    'files.read'
    """
    listed = list(exports)
    found = [each.name for each in listed if each.provider_name == name]
    if len(found) != 1:
        raise UnknownToolError(name)
    return found[0]


def key_losses(
    reading: Reading, parameters: dict[str, Any], allowed: re.Pattern[str] | None
) -> list[Loss]:
    """Names of properties at the root that the provider refuses."""
    if allowed is None:
        return []
    return [
        Loss(
            join(("properties", name)) if name in reading.root.get("properties", {}) else "",
            "properties",
            "impossible",
            "the name of a property at the root is 1 to 64 of A-Z a-z 0-9 _ . -",
        )
        for name in parameters.get("properties", {})
        if not allowed.match(name)
    ]
