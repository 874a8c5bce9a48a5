"""Events as values: rules, their changes and random outcomes, in words for each viewer.

An event is one application of a rule: its caller, its sentence, its changes. When a rule continues after another that
it called, this is a second event of the same rule, so the order of events is the order in which things happened.

    7 | use(red, nitro) [OS-X.6]        caused by 4, bonus [OS-5.1]
      |   red.push: 0 -> 1
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Literal, TypeAlias

import attrs

from rulelang.ir.model import EndForm, RuleForm
from rulelang.ir.numbers import Mask, Seat
from rulelang.knowledge.redaction import EVERYONE, NOBODY, Words, read
from rulelang.machines.chance import DrawForm

ToldForm: TypeAlias = Literal[
    "falls", "rises", "becomes", "is so", "holds", "goes", "is shuffled", "is revealed", "is shown to"
]
EventForm: TypeAlias = RuleForm | Literal["game"]
AnsweredBy: TypeAlias = Literal["clock", "standing"]
"""The reasons for which the table answers in a seat's place: its time is up, or it said so beforehand."""
ChangeForm: TypeAlias = Literal["set", "move", "shuffle", "reveal", "show", "roll", "pick", "forced", "finish"]


@attrs.frozen
class Told:
    """A change in words for people: `how` is falls, rises, becomes, is so (for a flag of somebody, whose name then is
    `before`), holds (for a set) or goes; the rest are names."""

    how: ToldForm
    subject: Words
    before: Words = ()
    after: Words = ()
    noun: tuple[str, str] = ("", "")
    """For a thing: the names of one and of several of its kind."""

    def seen(self, viewer: int) -> Told:
        """Returns the words as a viewer (a bit) reads them."""
        return Told(
            self.how, _seen(self.subject, viewer), _seen(self.before, viewer), _seen(self.after, viewer), self.noun
        )


@attrs.define(unsafe_hash=True)
class Change:
    """One change that an event made: a value, not frozen because several are made at each choice.

    what      subject            before -> after
    set       red.fuel           3 -> 4
    move      nitro              bonuses -> red.tokens (or: -> stack bottom)
    shuffle   bonuses
    reveal    nitro
    show      nitro              -> red
    roll      yellow             -> 3
    pick      hidden#1           -> nitro
    forced    red                -> take(1)
    finish    winner             -> red
    """

    what: ChangeForm
    subject: Words
    before: Words = ()
    after: Words = ()
    seers: Mask = EVERYONE
    """The viewers who may know that it happened at all."""
    told: Told | None = None
    covered: Mask = NOBODY
    """The viewers who need not be told, because a sentence has told them as much, say."""
    clauses: tuple[str, ...] = attrs.field(default=(), eq=False, repr=False)
    """The clauses of the line that made the change."""

    def citing(self, clauses: tuple[str, ...]) -> Change:
        """Returns the change as a line that cites clauses made it."""
        return Change(self.what, self.subject, self.before, self.after, self.seers, self.told, self.covered, clauses)

    def seen(self, viewer: int) -> Change:
        """Returns the change as a viewer (a bit) reads it."""
        told = None if self.told is None else self.told.seen(viewer)
        subject, before, after = (_seen(words, viewer) for words in (self.subject, self.before, self.after))
        covered = EVERYONE if self.covered & viewer else NOBODY
        return Change(self.what, subject, before, after, told=told, covered=covered, clauses=self.clauses)

    @property
    def text(self) -> str:
        """`red.fuel: 3 -> 4`."""
        subject, before, after = read(self.subject), read(self.before), read(self.after)
        if self.what in ("set", "move"):
            return f"{subject}: {before} -> {after}"
        return f"{self.what} {subject}" + (f" -> {after}" if after else "")


@attrs.define(unsafe_hash=True)
class Event:
    """One application of a rule: a value, not frozen because several are made at each choice."""

    number: int
    cause: int | None
    """The number of the event of the rule that called this one."""
    depth: int
    rule: str
    what: EventForm
    """The form in which its rule is written; "game" if no rule is running."""
    call: Words
    """`use(red, nitro)`."""
    clauses: tuple[str, ...]
    sentence: Words
    changes: tuple[Change, ...]
    goes_on: bool = False
    """Whether its rule has had an event before, which this one continues."""
    actor: int | None = None
    """The seat that did it, for actions that people choose."""
    is_untold: bool = False
    """Whether people need not be told of it."""
    says_who: bool = False
    """Whether the sentence names the actor."""
    own_clauses: tuple[str, ...] = attrs.field(default=(), eq=False, repr=False)
    """The clauses of the rule as a whole."""
    seers: Mask = attrs.field(default=EVERYONE, eq=False, repr=False)
    """The viewers who may know that the rule was called."""
    around: Event | None = attrs.field(default=None, eq=False, repr=False)
    """The event that other viewers read instead: a continuation of the caller's event, with the changes of this one."""
    otherwise: Words = attrs.field(default=(), eq=False, repr=False)
    """The sentence for viewers to whom the rule changed nothing that they can see …"""
    idle: Mask = attrs.field(default=EVERYONE, eq=False, repr=False)
    """… and who have seen no other event of the rule."""
    deed: Words = attrs.field(default=(), eq=False, repr=False)
    """What the actor did if the rules have no sentence for it, in names: `take silk lot 20`."""

    def changes_for(self, viewer: int) -> list[Change]:
        """Returns the changes that a viewer (a bit) may know, in full."""
        return [change for change in self.changes if change.seers & viewer]

    def seen(self, viewer: int, changes: tuple[Change, ...] | None = None) -> Event:
        """Returns the event as a viewer (a bit) reads it, with its
        own or other changes; secrets are left out or covered."""
        some = self.changes_for(viewer) if changes is None else changes
        words = self.otherwise if self.otherwise and self.idle & viewer and not some else self.sentence
        return attrs.evolve(
            self,
            call=_seen(self.call, viewer),
            sentence=_seen(words, viewer),
            deed=_seen(self.deed, viewer),
            clauses=tuple(dict.fromkeys((*self.own_clauses, *(clause for c in some for clause in c.clauses)))),
            changes=tuple(_as_one_move(some, viewer)),
            seers=EVERYONE,
            around=None,
            otherwise=(),
        )

    @property
    def text(self) -> str:
        """The sentence, or the call if there is none."""
        return read(self.sentence) or read(self.call)


def _as_one_move(changes: Iterable[Change], viewer: int) -> Iterator[Change]:
    """Yields changes as a viewer reads them: among things moved or shown together, the known ones come first.

    The rules iterate over things in the order of their declaration, so the position of a back would reveal what it is.
    """
    for _, simultaneous in groupby(changes, key=_alike):
        seen = [(read(c.subject, viewer) != read(c.subject), c.seen(viewer)) for c in simultaneous]
        yield from (change for _, change in sorted(seen, key=lambda pair: (pair[0], read(pair[1].after) * pair[0])))


def _alike(change: Change) -> object:
    """Returns a key that is equal for changes whose order follows that of their things."""
    match change.what:
        case "move":
            return change.what, change.before, change.after
        case "show":
            return change.what
        case _:  # any other change stands alone
            return id(change)


def _seen(words: Words, viewer: int) -> Words:
    return (read(words, viewer),) if words else ()


@attrs.frozen
class Drawn:
    """A random outcome: `what` is roll, pick or shuffle; `values` are written, a pile's from its top."""

    what: DrawForm
    stream: str
    """The stream that it was drawn from, which tells whose it is."""
    values: tuple[str, ...]
    called: str = ""
    """What was drawn, as everybody may know it: the die, the pile, a pick's stream without its owner."""
    seers: Mask = EVERYONE
    """The viewers who may know it."""
    aware: Mask = EVERYONE
    """The viewers who may know that something was drawn."""


@attrs.frozen
class Taken:
    """An answer: the seat, the choice's stable name, the option's written form."""

    seat: Seat
    choice: str
    option: Words
    sealed: bool = False
    elapsed: int | None = None
    """The reading of a person's clock, if the choice runs against one."""
    private: bool = False
    """Whether nobody else learns that it was asked for."""
    by: AnsweredBy | None = None
    """The reason why the table gave it in the seat's place, if it did."""


@attrs.frozen
class Undone:
    """An undo: everything from the input with number `to` on is taken back."""

    to: int


@attrs.frozen
class Fault:
    """The rules went wrong after the last input, which is taken back."""

    message: str


@attrs.frozen
class Outcome:
    """The outcome of a game.

    `kind` is winner, ranking, score, lost, or undecided: the rules ran out without a `finish`. `winners` are seats;
    `ranking` holds groups of seats, best first, ties in one group; `scores` has one number for each seat if the rules
    define `score`, or the one number of `finish with score`, which all seats share. A `score` may be computed from hidden
    things: `seers` may know all scores, other viewers none.
    """

    kind: EndForm
    winners: tuple[int, ...] = ()
    ranking: tuple[tuple[int, ...], ...] = ()
    scores: tuple[int, ...] = ()
    rule: str = ""
    clauses: tuple[str, ...] = ()
    seers: Mask = attrs.field(default=EVERYONE, eq=False, repr=False)

    def seen(self, viewer: int) -> Outcome:
        """Returns the outcome as a viewer (a bit) reads it: without the scores that it may not know."""
        known = self.seers == EVERYONE or self.seers & viewer
        return self if known else attrs.evolve(self, scores=(), seers=EVERYONE)


Entry = Taken | Drawn | Undone | Fault | Event | Outcome
"""An entry of a journal: an input (Taken, Drawn, Undone), an event or a fault that followed, or the outcome."""
