"""`bots.py:name` on the command line -> a bot from somebody's own Python file.

    arena connect_four.rules --bot mine.py:careful        mine.py: def careful(seen): return seen.options.first(1)[0]

The name stands for a function from a `SeatView` to one of its options, or the option's written form; for a class of such
functions, made without arguments; or for a `Bot`. Only what is typed is imported: never a name in a log or a request.
"""

from __future__ import annotations

import importlib.util
import sys
import traceback
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any

import click

from rulelang.diagnostics.suggest import hint
from rulelang.errors import RulelangError
from rulelang.lab.bots import Bot
from rulelang.lab.seat_view import SeatView
from rulelang.match.options.option import Option

FILE = ".py:"
"""The end of a path, before the name of a bot in the file."""


class BotFault(RulelangError):
    """A bot from somebody's file raised an error, or chose something that is not on offer."""


def is_own_bot(text: str) -> bool:
    """Returns whether a text names a bot in a Python file."""
    return FILE in text


def own_bot(text: str) -> Bot:
    """Returns the bot that is called `FILE.py:NAME`. Raises UsageError."""
    found = _meant(text)
    if isinstance(found, Bot):
        return Bot(text, found.about, partial(_choose, text), redeals=found.redeals, looks_ahead=found.looks_ahead)
    return Bot(text, "plays as its file says", partial(_choose, text))


def own_bots(words: Iterable[str]) -> dict[str, Bot]:
    """Returns the bots in Python files among words such as `red=mine.py:careful`, by name. Raises UsageError."""
    named = (who.strip() for _, _, who in (word.partition("=") for word in words))
    return {who: own_bot(who) for who in named if is_own_bot(who)}


@cache
def _meant(text: str) -> Any:
    """Returns the object with a name in a file, which is imported once in each process."""
    file, _, name = text.rpartition(":")
    module = _module(file)
    if not hasattr(module, name):
        known = [known for known, value in vars(module).items() if callable(value) and not known.startswith("_")]
        raise click.UsageError(f"{file} has no {name!r}{hint(name, known)}")
    found = getattr(module, name)
    if isinstance(found, type):
        try:
            found = found()
        except Exception as error:
            raise click.UsageError(f"{text} cannot be made: {_told(error)}") from None
    if not callable(found) and not isinstance(found, Bot):
        raise click.UsageError(f"{text} is not a bot: a bot is a function from a SeatView to one of its options")
    return found


@cache
def _module(file: str) -> Any:
    path = Path(file).resolve()
    if not path.is_file():
        raise click.UsageError(f"there is no file {file}")
    spec = importlib.util.spec_from_file_location(f"own_bots_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Its neighbours can be imported, as where Python runs it.
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise click.UsageError(f"{file} cannot be imported: {_told(error)}") from None
    finally:
        sys.path.remove(str(path.parent))
    return module


def _choose(text: str, seen: SeatView) -> Option:
    """Returns the option that a bot chooses. Raises BotFault where it fails or chooses what is not on offer."""
    found = _meant(text)
    choose: Callable[[SeatView], object] = found.choose if isinstance(found, Bot) else found
    try:
        chosen = choose(seen)
    except Exception as error:
        raise BotFault(f"the bot {text} failed: {_told(error)}") from None
    if isinstance(chosen, str):
        chosen = next((option for option in seen.options if option.text == chosen), chosen)
    if isinstance(chosen, Option) and chosen in seen.options:
        return chosen
    offered = ", ".join(option.text for option in seen.options.first(4))
    raise BotFault(f"the bot {text} chose {chosen!r}, which is not on offer: {offered}, …")


def _told(error: Exception) -> str:
    """Returns an error with the line that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"
