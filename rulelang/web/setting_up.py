"""The form of a lobby -> the wishes for a table: game with variants, who sits where, options, seed.

wishes = Wishes.of(form, shelf)
wishes.seats, wishes.here      ("1=me", "2=greedy"), (0,)

Invariant: a name that the shelf does not show is never loaded: it could be the path of a file.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence

import attrs

from rulelang.errors import InvalidInput
from rulelang.pages.documents import ShelfGame
from rulelang.seed import Seed
from rulelang.seed import read as read_seed

MOST_SEATS = 64
OPTION, SEAT = "option-", "seat-"
"""The beginnings of the names of fields."""
HERE = ("me", "beside")
"""The words for those who sit at the page that sends the form."""


@attrs.frozen
class Wishes:
    """The wishes for a table; `name` is the game with its variants."""

    about: ShelfGame
    variants: tuple[str, ...]
    players: int | None
    seats: tuple[str, ...] = ()
    """Who sits where, as `--seat` says it."""
    here: tuple[int, ...] = ()
    """The seats of those who sit at the page that sent the form."""
    options: Mapping[str, str] = attrs.field(factory=dict)
    seed: Seed = 0
    allow_undo: bool = False
    """Whether choices are taken back even if somebody has seen hidden things since."""
    said: Mapping[str, str] = attrs.field(factory=dict)
    """The fields of the form."""

    @property
    def name(self) -> str:
        """The name of the game with its variants."""
        return "+".join((self.about.name, *self.variants))

    @classmethod
    def of(cls, form: Mapping[str, Sequence[str]], games: Sequence[ShelfGame]) -> Wishes:
        """Returns the wishes of a form. Raises InvalidInput."""
        first = {name: values[0] for name, values in form.items()}
        about = next((one for one in games if one.name == first.get("game")), None)
        variants = tuple(dict.fromkeys(form.get("variant", ())))
        if about is None or not {name for name, _ in about.variants}.issuperset(variants):
            raise InvalidInput("There is no such game here.")
        words = first.get("seed", "").strip()
        players = _number(first.get("players", ""))
        who = {seat: word for seat, word in _who(first).items() if players is None or seat <= players}
        return cls(
            about,
            variants,
            players,
            tuple(f"{seat}={'me' if word in (*HERE, 'link') else word}" for seat, word in who.items()),
            tuple(seat - 1 for seat, word in who.items() if word in HERE),
            {n.removeprefix(OPTION): v.strip() for n, v in first.items() if n.startswith(OPTION) and v.strip()},
            read_seed(words) if words else secrets.randbelow(1_000_000),
            first.get("undo") == "always",
            first,
        )


def _who(first: Mapping[str, str]) -> dict[int, str]:
    """Returns who has each seat, by its number from 1; the first one is a person where the form does not say."""
    if not any(name.startswith(SEAT) for name in first):
        people = _number(first.get("people", "")) or 1
        return dict.fromkeys(range(1, min(people, MOST_SEATS) + 1), "me" if people == 1 else "link")
    numbers = {_number(name.removeprefix(SEAT)): word for name, word in first.items() if name.startswith(SEAT)}
    return {number: word for number, word in sorted(numbers.items(), key=lambda pair: pair[0] or 0) if number}


def _number(text: str) -> int | None:
    """Returns a small number; None for an empty text or 0. Raises InvalidInput."""
    if not text.strip():
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 4):
        raise InvalidInput(f"{text[:20]!r} is not a number of players")
    return int(text) or None
