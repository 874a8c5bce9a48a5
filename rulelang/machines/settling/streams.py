"""The streams whose draws need a machine that settles them: of shuffles that are settled late, and of draws during which a
local may stand for one of the things that are drawn.

shuffle(deck)                                      late, unless somebody sees into the deck between steps
let c = first(d in hand)
if random(d in hand) == c: ...                     named: c is like no other thing
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

import attrs

from rulelang.ir.facts import kind_of
from rulelang.ir.model import (
    Ask,
    Bind,
    Branch,
    Call,
    Choice,
    Contents,
    Defer,
    Foreseen,
    GameRules,
    Loop,
    Move,
    Over,
    Pick,
    Procedure,
    Roll,
    Shuffle,
    Simultaneous,
    Source,
    TopOf,
    Variable,
)
from rulelang.ir.walk import closure, walk
from rulelang.machines.evaluate import UNORDERED

# ------------------------------------------------------------------ late


@lru_cache(64)
def late_streams(game: GameRules) -> frozenset[int]:
    """Returns the streams of the shuffles that can be settled late: of piles that lie face down and whose order is read by
    steps alone.

    What is read between steps (by questions, values, sentences, screens), in the copies of a `simultaneously`, or in a
    position that is foreseen or remembered, cannot stop to ask.
    """
    whole = list(walk(game))
    if game.history is not None or any(isinstance(node, Foreseen) for node in whole):
        return frozenset()
    fields = (field.name for field in attrs.fields(GameRules))
    between = [getattr(game, name) for name in fields if name not in ("procedures", "choices")]
    for choice in game.choices:
        between += [choice.who, choice.source, choice.condition, choice.prompt]
        between += ((branch.parameters, branch.needs) for branch in choice.branches)
    refused = _read_in_order(walk(tuple(between)))
    domains = tuple(parameter.domain for node in whole if isinstance(node, Branch) for parameter in node.parameters)
    refused |= {node.zone for node in walk(domains) if isinstance(node, Contents)}
    if any(isinstance(node, Simultaneous) for node in whole):
        refused |= _read_in_order(whole)
    refused |= _read_in_order(part for node in whole if isinstance(node, Over) and _draws(node) for part in walk(node))
    hidden = (zone for zone in game.zones if zone.form == "pile" and zone.visible == "nobody" and not zone.top_up)
    return _shuffles(game, {zone.id for zone in hidden} - refused)


def _read_in_order(nodes: Iterable[object]) -> set[int]:
    """Returns the zones whose top or order some nodes read, other than by taking things from the top."""
    return {part.zone for part, _ in ordered_reads(nodes)}


def ordered_reads(nodes: Iterable[object]) -> list[tuple[TopOf | Contents, int | None]]:
    """Returns the piles that some nodes read in order, each with the number of things that matter, from the top; None for
    all."""
    nodes = list(nodes)
    free = {id(node.what) for node in nodes if isinstance(node, Move) and node.count is not None}
    free |= {
        id(source) for node in nodes if isinstance(node, Over) and node.what in UNORDERED for source in node.sources
    }
    tops: list[tuple[TopOf | Contents, int | None]] = [(node, 1) for node in nodes if isinstance(node, TopOf)]
    piles = (node.pile for node in nodes if isinstance(node, Source) and id(node) not in free)
    return tops + [(pile, None) for pile in piles if pile is not None]


def _draws(node: Over) -> bool:
    return any(isinstance(part, (Pick, Roll)) for part in walk(node))


# ------------------------------------------------------------------ named


@lru_cache(64)
def named_streams(game: GameRules) -> frozenset[int]:
    """Returns the streams of draws during which a local may stand for a thing of the kind that is drawn.

    There, things that the row does not tell apart need not be alike.
    """
    found, shuffled = set[int](), set[int]()
    for unit, scope in _scopes(game):
        picks = [node for node in walk(unit) if isinstance(node, Pick)]
        inside = {id(part) for pick in picks for part in walk(pick.of)}
        beside = [node for node in walk(unit) if isinstance(node, Over) and id(node) not in inside]
        names = scope.union(*(_kinds_of(node.names, game) for node in beside))
        for pick in picks:
            if names or id(pick) in inside:
                found.update(range(pick.stream, pick.stream + max(pick.cells, 1)))
        piles = {node.zone for node in walk(unit) if isinstance(node, Shuffle)} | _refilled(game, unit)
        shuffled |= {zone for zone in piles if game.zones[zone].kind in scope}
    return _shuffles(game, shuffled) | found


def _shuffles(game: GameRules, zones: set[int]) -> frozenset[int]:
    """Returns the streams of the shuffles of some piles."""
    names = {f"shuffle {game.zones[zone].name}" for zone in zones}
    return frozenset(stream for stream, name in enumerate(game.streams) if name in names)


def _refilled(game: GameRules, unit: Procedure | Choice) -> set[int]:
    """Returns the piles that a move may find empty, and so have filled up and shuffled."""
    moves = (node.what.pile for node in walk(unit) if isinstance(node, Move) and node.count is not None)
    return {pile.zone for pile in moves if pile is not None and game.zones[pile.zone].refills_from is not None}


def _scopes(game: GameRules) -> Iterator[tuple[Procedure | Choice, set[int]]]:
    """Yields each procedure and choice, with the kinds of which a local may stand for a thing while it runs."""
    units: tuple[Procedure | Choice, ...] = (*game.procedures, *game.choices)
    runs = [_run_by(unit, len(game.procedures)) for unit in units]
    scopes = [set[int]() for _ in units]
    for at, unit in enumerate(units):
        if own := _kinds_of(_bound_in(unit), game):
            for inner in closure([at], runs.__getitem__):
                scopes[inner] |= own
    yield from zip(units, scopes, strict=True)


def _bound_in(unit: Procedure | Choice) -> Iterator[Variable]:
    """Yields the locals that stand for something while a procedure or the actions of a choice run."""
    if isinstance(unit, Procedure):
        yield from unit.parameters
    for node in walk(unit):
        match node:
            case Bind() | Loop() | Simultaneous():
                yield node.variable
            case Branch():
                yield from (parameter.variable for parameter in node.parameters)
            case _:  # nothing else binds a local
                pass


def _run_by(unit: Procedure | Choice, procedures: int) -> set[int]:
    """Returns the procedures and choices that a procedure or a choice runs; ids of choices stand behind those of procedures."""
    found = set[int]()
    for node in walk(unit):
        match node:
            case Call() | Defer():
                found.add(node.procedure)
            case Ask():
                found.add(procedures + node.choice)
            case _:  # nothing else runs anything
                pass
    return found


def _kinds_of(variables: Iterable[Variable], game: GameRules) -> set[int]:
    """Returns the kinds of movable things of which some locals stand for one or for a set."""
    kinds = (kind_of(variable.type, game) for variable in variables)
    return {kind.id for kind in kinds if kind is not None}
