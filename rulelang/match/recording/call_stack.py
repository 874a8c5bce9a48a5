"""The open state of a recording: a frame for each running rule, and the event that is being written.

enter(take), enter(refill)        two frames, one open event; `leave` closes the frame, the next rule the event
"""

from __future__ import annotations

from collections.abc import Container, Mapping

import attrs

from rulelang.ir.model import GameRules, Rule
from rulelang.ir.numbers import Mask
from rulelang.knowledge.redaction import EVERYONE, NOBODY, Words
from rulelang.knowledge.rendering import Draft, settled
from rulelang.match.recording.announced import Spoken, named_to
from rulelang.match.recording.events import Change, Drawn, Event, EventForm
from rulelang.match.recording.rule_words import RuleWords
from rulelang.match.recording.viewer_text import deed


@attrs.define(unsafe_hash=True)
class RuleFrame:
    """A running rule, and its first event: a value, not frozen because several are made at each choice."""

    rule: int
    event: int
    call: Words
    spoken: Spoken = attrs.field(factory=dict)
    """The values that its sentence names, and their readers."""
    has_sentence: bool = False
    is_untold: bool = False
    seers: Mask = EVERYONE
    """The viewers who may know that it was called."""
    around: Event | None = None
    """The event that other viewers read instead: a continuation of the caller's event."""
    called: Mask = EVERYONE
    """The viewers who may know of the calls made beside it; restored when it ends."""
    told: frozenset[int] = frozenset()
    """The slots of the variables, and of the places of things, of
    which its sentence has told a change: it tells no second one."""

    def having_told(self, slot: int) -> RuleFrame:
        """Returns the frame with a slot of which it has told a change."""
        # A quarter of the time of `evolve`.
        return RuleFrame(
            self.rule,
            self.event,
            self.call,
            self.spoken,
            self.has_sentence,
            self.is_untold,
            self.seers,
            self.around,
            self.called,
            self.told | {slot},
        )


@attrs.define(eq=False, repr=False)
class OpenEvent:
    """The event that is being written."""

    number: int
    cause: int | None
    depth: int
    rule: str
    what: EventForm
    call: Draft
    sentence: Draft
    clauses: list[str]
    goes_on: bool
    actor: int | None = None
    is_untold: bool = False
    otherwise: Draft = ()
    """The sentence if the rule changes nothing."""
    says_who: bool = False
    own_clauses: tuple[str, ...] = ()
    seers: Mask = EVERYONE
    around: Event | None = None
    still: Mask = EVERYONE
    """The viewers to whom it may still continue, since they have been told of no other event."""
    idle: Mask = NOBODY
    """The viewers to whom it continued until its rule ended."""
    changes: list[Change] = attrs.field(factory=list)
    drawn: list[Drawn] = attrs.field(factory=list)
    settled: set[tuple[int, int]] = attrs.field(factory=set)
    """The things that have moved; the words have settled who knew them."""
    words: RuleWords | None = None
    """The words with which its rule began; as long as nobody came to know more, they are settled."""

    @property
    def names_things(self) -> bool:
        """Whether its words name things, whose names more viewers may come to read."""
        return self.words is not None and self.words.names_things

    def closed(self, game: GameRules) -> Event:
        words = self.words
        is_said = words is not None and self.sentence is words.sentence
        sentence = words.said if words is not None and is_said else settled(self.sentence, game)
        if words is not None and self.call is words.call:
            call, done = words.called, () if sentence else words.done
        else:
            call = settled(self.call, game)
            done = () if sentence or self.actor is None else settled(deed(self.call), game)
        return Event(
            self.number,
            self.cause,
            self.depth,
            self.rule,
            self.what,
            call,
            tuple(self.clauses),
            sentence,
            tuple(self.changes),
            self.goes_on,
            self.actor,
            self.is_untold,
            self.says_who,
            self.own_clauses,
            self.seers,
            self.around,
            settled(self.otherwise, game) if self.idle and self.otherwise else (),
            self.idle,
            done,
        )


def first_event(rule: Rule, frame: RuleFrame, caller: RuleFrame | None, depth: int, words: RuleWords) -> OpenEvent:
    """Returns the first event of a rule that begins."""
    return OpenEvent(
        frame.event,
        None if caller is None else caller.event,
        depth,
        rule.name,
        rule.what,
        words.call,
        words.sentence,
        list(rule.clauses),
        False,
        words.actor,
        frame.is_untold,
        words.otherwise,
        rule.told is not None,
        rule.clauses,
        frame.seers,
        frame.around,
        words=words,
    )


def going_on(game: GameRules, frames: tuple[RuleFrame, ...], number: int) -> OpenEvent:
    """Returns another event of the running rule, or of the game itself if none is running."""
    if not frames:
        return OpenEvent(number, None, 0, game.id, "game", (game.id,), (), [], False)
    frame = frames[-1]
    rule, depth = game.rules[frame.rule], len(frames) - 1
    event = OpenEvent(number, frame.event, depth, rule.name, rule.what, frame.call, (), [], True)
    event.is_untold, event.seers, event.around = frame.is_untold, frame.seers, frame.around
    return event


def saying(frames: tuple[RuleFrame, ...], event: int, sentence: Draft, game: GameRules) -> tuple[RuleFrame, ...]:
    """Returns the frames, that of an event with the readers of the things that its sentence now names."""
    return tuple(
        attrs.evolve(frame, spoken=named_to(frame.spoken, sentence, game)) if frame.event == event else frame
        for frame in frames
    )


def tellers(
    frames: tuple[RuleFrame, ...],
    ended: tuple[RuleFrame, ...],
    rules: Mapping[int, bool],
    slot: int,
    keys: tuple[tuple[str, int], tuple[str, int] | None],
) -> dict[int, Mask]:
    """Returns the frames, by their first events, whose sentences tell a change of a slot, with the readers.

    `rules` are those whose sentences may, and whether they say the amount; `keys` are the new value's and the amount's. A
    number may mean anything, so it counts only if the sentence is the last one before the change.
    """
    found: dict[int, Mask] = {}
    for frame in frames:
        if (key := _key_said(frame, rules, slot, keys)) is not None and (
            key[0] != "number" or frame is _last_to_speak(frames)
        ):
            found[frame.event] = frame.spoken[key]
    for frame in ended:
        if (key := _key_said(frame, rules, slot, keys)) is not None:
            found[frame.event] = frame.spoken[key]
    return found


def _key_said(
    frame: RuleFrame,
    rules: Mapping[int, bool],
    slot: int,
    keys: tuple[tuple[str, int], tuple[str, int] | None],
) -> tuple[str, int] | None:
    """Returns the key of a change under which a rule's sentence names it; None if it does not, or has told one before."""
    key = keys[rules[frame.rule]] if frame.rule in rules and slot not in frame.told else None
    return key if key is not None and key in frame.spoken else None


def _last_to_speak(frames: tuple[RuleFrame, ...]) -> RuleFrame | None:
    """Returns the innermost running rule that has a sentence."""
    return next((frame for frame in reversed(frames) if frame.has_sentence), None)


def having_told(frames: tuple[RuleFrame, ...], rules: Container[int], slot: int) -> tuple[RuleFrame, ...]:
    """Returns the frames, those of some rules with a slot of which they have told a change, or one within them has."""
    return tuple([f.having_told(slot) if f.rule in rules else f for f in frames])
