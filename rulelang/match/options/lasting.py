"""Options that read alike in every position: each is made once for all matches of a game.

    drop(4)        "Drop into column 4"            lasts
    buy(red)       "Buy red for {price(red)}"      does not: its label depends on the position

A program that lists the options at every choice mostly gets the same few dozen again and again.
"""

from __future__ import annotations

import attrs

from rulelang.ir.facts import kind_of
from rulelang.ir.model import BeginBody, Branch, Choice, Const, Counted, GameRules, Local, Template
from rulelang.ir.numbers import Seat
from rulelang.ir.walk import walk
from rulelang.knowledge.redaction import EVERYONE, read, written_answer
from rulelang.knowledge.rendering import Scene
from rulelang.knowledge.visibility import Visibility
from rulelang.machines.machine import Answer
from rulelang.match.options.explain import bound, named_option
from rulelang.match.options.namesakes import may_share
from rulelang.match.options.option import Option, Wording

MOST_KEPT = 1_000
"""The most options of a seat in a choice that are kept."""
MOST_WRITTEN = 20_000
"""The most answers of a game whose written forms are kept."""


class LastingWords(Wording):
    """The words of the options of a choice that read alike in every position."""

    __slots__ = ("_visibility",)
    is_labelled = True

    def __init__(self, visibility: Visibility, choice: Choice) -> None:
        super().__init__(visibility.game, choice)
        # A copy without its caches, in which the options are kept: there is to be no cycle.
        self._visibility = attrs.evolve(visibility)

    def written(self, option: Option) -> str:
        """Returns an option's written form."""
        return written_once(self._visibility, self.choice, option.answer)

    def label(self, option: Option) -> str:
        """Returns an option's label for people."""
        branch = self.choice.branches[option.answer[0]]
        template = self.game.rules[branch.rule].label
        if branch.declines or template is None:
            return named_option(self.game, self.choice, option)
        own = bound(branch, option)
        own |= {chooser.id: option.seat for chooser in (self.choice.variable, self.choice.actor) if chooser is not None}
        parameters = self.game.rules[branch.rule].parameters
        given = (one.value if isinstance(one, Const) else own[one.id] for one in _arguments(branch) or ())
        own |= {parameter.id: value for parameter, value in zip(parameters, given, strict=False)}
        scene = Scene(self._visibility, [], None, own, dict.fromkeys(own, EVERYONE))
        return read(scene.words(template), self._visibility.bit(option.seat))


class LastingOptions(dict[Answer, Option]):
    """A seat's options of a choice by answer, each made when it is first asked for."""

    def __init__(self, words: LastingWords, seat: Seat) -> None:
        super().__init__()
        self._words, self._seat = words, seat

    def __missing__(self, answer: Answer) -> Option:
        option = self._words.option(self._seat, answer)
        if len(self) < MOST_KEPT:
            self[answer] = option
        return option


def written_once(visibility: Visibility, choice: Choice, answer: Answer) -> str:
    """Returns the written form of an answer, made once for all matches of a game."""
    kept, key = visibility.written_answers, (choice.id, answer)
    found = kept.get(key)
    if found is None:
        if len(kept) >= MOST_WRITTEN:
            kept.clear()
        found = kept[key] = written_answer(visibility.game, choice, answer)
    return found


def lasting_options(visibility: Visibility, choice: Choice, seat: Seat) -> LastingOptions | None:
    """Returns a seat's options of a choice, kept for all matches; None if their words depend on the position."""
    known, key = visibility.lasting_options, (choice.id, seat)
    if key not in known:
        lasts = all(_lasts(visibility.game, choice, number) for number in range(len(choice.branches)))
        known[key] = LastingOptions(LastingWords(visibility, choice), seat) if lasts else None
    found: LastingOptions | None = known[key]
    return found


def _lasts(game: GameRules, choice: Choice, number: int) -> bool:
    """Returns whether the words of all options of a branch depend on the answer alone."""
    branch = choice.branches[number]
    if may_share(game, choice, (number,)):
        return False
    rule = game.rules[branch.rule]
    if branch.declines or rule.label is None:
        return True
    arguments = _arguments(branch)
    if rule.around or arguments is None:
        return False
    chooser = {one.id for one in (choice.variable, choice.actor) if one is not None}
    own = {parameter.variable.id for parameter in branch.parameters} | chooser
    if not all(isinstance(argument, Const) or argument.id in own for argument in arguments):
        return False
    return _reads_only(game, rule.label, own | {parameter.id for parameter in rule.parameters})


def _arguments(branch: Branch) -> list[Const | Local] | None:
    """Returns the arguments with which a branch begins its rule, if they are constants and locals."""
    begin = next(n for n in walk(branch.body) if isinstance(n, BeginBody) and n.rule == branch.rule)
    found = [argument for argument in begin.arguments if isinstance(argument, Const | Local)]
    return found if len(found) == len(begin.arguments) else None


def _reads_only(game: GameRules, template: Template, own: set[int]) -> bool:
    """Returns whether a template reads only some locals, none of which stands for things that move."""
    holes = [
        (part, type) for part, type in zip(template.parts, template.types, strict=True) if not isinstance(part, str)
    ]
    read = [(part.of if isinstance(part, Counted) else part, kind_of(type, game)) for part, type in holes]
    return all(isinstance(part, Local) and part.id in own and kind is None for part, kind in read)
