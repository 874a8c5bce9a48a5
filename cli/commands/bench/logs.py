"""The races of logs: what it takes to read events and logs, and to compare, query and retell them.

    logs: outspeed      a playout 1.00 x      every event read 0.03 x      impact of a variant 0.08 x ...

All rates are choices a second, of a game of greedy bots.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from io import BytesIO

from ...argument import load
from ...exits import Refused
from .race import Contestant, Race

LOGGED = {"outspeed": "hungry", "exobase": "mild"}
"""The games of the logs, each with a variant that retells them."""
MOST = 300
"""The most choices of a log."""


def log_races() -> Iterator[Race]:
    """Yields the races of logs."""
    for name, variant in LOGGED.items():
        yield Race(f"logs: {name}", "choices", partial(logs, name, variant))


def logs(name: str, variant: str) -> tuple[Contestant, ...]:
    """Returns the contestants for one log: its game played by a bare machine, and whatever is done with the log."""
    from rulelang import api
    from rulelang.lab.bots import bot, play_on
    from rulelang.log.reading import parse_log
    from rulelang.machines.chance import Seeded
    from rulelang.machines.executors import AUTO
    from rulelang.playouts.playout import playout
    from rulelang.playouts.rng import RandomStream
    from rulelang.workbench.changes.edits import Edits
    from rulelang.workbench.impact import impact_on
    from rulelang.workbench.tables import rows_of

    game, other = load(name, quiet=True), load(f"{name}+{variant}", quiet=True)
    edits, players = Edits.of(game, other), game.players[0]
    # A log is replayed on the code that its game was played on, which else arrives when it arrives.
    game.settle(AUTO)
    match = game.start(players, seed="bench")
    for _ in play_on(match, (bot("greedy"),) * players, "bench", most=MOST):
        pass
    text = match.log.text.encode()
    log, fresh = parse_log(BytesIO(text)), game.internals.machine("generated")

    def bare() -> int:
        machine = fresh(Seeded("bench", game.ir, game.internals.layout))
        machine.begin(players, {})
        return playout(machine, RandomStream("bench", name), MOST)

    def replayed(*, reads: bool) -> int:
        again = api.replay(log, under=game, compares=not reads)
        if again.difference is not None:
            raise Refused(f"a log of {name} differs from its own rules")
        for event in again.match.events if reads else ():
            _ = event.text
        return log.choices

    def counted(_: object) -> int:
        return log.choices

    return (
        Contestant("playout", bare, is_base=True),
        Contestant("every event read", lambda: replayed(reads=True)),
        Contestant("saved", lambda: counted(match.log.text)),
        Contestant("opened", lambda: parse_log(BytesIO(text)).choices),
        Contestant("compared", lambda: replayed(reads=False)),
        Contestant("rows for queries", lambda: counted([*rows_of(1, name, 1, log)])),
        Contestant("impact of a variant", lambda: counted(impact_on(log, other, edits))),
    )
