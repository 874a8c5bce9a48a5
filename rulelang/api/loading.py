"""Names of games -> games, from the compile cache if they have not changed.

load("outspeed+sprint")        a Game
"""

from __future__ import annotations

from pathlib import Path

import attrs

from rulelang.api.checking import check_texts
from rulelang.api.game import Game
from rulelang.api.internals import Internals
from rulelang.api.names import entry_of, named
from rulelang.driver.collector import held_back
from rulelang.driver.kept import KeptGame, made_of, read_game, write_game, write_shipped
from rulelang.errors import RulelangError, RulesError
from rulelang.texts.reader import Disk
from rulelang.texts.shipped import game_folders


def load(name: str | Path) -> Game:
    """Loads a game: `outspeed`, `outspeed+sprint`, a folder or a path; raises RulesError with all diagnostics.

    A game that has not changed comes from the compile cache: its IR as data, in the user's own cache folder.
    """
    with held_back():
        return _loaded(str(name))


def _loaded(name: str) -> Game:
    base, variants, more = named(name)
    entry = entry_of(base)
    made = made_of(entry, variants, more)
    kept = read_game(made) if made is not None else None
    if kept is not None:
        ir, digests = kept.ir, (kept.rules_hash, kept.text_hash)
        return Game(Internals(ir, entry, variants, more, digests=digests, kept=(ir, kept.digest)), kept.warnings)
    game = check_texts(Disk(), entry, variants, more)
    if game.game is None:
        raise RulesError(game.diagnostics)
    whole = game.game
    if made is not None and made == made_of(entry, variants, more):
        # A game that changed while it was read is not cached.
        digest = write_game(made, _kept(whole))
        kept_as = (whole.ir, digest) if digest else None
        return attrs.evolve(whole, internals=attrs.evolve(whole.internals, kept=kept_as))
    return whole


def _kept(game: Game) -> KeptGame:
    return KeptGame(game.ir, game.rules_hash, game.text_hash, game.diagnostics)


def write_checked() -> None:
    """Checks the games that ship and writes their IR beside their texts, so that the first start of one checks nothing."""
    for folder in game_folders():
        entry = entry_of(folder)
        made, game = made_of(entry, ()), check_texts(Disk(), entry, ()).game
        if made is None or game is None:
            raise RulelangError(f"{folder.name} cannot ship: it has faults, or too many files")
        write_shipped(made, _kept(game))


def games() -> tuple[str, ...]:
    """Returns the names of the games that ship."""
    return tuple(f.name for f in game_folders())
