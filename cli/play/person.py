"""A person at the terminal, who is shown the screen and the news, is asked for choices, and may mistype.

    red, which route?
      1  Take the left route
      2  Take the middle route
    red> mid

At every prompt `?`, `undo`, `save`, `log`, `screen`, `back` and `quit` work too. The clock of a choice runs while the
person thinks, unless clocks are switched off.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import attrs
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from rulelang.errors import IllegalOption, LogError, UnknownOption
from rulelang.ir.numbers import Seat
from rulelang.knowledge.phrase import spliced
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.match.options.standing import ends_standing, standing_form
from rulelang.match.recording.events import AnsweredBy
from rulelang.screens.aim import aim_of
from rulelang.screens.model import Fold, Map
from rulelang.screens.picture import picture
from rulelang.screens.what import Explained, explained
from rulelang.session.answer_parser import Mention
from rulelang.session.clock import Timer
from rulelang.session.dialogue import Dialogue, Menus, passes_until
from rulelang.session.fallback_reply import no_answer
from rulelang.session.prompt_builder import unprompted
from rulelang.session.question import Question
from rulelang.session.references import cited, explained_line, notes, of_the_aim, saying, with_sentences
from rulelang.session.refusals import Forbidden, beside_a_lone_option, forbidden, grouped
from rulelang.session.table import GameTable
from rulelang.session.undo import Unfair

from ..console import safe
from ..question_topic import answer_asked, thing_asked
from ..reason import lines_of
from ..screen import draw, height, narrate, outdented, signified, summary, tell
from ..screen.aim import aimed
from ..screen.columns import in_two
from ..screen.hanging import Hanging
from ..screen.styles import QUIET, Styles
from .countdown import read_line
from .keyboard import Keyboard
from .rules import pages
from .unanswered import HasAnswered, Left, TakenBack

if TYPE_CHECKING:
    from rulelang.workbench.reasons.why import Answer

HELP = """\
An answer is its number, its words (their beginnings will do), or the whole of it as the log writes it.
  ?       what you cannot do now, and why
  why X   why you may or may not do X; why something is as it is: why red.fuel
  what X  what something on the screen is, or what a clause says
  goal    what the game is about, how it ends, and how far it has come
  hint    what a bot would answer that sees what you see
  rules   the rulebook: its chapters; rules 2, or words of a title, reads a section
  more    all that happened since you were last asked
  back    ask me the question before
  until   pass until raise: pass each time I am asked this, until `raise` happens; withdraw ends it
  screen  draw the screen again; screen X opens its part X; screen map, screen all
  log     tell what has happened so far
  undo    take back your last choice; undo 3, your last three
  steps   the choices so far by number; undo to 12 goes back to 12
  save    save the game: save, or save FILE
  quit    stop (so does the end of the input)"""

WORDS = (
    "?",
    "back",
    "goal",
    "help",
    "hint",
    "log",
    "more",
    "quit",
    "rules",
    "save",
    "screen",
    "steps",
    "undo",
    "what",
    "why",
    "withdraw",
)
"""The commands that work at every prompt."""
MOST_REFUSALS = 12
SHORT = 4
SMALL = 30
"""A terminal with fewer rows is small: more than SHORT entries that leave room for two are printed in columns, too."""
KEYED = 6
"""The number of columns for an entry's number."""
LONG = 12
"""The most entries of a list that is printed in one column."""
TOLD_WHOLE = 12
"""The most rows of news that are told in full; longer news is told in brief. On a small terminal TOLD_BRIEFLY."""
TOLD_BRIEFLY = 8
"""The most rows of brief news. On a small terminal MOST_NEWS."""
MOST_NEWS = 5
"""The most rows of news that stay in sight above the screen."""
LEAST_NEWS = 1
"""The fewest rows to which news is shortened; rather than that, a map becomes a list."""
MOST_BARE = 6
"""The fewest rows of a screen, however long the question is."""
MOST_MEANINGS = 4
MOST_NAMED = 6
"""The most answers on offer that a reply to `why` names."""
MOST_FACTS = 12
SHORTEST_WORD = 3
"""The fewest letters of its title by which a part of the screen is opened."""


BACK = re.compile(r"(?P<times>[0-9]{1,6})?|to (?P<step>[0-9]{1,6})")
"""The argument of `undo`: a number of choices, or a step."""


@attrs.define
class Person:
    """The people at this terminal, for all the seats they play."""

    console: Console
    table: GameTable
    now: Callable[[], float] | None = None
    """The time in seconds, if clocks run for people; None if the rules give the time that an answer takes."""
    timer: Timer | None = attrs.field(default=None, init=False)
    """The clock that the present question runs against, if any."""
    untold: list[Text] = attrs.field(factory=list)
    """The last news in full."""
    menus: Menus = attrs.field(factory=Menus, init=False)
    """The questions that began a choice."""
    keyboard: Keyboard = attrs.field(factory=Keyboard)
    offered: tuple[str, ...] = ()
    """The words from which a typed line can be completed now."""

    @property
    def match(self) -> BareMatch:
        """The match that is played."""
        return self.table.match

    @property
    def styles(self) -> Styles:
        """The colours of this table."""
        return Styles.of_match(self.match)

    @property
    def spoken_of(self) -> frozenset[str]:
        """The variables whose changes are told to people."""
        return self.table.audience.spoken_of

    @property
    def _is_small(self) -> bool:
        """Returns whether this is a terminal with few rows."""
        return self.console.is_terminal and self.console.height < SMALL

    def choose(self, seat: int) -> tuple[Option, int | None, AnsweredBy | None]:
        """Asks for one choice; returns the option, the time that it took, if a clock ran, and whether time ran out.

        Raises Left, and TakenBack after an undo.
        """
        self._hand_over(seat)
        dialogue = Dialogue.of(self.match, Seat(seat), self.menus.before(self.match, seat))
        self.menus.give(self.match, seat, dialogue.choice.name, dialogue.question)
        is_new, is_put = True, False
        timer = self.timer = None if self.now is None else self.table.timer(self.now)
        while True:
            if not is_put:
                put = self._question(seat, dialogue.question)
                if is_new:
                    self._present(seat, self._room(put, 0 if timer is None else 1))
                self.console.print(put)
                is_new, is_put = False, True
            self.offered = (
                *(line.label for line in (*dialogue.question.parts, *dialogue.question.lines)),
                *dialogue.question.members,
                *dialogue.question.names,
                *WORDS,
            )
            text = self._read(spliced((self.match.seat_names[seat], "> ")), timer)
            if timer is not None and (text is None or timer.remaining() < 0):
                self.console.print(self.styles(f"The {timer.name} has run out.", "yellow"))
                late = self.match.late(seat)
                return (late, None, "clock") if late is not None else (dialogue.options[0], timer.left + 1, None)
            assert text is not None
            if text.casefold() == "back":
                dialogue.back()
                is_put = False
            elif self._is_command(text, dialogue):
                is_put = False
            else:
                answer = self._answer(text, dialogue)
                if isinstance(answer, Option):
                    return answer, None if timer is None or timer.declines else timer.elapsed(), None
                is_put = answer is None

    def _answer(self, text: str, dialogue: Dialogue) -> Option | Question | None:
        """Returns the option or the next question after an answer;
        prints the reason and returns None if it is refused."""
        try:
            return dialogue.answer(text)
        except UnknownOption as error:
            goes_back = "back gives the question before, " if len(dialogue.trail) > 1 else ""
            hint = f"({goes_back}? says what is not allowed and why, help what you can type)"
            self.console.print(self.styles(str(error), "yellow"))
            self.console.print(self.styles(hint, QUIET))
            return None

    # -------------------------------------------------------------- showing

    def _present(self, seat: int, rows: int | None) -> None:
        """Prints the news and the screen of a seat, in a number of rows if possible: as much of the screen is folded as can
        be before the news is shortened."""
        if rows is None:
            self.tell(seat)
            return self.show(seat)
        parts = picture(self.match, seat)
        for least in (draw(parts, self.styles, self.console, few) for few in (0, 1)):
            room = rows - len(self.console.render_lines(least, self.console.options, pad=False))
            if room > LEAST_NEWS:
                break
        news = min(self.tell(seat, max(room, LEAST_NEWS)), MOST_NEWS)
        return self.show(seat, max(rows - news, MOST_BARE))

    def tell(self, seat: int, most: int = TOLD_BRIEFLY) -> int:
        """Prints the events that a seat has seen since it was last told; returns the number of rows. On a small terminal
        there are at most so many, if the shortest way to tell the events fits."""
        events = self.table.audience.news(seat)
        lines = self.untold = list(narrate(events, self.styles, self.spoken_of))
        shown = outdented(lines)
        whole, room = (min(TOLD_BRIEFLY, most), min(MOST_NEWS, most)) if self._is_small else (TOLD_WHOLE, TOLD_BRIEFLY)
        if height(self.console, shown) <= whole:
            return tell(self.console, shown)
        *before, last = summary(events, self.styles, self.console.width, room, self.spoken_of) or lines[-room:]
        count = "1 line" if len(lines) == 1 else f"{len(lines)} lines"
        for hint in (f"  (more: {count})", "  (more)", ""):  # what happened matters more than the hint
            brief = [*before, last.copy().append_text(self.styles(hint, QUIET))]
            if height(self.console, brief) <= min(room + 1, most):
                break
        return tell(self.console, outdented(brief))

    def show(self, seat: int | None, rows: int | None = None) -> None:
        """Draws the screen as a seat (None: a spectator) sees it, in a number of rows if it fits."""
        self.console.print(Rule(style=QUIET))
        self.console.print(draw(picture(self.match, seat), self.styles, self.console, rows))

    def _room(self, question: RenderableType, news: int = 0) -> int | None:
        """Returns the number of rows that news and a question leave for the screen; None if output is not paged."""
        if not self.console.is_terminal:
            return None
        asked = len(self.console.render_lines(question, self.console.options, pad=False))
        return max(self.console.height - asked - news - 2, MOST_BARE)

    def _hand_over(self, seat: int) -> None:
        """Clears the screen when another person's turn comes, so
        that they do not see the secrets of the last person."""
        if self.table.audience.turns_to(seat) and self.console.is_terminal:
            self.console.clear()
            who = self.match.seat_names[seat]
            self.console.print(
                self.styles(spliced(("It is for ", who, " to choose. Press Enter when nobody else looks.")))
            )
            self.offered = ()
            self._read("")

    def _question(self, seat: int, asked: Question) -> RenderableType:
        choice = self.match.choice
        assert choice is not None
        prompt = self.match.prompt(seat) or unprompted(self.match.game, choice)
        head = self.styles(spliced((self.match.seat_names[seat], ": ", asked.heading or prompt)), "bold")
        if choice.sealed and self.match.players > 1:
            head.append("  (nobody sees it before all have chosen)", QUIET)
        heads: list[RenderableType] = [head]
        if not asked.heading and (topic := self.match.topic(seat)):
            heads.append(Hanging(self.styles(spliced((" " * KEYED, topic)), QUIET), KEYED))
        if asked.members:
            several = self._list((str(number), name, "") for number, name in enumerate(asked.names, start=1))
            return Group(*heads, several, self.styles(asked.note, QUIET))
        if asked.numbers:
            head.append(f"  {asked.numbers}", QUIET)
            return Group(*heads)
        note = notes(self.match, seat)
        entries = self._list((line.key, line.label, note(line)) for line in asked.parts or asked.lines)
        beside = beside_a_lone_option(self.match, Seat(seat), asked)
        again = passes_until(self.match, seat)
        waits = (self.styles(f"(pass until {again}: not to be asked before that)", QUIET),) if again else ()
        return Group(*heads, entries, *waits, *(self._forbidden(one) for one in beside))

    def _list(self, entries: Iterable[tuple[str, str, str]]) -> RenderableType:
        """Returns numbered entries with their notes, one on each line; many entries are in columns."""
        lines: list[Text] = []
        for key, label, shown in entries:
            lines.append(self.styles(spliced((f"{key:>4}  ", label))))
            if shown:
                lines[-1].append("   ", QUIET).append_text(self.styles(shown, QUIET))
        if len(lines) > LONG:
            return Columns(lines, padding=(0, 2), equal=True, column_first=True)
        if self._is_small and len(lines) > SHORT:
            if beside := in_two(lines, self.console.width):
                return Group(*beside)
            short = [line for line in lines if 2 * len(line) < self.console.width]
            if len(short) > SHORT and (beside := in_two(short, self.console.width)):
                return Group(*beside, *(Hanging(line, KEYED) for line in lines if 2 * len(line) >= self.console.width))
        return Group(*(Hanging(line, KEYED) for line in lines))

    # -------------------------------------------------------------- reading

    def _read(self, prompt: str, timer: Timer | None = None) -> str | None:
        """Returns one typed line; None if the clock has run out. Raises Left at the end of the input."""
        text: str | None
        try:
            if timer is not None:
                text = read_line(self.console, self.styles, prompt, timer)
            elif self.keyboard.can_edit and self.console.is_terminal:
                text = self.keyboard.line(prompt, self.offered)
            else:
                self.console.print(self.styles(prompt), end="")
                text = input()
        except UnicodeDecodeError:
            return ""
        except EOFError:
            self.console.print()
            raise Left("the input has ended") from None
        except KeyboardInterrupt:
            self.console.print()
            raise Left("interrupted", is_interrupted=True) from None
        if text is not None and not sys.stdin.isatty():
            self.console.print(self.styles(text))
        return None if text is None else text.strip()

    def _is_command(self, text: str, dialogue: Dialogue) -> bool:
        """Carries out a command such as `undo`; returns whether the text was one."""
        seat = dialogue.seat
        word, _, rest = text.partition(" ")
        match word.casefold():
            case "?" | "why":
                self._explain(dialogue, rest)
            case "what" | "what's" | "what’s":
                self._tell_what(seat, rest if word.casefold() == "what" else f"is {rest}", dialogue.question)
            case "more" if not rest:
                tell(
                    self.console,
                    self.untold or [self.styles("  Nothing has happened since you were last asked.", QUIET)],
                )
            case "screen" if rest.strip().casefold() == "all":
                self.show(seat)
            case "screen" if rest.strip().casefold() == "map":
                maps = tuple(part for part in picture(self.match, seat) if isinstance(part, Map))
                self.console.print(draw(maps, self.styles, self.console))
            case "screen" if rest:
                if (part := self._part(seat, rest)) is not None:
                    self._open(part)
                else:
                    self.console.print(self.styles(f"No part of the screen is called {safe(rest).plain!r}.", "yellow"))
            case "goal" | "aim" if not rest:
                aim = aim_of(self.match, seat)
                nothing = self.styles("The rules of this game do not say what it is about.", "yellow")
                self.console.print(nothing if aim is None else aimed(aim, self.styles))
            case "hint" if not rest and not self._begins_option(seat, word):
                self.console.print(self.styles(f"A bot would answer: {self.table.hint(Seat(seat)).label}", QUIET))
            case "rules":
                for page in pages(self.table.game, rest.strip(), self.styles):
                    self.console.print(page)
            case "help" | "h" if not rest:
                self.console.print(self.styles(HELP))
            case "screen" if not rest:
                self.show(seat, self._room(self._question(seat, dialogue.question)))
            case "log" if not rest:
                tell(self.console, narrate(self.match.events_for(seat), self.styles, self.spoken_of))
            case "save":
                self._save(rest.strip())
            case "steps" if not rest:
                self._tell_steps(seat)
            case "undo":
                self._undo(seat, rest, is_inside=len(dialogue.trail) > 1)
            case "withdraw" if not rest:
                self._withdraw(seat)
            case "quit" | "exit" | "q" if not rest:
                raise Left("")
            case _ if (part := self._part(seat, text)) is not None and not self._begins_option(seat, text):
                self._open(part)
            case _ if (form := standing_form(text)) is not None and form[1] in ends_standing(self.match.game):
                self._answer_until(dialogue, *form)
            case _:  # any other text is an answer
                return False
        return True

    def _explain(self, dialogue: Dialogue, rest: str) -> None:
        """Prints the reason why one answer is not allowed, or all forbidden answers, grouped by reason."""
        rest = rest.strip().rstrip("?")
        wanted = answer_asked(rest)
        if wanted:
            for line in self._reason(dialogue, wanted, is_of_answer=wanted != rest.strip()):
                self.console.print(line)
            return
        found = forbidden(self.match, dialogue.seat, dialogue.question.begun)
        if not found:
            self.console.print(self.styles("No rule forbids anything here: all that could be chosen is on the list."))
        # The question is printed again below.
        room = self._room(self._question(dialogue.seat, dialogue.question)) or MOST_REFUSALS
        told = 0
        for line in map(self._forbidden, found):
            room -= -(-len(line.line) // self.console.width)
            if room < (told < len(found) - 1):
                break
            self.console.print(line)
            told += 1
        if told < len(found):
            self.console.print(self.styles(f"   –  and {len(found) - told} more (why X asks for one)", QUIET))

    def _forbidden(self, one: Forbidden) -> Hanging:
        """Returns a group of forbidden answers as one line."""
        several = (one.words, f" ({one.count}, such as ", one.label, ")")
        is_one = one.count == 1 or one.label == one.words
        said = spliced(("   –  ", *((one.label,) if is_one else several), ": "))
        return Hanging(self.styles(said, QUIET).append_text(self.styles(str(one.reason))), KEYED)

    def _reason(self, dialogue: Dialogue, wanted: str, *, is_of_answer: bool) -> Iterator[RenderableType]:
        """Yields the reason why an answer is or is not allowed, or why a variable, a number or an event is as it is.

        Words that could be both are taken for an answer if `is_of_answer`, or if they are the whole of its words.
        """
        from rulelang.workbench.reasons.why import Asker, NoReason, why

        found, trouble = Mention(), ""
        try:
            found = dialogue.mentioned(wanted)
        except UnknownOption as error:
            trouble = str(error)
        is_name = bool({".", "("} & set(wanted))
        if (
            not (found and (is_of_answer or found.is_whole))
            and (is_name or not is_of_answer)
            and not wanted.isdecimal()
        ):
            try:
                reason = why(self.match, wanted, Asker(dialogue.seat))
            except NoReason as error:
                trouble = trouble or (str(error) if is_name else "")
            else:
                yield from self._lines(reason)
                return
        if found:
            yield from self._standings(dialogue, found)
        else:
            labels = [option.label for option in dialogue.options]
            yield self.styles(trouble or no_answer(self.match, dialogue.seat, wanted, labels), "yellow")

    def _standings(self, dialogue: Dialogue, found: Mention) -> Iterator[RenderableType]:
        """Yields the reasons why the answers that were mentioned are or are not allowed."""
        from rulelang.workbench.reasons.legality import standing_of
        from rulelang.workbench.reasons.why import Asker

        eyes = Asker(dialogue.seat).bit(self.match)
        reasons = ((option, self.match.why_not(option)) for option in found.outside)
        outside = [(option, reason) for option, reason in reasons if reason is not None]
        groups = grouped(self.match, [*found.refused, *outside], found.lacks)
        alone = [option for option, _ in found.refused] or [*found.offered, *found.outside]
        if len(groups) + len(found.offered) <= 1 and len(alone) == 1:
            standing = standing_of(self.match, alone[0], eyes)
            yield from self._lines(standing)
            refusal = standing.refusal
            for sentence in cited(self.table.game, () if refusal is None else refusal.clauses):
                yield Hanging(self.styles(spliced(("    ", sentence)), QUIET), KEYED)
            return
        yield from map(self._forbidden, groups[:MOST_REFUSALS])
        if found.offered:
            names = [part for option in found.offered[:MOST_NAMED] for part in ("“", option.label, "”, ")]
            more = f" and {len(found.offered) - MOST_NAMED} more" if len(found.offered) > MOST_NAMED else ""
            yield Hanging(self.styles(spliced(("   –  ", "on offer: ", *names[:-1], "”", more))), KEYED)

    def _lines(self, reason: Answer) -> Iterator[Text]:
        for line in lines_of(reason, at_play=True):
            yield self.styles(safe(line).plain)

    def _tell_what(self, seat: int, word: str, asked: Question | None = None) -> None:
        """Explains a word on the screen, or an answer given by its number or its words."""
        found = self._meanings(seat, word.strip(), asked) or self._meanings(seat, word := thing_asked(word), asked)
        for one in found[:MOST_MEANINGS]:
            head = self.styles(one.name, "bold").append(f" ({safe(one.noun).plain})", QUIET)
            ids = f"  [{', '.join(one.clauses)}]" if one.clauses else ""
            self.console.print(head.append(f": {safe(one.text).plain}" if one.text else "").append(ids, QUIET))
            for fact in one.facts[:MOST_FACTS]:
                self.console.print(Hanging(self.styles(spliced(("    ", fact))), KEYED))
        if not found:
            self.console.print(self.styles(f"Nothing here is called {safe(word).plain!r}.", "yellow"))

    def _meanings(self, seat: int, word: str, asked: Question | None) -> tuple[Explained, ...]:
        """Returns the meanings of a word; a sign on a map means what it stands for."""
        signs: tuple[Explained, ...] = ()
        stands_for = signified(picture(self.match, seat), word, self.console.width)
        if stands_for is not None:
            signs = (Explained(word, "sign", stands_for or "nothing is shown there"),)
            word = stands_for or word
        found = () if asked is None else explained_line(self.match, seat, asked, word)
        meanings = found or of_the_aim(self.match, seat, word, explained(self.match, seat, word))
        return (*signs, *(with_sentences(self.table.game, word, meanings) or saying(self.table.game, word)))

    def _begins_option(self, seat: int, word: str) -> bool:
        """Returns whether a word is the beginning of an answer."""
        begun = word.casefold()
        return any(
            written.casefold().startswith(begun)
            for option in self.match.options_of(seat)
            for written in (option.text, option.label)
        )

    def _part(self, seat: int, words: str) -> Fold | None:
        """Returns the folded part of the screen whose title begins with some words, if there is one."""
        begun = words.strip().casefold()
        if len(begun) < SHORTEST_WORD:
            return None
        parts = picture(self.match, seat)
        return next((p for p in parts if isinstance(p, Fold) and p.title.casefold().startswith(begun)), None)

    def _open(self, part: Fold) -> None:
        """Draws a folded part of the screen."""
        self.console.print(draw((part,), self.styles, self.console))

    def _save(self, name: str) -> None:
        try:
            self.console.print(self.styles(f"Saved in {self.table.save(name)}"))
        except (OSError, LogError) as error:
            reason = error.strerror if isinstance(error, OSError) else None
            self.console.print(self.styles(f"It cannot be saved there: {reason or error}", "yellow"))

    def _tell_steps(self, seat: int) -> None:
        """Prints the choices that stand, with their numbers for `undo`."""
        steps = self.table.steps(seat)
        room = max(self.console.height - 4, MOST_REFUSALS)
        if len(steps) > room:
            self.console.print(self.styles(f"  … {len(steps) - room} before these", QUIET))
        for one in steps[-room:]:
            self.console.print(
                self.styles(spliced((f"{one.step:>4}  ", self.match.seat_names[one.seat], ": ", one.said)))
            )

    def _answer_until(self, dialogue: Dialogue, words: str, until: str) -> None:
        """Takes an answer, now and whenever it is asked for, until something happens. Raises HasAnswered."""
        answer = self._answer(words, dialogue)
        if isinstance(answer, Option):
            self.table.beforehand(f"{self.match.seats[dialogue.seat]}: {answer.text} until {until}")
            self.console.print(self.styles(f"{answer.label}, until {until}: withdraw ends it.", QUIET))
            raise HasAnswered
        if answer is not None:
            dialogue.back()
            self.console.print(self.styles("Say the whole of what is to stand.", "yellow"))

    def _withdraw(self, seat: int) -> None:
        """Takes back the answers of a seat that stand."""
        said = ", ".join(one.said for one in self.match.standing(seat))
        self.match.withdraw(seat)
        self.console.print(self.styles(f"Withdrawn: {said}." if said else "No answer of yours stands.", QUIET))

    def _undo(self, seat: int, which: str, *, is_inside: bool) -> None:
        """Takes back a seat's last choice, a number of its last choices, or all after a step; `is_inside` says whether
        the question asked is one that an earlier answer opened."""
        found = BACK.fullmatch(which.strip().casefold())
        if found is None:
            self.console.print(self.styles("undo, undo 3 or undo to 12 (steps lists the numbers)", "yellow"))
            return
        times, step = found.group("times"), found.group("step")
        try:
            back = int(times or 1), None if step is None else int(step)
            elapsed = None if self.timer is None or self.timer.declines else self.timer.elapsed()
            self.table.take_back(seat, times=back[0], step=back[1], elapsed=elapsed)
        except Unfair as error:
            way = "; back leaves this question" if is_inside else ""
            self.console.print(self.styles(f"{error}: taking back needs --allow-undo{way}", "yellow"))
            return
        except IllegalOption as error:
            self.console.print(self.styles(str(error), "yellow"))
            return
        self.console.print(
            self.styles("Taken back; it stays in the log." if self.table.log is not None else "Taken back.")
        )
        raise TakenBack
