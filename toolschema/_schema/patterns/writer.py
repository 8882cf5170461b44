r"""An ECMA-262 pattern, written out again in the words of the verdict engine.

The regular expressions of the engine come close to those of ECMA-262, and differ
where it hurts: they refuse some legal patterns, and read ``\b``, ``\w``, ``\d``
and ``\s`` in another way beside a look-around or a back-reference. A pattern is
therefore parsed by the grammar of ECMA-262 §22.2.1 and written without any
construct on which the two disagree.
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
)

_WORD = "0-9A-Za-z_"
_STALE = "a back-reference to a group that an enclosing repetition may skip"
_EMPTY = "a back-reference to a group in a repetition that may match nothing"
_BEHIND = "a back-reference into or inside a look-behind"


def written(source: str) -> tuple[str, bool] | None:
    """The pattern for the engine, and whether matching may backtrack.

    Answers None where *source* is no ECMA-262 pattern.
    """
    try:
        tree = parse(source)
    except PatternError:
        return None
    writer = _Writer()
    engine = writer.render(tree)
    return engine, writer.backtracks


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
    """Writes a parsed pattern; groups are numbered anew while it goes."""

    def __init__(self) -> None:
        self.backtracks = False
        self._out: list[str | tuple[str, int]] = []
        self._has_references = False

    def render(self, tree: Alternatives) -> str:
        self._has_references = _Backreferences(tree).exist
        self._write(tree)
        numbers: dict[tuple[str, int], int] = {}
        count = 0
        for piece in self._out:
            if isinstance(piece, tuple) and piece[0] != "reference":
                count += 1
                numbers[piece] = count
        return "".join(
            piece if isinstance(piece, str) else self._numbered(piece, numbers)
            for piece in self._out
        )

    @staticmethod
    def _numbered(piece: tuple[str, int], numbers: dict[tuple[str, int], int]) -> str:
        kind, group = piece
        if kind == "open":
            return "("
        if kind == "mark":
            return "()"
        # A reference to a group that took no part matches the empty text
        # (ECMA-262 §22.2.2.7.2); in the engine it fails. The empty group that
        # closes every group tells the two cases apart.
        capture, mark = numbers["open", group], numbers["mark", group]
        return f"(?:\\{capture}|(?!\\{mark}))"

    def _write(self, node: object) -> None:
        if isinstance(node, Alternatives):
            for index, choice in enumerate(node.choices):
                if index:
                    self._out.append("|")
                self._write(choice)
        elif isinstance(node, Sequence):
            for item in node.items:
                self._write(item)
        elif isinstance(node, Characters):
            self._out.append(_characters(node))
        elif isinstance(node, Class):
            self._out.append(_class(node))
        elif isinstance(node, Repeat):
            self._repeated(node.item)
            self._out.append(node.suffix)
        elif isinstance(node, Group):
            self._group(node)
        elif isinstance(node, Look):
            self.backtracks = True
            self._out.append(node.opening)
            self._write(node.body)
            self._out.append(")")
        elif isinstance(node, Boundary):
            self._boundary(node)
        elif isinstance(node, Backreference):
            self._reference(node)

    def _repeated(self, node: object) -> None:
        """What a quantifier stands behind: the engine takes nothing for no target."""
        if isinstance(node, Group) and node.number is None and _is_nothing(node):
            self._out.append("(?:(?:|)")
            self._write(node.body)
            self._out.append(")")
        else:
            self._write(node)

    def _group(self, node: Group) -> None:
        if node.number is None:
            self._out.append("(?:")
            self._write(node.body)
        else:
            self._out.append(("open", node.number))
            # The body may be a choice; only all of it may come before the mark.
            if self._has_references:
                self._out.append("(?:")
            self._write(node.body)
            if self._has_references:
                self._out.extend((")", ("mark", node.number)))
        self._out.append(")")

    def _boundary(self, node: Boundary) -> None:
        if node.kind in "^$":
            self._out.append(node.kind)
            return
        self.backtracks = True
        before, after = f"(?<=[{_WORD}])", f"(?=[{_WORD}])"
        not_before, not_after = f"(?<![{_WORD}])", f"(?![{_WORD}])"
        if node.kind == "b":
            self._out.append(f"(?:{before}{not_after}|{not_before}{after})")
        else:
            self._out.append(f"(?:{before}{after}|{not_before}{not_after})")

    def _reference(self, node: Backreference) -> None:
        self.backtracks = True
        self._out.append("(?:|)" if node.is_early else ("reference", node.number))


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
    """Where a pattern's back-references point, and whether we can follow them."""

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
        for child in getattr(node, "children", ()):
            self._visit(child, (*above, node))

    def refusal(self) -> str | None:
        for reference, above in self._references:
            target = self._groups[reference.number]
            if any(isinstance(node, Look) and node.is_behind for node in (*above, *target)):
                return _BEHIND
            if any(_is_loop(node) and _may_be_empty(node.item) for node in target):
                return _EMPTY
            if _may_be_stale(target) or (reference.is_early and _loops(above)):
                return _STALE
        return None


def _loops(above: tuple[object, ...]) -> bool:
    return any(_is_loop(node) for node in above)


def _is_loop(node: object) -> TypeGuard[Repeat]:
    return isinstance(node, Repeat) and node.high != 1


def _may_be_empty(node: object) -> bool:
    """Whether a node can match the empty text.

    A repetition of it ends there without keeping what the last turn captured
    (ECMA-262 §22.2.2.3.1); the engine keeps it.
    """
    if isinstance(node, Repeat):
        return node.low == 0 or _may_be_empty(node.item)
    if isinstance(node, Group):
        return _may_be_empty(node.body)
    if isinstance(node, Alternatives):
        return any(_may_be_empty(choice) for choice in node.choices)
    if isinstance(node, Sequence):
        return all(_may_be_empty(item) for item in node.items)
    return not isinstance(node, (Characters, Class))


def _is_nothing(node: object) -> bool:
    """Whether nothing is written there but look-around, at most."""
    if isinstance(node, Group):
        return node.number is None and _is_nothing(node.body)
    if isinstance(node, Alternatives):
        return len(node.choices) == 1 and all(map(_is_nothing, node.choices[0].items))
    if isinstance(node, Repeat):
        return _is_nothing(node.item)
    return isinstance(node, Look)


def _may_be_stale(above: tuple[object, ...]) -> bool:
    """Whether a group can keep what an earlier turn of a repetition captured.

    ECMA-262 §22.2.2.3.1 forgets the captures at every turn, the engine does
    not; it shows only where a turn can pass the group by.
    """
    for index, node in enumerate(above):
        if _is_loop(node):
            return any(
                (isinstance(inner, Repeat) and inner.low == 0)
                or (isinstance(inner, Alternatives) and len(inner.choices) > 1)
                for inner in above[index + 1 :]
            )
    return False
