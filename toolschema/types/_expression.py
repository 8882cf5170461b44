"""Type expressions: built from parts, printed on as many lines as they take."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple, TypeAlias

from toolschema.types._text import WIDTH

Expression: TypeAlias = "Name | Reference | Generic | Either"


class Name(NamedTuple):
    """What is there from the start: a name that is imported or built in, a literal."""

    text: str


class Reference(NamedTuple):
    """A type that the module defines itself."""

    name: str


class Generic(NamedTuple):
    """``name[arguments]``."""

    name: str
    arguments: tuple[Expression, ...]


class Either(NamedTuple):
    """A union."""

    members: tuple[Expression, ...]


def names(expression: Expression) -> Iterator[str]:
    """All names that have to be there; those of literals are none."""
    if isinstance(expression, (Name, Reference)):
        yield expression[0]
        return
    if isinstance(expression, Generic):
        yield expression.name
    for each in _inner(expression):
        yield from names(each)


def references(expression: Expression) -> Iterator[str]:
    """The names of the module's own types."""
    if isinstance(expression, Reference):
        yield expression.name
    for each in _inner(expression):
        yield from references(each)


def _inner(expression: Expression) -> tuple[Expression, ...]:
    if isinstance(expression, Either):
        return expression.members
    if isinstance(expression, Generic) and expression.name != "Literal":
        return expression.arguments
    return ()


def size(expression: Expression) -> int:
    """How many names it is made of."""
    return sum(1 for _ in names(expression))


def resolved(expression: Expression, defined: Container[str]) -> Expression:
    """The same with quotes around what is not *defined* yet.

    A string has no ``|``, so such a union is written with its name.
    """
    if isinstance(expression, Reference):
        return Name(expression.name if expression.name in defined else f'"{expression.name}"')
    if isinstance(expression, Generic):
        if expression.name == "Literal":
            return expression
        return Generic(
            expression.name, tuple(resolved(each, defined) for each in expression.arguments)
        )
    if isinstance(expression, Either):
        members = tuple(resolved(each, defined) for each in expression.members)
        is_late = any(isinstance(each, Name) and each.text.startswith('"') for each in members)
        return Generic("Union", members) if is_late else Either(members)
    return expression


def flat(expression: Expression) -> str:
    """On one line."""
    if isinstance(expression, Generic):
        return f"{expression.name}[{', '.join(map(flat, expression.arguments))}]"
    if isinstance(expression, Either):
        return " | ".join(map(flat, expression.members))
    return expression[0]


def laid_out(expression: Expression, before: str, after: str, indent: str = "") -> Iterator[str]:
    """On one line if it fits there, or else with its arguments on lines of their own."""
    line = f"{indent}{before}{flat(expression)}{after}"
    if len(line) <= WIDTH or isinstance(expression, (Name, Reference)):
        yield line
        return
    deeper = f"{indent}    "
    if isinstance(expression, Either):
        yield f"{indent}{before}("
        for number, each in enumerate(expression.members):
            yield from laid_out(each, "| " if number else "", "", deeper)
        yield f"{indent}){after}"
    elif isinstance(expression, Generic):  # pragma: no branch
        yield f"{indent}{before}{expression.name}["
        if expression.name == "Literal":
            yield from _filled(expression.arguments, deeper)
        else:
            # A comma after an only argument would make a tuple of it.
            comma = "," if len(expression.arguments) > 1 else ""
            for each in expression.arguments:
                yield from laid_out(each, "", comma, deeper)
        yield f"{indent}]{after}"


def _filled(values: tuple[Expression, ...], indent: str) -> Iterator[str]:
    line = indent
    for each in map(flat, values):
        if line != indent and len(line) + len(each) + 2 > WIDTH:
            yield line.rstrip()
            line = indent
        line += f"{each}, "
    yield line.rstrip()
