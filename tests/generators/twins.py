"""A game of hidden things -> two deals of it that one seat cannot tell.

Twins(game, seat, seed)  the same game twice: what this seat sees is the same, what it does not see is not

What a seat may see is read off the declarations here, from the rows alone: nothing of what the engine keeps of who knows what is used.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import attrs

from cli.reason import lines_of
from rulelang import api
from rulelang.api import Match
from rulelang.errors import UnknownOption
from rulelang.ir.model import StateVariable
from rulelang.ir.numbers import Seat
from rulelang.ir.types import PLAYER
from rulelang.knowledge.redaction import read
from rulelang.pages.table import SeatPage
from rulelang.session.dialogue import Dialogue
from rulelang.workbench.reasons.why import Asker, NoReason, of_event, why
from tests.generators.statements import COVERT

EVENTS = 6
"""Events whose reasons are looked at: the latest that a seat has seen."""


@attrs.define
class _Scripted:
    """Chance that falls alike for twins, but for the first shuffle and the first throws of the others.

    After the set-up it falls by the number of the step, so that a draw of which a seat is not told shifts no other.
    """

    seed: str
    seat: int
    players: int
    twist: bool
    step: int = 0
    drawn: int = 0
    rolls: int = 0
    fakes: int = 0

    def _rng(self) -> random.Random:
        self.drawn += 1
        return random.Random(f"{self.seed} {self.drawn}" if self.step == 0 else f"{self.seed} step {self.step}")

    def roll(self, row: list[int], stream: int, faces: tuple[int, ...]) -> int:
        rng, self.rolls = self._rng(), self.rolls + 1
        if self.twist and self.rolls <= self.players and self.rolls - 1 != self.seat:
            rng = random.Random(f"twin {self.seed} {self.rolls}")
        return rng.choice(faces)

    def pick(self, row: list[int], stream: int, among: list[int]) -> int:
        rng = self._rng()
        if among == [0, 1] and self.step == 0:  # which chips are fake, which nobody sees
            self.fakes += 1
            rng = random.Random(f"twin {self.seed} {self.fakes}") if self.twist else rng
        return among[rng.randrange(len(among))]

    def shuffle(self, row: list[int], stream: int, kind: int, things: list[int]) -> list[int]:
        rng, first = self._rng(), self.drawn == 1
        order = list(things)
        rng.shuffle(order)
        if first and self.twist:
            # In turn: two for the table, two for each hand, one beside each, which all see but who has it.
            beside = 2 + 2 * self.players
            mine = {0, 1, 2 + 2 * self.seat, 3 + 2 * self.seat}
            mine |= {beside + other for other in range(self.players) if other != self.seat}
            loose = [i for i in range(len(order)) if i not in mine]
            swapped = [order[i] for i in loose]
            random.Random(f"twin {self.seed}").shuffle(swapped)
            for i, thing in zip(loose, swapped, strict=True):
                order[i] = thing
        return order


@attrs.define
class Twins:
    """A game twice, which one seat cannot tell apart before the rules tell it something."""

    game: api.Game
    seat: int
    seed: str
    players: int = 3
    executor: str = "generated"
    matches: tuple[Match, Match] = attrs.field(init=False)
    chances: tuple[_Scripted, ...] = attrs.field(init=False)
    actor: int = -1
    """Who has answered last."""
    looked_at: int = 0
    """How many events of the log were compared."""

    def __attrs_post_init__(self) -> None:
        self.chances = tuple(_Scripted(self.seed, self.seat, self.players, twist) for twist in (False, True))
        first, second = (
            self.game.start(self.players, chance=chance, executor=self.executor) for chance in self.chances
        )
        self.matches = first, second

    def differs(self) -> bool:
        """Tells whether the two positions are two."""
        one, other = self.matches
        return one.position.row[: one.internals.layout.size] != other.position.row[: one.internals.layout.size]

    def are_told(self) -> bool:
        """Tells whether what the declarations let the seat see differs now."""
        one, other = (self._open(match) for match in self.matches)
        return one != other

    def _open(self, match: Match) -> list[object]:
        seen: list[object] = [match.to_move, match.choice.name if match.choice else None, self._written(match)]
        seen.append(self._watched(match))
        layout, row, seat = match.internals.layout, match.position.row, self.seat
        others = match.view(None)
        for state in match.game.states:
            for at in range(layout.state_sizes[state.id]):
                sees = state.visible == "all" or self._owns(match, state, at)
                sees |= state.name == "setting" and row[layout.states[self._state(match, "setter")]] == seat
                if sees and not state.scratch:
                    held = row[layout.states[state.id] + at]
                    seen.append(held < 0 if state.name == "chosen" else held)
        for zone in match.game.zones:
            for at in range(layout.zone_sizes[zone.id]):
                cell = row[layout.zones[zone.id] + at]
                sees = zone.visible == "all" or (zone.visible == "owner" and at == seat)
                sees |= zone.name == "aside" and at != seat
                sees |= zone.name == "shelf" and row[layout.states[self._state(match, "gold")] + seat] > 2
                seen.append(cell if sees else others[_name(match, zone.id, at)].count)  # type: ignore[union-attr]
        faces = [layout.faces[kind.id] for kind in match.game.kinds if kind.movable]
        up = [
            sorted(t for t in range(kind.size) if row[layout.faces[kind.id] + t])
            for kind in match.game.kinds
            if kind.movable
        ]
        return [*seen, len(faces), up]

    def _owns(self, match: Match, state: StateVariable, at: int) -> bool:
        """Tells whether the seat sees a variable as its owner."""
        size = match.internals.layout.state_sizes[state.id] // match.game.players[1]
        return state.visible == "owner" and state.owner == PLAYER and at // size == self.seat

    @staticmethod
    def _state(match: Match, name: str) -> int:
        return next(state.id for state in match.game.states if state.name == name)

    def _watched(self, match: Match) -> list[object]:
        """Returns the cards that lay, at any time, where the seat saw them, or that it was shown: also what has gone on since."""
        me = match.seats[self.seat]
        mine = {name for _, _, name in match.visibility.heaps if name in ("table", f"{me}.hand")}
        mine |= {f"{other}.aside" for other in match.seats if other != me}
        lies: dict[str, str] = {}
        gold, held, found = 0, "none", list[object]()
        setter, setting = "red", "0"
        for change in (change for event in match.events for change in event.changes):
            subject, seen = read(change.subject), mine | ({"shelf"} if gold > 2 else set())
            before = len(found)
            if change.what == "set" and subject == f"{me}.gold":
                gold = int(read(change.after))
                found += sorted(card for card, zone in lies.items() if zone == "shelf") if gold > 2 else []
            elif change.what == "set" and subject in ("setter", "setting"):
                setter, setting = (read(change.after), setting) if subject == "setter" else (setter, read(change.after))
                found += [setting] if setter == me else []
            elif change.what == "set" and subject == "chosen":
                held = read(change.after)
                found += [held] if lies.get(held) in seen else []
            elif change.what == "move":
                source, lies[subject] = read(change.before), read(change.after)
                found += [subject] if seen & {source, lies[subject]} else []
            elif change.what == "reveal" or (change.what == "show" and me in read(change.after).split(", ")):
                found.append(subject)
            found += [("chosen", held)] if held in found[before:] else []
        return found

    def _written(self, match: Match) -> list[tuple[str, str]]:
        """Returns all that was ever written where the seat sees it, also what was written over since, and by which rule.

        A number of its own that changes before a verb is told, or within it, is two things that the seat can tell apart.
        """
        open = {
            name for state, at, name in match.visibility.cells if state.visible == "all" or self._owns(match, state, at)
        }
        changes = ((event.rule, change) for event in match.events for change in event.changes)
        return [
            (rule, change.text)
            for rule, change in changes
            if change.what == "set" and read(change.subject) in open - {"chosen"}
        ]

    def play(self, rng: random.Random) -> bool:
        """Has somebody answer in both, alike unless the answer is its secret; says whether it could."""
        one, other = self.matches
        if not one.to_move:
            return False
        actor = self.actor = rng.choice(one.to_move)
        mine, theirs = list(one.options_of(actor)), list(other.options_of(actor))
        texts = {option.text for option in theirs}
        same = [option for option in mine if option.text in texts]
        assert one.choice is not None
        if one.choice.name.startswith("veil") and actor != self.seat:
            chosen, also = rng.choice(mine), rng.choice(theirs)
            is_told = one.choice.name.split("#")[0] not in COVERT
            if is_told and (chosen.branch == "pass") != (also.branch == "pass"):
                also = next((o for o in theirs if (o.branch == "pass") == (chosen.branch == "pass")), also)
        elif same:
            chosen = rng.choice(same)
            also = next(option for option in theirs if option.text == chosen.text)
        else:
            return False
        for chance in self.chances:
            chance.step += 1
        one.push(chosen)
        other.push(also)
        return True

    def are_unseen(self) -> bool:
        """Tells whether both wait for an answer of which the seat does not learn."""
        return all(
            match.choice is not None and match.choice.private and self.seat not in match.to_move
            for match in self.matches
        )

    def go_on(self, rng: random.Random) -> None:
        """Has others answer what the seat does not learn of, as often as they are asked in either."""
        for match in self.matches:
            while match.choice is not None and match.choice.private and self.seat not in match.to_move:
                match.push(rng.choice(list(match.options)))

    def seen(self, *, why: bool = True, paged: bool = True) -> tuple[object, object]:
        """Returns all that the seat is shown in either: view, prompt, options, reasons why not, log, and, which takes most of
        the time, why each thing is as it is, and the page in a browser.

        Without the page, of the log only what has happened since it was last looked at.
        """
        since, self.looked_at = self.looked_at, len(self.matches[0].events_for(self.seat))
        one, other = (self._seen(match, why, paged, since) for match in self.matches)
        return one, other

    def _seen(self, match: Match, asks_why: bool, paged: bool, since: int) -> dict[str, object]:
        seat = self.seat
        asked = seat in match.to_move
        labels = [(o.text, o.label) for o in match.options_of(seat)] if asked else []
        why = []
        if asked and match.choice is not None:
            for branch in match.choice.branches:
                for n in range(4):
                    text = branch.name if not branch.parameters else f"{branch.name}({n})"
                    text = str(n) if branch.name == "value" else text
                    try:
                        why.append((text, str(match.why_not(f"{match.seats[seat]}: {text}"))))
                    except UnknownOption as error:
                        why.append((text, str(error)))
        return {
            "prompt": match.prompt(seat),
            "options": labels,
            "why": why,
            "log": told(match, seat) if paged else match.events_for(seat)[since:],
            "view": match.view(seat),
            "information": match.information(seat),
            "reasons": list(reasons(match, seat)) if asks_why else [],
            "page": page(match, Seat(seat)) if paged else "",
        }


def page(match: Match, seat: Seat) -> str:
    """The page of a seat in a browser: what goes over the wire to it, and nothing else does."""
    question = Dialogue.of(match, seat).question if seat in match.to_move else None
    events = match.events_for(seat)
    return SeatPage(match, "twins", seat, ("person",) * match.players, len(events), events, 0, question).markup


def reasons(match: Match, seat: int) -> Iterator[tuple[str, ...]]:
    """Yields why all that a seat can ask about is as it is: what has happened in the last step, variables, numbers, options."""
    eyes = Asker(seat)
    for event in match.events_for(seat)[-EVENTS:]:
        yield tuple(link.text for link in of_event(match, event.number, eyes))
    seats = match.seats
    cells = [name for state, _, name in match.visibility.cells if state.owner in (None, PLAYER)]
    numbers = ["chosen.v", "pointed"]
    numbers += [text for s in seats for text in (f"worth({s})", f"toll({s})", f"fee(1, {s}).cost", f"fee(2, {s}).cost")]
    mine = [] if match.choice is None else [branch.name for branch in match.choice.branches]
    options = [f"{seats[seat]}: {text}" for name in mine for text in (name, f"{name}(2)", "2", "pass")]
    for about in (*cells, *numbers, *options):
        try:
            yield (about, *lines_of(why(match, about, eyes)))
        except NoReason as error:
            yield (about, str(error))


def told(match: Match, seat: int) -> str:
    """Returns a seat's log, byte by byte."""
    return match.log.for_seat(seat).text


def _name(match: Match, zone: int, at: int) -> str:
    return next(name for z, i, name in match.visibility.heaps if (z.id, i) == (zone, at))
