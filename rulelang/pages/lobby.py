"""A game with variants -> the page on which a table of it is set up: variants, options, who sits where, the seed.

lobby(page)      <main id="lobby"><form …> … </form></main>
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import urlencode

import attrs

from rulelang.api import Game
from rulelang.ir import model as ir
from rulelang.ir.numbers import seats_of
from rulelang.ir.types import EnumType, FlagType, IntType, KindType, Type
from rulelang.knowledge.redaction import said_seat
from rulelang.lab.bots import BOTS
from rulelang.pages.documents import ShelfGame, document
from rulelang.pages.ink import Ink
from rulelang.pages.markup import Markup, element
from rulelang.program.values import clean, plain, written
from rulelang.prose.prose import Prose
from rulelang.prose.words import plain_text
from rulelang.session.seats import names_at

PEOPLE = (
    ("me", "Me"),
    ("beside", "Somebody here beside me"),
    ("link", "Somebody else, by a link"),
)
"""Those who may have a seat besides bots, each with its word in a form."""
STRENGTHS = {"planner": (("quick", 100), ("thorough", 1_000)), "mcts": (("quick", 100), ("thorough", 1_000))}
"""The bots that think longer or shorter, with the positions that they visit."""
UNDO = (("fair", "if nobody has learned anything hidden since"), ("always", "whatever has been seen since"))
"""The agreements on choices that are taken back, each with its word in a form."""
MOST_LISTED = 40
"""The most numbers that are listed to choose from; of more, one is typed."""


@attrs.frozen
class LobbyPage:
    """The things that a lobby shows."""

    about: ShelfGame
    game: Game
    variants: tuple[str, ...]
    """Those that are chosen."""
    players: int
    action: str
    """The path to which the form is sent."""
    trouble: str = ""
    said: Mapping[str, str] = attrs.field(factory=dict)
    """By the name of a field: what was chosen before the form was asked for anew."""

    @property
    def path(self) -> str:
        """The path of lobbies."""
        return f"{self.action.rstrip('/')}/lobby"


def lobby(page: LobbyPage) -> str:
    """Returns the page on which a table is set up."""
    game = page.game
    form = element(
        "form",
        element("input", type="hidden", name="game", value=page.about.name),
        _variants(page),
        _players(page),
        element("fieldset", element("legend", "Seats"), tuple(_seats(page))),
        _options(page),
        _undo(page),
        element(
            "p",
            element(
                "label",
                "Seed ",
                element(
                    "input",
                    type="text",
                    name="seed",
                    value=page.said.get("seed"),
                    maxlength=60,
                    placeholder="by chance",
                ),
            ),
            element("small", " The same seed has the same dice."),
        ),
        element(
            "p",
            element("button", "Open the table", type="submit", klass="done"),
            element("button", "Show variants and seats anew", type="submit", formmethod="get", formaction=page.path),
            klass="aside",
        ),
        method="post",
        action=page.action,
        data_lobby=page.path,
    )
    return document(
        game.title,
        element(
            "main",
            element(
                "header", element("h1", f"A table of {clean(game.title)}"), element("a", "All games", href=page.action)
            ),
            element("p", page.trouble, klass="trouble", role="alert") if page.trouble else None,
            form,
            id="lobby",
        ),
    )


def _variants(page: LobbyPage) -> Markup | None:
    if not page.about.variants:
        return None
    rows = (
        element(
            "li",
            element(
                "label",
                element(
                    "input", type="checkbox", name="variant", value=name, checked=name in page.variants, data_again=True
                ),
                f" {title}",
            ),
            element(
                "a",
                "What it changes",
                href=f"{page.path}/sheet?{urlencode({'game': page.about.name, 'variant': name})}",
                data_sheet=True,
                aria_label=f"What it changes: {title}",
            ),
        )
        for name, title in page.about.variants
    )
    return element("fieldset", element("legend", "Variants"), element("ul", rows, klass="variants"))


def _players(page: LobbyPage) -> Markup:
    low, high = page.game.players
    if low == high:
        return element("input", type="hidden", name="players", value=low)
    counts = (element("option", str(n), value=n, selected=n == page.players) for n in range(low, high + 1))
    return element("p", element("label", "Players ", element("select", counts, name="players", data_again=True)))


def _seats(page: LobbyPage) -> Iterator[Markup]:
    rules = page.game.ir
    names = [said_seat(rules, seat) for seat in seats_of(page.players)]
    ink = Ink(tuple(said_seat(rules, seat) for seat in seats_of(len(rules.seats))), rules.colours)
    choices = (*PEOPLE, *bots(rules.score is not None))
    usual = "greedy" if rules.score is not None else "random"
    for seat, name in enumerate(names):
        chosen = page.said.get(f"seat-{seat + 1}", usual if seat else "me")
        listed = (element("option", said, value=word, selected=word == chosen) for word, said in choices)
        yield element("label", ink.words(name), " ", element("select", listed, name=f"seat-{seat + 1}"))


def bots(has_score: bool) -> Iterator[tuple[str, str]]:
    """Yields the bots that can play a game, each by its word and with what it does, the stronger ones twice.

    >>> [word for word, _ in bots(False)]
    ['random', 'first', 'mcts:100', 'mcts:1000']
    """
    for one in BOTS:
        if has_score or not one.needs_score:
            for how, positions in STRENGTHS.get(one.name, (("", 0),)):
                word = f"{one.name}:{positions}" if how else one.name
                yield word, f"Bot {one.name}{f', {how}' if how else ''}: {one.about}"


def _undo(page: LobbyPage) -> Markup:
    """Returns the choice of what the table agrees on about choices that are taken back."""
    chosen = page.said.get("undo", "fair")
    listed = (element("option", said, value=word, selected=word == chosen) for word, said in UNDO)
    return element("p", element("label", "A choice is taken back ", element("select", listed, name="undo")))


def _options(page: LobbyPage) -> Markup | None:
    game, prose = page.game, Prose.of_game(page.game.ir)
    rows = [_option(page, prose, state) for state in game.options.values()]
    return element("fieldset", element("legend", "Options"), tuple(rows)) if rows else None


def _option(page: LobbyPage, prose: Prose, state: ir.StateVariable) -> Markup:
    rules = page.game.ir
    label = clean(plain_text(prose.template(state.text))) if state.text is not None else ""
    name = f"option-{state.name}"
    usual = page.said.get(name, _usual(rules, state))
    values = tuple(_values(rules, state.type, page.players))
    if values:
        chosen = (element("option", plain(value), value=value, selected=value == usual) for value in values)
        field = element("select", tuple(chosen), name=name)
    else:
        field = element("input", type="text", name=name, value=usual, maxlength=20)
    return element("label", f"{label or clean(state.called) or plain(state.name)} ", field)


def _usual(rules: ir.GameRules, state: ir.StateVariable) -> str:
    """Returns the written value that an option has if nothing is said; "" if it is worked out at the start."""
    return written(state.initial.value, state.type, rules) if isinstance(state.initial, ir.Const) else ""


def _values(rules: ir.GameRules, type: Type, players: int) -> Iterator[str]:
    """Yields the written values of an option; none if there are too many to list."""
    match type:
        case FlagType():
            yield from ("yes", "no")
        case EnumType(members=members):
            yield from members
        case KindType(name="Player"):
            yield from names_at(rules, players)
        case IntType(low=low, high=high) if high - low < MOST_LISTED:
            yield from map(str, range(low, high + 1))
        case _:  # many numbers, and what no option is: it is typed
            return
    if type.optional:
        yield "none"
