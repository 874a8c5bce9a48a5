"""Event logs of fixed seeds, so that a change of what any rule does is seen: as text, and as the lines of the file."""

from __future__ import annotations

import random

import attrs
import pytest
from syrupy.assertion import SnapshotAssertion

from rulelang import api
from rulelang.knowledge.redaction import read
from rulelang.log.format import Log
from rulelang.match.recording.events import Event
from tests.files import NAMES, ONE_OF_EACH
from tests.games.classics import classic
from tests.seeds import rest_long
from tests.snapshots import TextFile

WHOLE = 10_000


@attrs.frozen
class Table:
    """A game, how many play (None: the fewest), the seed of the dice and of the players, and how many answers are kept."""

    game: str
    players: int | None
    seed: int
    answers: int = WHOLE
    lines: bool = False
    """Whether the lines of the file are kept too."""


CLASSICS = {
    "connect_four": Table("connect_four", 2, 1, lines=True),
    "kuhn": Table("kuhn", 2, 1, lines=True),
    "nim": Table("nim", 2, 1, lines=True),
    "pig": Table("pig", 2, 9, lines=True),
    "tic_tac_toe": Table("tic_tac_toe", 2, 1, lines=True),
}
SHIPPED = {
    "outspeed-3": Table("outspeed", 3, 5, lines=True),
    "outspeed-4": Table("outspeed", 4, 8, lines=True),
    "outspeed-6": Table("outspeed", 6, 2),
    "exobase-1": Table("exobase", 1, 4),
    "empty_space-3": Table("empty_space", 3, 7, answers=200),
    "exit_velocity-5": Table("exit_velocity", 5, 2, answers=200),
}
"""Random games in which many of the rules come up."""
VARIED = {
    f"{name}+{variant}": Table(f"{name}+{variant}", None, 1, answers=60)
    for name, variants in {
        "outspeed": ("hungry", "sprint", "tailwind"),
        "exobase": ("draft", "mild", "mixed"),
        "empty_space": ("comet", "faster", "hourglass", "lifeline", "solo"),
        "exit_velocity": ("literal", "short", "untimed"),
    }.items()
    for variant in variants
}
TABLES = {**CLASSICS, **SHIPPED, **VARIED}


class LinesFile(TextFile):
    file_extension = "jsonl"


def played(name: str) -> api.Match:
    table = TABLES[name]
    game = classic(table.game) if name in CLASSICS else api.load(table.game)
    # Who reads all events has no use for machine code, which would be compiled for each variant.
    match = game.start(table.players, seed=table.seed, executor="generated")
    rng = random.Random(table.seed)
    for _ in range(table.answers):
        if match.to_move:
            match.play(rng.choice(list(match.options)))
    return match


def line(event: Event) -> str:
    """`7   use(red, nitro) "red's nitro ignites" [OS-13.16]: red.push: 0 -> 1`, indented by how deep it is."""
    sentence = f' "{read(event.sentence)}"' if event.sentence else ""
    clauses = f" [{', '.join(event.clauses)}]" if event.clauses else ""
    changes = "; ".join(change.text for change in event.changes)
    goes_on = "..." if event.goes_on else ""
    what = f"{'  ' * event.depth}{goes_on}{read(event.call)}{sentence}{clauses}"
    return f"{event.number:<4}{what}" + (f": {changes}" if changes else "")


def test_every_game_and_variant_that_ships_has_its_log() -> None:
    assert {table.game for table in SHIPPED.values()} == set(api.games())
    assert {*api.games(), *VARIED} == set(NAMES)


@pytest.mark.parametrize("name", rest_long(TABLES, *CLASSICS, *SHIPPED, *ONE_OF_EACH))
def test_the_events_of_a_game(name: str, snapshot: SnapshotAssertion) -> None:
    text = "".join(f"{line(event)}\n" for event in played(name).events)
    assert text == snapshot(extension_class=TextFile)


@pytest.mark.parametrize("name", [name for name, table in TABLES.items() if table.lines])
def test_the_lines_of_a_log(name: str, snapshot: SnapshotAssertion) -> None:
    """Without the hashes of the rules, which change with every word of them."""
    match = played(name)
    log = Log.of(attrs.evolve(match.header, rules="", text="", engine=""), match)
    assert log.text == snapshot(extension_class=LinesFile)


def test_the_rules_of_a_game_that_ships_change_on_purpose_only(snapshot: SnapshotAssertion) -> None:
    """Any changed number is seen here, also one that no log above and no scenario comes upon."""
    hashes = {
        name: api.load(name).rules_hash for name in sorted({t.game for t in (*SHIPPED.values(), *VARIED.values())})
    }
    assert "".join(f"{name:<24} {hash}\n" for name, hash in hashes.items()) == snapshot(extension_class=TextFile)
