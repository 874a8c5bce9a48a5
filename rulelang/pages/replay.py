"""A replayed log at one step, as one viewer sees it -> the whole of its page's `main`: the board, a timeline, the news.

ReplayPage(playback, "Outspeed").markup      <main data-step="12"> … with a slider, keys to search by, and `why` at each line
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from rulelang.pages.drawings.plot import plot
from rulelang.pages.ink import Ink
from rulelang.pages.markup import Markup, element
from rulelang.pages.news import news
from rulelang.pages.parts import parts
from rulelang.pages.targets import Targets
from rulelang.screens.ending import ended
from rulelang.session.after.course import ScoreCourse
from rulelang.workbench.playback import ALL, KINDS, SPECTATOR, Playback

MOST_MARKS = 80
"""The most phases that are listed beside the timeline."""


@attrs.frozen
class ReplayPage:
    """A playback, with what else its page shows."""

    playback: Playback
    title: str
    ledger: Mapping[str, str] = attrs.field(factory=dict, repr=False)
    eyes: tuple[str, ...] = ()
    """The viewers that may be chosen."""
    can_branch: bool = False
    """Whether another way may be played from here."""
    beside: Playback | None = None
    """The same game by other rules, in step."""
    course: ScoreCourse | None = None
    """The course of the scores, as the viewer could follow it."""
    difference: str = ""
    """A sentence on where the two part."""

    @property
    def markup(self) -> Markup:
        """The page's `main`."""
        playback = self.playback
        ink = Ink.of_match(playback.match)
        head = None if self.beside is None else element("h2", "As it was played")
        boards = [element("div", head, parts(playback.picture(), ink, Targets()), klass="lane")]
        if self.beside is not None:
            shown = parts(self.beside.picture(), Ink.of_match(self.beside.match), Targets(), "other")
            boards.append(element("div", element("h2", "By the other rules"), shown, klass="lane"))
        return element(
            "main",
            element("header", element("h1", self.title), self._eyes(), id="head"),
            element("section", self._timeline(ink), boards, id="picture", klass=f"picture lanes-{len(boards)}"),
            element(
                "div", self._step(ink), self._search(), self._course(ink), self._phases(ink), id="side", klass="side"
            ),
            id="table",
            data_step=playback.step,
            data_outcome=self._outcome(),
            tabindex="-1",
        )

    def _outcome(self) -> str | None:
        outcome = self.playback.looker.outcome(self.playback.match)
        return None if outcome is None else outcome.kind

    def _eyes(self) -> Markup:
        """Returns the choice of the viewer."""
        now = self.playback.looker.name(self.playback.seats)
        names = {SPECTATOR: "a spectator", ALL: "all that is hidden, too"}
        options = (element("option", names.get(eye, eye), value=eye, selected=eye == now) for eye in self.eyes)
        return element("label", "Seen by ", element("select", options, id="eyes", data_eyes=True))

    def _timeline(self, ink: Ink) -> Markup:
        playback = self.playback
        path = playback.path
        at = path.index(playback.step) if playback.step in path else 0
        said = ink.words(playback.sentence(playback.step))
        return element(
            "nav",
            element(
                "input",
                type="range",
                id="timeline",
                min=0,
                max=len(path) - 1,
                value=at,
                data_timeline=True,
                aria_label="Step",
                aria_valuetext=f"step {at} of {len(path) - 1}",
            ),
            element(
                "p",
                element("button", "First", type="button", data_go="first"),
                element("button", "Back", type="button", data_go="back"),
                element("button", "Play", type="button", data_play=True, id="play"),
                element("button", "On", type="button", data_go="on"),
                element("button", "Last", type="button", data_go="last"),
                element("button", "Next phase", type="button", data_go="phase"),
                element("span", f"Step {at} of {len(path) - 1}", klass="quietly"),
                klass="aside",
            ),
            element("p", said, id="said", aria_live="polite"),
            klass="timeline",
            aria_label="Timeline",
        )

    def _step(self, ink: Ink) -> Markup:
        playback = self.playback
        match = playback.match
        events = playback.events()
        outcome = playback.looker.outcome(match)
        branch = element("button", "Play on from here", type="button", data_branch=True) if self.can_branch else None
        return element(
            "section",
            element(
                "h2",
                ink.words(ended(outcome, match.seat_names)) if outcome is not None else "What happened in this step",
            ),
            news(events, ink, match.seat_names, match.game, self.ledger, asks_why=True),
            element("p", self.difference, klass="trouble") if self.difference else None,
            element("p", branch, klass="aside") if branch is not None else None,
            id="news",
        )

    def _search(self) -> Markup:
        kinds = (element("option", kind, value=kind) for kind in KINDS[::-1])
        return element(
            "form",
            element("label", "Find ", element("select", kinds, name="kind", id="kind", data_keep="value")),
            element("input", type="search", name="text", id="wanted", aria_label="What to find", data_keep="value"),
            element("button", "Next", type="submit"),
            element("button", "Why?", type="button", data_ask=True),
            id="find",
            klass="number",
            data_find=True,
        )

    def _course(self, ink: Ink) -> Markup:
        """Returns the plot of the scores, with the present step marked."""
        if self.course is None:
            return Markup("")
        drawn = plot(self.course, self.playback.match.seat_names, ink, self.playback.step)
        head = element("summary", "The course of the scores")
        return element("details", head, drawn, id="course", klass="fold", open=True, data_keep="open")

    def _phases(self, ink: Ink) -> Markup:
        """Returns the steps at which phases begin, to jump to."""
        marks = tuple(self._marks(ink))
        if not marks:
            return Markup("")
        head = element("summary", "Phases")
        return element("details", head, element("ol", marks), id="phases", klass="fold", data_keep="open")

    def _marks(self, ink: Ink) -> Iterator[Markup]:
        playback, found = self.playback, 0
        for step in playback.path:
            phases = [e for e in playback.events(step) if e.what == "phase" and not e.goes_on and e.sentence]
            for event in phases[:1]:
                found += 1
                if found > MOST_MARKS:
                    return
                button = element("button", ink.words(event.text), type="button", data_go=str(playback.path.index(step)))
                yield element("li", button, f" step {step}")
