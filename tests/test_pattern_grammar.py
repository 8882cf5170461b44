"""ECMA-262 patterns without a third engine: what is refused, why, and what matches."""

# ruff: noqa: RUF001 - what looks alike is what is tested.

from __future__ import annotations

import pytest
from conftest import property_tool

from toolschema import ToolSchemaError, check_tool_arguments
from toolschema._schema.patterns.writer import portability, refusal


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("a)", "unmatched ')' at column 2"),
        ("(a", "unterminated group at column 1"),
        ("a(?", "unknown kind of group at column 2"),
        ("(?i:a)", "unknown kind of group at column 1"),
        ("(" * 101 + ")" * 101, "groups nested too deep at column 102"),  # a bound of ours
        ("*a", "nothing to repeat at column 1"),
        ("a|{2}", "nothing to repeat at column 3"),
        ("(?=a)+", "nothing to repeat at column 6"),
        ("^*", "nothing to repeat at column 2"),
        ("a{3,2}", "numbers out of order in the quantifier at column 2"),
        ("a}", "lone '}' at column 2"),
        ("a{,2}", "lone '{' at column 2"),
        ("]", "lone ']' at column 1"),
        ("(?<>a)", "a group name is missing or not an identifier at column 4"),
        ("(?<1>a)", "a group name is missing or not an identifier at column 4"),
        ("(?<a²>a)", "a group name is missing or not an identifier at column 4"),
        ("(?<n>a)(?<n>b)", "two groups have this name at column 8"),
        ("(?<n>a)\\k<m>", "no group has this name at column 8"),
        ("(a)\\2", "no group has this number at column 4"),
        ("(a)\\10", "no group has this number at column 4"),
        ("\\k", "\\k without a group name at column 1"),
        ("a\\k<n", "\\k without a group name at column 2"),
        ("a\\", "a backslash at the end at column 2"),
        ("[\\", "a backslash at the end at column 2"),
        ("\\a", "unknown escape at column 1"),
        ("\\é", "unknown escape at column 1"),
        ("\\01", "unknown escape at column 1"),
        ("\\c1", "unknown escape at column 1"),
        ("[\\B]", "unknown escape at column 2"),
        ("\\x4", "unfinished escape at column 1"),
        ("\\u004", "unfinished escape at column 1"),
        ("\\u{}", "not a code point at column 1"),
        ("\\u{41", "not a code point at column 1"),
        ("\\u{110000}", "not a code point at column 1"),
        ("\\p", "a property name is missing at column 1"),
        ("\\p{L", "a property name is missing at column 1"),
        ("\\p{Age=6.0}", "a property name is missing at column 1"),
        ("\\p{Foo}", "not a property of ECMA-262 at column 1"),
        ("\\p{gc=Greek}", "not a property of ECMA-262 at column 1"),
        ("\\p{Script=greek}", "not a property of ECMA-262 at column 1"),
        ("\\p{Block=Greek}", "not a property of ECMA-262 at column 1"),
        ("[a", "unterminated character class at column 1"),
        ("[a-", "unterminated character class at column 1"),
        ("[b-a]", "a range out of order at column 1"),
        ("[\\d-z]", "a range between sets of characters at column 1"),
    ],
)
def test_what_ecma_262_does_not_allow_is_named_with_its_column(pattern: str, reason: str) -> None:
    assert portability(pattern) == reason


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        pytest.param("^[^]$", ["a", "\n", "😀"], ["", "ab"], id="any character"),
        pytest.param("[]", [], ["", "a"], id="no character"),
        pytest.param(
            "^.$", ["a", "😀", "\x85"], ["\n", "\r", "\u2028", "\u2029"], id="no line end"
        ),
        pytest.param("^\\s$", [" ", "\ufeff", "\u2003"], ["\x85", "\u180e"], id="white space"),
        pytest.param("^\\w\\W$", ["a-", "0é", "_ſ"], ["é-", "ab"], id="words are ASCII"),
        pytest.param("^[\\w-]\\d$", ["-1", "a1"], ["é1", "a١"], id="sets in a class"),
        pytest.param("^[\\W\\cJ]$", ["\n", "-", "é"], ["a", "_"], id="a complement in a class"),
        pytest.param("^[\\S\\cJ]$", ["\n", "-", "é"], [" ", "\t"], id="another"),
        pytest.param("a$", ["a"], ["a\n"], id="the end is the end"),
        pytest.param("^\\cJ\\0\\t$", ["\n\0\t"], ["J0t"], id="control characters"),
        pytest.param("^\\x41\\u0042\\u{43}$", ["ABC"], ["abc"], id="code points"),
        pytest.param("^\\uD83D\\uDE00$", ["😀"], ["😁"], id="a surrogate pair"),
        pytest.param("^[\\uD83D\\uDE00-\\uD83D\\uDE02]$", ["😁"], ["😄"], id="a range of pairs"),
        pytest.param("^[\\ud83dA]$", ["A"], ["d", "😀"], id="a lone surrogate in a class"),
        pytest.param("^\\ud83d\\u0041|B$", ["B"], ["A", "😀"], id="a surrogate without its other"),
        pytest.param("^[\\b\\-\\]]$", ["\b", "-", "]"], ["b", "\\"], id="escapes in a class"),
        pytest.param("^[[&&]$", ["[", "&"], ["]", "&&"], id="no set operations"),
        pytest.param("\\bé", ["aé"], ["é", " é"], id="a word boundary"),
        pytest.param("\\Bé", ["é", " é"], ["aé"], id="no word boundary"),
        pytest.param("^\\p{Script=Greek}\\P{Lu}$", ["αa", "Ω1"], ["aα", "ΩA"], id="properties"),
        pytest.param("^\\p{gc=Lu}$", ["A"], ["a"], id="a category by its key"),
        pytest.param("^(?<n>a|b)\\k<n>$", ["aa", "bb"], ["ab"], id="a named group"),
        pytest.param("^(?<\\u0061>b)\\k<a>$", ["bb"], ["b"], id="a name with an escape"),
        pytest.param("^\\1(a)$", ["a"], ["aa"], id="a reference before its group"),
        pytest.param("^(?:(a)|b)\\1$", ["aa", "b"], ["ba"], id="a group that took no part"),
        pytest.param("^(?:)*a??$", ["", "a"], ["aa"], id="nothing repeated"),
        pytest.param("^(?:(?=a))?a$", ["a"], ["b"], id="a look-ahead repeated in a group"),
        pytest.param("(?<=a)b(?!c)", ["ab", "abd"], ["b", "abc"], id="look-around"),
        pytest.param("^a{2}b{1,}c{0,2147483648}$", ["aab", "aabcc"], ["ab"], id="counts"),
        pytest.param("^[^\\d\\D]?$", [""], ["a"], id="the complement of everything"),
    ],
)
def test_what_a_pattern_matches(pattern: str, matching: list[str], others: list[str]) -> None:
    """Each as Node's ``RegExp`` with the ``u`` flag has it."""
    assert portability(pattern) is None
    tool = property_tool({"pattern": pattern})
    assert [text for text in matching + others if not check_tool_arguments(tool, {"v": text})] == (
        matching
    )


@pytest.mark.parametrize(
    "pattern",
    [
        "^(?:(a)|b)*\\1$", "^(a(b)?)+\\2$", "(?<=(a))\\1", "(?<=\\1(a))b", "(?:(a?))*\\1",
        "(?:(a|)|c)*\\1", "(?:((?:b*)(?:)))+\\1", "(?:((?=b)))*\\1",
    ],
)  # fmt: skip
def test_a_legal_pattern_that_cannot_be_matched_exactly_is_refused(pattern: str) -> None:
    assert portability(pattern) is None
    assert refusal(pattern)
    with pytest.raises(ToolSchemaError):
        property_tool({"pattern": pattern})


def test_only_a_legal_pattern_is_refused_for_its_references() -> None:
    assert refusal("(") is None
    assert refusal("(a)\\1") is None
