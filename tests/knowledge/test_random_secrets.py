"""Games of hidden cards and numbers that nobody would write: two deals that a seat may not tell apart look alike to it, step by step.

`SKETCHES=10000` in the environment looks at so many games in place of a hundred; `make fuzz ATTACKS=twins` goes on with others.
"""

from __future__ import annotations

import os

import pytest

from rulelang.knowledge.redaction import EVERYONE
from rulelang.knowledge.scene import Pointing
from rulelang.match.match import BareMatch
from rulelang.match.recording.recorder import Recorder
from tests.fuzz import twins
from tests.fuzz.finding import Finding

SKETCHES = int(os.environ.get("SKETCHES", "100"))
PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_positions_that_differ_in_what_a_seat_may_not_know_look_alike_to_it(part: int) -> None:
    looked = [twins.looked_at(seed) for seed in range(part, SKETCHES, PARTS)]
    played = [found for found in looked if found is not None]
    assert len(played) > SKETCHES // PARTS // 4
    assert sum(played) > 2 * len(played)


def test_what_is_shown_to_a_seat_that_may_not_know_it_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BareMatch, "prompt", lambda match, seat: str(match.position.row))
    with pytest.raises(Finding, match="may not know"):
        _ = [twins.looked_at(seed) for seed in range(12)]


def test_a_name_told_for_being_remembered_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def remembered(pointing: Pointing, kind: int, thing: int, beside: int = 0) -> int:
        return EVERYONE if pointing.knowledge is None else pointing.knowledge.knowers(kind, thing)

    monkeypatch.setattr(Pointing, "told", remembered)
    with pytest.raises(Finding, match="may not know"):
        _ = [twins.looked_at(seed) for seed in range(60)]


def test_a_verb_told_below_a_hidden_condition_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Recorder, "_called", lambda recorder: EVERYONE)
    with pytest.raises(Finding, match="may not know"):
        _ = [twins.looked_at(seed) for seed in range(60)]


@pytest.mark.parametrize("seed", [1067, 1465, 2807])
def test_what_others_do_with_a_card_in_secret_changes_neither_its_name_nor_the_order_of_lines(seed: int) -> None:
    """Another seat marks or passes on the card that one has marked; cards are shown to a third whose number within tells which they are."""
    assert (twins.looked_at(seed) or 0) > 0
