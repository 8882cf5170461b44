"""The text of a module: imports, types in the order Python needs, one constant for each tool."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from keyword import iskeyword
from typing import Any

from toolschema import ToolDefinition
from toolschema.types._expression import (
    Expression,
    Generic,
    Reference,
    laid_out,
    names,
    references,
    resolved,
)
from toolschema.types._names import Names, constant
from toolschema.types._text import docstring, quoted
from toolschema.types._tool import Key, ToolTypes, Type

_FROM_TYPING = ("Any", "Literal", "TypeAlias", "Union")
# Before 3.12 a `TypedDict` of `typing` does not say enough for others to read it.
_CHOSEN_BY_VERSION = ("NotRequired", "TypedDict")


@dataclass(slots=True)
class Module:
    """Collects the lines, and which names they need."""

    folder: str | None
    names: Names = field(default_factory=Names)
    used: set[str] = field(default_factory=set)
    lines: list[str] = field(default_factory=list)
    constants: list[tuple[str, str, ToolDefinition[Any]]] = field(default_factory=list)

    def add(self, made: ToolTypes) -> None:
        """Add the types of one tool."""
        # With a constant, that is where the description is read.
        said = f'Arguments of the tool "{made.tool.name}".'
        whole = made.run(made.tool.description if self.folder is None else said)
        written: set[str] = set()
        for each in _in_order(made.types):
            self.lines += ["", "", *self._type(each, written)]
            written.add(each.name)
        self.constants.append((self.names.give(constant(made.tool.name)), whole, made.tool))

    def _type(self, each: Type, written: set[str]) -> Iterator[str]:
        if each.alias is not None:
            alias = self._use(resolved(each.alias, written))
            self.used.add("TypeAlias")
            yield from laid_out(alias, f"{each.name}: TypeAlias = ", "")
            yield from docstring(each.description)
            return
        self.used.add("TypedDict")
        keys = [(key, self._use(_entry(key, written))) for key in each.keys]
        if all(self._is_plain(key.name) for key in each.keys):
            yield from _class(each, keys)
        else:
            yield from _call(each, keys)

    def _use(self, expression: Expression) -> Expression:
        self.used.update(names(expression))
        return expression

    def _is_plain(self, name: str) -> bool:
        """Whether it can be the name of a variable in a class that uses our names."""
        return (
            name.isascii()
            and name.isidentifier()
            and not iskeyword(name)
            and not name.startswith("__")
            and name not in self.names.given
        )

    def text(self) -> str:
        """The whole module."""
        return "\n".join([*self._head(), *self.lines, *self._constants()]) + "\n"

    def _head(self) -> Iterator[str]:
        said = "Types of tools." if self.folder is None else f"The tools of {self.folder}, typed."
        yield from docstring(f"{said}\n\nWritten by `toolschema types` from their schemas.")
        # A formatter would make it differ from what is written the next time.
        yield from ("# fmt: off", "# ruff: noqa", "")
        imported = [name for name in _FROM_TYPING if name in self.used]
        chosen = ", ".join(name for name in _CHOSEN_BY_VERSION if name in self.used)
        if chosen:
            yield "import sys"
        if self.folder is not None:
            yield "from pathlib import Path"
        if imported:
            yield f"from typing import {', '.join(imported)}"
        if self.folder is not None:
            yield from ("", "from toolschema import ToolDefinition, load_tools")
        if chosen:
            yield from ("", "if sys.version_info >= (3, 12):", f"    from typing import {chosen}")
            yield from ("else:", f"    from typing_extensions import {chosen}")

    def _constants(self) -> Iterator[str]:
        if self.folder is None:
            return
        yield from ("", "", f"_TOOLS = load_tools(Path(__file__).parent / {quoted(self.folder)})")
        for name, whole, tool in self.constants:
            kind = Generic("ToolDefinition", (Reference(whole),))
            yield ""
            yield from laid_out(kind, f"{name}: ", f" = _TOOLS[{quoted(tool.name)}]")
            yield from docstring(tool.description)


def _entry(key: Key, written: set[str]) -> Expression:
    expression = resolved(key.expression, written)
    return expression if key.is_required else Generic("NotRequired", (expression,))


def _class(each: Type, keys: list[tuple[Key, Expression]]) -> Iterator[str]:
    yield f"class {each.name}(TypedDict):"
    indent = "    "
    said = list(docstring(each.description, indent))
    yield from said
    if said and keys:
        yield ""
    for key, expression in keys:
        yield from laid_out(expression, f"{key.name}: ", "", indent)
        yield from docstring(key.description, indent)
    if not (said or keys):
        yield f"{indent}pass"


def _call(each: Type, keys: list[tuple[Key, Expression]]) -> Iterator[str]:
    """The form for names that are none in Python; its text follows it."""
    yield f"{each.name} = TypedDict("
    yield f"    {quoted(each.name)},"
    yield "    {"
    for key, expression in keys:
        yield from laid_out(expression, f"{quoted(key.name)}: ", ",", "        ")
    yield from ("    },", ")")
    said = [f"{key.name}: {key.description}" for key, _ in keys if key.description]
    yield from docstring("\n\n".join(text for text in (each.description, *said) if text))


def _in_order(types: Iterable[Type]) -> list[Type]:
    """What is referred to before what refers to it, as far as that is possible."""
    by_name = {each.name: each for each in types}
    found: dict[str, Type] = {}
    begun: set[str] = set()
    todo = list(by_name)[::-1]
    while todo:
        name = todo[-1]
        missing = (
            []
            if name in begun
            else [
                each
                for expression in by_name[name].expressions
                for each in references(expression)
                if each not in begun
            ]
        )
        begun.add(name)
        if missing:
            todo.extend(missing[::-1])
        else:
            found.setdefault(todo.pop(), by_name[name])
    return list(found.values())
