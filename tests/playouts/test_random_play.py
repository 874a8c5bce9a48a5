"""The code of playouts: it plays as the code of single steps does, draw for draw, and leaves to that what it cannot do."""

from __future__ import annotations

import re

import pytest

from rulelang import api
from rulelang.machines.chance import Dice, Seeded
from rulelang.machines.generated import GeneratedMachine
from rulelang.program.layout import lay_out
from rulelang.program.python import playing, support
from rulelang.program.python.compiled import Compiled, compile_game
from tests.files import CLASSICS, TESTS
from tests.generators.board_ir import board_game
from tests.machines.attempts import attempt
from tests.seeds import rest_long

BOARDS = ("breakthrough", "connect_four", "nim", "othello", "pig", "tic_tac_toe")
OTHERS = """
    def return if elif else for in while not and or is None True False raise try except break pass len range min max append
    enumerate bit_length bit_count Trap PlayoutOver NONE MOST RecursionError LEFT FOUND GIVEN DRAW BLOCKS OPTIONS ANSWERS ASKED
    LOOKED
"""
"""What the code says besides names with a number and the names of `play_on`."""
SECRETS = ("dice", "guessing", "liars_dice")


def compiled(rules: str) -> Compiled:
    game = api.load(TESTS / rules)
    return compile_game(game.ir, game.internals.layout)


def played_alike(code: Compiled, seed: int, most: int = 150, dice: type[Seeded] = Seeded) -> int:
    """Plays a random game in both ways, comparing all there is; returns the number of answers."""
    game, layout = code.game, code.layout
    one, other = (GeneratedMachine(code, dice(seed, game, layout)) for _ in range(2))
    players = game.players[0] + seed % (game.players[1] - game.players[0] + 1)
    begun = attempt(one.begin, players, {})
    assert begun == attempt(other.begin, players, {})
    found = attempt(one.play_on, seed, most)
    assert found == attempt(other._play_on, seed, most)
    assert (one.row, one.pending) == (other.row, other.pending)
    assert {type(value) for value in one.row} == {int}
    return found[0] if isinstance(found, tuple) and isinstance(found[0], int) else 0


@pytest.mark.parametrize(
    "rules", [*(f"classics/{name}.rules" for name in BOARDS), *(f"redeals/{n}.rules" for n in SECRETS)]
)
def test_a_game_of_small_words_is_played_in_one_function_as_step_by_step(rules: str) -> None:
    code = compiled(rules)
    assert code.plain.prepare() is not None
    assert sum(played_alike(code, seed) for seed in range(6)) > 6


@pytest.mark.long
def test_random_games_are_played_alike_faults_included() -> None:
    plies = 0
    for seed in range(14):
        game = board_game(seed)
        code = compile_game(game, lay_out(game))
        if code.plain.prepare() is not None:
            plies += sum(played_alike(code, again) for again in range(3))
    assert plies > 50


def test_the_dice_of_a_bots_thought_are_rolled_alike() -> None:
    code = compiled("classics/pig.rules")
    code.plain.prepare()
    assert sum(played_alike(code, seed, dice=Dice) for seed in range(4)) > 20


@pytest.mark.parametrize("most", rest_long([0, 1, 7], 1))
def test_a_playout_goes_on_where_another_stopped(most: int) -> None:
    code = compiled("classics/othello.rules")
    code.plain.prepare()
    whole, parts = (GeneratedMachine(code, Seeded(1, code.game, code.layout)) for _ in range(2))
    for machine in (whole, parts):
        machine.begin(2, {})
    first, rng = parts.play_on(9, most)
    rest = parts.play_on(rng, 10_000)
    assert (first + rest[0], rest[1]) == whole.play_on(9, 10_000)
    assert first == most
    assert parts.row == whole.row


def test_a_step_that_traps_is_taken_step_by_step_and_the_rest_in_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    code = compiled("classics/tic_tac_toe.rules")
    monkeypatch.setattr(support, "MOST_OPTIONS", 6)
    assert code.plain.prepare() is not None
    assert [played_alike(code, seed) for seed in range(8)].count(0) == 0


@pytest.mark.parametrize(
    "rules", ["classics/kuhn.rules", "redeals/whist.rules", "games/tavern.rules", "classics/ko.rules"]
)
def test_piles_picks_moves_at_once_and_histories_are_played_step_by_step(rules: str) -> None:
    code = compiled(rules)
    assert code.plain.prepare() is None
    assert code.plain.text() is None
    assert played_alike(code, 1) > 0


def test_the_code_is_printed_once_it_is_worth_it_and_kept() -> None:
    kept: dict[str, bytes] = {}

    class Shelf:
        def read(self, name: str) -> bytes | None:
            return kept.get(name)

        def write(self, name: str, code: bytes) -> None:
            kept[name] = code

    game = api.load(CLASSICS / "nim.rules")
    first = compile_game(game.ir, game.internals.layout, Shelf()).plain
    assert first.after(playing.WORTH_PRINTING - 1) is None
    assert kept == {}
    assert first.after(1) is not None
    assert list(kept) == [playing.KEPT]
    assert compile_game(game.ir, game.internals.layout, Shelf()).plain.after(0) is not None


def test_code_on_a_shelf_that_cannot_be_read_is_printed_anew() -> None:
    class Shelf:
        def read(self, name: str) -> bytes | None:
            return b"damaged"

        def write(self, name: str, code: bytes) -> None:
            pass

    game = api.load(CLASSICS / "nim.rules")
    assert compile_game(game.ir, game.internals.layout, Shelf()).plain.prepare() is not None


@pytest.mark.long
@pytest.mark.parametrize("name", BOARDS)
def test_the_code_is_ascii_and_has_no_long_line_and_no_word_of_the_rules(name: str) -> None:
    text = compiled(f"classics/{name}.rules").plain.text()
    assert text is not None
    assert text.isascii()
    assert max(map(len, text.splitlines())) < 300
    code = re.sub(r"#.*", "", text)
    known = (
        r"[SMATLr]\d*|[bohvpsmw]\d+|alike\d+|out|found|many|number|answers?|block|word|rng|next_rng|most|draw|play_on"
    )
    words = set(re.findall(r"[A-Za-z_]\w*", re.sub(r"0x[0-9a-f]+", "", code)))
    assert {w for w in words - set(OTHERS.split()) if not re.fullmatch(known, w)} == set()


def test_who_gives_no_seed_is_played_step_by_step() -> None:
    code = compiled("classics/pig.rules")
    code.plain.prepare()

    class Loaded:
        """Chance that always throws the same face."""

        def roll(self, row: list[int], stream: int, faces: tuple[int, ...]) -> int:
            return faces[-1]

        pick = shuffle = roll

    machine = GeneratedMachine(code, Loaded())  # type: ignore[arg-type]
    machine.begin(2, {})
    assert machine.play_on(3, 40)[0] > 0
