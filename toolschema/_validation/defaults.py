"""Declared defaults, filled in where a call left a property out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from toolschema._json.plain import NOT_PLAIN, measured
from toolschema._validation.boundary import validate_tool_arguments
from toolschema._validation.compiled import Compiled
from toolschema._validation.definition import Args, ToolDefinition
from toolschema._validation.filling import Applied, Fill, Plan, Schemas
from toolschema.errors import ToolArgumentsValidationError

_FREE_ROUNDS = 4
_TRIES = 32
"""How often all of the arguments may be checked again to sort defaults out."""
_LEAST = 1 << 19
"""Characters that may be checked again, however small the arguments are."""
_EACH = 128
"""Characters that every check counts for, beyond those of the value."""
_ROUND = 4
"""Checks that one more round counts for."""
_FILL = 16
"""Characters that a default counts for in such a round."""
_PLANS: WeakKeyDictionary[Compiled, Plan] = WeakKeyDictionary()


def apply_defaults(tool: ToolDefinition[Args], arguments: Args) -> Args:
    """Fill in the defaults that the schema of *tool* declares.

    JSON Schema only notes a ``default`` (2020-12 validation §9.2); this puts
    it to use. A property gets one where it is absent and its object is there,
    or was itself filled in; what is present, null included, stays as it is.
    References are followed (beside a ``$ref`` a ``default`` wins over the
    target's, save in draft-07, where it is void), and so are ``allOf``, what
    applies to items and to further properties, dependent schemas, and those
    branches of ``anyOf``, ``oneOf`` and ``if`` that the object satisfies once it
    has all that needs no such condition. Of several defaults for one property the
    one nearest to it counts.

    The answer always satisfies the schema. A default is left out

    * where its own schema, or another one of that property, refuses it, even
      if what it lacks has defaults (``toolschema check`` names the first kind);
    * where the arguments would not be valid with it, for ``maxProperties`` or
      ``not``, say. Then half of the defaults are tried, in order of location and
      name, and so on until those are found that can stay;
    * where it is an object, and would be filled into itself;
    * where only ``unevaluatedProperties``, ``unevaluatedItems`` or a dynamic
      reference leads to it.

    A schema made so that sorting this out would take too long, or that expands
    beyond ``tool.limits``, gets no default at all. Filling in again changes
    nothing, and the order of keys never matters.

    Args:
        tool: The definition whose ``parameters`` schema decides.
        arguments: They are validated first, and not changed.

    Returns:
        A deep copy as plain built-in types, shared with nobody.

    Raises:
        RecursionError: The caller has used up its stack; nothing was changed.
        ToolArgumentsValidationError: The arguments are at fault as they are.
        TypeError: *tool* is not a `ToolDefinition`.

    >>> limit = {"type": "integer", "default": 20}
    >>> tool = ToolDefinition("read", "Read a file.", {"properties": {"limit": limit}})
    >>> apply_defaults(tool, {"path": "README.md"})
    {'path': 'README.md', 'limit': 20}
    """
    try:
        filled = validate_tool_arguments(tool, arguments)
    except ToolArgumentsValidationError:
        del arguments  # or this frame, which the error leads to, would keep them
        raise
    compiled = tool.compiled
    if "default" not in compiled.survey.keywords:
        return filled
    plan = _PLANS.get(compiled)
    if plan is None:
        plan = _PLANS.setdefault(compiled, Plan.of(compiled.survey))

    def work() -> None:
        _Filling(tool, filled, Applied(compiled, plan)).run()

    compiled.with_enough_stack(filled, work)
    return filled


class _SpentError(Exception):
    """Sorting out which defaults can stay takes too long."""


@dataclass(slots=True)
class _Filling:
    """One call being completed, in place."""

    tool: ToolDefinition[Any]
    arguments: Any
    applied: Applied
    rounds: int = 0
    budget: int = 0
    """Characters that may still be checked again."""
    put: list[Fill] = field(default_factory=list)
    """What is filled in now, the last one last."""

    def run(self) -> None:
        try:
            size = measured(self.arguments, self.tool.limits)[1]
            self.budget = _LEAST + _TRIES * size
            while self._step():
                self.rounds += 1
                if self.rounds > _FREE_ROUNDS:
                    self._charge(self.arguments, _ROUND)
        except BaseException as error:
            # Nothing stays, as it may be done again where there is more stack.
            self._take_back(len(self.put))
            if not isinstance(error, _SpentError):
                raise

    def _charge(self, value: Any, checks: int = 1) -> None:
        self._spend(checks * (_EACH + measured(value, self.tool.limits)[1]))

    def _spend(self, characters: int) -> None:
        self.budget -= characters
        if self.budget < 0:
            raise _SpentError

    def _is_valid(self) -> bool:
        """Whether the arguments as they are now would be accepted."""
        copy, size = measured(self.arguments, self.tool.limits)
        return copy is not NOT_PLAIN and self.applied.compiled.accepts(copy, size)

    def _step(self) -> bool:
        """A round of what needs no condition, so that conditions see it; or of everything."""
        if self.applied.plan.has_conditions:
            self.applied.is_certain = True
            if self._round():
                return True
            self.applied.is_certain = False
        return self._round()

    def _round(self) -> bool:
        """Fill in what is known to be absent now; whether more may be after it."""
        root = self.applied.compiled.survey.root.contents
        found: list[Fill] = []
        known = 0
        todo: list[tuple[Any, Schemas, set[int]]] = [(self.arguments, [root], set())]
        while todo:
            value, schemas, around = todo.pop()
            nodes = self.applied.to(schemas, value)
            if not nodes:
                continue
            around = {*around, *(id(node.schema) for node in nodes if "default" in node.schema)}
            if type(value) is list:
                pairs = zip(value, self.applied.items(nodes, value), strict=True)
                todo.extend((item, below, around) for item, below in pairs if _is_open(item))
                continue
            fills: list[Fill] = []
            for name, below in sorted(self.applied.properties(nodes, value).items()):
                if name not in value:
                    fills.extend(self.applied.fills(value, name, below, around))
                elif _is_open(value[name]):
                    todo.append((value[name], below, around))
            # The whole is asked last, and about everything at once.
            allow = partial(self._allow, [] if value is self.arguments else schemas, value)
            found += self._most_of(fills, value, allow)
            known += len(fills)
            if self.rounds > _FREE_ROUNDS:
                self._spend(_FILL * len(fills))
            if known > self.tool.limits.max_nodes:
                raise _SpentError
        if not found:
            return False
        if self._is_valid():
            return known > len(found) or not self.applied.plan.is_flat
        self._take_back(len(found))
        return bool(self._halves_of(found, self.arguments, self._is_valid))

    def _allow(self, schemas: Schemas, value: Any) -> bool:
        return all(self.applied.satisfies(schema, value) is not False for schema in schemas)

    def _most_of(self, fills: list[Fill], value: Any, holds: Callable[[], bool]) -> list[Fill]:
        """Put in those of *fills* with which *value* holds, or else what halves find."""
        for fill in fills:
            fill.put()
            self.put.append(fill)
        if not fills or holds():
            return fills
        self._take_back(len(fills))
        return self._halves_of(fills, value, holds)

    def _halves_of(self, fills: list[Fill], value: Any, holds: Callable[[], bool]) -> list[Fill]:
        self._charge(value)
        half = len(fills) // 2
        if not half:
            return []
        first = self._most_of(fills[:half], value, holds)
        return [*first, *self._most_of(fills[half:], value, holds)]

    def _take_back(self, count: int) -> None:
        for _ in range(count):
            self.put.pop().take_back()


def _is_open(value: Any) -> bool:
    return type(value) is dict or type(value) is list
