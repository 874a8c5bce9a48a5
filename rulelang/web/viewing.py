"""A replayed log behind a link -> frames of one page: each page has a step, and eyes, of its own.

viewing = Viewing(library.replay(path), "Outspeed", eyes=("spectator",))
viewing.do({"do": "go", "text": "12"})      {"main": …}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from rulelang.errors import InvalidInput, RulelangError
from rulelang.log.replay import Replay
from rulelang.pages.answers import chain
from rulelang.pages.ink import Ink
from rulelang.pages.replay import ReplayPage
from rulelang.session.after.course import ScoreCourse, course_of
from rulelang.workbench.playback import Looker, Playback


@attrs.define(eq=False)
class Viewing:
    """One page that looks at a log."""

    playback: Playback
    title: str
    ledger: Mapping[str, str]
    eyes: tuple[str, ...]
    """The viewers as whom this page may look."""
    branch: Callable[[int], str] | None = None
    """Opens a table that goes on from a step; returns its path. Raises RulelangError, OSError."""
    beside: Playback | None = None
    difference: str = ""
    """A sentence on where the two part."""
    explain: Callable[[], str] | None = None
    """Returns a sentence on the edits to blame for it, which takes a while to find."""
    _courses: dict[Looker, ScoreCourse | None] = attrs.field(factory=dict, repr=False)

    @classmethod
    def of(cls, again: Replay, title: str, ledger: Mapping[str, str], eyes: tuple[str, ...]) -> Viewing:
        """Returns a page at the set-up, with the first of some eyes."""
        return cls(Playback(again, Looker.called(eyes[0], again.log.header)), title, ledger, eyes)

    def frame(self) -> dict[str, Any]:
        """Returns the message that shows the present step."""
        can_branch = self.branch is not None
        page = ReplayPage(
            self.playback, self.title, self.ledger, self.eyes, can_branch, self.beside, self._course, self.difference
        )
        return {"main": page.markup, "at": self._at}

    def explained(self) -> dict[str, Any]:
        """Returns the message that shows the present step and says why the two part."""
        if self.explain is not None:
            self.difference = ". ".join(filter(None, (self.difference, self.explain())))
            self.explain = None
        return self.frame()

    @property
    def _course(self) -> ScoreCourse | None:
        """The course of the scores, worked out once for each viewer."""
        looker = self.playback.looker
        if looker not in self._courses:
            self._courses[looker] = course_of(self.playback.again, looker.seat, sees_all=looker.sees_all)
        return self._courses[looker]

    @property
    def _at(self) -> int:
        return self.playback.path.index(self.playback.step)

    def do(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Does what a page asks for; returns its message."""
        what, text = said.get("do"), str(said.get("text", ""))
        try:
            match what:
                case "go":
                    return self._go(text)
                case "eyes":
                    return self._seen_by(text)
                case "find":
                    return self._find(str(said.get("kind", "text")), text)
                case "ask":
                    return {"dialog": chain(self.playback.match_with_events, text, self.playback.looker, self._ink)}
                case "branch" if self.branch is not None:
                    return {"go": self.branch(self.playback.step)}
                case _:  # a word that no page of this server sends
                    return {"notice": "That is not understood"}
        except (RulelangError, OSError) as error:
            return {"notice": str(error)}

    @property
    def _ink(self) -> Ink:
        return Ink.of_match(self.playback.match)

    def _go(self, where: str) -> dict[str, Any]:
        playback, path = self.playback, self.playback.path
        match where:
            case "first":
                playback.go(0)
            case "last":
                playback.go(path[-1])
            case "on":
                playback.forward()
            case "back":
                playback.forward(-1)
            case "phase":
                if not playback.to_phase():
                    return {"notice": "No phase begins after this"}
            case _ if where.isascii() and where.isdecimal() and len(where) < 8:
                playback.go(path[min(int(where), len(path) - 1)])
            case _:  # any other word is no step
                raise InvalidInput(f"there is no step {where[:20]!r}")
        self._in_step()
        return self.frame()

    def _seen_by(self, name: str) -> dict[str, Any]:
        if name not in self.eyes:
            raise InvalidInput("this link does not see with those eyes")
        self.playback.looker = Looker.called(name, self.playback.again.log.header)
        if self.beside is not None:
            self.beside.looker = self.playback.looker
        return self.frame()

    def _find(self, kind: str, wanted: str) -> dict[str, Any]:
        if not self.playback.to_event(kind, wanted):
            return {"notice": f"Nothing after this step has the {kind} {wanted[:40]!r}"}
        self._in_step()
        return self.frame()

    def _in_step(self) -> None:
        if self.beside is not None:
            self.beside.go(min(self.playback.step, self.beside.last))
