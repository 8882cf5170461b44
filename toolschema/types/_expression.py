"""Type expressions: built as values, written on one line or wrapped."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple, TypeAlias

from toolschema.types._strings import WIDTH

Expression: TypeAlias = "Name | Reference | Generic | Union"


class Name(NamedTuple):
    """A built-in or imported name, or a literal."""

    source: str


class Reference(NamedTuple):
    """A type that the generated module defines."""

    name: str


class Generic(NamedTuple):
    """``name[arguments]``."""

    name: str
    arguments: tuple[Expression, ...]


class Union(NamedTuple):
    """Alternatives, written with ``|``."""

    members: tuple[Expression, ...]


def walk(expression: Expression) -> Iterator[Name | Reference | Generic]:
    """All names in an expression, outermost first; the values of a ``Literal`` are not names."""
    inner: tuple[Expression, ...] = ()
    if isinstance(expression, Union):
        inner = expression.members
    else:
        yield expression
        if isinstance(expression, Generic) and expression.name != "Literal":
            inner = expression.arguments
    for member in inner:
        yield from walk(member)


def with_forward_references(expression: Expression, defined: Container[str]) -> Expression:
    """The expression with quotes around the types that are not yet *defined*.

    A string does not support ``|``, so a union with one is written ``Union[…]``.
    """
    if isinstance(expression, Reference):
        return Name(expression.name if expression.name in defined else f'"{expression.name}"')
    if isinstance(expression, Generic) and expression.name != "Literal":
        arguments = (with_forward_references(inner, defined) for inner in expression.arguments)
        return Generic(expression.name, tuple(arguments))
    if isinstance(expression, Union):
        members = tuple(with_forward_references(inner, defined) for inner in expression.members)
        has_string = any(
            isinstance(inner, Name) and inner.source.startswith('"') for inner in members
        )
        return Generic("Union", members) if has_string else Union(members)
    return expression


def inline(expression: Expression) -> str:
    """Write the expression on one line."""
    if isinstance(expression, Generic):
        return f"{expression.name}[{', '.join(map(inline, expression.arguments))}]"
    if isinstance(expression, Union):
        return " | ".join(map(inline, expression.members))
    return expression[0]


def wrapped(expression: Expression, before: str, after: str, indent: str = "") -> Iterator[str]:
    """Write on one line if it fits, otherwise with each argument on lines of its own."""
    line = f"{indent}{before}{inline(expression)}{after}"
    if len(line) <= WIDTH or isinstance(expression, (Name, Reference)):
        yield line
        return
    deeper = f"{indent}    "
    if isinstance(expression, Union):
        yield f"{indent}{before}("
        for number, member in enumerate(expression.members):
            yield from wrapped(member, "| " if number else "", "", deeper)
        yield f"{indent}){after}"
        return
    yield f"{indent}{before}{expression.name}["
    if expression.name == "Literal":
        yield from _filled(expression.arguments, deeper)
    else:
        # A comma after the only argument would make it a tuple.
        comma = "," if len(expression.arguments) > 1 else ""
        for argument in expression.arguments:
            yield from wrapped(argument, "", comma, deeper)
    yield f"{indent}]{after}"


def _filled(values: tuple[Expression, ...], indent: str) -> Iterator[str]:
    """Lines with as many values as fit."""
    line = indent
    for value in map(inline, values):
        if line != indent and len(line) + len(value) + 2 > WIDTH:
            yield line.rstrip()
            line = indent
        line += f"{value}, "
    yield line.rstrip()
