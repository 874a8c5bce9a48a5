"""The page about logs: its example comes out again, fits the schema, and every field is described."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import attrs
import jsonschema
import pytest

from rulelang import api
from rulelang.log import format as log_format
from rulelang.log.fields import FORMAT
from rulelang.log.format import Log
from tests.files import DOCS

PAGE = (DOCS / "log.md").read_text()
SCHEMA: dict[str, Any] = json.loads(Path(log_format.__file__).with_name("schema.json").read_text())
RECORDS = {
    "header": "the header",
    "choice": "an input",
    "roll": "an input",
    "pick": "an input",
    "shuffle": "an input",
    "undo": "an input",
    "event": "an event",
    "fault": "a fault",
    "end": "the end",
}
"""What the schema calls a record, and the section of the page that tells of it."""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.M | re.S)


def example(folder: Path) -> tuple[api.Game, list[dict[str, Any]]]:
    entry = folder / "high_card.rules"
    entry.write_text(blocks("rules")[0])
    game = api.check(entry).game
    assert game is not None
    return game, [json.loads(line) for line in blocks("jsonl")[0].splitlines()]


def played_again(game: api.Game, lines: list[dict[str, Any]]) -> Log:
    """The match of the page, under its header: the hashes there are an example."""
    match = game.start(seed=lines[0]["seed"])
    for line in lines:
        if line.get("input") == "choice":
            match.play(f"{line['seat']}: {line['option']}")
        elif line.get("input") == "undo":
            match.undo(to=line["to"])
    header = attrs.evolve(match.header, rules=lines[0]["rules"], text=lines[0]["text"], engine=lines[0]["engine"])
    return Log.of(header, match)


def test_the_example_comes_out_again(tmp_path: Path) -> None:
    assert played_again(*example(tmp_path)).text == blocks("jsonl")[0]


def test_the_seats_log_comes_out_again(tmp_path: Path) -> None:
    whole = played_again(*example(tmp_path)).for_seat(1).lines
    shown = blocks("jsonl")[1].splitlines()
    inputs = [line for line in whole if '"input"' in line]
    assert shown == [whole[0], *inputs[:4]]


def test_every_line_of_the_examples_fits_the_schema() -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for block in blocks("jsonl"):
        for line in block.splitlines():
            validator.validate(json.loads(line))


def section(title: str) -> str:
    found = re.search(rf"^## Fields of {title}\n(.*?)^## ", PAGE, re.M | re.S)
    assert found is not None
    return found.group(1)


@pytest.mark.parametrize("record", RECORDS)
def test_every_field_of_the_schema_is_described_and_no_other(record: str) -> None:
    assert {part["$ref"].removeprefix("#/$defs/") for part in SCHEMA["oneOf"]} == set(RECORDS)
    described = set(re.findall(r"^\| `(\w+)` \|", section(RECORDS[record]).split("A change is a list")[0], re.M))
    simultaneous = [
        SCHEMA["$defs"][other]["properties"] for other, title in RECORDS.items() if title == RECORDS[record]
    ]
    assert set(SCHEMA["$defs"][record]["properties"]) <= described
    assert described == {field for properties in simultaneous for field in properties}


def test_every_kind_of_change_is_described() -> None:
    kinds = re.findall(r"^\| `(\w+)` \|", section("an event").split("A change is a list")[1], re.M)
    told = SCHEMA["$defs"]["change"]["description"]
    assert kinds == re.findall(r"\w+", told[told.index("(") : told.index(")")])


def test_the_versions_agree() -> None:
    assert f"now {FORMAT}" in section("the header")
    assert SCHEMA["$defs"]["header"]["properties"]["format"]["const"] == FORMAT
