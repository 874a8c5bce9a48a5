"""Makes the logs that are missing: `python -m tests.replays`. Nothing that is there is changed.

outspeed+sprint.1.jsonl          a log; the hash of its rules is in its header
rules/ab12….rules                the rules it was played by, in one text that stands alone
"""

from __future__ import annotations

import random
from pathlib import Path

from rulelang import api
from rulelang.variants.expand import expand
from tests.files import NAMES

FOLDER = Path(__file__).parent
EACH = 2
MOST_ANSWERS = 60


def make() -> None:
    """Writes what is missing."""
    (FOLDER / "rules").mkdir(exist_ok=True)
    for name in NAMES:
        game = api.load(name)
        for number in range(1, EACH + 1):
            path = FOLDER / f"{name}.{number}.jsonl"
            if path.exists():
                continue
            rules = FOLDER / "rules" / f"{game.rules_hash}.rules"
            if not rules.exists():
                rules.write_text(expand(game.internals.module))
            low, high = game.players
            match = game.start(min(low + number, high), seed=f"{name} {number}")
            rng = random.Random(number)
            for _ in range(MOST_ANSWERS):
                if match.to_move:
                    match.play(rng.choice(list(match.options)))
            match.log.save(path)


if __name__ == "__main__":
    make()
