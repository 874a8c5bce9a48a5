"""What people see in a terminal, as text: screens in three sizes, a bot's turn, `what`, `?` and a refusal.

`python -m tests.screens.pictures` writes the six of `docs/screens.md` anew.
"""

from __future__ import annotations

import io
import re
from functools import cache
from pathlib import Path
from random import Random

from rich.console import Console, RenderableType

import rulelang
from cli.play.person import Person
from cli.screen import draw
from rulelang.api import Match
from rulelang.lab.bots import bot as bot_named
from rulelang.lab.seat_view import SeatView
from rulelang.match.match import BareMatch
from rulelang.playouts.rng import RandomStream
from rulelang.screens.picture import picture
from rulelang.session.dialogue import Dialogue
from rulelang.session.table import GameTable

SIZES = {"80x24": (80, 24), "100x40": (100, 40), "140x50": (140, 50)}
TABLES = {"outspeed": (3, 4, 900), "empty_space": (2, 4, 150), "exobase": (1, 5, 160), "exit_velocity": (2, 3, 620)}
"""Players, games that are played at random, and choices of each: enough to come to nearly every choice."""
PAGE = Path(__file__).parent.parent.parent / "docs" / "screens.md"


@cache
def about(game: str) -> rulelang.Game:
    """Returns a game that ships, loaded once."""
    return rulelang.load(game)


@cache
def reached(game: str) -> dict[str, Match]:
    """Returns a position at each choice that games at random come to, the first of each."""
    players, games, most = TABLES[game]
    found: dict[str, Match] = {}
    for seed in range(games):
        rng, match = Random(seed), about(game).start(players, seed)
        for _ in range(most):
            if not match.to_move or match.choice is None:
                break
            if match.choice.name not in found:
                found[match.choice.name] = match.fork()
            match.push(rng.choice(match.options_of(match.to_move[0]).first(60)))
    return found


@cache
def amid(game: str) -> Match:
    """Returns a game that bots have played for a while."""
    players = {"outspeed": 4, "empty_space": 3, "exobase": 1, "exit_velocity": 3}[game]
    match, bot = about(game).start(players, 7), bot_named("first")
    for number in range({"outspeed": 22, "empty_space": 30, "exobase": 24, "exit_velocity": 24}[game]):
        seat = match.to_move[0]
        options = match.options_of(seat).first(60)
        chosen = (
            bot.choose(SeatView(match, seat, RandomStream("7", "bot", seat, number)))
            if number % 3
            else options[number % len(options)]
        )
        match.push(chosen)
    return match


class Seen:
    """A terminal of so many columns and rows, and a person before it who is asked."""

    def __init__(self, match: BareMatch, width: int = 80, height: int = 24) -> None:
        self.match, self.seat = match, match.to_move[0]
        self.file = io.StringIO()
        self.console = Console(width=width, height=height, file=self.file, color_system=None, force_terminal=True)
        seats = tuple(None if seat == self.seat else bot_named("first") for seat in range(match.players))
        header = about(match.game.id).start(match.players, 1).header
        self.table = GameTable(about(match.game.id), match.game.id, match, header, seats)
        self.person = Person(self.console, self.table)

    def text(self) -> str:
        """Returns what has been printed since it was last asked for, without blanks at the ends of lines."""
        text = self.file.getvalue()
        self.file.seek(0)
        self.file.truncate()
        return re.sub(r"[ \t]+\n", "\n", text)

    def asked(self) -> RenderableType:
        """Returns the question as it is put."""
        return self.person._question(self.seat, Dialogue.of(self.match, self.seat).question)

    def screen(self) -> str:
        """Returns the screen with the question below it."""
        asked = self.asked()
        room = self.person._room(asked)
        self.console.print(draw(picture(self.match, self.seat), self.person.styles, self.console, room))
        self.console.print(asked)
        return self.text()

    def told(self) -> str:
        """Returns what is told of all that has happened so far, in brief."""
        self.table.audience.told[self.seat] = max(self.match.event_count - 60, 0)
        self.person.tell(self.seat)
        return self.text()

    def what(self, word: str) -> str:
        """Returns what a word on the screen is explained to be."""
        self.person._tell_what(self.seat, word)
        return self.text()

    def why(self, wanted: str = "") -> str:
        """Returns why something is not allowed, or all that is not."""
        self.person._explain(Dialogue.of(self.match, self.seat), wanted)
        return self.text()

    def refusal(self, answer: str) -> str:
        """Returns what is said to an answer that is refused."""
        self.person._answer(answer, Dialogue.of(self.match, self.seat))
        return self.text()


ASKED = {
    "outspeed": ("programming#1", "nitro", "the upper route"),
    "empty_space": ("play_cards#1", "black hole", "play_black_hole(a7)"),
    "exobase": ("placement#1", "patch kit", "work(li, machine_shop, 3)"),
    "exit_velocity": ("announcing#1", "jetpack", "start"),
}
"""By game: a choice, a word on its screen, an answer that it refuses."""


def shown(game: str, what: str) -> str:
    """Returns one picture: a size, `turn`, `what`, `why` or `refusal`."""
    name, word, answer = ASKED[game]
    if what in SIZES:
        return Seen(amid(game), *SIZES[what]).screen()
    match = reached(game)[name]
    match what:
        case "turn":
            return Seen(amid(game)).told()
        case "what":
            return Seen(match).what(word)
        case "why":
            return Seen(match).why()
        case _:
            return Seen(match).refusal(answer)


BEST = (
    ("outspeed", "80x24", "A choice of Outspeed, in a terminal of 80 columns and 24 rows."),
    ("exobase", "100x40", "ExoBase in 100 columns and 40 rows: all that can be built, all tasks, all hazards to come."),
    ("exit_velocity", "140x50", "Exit Velocity in 140 columns and 50 rows."),
    ("outspeed", "turn", "A summary of everything since you were last asked; `more` tells all of it."),
    ("empty_space", "why", "`?` lists the options that are not allowed now, and why."),
    ("exit_velocity", "refusal", "An answer that is refused quotes the rule at once."),
)


def page() -> str:
    """Returns `docs/screens.md`."""
    parts = ["# What people see", ""]
    parts += [
        "Pictures of `rulelang play`, made by `python -m tests.screens.pictures`; the tests hold them against the program.",
        "",
    ]
    for game, what, words in BEST:
        parts += [words, "", "```text", shown(game, what).rstrip("\n"), "```", ""]
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
