"""Many matches side by side as one vector environment of Gymnasium.

    environments = vector_env("connect_four.rules", 64)
    observations, infos = environments.reset(seed=7)
    observations, rewards, terminated, truncated, infos = environments.step(actions)

In each environment the seat that is asked acts: `infos["seat"]` says which, and `infos["action_mask"]` what it may do. The
observation is that seat's, in the layout of `adapters.observations`, of what it sees at present (what it could remember is not kept);
`rewards` are those of the seat that has just acted, and `infos["rewards"]` those of all. A match that is over begins anew in the
next step, whose action is not looked at (`AutoresetMode.NEXT_STEP`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from rulelang.adapters.actions import Actions
from rulelang.adapters.columns import OptionColumns, RowColumns
from rulelang.adapters.observations import Observations
from rulelang.adapters.rewards import Rewards, checked_rewards, rewards_of
from rulelang.api import Game, load
from rulelang.errors import IllegalOption, InvalidInput
from rulelang.ir.numbers import Seat
from rulelang.machines.executors import AUTO
from rulelang.machines.machine import Machine
from rulelang.machines.offers.offer import MOST
from rulelang.match.inputs import whole
from rulelang.match.options.option import Options
from rulelang.match.outcome import outcome_of
from rulelang.match.position import Position
from rulelang.match.state import Moment
from rulelang.match.view import View
from rulelang.playouts.playout import MOST_CHOICES
from rulelang.playouts.stepping import Batch
from rulelang.program.llvm.frame import SteppedWords

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"{error}: pip install 'rulelang[pettingzoo]'", name=error.name) from None


class ManyMatches(VectorEnv):
    """Matches of one game side by side; see the top of this module and `vector_env`."""

    def __init__(
        self,
        game: Game,
        many: int,
        players: int | None,
        *,
        options: Mapping[str, int | str | bool | None] | None,
        rewards: Rewards,
        at_most: int,
        executor: str,
    ) -> None:
        self.game, self.num_envs = game, whole(many, "a number of environments")
        if not self.num_envs:
            raise InvalidInput("a vector environment holds at least one match")
        self._options, self._at_most, self._executor = (
            dict(options or {}),
            whole(at_most, "a number of choices"),
            executor,
        )
        self._paid = checked_rewards(rewards, game.ir)
        first = game.start(players, 0, self._options, traced=False)
        self.players, self._visibility, self._secrets = first.players, first.visibility, first.internals.secrets
        self._beginning = Moment(first.visibility.beginning)
        self.actions, self.observations = Actions(game.ir), Observations(first.visibility)
        high = float(self.observations.high)
        self.single_observation_space = spaces.Box(-1.0, high, (self.observations.size,), np.float32)
        self.single_action_space = spaces.Discrete(self.actions.size)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}
        self._mask = np.zeros((self.num_envs, self.actions.size), np.int8)
        self._picks = np.zeros((self.num_envs, self.actions.size), np.int32)
        self._seed = 0
        self._batch: Batch | None = None

    # -------------------------------------------------------------- Gymnasium's methods

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins all matches; match number i is `game.start(seed="SEED:i")`. Without a seed, the last one's successor."""
        self._seed = self._seed + 1 if seed is None else seed
        own = {name: value for name, value in (options or {}).items() if name in self.game.options}
        agreed = {**self._options, **own}
        self._batch = self.game.play_batch(
            self.num_envs, self.players, self._seed, agreed, at_most=self._at_most, executor=self._executor
        )
        self._over = np.zeros(self.num_envs, bool)
        self._actor = np.asarray(self._batch.seats).copy()
        return self._look()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Takes an action in each match, and begins those anew that were over.

        Raises IllegalOption, with the reason, where an action is not legal; then no match has changed.
        """
        batch = self.batch
        chosen = np.asarray(actions, np.int64)
        if chosen.shape != (self.num_envs,):
            raise InvalidInput(
                f"{self.num_envs} matches want {self.num_envs} actions, not those of shape {chosen.shape}"
            )
        lanes, ended = np.flatnonzero(~self._over), np.flatnonzero(self._over)
        inside = (chosen >= 0) & (chosen < self.actions.size)
        legal = inside[lanes] & (self._mask[lanes, np.where(inside, chosen, 0)[lanes]] != 0)
        if not legal.all():
            self._refuse(int(lanes[np.argmin(legal)]), chosen)
        picks = np.full(self.num_envs, -1, np.int64)
        picks[lanes] = self._picks[lanes, chosen[lanes]]
        self._actor = np.asarray(batch.seats).copy()
        batch.step(picks.tolist())
        if len(ended):
            batch.restart(ended.tolist())
        observations, infos = self._look()
        over = np.asarray(batch.counts) == 0
        all_rewards = np.zeros((self.num_envs, self.players), np.float64)
        terminated, truncated = np.zeros(self.num_envs, bool), np.zeros(self.num_envs, bool)
        for lane in np.flatnonzero(over):
            machine = batch.machine(int(lane))
            outcome = outcome_of(machine.row, self.game.ir, self.game.internals.layout, self.players)
            terminated[lane], truncated[lane] = outcome is not None, outcome is None
            all_rewards[lane] = rewards_of(outcome, self.players, self._paid)
        self._over = over
        rewards = np.where(self._actor >= 0, all_rewards[np.arange(self.num_envs), np.maximum(self._actor, 0)], 0.0)
        infos["rewards"] = all_rewards
        return observations, rewards, terminated, truncated, infos

    def close_extras(self, **kwargs: Any) -> None:
        """Does nothing: matches hold nothing open."""

    # -------------------------------------------------------------- what is seen

    @property
    def batch(self) -> Batch:
        """The matches. Raises InvalidInput before the first `reset`."""
        if self._batch is None:
            raise InvalidInput("the matches have not begun: call reset first")
        return self._batch

    def _refuse(self, lane: int, chosen: Any) -> None:
        """Raises IllegalOption for the action that was chosen in a match."""
        number = int(chosen[lane])
        name = self.actions.text(number) if 0 <= number < self.actions.size else f"{number}"
        raise IllegalOption(f"match {lane}: action {number}, `{name}`, is not legal now: see infos['action_mask']")

    def _look(self) -> tuple[Any, dict[str, Any]]:
        """Returns the observations of the seats that are asked, and what they may do."""
        batch, many = self.batch, self.num_envs
        seats = np.asarray(batch.seats)
        eyes = np.where(seats >= 0, seats, self._actor)
        seen = np.zeros((many, self.observations.size), np.float32)
        mask = np.zeros((many, self.actions.size), np.int8)
        left_out = np.zeros(many, np.int64)
        words = batch.words
        together = np.zeros(many, bool) if words is None else ~np.isin(np.arange(many), batch.alone)
        known = self._rows_known(together, eyes, seats, seen)
        listed = self._options_known(together, mask)
        whole = known if self._row_columns is not None and self._row_columns.is_whole else np.zeros(many, bool)
        for lane in np.flatnonzero(~whole | ~listed):
            machine = batch.machine(int(lane))
            if not whole[lane]:
                self._see(machine, int(eyes[lane]), seen[lane], bool(known[lane]))
            if not listed[lane] and batch.counts[lane]:
                left_out[lane] = self._list(int(lane), machine, mask)
        self._mask = mask
        infos: dict[str, Any] = {"action_mask": mask.copy(), "seat": seats.copy(), "left_out": left_out}
        infos["rewards"] = np.zeros((many, self.players))
        return seen, infos

    def _rows_known(self, together: Any, eyes: Any, seats: Any, seen: Any) -> Any:
        """Writes the observations that rows alone decide; returns the matches that these are of."""
        words, columns = self.batch.words, self._row_columns
        if words is None or columns is None:
            return np.zeros(self.num_envs, bool)
        rows, lanes = self._rows(words), np.flatnonzero(together)
        asked = np.where(seats >= 0, self._asked(words), -1)
        seen[lanes] = columns.observed(rows[lanes], eyes[lanes], seats[lanes], asked[lanes])
        return together

    def _options_known(self, together: Any, mask: Any) -> Any:
        """Writes the options that lie side by side; returns the matches that these are of."""
        words, columns = self.batch.words, self._option_columns
        if words is None or columns is None:
            return np.zeros(self.num_envs, bool)
        counts = np.asarray(self.batch.counts)
        listed = together & (counts <= words.room)
        lanes = np.repeat(np.flatnonzero(listed), counts[listed])
        picks = np.concatenate([np.arange(count) for count in counts[listed]] or [np.zeros(0, np.int64)]).astype(
            np.int64
        )
        kept = np.frombuffer(words.options, np.int64).reshape(self.num_envs, words.room, words.width)
        numbers = columns.numbers(self._asked(words)[lanes], kept[lanes, picks])
        mask[lanes, numbers] = 1
        self._picks[lanes, numbers] = picks
        return listed

    def _rows(self, words: SteppedWords) -> Any:
        return np.frombuffer(words.rows, np.int64).reshape(self.num_envs, words.size)

    def _asked(self, words: SteppedWords) -> Any:
        """Returns the pending choice of each match; any number where there is none."""
        return np.asarray((*words.choices, -1))[self._rows(words)[:, words.question] - 1]

    @cached_property
    def _row_columns(self) -> RowColumns | None:
        words = self.batch.words
        return None if words is None else RowColumns.of(self.observations, self._visibility, words.wide)

    @cached_property
    def _option_columns(self) -> OptionColumns | None:
        return OptionColumns.of(self.actions)

    def _see(self, machine: Machine, seat: int, seen: Any, is_begun: bool) -> None:
        """Writes the observation of a seat in a position; `is_begun` if what everybody sees is there already."""
        position = Position(self._visibility, self._secrets, machine, machine.pending, self._beginning, False)
        rest = self._row_columns.rest if is_begun and self._row_columns is not None else None
        self.observations.put(seen, View.of(position, Seat(seat)), position.choice, rest)

    def _list(self, lane: int, machine: Machine, mask: Any) -> int:
        """Writes the options of a match; returns how many there are that no number is left for."""
        pending = machine.pending
        assert pending is not None
        seat = pending.seats[0]
        options = Options(self.game.ir, self.game.ir.choices[pending.choice], machine, (seat,))
        legal = self.actions.legal(options, seat)
        picks = {answer: pick for pick, answer in enumerate(options.offer(seat).first(MOST))}
        for number, option in legal.options.items():
            mask[lane, number], self._picks[lane, number] = 1, picks[option.answer]
        return legal.left_out


def vector_env(
    game: str | Path | Game,
    many: int,
    players: int | None = None,
    *,
    options: Mapping[str, int | str | bool | None] | None = None,
    rewards: Rewards = "win",
    at_most: int = MOST_CHOICES,
    executor: str | None = None,
) -> ManyMatches:
    """Returns a vector environment of `many` matches of a game, given by name, by the path of a `.rules` file or as a Game.

    The other arguments are those of `adapters.pettingzoo.env`. By default the matches are stepped together in machine code, if
    llvmlite is there.

    >>> environments = vector_env("tests/classics/connect_four.rules", 3)
    >>> observations, infos = environments.reset(seed=7)
    >>> observations.shape, infos["seat"].tolist(), infos["action_mask"][0].tolist()
    ((3, 443), [0, 0, 0], [1, 1, 1, 1, 1, 1, 1])
    >>> observations, rewards, terminated, truncated, infos = environments.step([0, 3, 6])
    >>> infos["seat"].tolist(), rewards.tolist()
    ([1, 1, 1], [0.0, 0.0, 0.0])
    """
    loaded = game if isinstance(game, Game) else load(game)
    chosen = executor or ("native" if find_spec("llvmlite") else AUTO)
    more = {"options": options, "at_most": at_most, "executor": chosen}
    return ManyMatches(loaded, many, players, rewards=rewards, **more)  # type: ignore[arg-type]
