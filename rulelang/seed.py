"""Seeds: what the dice of a game come from.

    7    -1    "monday"       whole numbers and texts; `7` and `"7"` give the same dice

Everything that is a seed can be written into a log and read back.
"""

from __future__ import annotations

from typing import TypeAlias

from rulelang.errors import InvalidInput

Seed: TypeAlias = int | str

LONGEST = 640
"""Digits or characters of a seed."""
_LARGEST = 10**LONGEST


def is_encodable(text: str) -> bool:
    """Returns whether a text can be written in UTF-8: halves of a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_seed(value: object) -> bool:
    """Returns whether dice can come from a value.

    >>> is_seed(7), is_seed("monday"), is_seed(True), is_seed(1.5), is_seed("x" * 2000)
    (True, True, False, False, False)
    >>> is_seed(10**640 - 1), is_seed(-(10**640)), is_seed("9" * 640)
    (True, False, True)
    """
    if isinstance(value, str):
        return len(value) <= LONGEST and is_encodable(value)
    return isinstance(value, int) and not isinstance(value, bool) and -_LARGEST < value < _LARGEST


def checked(value: object) -> Seed:
    """Returns a value that is a seed, as a plain number or text; raises InvalidInput for any other."""
    if not is_seed(value):
        raise InvalidInput(
            f"a seed is a whole number or a text, of at most {LONGEST:,} characters, not {described(value)}"
        )
    return str(value) if isinstance(value, str) else int(value)  # type: ignore[call-overload]


def read(text: str) -> Seed:
    """Returns the seed that somebody writes: a number where it is one.

    >>> read("7"), read("monday")
    (7, 'monday')
    """
    is_number = text.isascii() and text.isdigit() and len(text) <= LONGEST
    return int(text) if is_number else str(checked(text))


def described(value: object) -> str:
    """Returns a short printable description of a value."""
    if isinstance(value, str):
        return f"a text of {len(value):,} characters" if len(value) > 40 else ascii(value)
    if isinstance(value, (bool, int, float)) and abs(value) < 10**12:
        return repr(value)
    if isinstance(value, int):
        return f"a number of {value.bit_length():,} bits"
    return f"a {type(value).__name__}"
