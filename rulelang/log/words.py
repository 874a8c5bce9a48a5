"""Lines of a log -> words for people, and the difference of two lines.

{"input":"roll","die":"yellow","face":3}     roll yellow -> 3
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from rulelang.log.format import canonical
from rulelang.log.steps import LogLine
from rulelang.program.values import clean

MOST_NAMED = 6
"""The most things that are named when several go the same way."""


def said(line: LogLine | None) -> str:
    return "the set-up" if line is None else in_words(line.record)


def in_words(record: Mapping[str, Any]) -> str:
    """Returns a line in words for people."""
    match record.get("input"):
        case "choice":
            text = f"{record['seat']}: {record['option']}"
        case "undo":
            text = f"undo to {record['to']}"
        case "roll":
            text = f"roll {record['die']} -> {record.get('face', '?')}"
        case "pick":
            text = f"{record['stream']} -> {record.get('value', '?')}"
        case "shuffle":
            text = f"shuffle {record['pile']} -> {', '.join(record.get('order', ['?']))}"
        case _:  # a line that is not an input
            if "event" in record:
                changes = changes_in_words(record["changes"])
                text = f"{record['call']}" + (f" ({changes})" if changes else "")
            elif "end" in record:
                text = f"the end: {record['end']} {' '.join(record['winners'])}".rstrip()
            else:
                text = f"a fault: {record.get('fault', '')}"
    return clean(text)[:400]


def changes_in_words(changes: list[list[str]], most: int = 4) -> str:
    """Returns the first changes of an event in words for people; what goes the same way is told together.

    >>> changes_in_words([["move", "Tile(8)", "stack", "box"], ["move", "Tile(9)", "stack", "box"], ["set", "left", "9", "7"]])
    'Tile(8) and Tile(9): stack -> box; left: 9 -> 7'
    """
    told: list[str] = []
    for (what, *way), run in groupby(changes, key=lambda change: (change[0], *change[2:])):
        subjects = [change[1] for change in run]
        if what == "move" and way[0]:
            told.append(f"{together(subjects)}: {' -> '.join(way)}")
        else:
            told += [change_in_words([what, subject, *way]) for subject in subjects]
    return "; ".join(told[:most])


def together(names: list[str]) -> str:
    """Returns names as a list in words, the first few of many.

    >>> together(["a", "b", "c"]), together(list("abcdefgh"))
    ('a, b and c', 'a, b, c, d and 4 more')
    """
    if len(names) > MOST_NAMED:
        names = [*names[: MOST_NAMED - 2], f"{len(names) - MOST_NAMED + 2} more"]
    return " and ".join([*([", ".join(names[:-1])] if len(names) > 1 else []), names[-1]])


def change_in_words(change: list[str]) -> str:
    """Returns a change in words for people: `red.fuel: 5 -> 4`."""
    what, subject, before, after = change
    return f"{subject}: {before} -> {after}" if before else f"{what} {subject}" + (f" -> {after}" if after else "")


def sides(logged: Mapping[str, Any], played: Mapping[str, Any]) -> tuple[str, str]:
    """Returns both sides of a difference; for events of one rule, only the part that differs."""
    if "event" in logged and "event" in played and logged["call"] == played["call"]:
        for mine, theirs in zip(logged["changes"], played["changes"], strict=False):
            if mine != theirs:
                return _of(logged, clean(change_in_words(mine))), _of(played, clean(change_in_words(theirs)))
        for name in ("clauses", "depth", "cause", "sentence", "event"):
            if logged["changes"] == played["changes"] and logged[name] != played[name]:
                return _of(logged, f"{name} {_field(logged[name])}"), _of(played, f"{name} {_field(played[name])}")
    return in_words(logged), in_words(played)


def _of(record: Mapping[str, Any], text: str) -> str:
    return f"{clean(record['call'])[:80]}: {text[:300]}"


def _field(value: object) -> str:
    """Returns the written form of a field in a log."""
    return clean(canonical({"": value})[4:-1])
