"""Trains a small network by playing against itself, and plays with it as a bot. Needs PyTorch: pip install 'rulelang[training]'.

    python docs/examples/train.py ConnectFour --minutes 3
    rulelang arena tests/classics/connect_four.rules --bots random --bot docs/examples/train.py:ConnectFour

    python docs/examples/train.py Leduc --minutes 2
    rulelang arena tests/adapters/games/leduc_chips.rules --bots random --bot docs/examples/train.py:Leduc

Nothing here knows of any game: a class of two lines, below, names another one.
Each match of a vector environment is played by one network in all seats; when it ends, what each seat got is the return of all
that it chose (REINFORCE, with the value of the position as its baseline).
"""

from __future__ import annotations

import argparse
import os
from bisect import bisect
from pathlib import Path
from time import monotonic

import numpy as np
import torch
from torch import nn

import rulelang
from rulelang.adapters.actions import Actions
from rulelang.adapters.gymnasium import vector_env
from rulelang.adapters.observations import Observations
from rulelang.adapters.rewards import Rewards

ROOT = Path(__file__).parents[2]
WEIGHTS = Path(os.environ.get("WEIGHTS", "."))
"""The folder of the weights that were learnt."""
MATCHES, BATCH = 128, 4096
# Small networks gain nothing from several threads, and games are played in several processes.
torch.set_num_threads(1)


class Network(nn.Module):
    """Observations -> the logits of all actions, and the value of the position for the seat that looks."""

    def __init__(self, seen: int, actions: int, width: int = 256) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(seen, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        body = self.body(seen)
        return self.policy(body).masked_fill(mask == 0, -1e9), self.value(body)[:, 0]


class Trained:
    """A network as a bot; a class below names its game."""

    game: str
    rewards: Rewards = "win"

    def __init__(self) -> None:
        game = rulelang.load(ROOT / self.game)
        self.actions, self.layout = Actions(game.ir), Observations(game.start().visibility)
        self.network = Network(self.layout.size, self.actions.size)
        self.network.load_state_dict(torch.load(self.weights()))

    @classmethod
    def weights(cls) -> Path:
        """Returns the file of its weights."""
        return WEIGHTS / f"{cls.__name__}.pt"

    def __call__(self, seen):
        legal = self.actions.legal(seen.options, seen.seat).options
        mask = torch.zeros(1, self.actions.size)
        mask[0, list(legal)] = 1
        with torch.no_grad():
            numbers = torch.from_numpy(self.layout.of(seen.view(), seen.options.choice))[None]
            logits, _ = self.network(numbers, mask)
        # A hidden game wants a mixed strategy, so the bot draws, with the random numbers that bots have.
        weights = torch.softmax(logits[0, list(legal)], 0).cumsum(0).tolist()
        at = bisect(weights, seen.rng.randrange(1_000_000) / 1_000_000)
        return list(legal.values())[min(at, len(legal) - 1)]


class ConnectFour(Trained):
    """A game in which everybody sees all."""

    game = "tests/classics/connect_four.rules"


class Leduc(Trained):
    """A game with a hidden card, in which chips count, not wins."""

    game, rewards = "tests/adapters/games/leduc_chips.rules", "margin"


def train(bot: type[Trained], minutes: float = 60.0, most: int | None = None) -> None:
    """Plays and learns for some minutes, or a number of matches, and keeps the weights."""
    torch.manual_seed(0)
    environments = vector_env(ROOT / bot.game, MATCHES, rewards=bot.rewards)
    network = Network(environments.observations.size, environments.actions.size)
    learner = torch.optim.Adam(network.parameters(), lr=1e-3)
    seen, infos = environments.reset(seed=0)
    courses: list[list[tuple]] = [[] for _ in range(MATCHES)]
    ready: list[tuple] = []
    end, matches, lines = monotonic() + 60 * minutes, 0, 0
    while monotonic() < end and (most is None or matches < most):
        mask, seats = infos["action_mask"], infos["seat"]
        with torch.no_grad():
            logits, _ = network(torch.from_numpy(seen), torch.from_numpy(mask))
            # Where a match is over there is nothing to choose, and the action is not looked at.
            chosen = torch.distributions.Categorical(logits=logits).sample().numpy()
        for lane in np.flatnonzero(seats >= 0):
            courses[lane].append((seen[lane], mask[lane], chosen[lane], seats[lane]))
        seen, _, terminated, truncated, infos = environments.step(chosen)
        for lane in np.flatnonzero(terminated | truncated):
            ready += [(*step[:3], infos["rewards"][lane, step[3]]) for step in courses[lane]]
            courses[lane], matches = [], matches + 1
        if len(ready) >= BATCH:
            loss = learn(network, learner, ready)
            ready, lines = [], lines + 1
            if lines % 20 == 0:
                print(f"{matches:7} matches, loss {loss:.3f}", flush=True)
    torch.save(network.state_dict(), bot.weights())
    print(f"{matches} matches; the weights are in {bot.weights()}")


def learn(network: Network, learner: torch.optim.Optimizer, ready: list[tuple]) -> float:
    """Makes what was chosen more likely by as much as it brought more than was expected; returns the loss."""
    seen, mask, chosen, got = (torch.from_numpy(np.array(column)) for column in zip(*ready, strict=True))
    logits, value = network(seen, mask)
    advantage = got.float() - value
    of = torch.distributions.Categorical(logits=logits)
    policy = -(of.log_prob(chosen) * advantage.detach()).mean()
    loss = policy + 0.5 * advantage.pow(2).mean() - 0.01 * of.entropy().mean()
    learner.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    learner.step()
    return float(loss.detach())


if __name__ == "__main__":
    bots = {bot.__name__: bot for bot in Trained.__subclasses__()}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bot", choices=bots)
    parser.add_argument("--minutes", type=float, default=3)
    given = parser.parse_args()
    train(bots[given.bot], given.minutes)
