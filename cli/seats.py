"""`--seat red=me` and `--option NAME=VALUE` -> the occupants of seats and the options, with click's errors.

--seat red=me --seat all=random        rulelang.session.seats reads it
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import click

from rulelang.errors import InvalidInput

if TYPE_CHECKING:
    from rulelang.lab.bots import Bot
    from rulelang.seed import Seed
    from rulelang.session.seats import Seats


OWN_BOTS = click.option(
    "--bot",
    "own_bots",
    multiple=True,
    metavar="FILE.py:NAME",
    help="A bot of your own beside --bots: a function from a SeatView to an option.",
)


def seated(asked: tuple[str, ...], names: tuple[str, ...], has_score: bool, default: str | None = None) -> Seats:
    """Returns the occupants of the seats from the words of the command line; later words win. Raises UsageError.

    `default` names the bot that takes the seats that are not spoken of.
    """
    from rulelang.lab.own_bots import own_bots
    from rulelang.session import seats

    checked(asked, names)
    others = None if default is None else anyone_called(default)
    try:
        return seats.seated(asked, names, has_score, own_bots(asked), others)
    except InvalidInput as error:
        raise click.UsageError(str(error)) from None


def checked(asked: tuple[str, ...], names: tuple[str, ...]) -> None:
    """Raises UsageError for a malformed `--seat`."""
    for words in asked:
        if "=" not in words:
            raise click.UsageError(f"--seat wants SEAT=WHO, such as {names[0]}=me; found {words!r}")


def bot_called(text: str, *others: str) -> Bot:
    """Returns a bot by its name. Raises UsageError, which lists the bots and `others`."""
    from rulelang.session import seats

    try:
        return seats.bot_called(text, *others)
    except InvalidInput as error:
        raise click.UsageError(str(error)) from None


def anyone_called(text: str) -> Bot:
    """Returns a bot by its name, or by its place in a Python file. Raises UsageError."""
    from rulelang.lab.own_bots import is_own_bot, own_bot

    if not is_own_bot(text):
        return bot_called(text)
    try:
        return own_bot(text)
    except InvalidInput as error:
        raise click.UsageError(str(error)) from None


def invited_bots(bots: str, own: tuple[str, ...]) -> tuple[Bot, ...]:
    """Returns the bots of `--bots a,b`, and those of each `--bot`. Raises UsageError."""
    return tuple(anyone_called(name.strip()) for name in (*bots.split(","), *own))


def agreed_options(words: tuple[str, ...]) -> dict[str, str]:
    """Returns the options given as `--option NAME=VALUE`. Raises UsageError."""
    agreed = {}
    for some in words:
        name, equals, value = some.partition("=")
        if not equals:
            raise click.UsageError(f"--option wants NAME=VALUE, found {some!r}")
        agreed[name.strip()] = value.strip()
    return agreed


def seed_given(text: str | None) -> Seed:
    """Returns the given seed, or a random one. Raises UsageError for a text that is not a seed."""
    from rulelang.errors import InvalidInput
    from rulelang.seed import read

    try:
        return secrets.randbelow(1_000_000) if text is None else read(text)
    except InvalidInput as error:
        raise click.UsageError(str(error)) from None
