"""What `simultaneously` means, told once more: by a plain evaluator, held against both executors over small random programs.

The evaluator knows no rows, no notes and no IR. It goes by the reference (`docs/language.md`, `simultaneously`): a pass reads the
others as they were before the block and its own things as it has changed them; sums of all passes are added up and clamped
once; a value may be set on the pass's own things, or to one constant in all passes; things move when all passes are done, in
their order, a pile's last comer on top.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

import rulelang
from rulelang.errors import RangeViolation
from rulelang.match.view_cache import Heap, Seen

SEATS = 3
FIELDS = ("a", "b")
RULES = """\
game once "Once":
  players {seats}
  seats {names}

names p: Player

kind Card "card":
  n: 1..9
  | n    |
  | 1..9 |

each Player has:
  a: 0..99 = 0
  b: -50..50 = 0
  hand: group of Card
  pile: pile of Card
the game has:
  pot: 0..999 = 40
  mark: 0..9 = 0

setup:
{setup}

phase once "Once":
  simultaneously for p in players:
{body}

play:
  once()
  first_player chooses n in 1..2
"""

Amount = tuple[str, int] | tuple[str, str, str]


@attrs.frozen
class Sum:
    """`whose.field += amount`, clamped."""

    whose: str
    field: str
    sign: int
    amount: tuple[object, ...]
    least: int | None
    most: int | None


@attrs.frozen
class Own:
    """`p.field = amount`, on the pass's own things."""

    field: str
    amount: tuple[object, ...]


@attrs.frozen
class Mark:
    """`mark = n`, the same in all passes that set it."""

    value: int


@attrs.frozen
class Hand:
    """Moves a hand or a pile as a whole: `move p.hand to next(p).pile`."""

    source: str
    whose: str
    target: str
    end: str


@attrs.frozen
class If:
    """A line that only some passes run."""

    test: tuple[str, str, int]
    line: Sum | Own | Mark | Hand


Line = Sum | Own | Mark | Hand | If
Cards = dict[str, list[list[int]]]


@attrs.define
class Table:
    """Numbers by name and seat, and the cards of each seat, a pile's top first."""

    numbers: dict[str, list[int]]
    pot: int
    mark: int
    cards: Cards


# ------------------------------------------------------------------ programs


def programs(count: int, seed: int) -> Iterator[tuple[Table, list[Line]]]:
    rng = random.Random(seed)
    for _ in range(count):
        clamps: dict[str, tuple[int | None, int | None]] = {
            name: rng.choice([(0, None), (0, 30), (3, 60)]) for name in (*FIELDS, "pot")
        }
        clamps["b"] = rng.choice([(-20, 20), (None, None), (-50, 9)])
        own = {name for name in FIELDS if rng.random() < 0.3}
        lines = [line(rng, clamps, own) for _ in range(rng.randint(1, 5))]
        numbers = {"a": [rng.randint(5, 30) for _ in range(SEATS)], "b": [rng.randint(-9, 9) for _ in range(SEATS)]}
        deck = rng.sample(range(1, 10), 9)
        cards = {
            "hand": [sorted(deck[2 * s : 2 * s + 2]) for s in range(SEATS)],
            "pile": [[deck[6 + s]] for s in range(SEATS)],
        }
        yield Table(numbers, 40, 0, cards), lines


def line(rng: random.Random, clamps: dict[str, tuple[int | None, int | None]], own: set[str]) -> Line:
    what = rng.random()
    made: Sum | Own | Mark | Hand
    if what < 0.15:
        made = Mark(4)
    elif what < 0.35:
        source = rng.choice(["hand", "hand", "pile"])
        made = Hand(source, rng.choice(["next", "previous"]), rng.choice(["hand", "pile"]), rng.choice(["", " bottom"]))
    elif what < 0.5 and own:
        made = Own(rng.choice(sorted(own)), amount(rng))
    else:
        free = [name for name in (*FIELDS, "pot") if name not in own]
        name = rng.choice(free)
        whose = "" if name == "pot" else rng.choice(["p", "next", "previous", "first"])
        made = Sum(whose, name, rng.choice([1, -1]), amount(rng), *clamps[name])
    return (
        If((rng.choice(["a", "b"]), rng.choice([">", "<"]), rng.randint(0, 12)), made) if rng.random() < 0.4 else made
    )


def amount(rng: random.Random) -> tuple[object, ...]:
    if rng.random() < 0.5:
        return (rng.randint(0, 6),)
    return (rng.choice(["p", "next", "previous"]), rng.choice(["a", "pot"]))


# ------------------------------------------------------------------ their text


WHOSE = {"p": "p", "next": "next(p)", "previous": "previous(p)", "first": "first_player"}


def text_of(table: Table, lines: list[Line]) -> str:
    names = ["red", "green", "blue"][:SEATS]
    setup = [f"  {names[s]}.{field} = {table.numbers[field][s]}" for field in FIELDS for s in range(SEATS)]
    for zone in ("hand", "pile"):
        setup += [
            f"  move Card({n}) to {names[s]}.{zone}" for s in range(SEATS) for n in reversed(table.cards[zone][s])
        ]
    body = "\n".join(f"    {written(one)}" for one in lines)
    return RULES.format(seats=SEATS, names=", ".join(names), setup="\n".join(setup), body=body)


def written(one: Line) -> str:
    match one:
        case If((name, sign, number), inner):
            return f"if p.{name} {sign} {number}: {written(inner)}"
        case Mark(value):
            return f"mark = {value}"
        case Hand(source, whose, target, end):
            return f"move p.{source} to {WHOSE[whose]}.{target}{end if target == 'pile' else ''}"
        case Own(field, of):
            return f"p.{field} = {worth(of)}"
        case Sum(whose, field, sign, of, least, most):
            target = field if field == "pot" else f"{WHOSE[whose]}.{field}"
            clamps = (
                f"{f', at least {least}' if least is not None else ''}{f', at most {most}' if most is not None else ''}"
            )
            return f"{target} {'+' if sign > 0 else '-'}= {worth(of)}{clamps}"


def worth(of: tuple[object, ...]) -> str:
    if len(of) == 1:
        return str(of[0])
    return "pot" if of[1] == "pot" else f"{WHOSE[str(of[0])]}.{of[1]}"


# ------------------------------------------------------------------ their meaning


class Stopped(Exception):
    """A number left its range."""


RANGES = {"a": (0, 99), "b": (-50, 50), "pot": (0, 999)}


def at_once(before: Table, lines: list[Line]) -> Table:
    """Returns what a block comes to: each pass on what was before, then all changes together."""
    sums: dict[tuple[str, int], list[tuple[int, int | None, int | None]]] = {}
    values: dict[tuple[str, int], int] = {}
    moves: list[tuple[int, Hand]] = []
    for seat in range(SEATS):
        mine = {("pot", 0): before.pot}
        mine |= {(field, s): before.numbers[field][s] for field in FIELDS for s in range(SEATS)}
        for one in lines:
            if isinstance(one, If):
                name, than, bound = one.test
                if not (mine[name, seat] > bound if than == ">" else mine[name, seat] < bound):
                    continue
                one = one.line
            match one:
                case Mark(value):
                    values["mark", 0] = value
                case Hand():
                    moves.append((seat, one))
                case Own(field, of):
                    values[field, seat] = mine[field, seat] = within(field, reads(mine, seat, of))
                case Sum(whose, field, sign, of, least, most):
                    cell = (field, 0 if field == "pot" else seat_called(seat, whose))
                    change = sign * reads(mine, seat, of)
                    mine[cell] = within(field, clamp(mine[cell] + change, least, most))
                    sums.setdefault(cell, []).append((change, least, most))
    after = Table({f: [*before.numbers[f]] for f in FIELDS}, before.pot, values.pop(("mark", 0), 0), before.cards)
    for (field, seat), value in values.items():
        after.numbers[field][seat] = value
    for (field, seat), changes in sums.items():
        start = before.pot if field == "pot" else before.numbers[field][seat]
        _, least, most = changes[0]
        total = within(field, clamp(start + sum(change for change, _, _ in changes), least, most))
        if field == "pot":
            after.pot = total
        else:
            after.numbers[field][seat] = total
    after.cards = moved(before.cards, moves)
    return after


def moved(before: Cards, moves: list[tuple[int, Hand]]) -> Cards:
    """Moves in the order of the passes what each zone held before the block.

    A card that two moves name goes where the last one says; from a pile that it has left it is not taken again.
    """
    now = {zone: [[*held] for held in seats] for zone, seats in before.items()}
    for seat, move in moves:
        things = [*before[move.source][seat]]
        if move.source == "pile":
            things = [card for card in now["pile"][seat] if card in things]
        for seats in now.values():
            for held in seats:
                held[:] = [card for card in held if card not in things]
        target = now[move.target][seat_called(seat, move.whose)]
        if move.target == "hand":
            target[:] = sorted([*target, *things])
        elif move.end == " bottom":
            target += things
        else:
            target[:0] = things[::-1]
    return now


def reads(mine: dict[tuple[str, int], int], seat: int, of: tuple[object, ...]) -> int:
    if len(of) == 1:
        assert isinstance(of[0], int)
        return of[0]
    return mine["pot", 0] if of[1] == "pot" else mine[str(of[1]), seat_called(seat, str(of[0]))]


def seat_called(seat: int, whose: str) -> int:
    return {"p": seat, "next": (seat + 1) % SEATS, "previous": (seat - 1) % SEATS, "first": 0}[whose]


def clamp(value: int, least: int | None, most: int | None) -> int:
    value = value if least is None else max(value, least)
    return value if most is None else min(value, most)


def within(field: str, value: int) -> int:
    low, high = RANGES[field]
    if not low <= value <= high:
        raise Stopped
    return value


# ------------------------------------------------------------------ held against each other


def number(found: Seen | Heap) -> int | None:
    assert isinstance(found, Seen)
    return found.value


def things(found: Seen | Heap) -> tuple[object, ...]:
    assert isinstance(found, Heap)
    return found.things


@pytest.mark.long
@pytest.mark.parametrize(("executor", "many"), [("reference", 60), ("generated", 60), ("native", 8)])
def test_a_block_means_what_a_plain_evaluator_says(executor: str, many: int, tmp_path: Path) -> None:
    if executor == "native":
        pytest.importorskip("llvmlite")
    path, met = tmp_path / "once.rules", {"played": 0, "stopped": 0, "moved": 0}
    for table, lines in programs(many, 7):
        text = text_of(table, lines)
        path.write_text(text, encoding="utf-8")
        checked = rulelang.check(path)
        if checked.game is None:
            assert {d.code for d in checked.diagnostics if d.is_error} <= {"E0407"}, text
            continue
        try:
            expected: Table | None = at_once(table, lines)
        except Stopped:
            expected = None
        try:
            match = checked.game.start(SEATS, executor=executor)
        except RangeViolation:
            assert expected is None, text
            met["stopped"] += 1
            continue
        assert expected is not None, text
        found, seats = match.state, match.seats
        assert [[number(found[f"{s}.{f}"]) for s in seats] for f in FIELDS] == [expected.numbers[f] for f in FIELDS], (
            text
        )
        assert (number(found["pot"]), number(found["mark"])) == (expected.pot, expected.mark), text
        zones = {z: [[int(str(t)[5:-1]) for t in things(found[f"{s}.{z}"])] for s in seats] for z in ("hand", "pile")}
        zones["hand"] = [sorted(held) for held in zones["hand"]]
        assert zones == expected.cards, text
        met["played"] += 1
        met["moved"] += expected.cards != table.cards
    assert met["played"] > many / 2
    assert met["moved"] > many / 6
