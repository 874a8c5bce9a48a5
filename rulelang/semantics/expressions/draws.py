"""Throws and picks -> the random streams that they draw from, each named by its purpose.

red.gold += roll(d6)            # the stream `d6 red.gold`
starter = random(players)       # the stream `random starter`
let face = roll(d6)             # the stream `d6 attack.face`, in the verb `attack`

So a draw that is put in front of others, taken away, or moved into a verb leaves the others as they are.
"""

from __future__ import annotations

from itertools import product
from math import prod

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import EnumType, FlagType, IntType, KindType, Type, first_of, size_of
from rulelang.semantics.names.scope import DrawTarget, Env, World

MOST_CELLS = 64
"""The most cells of a variable or zone that have a stream each; of a larger one all share one."""


def target_of(world: World, declared: ir.StateVariable | ir.Zone) -> DrawTarget:
    """Returns the target of draws for a variable or zone: `Player.gold`, with the cells `red.gold` and `blue.gold`."""
    name = declared.name if declared.owner is None else f"{declared.owner}.{declared.name}"
    dimensions = declared.dimensions
    # A dimension that is a fault has been reported.
    if not dimensions or not all(isinstance(type, IntType | FlagType | EnumType | KindType) for type in dimensions):
        return DrawTarget(name)
    if prod(map(size_of, dimensions)) > MOST_CELLS:
        return DrawTarget(name)
    cells = []
    for index in product(*(_members(world, type) for type in dimensions)):
        keys = index if declared.owner is None else index[1:]
        called = declared.name + (f"({', '.join(keys)})" if keys else "")
        cells.append(called if declared.owner is None else f"{index[0]}.{called}")
    return DrawTarget(name, tuple(cells))


def _members(world: World, type: Type) -> tuple[str, ...]:
    """Returns the written forms of all values of a type."""
    match type:
        case EnumType(members=names):
            return names
        case FlagType():
            return "no", "yes"
        case KindType(name=name) if name in world.kind_ids:
            return world.kinds[world.kind_ids[name]].names
        case KindType(name="Player"):
            return tuple(world.seats)
        case _:  # numbers go by themselves
            return tuple(str(first_of(type) + i) for i in range(size_of(type)))


def picked_from(world: World, env: Env, pick: ir.Pick, element: Type) -> ir.Pick:
    """Returns a new `random(…)` of some element with its stream; `cells` and earlier names are the pick's, too."""
    n = sum(1 for _, ordinal in world.picks if ordinal.startswith(f"random {env.name}#"))
    is_named = env.draws is not None and not env.draws.is_newly_named
    target = f"random {env.draws.name if env.draws is not None and is_named else env.name}"
    same = sum(1 for name, _ in world.picks if name == target or name.startswith(f"{target}'"))
    earlier = f"{target}'{same + 1}" if same else target, f"random {env.name}#{n + 1}"
    world.picks.append(earlier)
    stream = _streams(world, env, "random", target, element.name if isinstance(element, KindType) else "")
    return attrs.evolve(pick, stream=stream, cells=_cells(env), earlier=earlier)


def thrown_from(world: World, env: Env, roll: ir.Roll) -> ir.Roll:
    """Returns a new `roll(…)` with its stream; if it is only known in play which die is thrown, the streams of all dice
    follow each other."""
    known = roll.die.value if isinstance(roll.die, ir.Const) else None
    dice = [one for one in world.dice if known in (None, one.id)]
    firsts = [_streams(world, env, one.name, one.name, "" if known is not None else "any die") for one in dice]
    # Where no such die is known, that has been reported.
    return attrs.evolve(roll, stream=firsts[0], cells=_cells(env)) if firsts else roll


def _cells(env: Env) -> int:
    return 0 if env.draws is None else len(env.draws.cells)


def _streams(world: World, env: Env, form: str, target: str, element: str) -> int:
    """Returns the first stream of what a declaration draws for something, new or known.

    The first declaration that draws for a variable names the variable alone; others name themselves, too. What is drawn
    in another form, such as things of another kind, has streams of its own.
    """
    about = env.draws or DrawTarget(env.name)
    drawn = world.drawn.setdefault((form, about.name), {})
    if (env.name, element) not in drawn:
        verbs = list(dict.fromkeys(verb for verb, _ in drawn))
        behind = "" if not verbs or env.name == verbs[0] else f" in {env.name}"
        cells = about.cells or (about.name,)
        ids = [world.stream(_unused(world, f"{form} {cell}{behind}"), target) for cell in cells]
        drawn[env.name, element] = ids[0]
    return drawn[env.name, element]


def _unused(world: World, name: str) -> str:
    """Returns a name of no stream yet: copies of a thing are called alike, and so may be a seat and a thing."""
    while name in world.streams:
        name += "'"
    return name
