"""Valid or not: the one module that knows jsonschema-rs.

Nothing here says why. Every validator is offline, asserts formats and bounds
its regular expressions; the class of the dialect is chosen by us, never by the
schema.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

import jsonschema_rs

from toolschema._json.equality import Keys, has_duplicates
from toolschema._json.stack import with_a_deep_stack
from toolschema._schema.dialect import Dialect

Verdict = Callable[[Any], bool]
Registry = jsonschema_rs.Registry

# Enough to search a string of `Limits.max_pattern_text` characters for a pattern with
# one or two look-arounds at each of them; more is treated as an attack.
_BACKTRACKS = 50_000
_PATTERNS = jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACKS)
_STRINGS = 4
"""Strings of the greatest length that one call may search with backtracking."""
_FRAMES = 260
"""Nested Python calls that comparing the deepest items takes."""
_CLASSES: dict[str, Any] = {
    "2020-12": jsonschema_rs.Draft202012Validator,
    "2019-09": jsonschema_rs.Draft201909Validator,
    "draft-07": jsonschema_rs.Draft7Validator,
}
_DRAFTS = {
    "2020-12": jsonschema_rs.Draft202012,
    "2019-09": jsonschema_rs.Draft201909,
    "draft-07": jsonschema_rs.Draft7,
}


class VerdictError(Exception):
    """jsonschema-rs refuses a schema: where, and its message."""

    def __init__(self, tokens: tuple[str | int, ...], message: str) -> None:
        super().__init__(tokens, message)
        self.tokens = tokens
        self.message = message


def compile_registry(dialect: Dialect | None, resources: Iterable[tuple[str, Any]]) -> Registry:
    """Collect what references may reach; the engine resolves all of them at once.

    Without a *dialect*, each resource has a ``$schema``.

    Raises:
        VerdictError: A resource cannot be used.
    """
    try:
        return jsonschema_rs.Registry(
            list(resources), draft=_DRAFTS[dialect.name] if dialect else None
        )
    except ValueError as error:
        raise VerdictError((), _first_line(error)) from None


def compile_verdict(dialect: Dialect, schema: Any, registry: Registry | None = None) -> Verdict:
    """Compile *schema*; the answer is for plain JSON values of bounded depth.

    Raises:
        VerdictError: *schema* is not valid, or something in it does not resolve.
    """
    verdict: Verdict = _compiled(dialect, schema, registry, None).is_valid
    return verdict


def compile_careful(
    dialect: Dialect,
    schema: Any,
    registry: Registry | None,
    backtracking: frozenset[str],
    most_text: int,
) -> CarefulVerdict:
    """The same for large instances, on which two of the engine's keywords cost too much.

    Args:
        dialect: The dialect of *schema*.
        schema: The same as for `compile_verdict`.
        registry: What its references reach.
        backtracking: The patterns in it that may backtrack.
        most_text: Characters that a string matched by one of these may have.
    """
    own = _State()

    class UniqueItems(_CarefulUniqueItems):
        state = own

    class Pattern(_CarefulPattern):
        state = own
        unbounded = backtracking
        most = most_text

    keywords = {"uniqueItems": UniqueItems, "pattern": Pattern}
    verdict = _compiled(dialect, schema, registry, keywords).is_valid
    return CarefulVerdict(verdict, own, most_text)


@lru_cache(maxsize=16)
def compile_guard(max_depth: int, max_name: int | None = None) -> Verdict:
    """Whether a decoded value has only finite numbers and at most *max_depth* levels.

    With *max_name*, whether every property name has at most that many characters.
    """
    names = {} if max_name is None else {"propertyNames": {"maxLength": max_name}}
    everything = ["string", "number", "boolean", "null", "array", "object"]
    levels: dict[str, Any] = {"level0": {"type": everything[:4]}}
    for level in range(1, max_depth + 1):
        below = {"$ref": f"#/$defs/level{level - 1}"}
        levels[f"level{level}"] = {
            "type": everything, "items": below, "additionalProperties": below, **names,
        }  # fmt: skip
    schema = {"$ref": f"#/$defs/level{max_depth}", "$defs": levels}
    compiled = with_a_deep_stack(lambda: jsonschema_rs.Draft202012Validator(schema, offline=True))
    return compiled.is_valid


def compile_endurance(pattern: str) -> Verdict:
    """Whether a search for a translated *pattern* ends within the backtrack limit."""
    validator = jsonschema_rs.Draft202012Validator(
        {"pattern": pattern}, offline=True, pattern_options=_PATTERNS
    )
    return lambda text: validator.is_valid(text) or not _gave_up(validator, text)


def _gave_up(validator: Any, text: str) -> bool:
    kind = jsonschema_rs.ValidationErrorKind.BacktrackLimitExceeded
    return any(isinstance(error.kind, kind) for error in validator.iter_errors(text))


def is_schema(dialect: Dialect, schema: Any) -> bool:
    """Whether *schema* satisfies the metaschema of its dialect."""
    answer: bool = _metaschema(dialect).is_valid(schema)
    return answer


def schema_errors(dialect: Dialect, schema: Any) -> list[tuple[tuple[str | int, ...], str, Any]]:
    """Where *schema* violates its metaschema: location, keyword and its value there."""
    return [
        (
            _resolving(schema, tuple(error.instance_path)),
            error.kind.name,
            _asked_for(error.kind.as_dict()),
        )
        for error in _metaschema(dialect).iter_errors(schema)
    ]


def _resolving(value: Any, tokens: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """The path with its empty property names, which the engine leaves out."""
    found: list[str | int] = []
    for token in tokens:
        while isinstance(value, dict) and token not in value and "" in value:
            found.append("")
            value = value[""]
        found.append(token)
        value = value[token]
    return tuple(found)


@cache
def _metaschema(dialect: Dialect) -> Any:
    return _CLASSES[dialect.name]({"$ref": dialect.uri}, offline=True)


def _asked_for(kind: dict[str, Any]) -> Any:
    """The keyword's value, which each kind of error has under another name."""
    value = next(iter(kind.values()), None)
    return value[0] if isinstance(value, list) and len(value) == 1 else value


class _State(threading.local):
    """What the keywords below found in one call of one thread."""

    exceeded = False
    was_exceeded = False
    error: BaseException | None = None
    budget = 0

    def __init__(self) -> None:
        self.keys: Keys = {}


class CarefulVerdict:
    """A verdict that also reports whether some string was not searched to the end."""

    def __init__(self, verdict: Verdict, state: _State, most_text: int) -> None:
        self._verdict = verdict
        self._state = state
        # A search may take as many steps as the square of the string's length.
        self._budget = _STRINGS * most_text**2

    @property
    def was_exceeded(self) -> bool:
        """Whether the last instance in this thread had such a string."""
        return self._state.was_exceeded

    def __call__(self, instance: Any) -> bool:
        """Judge *instance*.

        Raises:
            RecursionError: The caller is too deep in the stack.
        """
        state = self._state
        _make_sure_of_frames(_FRAMES)
        # A signal handler may call in the middle of another call.
        around = state.exceeded, state.error, state.budget, state.keys
        state.exceeded, state.error, state.budget = False, None, self._budget
        state.keys = {}
        try:
            is_valid = self._verdict(instance)
            exceeded, error = state.exceeded, state.error
        finally:
            state.exceeded, state.error, state.budget, state.keys = around
        state.was_exceeded = exceeded
        if error is not None:
            # The engine treats any exception of a keyword as its failure, an
            # interrupt too, and `not` would turn that into a success.
            raise error
        # A string that was not searched to the end counts as no match, which `not`
        # inverts; so the call is refused whatever the engine then answers.
        return is_valid and not exceeded


def _make_sure_of_frames(count: int) -> None:
    if count:
        _make_sure_of_frames(count - 1)


class _RefusedError(ValueError):
    pass


class _CarefulKeyword:
    """A keyword of our own; the engine takes any exception for its failure."""

    state: _State

    def validate(self, instance: Any) -> None:
        try:
            failed = self._fails(instance)
        except BaseException as error:
            self.state.error = error
            raise
        if failed:
            raise _RefusedError

    def _fails(self, instance: Any) -> bool:
        raise NotImplementedError


class _CarefulUniqueItems(_CarefulKeyword):
    def __init__(self, parent: Mapping[str, Any], value: Any, path: list[str | int]) -> None:
        self._applies = value is True

    def _fails(self, instance: Any) -> bool:
        is_array = self._applies and type(instance) is list
        return is_array and has_duplicates(instance, self.state.keys)


class _CarefulPattern(_CarefulKeyword):
    unbounded: frozenset[str]
    most: int

    def __init__(self, parent: Mapping[str, Any], value: Any, path: list[str | int]) -> None:
        self._is_bounded = value not in self.unbounded
        self._validator = jsonschema_rs.Draft202012Validator(
            {"pattern": value}, offline=True, pattern_options=_PATTERNS
        )

    def _fails(self, instance: Any) -> bool:
        return type(instance) is str and not self._matches(instance)

    def _matches(self, text: str) -> bool:
        if self._is_bounded:
            return self._validator.is_valid(text)
        self.state.budget -= len(text) ** 2
        if len(text) <= self.most and self.state.budget >= 0:
            if self._validator.is_valid(text):
                return True
            if not _gave_up(self._validator, text):
                return False
        self.state.exceeded = True
        return False


def _compiled(dialect: Dialect, schema: Any, registry: Registry | None, keywords: Any) -> Any:
    try:
        return _CLASSES[dialect.name](
            schema,
            offline=True,
            validate_formats=True,
            pattern_options=_PATTERNS,
            registry=registry,
            keywords=keywords,
        )
    except jsonschema_rs.ValidationError as error:
        raise VerdictError(tuple(error.instance_path), error.message) from None
    except ValueError as error:
        raise VerdictError((), _first_line(error)) from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise VerdictError((), "the verdict engine fails on this schema") from None


def _first_line(error: ValueError) -> str:
    return str(error).partition("\n")[0]
