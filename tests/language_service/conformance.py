"""Random edits over a server's standard streams: `python -m tests.language_service.conformance EDITS [SEED]`.

After each edit a request is made, which must be answered, and the faults of that very text must have been published.
Now and then the text is made whole again, which has no faults as `rulelang check` has none, or what was published is
compared with a check from nothing. The memory of the server may not grow without bound.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from shutil import copytree
from typing import Any

import attrs

from rulelang import api
from rulelang.language_service.document import EditorRange
from rulelang.language_service.service import LanguageService
from tests.files import GAMES
from tests.language_service.client import PLACED, WHOLE, Client, asked

EVERY = 40
"""The edits after which the text is made whole again."""
COMPARED = 40
"""Of so many edits, one is compared with a check from nothing."""
MEASURED_EVERY = 25
"""The edits after which the server's memory is measured …"""
TOLD_EVERY = 250
"""… and those after which a line is printed."""
ANOTHER_EVERY = 100
"""The edits after which the text is closed, and another one of the game is opened."""
TYPED = (
    "\n",
    "  ",
    "(",
    "]",
    '"',
    '"""',
    "🎲",
    "e\u0301",
    "action x(",
    ":",
    " = = ",
    "| a |",
    "[",
    "\r\n",
    "p.",
    "variant ",
)
GAMES_EDITED = ("outspeed", "exobase", "empty_space", "exit_velocity")
GROWTH = 1.1
"""The factor by which the server's memory may grow from the second quarter of the edits to the last …"""
SLACK = 15_000
"""… and the kilobytes beyond it."""


def edited(text: str, rng: random.Random) -> str:
    """Returns a text after an edit as people make them: a stretch goes, is pasted elsewhere, or half a line comes."""
    start = rng.randrange(len(text) + 1)
    end = min(len(text), start + rng.randrange(60))
    match rng.randrange(4):
        case 0:
            return text[:start] + text[end:]
        case 1:
            there = rng.randrange(len(text) + 1)
            return text[:there] + text[start:end] + text[there:]
        case 2:
            return text[:start] + rng.choice(TYPED) + text[start:]
        case _:
            lines = text.split("\n")
            lines.insert(rng.randrange(len(lines)), rng.choice(lines)[: rng.randrange(1, 40)])
            return "\n".join(lines)


@attrs.define
class Attack:
    """A server, a game in a folder of its own, and one of its texts as it is edited."""

    client: Client
    path: Path
    whole: str
    rng: random.Random
    text: str = ""
    version: int = 1

    def __attrs_post_init__(self) -> None:
        self.text = self.whole
        self.client.open(self.path, self.whole)

    def close(self) -> None:
        """Closes the text, which is whole on the disk."""
        self.client.tell("textDocument/didClose", textDocument={"uri": self.path.as_uri()})

    def edit(self, number: int) -> None:
        """Makes an edit and a request; makes the text whole again now and then. Raises AssertionError."""
        is_whole = number % EVERY == EVERY - 1
        self.text = self.whole if is_whole else edited(self.text, self.rng)
        self.version += 1
        self.client.change(self.path.as_uri(), self.version, self.text)
        method = self.rng.choice((*PLACED, *WHOLE))
        answer = self.client.raw(f"textDocument/{method}", **self._asked(method))
        told = answer.get("error", {}).get("message", "")
        assert not told, (method, told, self.text)
        uri = self.path.as_uri()
        assert self.client.versions[uri] == self.version, "the faults that were published are those of an earlier text"
        if is_whole:
            assert not self.client.diagnostics[uri], "a text that is whole again has no faults"
        elif self.rng.randrange(COMPARED) == 0:
            published = [(one["range"], one["code"], one["message"]) for one in self.client.diagnostics[uri]]
            assert published == self._checked_anew(), self.text

    def _checked_anew(self) -> list[tuple[dict[str, Any], str, str]]:
        """Returns the faults that a service which sees the text for the first time publishes first."""
        service = LanguageService()
        service.open(self.path, self.text)
        found = service.first_faults(self.path)
        found = service.faults(self.path)[self.path] if found is None else found
        return [(_range(one.range), one.code, one.message) for one in found]

    def _asked(self, method: str) -> dict[str, Any]:
        rng = self.rng
        lines = self.text.count("\n") + 3
        first = {"line": rng.randrange(lines), "character": rng.randrange(80)}
        last = {"line": min(first["line"] + rng.randrange(3), lines), "character": rng.randrange(80)}
        return asked(method, self.path.as_uri(), min(first, last, key=_order), max(first, last, key=_order))


def _range(range: EditorRange) -> dict[str, Any]:
    return {
        word: {"line": one.line, "character": one.column} for word, one in (("start", range.start), ("end", range.end))
    }


def _order(place: dict[str, int]) -> tuple[int, int]:
    return place["line"], place["character"]


def memory(client: Client) -> int:
    """Returns the kilobytes that a server holds; 0 where the system does not tell."""
    status = Path(f"/proc/{client.process.pid}/status")
    lines = status.read_text().splitlines() if status.is_file() else []
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)


def attack(game: str, edits: int, seed: int, say: Callable[[str], None] = lambda _: None) -> tuple[int, ...]:
    """Edits the texts of a game at random, one after the other, with a request after each edit; returns the kilobytes that
    the server held, every `MEASURED_EVERY` edits. Raises AssertionError."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder) / game
        copytree(GAMES / game, there)
        assert not [one for one in api.check(str(there)).diagnostics if one.is_error]
        paths, held = sorted(there.rglob("*.rules")), list[int]()
        client = Client()
        try:
            one = Attack(client, paths[0], paths[0].read_text(), rng)
            for number in range(edits):
                if number % ANOTHER_EVERY == 0:
                    one.close()
                    path = rng.choice(paths)
                    one = Attack(client, path, path.read_text(), rng)
                one.edit(number)
                if number % MEASURED_EVERY == MEASURED_EVERY - 1:
                    held.append(memory(client))
                if number % TOLD_EVERY == TOLD_EVERY - 1:
                    say(f"{game}: {number + 1} edits, {held[-1]} kB, {max(held)} kB at most")
            assert not has_grown(held), f"the server's memory grows: {held} kB"
            return tuple(held)
        finally:
            client.close()


def has_grown(held: Sequence[int]) -> bool:
    """Returns whether memory grows on and on: what was held in the last quarter of the time is more than in the second.

    >>> has_grown([100_000, 150_000, 150_000, 150_000]), has_grown([100_000, 150_000, 170_000, 190_000])
    (False, True)
    """
    quarter = len(held) // 4
    if not quarter:
        return False
    second, last = statistics.median(held[quarter : 2 * quarter]), statistics.median(held[-quarter:])
    return last > second * GROWTH + SLACK


def main() -> None:
    """Attacks all games."""
    said = [int(word) for word in sys.argv[1:3]]
    edits, seed = said[0] if said else 10_000, said[1] if len(said) > 1 else 1
    for game in GAMES_EDITED:
        held = attack(game, edits // len(GAMES_EDITED), seed, partial(print, flush=True))
        print(f"{game}: {edits // len(GAMES_EDITED)} edits, no fault, {max(held, default=0)} kB at most", flush=True)


if __name__ == "__main__":
    main()
