"""Files of the compile cache that somebody changed and sealed again: none of them runs anything.

spoilt(data, choose)    a number becomes a text of Python, a text a list, a node another, a number too large
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from rulelang import api
from rulelang.ir.encoding.data import CLASSES, NotIR, game_from_data, to_data
from rulelang.program.layout import lay_out
from rulelang.program.python.compiled import compile_game
from rulelang.source import SourceText
from tests.files import CLASSICS, SMALL_GAMES
from tests.fuzz.finding import Finding

CANARY = "fuzz_canary_sings"
PAYLOADS = (
    f"0]; {CANARY} = 1; S[0",
    f"__import__('builtins').{CANARY}",
    f"0\n{CANARY} = 1\n",
    f'"""\n{CANARY} = 1\n"""',
    f"x; {CANARY} = 1 #",
    f"+ {CANARY}() +",
)
WILD: tuple[Any, ...] = (
    *PAYLOADS,
    -1,
    -3,
    10**6,
    2**63,
    True,
    None,
    1.5,
    "",
    "eval",
    [],
    [-1],
    [0],
    [-2, 0, 0, 10**9],
    [-3, 1, 10**9],
    [-3, 1],
    {},
)


FEW = 6
"""How often a field is tried in one game."""


@cache
def kept() -> tuple[tuple[str, tuple[SourceText, ...]], ...]:
    """Returns the IR of some games as it is kept, with their sources."""
    found = []
    names = [*sorted(CLASSICS.glob("*.rules")), *sorted(SMALL_GAMES.glob("*.rules"))]
    for name in names:
        game = api.check(name).game
        assert game is not None
        sources: list[SourceText] = []
        data = to_data(game.ir, sources)
        found.append((json.dumps(data), tuple(sources)))
    return tuple(found)


def spoilt(data: Any, choose: random.Random) -> Any:
    """Changes IR as it is kept in one to three places."""
    for _ in range(choose.randint(1, 3)):
        node, at = choose.choice(list(_places(data)))
        other, there = choose.choice(list(_places(data)))
        # A copy: what is kept is a tree, and no node is in itself.
        node[at] = copy.deepcopy(
            choose.choice((choose.choice(WILD), choose.choice(WILD), other[there], choose.randrange(len(CLASSES))))
        )
        if len(json.dumps(data)) > 10**7:
            break
    return data


def _places(data: list[Any]) -> Any:
    for at, part in enumerate(data):
        yield data, at
        if isinstance(part, list):
            yield from _places(part)


def every_field(data: Any) -> Any:
    """Yields the data with Python in the place of one number, and puts it right again: of the numbers that a field of a
    class holds, the first few, each with other Python.
    """
    seen: Counter[tuple[int, int]] = Counter()
    for node, at, field in list(_numbers(data, (0, 0))):
        seen[field] += 1
        if seen[field] <= FEW:
            kept_, node[at] = node[at], PAYLOADS[(at + seen[field]) % len(PAYLOADS)]
            yield data
            node[at] = kept_


def _numbers(data: list[Any], field: tuple[int, int]) -> Iterator[tuple[list[Any], int, tuple[int, int]]]:
    """Yields the numbers in data with where they stand, and of which
    field: a list begins with its class, a tuple with -1 or -3.
    """
    for at, part in enumerate(data[1:], start=1):
        here = field if data[0] in (-1, -3) else (data[0], at)
        if isinstance(part, list):
            yield from _numbers(part, here)
        elif type(part) is int:
            yield data, at, here


def read(data: Any, sources: tuple[SourceText, ...]) -> None:
    """Whatever is kept is refused, or is IR whose Python has nothing in it that the IR did not mean."""
    try:
        game = game_from_data(data, list(sources))
    except NotIR:
        return
    except Exception as error:
        raise Finding(f"reading the cache raised {error!r}", json.dumps(data)) from error
    try:
        program = compile_game(game, lay_out(game))
        texts = [program.source(traced=traced) for traced in (False, True)]
    except Exception:
        # IR that no rules have, though each of its parts is well: its author alone has the trouble.
        return
    for text in texts:
        code = "\n".join(line.partition("#")[0] for line in text.splitlines())
        if CANARY in code:
            raise Finding("Python of a stranger is printed", json.dumps(data))


def attack(choose: random.Random) -> None:
    """Reads IR that was changed where it was kept."""
    text, sources = choose.choice(kept())
    read(spoilt(json.loads(text), choose), sources)
