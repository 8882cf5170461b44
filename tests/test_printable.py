from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolschema._json.printable import LONGEST_NAME, one_line, quoted, undeclared

ANY_TEXT = st.text(st.characters())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("größe", "größe"),
        ("a\nb", "a\\u000ab"),
        ("\x1b[2J", "\\u001b[2J"),
        ("\u202etxt", "\\u202etxt"),
        ("a\u2028b", "a\\u2028b"),
        ("\x7f\x85", "\\u007f\\u0085"),
        ("\U000e0041", "\\u{e0041}"),
        ("a\u00adb\u034f\u061c", "a\\u00adb\\u034f\\u061c"),
        ("\u115f\u1160\u3164\uffa0", "\\u115f\\u1160\\u3164\\uffa0"),
        ("\u17b4\u17b5\u180b\u180f", "\\u17b4\\u17b5\\u180b\\u180f"),
        ("\ufe00\ufe0f\U000e0100\U000e01ef", "\\ufe00\\ufe0f\\u{e0100}\\u{e01ef}"),
        ("\u1161\u17b3\u1810\ufe10\U000e01f0", "\u1161\u17b3\u1810\ufe10\U000e01f0"),
    ],
)
def test_one_line_escapes_only_what_moves_or_hides(text: str, shown: str) -> None:
    assert one_line(text) == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("größe", "gr\\u00f6\\u00dfe"),
        ("a\\b", "a\\\\b"),
        ("😀", "\\u{1f600}"),
        ("k" * 64, "k" * 64),
        ("k" * 65, "k" * 61 + "..."),
        ("é" * 20, "\\u00e9" * 10 + "..."),
    ],
)
def test_undeclared_names_are_short_printable_ascii(name: str, shown: str) -> None:
    assert undeclared(name) == shown


@given(ANY_TEXT)
def test_undeclared_names_keep_to_their_alphabet_and_length(name: str) -> None:
    shown = undeclared(name)
    assert len(shown) <= LONGEST_NAME
    assert shown.isascii()
    assert not shown or shown.isprintable()


@given(ANY_TEXT)
def test_one_line_gives_one_line_and_is_idempotent(text: str) -> None:
    shown = one_line(text)
    assert len(shown.splitlines()) <= 1
    assert one_line(shown) == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("read", "'read'"),
        ("a', name='b", "'a\\', name=\\'b'"),
        ("a\n" + "k" * 100, "'a\\u000a" + "k" * 54 + "...'"),
        (None, "None"),
        (7, "7"),
        (2**64, "<int>"),
        (True, "<bool>"),
        ({"secret": 1}, "<dict>"),
    ],
)
def test_a_repr_shows_a_shortened_name_or_the_type(name: object, shown: str) -> None:
    assert quoted(name) == shown
