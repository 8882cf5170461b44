"""Arguments that come as patches, each with the JSONPath of one value.

Vertex AI sends them with ``streamFunctionCallArguments``: a path of names and
indexes, and a value; a text may continue in the next patch.
"""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

from toolschema import Limits, ProviderFormatError
from toolschema.providers._wire.parts import either, field, wrong

_PROVIDER = "gemini"
_STEP = re.compile(
    r"""\.(?P<name>[^.\[\]'"]+)|\[(?P<index>[0-9]{1,9})\]"""
    r"""|\[(?P<double>"(?:[^"\\]|\\.)*")\]|\['(?P<single>(?:[^'\\]|\\.)*)'\]""",
    re.DOTALL,
)
_DEEPEST = Limits().max_depth


class Patches:
    """One object, put together from its patches."""

    def __init__(self) -> None:
        self._root: dict[str, Any] = {}
        self._text: list[str] = []
        self._at: tuple[str | int, ...] | None = None  # of the text that continues

    def apply(self, patch: Any, place: str) -> None:
        """Put one more value into its place.

        Raises:
            ProviderFormatError: It has none.
        """
        path = _path(either(patch, "jsonPath", "json_path"), f"{place}.jsonPath")
        piece = either(patch, "stringValue", "string_value")
        if self._at is not None and path != self._at:
            self._settle(place)
        if piece is None:
            self._put(path, _scalar(patch, place), place)
            return
        if not isinstance(piece, str):
            raise wrong(_PROVIDER, f"{place}.stringValue", "text", piece)
        self._at = path
        self._text.append(piece)
        if either(patch, "willContinue", "will_continue") is not True:
            self._settle(place)

    def folded(self) -> dict[str, Any]:
        """The whole object."""
        if self._at is not None:
            self._settle("partialArgs")
        return self._root

    def _settle(self, place: str) -> None:
        path, value = self._at or (), "".join(self._text)
        self._at, self._text = None, []
        self._put(path, value, place)

    def _put(self, path: tuple[str | int, ...], value: Any, place: str) -> None:
        here: Any = self._root
        for step, following in pairwise(path):
            empty: Any = {} if isinstance(following, str) else []
            here = _entered(here, step, empty, place)
        if not _has_room(here, path[-1]):
            raise _misplaced(place)
        if isinstance(here, list):
            here.append(value)
        else:
            here[path[-1]] = value


def _entered(here: Any, step: str | int, empty: Any, place: str) -> Any:
    """What is at a step, made where nothing is."""
    if _has_room(here, step):
        if isinstance(here, list):
            here.append(empty)
        else:
            here[step] = empty
        return empty
    inner: Any = None
    if isinstance(here, dict):
        inner = here.get(step)
    elif isinstance(step, int) and step < len(here):
        inner = here[step]
    if type(inner) is type(empty):
        return inner
    raise _misplaced(place)


def _has_room(here: Any, step: str | int) -> bool:
    """Whether a step leads to something new: a name, or the end of an array."""
    if isinstance(step, int):
        return isinstance(here, list) and step == len(here)
    return isinstance(here, dict) and step not in here


def _misplaced(place: str) -> ProviderFormatError:
    return ProviderFormatError(
        _PROVIDER, f"{place}.jsonPath", "must lead to a place where nothing is yet"
    )


def _path(given: Any, place: str) -> tuple[str | int, ...]:
    """The names and indexes of a path (RFC 9535, singular queries)."""
    if not isinstance(given, str):
        raise wrong(_PROVIDER, place, "text", given)
    steps: list[str | int] = []
    end = 1
    while (match := _STEP.match(given, end)) is not None and len(steps) <= _DEEPEST:
        end = match.end()
        steps.append(_step(match, place))
    if not (given.startswith("$") and end == len(given) and steps):
        raise ProviderFormatError(_PROVIDER, place, "must be a path of names and indexes")
    return tuple(steps)


def _step(match: re.Match[str], place: str) -> str | int:
    if match["index"] is not None:
        return int(match["index"])
    if match["name"] is not None:
        return match["name"]
    quoted = match["double"]
    if quoted is None:
        inner = match["single"].replace("\\'", "'").replace('"', '\\"')
        quoted = f'"{inner}"'
    try:
        name: str = json.loads(quoted, strict=False)
    except ValueError:
        raise ProviderFormatError(_PROVIDER, place, "must have valid names") from None
    return name


def _scalar(patch: Any, place: str) -> Any:
    for name, other in (("numberValue", "number_value"), ("boolValue", "bool_value")):
        value = either(patch, name, other)
        if isinstance(value, (int, float)):
            return value
        if value is not None:
            raise wrong(_PROVIDER, f"{place}.{name}", "a number or true or false", value)
    if field(patch, "nullValue") is None and field(patch, "null_value") is None:
        # JSON has null itself for the value of this field.
        has_null = isinstance(patch, dict) and bool({"nullValue", "null_value"} & patch.keys())
        if not has_null:
            raise wrong(_PROVIDER, place, "a patch with a value", None)
    return None
