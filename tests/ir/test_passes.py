"""Every pass over the IR keeps the promises of `ir.model`, in every game; and each pass does what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import attrs
import pytest
from syrupy.assertion import SnapshotAssertion

from rulelang.driver.chain import Unit, check, run
from rulelang.ir import model as ir
from rulelang.ir.bounds import spell_out_bounds
from rulelang.ir.encoding.printer import print_game
from rulelang.ir.invariants import faults
from rulelang.ir.walk import rewrite, walk
from rulelang.ir.weave import WEAVE, weave
from rulelang.texts.reader import Disk
from tests.files import CLASSICS, GAMES, VARIANTS
from tests.generators.board_ir import game_in_turns
from tests.generators.ir import random_game

CLASSIC_FILES = sorted(CLASSICS.glob("*.rules"))
SHIPPED = [GAMES / name / f"{name}.rules" for name in ("outspeed", "empty_space", "exobase", "exit_velocity")]

SHIP = """
game ship "Ship":
  players 2

names p: Player; n: 0..9
die d6: 1..6

each Player has:
  fuel: 0..30 = 12
  shield: flag = no
  lane: 1..3 = 1

to hit(p, n) "{p} is hit": p.fuel -= n, at least 0
"""


def lowered(path: Path, variants: tuple[str, ...] = ()) -> ir.GameRules:
    """Returns the IR as the checks leave it, before any pass."""
    unit = run(Unit(Disk(), path, variants), until=check)
    assert unit.lowered is not None, unit.diagnostics
    return unit.lowered


def every_game() -> Iterator[tuple[Path, tuple[str, ...]]]:
    for game, variants in VARIANTS.items():
        path = GAMES / game / f"{game}.rules"
        yield path, ()
        yield from ((path, (variant,)) for variant in variants)
    yield from ((path, ()) for path in CLASSIC_FILES)


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "variants"), list(every_game()), ids=lambda part: part.stem if isinstance(part, Path) else "+".join(part)
)
def test_every_pass_keeps_the_promises_of_the_ir(path: Path, variants: tuple[str, ...]) -> None:
    game = lowered(path, variants)
    assert faults(game) == ()
    for one in WEAVE:
        game = one(game)
        assert faults(game) == (), one.__name__
    assert faults(game, woven=True) == ()


# ------------------------------------------------------------------ the checker can fail


def _broken(game: ir.GameRules, kind: type, **changes: object) -> ir.GameRules:
    """Returns the game with the first node of a class changed."""
    first = next(node for node in walk((game.procedures, game.choices)) if type(node) is kind)

    def change(node: object) -> object:
        return attrs.evolve(first, **changes) if node is first else node  # type: ignore[misc]  # a node

    return attrs.evolve(game, procedures=rewrite(game.procedures, change), choices=rewrite(game.choices, change))


@cache
def woven_game(path: Path) -> ir.GameRules:
    return weave(lowered(path))


@pytest.mark.parametrize(
    ("kind", "changes", "words"),
    [
        (ir.Read, {"state": 999}, r"names states\[999\], which is not there"),
        (ir.Call, {"procedure": 999}, r"names procedures\[999\], which is not there"),
        (ir.Call, {"arguments": (ir.Const(1),) * 9}, "gives 9 arguments"),
        (ir.Local, {"id": 9999}, r"reads locals \[9999\]"),
        (ir.Stop, {"loop": 9999}, "stop 9999 leaves no loop around it"),
        (ir.Ask, {"choice": 999}, r"names choices\[999\]"),
        (ir.BeginBody, {"rule": 999}, r"names rules\[999\]"),
    ],
)
def test_what_dangles_is_found(kind: type, changes: dict[str, object], words: str) -> None:
    game = woven_game(SHIPPED[3])
    assert re.search(words, "\n".join(faults(_broken(game, kind, **changes))))


def test_a_set_with_a_member_that_its_local_cannot_be_is_found() -> None:
    game = weave(lowered(CLASSICS / "nim.rules"))
    domain = next(node for node in walk(game.choices) if isinstance(node, ir.Parameter)).domain
    broken = _broken(game, ir.Parameter, domain=attrs.evolve(domain, mask=ir.Const(1 << 60), pile=None))
    assert re.search(r"goes over \[60\]", "\n".join(faults(broken)))


@pytest.mark.parametrize("seed", range(1015, 1025))
def test_a_game_at_random_keeps_the_promises_of_the_ir(seed: int) -> None:
    for game in (random_game(seed), game_in_turns(seed)):
        assert not [fault for fault in faults(game) if "goes over" in fault]


def _with_last(game: ir.GameRules, statement: ir.Statement) -> ir.Procedure:
    last = game.procedures[-1]
    return attrs.evolve(last, body=(*last.body, statement))


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (ir.Settle(), "Settle is left after weaving"),
        (ir.Proceed(), "Proceed is left after weaving"),
    ],
)
def test_what_weaving_leaves_is_found(statement: ir.Statement, words: str) -> None:
    game = woven_game(SHIPPED[0])
    broken = attrs.evolve(game, procedures=(*game.procedures[:-1], _with_last(game, statement)))
    assert faults(game, woven=True) == ()
    assert words in faults(broken, woven=True)


def test_a_circle_of_calls_is_found() -> None:
    game = woven_game(SHIPPED[0])
    main = game.procedures[game.main]
    setup = next(node.procedure for node in main.body if isinstance(node, ir.Call))
    back = attrs.evolve(game.procedures[setup], body=(ir.Call(game.main, ()),))
    procedures = tuple(back if p.id == setup else p for p in game.procedures)
    assert any("in a circle" in fault for fault in faults(attrs.evolve(game, procedures=procedures), woven=True))


def test_a_wrong_mark_of_what_stops_is_found() -> None:
    game = woven_game(SHIPPED[0])
    turned = attrs.evolve(game.procedures[0], stops=not game.procedures[0].stops)
    assert faults(attrs.evolve(game, procedures=(turned, *game.procedures[1:])), woven=True)


def test_a_move_inside_of_simultaneously_that_is_not_deferred_is_found() -> None:
    game = woven_game(SHIPPED[0])
    move = next(node for node in walk(game.procedures) if isinstance(node, ir.Move))
    inside = rewrite(
        game.procedures, lambda n: attrs.evolve(n, body=(*n.body, move)) if isinstance(n, ir.Simultaneous) else n
    )
    assert "simultaneously: Move inside `simultaneously`" in faults(attrs.evolve(game, procedures=inside), woven=True)


# ------------------------------------------------------------------ what each pass does


def woven(text: str, tmp_path: Path) -> str:
    path = tmp_path / "ship.rules"
    path.write_text(SHIP + text)
    return print_game(weave(lowered(path)))


def body(dump: str, head: str) -> str:
    """Returns the lines under the first head that fits a pattern, ids of locals and procedures left out."""
    lines = iter(dump.splitlines())
    for line in lines:
        if re.match(head, line):
            break
    inside = []
    for line in lines:
        if not line.startswith("  "):
            break
        inside.append(re.sub(r"\.\d+", "", line[2:]))
    return "\n".join(inside)


def test_whenever_rules_and_adjustments_are_printed(tmp_path: Path) -> None:
    path = tmp_path / "ship.rules"
    path.write_text(
        SHIP
        + """
data price(n: 1..2):
  cost: 0..9
  | n | cost |
  | 1 | 3    |
  | 2 | 5    |
adjust price(n).cost: +1 if n == 2 as dear
whenever p.fuel == 0 for p in players as dry: p.lane = 1
play: hit(first_player, price(1).cost)
"""
    )
    lines = re.sub(r"\.\d+", "", print_game(lowered(path))).splitlines()
    assert "  adjust + 1 if n == 2" in lines
    assert "whenever fuel[p] == 0 for p in players: dry" in lines


def test_hooks_stand_around_the_verb_and_the_last_instead_that_fits_goes_first(tmp_path: Path) -> None:
    dump = woven(
        """
before hit(p, n) if n > 5 as warned: p.lane = 1
instead of hit(p, n) if p.shield as shielded: p.shield = no
instead of hit(p, n) if n == 0 as missed: proceed
after hit(p, n) as avenged: p.lane = 2
play: hit(first_player, 3)
""",
        tmp_path,
    )
    assert body(dump, r"verb hit\.\d+\(p\.\d+: Player, n") == (
        "if n == 0:\n"
        "  call missed(p, n)\n"
        "elif shield[p]:\n"
        "  call shielded(p, n)\n"
        "else:\n"
        "  if n > 5:\n"
        "    call warned(p, n)\n"
        "  call hit(p, n)\n"
        "call avenged(p, n)"
    )
    assert body(dump, r"hook missed") == "call hit(p, n)"


def test_the_standing_rules_are_one_loop_that_ends_when_none_of_them_fires(tmp_path: Path) -> None:
    dump = woven(
        """
whenever p.fuel == 0 for p in players as dry: eliminate(p)
play: settle
""",
        tmp_path,
    )
    assert body(dump, r"play ") == "call checkpoint()"
    assert body(dump, r"piece checkpoint").splitlines()[0] == "repeat 1, at most 100:"
    assert body(dump, r"piece checkpoint").splitlines()[-2:] == ["  if not(fired):", "    stop 1"]


def test_inside_of_simultaneously_moves_and_eliminations_wait_for_the_end(tmp_path: Path) -> None:
    dump = woven(
        """
to burn(p):
  p.fuel -= 3, at least 0
  if p.fuel == 0: eliminate(p)
play:
  simultaneously for p in players: burn(p)
""",
        tmp_path,
    )
    assert body(dump, r"verb burn").splitlines()[-1] == "  defer eliminate(p)"


def test_least_of_a_roll_is_spelled_out_with_its_lowest_face(tmp_path: Path) -> None:
    text = "value floor(p) = least(p.fuel + roll(d6, 2))\nplay: settle\n"
    path = tmp_path / "ship.rules"
    path.write_text(SHIP + text)
    game = lowered(path)
    assert any(isinstance(node, ir.Bound) for node in walk(game.values))
    spelled = print_game(spell_out_bounds(game))
    assert body(spelled, r"value floor") == "fuel[p] + (1 * 2)"


def test_bounds_are_spelled_out_in_what_people_read_too(tmp_path: Path) -> None:
    path = tmp_path / "ship.rules"
    path.write_text(
        SHIP
        + """
action burn(p) "Burn":
  shows "may take {most(roll(d6))}" if most(roll(d6)) > p.fuel
  p.fuel -= roll(d6), at least 0
screen:
  line "at most {most(roll(d6))}" if least(roll(d6)) > 0
play:
  for p in players: p chooses one of burn
"""
    )
    game = lowered(path)
    assert any(isinstance(node, ir.Bound) for node in walk((game.rules, game.screen)))
    assert not any(isinstance(node, ir.Bound) for node in walk(spell_out_bounds(game)))


def test_only_what_asks_or_calls_what_asks_stops(tmp_path: Path) -> None:
    dump = woven(
        """
to offer(p):
  p chooses one of:
    yes_please "Yes": p.lane = 2
    no_thanks "No": p.lane = 3
to round_off(p): offer(p)
to count_up(p): p.fuel += 1
play: round_off(first_player)
""",
        tmp_path,
    )
    heads = {line.split(".")[0]: line for line in dump.splitlines() if line.startswith("verb ")}
    stopping = {head for head, line in heads.items() if ", stops" in line}
    assert stopping == {"verb offer", "verb round_off"}


@pytest.mark.parametrize("path", CLASSIC_FILES, ids=lambda p: p.stem)
def test_the_ir_of_small_games_is_as_it_was(path: Path, snapshot: SnapshotAssertion) -> None:
    game = lowered(path)
    assert print_game(game) + "\n# woven\n\n" + print_game(weave(game)) == snapshot
