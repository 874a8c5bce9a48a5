"""What a variant does to the tree of its game, and which variants are refused."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from rulelang import api
from rulelang.diagnostics.codes.code import Code, whole
from rulelang.diagnostics.codes.variants import VARIANTS
from rulelang.driver.chain import of_module, run
from rulelang.scenarios.run import lower_all, run_scenarios
from rulelang.source import SourceText
from rulelang.syntax import nodes
from rulelang.syntax.parser import parse
from rulelang.syntax.printing.printer import print_module
from rulelang.texts.loading import load
from rulelang.texts.reader import Disk
from rulelang.texts.shipped import game_folders
from rulelang.variants.diff import in_words
from rulelang.variants.patch import Patched, patch
from rulelang.workbench.changes.grouped_diagnostics import each_once

RACE = """\
game race "Race":
  players 2..4

names p, q: Player
constant start = 3
option long: flag = no "A long race?"
enum Power: nitro, tank, shield, siphon
kind Card:
  power: Power
  cost: 0..9 = 0
  | copies | power          |
  | 2      | nitro          |
  | 7      | {tank, shield} |
data price(n: 1..3, power: Power):
  gold: 0..9 = 1
  | n    | power | gold |
  | 1..2 |       |      |
  | 3    | tank  | 4    |

the game has:
  deck: pile of Card, face down
each Player has:
  fuel: 0..30 = start
  hand: group of Card, at most 5, seen by owner

setup:
  move Card to deck
  shuffle(deck)

play:
  turns p from first(q in players):
    use(p, nitro)
    use(p, tank)
    if turn > limit: finish with winner p

value limit -> 0..30 = reach(3) + sum(price(n, nitro).gold for n in 1..2) if long else 20
value reach(n: 0..9) -> 0..9 = n
adjust reach(n): +1 if n < 5 as long_legs

to use(p, nitro) "{p} burns nitro": p.fuel += 1
to use(p, tank) "{p} empties a tank": p.fuel += 2

after use(p, nitro) as echo: p.fuel += 1
whenever p.fuel > 20 for p in players as rich: finish with winner p
"""

VARIANT = 'variant other of race "Other":\n'


def read(
    text: str,
) -> tuple[nodes.ModuleNode, tuple[nodes.VariantDeclaration, ...], tuple[nodes.ScenarioDeclaration, ...]]:
    parsed = parse(SourceText("race.rules", text))
    assert not parsed.diagnostics
    apart = (nodes.VariantDeclaration, nodes.ScenarioDeclaration)
    declarations = parsed.module.declarations
    module = nodes.ModuleNode(tuple(d for d in declarations if not isinstance(d, apart)), span=parsed.module.span)
    variants = tuple(d for d in declarations if isinstance(d, nodes.VariantDeclaration))
    return module, variants, tuple(d for d in declarations if isinstance(d, nodes.ScenarioDeclaration))


def patched(text: str, *wanted: str, base: str = RACE) -> Patched:
    return patch(*read(base + text)[:2], wanted)


def lines_of(module: nodes.ModuleNode) -> list[str]:
    return print_module(module).split("\n")


def changes(operations: str) -> tuple[list[str], list[str]]:
    """Returns the lines that a variant with these operations takes away, and those that it brings."""
    text = VARIANT + "".join(f"  {line}\n" for line in operations.strip("\n").split("\n"))
    result = patched(text, "other")
    assert not result.diagnostics, [d.message for d in result.diagnostics]
    found = run(of_module(result.module))
    assert not found.diagnostics, [(d.code, d.message) for d in found.diagnostics]
    old, new = lines_of(read(RACE)[0]), lines_of(result.module)
    return [line.strip() for line in old if line not in new], [line.strip() for line in new if line not in old]


def codes(text: str, *wanted: str) -> list[str]:
    return [d.code for d in patched(text, *wanted).diagnostics]


# ------------------------------------------------------------------ operations


def test_a_constant_said_again_is_changed() -> None:
    assert changes("constant start = 5") == (["constant start = 3"], ["constant start = 5"])


def test_a_constant_can_take_the_place_of_an_option() -> None:
    gone, new = changes("constant long = yes")
    assert gone == ['option long: flag = no "A long race?"']
    assert new == ["constant long = yes"]


def test_one_case_of_a_verb_is_replaced_and_the_others_stay() -> None:
    gone, new = changes('replace to use(q, nitro) "{q} burns all": q.fuel += 3')
    assert gone == ['to use(p, nitro) "{p} burns nitro":']
    assert new == ['to use(q, nitro) "{q} burns all":', "q.fuel += 3"]


def test_a_new_case_of_a_verb_stands_with_the_others() -> None:
    result = patched(VARIANT + '  to use(p, shield) "{p} hides": p.fuel += 3\n', "other")
    verbs = [i for i, d in enumerate(result.module.declarations) if isinstance(d, nodes.VerbDeclaration)]
    assert verbs == [verbs[0], verbs[0] + 1, verbs[0] + 2]


def test_flows_are_replaced() -> None:
    gone, new = changes("replace setup:\n  move Card to deck")
    assert (gone, new) == (["shuffle(deck)"], [])


def test_hooks_adjustments_and_whenever_rules_go_by_their_names() -> None:
    gone, new = changes(
        "remove echo\nreplace adjust reach(n): +2 if n < 5 as long_legs\n"
        "replace whenever p.fuel > 10 for p in players as rich: finish with winner p"
    )
    assert gone == [
        "adjust reach(n): +1 if n < 5 as long_legs",
        "after use(p, nitro) as echo:",
        "whenever p.fuel > 20 for p in players as rich:",
    ]
    assert new == ["adjust reach(n): +2 if n < 5 as long_legs", "whenever p.fuel > 10 for p in players as rich:"]


def test_a_hook_without_a_name_is_replaced_by_what_it_hangs_on() -> None:
    assert changes("replace after use(p, nitro): p.fuel += 4")[1] == ["after use(p, nitro):", "p.fuel += 4"]


def test_one_variable_is_replaced_removed_or_new() -> None:
    gone, new = changes("replace each Player has:\n  fuel: 0..40 = start\nremove hand\nthe game has:\n  laps: 0..9 = 2")
    assert gone == ["fuel: 0..30 = start", "hand: group of Card, at most 5, seen by owner"]
    assert new == ["fuel: 0..40 = start", "laps: 0..9 = 2"]


def test_removing_a_verb_removes_all_its_cases() -> None:
    result = patched(VARIANT + "  remove use\n", "other")
    assert not [d for d in result.module.declarations if isinstance(d, nodes.VerbDeclaration)]


def test_a_header_line_is_changed_or_new() -> None:
    assert changes("players 2\nseats red, blue") == (["players 2..4"], ["players 2", "seats red, blue"])


def test_new_hooks_come_last() -> None:
    result = patched(VARIANT + "  after use(p, nitro): p.fuel += 5\n", "other")
    assert isinstance(result.module.declarations[-1], nodes.HookDeclaration)


AIM = """\
aim:
  about "A race."
  lasts "An hour."
  ends rich "Whoever is rich wins.",
      "Somebody is rich"
"""


def test_lines_of_an_aim_take_the_place_of_those_with_the_same_subject() -> None:
    aim = '  aim:\n    lasts "A minute."\n    progress "{viewer.fuel} units" if viewer in players\n'
    result = patched(VARIANT + aim, "other", base=RACE + AIM)
    assert not result.diagnostics
    (found,) = (d for d in result.module.declarations if isinstance(d, nodes.AimDeclaration))
    assert [line.what for line in found.lines] == ["about", "lasts", "ends", "progress"]
    assert 'lasts "A minute."' in "".join(lines_of(result.module))


def test_a_variant_may_give_a_game_its_first_aim() -> None:
    result = patched(f'{VARIANT}  aim:\n    lasts "A minute."\n', "other")
    assert not result.diagnostics
    assert lines_of(result.module)[-3:-1] == ["aim:", '  lasts "A minute."']


@pytest.mark.parametrize(
    ("operation", "place"),
    [
        ("constant start = 3", "constant start = 3"),
        ("replace each Player has:\n    fuel: 0..30 = start", "fuel: 0..30 = start"),
        ('replace to use(p, nitro) "{p} burns nitro": p.fuel += 1', None),
        ('aim:\n    lasts "An hour."', 'lasts "An hour."'),
    ],
)
def test_what_a_change_leaves_as_it_was_is_said(operation: str, place: str | None) -> None:
    (fault,) = patched(f"{VARIANT}  {operation}\n", "other", base=RACE + AIM).diagnostics
    assert (fault.code, fault.span.text.strip()) == ("E0605", place or operation)


def test_what_is_not_there_to_replace_is_named_where_the_variant_names_it() -> None:
    (fault,) = patched(f"{VARIANT}  replace to burn(p): p.fuel += 1\n", "other").diagnostics
    assert (fault.code, fault.span.text) == ("E0604", "burn")


def test_data_about_a_kind_stays_when_the_kind_is_removed() -> None:
    data = "data worth(card: Card):\n  gold: 0..9\n  | card | gold |\n"
    result = patched(f"{VARIANT}  remove Card\n", "other", base=RACE + data)
    assert "data worth(card: Card):" in lines_of(result.module)


# ------------------------------------------------------------------ printed values


def test_only_the_rows_that_fit_are_changed_and_a_set_is_spread_for_it() -> None:
    gone, new = changes("in Card if power == shield: copies = 4")
    assert "| 7      | {tank, shield} |" in gone
    assert new[-2:] == ["| 7      | tank   |", "| 4      | shield |"]


def test_a_set_stays_together_when_all_of_it_is_meant() -> None:
    assert "| 4      | {tank, shield} |" in changes("in Card if power != nitro: copies = 4")[1]


def test_a_field_without_a_column_gets_one() -> None:
    assert "| 2      | nitro          | 6    |" in changes("in Card if power == nitro: cost = 6")[1]


def test_in_the_new_value_a_column_is_what_the_row_prints() -> None:
    assert "| 2      | nitro          | 2 + 1 |" in changes("in Card if power == nitro: cost = copies + 1")[1]


def test_without_a_condition_every_row_is_meant() -> None:
    assert len([line for line in changes("in Card: copies = 5")[1] if line.startswith("| 5")]) == 2


def test_ranges_and_blank_keys_of_data_are_spread() -> None:
    new = changes("in price if n == 2 and power == shield: gold = 7")[1]
    assert [line for line in new if line.startswith("| 2")] == [
        "| 2 | nitro  |      |",
        "| 2 | tank   |      |",
        "| 2 | shield | 7    |",
        "| 2 | siphon |      |",
    ]


def test_a_blank_cell_is_its_default() -> None:
    assert len([line for line in changes("in price if gold == 1: gold = 2")[1] if "| 2    |" in line]) == 1


def test_conditions_may_use_constants_sets_and_sums() -> None:
    assert changes("in Card if copies + 1 == start and power in {nitro, tank}: copies = 3")[1] == [
        "| 3      | nitro          |"
    ]
    assert changes("in Card if copies == 2 or copies == 9: copies = 3")[1] == ["| 3      | nitro          |"]


def test_conditions_may_name_spaces_of_a_map_that_stands_outside_its_board() -> None:
    board = (
        'board City: graph\n  old: flag\nmap bay of City """\n  harbour: market\n  market\n"""\n'
        "kind Shop:\n  at: City\n  | at      |\n  | harbour |\n  | market  |\n"
    )
    result = patched(f"{VARIANT}  in Shop if at == harbour: at = market\n", "other", base=RACE + board)
    assert not result.diagnostics
    (shop,) = (d for d in result.module.declarations if isinstance(d, nodes.KindDeclaration) and d.name.text == "Shop")
    assert [cell.text for row in shop.rows[1:] for cell in row.cells if isinstance(cell, nodes.NameExpression)] == [
        "market",
        "market",
    ]


def test_a_circle_of_constants_is_no_hang() -> None:
    text = RACE + "constant a = b + b\nconstant b = a + a\n"
    assert [
        d.code for d in patched(VARIANT + "  in Card if copies == a: copies = 3\n", "other", base=text).diagnostics
    ] == ["E0609"]


# ------------------------------------------------------------------ stacks and combinations


SHORT = "variant short of race:\n  constant start = 2\n"
SHORTER = "variant shorter of short:\n  constant start = 1\n"
CALM = "variant calm of race:\n  remove echo\n"


def test_a_variant_of_a_variant_stands_on_it() -> None:
    result = patched(SHORTER + SHORT + CALM, "shorter")
    assert not result.diagnostics
    assert "constant start = 1" in lines_of(result.module)


def test_variants_that_change_different_things_combine_in_any_order() -> None:
    one, other = patched(SHORT + CALM, "short", "calm"), patched(SHORT + CALM, "calm", "short")
    assert one.module == other.module
    assert not one.diagnostics


def test_variants_in_an_order_may_change_the_same() -> None:
    assert codes(SHORT + SHORTER, "short", "shorter") == []
    assert codes(SHORT + SHORTER, "shorter", "short") == []


def test_two_variants_in_no_order_may_not_change_the_same() -> None:
    result = patched(SHORT + "variant long_one of race:\n  constant start = 9\n", "short", "long_one")
    assert [d.code for d in result.diagnostics] == ["E0607"]
    assert [label.span.text for label in result.diagnostics[0].labels] == ["constant start = 2"]


def test_what_one_variant_removes_the_other_cannot_change() -> None:
    assert codes(
        CALM + "variant wild of race:\n  replace after use(p, nitro) as echo: p.fuel += 4\n", "calm", "wild"
    ) == ["E0607"]


def test_cells_collide_and_other_cells_do_not() -> None:
    one, other = (
        "variant a of race:\n  in Card if power == {}: copies = 4\n",
        "variant b of race:\n  in Card: copies = 9\n",
    )
    assert codes(one.format("tank") + other, "a", "b") == ["E0607"]
    assert codes(other + one.format("tank"), "b", "a") == ["E0607"]
    apart = other.replace("Card:", "Card if power == nitro:")
    assert codes(one.format("tank") + apart, "a", "b") == []


def test_a_variant_named_twice_is_applied_once() -> None:
    assert patched(SHORT, "short", "short").module == patched(SHORT, "short").module


def test_without_a_wish_the_game_is_the_same_object() -> None:
    module, variants, _ = read(RACE + SHORT)
    assert patch(module, variants, ()).module is module


def test_faulty_heads_are_told_even_without_a_wish() -> None:
    assert codes("variant a of rase:\n  remove echo\nvariant b of b:\n  remove echo\n") == ["E0602", "E0603"]


def test_a_name_from_the_command_line_is_shown_plain() -> None:
    (fault,) = patched(SHORT, "sho\x1b[31mrt" + "x" * 100).diagnostics
    assert "\x1b" not in fault.message
    assert len(fault.message) < 100


def test_patched_nodes_keep_their_places() -> None:
    result = patched(SHORT, "short")
    (start,) = [d for d in result.module.declarations if isinstance(d, nodes.ConstantDeclaration)]
    assert start.span.text == "constant start = 2"


# ------------------------------------------------------------------ scenarios


def test_a_variant_inherits_scenarios_voids_some_and_has_its_own() -> None:
    text = """\
scenario "a":
  players player1, player2
scenario "b":
  players player1, player2
variant other of race:
  constant start = 4
  void "a" because "it starts elsewhere"
  scenario "c":
    players player1, player2
"""
    result = patch(*read(RACE + text)[:2], ("other",), read(RACE + text)[2])
    assert [s.title.raw for s in result.scenarios] == ["b", "c"]
    assert [v.because.raw for v in result.voids] == ["it starts elsewhere"]


def test_a_scenario_is_replaced_by_its_title() -> None:
    text = (
        'scenario "a":\n  players player1, player2\n'
        'variant other of race:\n  replace scenario "a":\n    players player2, player1\n'
    )
    module, variants, scenarios = read(RACE + text)
    result = patch(module, variants, ("other",), scenarios)
    assert (result.diagnostics, len(result.scenarios)) == ((), 1)
    assert result.scenarios != scenarios
    (fault,) = patch(module, variants, ("other",), ()).diagnostics
    assert (fault.code, fault.span.text) == ("E0604", "a")


def test_a_scenario_that_is_not_there_cannot_be_void() -> None:
    text = 'scenario "alpha":\n  players player1, player2\nvariant other of race:\n  remove echo\n  void "alhpa" because "x"\n'
    module, variants, scenarios = read(RACE + text)
    (fault,) = patch(module, variants, ("other",), scenarios).diagnostics
    assert (fault.code, fault.help) == ("E0604", 'did you mean "alpha"?')


CITING = """\
scenario "a":                                                        [R-1]
  players player1, player2
scenario "b":
  players player1, player2
  expect player1.fuel == 12                                          [R-2]
scenario "c":                                                        [R-3]
  players player1, player2
"""


def test_scenarios_are_void_by_the_clauses_that_they_cite() -> None:
    text = f'{CITING}variant other of race:\n  constant start = 4\n  void all citing [R-1, R-2] because "less fuel"\n'
    module, variants, scenarios = read(RACE + text)
    result = patch(module, variants, ("other",), scenarios)
    assert result.diagnostics == ()
    assert [s.title.raw for s in result.scenarios] == ["c"]
    assert [(v.scenario.raw, v.because.raw) for v in result.voids] == [("a", "less fuel"), ("b", "less fuel")]


def test_a_clause_that_no_scenario_cites_makes_none_void() -> None:
    text = f'{CITING}variant other of race:\n  constant start = 4\n  void all citing [R-9] because "x"\n'
    module, variants, scenarios = read(RACE + text)
    (fault,) = patch(module, variants, ("other",), scenarios).diagnostics
    assert (fault.code, fault.message) == ("E0604", "no scenario cites R-9")


def test_two_variants_may_void_the_same_scenario() -> None:
    text = (
        f'{CITING}variant one of race:\n  constant start = 4\n  void "a" because "one"\n'
        'variant two of race:\n  remove echo\n  void "a" because "two"\n  void all citing [R-1] because "clause"\n'
    )
    module, variants, scenarios = read(RACE + text)
    result = patch(module, variants, ("one", "two"), scenarios)
    assert result.diagnostics == ()
    assert [s.title.raw for s in result.scenarios] == ["b", "c"]


# ------------------------------------------------------------------ everything else


def test_what_a_variant_changes_is_said_in_words() -> None:
    text = """\
variant other of race:
  constant start = 9
  in Card if power == nitro: copies = 4
  replace to use(p, nitro): p.fuel += 2
  remove rich
  players 2..3
  after use(p, tank): p.fuel += 1
  option laps: 1..9 = 3 "How many laps?"
  replace scenario "a":
    players player1, player2
  void "a" because "b"
"""
    module, variants, _ = read(RACE + text)
    assert in_words(variants[0], module) == (
        "`start` is 9",
        "`copies` of Card is 4 if power == nitro",
        "another `use(…, nitro)`",
        "without `rich`",
        "players 2..3",
        "also `after use`",
        "`laps` can be chosen, 3 unless said",
        'another scenario "a"',
        '"a" no longer holds, because b',
    )


def test_every_variant_that_ships_fits_its_game() -> None:
    """That it is a whole game, too, is seen where each is checked (`shipped/test_shipped_games.py`)."""
    for folder in game_folders():
        loaded = load(Disk(), folder / f"{folder.name}.rules")
        assert loaded.variants
        for variant in loaded.variants:
            assert not patch(loaded.module, loaded.variants, (variant.name.text,), loaded.scenarios).diagnostics


def codes_of(folder: Path, example: str) -> set[str]:
    entry = folder / "sketch.rules"
    entry.write_text(whole(example))
    loaded = load(Disk(), entry)
    asked = re.findall(r"^# rulelang \w+ \w+\+(\S+)", example, re.M)
    wanted = tuple(asked[0].split("+")) if asked else tuple(v.name.text for v in loaded.variants)
    result = patch(loaded.module, loaded.variants, wanted, loaded.scenarios)
    check = partial(api.check_loaded, loaded)
    found = each_once(loaded, [wanted], check, lower_all) if not result.diagnostics else ()
    return {d.code for d in (*loaded.diagnostics, *result.diagnostics, *found)}


@pytest.mark.parametrize("code", VARIANTS, ids=lambda c: c.id)
def test_the_bad_example_of_a_code_is_refused_with_that_code_alone(code: Code, tmp_path: Path) -> None:
    assert codes_of(tmp_path, code.bad) == {code.id}


@pytest.mark.parametrize("code", VARIANTS, ids=lambda c: c.id)
def test_the_good_example_of_a_code_has_no_fault(code: Code, tmp_path: Path) -> None:
    assert codes_of(tmp_path, code.good) == set()


# ------------------------------------------------------------------ options, and the scenarios of the game


AGREED = """\
game walk "Walk":
  players 2

names p: Player
option stride: 1..3 = 1 "How far is a step?"

each Player has:
  at: 0..9 = 0

play:
  turns p from first_player:
    p chooses one of:
      step "Step": p.at += stride
      rest "Rest": settle
    if p.at > 5: finish with winner p

scenario "a step is one wide":
  player1: step
  expect player1.at == 1

scenario "or three" with stride = 3:
  player1: step
  expect player1.at == 3

variant giants of walk "Giants":
  option stride: 1..3 = 2 "How far is a step?"

  scenario "two wide":
    player1: step
    expect player1.at == 2
"""


def test_what_a_variant_agrees_on_leaves_the_scenarios_of_the_game_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "walk.rules").write_text(AGREED)
    game = api.load(f"{tmp_path / 'walk.rules'}+giants")
    assert [(r.name, r.passed) for r in run_scenarios(game)] == [
        ("a step is one wide", True),
        ("or three", True),
        ("two wide", True),
    ]


def test_a_variants_scenarios_are_left_out_beside_another_that_lets_fewer_play(tmp_path: Path) -> None:
    folder = tmp_path / "walk"
    (folder / "variants").mkdir(parents=True)
    (folder / "walk.rules").write_text(AGREED.partition("variant")[0])
    alone = 'variant alone of walk "Alone":\n  players 1\n'
    (folder / "variants" / "alone.rules").write_text(alone)
    wide = 'variant wide of walk "Wide":\n  option stride: 1..3 = 3 "How far is a step?"\n'
    both = 'scenario "both step":\n  players player1, player2\n  player1: step\n  expect player1.at == 3\n'
    (folder / "variants" / "wide.rules").write_text(f"{wide}\n{both}")
    names = [[r.name for r in run_scenarios(api.load(f"{folder}+{v}"))] for v in ("wide", "wide+alone")]
    assert names == [["a step is one wide", "or three", "both step"], ["a step is one wide", "or three"]]


def test_of_variants_in_a_file_of_their_own_only_they_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "dash.rules"
    path.write_text('variant dash of outspeed "Dash":\n  constant starting_fuel = 9\n')
    loaded, _ = api.read(str(path))
    assert loaded.combinations == (("dash",),)
    assert api.read("outspeed")[0].combinations == ((), ("hungry",), ("sprint",), ("tailwind",))
