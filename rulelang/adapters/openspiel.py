"""A game as a game of OpenSpiel, registered under a name of its own, with explicit chance.

    kuhn = game("tests/classics/kuhn.rules")      rulelang_kuhn_…
    state = kuhn.new_initial_state()
    state.chance_outcomes()                       the outcomes by their positions, with their probabilities

Seats that are asked at the same time act one after the other, without seeing each other's sealed
answers. A state is a match at its present position and the inputs that led there: a value that
copies share, and that is serialised by its inputs. What a seat has seen is looked up in a match
that records it, which is made when an information state or an observation is asked for.

Invariant: an information state is `Match.information`, so it holds all that the seat has seen and chosen, and no more.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, TypeVar

import attrs
import numpy as np

from rulelang.adapters.actions import Actions
from rulelang.adapters.observations import Observations
from rulelang.adapters.rewards import Rewards, bounds_of, checked_rewards, rewards_of
from rulelang.api import Game, Match, load
from rulelang.errors import InvalidInput, RuntimeRules
from rulelang.ir.numbers import Seat
from rulelang.ir.picks import die_of
from rulelang.ir.types import SET_LIMIT
from rulelang.knowledge.guesses import Rng
from rulelang.match.chance_outcomes import Possible
from rulelang.match.inputs import whole
from rulelang.match.options.option import Option
from rulelang.match.state import BUDGET
from rulelang.playouts.playout import MOST_CHOICES

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"{error}: pip install 'rulelang[openspiel]'", name=error.name) from None

Kept = TypeVar("Kept")
Input: TypeAlias = int | tuple[int, tuple[int, ...]]
"""A random outcome, or a seat and its answer."""
RECALLED = 128
"""The bits of an information state that stand for the past."""
KEPT = 16_384
"""The number of courses, and of matches with a record, that are kept to go on from."""


@attrs.frozen(eq=False, slots=False)
class Setup:
    """A registered game: the rules, the number of players, the agreed options and the rewards."""

    game: Game
    players: int
    options: Mapping[str, int | str | bool | None]
    rewards: Rewards
    at_most: int
    courses: OrderedDict[tuple[Input, ...], SpielCourse] = attrs.field(factory=OrderedDict, init=False, repr=False)
    """The cached courses, by their inputs, because a traversal of the tree returns to them."""
    _told: OrderedDict[tuple[Input, ...], Match] = attrs.field(factory=OrderedDict, init=False, repr=False)

    @cached_property
    def name(self) -> str:
        """The name under which OpenSpiel knows it: the rules and the rest of the setup have a part in it."""
        of = (self.game.rules_hash, self.players, sorted(self.options.items()), self.rewards, self.at_most)
        names = "_".join((self.game.id, *self.game.variants))
        return f"rulelang_{names}_{hashlib.sha256(repr(of).encode()).hexdigest()[:8]}"

    @cached_property
    def actions(self) -> Actions:
        """The numbers of the actions."""
        return Actions(self.game.ir)

    @cached_property
    def layout(self) -> Observations:
        """The layout of observations."""
        return Observations(self.start.visibility)

    @cached_property
    def start(self) -> Match:
        """The match at its beginning, without a record."""
        return self._begun(traced=False)

    @cached_property
    def begun(self) -> SpielCourse:
        """The course with which every state begins."""
        return SpielCourse(self, self.start)

    @cached_property
    def _told_start(self) -> Match:
        return self._begun(traced=True)

    def _begun(self, *, traced: bool) -> Match:
        return self.game.start(self.players, 0, self.options, explicit_chance=True, traced=traced)

    def __deepcopy__(self, memo: object) -> Setup:
        return self

    def __reduce__(self) -> tuple[Callable[[str], Setup], tuple[str]]:
        return setup_called, (self.name,)

    def told(self, inputs: tuple[Input, ...]) -> Match:
        """Returns the match after some inputs, with a record of what each seat has seen."""
        known = len(inputs)
        while known and inputs[:known] not in self._told:
            known -= 1
        match = self._told[inputs[:known]] if known else self._told_start
        for at in range(known, len(inputs)):
            match = match.fork()
            entered(match, inputs[at])
            keep(self._told, inputs[: at + 1], match)
        return match


def keep(kept: OrderedDict[tuple[Input, ...], Kept], inputs: tuple[Input, ...], one: Kept) -> None:
    """Keeps one thing by its inputs, and lets the oldest go where there are too many."""
    kept[inputs] = one
    if len(kept) > KEPT:
        kept.popitem(last=False)


REGISTERED: dict[str, Setup] = {}
"""The games that are registered with OpenSpiel, by their names there."""


def setup_called(name: str) -> Setup:
    """Returns a registered game. Raises InvalidInput for one that this process has not registered."""
    if name not in REGISTERED:
        raise InvalidInput(f"OpenSpiel knows no {name!r} in this process: call rulelang.adapters.openspiel.game first")
    return REGISTERED[name]


def entered(match: Match, given: Input) -> None:
    """Plays one input: a random outcome, or an answer."""
    if isinstance(given, int):
        match.play_chance(given)
    else:
        seat, answer = given
        match.push(match.options.option(Seat(seat), answer))


@attrs.frozen(eq=False, slots=False)
class SpielCourse:
    """The position of a state: the match, and the inputs since the beginning, or since the re-deal that it began with.

    A value that states share: nobody plays its match on.
    """

    setup: Setup
    match: Match
    inputs: tuple[Input, ...] = ()
    dealt: Match | None = None
    """The re-deal with which it began, with a record; None if it began as every match."""
    fault: str = ""
    """The fault of the rules that ended it."""
    choices: int = 0
    """The number of answers so far."""
    _known: dict[int, str] = attrs.field(factory=dict, init=False)

    def __deepcopy__(self, memo: object) -> SpielCourse:
        return self

    def __reduce__(self) -> tuple[Callable[..., SpielCourse], tuple[Setup, tuple[Input, ...]]]:
        if self.dealt is not None:
            raise TypeError("a re-deal without a course of its own cannot be serialised")
        return course_after, (self.setup, self.inputs)

    @cached_property
    def legal(self) -> Mapping[int, Option]:
        """The legal actions of the seat that is asked."""
        asked = self.match.to_move
        return self.setup.actions.legal(self.match.options, asked[0]).options if asked else {}

    @cached_property
    def chance(self) -> tuple[Possible, ...]:
        """The random outcomes that are waited for."""
        return self.match.chance

    @cached_property
    def seat(self) -> int:
        """The seat that acts, or what OpenSpiel has for chance and the end."""
        if self.match.internals.needs is not None:
            return int(pyspiel.PlayerId.CHANCE)
        is_over = not self.match.to_move or bool(self.fault) or self.choices >= self.setup.at_most
        return int(pyspiel.PlayerId.TERMINAL) if is_over or not self.legal else self.match.to_move[0]

    def after(self, action: int) -> SpielCourse:
        """Returns the course after an action, or after a random outcome by its position."""
        if self.chance:
            return self.entered(self.chance[action].outcome)
        option = self.legal[action]
        return self.entered((option.seat, option.answer))

    def entered(self, given: Input) -> SpielCourse:
        """Returns the course after an input. A fault of the rules ends the game."""
        inputs, kept = (*self.inputs, given), self.setup.courses
        if self.dealt is None and inputs in kept:
            return kept[inputs]
        match, fault = self.match.fork(), ""
        try:
            entered(match, given)
        except RuntimeRules as error:
            fault = str(error)
        choices = self.choices + (not isinstance(given, int))
        found = SpielCourse(self.setup, match, inputs, self.dealt, fault, choices)
        if self.dealt is None:
            keep(kept, inputs, found)
        return found

    @cached_property
    def told(self) -> Match:
        """The match with a record of what each seat has seen; read only."""
        inputs = self.inputs[:-1] if self.fault else self.inputs
        if self.dealt is None:
            return self.setup.told(inputs)
        match = self.dealt.fork()
        for given in inputs:
            entered(match, given)
        return match

    def information(self, seat: int) -> str:
        """Returns a text that is the same where a seat has seen and chosen the same."""
        if seat not in self._known:
            self._known[seat] = f"{self.match.seats[seat]}: {_digest(self.told.information(seat))}"
        return self._known[seat]


def course_after(setup: Setup, inputs: tuple[Input, ...]) -> SpielCourse:
    """Returns the course after some inputs."""
    if inputs in setup.courses:
        return setup.courses[inputs]
    course = setup.begun
    for given in inputs:
        course = course.entered(given)
    return course


class SpielGame(pyspiel.Game):
    """A game of OpenSpiel; each game that is registered is a subclass with a `setup` of its own."""

    setup: ClassVar[Setup]

    def __init__(self, params: Any = None) -> None:
        super().__init__(type_of(self.setup), info_of(self.setup), params or {})

    def new_initial_state(self) -> SpielState:
        """Returns the state in which a match begins."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """Returns an observer: of information states with perfect recall, of the present position without."""
        if params:
            raise InvalidInput(f"an observer takes no parameters, not {sorted(params)}")
        return SpielObserver(self.setup, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))

    def max_chance_nodes_in_history(self) -> int:
        """Returns the most random outcomes of a game: as many as may be, for each choice."""
        return self.setup.at_most * 64 if self.setup.game.ir.streams else 0


class SpielState(pyspiel.State):
    """A state of a match. Its one attribute is a value, so a copy copies nothing."""

    def __init__(self, game: SpielGame, course: SpielCourse | None = None) -> None:
        super().__init__(game)
        self.course = course or game.setup.begun

    def current_player(self) -> int:
        """Returns the seat that acts, or what OpenSpiel has for chance and the end."""
        return self.course.seat

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.course.legal) if player == self.course.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns the positions of the random outcomes, with their probabilities."""
        return [(number, float(one.probability)) for number, one in enumerate(self.course.chance)]

    def _apply_action(self, action: int) -> None:
        self.course = self.course.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            chance = self.course.chance
            if action >= len(chance):
                return f"outcome {action}"
            text = chance[action].text
            same = [number for number, one in enumerate(chance) if one.text == text]
            return text if len(same) == 1 else f"{text}#{same.index(action) + 1}"
        legal = self.course.legal if player == self.course.seat else {}
        return legal[action].text if action in legal else self.course.setup.actions.text(action)

    def is_terminal(self) -> bool:
        """Returns whether the game is over, was cut short, or ended by a fault of the rules."""
        return self.course.seat == int(pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """Returns the rewards of the seats; 0 for each as long as the game goes on."""
        setup = self.course.setup
        return list(rewards_of(self.course.match.outcome, setup.players, setup.rewards))

    def __str__(self) -> str:
        match, course = self.course.match, self.course
        asked = ", ".join(match.seats[seat] for seat in match.to_move) or ("chance" if course.chance else "nobody")
        position = _digest((match.position.row, course.inputs[-1:], course.fault))
        return f"{asked} after {len(course.inputs)} inputs, position {position}"


class SpielObserver:
    """An observer of OpenSpiel: the information state of a seat, or what it sees now."""

    def __init__(self, setup: Setup, kind: Any) -> None:
        self._setup, self._recalls = setup, bool(kind.perfect_recall)
        self._is_private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not kind.public_info:
            raise InvalidInput("what a seat sees cannot be taken apart into public and private things")
        seen, past = setup.layout.size, RECALLED if self._recalls and self._is_private else 0
        self.tensor = np.zeros(seen + past, np.float32)
        self.dict = {part.name: part.of(self.tensor[:seen]) for part in setup.layout.parts}
        if past:
            self.dict["past"] = self.tensor[seen:]

    def set_from(self, state: Any, player: int) -> None:
        """Sets the tensor to the observation of a seat: `Observations` has the layout.

        With perfect recall, bits follow that are the same for equal pasts only: two states have equal tensors if they are one
        information state, however long the game is.
        """
        course: SpielCourse = state.course
        match, seen = course.told, self._setup.layout.size
        self.tensor[:seen] = self._setup.layout.of(match.view(player), match.choice)
        if len(self.tensor) > seen:
            past = bytes.fromhex(course.information(player)[-RECALLED // 4 :])
            self.tensor[seen:] = np.unpackbits(np.frombuffer(past, np.uint8))

    def string_from(self, state: Any, player: int) -> str:
        """Returns the information state of a seat, or with no perfect recall what it sees now."""
        course: SpielCourse = state.course
        if self._recalls and self._is_private:
            return course.information(player)
        match = course.told
        if self._recalls:
            return f"{match.seats[player]}: {_digest(match.information(None))}"
        view = match.view(player if self._is_private else None)
        cells = [f"{seen.name}={seen.text}" for seen in view.variables]
        cells += [f"{heap.name}={','.join(name or '?' for name in heap.things)}" for heap in view.zones]
        asked = ",".join(match.seats[one] for one in view.to_move)
        answered = ",".join(match.seats[one] for one in view.answered)
        return f"{match.seats[player]} asked={asked} answered={answered} own={view.answer} {' '.join(cells)}"


def _digest(information: object) -> str:
    """Returns a text that is the same for equal information only."""
    return hashlib.sha256(repr(information).encode()).hexdigest()[:32]


# ------------------------------------------------------------------ registration


def game(
    game: str | Path | Game,
    players: int | None = None,
    *,
    options: Mapping[str, int | str | bool | None] | None = None,
    rewards: Rewards = "win",
    at_most: int = MOST_CHOICES,
) -> Any:
    """Returns a game of OpenSpiel, registered there under a name that its rules and arguments decide.

    `game` is a name, the path of a `.rules` file, or a Game; `players` defaults to the fewest that it allows. `rewards` are
    "win", "score" or "margin" (`adapters.rewards`); a match is over, and worth 0 to all, after `at_most` choices.

    >>> kuhn = game("tests/classics/kuhn.rules")
    >>> state = kuhn.new_initial_state()
    >>> state.is_chance_node(), len(state.chance_outcomes())
    (True, 3)
    """
    loaded = game if isinstance(game, Game) else load(game)
    paid = checked_rewards(rewards, loaded.ir)
    low, _ = loaded.players
    count = low if players is None else players
    setup = Setup(loaded, count, dict(options or {}), paid, whole(at_most, "a number of choices"))
    _ = setup.start  # raises for an impossible number of players or option
    if setup.name not in REGISTERED:
        REGISTERED[setup.name] = setup
        # OpenSpiel lets go of it when the interpreter has ended already. That is no harm to a class, which nothing frees.
        pyspiel.register_game(type_of(setup), type(setup.name, (SpielGame,), {"setup": setup}))
    return pyspiel.load_game(setup.name)


def type_of(setup: Setup) -> Any:
    """Returns the facts about a game that OpenSpiel wants before one is made."""
    kinds, rules = pyspiel.GameType, setup.game.ir
    is_open = (
        all(state.visible == "all" for state in rules.states)
        and all(zone.visible == "all" for zone in rules.zones)
        and not any(choice.sealed for choice in rules.choices)
        and not any(name.startswith("shuffle ") for name in rules.streams)
    )
    *_, total = bounds_of(rules, setup.players, setup.rewards)
    return kinds(
        short_name=setup.name,
        long_name=setup.game.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if rules.streams else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION if is_open else kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if total == 0 else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=setup.players,
        min_num_players=setup.players,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
    )


def info_of(setup: Setup) -> Any:
    """Returns the bounds of a game: of its actions, its random outcomes, its rewards and its length."""
    low, high, total = bounds_of(setup.game.ir, setup.players, setup.rewards)
    return pyspiel.GameInfo(
        num_distinct_actions=setup.actions.size,
        max_chance_outcomes=most_outcomes(setup.game),
        num_players=setup.players,
        min_utility=low,
        max_utility=high,
        utility_sum=total,
        max_game_length=setup.at_most,
    )


def most_outcomes(game: Game) -> int:
    """Returns a bound of the number of outcomes that are possible at one time; 0 in a game without chance."""
    rules = game.ir
    if not rules.streams:
        return 0
    faces = [len(set(die.faces)) for die in rules.dice]
    kinds = [kind.size for kind in rules.kinds]
    piles = {f"shuffle {zone.name}" for zone in rules.zones}
    picked = game.internals.layout.picked
    others = any(
        name not in piles and at not in picked and die_of(rules, at) is None for at, name in enumerate(rules.streams)
    )
    return max([*faces, *kinds, SET_LIMIT if others else 1])


# ------------------------------------------------------------------ re-deals


def resampler(rng: Rng, *, budget: int = BUDGET) -> Callable[[Any, int], SpielState]:
    """Returns a function for `set_resampler` of OpenSpiel's search in information sets (`python/algorithms/ismcts.py`).

    It draws, for a state and a player, another state that the player cannot tell from it. Where a course of the match that fits
    is found within the budget, it is replayed, so the others know their own secrets in it too; else the state begins with a
    re-deal of what the player knows of each thing (`Match.redeal`), in which the past can be read by the player only.
    """
    return partial(resampled, rng=rng, budget=budget)


def resampled(state: Any, player: int, *, rng: Rng, budget: int = BUDGET) -> SpielState:
    """Returns another state that a player cannot tell from one; see `resampler`."""
    from rulelang.adapters.replaying import inputs_of

    course: SpielCourse = state.course
    told = course.told
    inputs = inputs_of(told, Seat(player), rng, budget, course.setup.start)
    game = state.get_game()
    if inputs is not None and _is_alike(course, inputs, player):
        return SpielState(game, course_after(course.setup, inputs))
    dealt = told.redeal(player, rng, budget=0, traced=True)
    return SpielState(game, SpielCourse(course.setup, dealt.fork(traced=False), dealt=dealt))


def _is_alike(course: SpielCourse, inputs: tuple[Input, ...], player: int) -> bool:
    """Returns whether a player has seen and chosen the same after other inputs."""
    return course_after(course.setup, inputs).information(player) == course.information(player)
