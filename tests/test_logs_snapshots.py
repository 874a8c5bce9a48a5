"""Whole event logs of fixed seeds, so that a change of what any rule does is seen: as text, and as the lines of the file."""

from __future__ import annotations

import random

import attrs
import pytest
from classics_games import classic
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from rulelang import api
from rulelang.knowledge.redaction import read
from rulelang.log.format import Log
from rulelang.match.events import Event

GAMES = {
    "outspeed-3": ("outspeed", 3, 5),
    "outspeed-4": ("outspeed", 4, 8),
    "outspeed-6": ("outspeed", 6, 2),
    "connect_four": ("connect_four", 2, 1),
    "kuhn": ("kuhn", 2, 1),
    "nim": ("nim", 2, 1),
    "pig": ("pig", 2, 9),
    "tic_tac_toe": ("tic_tac_toe", 2, 1),
}
"""By name: the game, how many play, and the seed of the dice and of the players."""
LONG = {"outspeed-6"}
"""What is kept as text alone."""


class TextFile(SingleFileSnapshotExtension):
    _write_mode = WriteMode.TEXT
    file_extension = "txt"


class LinesFile(TextFile):
    file_extension = "jsonl"


def played(name: str) -> api.Match:
    game, players, seed = GAMES[name]
    match = (api.load(game) if game in api.games() else classic(game)).start(players, seed=seed)
    luck = random.Random(seed)
    while match.to_move:
        match.play(luck.choice(list(match.options)))
    return match


def line(event: Event) -> str:
    """`7   use(red, nitro) "red's nitro ignites" [OS-13.16]: red.push: 0 -> 1`, indented by how deep it is."""
    sentence = f' "{read(event.sentence)}"' if event.sentence else ""
    clauses = f" [{', '.join(event.clauses)}]" if event.clauses else ""
    changes = "; ".join(change.text for change in event.changes)
    goes_on = "..." if event.goes_on else ""
    what = f"{'  ' * event.depth}{goes_on}{read(event.call)}{sentence}{clauses}"
    return f"{event.number:<4}{what}" + (f": {changes}" if changes else "")


@pytest.mark.parametrize("name", GAMES)
def test_the_events_of_a_game(name: str, snapshot: SnapshotAssertion) -> None:
    text = "".join(f"{line(event)}\n" for event in played(name).events)
    assert text == snapshot(extension_class=TextFile)


@pytest.mark.parametrize("name", [name for name in GAMES if name not in LONG])
def test_the_lines_of_a_log(name: str, snapshot: SnapshotAssertion) -> None:
    """Without the hashes of the rules, which change with every word of them."""
    match = played(name)
    log = Log.of(attrs.evolve(match.header, rules="", text="", engine=""), match)
    assert log.text == snapshot(extension_class=LinesFile)
