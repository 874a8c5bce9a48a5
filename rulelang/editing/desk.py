"""The texts of a game as its windows hold them, and the game on the table: each valid edit is followed by the table.

desk = Desk(GameFolder.of(entry), variants, hall)
desk.changed(path)          a window's text has changed: the table follows, the scenarios run again
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count, islice
from pathlib import Path
from typing import Protocol

import attrs

from rulelang.api import Checked, Game
from rulelang.api.positions import written_position
from rulelang.driver.collector import held_back
from rulelang.editing.moving import Drag, moved
from rulelang.editing.replaying import Followed, begin_in, first_difference, follow, played, trouble_of
from rulelang.editing.sample import MANY, EditedRules, Sample
from rulelang.editing.texts.files import GIT_EVERY, LOOK_EVERY, GameFiles
from rulelang.editing.texts.folder import NEW, GameFolder, Unfit
from rulelang.editing.trials import Trials, in_thread
from rulelang.errors import InvalidInput, RulelangError
from rulelang.ir.model.vocabulary import LoneOptions
from rulelang.language_service.service import LanguageService
from rulelang.log.reading import ReadLog
from rulelang.match.options.explain import Reason
from rulelang.match.options.option import Option
from rulelang.match.refused import refused
from rulelang.pages.editor import FileTab, OtherGame, ShownClause, ShownFault, ShownState
from rulelang.rulebook.coverage import cover
from rulelang.rulebook.ledger import clauses_of
from rulelang.scenarios.opening import fault_of, opening
from rulelang.session.seats import names_at, seated
from rulelang.source import NOWHERE
from rulelang.web.hall import Hall
from rulelang.web.links import HOST, WATCH
from rulelang.web.live import LiveTable
from rulelang.workbench.divergence_report import ToldDifference
from rulelang.workbench.excerpt import claims, excerpt, refusal, under_fresh_title

PAUSE = 0.4
"""The seconds without an edit after which all else is looked at."""
MOST_REFUSALS = 60
"""The most options that are listed with the reason why they are refused."""


class DeskWindow(Protocol):
    """A window on the desk."""

    def show(self, state: ShownState) -> None:
        """Shows what has come of the texts."""

    def take_text(self, name: str, text: str) -> None:
        """Takes a text that was changed elsewhere."""

    def retell(self, path: Path) -> None:
        """Publishes the faults of a game again."""


@attrs.define(eq=False)
class Desk:
    """The texts of one game, and its table."""

    folder: GameFolder
    variants: tuple[str, ...]
    hall: Hall
    service: LanguageService = attrs.field(factory=LanguageService)
    windows: list[DeskWindow] = attrs.field(factory=list)
    games: int = MANY
    """The number of random games that an edit is tried on."""
    begins: Callable[[str, str, str], Awaitable[str]] | None = None
    """Makes a new game, by its name, title and kind; returns the address of its page. Raises RulelangError, OSError."""
    others: Callable[[], Sequence[OtherGame]] = tuple
    """Returns the other games of the folder, with the addresses of their pages."""
    link: Callable[[], str] | None = None
    """Returns the text of a link that holds the game as it is edited, where there are such links."""
    trials: Trials = attrs.field(factory=Trials)
    files: GameFiles = attrs.field(init=False)
    """What is known of the files on the disk."""
    sample: Sample = attrs.field(init=False)
    at_first: Game = attrs.field(init=False)
    """The rules when the desk was opened."""
    log: ReadLog | None = None
    """The game as it was played, while the table cannot follow it to its end."""
    under: Game | None = None
    """The rules by which it was played."""
    parting: ToldDifference | None = None
    trouble: str = ""
    is_broken: bool = False
    """Whether the rules have errors, so that the table cannot follow."""
    is_read: bool = False
    """Whether all faults have been looked for since the desk was opened; before, none are shown."""
    _begun: EditedRules | None = None
    """The texts that are checked, or were checked last."""
    _task: asyncio.Task[None] | None = None
    _attended: LiveTable = attrs.field(init=False)
    """The table that followed the texts last."""
    _followed: asyncio.Event = attrs.field(factory=asyncio.Event)
    """Whether the table has followed the texts as they are, or cannot."""
    _judged: asyncio.Event = attrs.field(factory=asyncio.Event)
    """Whether the scenarios that the last edit reaches have been played, or cannot be."""
    _known_names: tuple[int, tuple[str, ...]] | None = attrs.field(default=None, init=False)
    """The names of the files, and the version of the texts in which they were looked up."""

    def __attrs_post_init__(self) -> None:
        self.service.held.add(self.folder.entry)
        self.at_first, self._attended, self.files = self.game, self.live, GameFiles(self.folder)
        self.sample = Sample(self._edited(), self.live.table.match.players, self.games)

    @property
    def live(self) -> LiveTable:
        """The table, which is the last that was opened for this game."""
        tables = reversed(self.hall.tables.values())
        return next(one for one in tables if one.table.game.internals.entry.resolve() == self.folder.entry)

    @property
    def game(self) -> Game:
        """The rules of the table."""
        return self.live.table.game

    @property
    def table(self) -> str:
        """The path of the table's page: that of all its people, who share it, or that of the spectators if it has none."""
        people = [f"seat {seat}" for seat in self.live.table.people]
        return self.hall.path(self.live.id, *(people or (WATCH,)))

    # -------------------------------------------------------------- texts

    def names(self) -> tuple[str, ...]:
        """Returns the names of the files."""
        version = self.service.workspace.version
        if self._known_names is None or self._known_names[0] != version:
            loaded = self.service.loaded(self.folder.entry)
            self._known_names = version, self.folder.names(() if loaded is None else loaded.paths)
        return self._known_names[1]

    def path(self, name: str) -> Path:
        """Returns the path by which the language service knows a file."""
        return self.folder.folder / name

    def text(self, name: str) -> str:
        """Returns a text as it stands in the windows, or on the disk if it was not opened; raises Unfit, OSError."""
        on_disk = self.files.read(name)
        document = self.service.documents.get(self.path(name))
        return on_disk if document is None else document.text

    def is_changed(self, name: str) -> bool:
        """Returns whether a text is not saved."""
        document = self.service.documents.get(self.path(name))
        return document is not None and name in self.files.kept and document.text != self.files.kept[name].text

    def add(self, name: str, text: str) -> None:
        """Adds a new text, or opens one more; the windows show it."""
        self.files.kept.setdefault(name, NEW)
        self.service.open(self.path(name), text)
        self.changed(self.path(name))

    def save(self, name: str, *, overwrites: bool = False) -> None:
        """Writes a text to its file; raises ChangedOutside, Unfit, OSError."""
        try:
            self.files.save(name, self.text(name), overwrites=overwrites)
            self.service.workspace.look_again()
        finally:
            self._show()

    def reload(self, name: str) -> None:
        """Takes the text on the disk in place of the one in the windows; raises Unfit, OSError."""
        text = self.files.read_again(name)
        if self.path(name) in self.service.documents:
            self.service.open(self.path(name), text)
        self.service.workspace.look_again()
        self.changed(self.path(name))

    async def look(self) -> None:
        """Looks at the files on the disk, again and again: one that was changed outside is taken, or told of."""
        for turn in count():
            if turn % GIT_EVERY == 0:
                if await self.files.look_at_git():
                    self._show()
                self._look_at_list()
            await asyncio.sleep(LOOK_EVERY)
            if self.files.look_at_conflicts():
                self._show()
            for name in self.files.changed_meanwhile():
                with suppress(OSError, Unfit):
                    self._take_change(name)

    def _look_at_list(self) -> None:
        if self.files.look_at_list(lambda name: self.path(name) in self.service.documents):
            self.service.workspace.look_again()
            self._begin()
            self._show()

    def _take_change(self, name: str) -> None:
        """Takes a file that was changed outside, or tells of it if it was changed here as well; raises OSError, Unfit."""
        if self.is_changed(name) and self.folder.read(name).text != self.text(name):
            self.files.outside.add(name)
            self._show()
        else:
            self.reload(name)

    # -------------------------------------------------------------- variants

    @property
    def known_variants(self) -> tuple[tuple[str, str], ...]:
        """The variants of the game as the texts have them: their names and titles."""
        loaded = self.service.loaded(self.folder.entry)
        found = () if loaded is None else loaded.variants
        return tuple((one.name.text, one.title.raw if one.title is not None else "") for one in found)

    async def play_with(self, variants: Sequence[str]) -> None:
        """Plays the game on the table with other variants, as after an edit."""
        self.variants = tuple(name for name, _ in self.known_variants if name in variants)
        self.trouble = ""
        self._begin()

    # -------------------------------------------------------------- edits

    def changed(self, path: Path, by: DeskWindow | None = None) -> None:
        """Notes that a text has changed: the windows show it, and it is checked."""
        name = self.folder.name(path)
        document = self.service.documents.get(path)
        if name is None:
            return
        for window in self.windows:
            if document is not None:
                window.take_text(name, document.text)
                if window is not by:
                    window.retell(path)
        if self._edited() != self._begun:
            # A file that is only opened changes nothing.
            self._begin()

    def _begin(self) -> None:
        """Begins to check the texts, in place of the check under way."""
        self._begun = self._edited()
        if self._task is not None:
            self._task.cancel()
        self._followed.clear()
        self._judged.clear()
        self.sample.forget()
        self._task = asyncio.get_running_loop().create_task(self._settle())
        self._task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Lets nobody wait for a check that has failed."""
        if task is self._task:
            self._followed.set()
            self._judged.set()

    async def _settle(self) -> None:
        """Lets the table follow the texts, runs the scenarios, then does what takes longer; a further edit ends it."""
        game = await self._checked()
        if game is not None:
            await self.trials.run(game, self.at_first, self._show, at_once=True)
            if game.text_hash != self.game.text_hash or game.rules_hash != self.game.rules_hash:
                await self._follow(game)
        self._followed.set()
        if game is not None:
            await self.trials.run(game, self.at_first, self._show)
        self._judged.set()
        await asyncio.sleep(PAUSE)
        await self.service.prepare(self.folder.entry)
        self.service.faults(self.folder.entry)
        self.is_read = True
        self._show()
        if game is not None:
            await self.trials.confirm(game, self._show)
            await self.sample.run(self._edited(), self._show)

    async def followed(self) -> None:
        """Waits until the table has followed the texts, or cannot."""
        if self._task is not None:
            await self._followed.wait()

    async def judged(self) -> None:
        """Waits until the scenarios that the last edit reaches have been played, or the rules have errors."""
        if self._task is not None:
            await self._judged.wait()

    async def _checked(self) -> Game | None:
        """Returns the game as the texts have it; None if they have errors."""
        await asyncio.sleep(0)
        for _ in self.service.workspace.steps_of_check(self.folder.entry, self.variants):
            await asyncio.sleep(0)
        # What cannot be read in a scenario, or in a variant that is not in force, costs nothing else.
        checked = self.service.workspace.check(self.folder.entry, self.variants)
        game = checked.rules
        self.is_broken = game is None
        if game is None:
            self.is_read = True
            self.trouble = self._misfit(checked)
            self._show()
        return game

    def _misfit(self, checked: Checked) -> str:
        """Returns a sentence on variants that do not go together, if the texts themselves have no errors."""
        if not self.variants or self.service.workspace.check(self.folder.entry).rules is None:
            return ""
        fault = next((one for one in checked.diagnostics if one.is_error), None)
        return "" if fault is None else f"{' + '.join(self.variants)}: {fault.message}"

    def _edited(self) -> EditedRules:
        """Returns the rules as they stand in the windows."""
        texts = dict[Path, str]()
        for name in dict.fromkeys((*self.names(), *self.files.kept)):
            # What is no text, or is gone from the disk, is no part of them.
            with suppress(OSError, Unfit):
                texts[self.path(name)] = self.text(name)
        return EditedRules.of(self.folder.entry, self.variants, texts)

    async def _follow(self, game: Game, *, takes: bool = False) -> None:
        live = self.live
        if self.log is None:
            self.log, self.under = played(live.table), live.table.game
        log = self.log
        try:
            with held_back():
                found = await in_thread(lambda look: follow(log, game, live.table.seats, look, takes=takes))
        except RulelangError as error:
            self.trouble = trouble_of(error)
            self._show()
            return
        await self._lay(found, takes=takes)

    async def _lay(self, found: Followed, *, takes: bool) -> None:
        """Lays the game by the new rules on the table; where they part, it waits for somebody to take their line."""
        self.trouble = ""
        self.parting = None if takes else found.parting
        said = "" if self.parting is None else f"By these rules the game goes another way: {self.parting.in_short}"
        self.hall.keep("+".join((found.table.game.id, *found.table.game.variants)), found.table.game)
        await self.live.lay(found.table, said)
        if self.parting is None:
            self.log = self.under = None
        self._show()

    def steps(self) -> str:
        """Returns the path of a page that shows the game on the table step by step, from each of which it can go on."""
        id = self.live.id
        return f"/r/{id}/{self.hall.links.token(id, HOST)}"

    def attend(self) -> None:
        """Takes the table that was opened last, as from a step of a log, as the table of the texts: it follows them."""
        if self.live is self._attended:
            return
        self.live.table.allow_undo = self._attended.table.allow_undo
        self._attended = self.live
        self.log = self.under = self.parting = None
        self.trouble = ""
        self._begin()

    async def take(self) -> None:
        """Goes on under the present rules, from as far as the game can be played by them."""
        if self.log is not None:
            await self._follow(self.game, takes=True)

    def beside(self) -> str:
        """Returns the path of a page with both boards, by the rules of the game that was played and by those of now."""
        if self.log is None or self.under is None:
            return ""
        path = self.hall.folder / "beside.jsonl"
        path.write_bytes(self.log.text)
        id = self.hall.show(path, self.under, self.game)
        step = "" if self.parting is None else f"#{self.parting.step}"
        return f"/r/{id}/{self.hall.links.token(id, HOST)}{step}"

    def game_of(self, course: str) -> str:
        """Returns the path of a page with both boards of a game that takes a course by the rules of now; each time the next."""
        log = self.sample.next(course)
        if log is None:
            return ""
        path = self.hall.folder / "sample.jsonl"
        path.write_bytes(log)
        id = self.hall.show(path, self.at_first, self.game)
        step = "" if course == "same" else f"#{first_difference(log, self.game)}"
        return f"/r/{id}/{self.hall.links.token(id, HOST)}{step}"

    def claims(self) -> tuple[str, ...]:
        """Returns the claims that a scenario of the last choice at the table can make. Raises RulelangError."""
        match = self.live.table.match
        return claims(self.game, match, len(match.earlier()))

    async def scenario(self, title: str = "", expects: Sequence[str] = ()) -> tuple[str, int]:
        """Writes the last choice at the table as a scenario, which passes as it is written, into the text where
        scenarios are; returns the name of that text, and the line. Raises RulelangError where none can say it.

        `expects` are the claims that it makes; all of them if none are chosen.
        """
        match = self.live.table.match
        wanted = [one for one in self.claims() if one in expects]
        found = await asyncio.to_thread(lambda: excerpt(self.game, match, len(match.earlier()), title, wanted))
        return self._written(found.text)

    def refusals(self) -> tuple[tuple[str, str], ...]:
        """Returns the options that rules refuse at the table now, each with the reason."""
        return tuple((one.text, str(reason)) for one, reason in islice(self._refused(), MOST_REFUSALS))

    def _refused(self) -> Iterator[tuple[Option, Reason]]:
        match = self.live.table.match
        return ((option, why) for seat in match.to_move for option, why in refused(match, seat))

    async def scenario_of_refusal(self, text: str) -> tuple[str, int]:
        """Writes why an option is refused at the table now as a scenario, which passes as it is written, into the text
        where scenarios are; returns the name of that text, and the line. Raises RulelangError where none can say it.
        """
        option = next((one for one, _ in islice(self._refused(), MOST_REFUSALS) if one.text == text), None)
        if option is None:
            raise InvalidInput(f"no rule refuses {text[:80]} now")
        match = self.live.table.match
        return self._written((await asyncio.to_thread(refusal, self.game, match, option)).text)

    # -------------------------------------------------------------- positions

    def scenario_of_position(self) -> tuple[str, int]:
        """Writes the position on the table as a scenario, which passes as it is written, into the text where scenarios
        are; returns the name of that text, and the line. Raises RulelangError where nobody is asked."""
        return self._written(written_position(self.game.internals, self.live.table.match.position))

    async def open_scenario(self, file: str, line: int, *, runs: bool = False) -> str:
        """Lays the position to which the givens of a scenario lead on the table: that of the scenario in which a line
        is, counted from 0. If it `runs`, it is the position where it fails, or its end; returns a sentence on that.
        Raises RulelangError if there is none, or it leads to no position."""
        game = self.service.workspace.check(self.folder.entry, self.variants).rules
        if game is None:
            raise InvalidInput("the rules have errors: no scenario can begin")
        own = (one.title for one in game.internals.whole.scenarios if one.span.source.name == file)
        above = [one for one in own if one.span.source.position(one.span.start)[0] - 1 <= line]
        if not above:
            raise InvalidInput("no scenario stands at the cursor")
        title = max(above, key=lambda one: one.span.start).raw
        found = await asyncio.to_thread(fault_of if runs else opening, game, title, 0)
        await self._lay_position(game, found.text, found.players, found.lone)
        return f"Here it fails: {found.fault}" if found.fault else "It passes: this is its end." if runs else ""

    async def move(self, drag: Drag) -> tuple[str, ...]:
        """Lays the position in which a thing is elsewhere on the table; returns the givens that are others. Raises
        RulelangError where it cannot be there."""
        match, game = self.live.table.match, self.game
        found = moved(game, match, drag)
        await self._lay_position(game, found.text, match.players, self.live.table.header.lone)
        return found.changed

    async def _lay_position(self, game: Game, text: str, players: int, lone: LoneOptions | None) -> None:
        """Begins a game in a position, at the same table if as many play."""
        live = self.live
        is_same = players == live.table.match.players
        seats = live.table.seats if is_same else seated((), names_at(game.ir, players), game.ir.score is not None)
        table = await asyncio.to_thread(begin_in, game, text, seats, lone)
        table.allow_undo = live.table.allow_undo
        self.log = self.under = self.parting = None
        self.trouble = ""
        self.hall.keep(table.name, game)
        if is_same:
            await live.lay(table)
        else:
            self._attended = self.hall.add(table)
        self._show()

    def _written(self, scenario: str) -> tuple[str, int]:
        """Adds a scenario to the text where scenarios are; returns the name of that text, and the line."""
        name = "scenarios/table.rules" if self._reads_scenarios else self.folder.entry.name
        before = ""
        with suppress(FileNotFoundError, Unfit):
            before = self.text(name)
        start = f"{before.rstrip()}\n\n" if before.strip() else ""
        loaded = self.service.loaded(self.folder.entry)
        known = {one.title.raw for one in loaded.scenarios} if loaded is not None else set()
        self.add(name, f"{start}{under_fresh_title(scenario, known).rstrip()}\n")
        return name, start.count("\n")

    @property
    def _reads_scenarios(self) -> bool:
        """Whether the scenarios in the folder are read: not with variants of a game that lies elsewhere."""
        loaded = self.service.loaded(self.folder.entry)
        return self.folder.is_whole and (loaded is None or loaded.paths[:1] == (self.folder.entry,))

    # -------------------------------------------------------------- what is shown

    async def clauses(self) -> tuple[ShownClause, ...]:
        """Returns the rulebook's clauses, each with the lines that carry it out and the scenarios that cite it."""
        game, shown = self.game, self.trials.shown()
        citing = {trial.result.name: trial.result.clauses for trial in self.trials.trials}
        reports = {one.id: one for one in (await asyncio.to_thread(cover, game, ())).clauses}
        return tuple(
            ShownClause(
                clause.id,
                clause.section,
                clause.text,
                tuple(_line_of(place) for place in reports[clause.id].cited),
                tuple((one.title, one.file, one.line) for one in shown if clause.id in citing[one.title]),
                "" if reports[clause.id].cited or clause.handled else "No line of the rules cites it.",
            )
            for clause in clauses_of(game.internals.ledger)
        )

    def state(self) -> ShownState:
        """Returns the state that the windows show beside the texts."""
        faults = tuple(self._faults())
        tabs = tuple(
            FileTab(
                name,
                self.is_changed(name),
                sum(fault.file == name and fault.is_error for fault in faults),
                name in self.files.outside,
                self.files.in_git.get(name, ""),
                name in self.files.gone,
            )
            for name in dict.fromkeys((*self.names(), *self.files.kept))
        )
        parting = "" if self.parting is None else self.parting.in_short
        variants = tuple((name, title, name in self.variants) for name, title in self.known_variants)
        shown, sample, place = self.trials.shown(), self.sample.shown, self._parted_by()
        return ShownState(tabs, faults, self.is_broken, self.trouble, parting, place, shown, sample, variants)

    def _parted_by(self) -> str:
        """Returns the place of the rule that makes the game go another way; "" if it stands in no text of this game."""
        span = NOWHERE if self.parting is None else self.parting.span
        if span.source.name not in self.names():
            return ""
        line, column = span.source.position(span.start)
        return f"{span.source.name}:{line - 1}:{column - 1}"

    def _faults(self) -> Iterator[ShownFault]:
        known = self.service.faults_at_once(self.folder.entry) if self.is_read else {}
        for path, faults in known.items():
            name = self.folder.name(path)
            for fault in faults if name is not None else ():
                start = fault.range.start
                yield ShownFault(name or "", start.line, start.column, fault.code, fault.message, fault.is_error)

    def _show(self) -> None:
        if self.windows:
            state = self.state()
            for window in self.windows:
                window.show(state)

    def close(self) -> None:
        """Stops what is being worked out."""
        self.sample.close()
        if self._task is not None:
            self._task.cancel()


def _line_of(place: str) -> tuple[str, int]:
    """Returns the file and the line, from 0, of a place.

    >>> _line_of("nim.rules:12")
    ('nim.rules', 11)
    """
    file, _, line = place.rpartition(":")
    return (file, int(line) - 1) if line.isdecimal() else (place, 0)
