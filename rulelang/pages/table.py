"""A table as one seat sees it -> the whole of its page's `main`.

seat_page(view)      <main data-step="12"> … </main>
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from rulelang.ir.numbers import Seat
from rulelang.knowledge.phrase import named, spliced
from rulelang.match.match import BareMatch
from rulelang.match.recording.events import Event
from rulelang.pages.asking import asking, beforehand
from rulelang.pages.drawings.board import clickable
from rulelang.pages.drawings.marks import mark_of
from rulelang.pages.drawings.plot import plot
from rulelang.pages.ink import Ink
from rulelang.pages.markup import Markup, element, together
from rulelang.pages.news import cited, news
from rulelang.pages.parts import parts
from rulelang.pages.targets import Targets
from rulelang.screens.aim import aim_of
from rulelang.screens.ending import EndingWords, ending
from rulelang.screens.picture import picture
from rulelang.session.after.course import ScoreCourse
from rulelang.session.question import Question


@attrs.frozen
class SeatPage:
    """The things that a seat's page shows; `seat` is None for a spectator."""

    match: BareMatch
    title: str
    seat: Seat | None
    occupants: tuple[str, ...]
    """By seat: who plays it, in words."""
    step: int
    """A number that grows with whatever the seat is told."""
    events: Sequence[Event]
    """All that the seat has been told."""
    fresh: int = 0
    """The number of events, from the front, that it had been told when it last chose."""
    question: Question | None = None
    """The question that it is asked now."""
    picked: tuple[str, ...] = ()
    is_begun: bool = False
    """Whether a part of its answer is given."""
    can_undo: bool = False
    ledger: Mapping[str, str] = attrs.field(factory=dict, repr=False)
    """The sentences of the rulebook's clauses."""
    course: ScoreCourse | None = None
    """The course of the scores, once the game is over and it has been worked out."""
    before: Markup | None = attrs.field(default=None, repr=False)
    """The news of all that it had been told when it last chose, if they are made already."""
    trouble: str = ""
    """A sentence on a fault at the table; the game stops there."""

    @property
    def markup(self) -> Markup:
        """The page's `main`."""
        match, ink = self.match, Ink.of_match(self.match)
        end = ending(match, self.seat)
        choice = match.choice
        targets = Targets()
        if self.question is not None and choice is not None:
            targets = Targets.of(match.game, choice, self.question, self.picked)
        return element(
            "main",
            element("header", element("h1", self.title), _seats(self, ink, targets), id="head"),
            element("section", parts(picture(match, self.seat), ink, targets), id="picture", klass="picture"),
            element(
                "div",
                self._middle(end, ink),
                self._news(ink),
                self._beforehand(end),
                self._aim(ink),
                id="side",
                klass="side",
            ),
            id="table",
            data_step=self.step,
            data_outcome=None if end is None else _outcome(match, self.seat),
            tabindex="-1",
        )

    def _middle(self, end: EndingWords | None, ink: Ink) -> Markup:
        """Returns the question, the ending, or the names of those who think."""
        match = self.match
        if end is not None:
            again = element("button", "Play again", type="button", data_again=True) if self.seat is not None else None
            look = element("button", "Look at it step by step", type="button", data_look=True)
            return element(
                "section",
                element("h2", ink.words(end.who)),
                element("p", cited(end.why, ink, self.ledger)) if end.why else None,
                element("p", ink.words(end.places)) if end.places else None,
                None if self.course is None else plot(self.course, match.seat_names, ink),
                element("p", again, look, klass="aside"),
                id="ending",
                klass="ending",
            )
        if self.trouble:
            return element("section", element("h2", "The game stops here"), element("p", self.trouble), id="trouble")
        if self.question is not None and self.seat is not None:
            return asking(
                match, self.seat, self.question, self.picked, ink, is_begun=self.is_begun, can_undo=self.can_undo
            )
        who = [named(match.seat_names[seat], "seat") for seat in match.view(self.seat).to_move]
        said = spliced((spliced(who, ", ") or "Somebody", " is choosing" if len(who) <= 1 else " are choosing"))
        undo = element("button", "Undo", type="button", data_undo=True) if self.can_undo else None
        skip = element("button", "Faster", type="button", data_skip=True)
        return element("section", element("h2", ink.words(said)), element("p", undo, skip, klass="aside"), id="waiting")

    def _news(self, ink: Ink) -> Markup:
        game, seats = self.match.game, self.match.seat_names
        fresh, old = self.events[self.fresh :], self.events[: self.fresh]
        since = news(fresh, ink, seats, game, self.ledger) if fresh else element("p", "Nothing has happened since.")
        before = ""
        if old:
            before = element(
                "details",
                element("summary", "All that happened before"),
                self.old_news if self.before is None else self.before,
                id="before",
                data_keep="open",
            )
        return element(
            "section",
            element("h2", "What has happened since your last choice" if self.seat is not None else "What has happened"),
            element("div", since, id="fresh", aria_live="polite", tabindex="0", role="region", aria_label="News"),
            before,
            id="news",
        )

    @property
    def old_news(self) -> Markup:
        """The news of all that the seat had been told when it last chose; they stay the same until it chooses again."""
        match = self.match
        return news(self.events[: self.fresh], Ink.of_match(match), match.seat_names, match.game, self.ledger)

    def _beforehand(self, end: EndingWords | None) -> Markup:
        is_played = end is None and not self.trouble and self.match.players > 1
        return beforehand(self.match, self.seat) if self.seat is not None and is_played else Markup("")

    def _aim(self, ink: Ink) -> Markup:
        aim = aim_of(self.match, self.seat)
        if aim is None:
            return Markup("")
        said = (element("p", cited(sentence, ink, self.ledger)) for sentence in aim.sentences)
        return element(
            "details", element("summary", "The aim of the game"), said, id="aim", klass="fold", data_keep="open"
        )


def _seats(page: SeatPage, ink: Ink, targets: Targets) -> Markup:
    """Returns the seats with who plays them; those that choose now are marked."""
    match = page.match
    shown = []
    for seat, (name, who) in enumerate(zip(match.seat_names, page.occupants, strict=True)):
        is_asked = seat in match.to_move
        own = " (you)" if seat == page.seat else f" ({who})"
        klass = "seat" + (" asked" if is_asked else "") + (" own" if seat == page.seat else "")
        body = together(ink.words(named(name, "seat")), element("small", own))
        target = targets.by_place.get(("Player", seat))
        if target is not None:
            body = element("span", body, klass="can", **clickable(target, str(name), str(name), is_drawn=False))
        shown.append(
            element(
                "li",
                body,
                id=f"seat-{seat}",
                klass=klass,
                data_at=mark_of(("Player", seat)),
                aria_current="true" if is_asked else None,
            )
        )
    return element("ul", shown, klass="seats")


def _outcome(match: BareMatch, seat: Seat | None) -> str:
    """Returns the outcome as tests of other people read it: `winner red`, `score 12`, `lost`."""
    outcome = match.outcome_for(seat)
    assert outcome is not None
    match outcome.kind:
        case "winner":
            return " ".join(("winner", *(match.seats[s] for s in outcome.winners)))
        case "ranking":
            return " ".join(("ranking", *(match.seats[s] for group in outcome.ranking for s in group)))
        case "score":
            return " ".join(("score", *map(str, outcome.scores)))
        case _:  # any other outcome is its own name
            return str(outcome.kind)
