"""The example that trains an agent: it learns, keeps what it has learnt, and sits in an arena."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from rulelang.api import load
from rulelang.lab import own_bots
from rulelang.lab.arena import play, schedule, standings
from rulelang.lab.bots import Bot, bot
from rulelang.lab.seat_view import SeatView
from rulelang.match.options.option import Option
from tests.files import ROOT

np = pytest.importorskip("numpy", reason="what learns gets arrays of NumPy")
pytest.importorskip("gymnasium", reason="matches are played together as Gymnasium's vector environments")

from rulelang.adapters.actions import Actions  # noqa: E402
from rulelang.adapters.gymnasium import vector_env  # noqa: E402
from rulelang.adapters.observations import Observations  # noqa: E402

EXAMPLE = ROOT / "docs" / "examples" / "train.py"


def agents() -> dict[str, tuple[str, Any]]:
    """Returns the game and the rewards of each agent of the example, as its text says, which needs no PyTorch."""
    found = {}
    for node in ast.parse(EXAMPLE.read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef) and [ast.unparse(base) for base in node.bases] == ["Trained"]:
            values: dict[str, Any] = {}
            for line in node.body:
                if isinstance(line, ast.Assign):
                    names, value = ast.unparse(line.targets[0]).strip("()").split(", "), ast.literal_eval(line.value)
                    values |= zip(names, value if len(names) > 1 else [value], strict=True)
            found[node.name] = values["game"], values.get("rewards", "win")
    return found


@pytest.mark.parametrize("name", ["ConnectFour", "Leduc"])
def test_what_the_example_learns_from_is_there_without_pytorch(name: str) -> None:
    path, rewards = agents()[name]
    game = load(ROOT / path)
    actions, layout = Actions(game.ir), Observations(game.start().visibility)
    environments = vector_env(ROOT / path, 4, rewards=rewards)
    assert (environments.observations.size, environments.actions.size) == (layout.size, actions.size)
    _, infos = environments.reset(seed=0)
    rng, paid = np.random.default_rng(0), list[list[float]]()
    while len(paid) < 8:
        legal = [int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in infos["action_mask"]]
        seen, _, terminated, truncated, infos = environments.step(np.array(legal))
        assert seen.shape == (4, layout.size)
        paid += [infos["rewards"][lane].tolist() for lane in np.flatnonzero(terminated | truncated)]
    assert all(sum(one) == 0 for one in paid)
    assert any(any(one) for one in paid)

    def guess(seen: SeatView) -> Option:
        """Chooses as the example's network does, with the same weight for all that is legal."""
        assert layout.of(seen.view(), seen.options.choice).shape == (layout.size,)
        options = list(actions.legal(seen.options, seen.seat).options.values())
        return options[seen.rng.randrange(len(options))]

    bots = Bot("guess", "", guess), bot("random")
    (standing,) = standings([play(lambda seed: game.start(2, seed), bots, one) for one in schedule(2, 2, 4)])
    assert not standing.faults


@pytest.mark.long
@pytest.mark.parametrize("name", ["ConnectFour", "Leduc"])
def test_an_agent_that_trained_for_seconds_beats_random_play(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed: only the example that trains needs it")
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
