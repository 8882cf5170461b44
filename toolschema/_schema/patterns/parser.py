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
_DECIMAL = tuple("0123456789")
_QUANTIFIER = re.compile(r"(?:([*+?])|\{([0-9]+)(?:(,)([0-9]*))?\})(\??)")
_NAME = re.compile(r"[^<>]+(?=>)")
_ESCAPED = re.compile(r"\\u(?:([0-9A-Fa-f]{4})|\{([0-9A-Fa-f]{1,6})\})")
_PROPERTY = re.compile(r"\{([A-Za-z_]+(?:=[A-Za-z0-9_]+)?|[A-Za-z0-9_]+)\}")
# More than any text holds that is within the limits, and few enough to count.
_MANY = 1 << 31


class PatternError(ValueError):
    """A text is not an ECMA-262 pattern; says what is wrong and where."""

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
        opening = next(
            (text for text in ("(?=", "(?!", "(?<=", "(?<!", "(?:") if self.peek(text)), None
        )
        if opening:
            self.at += len(opening)
        elif self.take("(?<"):
            number = self.named(start)
        elif self.peek("(?"):
            self.fail("unknown kind of group")
        else:
            self.at += 1
            self.groups += 1
            number = self.groups
        body = self.alternatives(depth + 1)
        if not self.take(")"):
            self.fail("unterminated group", start)
        if opening and opening != "(?:":
            return Look(opening, body)
        if number is not None:
            self.closed.add(number)
        return Group(number, body)

    def named(self, start: int) -> int:
        match = _NAME.match(self.source, self.at)
        name = _identifier(match.group()) if match else None
        if not match or not name:
            raise PatternError("a group name is missing or not an identifier", self.at)
        if name in self.names:
            self.fail("two groups have this name", start)
        self.at = match.end() + 1
        self.groups += 1
        self.names[name] = self.groups
        return self.groups

    def escape(self) -> object:
        start = self.at
        self.at += 1
        if self.at >= len(self.source):
            self.fail("a backslash at the end", start)
        character = self.source[self.at]
        if character in "bB":
            self.at += 1
            return Boundary(character)
        if character in "123456789":
            end = self.at + 1
            while self.source[end : end + 1] in _DECIMAL:
                end += 1
            number = int(self.source[self.at : end][:9])
            self.at = end
            return self.reference(Backreference(number, number not in self.closed), start)
        if character == "k":
            self.at += 1
            match = _NAME.match(self.source, self.at + 1)
            name = _identifier(match.group()) if match else None
            if not self.peek("<") or not match or not name:
                raise PatternError("\\k without a group name", start)
            self.at = match.end() + 1
            early = self.names.get(name, 0) not in self.closed
            return self.reference(Backreference(0, early, name), start)
        return _storable(self.character_escape(start))

    def reference(self, reference: Backreference, start: int) -> Backreference:
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
                raise PatternError("a property name is missing", start)
            if not is_property(match.group(1)):
                raise PatternError("not a property of ECMA-262", start)
            self.at = match.end()
            return Characters(raw=f"\\{character}{{{match.group(1)}}}")
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
        if self.take("{"):
            end = self.source.find("}", self.at)
            digits = self.source[self.at : end]
            if end < 0 or not re.fullmatch("[0-9A-Fa-f]+", digits) or int(digits, 16) > MAXIMUM:
                raise PatternError("not a code point", start)
            self.at = end + 1
            return _one(int(digits, 16))
        unit = self.hexadecimal(4, start)
        if 0xD800 <= unit < 0xDC00 and self.peek("\\u") and not self.peek("\\u{"):
            back = self.at
            self.at += 2
            low = self.hexadecimal(4, start)
            if 0xDC00 <= low < 0xE000:
                return _one(0x10000 + ((unit - 0xD800) << 10) + low - 0xDC00)
            self.at = back
        return _one(unit)

    def hexadecimal(self, length: int, start: int) -> int:
        digits = self.source[self.at : self.at + length]
        if not re.fullmatch(f"[0-9A-Fa-f]{{{length}}}", digits):
            raise PatternError("unfinished escape", start)
        self.at += length
        return int(digits, 16)

    def character_class(self) -> Class:
        start = self.at
        self.at += 1
        negated = self.take("^")
        members: list[Characters] = []
        while not self.take("]"):
            if self.at >= len(self.source):
                self.fail("unterminated character class", start)
            low = self.class_atom()
            if self.peek("-") and not self.peek("-]"):
                self.at += 1
                if self.at >= len(self.source):
                    self.fail("unterminated character class", start)
                high = self.class_atom()
                members.append(self.span(low, high, start))
            else:
                members.append(low)
        return Class([_storable(member) for member in members], negated)

    def span(self, low: Characters, high: Characters, start: int) -> Characters:
        ends = [low.single, high.single]
        if None in ends:
            self.fail("a range between sets of characters", start)
        first, last = ends[0] or 0, ends[1] or 0
        if first > last:
            self.fail("a range out of order", start)
        return Characters(((first, last),))

    def class_atom(self) -> Characters:
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
    # Python's identifiers have neither a dollar sign nor joiners.
    plain = name.replace("$", "_")
    plain = plain[:1] + plain[1:].replace("\u200c", "_").replace("\u200d", "_")
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
