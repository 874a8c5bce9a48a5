"""A game as an environment of PettingZoo, in which one agent after the other acts (AEC).

    environment = env("outspeed", players=3)
    environment.reset(seed=7)
    for agent in environment.agent_iter():
        observation, reward, terminated, truncated, info = environment.last()
        environment.step(None if terminated or truncated else policy(observation, info["action_mask"]))

The agents are `player_0`, `player_1`, … in the order of the seats, and `raw_env.seats` has their names in the rules. Seats that are asked
at the same time act one after the other, without seeing each other's sealed answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from rulelang.adapters.actions import Actions, Legal
from rulelang.adapters.observations import Numbers, Observations
from rulelang.adapters.rewards import Rewards, checked_rewards, rewards_of
from rulelang.api import Game, Match, load
from rulelang.errors import IllegalOption, InvalidInput, RuntimeRules
from rulelang.match.inputs import whole
from rulelang.playouts.playout import MOST_CHOICES
from rulelang.seed import described

try:
    from gymnasium import spaces
    from gymnasium.utils import EzPickle, seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"{error}: pip install 'rulelang[pettingzoo]'", name=error.name) from None

MatchOptions: TypeAlias = Mapping[str, int | str | bool | None]
MOST_SEED = 2**31 - 1
MODES = ("ansi", "human")
"""The ways in which a game is rendered."""


class MaskedObservation(np.ndarray):
    """An observation: an array of numbers that also answers to "observation" and "action_mask", as in PettingZoo's
    classic games.

    >>> seen = MaskedObservation.of(np.zeros(3, np.float32), np.ones(2, np.int8))
    >>> seen.shape, seen["action_mask"].tolist(), type(seen["observation"]).__name__
    ((3,), [1, 1], 'ndarray')
    """

    mask: Any = None

    @classmethod
    def of(cls, numbers: Numbers, mask: Any) -> MaskedObservation:
        """Returns an observation with its mask."""
        seen: MaskedObservation = numbers.view(cls)
        seen.mask = mask
        return seen

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return {"observation": self.view(np.ndarray), "action_mask": self.mask}[key]
        return super().__getitem__(key)


class WhyNot:
    """The reasons why the agent that is to act may not take an action: `info["why"](number)`.

    Two are equal if they stand for the same question with the same legal actions.
    """

    def __init__(self, actions: Actions, match: Match, seat: int, legal: Legal) -> None:
        """Takes a match that does not go on."""
        self._actions, self._match, self._seat, self._legal = actions, match, seat, legal

    @property
    def _stand(self) -> tuple[object, ...]:
        options = self._legal.options
        return self._actions.size, self._seat, self._match.to_move, *options, *(o.text for o in options.values())

    def __call__(self, number: int) -> str | None:
        """Returns the rule's own words why an action is refused, with the clauses; None if it may be taken."""
        return self._actions.why_not(self._match, self._seat, int(number))

    __getitem__ = __call__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WhyNot) and self._stand == other._stand

    def __hash__(self) -> int:
        return hash(self._stand)

    def __repr__(self) -> str:
        return f"<why {self._match.seats[self._seat]} may not take an action>"


class raw_env(AECEnv, EzPickle):  # noqa: N801 - the name that PettingZoo's environments have
    """The environment without wrappers: an illegal action raises IllegalOption, with the rule's words.

    `actions` has the numbers of actions, `observations` the layout of an observation, `match` the match that is played.
    """

    def __init__(
        self,
        game: str | Path | Game,
        players: int | None = None,
        *,
        options: MatchOptions | None = None,
        rewards: Rewards = "win",
        at_most: int = MOST_CHOICES,
        as_dict: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Takes what `env` takes."""
        more = {"options": options, "rewards": rewards, "at_most": at_most, "as_dict": as_dict}
        EzPickle.__init__(self, game, players, **more, render_mode=render_mode)
        super().__init__()
        self.game = game if isinstance(game, Game) else load(game)
        self._paid = checked_rewards(rewards, self.game.ir)
        self._options, self._at_most, self._as_dict = (
            dict(options or {}),
            whole(at_most, "a number of choices"),
            as_dict,
        )
        self.match = self._start(0, self._options, players)
        self.players, self.seats = self.match.players, self.match.seats
        self.actions = Actions(self.game.ir)
        self.observations = Observations(self.match.visibility)
        self.metadata = {
            "name": f"{self.game.id}_v0",
            "render_modes": list(MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        if render_mode is not None and render_mode not in MODES:
            raise InvalidInput(f"a game is rendered as ansi or human, not as {described(render_mode)}")
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.players)]
        self.action_spaces = {agent: spaces.Discrete(self.actions.size) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self._rng, _ = seeding.np_random()
        self.infos: dict[str, dict[str, Any]] = {}

    def _space(self) -> Any:
        high = float(self.observations.high)
        box = spaces.Box(-1.0, high, (self.observations.size,), np.float32)
        mask = spaces.Box(0, 1, (self.actions.size,), np.int8)
        return spaces.Dict({"observation": box, "action_mask": mask}) if self._as_dict else box

    def _start(self, seed: int, options: MatchOptions, players: int | None) -> Match:
        return self.game.start(players, seed, options)

    def observation_space(self, agent: str) -> Any:
        """Returns the space of an agent's observations: always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Returns the space of an agent's actions: always the same object."""
        return self.action_spaces[agent]

    # -------------------------------------------------------------- playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a match, with the dice of a seed; without one, with dice that follow from the last seed.

        `options` of the game's own replace those of the environment; others are left alone, as PettingZoo wants it.
        """
        if seed is not None:
            self._rng, _ = seeding.np_random(seed)
        drawn = int(self._rng.integers(MOST_SEED)) if seed is None else seed
        own = {name: value for name, value in (options or {}).items() if name in self.game.options}
        self.agents = self.possible_agents[:]
        self._choices = 0
        self.match = self._start(drawn, {**self._options, **own}, self.players)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._fault = ""
        self._look()

    def step(self, action: int | None) -> None:
        """Takes an action of the agent that is selected. Raises IllegalOption for one that is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            if self.agents:
                self.infos = {agent: self.infos[agent] for agent in self.agents}
            return
        option = None if action is None else self._legal.options.get(int(action))
        if option is None:
            number = -1 if action is None else int(action)
            raise IllegalOption(self.actions.why_not(self.match, self._seat, number) or "it is not on offer")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        try:
            self.match.push(option)
        except RuntimeRules as fault:
            self._fault = str(fault)
        self._choices += 1
        self._look()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _look(self) -> None:
        """Updates the seat to act, the legal options and the seats' rewards."""
        match, asked = self.match, self.match.to_move
        is_cut = bool(asked) and (self._choices >= self._at_most or bool(self._fault))
        self._seat = asked[0] if asked else 0
        self.agent_selection = self.possible_agents[self._seat]
        options = match.options_of(self._seat)
        self._legal = self.actions.legal(options, self._seat) if asked and not is_cut else Legal({})
        if not asked:
            self.terminations = dict.fromkeys(self.agents, True)
            paid = rewards_of(match.outcome, self.players, self._paid)
            self.rewards = dict(zip(self.possible_agents, paid, strict=True))
        elif is_cut or not self._legal.options:
            self.truncations = dict.fromkeys(self.agents, True)
        here = match.fork()
        self.infos = {agent: self._info(here, seat) for seat, agent in enumerate(self.possible_agents)}

    def _info(self, here: Match, seat: int) -> dict[str, Any]:
        mask = np.zeros(self.actions.size, np.int8)
        legal = self._legal if seat == self._seat else Legal({})
        if legal.options:
            mask[np.fromiter(legal.options, np.int64)] = 1
        found: dict[str, Any] = {"action_mask": mask, "why": WhyNot(self.actions, here, seat, legal)}
        if legal.left_out:
            found["left_out"] = legal.left_out
        if self._fault:
            found["fault"] = self._fault
        return found

    def observe(self, agent: str) -> Any:
        """Returns the observation of an agent, with the mask of its legal actions: all 0 unless it is to act."""
        seat = self.possible_agents.index(agent)
        numbers = self.observations.of(self.match.view(seat), self.match.choice)
        mask = self.infos[agent]["action_mask"]
        if self._as_dict:
            return {"observation": numbers, "action_mask": mask}
        return MaskedObservation.of(numbers, mask)

    def render(self) -> str | None:
        """Returns the public variables and zones as text, or prints them in the mode `human`."""
        view = self.match.view(None)
        lines = [f"{one.name}: {one.text}" for one in view.variables]
        lines += [f"{heap.name}: {', '.join(name or '?' for name in heap.things)}" for heap in view.zones]
        text = "\n".join(lines)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Does nothing: a match holds nothing open."""


def env(game: str | Path | Game, players: int | None = None, **more: Any) -> Any:
    """Returns an environment of a game, given by name, by the path of a `.rules` file or as a Game; see `raw_env`.

    `players` defaults to the fewest that the game allows. `options` are agreed before the game, `rewards` are "win" or
    "score" (`adapters.rewards`), a game is truncated after `at_most` choices, and with `as_dict` an observation is a dict
    of "observation" and "action_mask". In PettingZoo's usual wrappers: an illegal action ends the game with -1 for who took it.

    >>> environment = env("tests/classics/connect_four.rules")
    >>> environment.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = environment.last()
    >>> observation.shape, info["action_mask"].tolist(), info["why"](3) is None
    ((443,), [1, 1, 1, 1, 1, 1, 1], True)
    """
    inner: Any = TerminateIllegalWrapper(raw_env(game, players, **more), illegal_reward=-1)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(inner))
