"""Trains a small network by playing against itself, and plays with it as a bot. Needs PyTorch: pip install torch.

    python docs/examples/train_connect_four.py --minutes 3
    rulelang arena tests/classics/connect_four.rules --bots random --bot docs/examples/train_connect_four.py:Trained

Nothing here knows of Connect Four: GAME=tests/classics/kuhn.rules in the environment trains the same for a game with a hidden card.
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

GAME = os.environ.get("GAME", "tests/classics/connect_four.rules")
WEIGHTS = Path(os.environ.get("WEIGHTS", f"{Path(GAME).stem}.pt"))
MATCHES, BATCH = 128, 4096


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
    """The network as a bot: `--bot docs/examples/train_connect_four.py:Trained`."""

    def __init__(self) -> None:
        game = rulelang.load(GAME)
        self.actions, self.layout = Actions(game.ir), Observations(game.start().visibility)
        self.network = Network(self.layout.size, self.actions.size)
        self.network.load_state_dict(torch.load(WEIGHTS))

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


def train(minutes: float) -> None:
    """Plays and learns for some minutes, and keeps the weights."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    environments = vector_env(GAME, MATCHES)
    network = Network(environments.observations.size, environments.actions.size)
    learner = torch.optim.Adam(network.parameters(), lr=1e-3)
    seen, infos = environments.reset(seed=0)
    courses: list[list[tuple]] = [[] for _ in range(MATCHES)]
    ready: list[tuple] = []
    end, matches, lines = monotonic() + 60 * minutes, 0, 0
    while monotonic() < end:
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
    torch.save(network.state_dict(), WEIGHTS)
    print(f"{matches} matches; the weights are in {WEIGHTS}")


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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=3)
    train(parser.parse_args().minutes)
