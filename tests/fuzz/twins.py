"""Games of hidden cards that nobody would write, each twice: what a seat may not know makes no difference to what it is shown.

looked_at(seed)      how many positions were two, and looked alike; None of a game that the check refuses
looked_at(seed, 12)  the same, of twelve deals of the game
played(text, seed)   the same of the rules in a text
"""

from __future__ import annotations

import random

from rulelang import api
from rulelang.match.disclosures import learnt_since
from tests.fuzz.finding import Finding
from tests.generators.secrets import sketched
from tests.generators.statements import FEW, LATE, LOOKING, MANY, THROWN, Kinds
from tests.generators.twins import Twins

STEPS = 8
MORE = 10**6
"""From this seed on, sketches are made of more kinds of statements."""
NEWEST = 920 * 10**6
"""From this seed on, also of throws under conditions and of what goes into the box."""
LATEST = 940 * 10**6
"""From this seed on, also of numbers of throws, scratch variables that hand secrets on, and single cards."""
LOOKING_FROM = 960 * 10**6
"""From this seed on, also of rules from outside, looks ahead, turns, interrupts and compared positions."""


REFUSED = ("E0405", "E0416")
"""Of rules from outside: verbs that call each other in a circle, and looks ahead at what may not be foreseen."""
PAIRS = 40
"""A sketch is checked and compiled once for so many pairs of games."""


def attack(choose: random.Random) -> None:
    """Looks at one game, dealt and played in many ways."""
    looked_at(
        choose.randrange(LOOKING_FROM) if choose.random() < 0.3 else LOOKING_FROM + choose.randrange(10**9), PAIRS
    )


def looked_at(seed: int, pairs: int = 1) -> int | None:
    """Plays one game twice, so many times, and returns how many positions differed unseen; None of a game that tells, and is
    refused for it.

    Raises Finding with the seed where a seat is shown what it may not know.
    """
    return played(sketched(random.Random(seed), kinds_of(seed)), seed, pairs)


def kinds_of(seed: int) -> Kinds:
    """Returns what the sketch of a seed is made of."""
    return (
        LOOKING
        if seed >= LOOKING_FROM
        else LATE
        if seed >= LATEST
        else THROWN
        if seed >= NEWEST
        else MANY
        if seed >= MORE
        else FEW
    )


def played(text: str, seed: int, pairs: int = 1) -> int | None:
    """Plays the game of a text twice, so many times, see `looked_at`."""
    checked = api.check_text(text)
    codes = {d.code for d in checked.diagnostics}
    if checked.game is None or "W0512" in codes:
        if not codes & {"E0402", "W0512", *REFUSED}:
            raise Finding(f"refused for {sorted(codes)}", f"{seed}")
        return None
    return sum(_pair(checked.game, seed, number) for number in range(pairs))


def _pair(game: api.Game, seed: int, number: int) -> int:
    """Plays a game twice: the deal, the seat and the answers go by the number of the pair."""
    name = str(seed) if number == 0 else f"{seed}, {number}"
    executor = ("generated", "reference")[seed % 8 // 4]
    twins = Twins(game, (seed + number) % 3, name, executor=executor)
    rng, found = random.Random(name if number else seed), 0
    for step in range(STEPS):
        before = twins.seen(why=False, paged=number == 0) if twins.are_unseen() else None
        if before is not None and twins.are_told():
            break
        twins.go_on(rng)
        if before is not None and before[0] != before[1]:
            raise Finding("a seat is shown what it may not know", name)
        if twins.are_told():
            break
        # Reasons and pages take most of the time: of the first deal, and of every eighth position.
        turn = step + seed + number
        one, other = twins.seen(why=number == 0 and turn % STEPS == 0, paged=number == 0 or turn % 8 == 0)
        if one != other:
            raise Finding("a seat is shown what it may not know", name)
        found += twins.differs()
        if not twins.matches[0].to_move or not twins.play(rng):
            break
        taken_back(twins, name)
    return found


def taken_back(twins: Twins, name: str) -> None:
    """Raises Finding where the seat's answer could be taken back although it was told by it which of the two positions it
    is, or where only one of two that look alike could be gone back from."""
    if twins.actor != twins.seat:
        return
    bit = 1 << twins.seat
    one, other = (bool(learnt_since(match, match.earlier()[-1][1].number) & bit) for match in twins.matches)
    is_told = twins.matches[0].information(twins.seat) != twins.matches[1].information(twins.seat)
    if is_told and not (one and other):
        raise Finding("what a seat was told can be taken back", name)
    if not is_told and one != other:
        raise Finding("a seat is told by what it may take back", name)
