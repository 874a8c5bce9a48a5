"""Games of hidden cards and numbers that nobody would write: two deals that a seat may not tell apart look alike to it, step by step.

`SKETCHES=10000` in the environment looks at so many games in place of a hundred.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest

from rulelang import api
from tests.generators.secrets import Twins, sketched

SKETCHES = int(os.environ.get("SKETCHES", "100"))
PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_positions_that_differ_in_what_a_seat_may_not_know_look_alike_to_it(part: int, tmp_path: Path) -> None:
    done: Counter[str] = Counter()
    for seed in range(part, SKETCHES, PARTS):
        text = sketched(random.Random(seed))
        entry = tmp_path / "sketch.rules"
        entry.write_text(text)
        checked = api.check(entry)
        codes = {d.code for d in checked.diagnostics}
        if checked.game is None or "W0512" in codes:
            assert codes & {"E0402", "W0512"}, [f"{d.code} {d.span.place} {d.message}" for d in checked.diagnostics]
            done["refused"] += 1
            continue
        executor = ("generated", "reference")[seed % 8 // 4]
        twins = Twins(checked.game, seed % 3, str(seed), executor=executor)
        luck = random.Random(seed)
        for _ in range(8):
            if twins.are_told():
                break
            one, other = twins.seen()
            assert one == other, f"seed {seed}\n{text}"
            done["looked at"] += twins.differs()
            if not twins.matches[0].to_move or not twins.play(luck):
                break
        done["played"] += 1
    assert done["played"] > SKETCHES // PARTS // 4, done
    assert done["looked at"] > 2 * done["played"], done
