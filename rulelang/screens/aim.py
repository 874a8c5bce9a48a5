"""A match and a seat -> the aim of the game in sentences, and the reason why it has ended.

aim_of(match, 0)        AimWords(about=("Ships race …",), endings=("The last ship wins [OS-7.51]",), lasts="…", progress="…")
ended_by(match, 0)      "All other ships are out of fuel [OS-7.44]"
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from rulelang.knowledge.phrase import spliced
from rulelang.match import inputs
from rulelang.program.layout import OUTCOME, OUTCOME_RULE, UNDECIDED
from rulelang.program.values import clean
from rulelang.screens.build import ScreenBuilder
from rulelang.screens.model import Fold, Words

if TYPE_CHECKING:
    from rulelang.match.match import BareMatch


@attrs.frozen
class AimWords:
    """The things that a player must know before the first choice; each sentence is followed by the clauses that it cites."""

    about: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    lasts: str = ""
    progress: str = ""

    @property
    def sentences(self) -> Iterator[str]:
        """The sentences in the order in which they are read aloud."""
        yield from self.about
        yield from self.endings
        yield from (text for text in (self.lasts,) if text)


def aim_of(match: BareMatch, seat: int | None) -> AimWords | None:
    """Returns the aim as a seat (None: a spectator) may read it; None if the game has no `aim:` block."""
    aim = match.game.aim
    if aim is None:
        return None
    said = ScreenBuilder.of(match, inputs.viewer(seat, match.players))
    endings = ((said.texts((one.goal,), {}), one.clauses) for one in aim.endings)
    return AimWords(
        tuple(_cited(said.texts(aim.about.fields, {}), aim.about.clauses)),
        tuple(text for texts, clauses in endings for text in _cited(texts, clauses)),
        spliced(list(_cited(said.texts(aim.lasts.fields, {}), aim.lasts.clauses)), " "),
        _begun(spliced(said.texts(aim.progress.fields, {}), ", ")),
    )


def progress(match: BareMatch, said: ScreenBuilder) -> Iterator[Fold]:
    """Yields the line of progress of a screen, which folds first, if the game has one and is not over."""
    aim = match.game.aim
    if aim is not None and not _is_over(match) and (texts := said.texts(aim.progress.fields, {})):
        yield Fold("Goal", Words(_begun(spliced(texts, ", "))))


def ended_by(match: BareMatch, seat: int | None) -> str:
    """Returns why a game has ended, in the words of its rules; "" while it goes on, and if they have none for it."""
    at = match.position.row[OUTCOME_RULE]
    if match.position.row[OUTCOME] in (0, UNDECIDED) or not 0 <= at < len(match.game.rules):
        return ""
    said, rule = ScreenBuilder.of(match, inputs.viewer(seat, match.players)), match.game.rules[at]
    for ending in match.game.aim.endings if match.game.aim is not None else ():
        if at in ending.rules and ending.told is not None:
            return spliced(list(_cited([said.read(ending.told)], ending.clauses or rule.clauses)))
    told = rule.told or rule.label
    # The values of the parameters are gone with the rule that has run.
    words = "" if told is None or not all(isinstance(part, str) for part in told.parts) else said.read(told)
    return next(_cited([words], rule.clauses)).strip()


def _cited(texts: list[str], clauses: tuple[str, ...]) -> Iterator[str]:
    """Yields sentences, the last of them with the clauses that they cite."""
    yield from texts[:-1]
    for text in texts[-1:]:
        yield spliced((text, f" [{', '.join(clauses)}]")) if clauses else text


def _is_over(match: BareMatch) -> bool:
    return match.position.row[OUTCOME] != 0


def _begun(text: str) -> str:
    return clean(text[:1].upper() + text[1:])
