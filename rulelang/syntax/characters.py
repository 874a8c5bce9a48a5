"""Characters that are not what they seem: letters that look like others, and invisible characters.

    hеap     `е` (U+0435) looks like `e`: a name of its own that reads like another
    "Take"    a ZERO WIDTH SPACE between two letters: a text that looks like another and is not

The lexer refuses them, by name, where they are not allowed, and warns of them in texts, drawings and clause ids.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

INVISIBLE = re.compile(
    "[\u00a0\u00ad\u034f\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200d\u202f\u205f-\u2064\u206a-\u206f\u2800"
    "\u3000\u3164\ufe00-\ufe0f\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters that show nothing, and blanks other than the plain one. Those that may control a screen are refused as
control characters instead.
"""
_JOINS = re.compile("[\u034f\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe0f\U000e0020-\U000e007f\U000e0100-\U000e01ef]")
"""Invisible characters that select the shape of the character before them, in scripts and emoji with several shapes."""
_BLANKS = re.compile("[\u00a0\u202f\u3000]")
"""Blanks that some languages use: before a colon in French, between words in Chinese."""

_SEEM = {
    "a": "аɑαａ", "b": "ЬƄᏏ", "c": "сϲⅽᴄ", "d": "ԁⅾᏧ", "e": "еҽ", "f": "ſϝ", "g": "ɡցɢ", "h": "һհᏂ", "i": "іıιɩⅰ", "j": "јϳ",
    "k": "кκᴋ", "l": "ⅼӏǀו", "m": "мⅿ", "n": "ոпη", "o": "оοօסഠ൦๐໐ဝഠ", "p": "рρϱ", "q": "ԛզգ", "r": "гᴦ", "s": "ѕꜱƽ", "t": "тτ",
    "u": "υսʋᴜ", "v": "νѵⅴᴠט", "w": "ԝшωաᴡ", "x": "хχⅹ", "y": "уүγʏ", "z": "ᴢʐ",
    "A": "АΑᎪ", "B": "ВΒᏴ", "C": "СϹⅭᏟ", "D": "ᎠⅮ", "E": "ЕΕᎬ", "F": "Ϝᖴꓝ", "G": "ԌᏀ", "H": "НΗᎻ", "I": "ІΙӀⅠ", "J": "ЈͿᎫ",
    "K": "КΚᏦ", "L": "ᏞⅬ", "M": "МΜⅯᎷ", "N": "Νꓠ", "O": "ОΟՕ", "P": "РΡᏢ", "Q": "Ⴓԛ", "R": "ᎡᏒ", "S": "ЅՏᏚ", "T": "ТΤᎢ",
    "U": "ՍႮ", "V": "ѴⅤᏙ", "W": "ԜᎳ", "X": "ХΧⅩ", "Y": "ҮΥУ", "Z": "ΖᏃ", "_": "＿ˍ",
    "-": "‐‑‒–—―−﹣－", ":": "：∶ː׃", ";": "；", ",": "‚，،", ".": "．․", "|": "ǀ∣｜", "(": "（", ")": "）", "{": "｛", "}": "｝",
    "+": "＋", "*": "＊×∗", "/": "／⁄∕", "%": "％٪", "=": "＝", "<": "＜‹", ">": "＞›", '"': "“”„″＂", "#": "＃",
    "<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "...": "…", "..": "‥",
}  # fmt: skip
LOOKS_LIKE = {other: plain for plain, others in _SEEM.items() for other in others}
_WORD = re.compile(r"\w+")


def looks_like(character: str) -> str | None:
    """Returns the valid character that another is mistaken for; None if there is none.

    >>> looks_like("а"), looks_like("ｈ"), looks_like("ö")
    ('a', 'h', None)
    """
    if character.isascii():
        return None
    plain = LOOKS_LIKE.get(character) or unicodedata.normalize("NFKC", character)
    if plain.isdecimal() and not plain.isascii():
        plain = str(unicodedata.decimal(plain[0]))
    return plain if plain.isascii() and plain.isprintable() and plain.strip() else None


def called(character: str) -> str:
    """Returns a character's code point and Unicode name.

    >>> called("а")
    'U+0430 (cyrillic small letter a)'
    """
    name = unicodedata.name(character, "").lower()
    return f"U+{ord(character):04X}" + (f" ({name})" if name else "")


def unseen(text: str, *, prose: bool) -> Iterator[int]:
    """Yields the offsets of invisible characters in a text.

    Characters that shape the emoji or letter before them do not
    count, nor, in `prose`, unusual blanks between two words.
    """
    for found in INVISIBLE.finditer(text):
        at = found.start()
        if _JOINS.match(text, at) and _is_shaped(text[at - 1 : at]):
            continue
        is_blank = prose and _BLANKS.match(text, at) is not None
        if not (is_blank and _is_seen(text[at - 1 : at]) and _is_seen(text[at + 1 : at + 2])):
            yield at


def disguised(text: str, *, alone: bool) -> Iterator[int]:
    """Yields the offsets of letters that look like ASCII letters, in words that also have ASCII letters or, if
    `alone`, in any word.
    """
    for word in _WORD.finditer(text):
        letters = word.group()
        if not letters.isascii() and (alone or re.search("[A-Za-z]", letters)):
            yield from (word.start() + n for n, c in enumerate(letters) if c.isalpha() and looks_like(c) is not None)


def _is_shaped(before: str) -> bool:
    """Returns whether a character can have several shapes: Latin, Greek and Cyrillic letters and blanks have only one."""
    if before.isascii():
        return before in tuple("0123456789#*")
    return not before.isspace() and unicodedata.name(before, "").partition(" ")[0] not in ("LATIN", "GREEK", "CYRILLIC")


def _is_seen(beside: str) -> bool:
    return beside not in ("", '"') and not beside.isspace() and not INVISIBLE.match(beside)
