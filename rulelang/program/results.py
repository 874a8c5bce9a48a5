"""The row of a game that is over, or was cut short -> its entries in the columns of many playouts.

result_of(9, row[OUTCOME], row[OUTCOME_VALUE], is_over=True)      # (9, FINISHED, 0b01, 0, WINNER): seat 0 won after 9 choices
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import attrs

from rulelang.ir.numbers import Seat, Slot
from rulelang.program.layout import GROUP, PLAYING, RANKING, SCORE, WINNER

FINISHED, UNFINISHED, FAULT, LEFT_OVER = range(4)
"""The ways in which a playout ends: by the rules, cut short, or by a fault of the rules; the last one is none of these: it has
to be played by another executor."""
RESULTS = 5
"""The number of columns that every playout has."""
PlayoutResult: TypeAlias = tuple[int, int, int, int, int]
"""Its length, the way in which it ended, the mask of its winners, its score, and the code of its outcome."""


def result_of(plies: int, code: int, value: int, *, is_over: bool) -> PlayoutResult:
    """Returns the entries of a playout, from its length and the outcome in its row."""
    if not is_over:
        return plies, UNFINISHED, 0, 0, PLAYING
    winners = value if code == WINNER else value & (1 << GROUP) - 1 if code == RANKING else 0
    return plies, FINISHED, winners, value if code == SCORE else 0, code


@attrs.frozen
class ManyGames:
    """Random games that a machine is asked to play by itself.

    players    how many play; with 0, each game goes on from the machine's row
    options    what is agreed at the table
    base       playout number i draws its answers from `playouts.batch.rng_of(base, i)`
    first      the number of the first playout; there are `many`
    most       the most choices of each
    keys       the keys of their random streams, one playout after the other
    columns    by rule: the column that counts how often it began, -1 if none does; None if nothing is counted
    """

    players: int
    options: Mapping[int, int]
    base: int
    first: int
    many: int
    most: int
    keys: array[int]
    columns: array[int] | None = None

    @property
    def width(self) -> int:
        """The number of columns."""
        return RESULTS if self.columns is None else max(self.columns) + 1

    def left_over(self) -> array[int]:
        """Returns the columns of games that another executor has to play."""
        return array("q", [LEFT_OVER]) * (self.many * self.width)


def in_columns(pieces: Sequence[array[int]]) -> array[int]:
    """Returns the columns of several pieces of many playouts, one after another."""
    if len(pieces) == 1:
        return pieces[0]
    columns = [array("q") for _ in range(RESULTS)]
    for piece in pieces:
        many = len(piece) // RESULTS
        for i, column in enumerate(columns):
            column += piece[many * i : many * (i + 1)]
    return sum(columns[1:], columns[0])


HolderForm: TypeAlias = Literal["value", "mask", "pile"]
"""The forms in which a slot refers to things."""


ParameterForm: TypeAlias = tuple[Literal["value", "mask", "plain"], int]
"""The form of a parameter: a value or a set of values that are written by name, with the list of names; else plain."""


@attrs.frozen
class BranchForm:
    """The way in which answers with one branch are written: a number for its name (0: they are written without it), whether only
    the chooser may know some parameter, whether different answers may be written alike, and the form of each parameter."""

    number: int
    is_secret: bool
    has_copies: bool
    parameters: Sequence[ParameterForm]


@attrs.frozen(eq=False)
class TreeForms:
    """The numbers that tell the nodes of a tree search apart in one game, and the options at a node.

    kinds      by kind and thing: a number for what is printed on it
    zones      the zones in which all see what lies: the slot, its form, and the kind
    names      lists of numbers for the names of values, or of the members of sets
    answers    by choice and branch: how answers are written
    """

    kinds: Sequence[Sequence[int]]
    zones: Sequence[tuple[Slot, HolderForm, int]]
    names: Sequence[Sequence[int]]
    answers: Sequence[Sequence[BranchForm]]

    @property
    def has_secrets(self) -> bool:
        """Whether some answers are not told to all."""
        return any(form.is_secret for forms in self.answers for form in forms)


SeenSlot: TypeAlias = tuple[Slot, Literal["value", "mask", "plain"], int]
"""A slot, the form in which it refers to things, and their kind; plain if it holds a number."""


@attrs.frozen
class TreeSearch:
    """A tree search that a machine is asked for (`lab.mcts`).

    forms      what tells nodes and options apart
    known      by position in which games begin and by seat: the seat's knowledge there, as a number; 0 if it follows from `seen`
    seen       by seat: the slots that it sees there, and the one that searches does not
    games      the number of games
    players    the number of seats; `seat` is the one that chooses
    longest    the most choices of a random game
    breadth    `WIDTH`, which bounds the options that a node considers
    curiosity  the weight of exploration
    rng        the word of its random numbers
    """

    forms: TreeForms
    known: Sequence[Sequence[int]]
    seen: Sequence[Sequence[SeenSlot]]
    games: int
    players: int
    seat: Seat
    longest: int
    breadth: float
    curiosity: float
    rng: int


@attrs.frozen
class ScoreSearch:
    """A tree search by the `score`, in which a few options of the root are tried (`lab.mcts`).

    tree       the search; its number of games does not count
    firsts     by position in which games begin: the answer of each of these options there, None if it is not on offer
    flat       so often an option is tried before the tree grows below it
    ahead      the choices of the one who takes a new option that the policy plays on; `replies` are those of the others
    thought    the words of the policy's thoughts (`lab.policy.Thinks`)
    """

    tree: TreeSearch
    firsts: Sequence[Sequence[tuple[int, ...] | None]]
    flat: int
    ahead: int
    replies: int
    thought: array[int]


@attrs.frozen
class AheadTries:
    """Tries of a few options in re-deals, by the `score` (`lab.planner`).

    seat       the one that chooses
    firsts     by position in which tries begin: the answer of each option there, None if it is not on offer
    ahead      its choices that the policy plays on; `replies` are those of the others
    thought    the words of the policy's thoughts (`lab.policy.Thinks`)
    rng        the word of its random numbers
    """

    seat: Seat
    firsts: Sequence[Sequence[tuple[int, ...] | None]]
    ahead: int
    replies: int
    thought: array[int]
    rng: int


@attrs.frozen
class Tried:
    """An option of the root: its answer, how often it was taken, and the sum of the chooser's rewards."""

    answer: tuple[int, ...]
    taken: int
    won: float


# ------------------------------------------------------------------ re-deals

HeldIn: TypeAlias = tuple[Slot, HolderForm]
"""A slot, and the form in which it refers to things."""


STAYS, OPEN_BOX, CLOSED_BOX = range(3)
"""The hidden places: an ordinary one; and a box from which things were picked unseen, whether one looks into it or not."""


@attrs.frozen
class KindPlan:
    """The deals of the things of one kind that a seat does not know, and what of a row follows from them.

    names      by thing: its name in every deal; its own if that varies
    blocks     things, and as many names, any of which any of them may have
    holders    the slots that refer to any of these things: the slot, its form, and all things that it refers to
    moved      what goes with a name: the first slot of a list by name, the thing, and the value
    """

    names: Sequence[int]
    blocks: Sequence[tuple[Sequence[int], Sequence[int]]]
    holders: Sequence[tuple[Slot, HolderForm, Sequence[int]]]
    moved: Sequence[tuple[int, int, int]]
    words: dict[object, list[int]] = attrs.field(factory=dict, init=False, eq=False, repr=False)
    """A cache of the plan in words, by the machine code that reads them."""


@attrs.frozen
class RedealPlan:
    """The parts of a position that a seat does not know, for a machine that deals them anew by itself
    (`match.redeals.redeal`).

    kinds      by kind with such things: their deals
    cells      the hidden variables, and the values of each
    sealed     the answers under seal, by seat; None for one that may be any
    answers    the options of the seat, which it has in every deal
    others     the other seats that are asked, and the fewest options of each
    """

    seat: Seat
    kinds: Mapping[int, KindPlan]
    cells: Sequence[tuple[Slot, Sequence[int]]]
    sealed: Sequence[tuple[Seat, tuple[int, ...] | None]]
    answers: Sequence[tuple[int, ...]]
    others: Sequence[tuple[Seat, int]]


@attrs.frozen(eq=False)
class KindSight:
    """The places of the things of one kind, for a seat that knows no more of them than it sees.

    classes    by thing: the lowest of those that are printed like it
    places     the first slot of their places; `faces` is that of their faces
    hidden     the slots of the places of which it cannot know everything, with STAYS, OPEN_BOX or CLOSED_BOX
    zones      the slots of all zones of the kind
    speakers   the slots of the variables and locals that refer to things of the kind
    """

    classes: Sequence[int]
    places: int
    faces: int
    hidden: Sequence[tuple[Slot, HolderForm, int]]
    zones: Sequence[HeldIn]
    speakers: Sequence[HeldIn]


@attrs.frozen(eq=False)
class SeatSight:
    """The places of all movable things, for a seat in a match of which it remembers nothing; and the variables that it does
    not see, with the values of each."""

    seat: Seat
    kinds: Sequence[KindSight]
    cells: Sequence[tuple[Slot, Sequence[int]]]


@attrs.frozen
class GreedyChoice:
    """A choice of `lab.greedy` that a machine is asked to make by itself.

    players    the number of seats; `sight` is of the one that chooses
    sealed     the answers under seal, by seat; None for one that may be any
    others     the other seats that are asked, and the fewest options of each
    deals      the number of re-deals in which options are compared
    stay       the fewest options that are compared in all of them
    compared   the most options that are compared
    """

    sight: SeatSight
    players: int
    sealed: Sequence[tuple[Seat, tuple[int, ...] | None]]
    others: Sequence[tuple[Seat, int]]
    deals: int
    stay: int
    compared: int
