r"""An ECMA-262 pattern, rewritten in the syntax of the verdict engine.

The engine refuses some legal patterns, and reads ``\b``, ``\w``, ``\d`` and ``\s``
in another way beside a look-around or a back-reference. A pattern is therefore
parsed by the grammar of ECMA-262 §22.2.1 and written without any construct on
which the two disagree.
"""

from __future__ import annotations

from typing import TypeGuard

from toolschema._schema.patterns.parser import PatternError, parse
from toolschema._schema.patterns.tree import (
    Alternatives,
    Backreference,
    Boundary,
    Characters,
    Class,
    Group,
    Look,
    Repeat,
    Sequence,
    children,
)

_BOUNDARIES = {
    "b": "(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))",
    "B": "(?:(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<![0-9A-Za-z_])(?![0-9A-Za-z_]))",
}
_STALE = "a back-reference to a group that an enclosing repetition may skip"
_EMPTY = "a back-reference to a group in a repetition that may match nothing"
_BEHIND = "a back-reference into or inside a look-behind"


def written(source: str) -> tuple[str, bool] | None:
    """The pattern for the engine, and whether matching may backtrack.

    None where *source* is not an ECMA-262 pattern.
    """
    try:
        tree = parse(source)
    except PatternError:
        return None
    writer = _Writer(has_references=_Backreferences(tree).exist)
    writer.write(tree)
    return "".join(writer.out), writer.backtracks


def portability(source: str) -> str | None:
    """Say why other languages refuse *source*, or None where they take it."""
    try:
        parse(source)
    except PatternError as error:
        return str(error)
    return None


def refusal(source: str) -> str | None:
    """Say what of a legal pattern cannot be matched here exactly, if anything."""
    try:
        tree = parse(source)
    except PatternError:
        return None
    return _Backreferences(tree).refusal()


class _Writer:
    """Writes a parsed pattern; its groups get new numbers."""

    def __init__(self, *, has_references: bool) -> None:
        self.out: list[str] = []
        self.backtracks = False
        self._has_references = has_references
        self._captures = 0
        self._numbers: dict[int, tuple[int, int]] = {}
        """For each closed group, the numbers of its capture and of its mark."""

    def write(self, node: object) -> None:
        if isinstance(node, Alternatives):
            for index, choice in enumerate(node.choices):
                if index:
                    self.out.append("|")
                self.write(choice)
        elif isinstance(node, Sequence):
            for item in node.items:
                self.write(item)
        elif isinstance(node, Characters):
            self.out.append(_characters(node))
        elif isinstance(node, Class):
            self.out.append(_class(node))
        elif isinstance(node, Repeat):
            self._repeated(node.item)
            self.out.append(node.suffix)
        elif isinstance(node, Group):
            self._group(node)
        elif isinstance(node, Look):
            self.backtracks = True
            self._enclosed(node.opening, node.body)
        elif isinstance(node, Boundary):
            self.backtracks |= node.kind in _BOUNDARIES
            self.out.append(_BOUNDARIES.get(node.kind, node.kind))
        elif isinstance(node, Backreference):
            self.backtracks = True
            self.out.append("(?:|)" if node.is_early else self._reference(node.number))

    def _enclosed(self, opening: str, body: Alternatives) -> None:
        self.out.append(opening)
        self.write(body)
        self.out.append(")")

    def _repeated(self, node: object) -> None:
        """What a quantifier follows: the engine refuses to repeat an empty group."""
        if isinstance(node, Group) and _is_nothing(node):
            self._enclosed("(?:(?:|)", node.body)
        else:
            self.write(node)

    def _group(self, node: Group) -> None:
        if node.number is None:
            self._enclosed("(?:", node.body)
        elif not self._has_references:
            self._enclosed("(", node.body)
        else:
            self._captures += 1
            capture = self._captures
            # The body may be a choice; only all of it may come before the mark.
            self._enclosed("((?:", node.body)
            self.out.append("())")
            self._captures += 1
            self._numbers[node.number] = capture, self._captures

    def _reference(self, group: int) -> str:
        # A reference to a group that took no part matches the empty string
        # (ECMA-262 §22.2.2.7.2); in the engine it fails. The empty group that
        # closes every group tells the two cases apart.
        capture, mark = self._numbers[group]
        return f"(?:\\{capture}|(?!\\{mark}))"


def _code(point: int) -> str:
    character = chr(point)
    if point < 128 and (character.isalnum() or character == "_"):
        return character
    return f"\\u{{{point:X}}}"


def _characters(node: Characters) -> str:
    """One set of characters outside a class: a bare character where it is one."""
    if node.raw:
        return node.raw
    if node.single is not None:
        return _code(node.single)
    return _class(Class([Characters(node.ranges)], node.negated))


def _ranges(node: Characters) -> str:
    return "".join(
        _code(low) if low == high else f"{_code(low)}-{_code(high)}" for low, high in node.ranges
    )


def _class(node: Class) -> str:
    everything = "\\u{0}-\\u{10FFFF}"
    parts = "".join(member.raw or _ranges(member.positive()) for member in node.members)
    if not parts:
        return f"[{'' if node.negated else '^'}{everything}]"
    return f"[{'^' if node.negated else ''}{parts}]"


class _Backreferences:
    """What the back-references of a pattern refer to, and whether the engine can follow."""

    def __init__(self, tree: Alternatives) -> None:
        self._groups: dict[int, tuple[object, ...]] = {}
        self._references: list[tuple[Backreference, tuple[object, ...]]] = []
        self._visit(tree, ())
        self.exist = bool(self._references)

    def _visit(self, node: object, above: tuple[object, ...]) -> None:
        if isinstance(node, Group) and node.number is not None:
            self._groups[node.number] = above
        if isinstance(node, Backreference):
            self._references.append((node, above))
        for child in children(node):
            self._visit(child, (*above, node))

    def refusal(self) -> str | None:
        for reference, above in self._references:
            target = self._groups[reference.number]
            if any(isinstance(node, Look) and node.is_behind for node in (*above, *target)):
                return _BEHIND
            if any(_is_loop(node) and _may_be_empty(node.item) for node in target):
                return _EMPTY
            if _may_be_stale(target) or (reference.is_early and any(map(_is_loop, above))):
                return _STALE
        return None


def _is_loop(node: object) -> TypeGuard[Repeat]:
    return isinstance(node, Repeat) and node.high != 1


def _may_be_empty(node: object) -> bool:
    """Whether a node can match the empty string.

    A repetition of it ends there without keeping what the last turn captured
    (ECMA-262 §22.2.2.3.1); the engine keeps it.
    """
    if isinstance(node, (Characters, Class)):
        return False
    if isinstance(node, Look) or (isinstance(node, Repeat) and node.low == 0):
        return True
    enough = any if isinstance(node, Alternatives) else all
    return enough(map(_may_be_empty, children(node)))


def _is_nothing(node: object) -> bool:
    """Whether nothing is written there but look-around, at most."""
    if isinstance(node, Alternatives):
        return len(node.choices) == 1 and all(map(_is_nothing, node.choices[0].items))
    is_transparent = isinstance(node, Repeat) or (isinstance(node, Group) and node.number is None)
    return isinstance(node, Look) or (is_transparent and all(map(_is_nothing, children(node))))


def _may_be_stale(above: tuple[object, ...]) -> bool:
    """Whether a group can keep what an earlier turn of a repetition captured.

    ECMA-262 §22.2.2.3.1 forgets the captures at every turn, the engine does
    not; the difference shows only where a turn can skip the group.
    """
    for index, node in enumerate(above):
        if _is_loop(node):
            return any(
                (isinstance(inner, Repeat) and inner.low == 0)
                or (isinstance(inner, Alternatives) and len(inner.choices) > 1)
                for inner in above[index + 1 :]
            )
    return False
