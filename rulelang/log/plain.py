"""A line that is written as this program writes it -> what its reader needs, by a pattern instead of decoding JSON.

    {"n":5,"input":"roll","die":"d6","face":4,"h":"52183da19737e6f6"}      roll, number 5
    {"n": 5, "input": "roll", "die": "d6", "h": "52183da19737e6f6"}        None: it has spaces

The pattern asks for the same fields as `log.fields`. It admits no escapes, repeated fields or spaces, so the line is
the very text that its running hash is made of. A line that does not fit means no less: it is decoded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import attrs

from rulelang.log.fields import EVENT, INPUT_FORMS, INPUTS, MAY, WRITTEN, Check, LineForm


@attrs.define
class PlainLine:
    """A line of a log that was not decoded: a value, not frozen because one is made for each line."""

    what: LineForm
    number: int
    """The number of an input; 0 of an event."""
    to: int
    """The number of the input that an undo takes back, else 0."""
    digits: str | None
    """The running hash that it shows; None of an event."""
    body: bytes
    """The line without its end and its running hash."""


def plain_line(raw: bytes) -> PlainLine | None:
    """Returns a line after the header; None if it has to be decoded.

    >>> plain_line(b'{"n":6,"input":"undo","to":4,"h":"5c2f6eca5d998f16"}\\n')
    PlainLine(what='undo', number=6, to=4, digits='5c2f6eca5d998f16', body=b'{"n":6,"input":"undo","to":4}')
    """
    if not _is_utf8(raw):
        return None
    if _EVENT.fullmatch(raw) is not None:
        return PlainLine("event", 0, 0, None, raw[:-1])
    begun = _BEGINNING.match(raw)
    if begun is None or (what := INPUT_FORMS.get(begun["input"].decode())) is None:
        return None
    found = _INPUTS[what].fullmatch(raw, begun.end())
    if found is None:
        return None
    to = int(found["to"]) if what == "undo" else 0
    return PlainLine(what, int(begun["n"]), to, found["h"].decode(), raw[: found.start("seal")] + b"}")


def _is_utf8(raw: bytes) -> bool:
    try:
        return raw.isascii() or bool(raw.decode())
    except UnicodeDecodeError:
        return False


def _fields(required: Mapping[str, Check]) -> bytes:
    """Returns the pattern of required fields in their order, and of those that may follow."""
    must = (rb',"%b":(?P<%b>%b)' % (name.encode(), name.encode(), WRITTEN[fits]) for name, fits in required.items())
    may = (rb'(?:,"%b":%b)?+' % (name.encode(), WRITTEN[fits]) for name, fits in MAY.items() if fits in WRITTEN)
    return b"".join((*must, *may))


_BEGINNING: Final = re.compile(rb'\{"n":(?P<n>[1-9][0-9]{0,17}),"input":"(?P<input>[a-z]+)"')
_INPUTS: Final = {
    what: re.compile(_fields(fields) + rb'(?P<seal>,"h":"(?P<h>[0-9a-f]*)")\}\n') for what, fields in INPUTS.items()
}
_EVENT: Final = re.compile(rb"\{" + _fields(EVENT)[1:] + rb"\}\n")
