"""The name of a game on the command line -> the game: completed by the shell, loaded or refused.

outspeed    outspeed+sprint    games/outspeed    my/nim.rules    my/nim.rules+misere
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from .exits import Refused, Unreadable

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.diagnostics.model import Diagnostic


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Returns the games that ship, with their variants after a `+`, then the files that the shell finds."""
    from rulelang import api
    from rulelang.texts.loading import load
    from rulelang.texts.reader import Disk, find_entry

    base, plus, begun = incomplete.rpartition("+")
    if plus and base.split("+")[0] in api.games():
        variants = load(Disk(), find_entry(base.split("+")[0])).variants
        names = [f"{base}+{v.name.text}" for v in variants if v.name.text not in base.split("+")]
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]
    items = [CompletionItem(name) for name in api.games() if name.startswith(incomplete)]
    return [*items, CompletionItem(incomplete, type="file")] if not begun or "/" in begun else items


class FilePath(click.Path):
    """A path that the system accepts."""

    def __init__(self, *, dir_okay: bool = True, file_okay: bool = True) -> None:
        super().__init__(dir_okay=dir_okay, file_okay=file_okay, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Returns the path; refuses one with a NUL in it, which no system accepts."""
        if "\0" in os.fspath(value):
            self.fail("there is a NUL in this path", param, ctx)
        return super().convert(value, param, ctx)


class OneOf(click.Choice[str]):
    """One of some words; a word that is close to one of them gets a hint, and one of `former` stands for a new one."""

    def __init__(self, choices: Sequence[str], former: Mapping[str, str] | None = None) -> None:
        super().__init__(choices)
        self.former = former or {}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Returns the word of today."""
        return super().convert(self.former.get(value, value), param, ctx)

    def get_invalid_choice_message(self, value: object, ctx: click.Context | None) -> str:
        from rulelang.diagnostics.suggest import suggest

        message, near = super().get_invalid_choice_message(value, ctx), suggest(str(value), self.choices)
        return message if near is None else f"{message[:-1]}; did you mean {near}?"


GAME = click.argument("game", shell_complete=complete_game)


def split(name: str) -> tuple[str, tuple[str, ...]]:
    """Returns the base and the variants of `nim+misere`; a path that exists is a base alone."""
    if os.path.exists(name):
        return name, ()
    base, *variants = name.split("+")
    return base, tuple(variants)


def load(name: str, *, quiet: bool = False) -> Game:
    """Loads a game with its variants, and prints its warnings to stderr unless `quiet`.

    Faulty rules are shown there too, and end the command with 1, missing ones with 3.
    """
    from rulelang import api
    from rulelang.errors import RulesError

    from .progress_message import waiting

    try:
        with waiting(f"Compiling {name}"):
            game = api.load(name)
    except api.NoSuchGame as error:
        raise Unreadable(str(error)) from None
    except RulesError as error:
        told = _gathered(name, error.diagnostics)
        show(told, err=True)
        raise Refused(f"{name} cannot be run: {counted(told)}") from None
    # The rules live as long as the command; a collection of garbage that scans them would delay a screen by 20 ms.
    gc.freeze()
    if not quiet:
        warn(game.diagnostics)
        note_unnamed(game, name)
    return game


def unnamed(game: Game, name: str) -> list[str]:
    """Returns the variants of a file or folder that holds nothing else, if none of them is named."""
    from rulelang import api

    if game.variants or name in api.games():
        # Of a game that ships, no text need be read.
        return []
    return [variant.name.text for variant in game.internals.loaded.variants_apart]


def note_unnamed(game: Game, name: str) -> None:
    """Says on stderr that a game is played without the variants of a file, if the file is named and they are not."""
    from rulelang.diagnostics.render import escaped

    if ".rules" in name and (own := unnamed(game, name)):
        without, one = ", ".join(own), f"{name}+{own[0]}"
        click.echo(escaped(f"note: no variant is named, so {name} is the game without {without}; try {one}"), err=True)


def _gathered(name: str, found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Returns a game's diagnostics; errors in files that are not the author's are gathered at their cause."""
    from rulelang import api
    from rulelang.workbench.changes.grouped_diagnostics import gathered

    loaded, variants = api.read(name)
    return gathered(found, loaded, variants) if variants else found


def warn(diagnostics: Iterable[Diagnostic]) -> None:
    """Prints diagnostics to stderr, one a line, each once however many variants share it."""
    from rulelang.diagnostics.render import render_concise

    for line in dict.fromkeys(render_concise(diagnostic) for diagnostic in diagnostics):
        click.echo(line, err=True)


def show(diagnostics: tuple[Diagnostic, ...], *, concise: bool = False, err: bool = False) -> None:
    """Prints diagnostics for people, or one on each line if `concise`; to stderr if `err`."""
    from rulelang.diagnostics.render import render_all, render_concise

    from .console import is_coloured, style_for

    if concise:
        for diagnostic in diagnostics:
            click.echo(render_concise(diagnostic), err=err)
    elif diagnostics:
        stream = sys.stderr if err else sys.stdout
        click.echo(render_all(diagnostics, style=style_for(stream)), err=err, color=is_coloured(stream))


def counted(diagnostics: tuple[Diagnostic, ...]) -> str:
    """Returns `2 errors, 1 warning`, or `no faults`."""
    errors = sum(d.is_error for d in diagnostics)
    warnings = len(diagnostics) - errors
    parts = [f"{n} {word}{'s' if n > 1 else ''}" for n, word in ((errors, "error"), (warnings, "warning")) if n]
    return ", ".join(parts) or "no faults"
