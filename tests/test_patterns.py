"""Compare patterns with a third engine: both of ours could share a mistake.

Node's `RegExp` with the ``u`` flag is ECMA-262 §22.2. For every pattern it must
agree with us whether it is legal, and whether each string matches.
"""

# ruff: noqa: RUF001 - similar characters are what is tested.

from __future__ import annotations

import json
import os
import shutil
import subprocess
from random import Random
from typing import Any

import pytest
from conftest import define

from toolschema import ToolDefinition, ToolSchemaError, check_tool_arguments
from toolschema._schema.patterns.pattern import translate
from toolschema._schema.patterns.writer import portability, refusal

pytestmark = pytest.mark.once

ATOMS = ["\\w", "\\W", "\\d", "\\D", "\\s", "\\S", "\\b", "\\B"]
FRAMES = [
    "{}", "^{}", "{}$", "a{}", "{}a", "é{}", "{}é", "^a{}b?$", "(?={})", "(?!{})a", "(?!{})é",
    "(?<={})a", "(?<!{})a", "(?<!{})é$", "(a){}\\1", "(?!x){}", "(?:{}|é)(?!a)", "(?<n>a|é){}\\k<n>",
]  # fmt: skip
IN_CLASSES = ["[{}]", "[^{}]", "[{}é]", "[^{}é](?!a)", "^[{}-]+$", "(?<=[{}])a", "(?!x)[^{}]"]
OTHERS = [
    # Classes with odd members.
    "[a&&b]", "[~~]", "[+--]", "[\\-\\]]", "[^]", "[]", "[\\b]", "[^\\b]", "[a-z&&[^b]]", "[--a]",
    "[a--]", "[-a]", "[a-]", "[\\-a]", "[a\\-]", "[\\]]", "[[]", "[[a]]", "[]a]", "[^^]", "[$^]",
    "[.]", "[|]", "[()]", "[{}]", "[*+?]", "[\\/]", "[/]", "[#]", "[ ]", "[~a]", "[a~~b]", "[a||b]",
    "[\\d-]", "[\\d-z]", "[a-\\d]", "[b-a]", "[\\B]", "[\\k]", "[\\1]", "[\\0]", "[\\c]", "[\\cA]",
    "[\\x41]", "[\\u0041]", "[\\u{41}-\\u{43}]", "[é-ü]", "[^é]", "[α-ω]", "[😀-😂]", "[^😀]", "[\\^a]",
    "[a-a]", "[\\w\\W]", "[\\s\\S]", "[^\\s\\S]", "[^\\W\\d]", "[\\w-]", "[[:alpha:]]", "[a[b]c]",
    "(?!y)[[]", "(?!y)[&&]", "(?!y)[~~]", "(?!y)[+--]", "(?!y)[\\]\\[]", "(?!y)[a--b]", "(?!y)[^^-]",
    # Surrogates, code points and other escapes.
    "\\uD83D\\uDE00", "[\\uD83D\\uDE00]", "\\uD800", "[\\uD800a]", "[^\\uD800]", "\\uD83D",
    "[\\uD800-\\uDFFF]", "[^\\uD800-\\uDFFF]", "\\u{1F600}", "\\u{110000}", "\\u{}", "\\u{0}", "^.$",
    "^..$", "^😀$", "😀+", "^😀{2}$", "\\uDE00\\uD83D", "\\u{D83D}\\u{DE00}", "\\x4", "\\x41", "\\u004",
    "\\u0041", "\\cJ", "\\cj", "\\c1", "\\c", "\\0", "\\00", "\\01", "\\8", "\\9", "\\t", "\\v", "\\f",
    "\\n", "\\r", "\\a", "\\e", "\\z", "\\Z", "\\A", "\\G", "\\h", "\\R", "\\X", "\\Q", "\\-", "\\_",
    "\\/", "\\#", "\\ ", '\\"', "\\'", "\\é", "\\😀", "\\", "a\\", "\\^", "\\$", "\\.", "\\*", "\\|",
    # Property escapes.
    "\\p{L}", "\\P{L}", "\\p{Lu}", "\\p{Ll}(?!x)", "[\\p{L}\\d]", "[^\\p{L}]", "[\\p{L}\\d](?!x)",
    "(?!\\P{L})x", "\\p{Script=Greek}", "(?!y)\\p{Script=Greek}", "\\p{sc=Grek}", "\\p{scx=Grek}",
    "\\p{Script_Extensions=Greek}", "\\p{Letter}", "\\p{General_Category=Letter}", "\\p{gc=Lu}",
    "\\p{Alphabetic}", "\\p{Alpha}", "\\p{White_Space}", "\\p{ASCII}", "\\p{Any}", "\\p{Assigned}",
    "\\p{Emoji}", "\\p{Emoji_Presentation}", "\\p{Nd}", "\\p{N}", "\\p{P}", "\\p{S}", "\\p{Z}", "\\p{C}",
    "\\p{Cn}", "\\p{Co}", "\\p{Lt}", "\\p{Mn}", "\\p{ID_Start}", "\\p{IDS}", "\\p{Uppercase}",
    "\\p{Lowercase}", "\\p{ASCII_Hex_Digit}", "\\p{AHex}", "\\p{Hex_Digit}", "\\p{Dash}",
    "\\p{Ideographic}", "\\p{Han}", "\\p{Script=Han}", "\\p{Greek}", "\\p{IsGreek}", "\\p{InGreek}",
    "\\p{l}", "\\p{lu}", "\\p{script=greek}", "\\p{letter}", "\\pL", "\\p", "\\p{}", "\\p{^L}", "\\p{L",
    "\\p{L=}", "\\p{=L}", "\\p{Foo}", "\\p{Block=Greek}", "\\p{Age=6.0}", "\\p{Line_Break=Alphabetic}",
    "[\\p{Lu}-z]", "[^\\P{L}]", "[\\P{L}a]", "\\p{RGI_Emoji}", "\\p{word}", "\\p{alnum}", "\\p{L&}",
    "\\p{Changes_When_NFKC_Casefolded}", "\\p{Surrogate}", "\\p{Script=Unknown}", "\\p{Cs}",
    "\\p{gc=Any}", "\\p{Alphabetic=Y}", "\\p{Script=Zyyy}", "\\p{Script=Greek_}", "\\p{LC}", "\\p{Cased_Letter}", "\\p{punct}", "\\p{digit}", "\\p{cntrl}", "\\p{Changes_When_Lowercased}",
    # Groups, their names and back-references.
    "(a)\\1", "\\1(a)", "(a)\\2", "(a)?\\1b", "^(a)?\\1$", "^(?:(a)|b)\\1$", "^(a(b)?)\\2$", "(a)\\10",
    "(?<n>a)\\k<n>", "\\k<n>(?<n>a)", "(?<n>a)\\k<m>", "\\k<n>", "\\k", "\\k<", "(?<n>a)\\k", "(?<>a)",
    "(?<1>a)", "(?<n>a)(?<n>b)", "(?<é>a)\\k<é>", "(?<$a_1>a)\\k<$a_1>", "(?<a-b>a)", "(?<a b>a)",
    "(?<a²>a)", "(?<²>a)", "(?<٣>a)", "(?<a٣>a)", "(?<\\u{61}>b)\\k<a>", "(?<\\ud835\\udc00>b)", "(?<𝐀>a)\\k<𝐀>",
    "(?<\\u0020>a)", "(?<a\u200d>a)", "(?<\u200d>a)", "(?P<n>a)", "(?P=n)", "(?'n'a)", "(?#c)a", "(?>a)", "(?|a)", "(?i)a", "(?i:a)", "(?-i:a)", "(?s).",
    "(?x) a", "(?:a)", "(?:)", "()", "(|a)", "(a|)", "|", "a|", "|a", "||", "(", ")", "(a", "a)", "(?",
    "(?=", "(?<=a", "(?=a)*", "(?!a)+", "(?<=a)?", "(?<!a){2}", "\\b+", "^*", "$?", "(?:^)*a", "((a)|b)\\2",
    "(a)(b)\\2\\1", "((((a))))\\4", "(?<x>a)(?<y>b)\\k<y>\\k<x>", "(?<\\u0061>b)\\k<a>", "(?<n>a)|(?<n>b)",
    "^(?=(a+))\\1b$", "(?!(a))\\1b", "^(a|b|\\1)$", "(a\\1)", "^(?:a|(b))\\1$", "(?=(a))b?\\1", "(é)\\1",
    "^(\\w)\\1$", "^(.)\\1$", "^(\\s)\\1$", "^([^\\w])\\1$", "(?<n>😀)\\k<n>", "(a)\\1{2}", "(a)(?:\\1)?b",
    # Back-references that cannot be matched exactly are refused.
    "^(?:(a)|b)*\\1$", "^(a(b)?)+\\2$", "(?<=(a))\\1", "(?<=\\1(a))b", "(?:(a?))*\\1", "(?:(a)|(b))+\\2",
    # Look-around.
    "a(?=b)", "a(?!b)", "(?<=a)b", "(?<!a)b", "(?<=a+)b", "(?<=^|b)a", "(?<=a|bc)d?$", "(?=a)(?=.b)",
    "(?=.*\\d)(?=.*[a-z]).{3,}", "^(?!.*\\.\\.)[\\w.]+$", "^(?!x)\\s$", "(?<!\\w)x", "(?<=\\b)x", "(?!)",
    "(?=)", "(?<=)", "(?<!)", "^(?!a$)", "(?<=\\s)\\S", "(?<=[^\\w])a", "(?=\\b)a", "(?<=😀)a?", "(?<=.)a",
    "(?<=^.)a", "(?!\\w)é", "(?<=\\d{2})a?$", "^(?:(?!b).)*$", "(?<=a.*)b", "(?=(?!b)a)", "(?<!(?<=a)b)c?$",
    "(?! )\\ta?", "(?!#) ?#", "(?!x)a-b", "(?!x)a.c", "(?<=a)^", "$(?<=a)", "(?!\\b)a", "(?<!^)a",
    # Quantifiers.
    "a*", "a+", "a?", "a*?", "a+?", "a??", "a{0}", "a{1}", "a{2}", "^a{2}$", "a{2,}", "^a{1,2}$", "a{,3}",
    "a{2,1}", "a{", "a}", "{", "}", "{1}", "a{1", "a{a}", "a{ 1}", "a{1 ,2}", "a{1,2}?", "a{1}{2}", "a**",
    "a*+", "a++", "a?+", "a{2}+", "a{2}?", "*a", "+", "?", "a|*", "(*a)", "(?:a|b)*?c", "(a*)*b", "(a+)+$",
    "(?:a?){3}$", "a{0,0}b", "a{01}", "a{1000}", "(?:a{2}){2}", "^(?:ab?){2,3}$", "a{4294967296}",
    "a{0,4294967296}", "a{0,2147483648}", "a{99999999999999999999}", "a{2,99999999999999999999}",
    "x{", "^x{0,3}$", "(?:){3}", "(?:(?:)){3}", "(?:)*a", "(?:(?=a)){2}", "(?:(?!a))*b", "(?:(?:){2}){2}", "\\1{2}(a)",
    "(?:(?=a)(?!b))+", "(?:\\b){2}", "(?:^){2}a", "(?:(?:)|a){2}", "(){2}", "((?=a))*b", "(?:a*){2}", "(?:a|){2}b", "(?!x)a{2,3}?b?", "]", "a]", "[", "[a",
    # Case, ends of lines and of strings, and the dot.
    "A", "a", "ß", "ſ", "K", "\\u212a", "[A-z]", "İ", "i", "^", "$", "^$", "$^", "a$", "a\\n$", "^b",
    "\\na", "a.c", "^.$", ".", "^[^]$", "\\r$", "^\\n", "\\u2028", "^.*$", "a$\\n", "^\\s+$", "\\s$", "^\\S",
    "(?!x).", "(?!x)a.c?", "(?<=.)$", "(?!x)^.$", "\\u0085", "^[^\\S\\n]$", "^\\b$", "^\\B$", "é\\b", "\\bé",
    "(?<!é)\\b", "\\b\\b", "\\bfoo\\b", "\\Bfoo", "foo\\B", "\\b😀", "_\\b", "\\b_", "\\d\\b\\D", "\\B\\B",
    # Patterns of real tools.
    "^bk_[0-9a-f]{12}$", "^[A-Z]{2,5}-\\d+$", "^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$", "^\\+?[1-9]\\d{1,14}$",
    "^(?:[01]\\d|2[0-3]):[0-5]\\d$", "^(?<y>\\d{2})-\\k<y>$", "^#[0-9a-fA-F]{6}$", "^/(?:[^/~]|~[01])*$",
    "^\\S+(?<!\\.)$", "^(?!-)[a-z0-9-]{1,63}(?<!-)$", "^[\\w.-]+$", "^(?=.{3,5}$)a+$", '^"[^"]*"$', "'",
]  # fmt: skip
PROBES = list(
    dict.fromkeys(
        [frame.format(atom) for atom in ATOMS for frame in FRAMES]
        + [frame.format(atom) for atom in ATOMS[:6] for frame in IN_CLASSES]
        + OTHERS
    )
)
TEXTS = [
    "", "a", "b", "c", "aa", "ab", "ba", "aaa", "aab", "aba", "abb", "abab", "abc", "aé", "éa", "é",
    "éé", "aéa", "ééa", "x", "xx", "éx", "a b", "a a", "foo", "xfoo", "foo bar", "éfooé", "A", "K",
    "\u212a", "ß", "ſ", "İ", "i", "\n", "\r", "\r\n", "\u2028", "\u2029", "\x85", "\ufeff", " ", "\t",
    "\v", "\f", "\xa0", "\u180e", "\u3000", "a\n", "a\nb", "a\rc", "a\x85c", "a\u2028c", "\na", "\x00",
    "\x08", "\x1c", "1", "12", "٣", "1a", "1212", "12-12", "12-13", "_", "a_", "-", "[", "]", "&", "a&b",
    "~", "~~", "+", ",", "^", "$", ".", "a.b", "a..b", "|", "(", ")", "{", "}", "*", "/", "/a~1b", "\\",
    '"', '"x"', "'", "#", " #", "#00ff00", "😀", "😀😀", "a😀", "😀a", "😁", "α", "Ω", "ω", "文", "ǅ", "क्", "³",
    "Ⅷ", "x\u200dx", "\U0001f1e6", "\ue000", "\u0378", "user@x.yz", "bk_0123456789ab", "AB-12", "23:59",
    "ba" * 4, "aaab", "a" * 16,
]  # fmt: skip

SCRIPT = """
const [patterns, texts] = JSON.parse(require("fs").readFileSync(0, "utf8"));
const answers = patterns.map((pattern) => {
  try {
    const expression = new RegExp(pattern, "u");
    return texts.map((text) => expression.test(text));
  } catch { return null; }
});
process.stdout.write(JSON.stringify(answers));
"""


def answers(patterns: list[str], texts: list[str]) -> list[list[bool] | None]:
    """Node's answer for every pattern: None if illegal, else whether each string matches."""
    node = shutil.which("node")
    if node is None:
        reason = "Node is not there, and it is the third engine"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    given = json.dumps([patterns, texts])
    done = subprocess.run(
        [node, "-e", SCRIPT], input=given, capture_output=True, text=True, check=True, timeout=60
    )
    said: list[list[bool] | None] = json.loads(done.stdout)
    return said


def compiled(pattern: str) -> ToolDefinition | None:
    try:
        return define({"properties": {"v": {"pattern": pattern}}})
    except ToolSchemaError:
        return None


def mismatches(patterns: list[str], texts: list[str], counts: dict[str, int]) -> list[str]:
    """The patterns for which our answer differs from Node's."""
    wrong: list[str] = []
    for pattern, expected in zip(patterns, answers(patterns, texts), strict=True):
        reason = portability(pattern)
        if (reason is None) is (expected is None):
            wrong.append(
                f"{pattern!r}: Node {'refuses' if expected is None else 'takes'} it; {reason}"
            )
            continue
        tool = compiled(pattern)
        if expected is None:
            counts["no ECMA-262"] += 1
        elif tool is None:
            counts["refused"] += 1
            if refusal(pattern) is None and pattern not in BEYOND:
                wrong.append(f"{pattern!r}: refused without a reason")
        elif refusal(pattern) is not None:
            wrong.append(f"{pattern!r}: should be refused, but is taken")
        else:
            counts["matched"] += 1
            given = [check_tool_arguments(tool, json.dumps({"v": text})) == () for text in texts]
            differ = [
                text
                for text, one, two in zip(texts, given, expected, strict=True)
                if one is not two
            ]
            if differ:
                wrong.append(f"{pattern!r} as {translate(pattern).engine!r}: {differ[:6]!r}")
    return wrong


BEYOND = {
    "a{4294967296}", "a{99999999999999999999}", "\\p{Changes_When_NFKC_Casefolded}", "\\p{Surrogate}",
    "\\p{Script=Unknown}",
}  # fmt: skip
"""Legal patterns that the engine refuses: too large, or a Unicode property it has no table for."""


def test_every_match_agrees_with_node(record_property: Any) -> None:
    assert len(PROBES) >= 300
    assert len(TEXTS) >= 60
    counts = dict.fromkeys(["matched", "refused", "no ECMA-262"], 0)
    wrong = mismatches(PROBES, TEXTS, counts)
    record_property("counts", counts)
    assert wrong == []
    assert counts["matched"] > 300


PIECES = [
    "a", "b", "é", "😀", ".", "\\w", "\\W", "\\d", "\\s", "\\S", "\\b", "\\B", "^", "$", "[ab]", "[^a]", "[^\\wé]",
    "[\\s-]", "\\p{L}", "\\1", "\\2", "\\k<n>", "\\n", "|", "-", "&", "~", "]", "{",
]  # fmt: skip
OPENINGS = ["(", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<n>"]
QUANTIFIERS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{0,1}", "{1,}", "{0}"]
# No character beyond U+FFFF between two word characters: there Node matches \\B
# within the surrogate pair, a position that ECMA-262 §22.2.7.2 never tries.
SHORT_TEXTS = [
    "", "a", "b", "ab", "ba", "aa", "aab", "abab", "é", "aé", "éa", "éé", "😀", "a b", " ", "\n", "a\nb",
    "1", "-", "&", "~", "_", "a1",
]  # fmt: skip


def random_pattern(random: Random, depth: int = 2) -> str:
    made = ""
    for _ in range(random.randint(1, 4)):
        if depth and random.random() < 0.3:
            made += f"{random.choice(OPENINGS)}{random_pattern(random, depth - 1)})"
        else:
            made += random.choice(PIECES)
        if random.random() < 0.25:
            made += random.choice(QUANTIFIERS)
    return made


def test_random_patterns_agree_with_node(record_property: Any) -> None:
    random = Random(6)  # noqa: S311
    how_many = 8_000 if os.environ.get("CI") else 2_000
    patterns = list(dict.fromkeys(random_pattern(random) for _ in range(how_many)))
    counts = dict.fromkeys(["matched", "refused", "no ECMA-262"], 0)
    wrong = mismatches(patterns, SHORT_TEXTS, counts)
    record_property("counts", counts)
    assert wrong == []
    assert counts["matched"] > how_many / 5
