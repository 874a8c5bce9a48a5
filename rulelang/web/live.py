"""A table that is played by people behind links and by bots: choices in, frames out.

live = LiveTable("k3v9…", table, library.title)
page = live.opened(("seat 0",))
await live.say(page, {"do": "choose", "text": "b2", "step": 4})
async for frame in live.frames(page): …
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Mapping
from time import monotonic
from typing import Any

import attrs

from rulelang.errors import IllegalOption, LogError, RulelangError, RuntimeRules, UnknownOption
from rulelang.ir.numbers import Seat
from rulelang.match.options.option import Option
from rulelang.match.recording.events import AnsweredBy
from rulelang.pages.answers import meanings, reasons
from rulelang.pages.documents import handing_over
from rulelang.pages.ink import Ink
from rulelang.session.after.course import courses
from rulelang.session.clock import Timer
from rulelang.session.references import sentences
from rulelang.session.table import GameTable
from rulelang.web.beforehand import KeptAnswers
from rulelang.web.links import WATCH
from rulelang.web.open_page import OpenPage
from rulelang.web.sitting import Sitting

PACE = 0.7
"""The seconds between the choices of bots, so that people can follow them."""
MOST_WAITING = 8
"""The most frames that wait for a slow page; it gets the newest."""


@attrs.define
class LiveTable:
    """One table, the seats at it, and the pages that are open."""

    id: str
    table: GameTable
    title: str
    pace: float = PACE
    sittings: dict[str, Sitting] = attrs.field(init=False)
    is_hurried: bool = False
    trouble: str = ""
    clock: Timer | None = None
    beforehand: KeptAnswers | None = None
    """The file of the answers that stand, if the table has a log."""
    again: Callable[[tuple[str, ...]], str] | None = None
    """Returns the path of some people at the next table for the same people, which is opened at the first call."""
    _pages: set[OpenPage] = attrs.field(factory=set)
    _lock: asyncio.Lock = attrs.field(factory=asyncio.Lock)
    _task: asyncio.Task[None] | None = None
    _review: asyncio.Task[None] | None = None
    """Works out the course of a game that is over."""
    _alarm: asyncio.TimerHandle | None = None
    _is_unkept: bool = False
    """Whether a choice is not on the disk yet; no page shows it before."""
    _telling: set[asyncio.Task[None]] = attrs.field(factory=set)
    _turns: int = 0
    """The number of times that the position has changed: a bot that thought about an earlier one thinks again."""

    def __attrs_post_init__(self) -> None:
        ledger = sentences(self.table.game)
        people = {f"seat {seat}": Seat(seat) for seat in range(self.table.match.players)}
        self.sittings = {
            who: Sitting(self.table, seat, self.title, ledger) for who, seat in {**people, WATCH: None}.items()
        }
        for sitting in self.sittings.values():
            sitting.renew()
        if self.table.log is not None:
            self.beforehand = KeptAnswers.beside(self.table.log)

    # -------------------------------------------------------------- pages

    def opened(self, seats: tuple[str, ...]) -> OpenPage:
        """Returns a page that is kept up to date from now on, for a seat, the spectators, or several who share it."""
        page = OpenPage.of(seats)
        self._pages.add(page)
        return page

    async def frames(self, page: OpenPage) -> AsyncGenerator[dict[str, Any], None]:
        """Yields the messages for a page: its frames, the first at once, and notices."""
        async with self._lock:
            self._show(page, again=True)
        self.go_on()
        try:
            while True:
                message = await page.queue.get()
                while page.queue.qsize() > MOST_WAITING:
                    message = page.queue.get_nowait()
                yield message
        finally:
            self._pages.discard(page)

    @property
    def open_pages(self) -> int:
        """The number of pages that are open."""
        return len(self._pages)

    def _message(self, page: OpenPage) -> dict[str, Any]:
        if page.waits_for:
            seat = self.sittings[page.waits_for].seat
            assert seat is not None
            match = self.table.match
            return {"main": handing_over(self.title, match.seat_names[seat], page.waits_for, Ink.of_match(match))}
        sitting = self.sittings[page.present]
        message: dict[str, Any] = {"main": sitting.frame(self.trouble)}
        if self.clock is not None and sitting.dialogue is not None:
            message["clock"] = {
                "left": self.clock.remaining() / self.clock.per_second,
                "of": self.clock.full / self.clock.per_second,
                "name": self.clock.name,
            }
        return message

    def _show(self, page: OpenPage, *, again: bool = False) -> None:
        """Sends a page its frame if that has changed, or it is wanted again."""
        page.hand_over({f"seat {seat}" for seat in self.table.match.to_move}, hides=self.table.hides)
        message = self._message(page)
        if again or message["main"] != page.shown:
            page.shown = message["main"]
            page.queue.put_nowait(message)

    def _tell(self) -> None:
        """Sends a frame to each page whose picture has changed."""
        for page in self._pages:
            self._show(page)

    # -------------------------------------------------------------- what people do

    async def say(self, page: OpenPage, said: Mapping[str, Any]) -> dict[str, Any] | None:
        """Carries out a page's request; returns a message for that page alone, if there is one."""
        what, text = said.get("do"), str(said.get("text", ""))
        if what == "skip":
            self.is_hurried = True
            return None
        async with self._lock:
            try:
                if page.waits_for:
                    page.sit()
                    return None
                return self._do(page, self.sittings[page.present], str(what), text, said)
            except (UnknownOption, IllegalOption) as error:
                return {"notice": str(error)}
            except RulelangError as error:
                return {"notice": self.table.fault_said(error) if isinstance(error, RuntimeRules) else str(error)}
            finally:
                await self._keep()
                self._tell()
                self.go_on()

    async def _keep(self) -> None:
        """Waits until the choices, and what stands beforehand, are on the disk; other tables go on meanwhile."""
        while self._is_unkept:
            self._is_unkept = False
            try:
                await asyncio.to_thread(self.table.sync)
            except LogError as error:
                self.trouble = str(error)
                self._renew()
        if self.beforehand is not None:
            try:
                self.beforehand.keep(self.table.match)
            except LogError as error:
                self.trouble = str(error)
                self._renew()

    def _do(
        self, page: OpenPage, sitting: Sitting, what: str, text: str, said: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        match what:
            case "why":
                return {"dialog": reasons(sitting.table, sitting.dialogue, text, Ink.of_match(self.table.match))}
            case "what":
                return {"dialog": meanings(sitting.table, sitting.seat, text, Ink.of_match(self.table.match))}
            case _ if sitting.seat is None:
                return {"notice": "This link is for watching"}
            case "again" if self.again is not None and self.table.asked is None:
                for one in self._pages:
                    one.queue.put_nowait({"go": self.again(one.seats)})
                return None
            case "choose" | "toggle" | "done" | "back" | "undo" | "beforehand" if self.trouble:
                return {"notice": self.trouble}
            case "choose" | "toggle" | "done" if said.get("step") != sitting.step:
                return {"notice": "The table has moved on: look again"} | self._message(page)
            case "choose":
                self._choose(sitting, sitting.answer(text))
            case "toggle":
                sitting.toggle(text)
            case "done":
                self._choose(sitting, sitting.done())
            case "back":
                sitting.back()
            case "undo":
                self._undo(sitting.seat)
            case "beforehand":
                self._beforehand(sitting.seat, text)
            case "withdraw":
                self.table.match.withdraw(sitting.seat)
            case _:  # a word that no page of this server sends
                return {"notice": "That is not understood"}
        return None

    def _choose(self, sitting: Sitting, option: Option | None) -> None:
        if option is not None:
            elapsed = self._elapsed
            sitting.has_chosen()
            self._take(option, elapsed)

    @property
    def _elapsed(self) -> int | None:
        """The reading of the clock that the pending choice runs against."""
        return None if self.clock is None or self.clock.declines else self.clock.elapsed()

    def _take(self, option: Option, elapsed: int | None = None, by: AnsweredBy | None = None) -> None:
        choice = self.table.match.choice
        try:
            self._is_unkept |= self.table.take(option, elapsed, by, keeps=False)
        except RuntimeRules as fault:
            self.trouble = self.table.fault_said(fault)
        except LogError as error:
            self.trouble = str(error)
        self._renew(is_sealed=choice is not None and choice.sealed and self.table.match.choice is choice)

    def _beforehand(self, seat: Seat, text: str) -> None:
        """Lets an answer of a seat stand from now on."""
        before = self.table.match.inputs
        self.table.beforehand(f"{self.table.match.seats[seat]}: {text}")
        if self.table.match.inputs > before:
            self._renew()

    def _undo(self, seat: Seat) -> None:
        self.table.take_back(seat, elapsed=self._elapsed)
        self._renew()

    def _renew(self, *, is_sealed: bool = False) -> None:
        self._turns += 1
        for sitting in self.sittings.values():
            sitting.renew(is_sealed=is_sealed)
            if self.trouble:
                sitting.dialogue, sitting.picked = None, ()
        if self._review is not None and self.table.asked is not None:
            # The end has been taken back.
            self._review = None
            for sitting in self.sittings.values():
                sitting.course = None
        self._wind()

    async def lay(self, table: GameTable, trouble: str = "") -> None:
        """Lays another game of as many seats on the table, in place of the one there; with a `trouble`, nobody chooses
        until another is laid. Its log takes the place of the other. Raises LogError."""
        async with self._lock:
            path = self.table.log
            self.table.close()
            if path is not None:
                path.unlink()
                table.write_to(path)
            self.table, self.trouble = table, trouble
            for sitting in self.sittings.values():
                sitting.lay(table)
            self._renew()
            await self._keep()
            self._tell()
        self.go_on()

    # -------------------------------------------------------------- bots and clocks

    def go_on(self) -> None:
        """Lets bots choose, as long as it is for them to choose and somebody looks."""
        if self._task is None or self._task.done():
            asked = None if self.trouble else self.table.asked
            if self.table.match.outcome is not None:
                self._look_back()
            elif asked is not None and self.table.is_bot(asked):
                self._task = asyncio.get_running_loop().create_task(self._bots())
            elif self.clock is None:
                self._wind()

    async def _bots(self) -> None:
        """Plays for the bots that are asked, at a pace that people can follow."""
        while True:
            async with self._lock:
                asked = None if self.trouble else self.table.asked
                if asked is None or not self.table.is_bot(asked):
                    self.is_hurried = False
                    self._wind()
                    self._tell()
                    self._look_back()
                    return
                thinking, begun = self.table.bot_thinking(), self._turns
            # While it thinks, pages are opened, questions answered and choices taken back.
            try:
                option, trouble = await asyncio.to_thread(thinking), ""
            except RulelangError as error:
                option, trouble = None, str(error)
            async with self._lock:
                if self._turns != begun:
                    continue
                self.trouble = self.trouble or trouble
                if option is not None:
                    self._take(option)
                    await self._keep()
                self._tell()
            if not self.is_hurried and self.open_pages:
                await asyncio.sleep(self.pace)
            else:
                await asyncio.sleep(0)

    def _look_back(self) -> None:
        """Lets the course of the scores be worked out, once, for a game that is over."""
        if self._review is None and self.table.match.outcome is not None:
            self._review = asyncio.get_running_loop().create_task(self._courses())

    async def _courses(self) -> None:
        """Works out the course of the scores for each seat, and shows it."""
        seats = {who: sitting.seat for who, sitting in self.sittings.items()}
        with contextlib.suppress(RulelangError, OSError):
            found = await asyncio.to_thread(courses, self.table, seats)
            async with self._lock:
                for who, course in found.items():
                    self.sittings[who].course = course
                self._tell()

    def _wind(self, now: Callable[[], float] = monotonic) -> None:
        """Starts the clock of the pending choice, if it has one and a person is asked; those who answer in secret, all at
        once, have one time in common."""
        goes_on = self.clock is not None and self.clock.declines and bool(self.table.match.position.seal.answers)
        if self._alarm is not None and not goes_on:
            self._alarm.cancel()
        asked = None if self.trouble else self.table.asked
        if goes_on and asked is not None:
            return
        self.clock = self._alarm = None
        if asked is None or self.table.is_bot(asked):
            return
        self.clock = self.table.timer(now)
        if self.clock is not None:
            left = max(self.clock.remaining() / self.clock.per_second, 0) + 0.05
            self._alarm = asyncio.get_running_loop().call_later(left, self._ring)

    def _ring(self) -> None:
        """Answers for a person whose clock has run out, or for all whose time is up."""
        asked, clock = self.table.asked, self.clock
        sitting = self.sittings.get(f"seat {asked}")
        if clock is None or sitting is None or sitting.dialogue is None:
            return
        if clock.declines:
            for late in [
                self.table.match.late(seat) for seat in self.table.match.to_move if not self.table.is_bot(seat)
            ]:
                if late is not None and not self.trouble:
                    self._take(late, by="clock")
        else:
            self._take(sitting.dialogue.options[0], clock.left + 1)
        task = asyncio.get_running_loop().create_task(self._told())
        task.add_done_callback(self._telling.discard)
        self._telling.add(task)

    async def _told(self) -> None:
        """Shows what was chosen for somebody, once it is on the disk."""
        async with self._lock:
            await self._keep()
            self._tell()
        self.go_on()

    def close(self) -> None:
        """Closes the log. Raises LogError if it cannot be written."""
        for task in (self._task, self._review):
            if task is not None:
                task.cancel()
        if self._alarm is not None:
            self._alarm.cancel()
        self.table.close()
