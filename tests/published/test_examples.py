"""The games under examples: their scenarios hold, and they go in lock step with independent implementations."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulelang import api
from rulelang.knowledge.redaction import read
from rulelang.machines.chance import Seeded
from rulelang.match.match import BareMatch
from rulelang.match.recording.events import Drawn, Event
from rulelang.match.view_cache import Heap, Seen
from rulelang.scenarios.run import run_scenarios
from rulelang.source import SourceText
from rulelang.syntax.printing.printer import format_source
from tests.files import ROOT
from tests.machines.test_native import in_lock_step
from tests.published.beacons import CHAINS, Night
from tests.published.bridge import Deal, bridge_points
from tests.published.caravan import Asked, Bazaar
from tests.published.clearing import Grower, Wood
from tests.published.glasshouse import Glasshouse
from tests.published.high_water import FEVERS, TOWNS, Healer, Rivers
from tests.published.saltmarsh import CORNERS, EDGES, GOODS, SPACES, Marsh, Move, Settler, field_named, point
from tests.published.six_trades import Citizen, Town
from tests.published.under_the_ice import Station
from tests.seeds import few_of

EXAMPLES = ROOT / "examples"
PATHS = sorted(EXAMPLES.glob("*/*.rules"))
SIZE = 5
LONG = ("beacons", "caravan", "clearing", "high_water", "saltmarsh")
"""The examples that take more than a second."""


@pytest.mark.parametrize("path", [
    pytest.param(path, id=path.stem, marks=[pytest.mark.long] * (path.stem in LONG))
    for path in PATHS
])  # fmt: skip
def test_an_example_is_clean_its_scenarios_hold_and_random_play_breaks_no_rule(path: Path) -> None:
    rules = api.load(path)
    assert not rules.diagnostics
    assert format_source(SourceText(path.name, text := path.read_text())) == text
    outcomes = run_scenarios(rules)
    assert outcomes
    assert all(one.passed for one in outcomes), [(one.name, one.faults) for one in outcomes if not one.passed]
    assert not rules.playouts(2, seed=1, at_most=400, executor="generated").faults


@pytest.mark.long
@pytest.mark.parametrize("path", [path for path in PATHS if path.stem != "go"], ids=lambda path: path.stem)
def test_executors_agree_on_an_example(path: Path) -> None:
    game = api.load(path)
    chance = Seeded(1, game.ir, game.internals.layout)
    assert in_lock_step(game.internals.machine("native")(chance), game.internals.machine("generated")(chance), 1)


@pytest.mark.parametrize("seed", few_of(12, few=3))
def test_glasshouse_goes_in_lock_step_with_an_independent_program(seed: int) -> None:
    choose, players = random.Random(seed), 2 + seed % 3
    match = api.load(EXAMPLES / "glasshouse").start(players, seed)
    row = [next(iter(_things(match, f"row({place})")), None) for place in range(1, 6)]
    other = Glasshouse.begun(players, [*_things(match, "deck")], row, [*_things(match, "hall")])
    while match.to_move:
        assert match.to_move == (other.turn,)
        texts = [option.text for option in match.options]
        assert Counter(text.partition("#")[0] for text in texts) == other.options()
        # A plant is grown where that can be done, or the game would last for ever; of two of one name, neither.
        growing = [text for text in texts if text.startswith("grow") and "#" not in text]
        text = choose.choice(growing if growing and choose.random() < 0.8 else [t for t in texts if "#" not in t])
        match.play(text)
        other.play(text)
    assert other.is_over
    assert match.outcome is not None
    assert match.outcome.ranking == other.ranking
    for seat, gardener in zip(match.seats, other.gardeners, strict=True):
        assert sorted(_things(match, f"{seat}.beds")) == sorted(gardener.beds)
        assert sorted(_things(match, f"{seat}.guests")) == sorted(gardener.guests)


def _things(match: BareMatch, zone: str) -> tuple[str, ...]:
    heap = match.state[zone]
    assert isinstance(heap, Heap)
    return tuple(str(name) for name in heap.things)


@pytest.mark.parametrize("seed", few_of(12, few=3))
def test_six_trades_goes_in_lock_step_with_an_independent_program(seed: int) -> None:
    choose, players = random.Random(seed), 3 + seed % 4
    match = api.load(EXAMPLES / "six_trades").start(players, seed)
    other = Town([Citizen() for _ in range(players)])
    while match.to_move:
        chosen = []
        for seat, name in enumerate(match.seats):
            allowed = other.allowed(seat)
            assert [option.text for option in match.options_of(seat)] == [f"choose({trade})" for trade in allowed]
            chosen.append(choose.choice(allowed))
            match.play(f"{name}: choose({chosen[-1]})")
        other.work(chosen)
        for name, citizen in zip(match.seats, other.citizens, strict=True):
            shown = tuple(_number(match, f"{name}.{what}") for what in ("coins", "stones", "houses"))
            assert shown == (citizen.coins, citizen.stones, citizen.houses)
        assert other.is_over == (match.outcome is not None)
    assert match.outcome is not None
    assert match.outcome.ranking == other.ranking


def _number(match: BareMatch, name: str) -> int | None:
    seen = match.state[name]
    assert isinstance(seen, Seen)
    return seen.value


def _printed(name: str) -> tuple[str, int]:
    chain, number = name.removeprefix("Card(").rstrip(")").split(", ")
    return chain, int(number)


@pytest.mark.parametrize("seed", few_of(12, few=2))
def test_beacons_goes_in_lock_step_with_an_independent_program(seed: int) -> None:
    choose, players = random.Random(seed), 2 + seed % 4
    match = api.load(EXAMPLES / "beacons").start(players, seed)
    hands = [[_printed(*_things(match, f"{seat}.hand({place})")) for place in range(1, 5)] for seat in match.seats]
    other = Night(match.seats, [_printed(name) for name in _things(match, "deck")], [[*hand] for hand in hands])
    while match.to_move:
        assert match.to_move == (other.turn,)
        texts = [option.text for option in match.options]
        assert sorted(texts) == sorted(other.options())
        # Mostly cards that continue a chain are played, or all would soon be lost.
        fits = [
            text for place, card in enumerate(other.hands[other.turn], start=1)
            if card is not None and other.lit[card[0]] + 1 == card[1] and (text := f"light({place})")
        ]  # fmt: skip
        safe = [text for text in texts if not text.startswith("light")]
        text = choose.choice(texts if choose.random() < 0.04 else fits or safe or texts)
        match.play(text)
        other.play(text)
        assert (_number(match, "hints"), _number(match, "blunders")) == (other.hints, other.blunders)
        assert other.is_over == (match.outcome is not None)
    assert match.outcome is not None
    assert match.outcome.kind == ("lost" if other.is_lost else "winner" if other.lit.total() == 25 else "score")
    assert sum(len(_things(match, f"beacons({chain})")) for chain in CHAINS) == other.lit.total()


@pytest.mark.parametrize("seed", few_of(12, few=2))
def test_under_the_ice_goes_in_lock_step_with_an_independent_program(seed: int) -> None:
    choose, players = random.Random(seed), 5 + seed % 4
    match = api.load(EXAMPLES / "under_the_ice").start(players, seed)
    saboteurs = frozenset(seat for seat in match.seats if _number(match, f"{seat}.saboteur"))
    assert len(saboteurs) == (2 if players <= 6 else 3)
    other = Station(match.seats, saboteurs, match.to_move[0])
    while match.to_move:
        assert match.to_move == (other.leader,)
        assert [option.text for option in match.options] == other.teams()
        team = choose.choice(other.teams())
        match.play(team)
        votes = [choose.random() < 0.6 for _ in match.seats]
        for seat, is_for in zip(match.seats, votes, strict=True):
            match.play(f"{seat}: {'approve' if is_for else 'refuse'}")
        if other.voted(sum(votes)):
            cuts = 0
            for seat in team.strip("{}").split(", "):
                at = match.seats.index(seat)
                offered = [option.text for option in match.options_of(at)]
                assert offered == (["repair", "cut"] if seat in saboteurs else ["repair"])
                cuts += (answer := choose.choice(offered)) == "cut"
                match.play(f"{seat}: {answer}")
            other.worked(cuts)
        counted = (
            _number(match, "mended"),
            _number(match, "spoilt"),
            _number(match, "refused"),
            _number(match, "dive"),
        )
        assert counted == (other.mended, other.spoilt, other.refused, other.dive)
        assert (other.winners is None) == (match.outcome is None)
    assert match.outcome is not None
    assert frozenset(match.seats[seat] for seat in match.outcome.winners) == other.winners


@pytest.mark.parametrize("seed", few_of(12, few=2))
def test_high_water_goes_in_lock_step_with_an_independent_program(seed: int) -> None:
    choose, players = random.Random(seed), 2 + seed % 3
    match = api.load(EXAMPLES / "high_water").start(players, seed)
    healers = [Healer(seat, [*map(_within, _things(match, f"{seat}.hand"))]) for seat in match.seats]
    sick = Counter({(t, fever): _number(match, f"{t}.sick({fever})") or 0 for t in TOWNS for fever in FEVERS})
    other = Rivers(healers, [*map(_within, _things(match, "deck"))], sick)
    while match.to_move:
        assert match.to_move == (other.turn,)
        texts = [option.text for option in match.options]
        assert set(texts) == other.options()
        assert len(texts) == len(set(texts))
        text = choose.choice([one for one in texts if one.startswith(("find", "tend"))] or texts)
        heard = [
            _within(read(change.subject)) for event in match.play(text) for change in event.changes
            if change.what == "move" and read(change.after) == "seen"
        ]  # fmt: skip
        other.play(text, heard)
        assert {(t, f): _number(match, f"{t}.sick({f})") for t in TOWNS for f in FEVERS} == {
            (t, f): other.sick[t, f] for t in TOWNS for f in FEVERS
        }
        for healer in other.healers:
            assert sorted(map(_within, _things(match, f"{healer.name}.hand"))) == sorted(healer.hand)
        assert (_number(match, "outbreaks"), _number(match, "spread")) == (other.outbreaks, other.spread)
        if not other.drops:
            assert (match.outcome is not None) == (other.is_lost or len(other.cures) == 3)
    assert match.outcome is not None
    assert match.outcome.kind == ("lost" if other.is_lost else "winner")


def _within(name: str) -> str:
    """The town of a card or a report, as it is written."""
    return name.partition("(")[2].rstrip(")")


@pytest.mark.parametrize("seed", few_of(8, few=2))
def test_caravan_goes_in_lock_step_with_an_independent_program(seed: int) -> None:
    choose, players = random.Random(seed), 2 + seed % 3
    match = api.load(EXAMPLES / "caravan").start(players, seed, lone="asked")
    other = Bazaar.begun([[*_things(match, f"{seat}.hand")] for seat in match.seats])
    course = other.course()
    asked: Asked | None = next(course)
    while match.to_move:
        assert asked is not None
        assert match.to_move == (asked.seat,)
        if asked.options:
            texts = [option.text for option in match.options]
            assert set(texts) == asked.options
            # Three cheap wares are soon sold out, and the game is over.
            cheap = [text for text in texts if text in ("buy(porter)", "buy(fire)", "buy(guard)")]
            acts = [text for text in texts if text.startswith("act")]
            text = choose.choice(cheap or acts or texts)
        else:
            assert len(match.options) == asked.many
            text = match.options[choose.randrange(asked.many)].text
        for event in match.play(text):
            for change in event.changes:
                if (
                    change.what == "move"
                    and read(change.before).endswith(".deck")
                    and read(change.after).endswith(".hand")
                ):
                    at = match.seats.index(read(change.before).removesuffix(".deck"))
                    other.drawn[at].append(read(change.subject))
        try:
            asked = course.send(text)
        except StopIteration:
            asked = None
        assert other.drawn == [[]] * players
        assert (asked is None) == (match.outcome is not None)
        for seat, own in zip(match.seats, other.traders, strict=True):
            assert Counter(_things(match, f"{seat}.hand")) == +own.hand
            assert Counter(_things(match, f"{seat}.deck")) == +own.deck
    assert match.outcome is not None
    assert match.outcome.ranking == other.ranking


@pytest.mark.parametrize("seed", few_of(8, few=2))
def test_clearing_goes_in_lock_step_with_an_independent_program(seed: int) -> None:
    choose, players = random.Random(seed), 2 + seed % 3
    match = api.load(EXAMPLES / "clearing").start(players, seed, lone="asked")
    growers = [Grower(seat, [*_things(match, f"{seat}.hand")]) for seat in match.seats]
    other = Wood(growers, [*_things(match, "deck")])
    course = other.course()
    asked: tuple[int, set[str]] | None = next(course)
    while match.to_move:
        assert asked is not None
        assert match.to_move == (asked[0],)
        texts = [option.text for option in match.options]
        assert set(texts) == asked[1]
        text = choose.choice([one for one in texts if one.startswith("let_grow")] or texts)
        moved = [change for event in match.play(text) for change in event.changes if change.what == "move"]
        hands = [read(c.subject) for c in moved if all(read(end).endswith(".hand") for end in (c.before, c.after))]
        other.picked = hands[0] if hands else ""
        try:
            asked = course.send(text)
        except StopIteration:
            asked = None
        assert (asked is None) == (match.outcome is not None)
        for seat, own in zip(match.seats, other.growers, strict=True):
            assert sorted(_things(match, f"{seat}.hand")) == sorted(own.hand)
            assert _number(match, f"{seat}.seeds") == own.seeds
        assert [*_things(match, "deck")] == other.deck
    assert match.outcome is not None
    assert match.outcome.ranking == other.ranking


def _marsh_move(text: str) -> Move:
    """An answer at Saltmarsh, with its places as points."""
    name, _, rest = text.rstrip(")").partition("(")
    words = rest.split(", ") if rest else []
    match name:
        case "begin":
            return name, point(words[0], CORNERS), point(words[1], EDGES)
        case "build_dyke":
            return name, point(words[0], EDGES)
        case "build_farm" | "build_town":
            return name, point(words[0], CORNERS)
        case _ if "_" in name and not words and name != "buy_card":  # a dyke of the navvies
            return (point(name, EDGES),)
        case _:  # no place is named but a field
            return (name.removeprefix("Land."), *words)


@pytest.mark.parametrize("seed", few_of(3, few=0))
def test_saltmarsh_goes_in_lock_step_with_an_independent_program(seed: int) -> None:
    choose, players = random.Random(seed), 2 + seed % 3
    match = api.load(EXAMPLES / "saltmarsh").start(players, seed, lone="asked")
    fields = {space: field_named(*_things(match, f"{space}.field")) for space in SPACES}
    other = Marsh([Settler(seat) for seat in match.seats], fields, [*_things(match, "deck")])
    course = other.course()
    asked: tuple[int, set[Move]] | None = next(course)
    for _ in range(400):
        if not match.to_move:
            break
        assert asked is not None
        assert match.to_move == (asked[0],)
        moves = {_marsh_move(option.text): option.text for option in match.options}
        assert {*moves} == asked[1]
        built = [move for move in moves if str(move[0]).startswith(("build", "buy", "play"))]
        move = choose.choice(sorted(built or moves, key=str))
        before = len(match.journal)
        match.play(moves[move])
        for entry in match.journal[before:]:
            if isinstance(entry, Drawn) and entry.what == "roll":
                other.thrown += [int(entry.values[0])]
            if (
                isinstance(entry, Event)
                and entry.rule == "hand_over"
                and not entry.goes_on
                and not moves[move].startswith("agree")
            ):
                other.lost.append(read(entry.call).split(", ")[1])
        try:
            asked = course.send(move)
        except StopIteration:
            asked = None
        for at, (seat, own) in enumerate(zip(match.seats, other.settlers, strict=True)):
            assert [_number(match, f"{seat}.stock({good})") for good in GOODS] == [own.stock[good] for good in GOODS]
            assert match.score(at) == 20 * other.points(at) + 2 * own.longest + sum(min(own.stock[g], 4) for g in GOODS)
        assert (asked is None) == (match.outcome is not None)


@pytest.mark.parametrize("seed", few_of(8, few=2))
def test_bridge_goes_in_lock_step_with_an_independent_program(seed: int) -> None:
    choose = random.Random(seed)
    match = api.load(EXAMPLES / "bridge").start(4, seed, lone="asked")
    hands = [[_suited(name) for name in _things(match, f"{seat}.hand")] for seat in match.seats]
    other = Deal(hands)
    while match.to_move:
        assert match.to_move == (other.asked,)
        texts = [option.text for option in match.options]
        assert set(texts) == other.options()
        calm = ["pass_by"] if "pass_by" in texts and (other.bids or seed == 7) and choose.random() < 0.7 else texts
        text = choose.choice(calm)
        match.play(text)
        other.play(text)
        assert other.is_over == (match.outcome is not None)
    assert match.outcome is not None
    if not other.bids:
        assert match.outcome.winners == ()
        return
    assert [_number(match, f"{seat}.tricks") for seat in match.seats] == other.taken
    assert tuple(_number(match, f"{seat}.points") for seat in match.seats) == other.points


def _suited(name: str) -> tuple[str, str]:
    suit, rank = name.removeprefix("Card(").rstrip(")").split(", ")
    return suit, rank


@pytest.mark.long
def test_bridge_scores_each_contract_as_score_cards_do(tmp_path: Path) -> None:
    strains = ("in_clubs", "in_diamonds", "in_hearts", "in_spades", "no_trumps")
    contracts = [(level, strain, stake) for level in range(1, 8) for strain in strains for stake in (1, 2, 4)]
    claims = [
        f"  expect result({level}, {strain}, {stake}, {tricks}) == {bridge_points(level, strain, stake, tricks)}\n"
        for at, (level, strain, stake) in enumerate(contracts)
        for tricks in {min(level + 6 + at % 4, 13), level + 6, level + 5, max(level + 2 - at % 5, 0)}
    ]
    (tmp_path / "bridge.rules").write_text(
        (EXAMPLES / "bridge" / "bridge.rules").read_text() + '\nscenario "score cards":\n' + "".join(claims)
    )
    (outcome,) = (one for one in run_scenarios(api.load(tmp_path / "bridge.rules")) if one.name == "score cards")
    assert outcome.passed, outcome.faults


class Go:
    """Go on a small board, written from its description alone: a board is a string, a point its place in it."""

    def __init__(self) -> None:
        self.board, self.seen = "." * SIZE * SIZE, {"." * SIZE * SIZE}

    def beside(self, at: int) -> Iterator[int]:
        row, column = divmod(at, SIZE)
        for y, x in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= y < SIZE and 0 <= x < SIZE:
                yield y * SIZE + x

    def chain(self, board: str, at: int) -> set[int]:
        found, waiting = {at}, [at]
        while waiting:
            for near in self.beside(waiting.pop()):
                if near not in found and board[near] == board[at]:
                    found.add(near)
                    waiting.append(near)
        return found

    def touches(self, board: str, points: set[int]) -> set[str]:
        return {board[near] for at in points for near in self.beside(at)}

    def after(self, colour: str, at: int) -> str | None:
        """The board after a stone is laid; None if that is not allowed."""
        board = self.board[:at] + colour + self.board[at + 1 :]
        for near in self.beside(at):
            if board[near] not in (".", colour) and "." not in self.touches(board, chain := self.chain(board, near)):
                board = "".join("." if point in chain else mark for point, mark in enumerate(board))
        is_allowed = "." in self.touches(board, self.chain(board, at)) and board not in self.seen
        return board if self.board[at] == "." and is_allowed else None

    def play(self, colour: str, at: int) -> None:
        after = self.after(colour, at)
        assert after is not None
        self.board = after
        self.seen.add(after)

    def area(self, colour: str) -> int:
        empty = [at for at, mark in enumerate(self.board) if mark == "."]
        own = [at for at in empty if self.touches(self.board, self.chain(self.board, at)) <= {".", colour}]
        return self.board.count(colour) + sum(
            colour in self.touches(self.board, self.chain(self.board, at)) for at in own
        )


@pytest.mark.parametrize("executor", ["native", "generated"])
def test_go_goes_move_by_move_as_an_implementation_of_its_own(executor: str) -> None:
    rules = api.load(EXAMPLES / "go" / "go.rules")
    for seed in range(2):
        match = rules.start(options={"size": "five", "komi": 2}, executor=executor, lone="asked")
        go, choose, colour = Go(), random.Random(seed), "X"
        for _ in range(70):
            names = {f"move({'abcde'[at % SIZE]}{SIZE - at // SIZE})": at for at in range(SIZE * SIZE)}
            legal = {name for name, at in names.items() if go.after(colour, at) is not None}
            assert {option.text for option in match.options} == {*legal, "rest"}
            answer = choose.choice(sorted(legal)) if legal else "rest"
            if legal:
                go.play(colour, names[answer])
            match.play(answer)
            colour = "XO"[colour == "X"]
        match.play("rest")
        if match.to_move:
            match.play("rest")
        won = "black" if go.area("X") > go.area("O") + 2 else "white"
        assert match.outcome is not None
        assert [rules.ir.seats[seat] for seat in match.outcome.winners] == [won]
