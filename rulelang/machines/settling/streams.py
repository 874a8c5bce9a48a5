"""The streams whose draws need a machine that settles them: of shuffles that are settled late, and of draws during which a
local may stand for one of the things that are drawn.

shuffle(deck)                                      late, unless somebody sees into the deck between steps
let c = first(d in hand)
if random(d in hand) == c: ...                     named: c is like no other thing
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

import attrs

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
from rulelang.ir.types import KindType, SetType, Type
from rulelang.ir.walk import walk
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
    names = {f"shuffle {zone.name}" for zone in hidden if zone.id not in refused}
    return frozenset(stream for stream, name in enumerate(game.streams) if name in names)


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
    kinds = {kind.name: kind.id for kind in game.kinds if kind.movable}
    units: tuple[Procedure | Choice, ...] = (*game.procedures, *game.choices)
    scopes = _scopes(game, kinds)
    numbers = {name: stream for stream, name in enumerate(game.streams)}
    streams = {zone.id: numbers[f"shuffle {zone.name}"] for zone in game.zones if f"shuffle {zone.name}" in numbers}
    found = set[int]()
    for unit, scope in zip(units, scopes, strict=True):
        picks = [node for node in walk(unit) if isinstance(node, Pick)]
        inside = {id(part) for pick in picks for part in walk(pick.of)}
        beside = [node for node in walk(unit) if isinstance(node, Over) and id(node) not in inside]
        names = scope | {kind for node in beside for kind in _kinds_of(node.names, kinds)}
        for pick in picks:
            if names or id(pick) in inside:
                found.update(range(pick.stream, pick.stream + max(pick.cells, 1)))
        shuffled = {node.zone for node in walk(unit) if isinstance(node, Shuffle)} | _refilled(game, unit)
        found.update(streams[zone] for zone in shuffled if game.zones[zone].kind in scope)
    return frozenset(found)


def _refilled(game: GameRules, unit: Procedure | Choice) -> set[int]:
    """Returns the piles that a move may find empty, and so have filled up and shuffled."""
    moves = (node.what.pile for node in walk(unit) if isinstance(node, Move) and node.count is not None)
    return {pile.zone for pile in moves if pile is not None and game.zones[pile.zone].refills_from is not None}


def _scopes(game: GameRules, kinds: Mapping[str, int]) -> list[set[int]]:
    """Returns, by procedure and then by choice, the kinds of which a local may stand for a thing while it runs."""
    units: tuple[Procedure | Choice, ...] = (*game.procedures, *game.choices)
    scopes = [set(_kinds_of(_bound_in(unit), kinds)) for unit in units]
    runs = [_run_by(unit, len(game.procedures)) for unit in units]
    waiting = list(range(len(units)))
    while waiting:
        at = waiting.pop()
        for inner in runs[at]:
            if not scopes[at] <= scopes[inner]:
                scopes[inner] |= scopes[at]
                waiting.append(inner)
    return scopes


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


def _kinds_of(variables: Iterable[Variable], kinds: Mapping[str, int]) -> Iterator[int]:
    for variable in variables:
        kind = kind_of(variable.type, kinds)
        if kind is not None:
            yield kind


def kind_of(type: Type, kinds: Mapping[str, int]) -> int | None:
    """Returns the kind of which a type has a thing or a set; None if it is not among these kinds, by name."""
    element = type.element if isinstance(type, SetType) else type
    return kinds.get(element.name) if isinstance(element, KindType) else None
