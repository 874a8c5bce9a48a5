"""`rulelang new NAME`: a small whole game to start from, which passes its own checks and scenarios.

nim/nim.rules    nim/rulebook.toml    nim/scenarios/first.rules
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import click

from rulelang.disk import create

from ...argument import FilePath
from ...exits import Refused

RULES = """\
# {title}: a heap of matches, taken in turn. Whoever takes the last one wins. Change it into your own game.

game {name} "{title}":
  players 2
  seats red, blue
  rulebook "rulebook.toml"

names p: Player; n: 1..3

constant matches = 12                                                [{prefix}-1]

the game has:
  heap: 0..matches = matches                                         [{prefix}-1]

action take(p, n) "Take {{n}}":                                        [{prefix}-2]
  needs n <= heap  "Only {{heap}} left"                                [{prefix}-3]
  heap -= n

play:
  turns p from first_player:                                         [{prefix}-2]
    p chooses one of take "How many do you take?"
    if heap == 0: finish with winner p                               [{prefix}-4]

# What people see, and what bots steer by: leave the other side a multiple of four.

screen:
  line "{{heap}} matches on the table"

value score(p) = 1 if heap % 4 == 0 else 0
"""

LEDGER = """\
# The rulebook, clause by clause, in our own words. Rules and scenarios cite the ids in square brackets.

[[clause]]
id = "{prefix}-1"
section = "Set-up"
kind = "setup"
text = "Twelve matches lie on the table."

[[clause]]
id = "{prefix}-2"
section = "Play"
kind = "rule"
text = "The players take turns; on each turn one takes one, two or three matches."

[[clause]]
id = "{prefix}-3"
section = "Play"
kind = "rule"
text = "Nobody can take more matches than there are."

[[clause]]
id = "{prefix}-4"
section = "End"
kind = "end"
text = "Whoever takes the last match wins."
"""

SCENARIOS = """\
# What must hold. `rulelang test {name}` plays each of these.

scenario "twelve matches lie on the table, red begins":              [{prefix}-1]
  players red, blue
  expect heap == 12
  expect red can take(3)

scenario "they take turns":                                          [{prefix}-2]
  players red, blue
  red: take(2)
  blue: take(3)
  expect heap == 7
  expect red can take(1)

scenario "nobody takes more than there are":                         [{prefix}-3]
  players red, blue
  given heap = 2
  expect red can take(2)
  expect red cannot take(3)                                          [{prefix}-3]

scenario "the last match wins":                                      [{prefix}-4]
  players red, blue
  given heap = 3
  red: take(3)
  expect winner red
"""

FILES = (("{name}.rules", RULES), ("rulebook.toml", LEDGER), ("scenarios/first.rules", SCENARIOS))
"""The files that are written: the path inside the new folder, and the text."""


@click.command("new")
@click.argument("name")
@click.option("--title", help="What people call it; else made from the name.")
@click.option("--into", type=FilePath(file_okay=False), default=Path(), help="The folder for it.")
def command(name: str, title: str | None, into: Path) -> None:
    """Write a small game to start from, in a folder called NAME.

    It is complete: rules, a ledger of clauses, scenarios. Nothing that exists is overwritten.

    \b
    Examples:
      rulelang new nim
      rulelang new space_race --title "Space Race" --into games
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,40}", name, re.ASCII):
        raise click.UsageError("a game's name is lower-case letters, digits and _, and begins with a letter")
    title = title if title is not None else name.replace("_", " ").capitalize()
    if not title.isprintable() or not title.strip() or set('"\\{}') & set(title):
        raise click.UsageError('a title is one line of text without ", \\ and braces')
    folder = into / name
    if os.path.lexists(folder):
        raise Refused(f"{folder} exists already; nothing is overwritten")
    texts = texts_of(name, title)
    written = [folder / path for path in texts]
    try:
        for target, text in zip(written, texts.values(), strict=True):
            target.parent.mkdir(parents=True, exist_ok=True)
            create(target, text.encode())
    except OSError:
        # An incomplete folder would be worse than none.
        shutil.rmtree(folder, ignore_errors=True)
        raise
    for target in written:
        click.echo(f"wrote {target}")
    game = folder / f"{name}.rules"
    click.echo(f"\nNow try\n  rulelang play {game}\n  rulelang test {game}\n  rulelang cover {game}")


def texts_of(name: str, title: str) -> dict[str, str]:
    """Returns the texts of a new game, by their paths inside its folder.

    >>> list(texts_of("hop", "Hop"))
    ['hop.rules', 'rulebook.toml', 'scenarios/first.rules']
    """
    prefix = _prefix(name)
    return {path.format(name=name): text.format(name=name, title=title, prefix=prefix) for path, text in FILES}


def _prefix(name: str) -> str:
    """Returns the letters at the beginning of clause ids.

    >>> _prefix("space_race"), _prefix("nim")
    ('SR', 'NIM')
    """
    words = name.split("_")
    return "".join(word[0] for word in words if word).upper() if len(words) > 1 else name[:3].upper()
