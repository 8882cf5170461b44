"""Tool names that a provider accepts, and the way back to the tool's own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import replace

from toolschema import UnknownToolError
from toolschema.providers._export.profiles import Profile
from toolschema.providers._export.report import Exported

_DIGITS = 8


def provider_name(name: str, profile: Profile, *, taken: frozenset[str] = frozenset()) -> str:
    """The name of a tool with refused characters replaced, cut where it is too long.

    A name that is cut, or already taken by another tool, ends with a short hash of
    the whole.

    >>> from toolschema.providers._export.profiles import OPENAI
    >>> provider_name("files.read", OPENAI[False])
    'files_read'
    >>> provider_name("files.read", OPENAI[False], taken=frozenset({"files_read"}))
    'files_read_601e4eb6'
    """
    allowed = profile.name_character
    made = "".join(char if allowed.fullmatch(char) else "_" for char in name)
    if not re.match(r"[A-Za-z_]", made) and allowed.fullmatch("."):
        made = f"_{made}"  # Gemini's names begin with a letter or an underscore
    if len(made) <= profile.longest_name and made not in taken:
        return made
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return f"{made[: profile.longest_name - _DIGITS - 1]}_{digest}"


def distinct(exports: Iterable[Exported], profile: Profile) -> list[Exported]:
    """The same tools, each under a name of its own.

    A tool keeps its name if the provider accepts it as it is; others that would
    get the same name get a short hash.

    Raises:
        ValueError: Two of the tools have the same name themselves.
    """
    made = list(exports)
    if len({exported.name for exported in made}) < len(made):
        raise ValueError("two tools have the same name")
    used = [exported.provider_name for exported in made]
    for index, exported in enumerate(made):
        if used.count(used[index]) > 1 and used[index] != exported.name:
            name = {"name": provider_name(exported.name, profile, taken=frozenset(used))}
            payload = exported.payload
            function = (
                {"function": {**payload["function"], **name}} if "function" in payload else name
            )
            made[index] = replace(exported, payload={**payload, **function})
    return made


def original_name(exports: Iterable[Exported], name: str) -> str:
    """The tool's own name, from the name by which a provider calls it.

    Raises:
        UnknownToolError: No tool was exported under that name, or more than one.

    >>> original_name([Exported({"name": "files_read"}, (), (), "files.read")], "files_read")
    'files.read'
    """
    found = [exported.name for exported in exports if exported.provider_name == name]
    if len(found) != 1:
        raise UnknownToolError(name)
    return found[0]
