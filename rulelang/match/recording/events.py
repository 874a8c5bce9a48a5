"""Events as values: rules, their changes and random outcomes, in words for each viewer.

An event is one rule at work: who called it, its sentence, what it changed. When a rule goes on after another that it
called, that is a second event of the same rule, so the order of events is the order in which things happened.

    7 | use(red, nitro) [OS-X.6]        caused by 4, bonus [OS-5.1]
      |   red.push: 0 -> 1
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Literal, TypeAlias

import attrs

from rulelang.ir.model import Ending, RuleForm
from rulelang.ir.numbers import Mask, Seat
from rulelang.knowledge.redaction import EVERYONE, NOBODY, Words, read
from rulelang.machines.chance import DrawForm

ToldForm: TypeAlias = Literal["falls", "rises", "becomes", "holds", "goes", "is shuffled", "is revealed", "is shown to"]
EventForm: TypeAlias = RuleForm | Literal["game"]
ChangeForm: TypeAlias = Literal["set", "move", "shuffle", "reveal", "show", "roll", "pick", "forced", "finish"]


@attrs.frozen
class Told:
    """A change in people's words: `how` is falls, rises, becomes, holds (of a set) or goes; the rest are names."""

    how: ToldForm
    subject: Words
    before: Words = ()
    after: Words = ()
    noun: tuple[str, str] = ("", "")
    """Of a thing: what one and several of its kind are called."""

    def seen(self, viewer: int) -> Told:
        """Returns it as a viewer (a bit) reads it."""
        return Told(
            self.how, _seen(self.subject, viewer), _seen(self.before, viewer), _seen(self.after, viewer), self.noun
        )


@attrs.frozen
class Change:
    """One thing that an event did.

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
    """The viewers to whom a sentence tells as much already, or who need not be told."""
    clauses: tuple[str, ...] = attrs.field(default=(), eq=False, repr=False)
    """Those of the line that does it."""

    def seen(self, viewer: int) -> Change:
        """Returns it as a viewer (a bit) reads it."""
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


@attrs.frozen
class Event:
    """One rule at work."""

    number: int
    cause: int | None
    """The number of the event of the rule that called this one."""
    depth: int
    rule: str
    what: EventForm
    """What its rule is written as; "game" where no rule runs."""
    call: Words
    """`use(red, nitro)`."""
    clauses: tuple[str, ...]
    sentence: Words
    changes: tuple[Change, ...]
    goes_on: bool = False
    """The rule had an event before and goes on with this one."""
    actor: int | None = None
    """Who did it, of what people choose to do."""
    is_untold: bool = False
    """People need not be told of it."""
    says_who: bool = False
    """The sentence names who did it."""
    own_clauses: tuple[str, ...] = attrs.field(default=(), eq=False, repr=False)
    """Those of its rule, whatever it does."""
    seers: Mask = attrs.field(default=EVERYONE, eq=False, repr=False)
    """The viewers who may know that the rule was called."""
    around: Event | None = attrs.field(default=None, eq=False, repr=False)
    """As what the others read its changes: the rule further out, going on."""
    otherwise: Words = attrs.field(default=(), eq=False, repr=False)
    """Its sentence for viewers to whom nothing came of it …"""
    idle: Mask = attrs.field(default=EVERYONE, eq=False, repr=False)
    """… and who have seen nothing else of it either."""

    def changes_for(self, viewer: int) -> list[Change]:
        """Returns the changes of which a viewer (a bit) may know, in full."""
        return [change for change in self.changes if change.seers & viewer]

    def seen(self, viewer: int, changes: tuple[Change, ...] | None = None) -> Event:
        """Returns it as a viewer (a bit) reads it, by itself or with other changes: what it may not know is left out or covered."""
        some = self.changes_for(viewer) if changes is None else changes
        words = self.otherwise if self.otherwise and self.idle & viewer and not some else self.sentence
        return attrs.evolve(
            self,
            call=_seen(self.call, viewer),
            sentence=_seen(words, viewer),
            clauses=tuple(dict.fromkeys((*self.own_clauses, *(clause for c in some for clause in c.clauses)))),
            changes=tuple(_as_one_move(some, viewer)),
            seers=EVERYONE,
            around=None,
            otherwise=(),
        )

    @property
    def text(self) -> str:
        """The sentence, or the call where it has none."""
        return read(self.sentence) or read(self.call)


def _as_one_move(changes: Iterable[Change], viewer: int) -> Iterator[Change]:
    """Yields changes as a viewer reads them: of things moved together, or shown together, those it knows first.

    The rules go over things in the order of their declaration; where a back stands among them would tell what it is.
    """
    for _, simultaneous in groupby(changes, key=_alike):
        seen = [(read(c.subject, viewer) != read(c.subject), c.seen(viewer)) for c in simultaneous]
        yield from (change for _, change in sorted(seen, key=lambda pair: (pair[0], read(pair[1].after) * pair[0])))


def _alike(change: Change) -> object:
    """Returns a key that changes share whose order is that of their things."""
    match change.what:
        case "move":
            return change.what, change.before, change.after
        case "show":
            return change.what
        case _:  # any other change is one of its own
            return id(change)


def _seen(words: Words, viewer: int) -> Words:
    return (read(words, viewer),) if words else ()


@attrs.frozen
class Drawn:
    """A random outcome: `what` is roll, pick or shuffle; `values` are written, a pile's from its top."""

    what: DrawForm
    stream: str
    values: tuple[str, ...]
    pile: str = ""
    seers: Mask = EVERYONE
    """The viewers who may know it. That something was drawn is public."""


@attrs.frozen
class Taken:
    """An answer: the choice's stable name, its written form, whose."""

    seat: Seat
    choice: str
    option: Words
    sealed: bool = False
    elapsed: int | None = None
    """What a person's clock showed, where the choice runs against one."""


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

    `kind` is winner, ranking, score or lost. `winners` are seats; `ranking` holds groups of seats, best first, ties in one
    group; `scores` has one number a seat where the rules say what `score` is, or the one number of `finish with score`.
    A `score` may be worked out from what is hidden: `seers` may know all of them, the others read none.
    """

    kind: Ending
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
"""What a journal holds, in order: inputs (Taken, Drawn, Undone), what came of them, and the end."""
