"""The example that trains an agent: it learns, keeps what it has learnt, and sits in an arena."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.api import load
from rulelang.lab import own_bots
from rulelang.lab.arena import play, schedule, standings
from rulelang.lab.bots import bot
from tests.files import ROOT

pytest.importorskip("torch", reason="only the example needs PyTorch")
pytest.importorskip("gymnasium")

EXAMPLE = ROOT / "docs" / "examples" / "train.py"


@pytest.mark.long
@pytest.mark.parametrize("name", ["ConnectFour", "Leduc"])
def test_an_agent_that_trained_for_seconds_beats_random_play(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WEIGHTS", str(tmp_path))
    own_bots._meant.cache_clear()
    own_bots._module.cache_clear()
    example = own_bots._module(str(EXAMPLE), str(EXAMPLE))
    agent = getattr(example, name)
    example.train(agent, most=3_000)
    game, bots = load(ROOT / agent.game), (own_bots.own_bot(f"{EXAMPLE}:{name}"), bot("random"))
    (standing,) = standings([play(lambda seed: game.start(2, seed), bots, one) for one in schedule(2, 2, 100)])
    trained, other = standing.results
    assert trained.rate.rate > other.rate.rate
    assert agent.rewards == "win" or (trained.score or 0) > 0
