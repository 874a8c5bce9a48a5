"""A game and what was changed in its texts <-> a short text that fits behind the `#` of an address.

read(write(SharedGame("outspeed", ("sprint",), …)))        the same again

A file that ships is told by one splice, so that an edit of a large game is still a link that can be sent.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from typing import Any

import attrs

from rulelang.errors import InvalidInput
from rulelang.language_service.addresses import is_plain

LONGEST = 1_000_000
"""The most bytes that a link unfolds to."""


@attrs.frozen
class Splice:
    """A change of a text: the stretch that goes, what comes in its place, and the sum of the text that it is made for."""

    start: int
    end: int
    text: str
    sum: int

    @classmethod
    def between(cls, before: str, after: str) -> Splice:
        """Returns the shortest splice that makes one text of another.

        >>> Splice.between("take 1..3", "take 1..5").text
        '5'
        """
        most = min(len(before), len(after))
        start = next((at for at in range(most) if before[at] != after[at]), most)
        most -= start
        tail = next((at for at in range(most) if before[-1 - at] != after[-1 - at]), most)
        return cls(start, len(before) - tail, after[start : len(after) - tail], zlib.crc32(before.encode()))

    def applied(self, before: str) -> str:
        """Returns the text after the change; raises InvalidInput for another text than it is made for.

        >>> Splice.between("take 1..3", "take 1..5").applied("take 1..3")
        'take 1..5'
        """
        if zlib.crc32(before.encode()) != self.sum:
            raise InvalidInput("this link holds an edit of other rules than those here")
        return before[: self.start] + self.text + before[self.end :]


@attrs.frozen
class SharedGame:
    """A game by its name, with variants; whole texts if it ships nowhere, and the edits of texts otherwise."""

    game: str
    variants: tuple[str, ...] = ()
    texts: Mapping[str, str] = attrs.field(factory=dict)
    edits: Mapping[str, Splice] = attrs.field(factory=dict)


def write(shared: SharedGame) -> str:
    """Returns the text of a link: the bare name where nothing is changed.

    >>> write(SharedGame("outspeed", ("sprint",)))
    'outspeed+sprint'
    """
    name = "+".join((shared.game, *shared.variants))
    if not shared.texts and not shared.edits:
        return name
    edits = {file: attrs.astuple(edit) for file, edit in shared.edits.items()}
    said = json.dumps([dict(shared.texts), edits], ensure_ascii=False, separators=(",", ":"))
    return f"{name}={base64.urlsafe_b64encode(zlib.compress(said.encode(), 9)).decode().rstrip('=')}"


def read(link: str) -> SharedGame:
    """Returns the game of a link; raises InvalidInput for one that is none.

    >>> one = SharedGame("nim", texts={"nim.rules": "game nim: ..."})
    >>> read(write(one)) == one
    True
    """
    name, _, packed = link.partition("=")
    game, *variants = name.split("+")
    if not all(part.isidentifier() for part in (game, *variants)):
        raise InvalidInput("this link names no game")
    if not packed:
        return SharedGame(game, tuple(variants))
    try:
        return _unpacked(game, tuple(variants), packed)
    except (binascii.Error, zlib.error, ValueError, TypeError, RecursionError):
        raise InvalidInput("this link is cut short, or is none") from None


def _unpacked(game: str, variants: tuple[str, ...], packed: str) -> SharedGame:
    data = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    unfolding = zlib.decompressobj()
    said: Any = json.loads(unfolding.decompress(data, LONGEST))
    texts, edits = said
    if not all(is_plain(file) and isinstance(text, str) for file, text in texts.items()):
        raise ValueError
    return SharedGame(game, variants, texts, {file: _splice(*edit) for file, edit in edits.items() if is_plain(file)})


def _splice(start: object, end: object, text: object, sum: object) -> Splice:
    if not (isinstance(start, int) and isinstance(end, int) and isinstance(text, str) and isinstance(sum, int)):
        raise TypeError
    return Splice(start, end, text, sum)
