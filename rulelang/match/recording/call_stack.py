"""The open state of a recording: a frame for each running rule, and the event that is being written.

enter(take), enter(refill)        two frames, one open event; `leave` closes the frame, the next rule the event
"""

from __future__ import annotations

from collections.abc import Container, Mapping

import attrs

from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Mask
from rulelang.knowledge.redaction import EVERYONE, NOBODY, Words
from rulelang.knowledge.rendering import Draft, settled
from rulelang.match.recording.announced import Spoken, named_to
from rulelang.match.recording.events import Change, Drawn, Event
from rulelang.match.recording.rule_words import NO_WORDS, RuleWords
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
    frame: RuleFrame | None
    """The frame of its rule, as it was when the event began; None for an event of the game itself."""
    words: RuleWords
    """The words with which its rule began, which are settled as long as nobody has come to know more."""
    call: Draft
    sentence: Draft
    clauses: tuple[str, ...]
    goes_on: bool = False
    changes: list[Change] = attrs.field(factory=list)
    drawn: tuple[Drawn, ...] = ()
    still: Mask = EVERYONE
    """The viewers to whom it may still continue, since they have been told of no other event."""
    idle: Mask = NOBODY
    """The viewers to whom it continued until its rule ended."""
    settled: frozenset[tuple[int, int]] = frozenset()
    """The things that have moved; the words have settled who knew them."""

    @property
    def seers(self) -> Mask:
        """The viewers who may know that its rule was called."""
        return EVERYONE if self.frame is None else self.frame.seers

    def closed(self, game: GameRules) -> Event:
        """Returns the finished event."""
        frame, words, call, done = self.frame, self.words, self.call, self.words.done
        rule = None if frame is None else game.rules[frame.rule]
        sentence = words.said if self.sentence is words.sentence else settled(self.sentence, game)
        if call is words.call:
            call = words.called
        else:
            done = () if words.actor is None else settled(deed(call), game)
            call = settled(call, game)
        own = None if self.goes_on else rule
        return Event(
            self.number,
            self.cause,
            self.depth,
            game.id if rule is None else rule.name,
            "game" if rule is None else rule.what,
            call,
            self.clauses,
            sentence,
            tuple(self.changes),
            self.goes_on,
            words.actor,
            frame is not None and frame.is_untold,
            own is not None and own.told is not None,
            () if own is None else own.clauses,
            self.seers,
            None if frame is None else frame.around,
            settled(words.otherwise, game) if words.otherwise and self.idle else (),
            self.idle,
            () if sentence else done,
        )


def begun(
    game: GameRules,
    frames: tuple[RuleFrame, ...],
    rule: int,
    number: int,
    words: RuleWords,
    seers: tuple[Mask, Mask, Event | None],
) -> tuple[RuleFrame, OpenEvent]:
    """Returns the frame of a rule that begins and its first event, which has a number.

    `seers` are `RuleFrame.called`, its `seers` and `around`.
    """
    about, (called, aware, around) = game.rules[rule], seers
    cause, untold = (frames[-1].event, frames[-1].is_untold) if frames else (None, False)
    said = words.called, words.spoken, words.has_sentence
    frame = RuleFrame(rule, number, *said, about.untold or untold, aware, around, called)
    return frame, OpenEvent(number, cause, len(frames), frame, words, words.call, words.sentence, about.clauses)


def going_on(game: GameRules, frames: tuple[RuleFrame, ...], number: int) -> OpenEvent:
    """Returns another event of the running rule, or of the game itself if none is running."""
    if not frames:
        return OpenEvent(number, None, 0, None, NO_WORDS, (game.id,), (), ())
    frame = frames[-1]
    return OpenEvent(number, frame.event, len(frames) - 1, frame, NO_WORDS, frame.call, (), (), True)


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
