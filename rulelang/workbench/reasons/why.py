"""A match and something in it -> the reason: why an event happened, why a variable or a number has its value, why an
option is legal or not.

    red.fuel        step 12, red: program(left)  >  resolution  >  pay(red, 2) [OS-6.12]  >  red.fuel: 9 -> 7
    reach(red)      = 4: base 3, +2 long_legs, at most 4
    red: pay 3      needs n <= p.gold: n is 3, red's gold is 2; the nearest on offer is red: pay 2

A chain leads from the answer that caused it, through the rules that called each other and the numbers adjusted on the
way, to the change, each link with its clauses and its place. Everything is shown as the asker may know it: secrets are
covered, as in the asker's events, or left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

import attrs

from rulelang.diagnostics.suggest import suggest
from rulelang.errors import RuntimeRules, UnknownOption
from rulelang.ir.numbers import Mask, Seat, Thing
from rulelang.ir.types import PLAYER
from rulelang.knowledge.redaction import read, said_cell, thing_name
from rulelang.knowledge.rendering import at_fault
from rulelang.log.format import SEALED, entries_for
from rulelang.machines.offers.offer import MOST
from rulelang.match import inputs
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.match.options.words import words_of
from rulelang.match.recording.events import Change, Drawn, Entry, Event, EventForm, Taken, Undone
from rulelang.match.refused import refused
from rulelang.match.view import State, View
from rulelang.match.view_cache import Heap
from rulelang.program.values import clean, plain
from rulelang.screens.ending import ended
from rulelang.screens.narration import change_in_words
from rulelang.source import NOWHERE, Span
from rulelang.workbench.reasons.breakdown import Accounting, NumberAccount, asked_for
from rulelang.workbench.reasons.computations import Working, workings_of
from rulelang.workbench.reasons.legality import OptionStanding, standing, standing_of

LONGEST_NUMBER = 9


class NoReason(Exception):
    """Raised if no reason can be given; the message says what was not found."""


LinkForm: TypeAlias = EventForm | Literal["input", "start", "change", "adjustment", "value"]


@attrs.frozen
class Link:
    """One link of a chain: an answer, a rule, an adjusted number, or a change, with its clauses and its place."""

    what: LinkForm
    text: str
    clauses: tuple[str, ...] = ()
    span: Span = attrs.field(default=NOWHERE, repr=False, eq=False)
    said: str = attrs.field(default="", kw_only=True, repr=False, eq=False)
    """The words for people at a table; "" if the rules have none for it."""

    @property
    def place(self) -> str:
        """`track.rules:12:3`, or "" if it has no place in the rules."""
        return self.span.place if self.span is not NOWHERE else ""


Answer: TypeAlias = tuple[Link, ...] | NumberAccount | OptionStanding


@attrs.frozen
class Asker:
    """The asker: a seat, the spectator (None), or with `sees_all` a viewer from whom nothing is hidden."""

    seat: int | None = None
    sees_all: bool = False

    def bit(self, match: BareMatch) -> int | None:
        """Returns the viewer's bit; None for one who sees all."""
        return None if self.sees_all else match.visibility.bit(inputs.viewer(self.seat, match.players))


ALL = Asker(sees_all=True)


def why(match: BareMatch, about: str, eyes: Asker) -> Answer:
    """Returns the reason for the subject of a text: an event's
    number, an option, a call of a value, or a variable or thing.

    Raises NoReason, with a sentence, if the text means nothing that the asker may know of.
    """
    about = about.strip()
    if about.isascii() and about.isdigit() and len(about) <= LONGEST_NUMBER:
        found = of_event(match, int(about), eyes)
    elif is_option(about):
        return of_option(match, about, eyes)
    else:
        account = of_number(match, about, eyes)
        if account is not None:
            return account
        names = (about, *_written(match, about, eyes))
        found = next(filter(None, (of_variable(match, name, eyes) for name in names)), ())
        found = found or next(filter(None, (_as_it_began(match, name, eyes) for name in names)), ())
    if not found:
        known = (
            *(name for _, _, name in match.visibility.cells),
            *(n for kind in match.game.kinds for n in kind.names),
        )
        near = suggest(about, known)
        meant = f"; did you mean {near}?" if near else ", or nothing has changed it"
        raise NoReason(f"nothing here is called {about!r}{meant}")
    return found


def _written(match: BareMatch, about: str, eyes: Asker) -> tuple[str, ...]:
    """Returns the written names of the variables and things that people call so: `Red's fuel`, or `fuel` for the
    asker's own."""
    said, game = words_of(about), match.game
    cells = [
        (name, said_cell(game, state, at), clean(state.called) or plain(state.name), state.owner)
        for state, at, name in match.visibility.cells
    ]
    own = f"{match.seats[eyes.seat]}." if eyes.seat is not None and eyes.seat < match.players else "."
    things = ((kind, Thing(thing)) for kind in game.kinds if kind.movable for thing in range(kind.size))
    return (
        *(name for name, whole, _, _ in cells if said and words_of(whole) == said),
        *(name for name, _, of, owner in cells if owner == PLAYER and name.startswith(own) and words_of(of) == said),
        *(kind.names[thing] for kind, thing in things if said and words_of(thing_name(kind, thing)) == said),
    )


def _as_it_began(match: BareMatch, name: str, eyes: Asker) -> tuple[Link, ...]:
    """Returns the declaration of a variable that nothing has changed; () if the asker sees none of that name.

    Raises NoReason for a place.
    """
    cells: State | View = match.state if eyes.sees_all else match.view(eyes.seat)
    try:
        found = cells[name]
    except KeyError:
        return ()
    if isinstance(found, Heap):
        raise NoReason(f"{name} is a place: ask about a thing in it")
    so = f"is {found.text}, as it began: nothing has changed it"
    declared = ((state, at) for state, at, cell in match.visibility.cells if cell == name)
    state, at = next(declared, (None, 0))
    if state is None:
        return (Link("start", f"{name} {so}", said=f"{name} {so}"),)
    site, said = match.game.sites[state.site], f"{said_cell(match.game, state, at)} {so}"
    return (Link("start", f"{name} {so}", site.clauses, site.span, said=said),)


def is_option(text: str) -> bool:
    """Returns whether a text asks about an option, `red: take(3)`, rather than a variable."""
    return re.match(r"\w+:\s*\S", text) is not None


def of_option(match: BareMatch, text: str, eyes: Asker) -> OptionStanding:
    """Returns the present standing of an option, written `red: take(3)`; raises NoReason if there is no such option, or
    it is not the asker's.
    """
    own = None if eyes.sees_all else "" if eyes.seat is None else match.seats[eyes.seat]
    if own is not None and not text.startswith(f"{own}:"):
        raise NoReason(f"{own or 'a spectator'} does not see what others may choose from")
    try:
        return standing(match, text, eyes.bit(match))
    except UnknownOption as error:
        option = _refused_so(match, text)
        if option is None:
            raise NoReason(str(error)) from None
        return standing_of(match, option, eyes.bit(match))


def _refused_so(match: BareMatch, text: str) -> Option | None:
    """Returns the first refused option with a name, written `red: steal`; None if an option of that name is legal."""
    seat, _, name = (part.strip() for part in text.partition(":"))
    number = match.seats.index(seat) if seat in match.seats else -1
    if any(option.branch == name for option in (match.options_of(number).first(MOST) if number >= 0 else ())):
        return None
    return next((option for option, _ in refused(match, Seat(number)) if option.branch == name), None)


def of_number(match: BareMatch, text: str, eyes: Asker) -> NumberAccount | None:
    """Returns the account of a value or a cell of data, written `reach(red)`; None if nothing has that name.

    Raises NoReason if the asker may not know it, or its evaluation fails.
    """
    position, game = match.position, match.game
    try:
        calls = list(asked_for(game, text))
    except UnknownOption as error:
        raise NoReason(str(error)) from None
    for call in calls:
        look = Accounting(
            position.row, game, position.layout, visibility=position.visibility, knowledge=position.knowledge, told={}
        )
        fault = None
        try:
            look.value(call, {})
        except RuntimeRules as error:
            fault = error
        viewer = eyes.bit(match)
        if viewer is not None and not look.seers & viewer:
            raise NoReason(f"what {text} is worked out from is not for all to see")
        if fault is not None:
            raise NoReason(f"{text}: {at_fault(fault, game, NOWHERE)}")
        return look.accounts[0]
    return None


# ------------------------------------------------------------------ chains


@attrs.frozen
class _Told:
    """An event, and the answer that caused it: its step (0: the set-up), its number among the inputs, and its words."""

    event: Event
    step: int
    input: int
    answer: str
    of: tuple[int, ...]
    """The numbers of the events that are part of it."""
    together: Mapping[str, tuple[int, str]]
    """The answers that took effect at once, by seat: the step and the words of each."""


def of_event(match: BareMatch, number: int, eyes: Asker) -> tuple[Link, ...]:
    """Returns the chain that leads to an event, with all its changes at the end; () if there is no such event."""
    told = _told(match, eyes)
    last = next((one for one in told if one.event.number == number), None)
    return () if last is None else (*_chain(match, told, last), *_changes(match, told, last, last.event.changes, eyes))


def of_variable(match: BareMatch, name: str, eyes: Asker) -> tuple[Link, ...]:
    """Returns the chain that leads to the last change of a variable or thing; () if nothing changed it."""
    told = _told(match, eyes)
    for one in reversed(told):
        changes = [change for change in one.event.changes if read(change.subject) == name]
        if changes:
            owner = name.partition(".")[0]
            step, answer = one.together.get(owner, (one.step, one.answer))
            clauses = tuple(dict.fromkeys((*one.event.own_clauses, *changes[-1].clauses)))
            by_owner = attrs.evolve(one, step=step, answer=answer, event=attrs.evolve(one.event, clauses=clauses))
            sentence = tuple(_rule(match, of.event) for of in _announced(told, one, owner, changes[-1]))
            return (*_chain(match, told, by_owner), *sentence, *_changes(match, told, one, tuple(changes[-1:]), eyes))
    return ()


def _announced(told: list[_Told], last: _Told, owner: str, change: Change) -> list[_Told]:
    """Returns the call, if there is one, of which a change came when a `simultaneously` ended: it is the owner's, and its
    sentence has the number."""
    before, after = read(change.before), read(change.after)
    if not (last.event.goes_on and before.isdecimal() and after.isdecimal()):
        return []
    numbers = {after, str(abs(int(after) - int(before)))}
    found = [
        one
        for one in told
        if (one.input, one.event.cause) == (last.input, last.event.cause)
        and re.match(rf"\w+\({owner}\b", read(one.event.call))
        and numbers & set(re.findall(r"\d+", read(one.event.sentence)))
        and not one.event.changes
        and one.event.number < last.event.number
    ]
    return found[-1:]


def _told(match: BareMatch, eyes: Asker) -> list[_Told]:
    """Returns the events that stand, each with the answer that caused it, as the asker reads them."""
    viewer = eyes.bit(match)
    entries: Iterable[tuple[Entry, tuple[int, ...]]]
    if viewer is None:
        entries = ((entry, (entry.number,) if isinstance(entry, Event) else ()) for entry in match.journal)
    else:
        entries = entries_for(match.journal, eyes.seat, Mask(viewer))
    found: list[_Told] = []
    known = [0]
    step, inputs, number, answer = 0, 0, 0, "the set-up"
    together: dict[str, tuple[int, str]] = {}
    is_open = False
    for entry, of in entries:
        if isinstance(entry, (Taken, Drawn, Undone)):
            inputs += 1
            known.append(len(found))
        match entry:
            case Taken():
                step, number, answer = step + 1, inputs, _answer(match, entry)
                # Answers under seal come one after the other, without an event between them.
                together = {**(together if is_open else {}), match.seats[entry.seat]: (step, answer)}
                is_open = True
            case Undone(to=to):
                step, number, answer = step + 1, inputs, f"undo to {to}"
                together, is_open = {}, False
                del found[known[to] :]
            case Event():
                found.append(_Told(entry, step, number, answer, of, together))
                is_open = False
            case _:  # any other entry is no part of a reason
                pass
    return found


def _answer(match: BareMatch, taken: Taken) -> str:
    said, seat = read(taken.option), match.seats[taken.seat]
    return f"an answer of {seat}" if said == SEALED else f"{seat}: {said}"


def _chain(match: BareMatch, told: list[_Told], last: _Told) -> tuple[Link, ...]:
    by_number = {one.event.number: one.event for one in told}
    found: list[Link] = []
    passed: set[int] = set()
    event: Event | None = last.event
    while event is not None:
        clauses, first = event.clauses, by_number.get(event.cause) if event.cause is not None else None
        if event.goes_on and first is not None:
            event = first  # All events of one rule are one link.
        passed.add(event.number)
        found.append(attrs.evolve(_rule(match, event), clauses=clauses))
        event = by_number.get(event.cause) if event.cause is not None and event.cause != event.number else None
    begun, seat = "the set-up" if last.step == 0 else f"step {last.step}, {last.answer}", last.answer.partition(": ")[0]
    who = match.seat_names[match.seats.index(seat)] if seat in match.seats else seat
    said = _answer_in_words(match, told, last, passed) or begun.replace(f", {seat}: ", f", {who}: ", 1)
    return (Link("input", begun, said=said), *reversed(found))


def _answer_in_words(match: BareMatch, told: list[_Told], last: _Told, passed: set[int]) -> str:
    """Returns the sentence that told the answer behind an event; "" if there is none, or the chain has `passed` it."""
    seat = last.answer.partition(": ")[0]
    for one in told:
        # Answers under seal are told together, after the last of them.
        event, (step, _) = one.event, one.together.get(seat, (one.step, ""))
        if step != last.step or event.what != "action":
            continue
        if event.sentence and event.actor is not None and match.seats[event.actor] == seat:
            return "" if event.number in passed else f"step {last.step}: {read(event.sentence)}"
    return ""


def _rule(match: BareMatch, event: Event) -> Link:
    span = next(
        (rule.span for rule in match.game.rules if rule.name == event.rule and rule.what == event.what), NOWHERE
    )
    sentence = read(event.sentence)
    text = read(event.call) + (f' "{sentence}"' if sentence else "")
    return Link(event.what, text, event.clauses, span, said=sentence)


def _changes(match: BareMatch, told: list[_Told], last: _Told, changes: tuple[Change, ...], eyes: Asker) -> list[Link]:
    """Returns the changes of an event, each after the adjusted numbers from which it was computed."""
    worked = _worked_out(match, last, eyes)
    links: dict[Link, None] = {}
    for change in changes:
        for account in worked.get(change.text, ()):
            links |= dict.fromkeys(_adjustments(account))
        links[Link("change", change.text, said=_said(match, change, eyes))] = None
    return list(links)


def _said(match: BareMatch, change: Change, eyes: Asker) -> str:
    """Returns a change in words: `Red's fuel falls from 9 to 7`; the end of the game as screens say it."""
    if change.what != "finish":
        return change_in_words(change)
    outcome = match.outcome if eyes.sees_all else match.outcome_for(eyes.seat)
    return "" if outcome is None else ended(outcome, match.seat_names)


def _worked_out(match: BareMatch, last: _Told, eyes: Asker) -> dict[str, tuple[NumberAccount, ...]]:
    """Returns the workings behind the changes of an event, by the text that the asker reads."""
    workings: dict[tuple[str, int], tuple[Working, ...]] = workings_of(match, last.input) if last.step else {}
    if not workings:
        return {}
    viewer = eyes.bit(match)
    found: dict[str, tuple[NumberAccount, ...]] = {}
    count = {"set": 0, "move": 0}
    for one in _told(match, ALL):
        if (one.step, one.input) != (last.step, last.input):
            continue
        for change in one.event.changes:
            if change.what in count:
                at = change.what, count[change.what]
                count[change.what] += 1
                if one.event.number in last.of and (viewer is None or change.seers & viewer):
                    text = change.text if viewer is None else change.seen(viewer).text
                    accounts = (account for working in workings.get(at, ()) for account in working.seen(viewer))
                    found[text] = (*found.get(text, ()), *accounts)
    return found


def _adjustments(account: NumberAccount) -> list[Link]:
    """Returns a number's adjustments, after those of the numbers from which it was computed."""
    inner = [link for one in account.inner for link in _adjustments(one)]
    more = ((f"{account.name}: {part.text}", part) for part in account.parts[1:])
    own = [Link("adjustment", text, part.clauses, part.span, said=text) for text, part in more]
    base = account.parts[0]
    sum_ = f"{account.name} = {account.value}: {base.text}"
    first = Link("value", sum_, base.clauses, base.span, said=sum_)
    return [*inner, first, *own] if own else inner
