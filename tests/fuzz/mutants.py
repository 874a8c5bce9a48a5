"""Rules that people wrote, changed in a few places: if they still check, they go alike on every executor.

attack(choose)     changes rules until some check, and plays those
again(found)       plays what a finding holds: a seed, and rules
"""

from __future__ import annotations

import random
import re
from functools import cache

from rulelang import api
from rulelang.diagnostics.codes.code import whole
from tests.fuzz import executors
from tests.fuzz.finding import Finding
from tests.fuzz.texts import texts
from tests.generators.rules import mutated

LONGEST = 6_000
"""The most characters of a text that is changed: larger games are checked for longer than they are played."""
TRIES = 40
TOO_MANY = "W0505"
"""The code of a choice of so many options that listing them takes more than a program may."""
SCENARIO = re.compile(r"^( *)scenario .*\n(?:(?:\1 +.*)?\n)*", re.M)


@cache
def games() -> tuple[str, ...]:
    """Returns the texts that are changed, without their scenarios: each asks for something."""
    short = (SCENARIO.sub("", whole(text)) for text in texts() if len(text) < LONGEST)
    return tuple(text for text in short if "choose" in text)


def attack(choose: random.Random) -> None:
    """Plays rules that were changed; raises Finding also where checking or playing them ends with a traceback."""
    for _ in range(TRIES):
        found = f"{choose.randrange(10**9)}\n{mutated(choose.choice(games()), choose)}"
        try:
            if again(found) is not None:
                return
        except Finding:
            raise
        except Exception as crash:
            raise Finding(f"{type(crash).__name__}: {crash}", found) from crash


def again(found: str) -> int | None:
    """Plays what a finding holds; returns the number of answers, None for rules that do not check."""
    seed, _, text = found.partition("\n")
    checked = api.check_text(text)
    if checked.game is None or any(fault.code == TOO_MANY for fault in checked.diagnostics):
        return None
    return executors.played_alike(found, checked.game.ir, int(seed))
