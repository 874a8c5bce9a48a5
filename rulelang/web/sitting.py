"""A seat at a live table -> the contents of its page, and the meaning of the words that the page sends.

sitting.frame()                 the page's `main`, as markup
sitting.answer("steal")         an option; None where more is to be asked
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rulelang.errors import UnknownOption
from rulelang.ir.numbers import Seat
from rulelang.match.options.option import Option
from rulelang.match.recording.events import Event, Taken
from rulelang.pages.markup import Markup
from rulelang.pages.table import SeatPage
from rulelang.pages.targets import Targets
from rulelang.session.after.course import ScoreCourse
from rulelang.session.dialogue import Dialogue
from rulelang.session.table import GameTable


@attrs.define
class Sitting:
    """One seat of a table, or its spectators (None), whatever number of pages are open for it."""

    table: GameTable
    seat: Seat | None
    title: str
    ledger: Mapping[str, str]
    dialogue: Dialogue | None = None
    picked: tuple[str, ...] = ()
    """The members that are chosen so far of a set."""
    fresh: int = 0
    """The number of events that the seat had been told when it last chose."""
    step: int = 0
    course: ScoreCourse | None = None
    """The course of the scores of a game that is over, as the seat could follow it."""
    shown: str = ""
    """The page as it was last made, without its step."""
    _events: list[Event] = attrs.field(factory=list)
    _told: int = 0
    _before: tuple[int, Markup] = (0, Markup(""))
    """The news of so many events, from the front."""

    @property
    def events(self) -> list[Event]:
        """All events that the seat has been told."""
        match = self.table.match
        if match.event_count < self._told:
            self._events, self._told, self._before = [], 0, (0, Markup(""))
        self._events += match.events_for(self.seat, self._told)
        self._told = match.event_count
        return self._events

    def renew(self, *, is_sealed: bool = False) -> None:
        """Asks anew after the position has changed; an answer that was begun stays where others answer under seal."""
        match = self.table.match
        if self.seat is None or self.seat not in match.to_move:
            self.dialogue, self.picked = None, ()
        elif self.dialogue is None or not is_sealed:
            self.dialogue, self.picked = Dialogue.of(match, self.seat), ()

    def lay(self, table: GameTable) -> None:
        """Takes another game in place of the one on the table; what was news is so still."""
        self.table, self._events, self._told = table, [], 0

    def frame(self, trouble: str = "") -> Markup:
        """Returns the page as it is now; its step grows when it differs from the last one."""
        found = self._page(trouble).markup
        if found != self.shown:
            self.step = max(self.step + 1, len(self.events))
            self.shown = found
        return Markup(found.replace('data-step="0"', f'data-step="{self.step}"', 1))

    def _page(self, trouble: str) -> SeatPage:
        table, dialogue = self.table, self.dialogue
        events = self.events
        page = SeatPage(
            table.match,
            self.title,
            self.seat,
            tuple("person" if bot is None else f"{bot.name} bot" for bot in table.seats),
            0,
            events,
            min(self.fresh, len(events)),
            None if dialogue is None else dialogue.question,
            self.picked,
            dialogue is not None and (len(dialogue.trail) > 1 or bool(self.picked)),
            not trouble and self._may_ask_to_undo,
            self.ledger,
            self.course,
            None,
            trouble,
        )
        if self._before[0] != page.fresh:
            self._before = page.fresh, page.old_news
        return attrs.evolve(page, before=self._before[1])

    @property
    def _may_ask_to_undo(self) -> bool:
        """Returns whether undo is worth a button. Whether it is fair is found out when it is asked for: that plays the
        game again, which no frame waits for."""
        choice = self.table.match.choice
        is_sealed = choice is not None and choice.sealed
        return self.fresh > 0 and (self.table.allow_undo or len(self.table.people) == 1 or is_sealed)

    # -------------------------------------------------------------- answers

    def answer(self, text: str) -> Option | None:
        """Returns the option that a click or a text means; None where more is to be asked. Raises UnknownOption."""
        dialogue = self._asked()
        choice = self.table.match.choice
        assert choice is not None
        target = Targets.of(self.table.match.game, choice, dialogue.question).answering(text)
        if target is not None and not target.is_member and target.options:
            return self._taken(dialogue.narrowed(target.options))
        return self._taken(dialogue.answer(text))

    def toggle(self, member: str) -> None:
        """Picks a member of the set that is asked for, or puts it back. Raises UnknownOption."""
        asked = self._asked().question
        left, there = self.picked.count(member), asked.members.count(member)
        if not there:
            raise UnknownOption(f"`{member[:40]}` is not among these")
        if left < there:
            self.picked = (*self.picked, member)
        else:
            self.picked = tuple(one for one in self.picked if one != member)

    def done(self) -> Option | None:
        """Returns the option of the members that are picked. Raises UnknownOption."""
        dialogue = self._asked()
        left = list(self.picked)
        numbers = []
        for number, name in enumerate(dialogue.question.members, start=1):
            if name in left:
                left.remove(name)
                numbers.append(str(number))
        found = self._taken(dialogue.answer(" ".join(numbers) or "none"))
        self.picked = ()
        return found

    def back(self) -> None:
        """Goes back to the question before."""
        if self.picked:
            self.picked = ()
        else:
            self._asked().back()

    def catch_up(self) -> None:
        """Notes, for a game that goes on, that the seat had seen all that it was told before its last choice."""
        before, last = 0, 0
        for entry in self.table.match.journal:
            if isinstance(entry, Event):
                last = entry.number
            elif isinstance(entry, Taken) and entry.seat == self.seat:
                before = last
        self.fresh = sum(event.number <= before for event in self.events)

    def has_chosen(self) -> None:
        """Notes that the seat has seen all that it was told so far."""
        self.fresh = len(self.events)

    def _asked(self) -> Dialogue:
        if self.dialogue is None:
            raise UnknownOption("you are not asked now")
        return self.dialogue

    def _taken(self, answer: object) -> Option | None:
        return answer if isinstance(answer, Option) else None
