"""The grammar of ECMA-262 patterns with the ``u`` flag (§22.2.1)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn

from toolschema._schema.patterns.tree import (
    MAXIMUM,
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
from toolschema._schema.patterns.unicode import is_property

_DIGITS = ((0x30, 0x39),)
_WORD = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_SPACE = (
    (0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A),
    (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)  # fmt: skip
_LINE_END = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
_SETS = {"d": _DIGITS, "w": _WORD, "s": _SPACE}
_CONTROLS = {"t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D}
_SYNTAX = frozenset("^$\\.*+?()[]{}|/")
_QUANTIFIER = re.compile(r"(?:([*+?])|\{([0-9]+)(?:(,)([0-9]*))?\})(\??)")
_OPENING = re.compile(r"\(\?(?:[:=!]|<[=!])")
_NAME = re.compile(r"<([^<>]+)>")
_NUMBER = re.compile("[1-9][0-9]*")
_BRACED = re.compile(r"\{([0-9A-Fa-f]+)\}")
_LOW_SURROGATE = re.compile(r"\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})")
_ESCAPED = re.compile(r"\\u(?:([0-9A-Fa-f]{4})|\{([0-9A-Fa-f]{1,6})\})")
_PROPERTY = re.compile(r"\{([A-Za-z_]+(?:=[A-Za-z0-9_]+)?|[A-Za-z0-9_]+)\}")
# More than any string within the limits has, and few enough to count.
_MANY = 1 << 31


class PatternError(ValueError):
    """A string is not an ECMA-262 pattern: what is wrong, and where."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason, offset)
        self.reason = reason
        self.offset = offset

    def __str__(self) -> str:
        return f"{self.reason} at column {self.offset + 1}"


def parse(source: str) -> Alternatives:
    """Parse one pattern.

    Raises:
        PatternError: *source* is not in the grammar; the offset counts
            characters from 0.
    """
    parser = _Parser(source)
    tree = parser.alternatives(0)
    if parser.at < len(source):
        parser.fail("unmatched ')'")
    parser.finish()
    return tree


@dataclass(slots=True)
class _Parser:
    source: str
    at: int = 0
    groups: int = 0
    names: dict[str, int] = field(default_factory=dict)
    closed: set[int] = field(default_factory=set)
    references: list[tuple[Backreference, int]] = field(default_factory=list)

    def fail(self, reason: str, offset: int | None = None) -> NoReturn:
        raise PatternError(reason, self.at if offset is None else offset)

    def peek(self, text: str) -> bool:
        return self.source.startswith(text, self.at)

    def take(self, text: str) -> bool:
        if self.peek(text):
            self.at += len(text)
            return True
        return False

    def finish(self) -> None:
        for reference, offset in self.references:
            if reference.name:
                if reference.name not in self.names:
                    self.fail("no group has this name", offset)
                reference.number = self.names[reference.name]
            elif reference.number > self.groups:
                self.fail("no group has this number", offset)

    def alternatives(self, depth: int) -> Alternatives:
        if depth > 100:
            self.fail("groups nested too deep")
        choices = [self.sequence(depth)]
        while self.take("|"):
            choices.append(self.sequence(depth))
        return Alternatives(choices)

    def sequence(self, depth: int) -> Sequence:
        items: list[object] = []
        while self.at < len(self.source) and self.source[self.at] not in "|)":
            item = self.term(depth)
            match = _QUANTIFIER.match(self.source, self.at)
            if match:
                if isinstance(item, (Boundary, Look)):
                    self.fail("nothing to repeat")
                item = self.repeat(item, match)
            items.append(item)
        return Sequence(items)

    def repeat(self, item: object, match: re.Match[str]) -> Repeat:
        sign, first, comma, second, lazy = match.groups()
        if sign:
            low, high = {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
            suffix = sign + lazy
        else:
            low = _count(first)
            high = low if not comma else (_count(second) if second else None)
            if high is not None and low > high:
                self.fail("numbers out of order in the quantifier")
            suffix = match.group() if high is None or high < _MANY else f"{{{low},}}{lazy}"
        self.at = match.end()
        return Repeat(item, low, high, suffix)

    def term(self, depth: int) -> object:
        character = self.source[self.at]
        if character in "^$":
            self.at += 1
            return Boundary(character)
        if character == "(":
            return self.group(depth)
        if character == "[":
            return self.character_class()
        if character == "\\":
            return self.escape()
        if character == ".":
            self.at += 1
            return Characters(_LINE_END, negated=True)
        if character in "*+?" or _QUANTIFIER.match(self.source, self.at):
            self.fail("nothing to repeat")
        if character in "{}]":
            self.fail(f"lone '{character}'")
        self.at += 1
        return _storable(_one(ord(character)))

    def group(self, depth: int) -> object:
        start = self.at
        number: int | None = None
        opening = _OPENING.match(self.source, start)
        if opening:
            self.at = opening.end()
        else:
            number = self.numbered()
        body = self.alternatives(depth + 1)
        if not self.take(")"):
            self.fail("unterminated group", start)
        if opening and opening.group() != "(?:":
            return Look(opening.group(), body)
        if number is not None:
            self.closed.add(number)
        return Group(number, body)

    def numbered(self) -> int:
        start = self.at
        self.at += 1
        self.groups += 1
        if self.take("?"):
            if not self.peek("<"):
                self.fail("unknown kind of group", start)
            name = self.name("a group name is missing or not an identifier", start + 3)
            if name in self.names:
                self.fail("two groups have this name", start)
            self.names[name] = self.groups
        return self.groups

    def name(self, reason: str, offset: int) -> str:
        match = _NAME.match(self.source, self.at)
        name = _identifier(match[1]) if match else None
        if not match or not name:
            self.fail(reason, offset)
        self.at = match.end()
        return name

    def escape(self) -> object:
        start = self.at
        self.at += 1
        if self.at >= len(self.source):
            self.fail("a backslash at the end", start)
        character = self.source[self.at]
        if character in "bB":
            self.at += 1
            return Boundary(character)
        if digits := _NUMBER.match(self.source, self.at):
            self.at = digits.end()
            number = int(digits.group()[:9])
            reference = Backreference(number, number not in self.closed)
        elif self.take("k"):
            name = self.name("\\k without a group name", start)
            reference = Backreference(0, self.names.get(name, 0) not in self.closed, name)
        else:
            return _storable(self.character_escape(start))
        self.references.append((reference, start))
        return reference

    def character_escape(self, start: int) -> Characters:
        """What may follow a backslash inside and outside a class."""
        character = self.source[self.at]
        self.at += 1
        lower = character.lower()
        if lower in _SETS:
            return Characters(_SETS[lower], negated=character != lower)
        if lower == "p":
            match = _PROPERTY.match(self.source, self.at)
            if not match:
                self.fail("a property name is missing", start)
            if not is_property(match[1]):
                self.fail("not a property of ECMA-262", start)
            self.at = match.end()
            return Characters(raw=f"\\{character}{match.group()}")
        if character in _CONTROLS:
            return _one(_CONTROLS[character])
        if character == "0" and not self.source[self.at : self.at + 1].isdigit():
            return _one(0)
        if (
            character == "c"
            and (letter := self.source[self.at : self.at + 1]).isalpha()
            and letter.isascii()
        ):
            self.at += 1
            return _one(ord(letter) % 32)
        if character in "xu":
            return self.code_point(character, start)
        if character in _SYNTAX:
            return _one(ord(character))
        raise PatternError("unknown escape", start)

    def code_point(self, kind: str, start: int) -> Characters:
        if kind == "x":
            return _one(self.hexadecimal(2, start))
        if self.peek("{"):
            braced = _BRACED.match(self.source, self.at)
            if not braced or int(braced[1], 16) > MAXIMUM:
                self.fail("not a code point", start)
            self.at = braced.end()
            return _one(int(braced[1], 16))
        unit = self.hexadecimal(4, start)
        low = _LOW_SURROGATE.match(self.source, self.at)
        if low and 0xD800 <= unit < 0xDC00:
            self.at = low.end()
            return _one(0x10000 + ((unit - 0xD800) << 10) + int(low[1], 16) - 0xDC00)
        return _one(unit)

    def hexadecimal(self, length: int, start: int) -> int:
        digits = self.source[self.at : self.at + length]
        if not re.fullmatch(f"[0-9A-Fa-f]{{{length}}}", digits):
            self.fail("unfinished escape", start)
        self.at += length
        return int(digits, 16)

    def character_class(self) -> Class:
        start = self.at
        self.at += 1
        negated = self.take("^")
        members: list[Characters] = []
        while not self.take("]"):
            member = self.class_atom(start)
            if self.peek("-") and not self.peek("-]"):
                self.at += 1
                first, last = member.single, self.class_atom(start).single
                if first is None or last is None:
                    self.fail("a range between sets of characters", start)
                if first > last:
                    self.fail("a range out of order", start)
                member = Characters(((first, last),))
            members.append(_storable(member))
        return Class(members, negated)

    def class_atom(self, opening: int) -> Characters:
        if self.at >= len(self.source):
            self.fail("unterminated character class", opening)
        character = self.source[self.at]
        if character != "\\":
            self.at += 1
            return _one(ord(character))
        start = self.at
        self.at += 1
        if self.at >= len(self.source):
            self.fail("a backslash at the end", start)
        if self.take("b"):
            return _one(0x08)
        if self.take("-"):
            return _one(0x2D)
        return self.character_escape(start)


def _count(digits: str) -> int:
    return min(int(digits.lstrip("0")[:20] or "0"), _MANY)


def _identifier(text: str) -> str | None:
    """The group name that *text* spells, if it is one (ECMA-262 §22.2.1)."""
    name = _ESCAPED.sub(lambda match: chr(min(int(match[1] or match[2], 16), MAXIMUM)), text)
    name = name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    # Python's identifiers have neither a dollar sign nor joiners, which cannot come first.
    plain = name[:1].replace("$", "_") + re.sub("[$\u200c\u200d]", "_", name[1:])
    return name if plain.isidentifier() else None


def _one(point: int) -> Characters:
    return Characters(((point, point),))


def _storable(characters: Characters) -> Characters:
    """Leave out surrogates: no JSON text decodes to a string that holds one."""
    kept: list[tuple[int, int]] = []
    for low, high in characters.ranges:
        if low < 0xD800:
            kept.append((low, min(high, 0xD7FF)))
        if high > 0xDFFF:
            kept.append((max(low, 0xE000), high))
    return Characters(tuple(kept), characters.negated, characters.raw)
