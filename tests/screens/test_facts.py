"""What a player at the table would look at is to be seen at every choice: `facts.toml` goes through the choices of the games that ship."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rulelang
from cli.screen import draw
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.scenarios.run import SEEDS, run_scenarios
from rulelang.screens.model import Fold
from rulelang.screens.picture import picture
from tests.screens.pictures import TABLES, Seen, about, reached

LISTED = tomllib.loads((Path(__file__).parent / "facts.toml").read_text(encoding="utf-8"))["choice"]


@cache
def at(match: BareMatch, where: str) -> str:
    """Returns what stands at a place of the list; several facts stand at one."""
    seen, (word, _, rest) = Seen(match), where.partition(" ")
    match_of, seat = seen.match, seen.seat
    match word:
        case "screen":
            question = seen.asked()
            screen = draw(picture(match_of, seat), seen.person.styles, seen.console, seen.person._room(question))
            seen.console.print(screen)
        case "question":
            seen.console.print(seen.asked())
        case "option":
            shows = match_of.shown(seat)
            return "\n".join(f"{o.label}  {shows(o)}" for o in match_of.options_of(seat).first(900))
        case "fold":
            parts = [p for p in picture(match_of, seat) if isinstance(p, Fold) and p.title.startswith(rest)]
            assert parts, f"no part of the screen is called {rest}"
            seen.console.print(draw((parts[0].part,), seen.person.styles, seen.console))
        case "what":
            return seen.what(rest)
        case _:
            return seen.why(rest)
    return seen.text()


@pytest.mark.parametrize("game", TABLES)
def test_every_choice_of_a_game_is_listed_once(game: str) -> None:
    known = {choice.name for choice in rulelang.load(game).ir.choices}
    listed = [entry["name"] for entry in LISTED if entry["game"] == game]
    assert len(listed) == len(set(listed))
    assert set(listed) == known


@cache
def staged(game: str, title: str, name: str) -> BareMatch:
    """Returns the position at a choice to which a scenario comes."""
    rules, found = about(game), list[BareMatch]()
    with pytest.MonkeyPatch.context() as patched:
        push = BareMatch.push

        def kept(match: BareMatch, option: Option, **given: Any) -> None:
            look(match)
            push(match, option, **given)
            look(match)

        def look(match: BareMatch) -> None:
            if not found and match.choice is not None and match.choice.name == name:
                found.append(match.fork())

        patched.setattr(BareMatch, "push", kept)
        runs = run_scenarios(rules, titles=frozenset((title,)), executor="generated", seeds=SEEDS[:1])
        assert [run.passed for run in runs] == [True]
    assert found, f"the scenario does not come to {name}"
    return found[0]


@pytest.mark.parametrize(
    ("game", "name", "fact"),
    [(e["game"], e["name"], i) for e in LISTED for i in range(len(e["facts"]))],
)
def test_a_fact_is_to_be_seen_where_the_list_says(game: str, name: str, fact: int) -> None:
    entry = next(e for e in LISTED if e["game"] == game and e["name"] == name)
    wanted = entry["facts"][fact]
    if "scenario" in entry:
        seen = at(staged(game, entry["scenario"], name), wanted["where"])
    else:
        assert name in reached(game), f"no game at random comes to {name}: name a scenario that does"
        seen = at(reached(game)[name], wanted["where"])
    unwrapped = " ".join(seen.split())
    is_there = re.search(wanted["shows"], unwrapped) or re.search(wanted["shows"], seen)
    assert is_there, f"{wanted['fact']} is not at {wanted['where']}:\n{seen}"
