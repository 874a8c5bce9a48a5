"""The command line, in process: what people type, what they read, and the exit codes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.text import Text
from syrupy.assertion import SnapshotAssertion

from cli import main
from cli.commands.games import said_by_its_rules
from cli.main import COMMANDS
from cli.screen import outdented
from rulelang import api
from rulelang.lab import arena
from rulelang.texts.shipped import CATALOGUE, game_folders
from tests.conftest import Run
from tests.files import CLASSICS, GALLERY

NIM = str(CLASSICS / "nim.rules")
CONNECT_FOUR = str(CLASSICS / "connect_four.rules")
ODD = """\
game odd "Odd":
  players 2
names p: Player
the game has:
  heap: 0..9 = 9
action take(p) "Take":
  needs heap > 0
  heap -= 1
play:
  turns p from first_player:
    if heap == 0: stop
    p chooses one of take
"""
"""A game that is warned of once."""


@pytest.fixture
def new_game(run: Run) -> str:
    """A game as `new` writes it."""
    assert run("new", "space_race").exit_code == 0
    return "space_race/space_race.rules"


# ------------------------------------------------------------------ the group


def test_help_lists_every_command_and_the_exit_codes(run: Run) -> None:
    text = run("--help").output
    assert all(f"  {command.name} " in text for command in COMMANDS)
    assert "Exit codes" in text


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_every_command_has_help_with_examples(run: Run, name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert "Examples:" in result.output
    assert f"rulelang {name}" in result.output


def test_a_mistyped_command_is_wrong_use_and_gets_a_hint(run: Run) -> None:
    result = run("chek", "outspeed")
    assert result.exit_code == 2
    assert "did you mean `check`?" in result.output


@pytest.mark.parametrize(
    ("found", "said"), [(None, "generated Python; machine code needs"), (True, "native, by llvmlite")]
)
def test_the_version_says_which_executor_is_the_fastest(
    run: Run, monkeypatch: pytest.MonkeyPatch, found: object, said: str
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: found)
    monkeypatch.setattr("importlib.metadata.version", lambda name: "0.1.0")
    result = run("--version")
    assert result.exit_code == 0
    assert result.output.startswith(f"rulelang 0.1.0\nfastest executor: {said}")


def test_a_game_that_is_not_there_cannot_be_read(run: Run) -> None:
    for words in (("check", "nosuch.rules"), ("play", "nosuch"), ("test", "nosuch"), ("cover", "nosuch")):
        result = run(*words)
        assert result.exit_code == 3
        assert "nosuch" in result.output


def test_the_shell_completes_games_and_variants(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def completed(words: str) -> str:
        env = {"_RULELANG_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
        return CliRunner(env=env).invoke(main, prog_name="rulelang").output

    assert "plain,play" in completed("rulelang pl")
    assert "plain,outspeed" in completed("rulelang play out")
    assert "plain,outspeed+sprint" in completed("rulelang play outspeed+s")


# ------------------------------------------------------------------ games, new, check, fmt, explain


def test_the_games_that_ship_are_listed_with_their_variants(run: Run) -> None:
    text = run("games").output
    assert "Outspeed" in text
    assert "sprint" in text
    listed = json.loads(run("games", "--json").output)["games"]
    assert {"game": "outspeed", "players": [3, 6]}.items() <= listed[
        [g["game"] for g in listed].index("outspeed")
    ].items()


def test_the_list_of_games_says_what_their_rules_say(run: Run) -> None:
    """Made anew by `rulelang games --json` after `games/catalogue.json` was removed."""
    listed = json.loads(run("games", "--json").output)["games"]
    assert listed == [said_by_its_rules(name) for name in api.games()]
    assert json.loads((game_folders()[0].parent / CATALOGUE).read_text("utf-8"))["games"] == listed


def test_listing_games_reads_no_rules(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulelang.api.load", lambda name: pytest.fail("a game was loaded"))
    monkeypatch.setattr("rulelang.texts.reader.Disk.read", lambda self, path: pytest.fail("rules were read"))
    assert "outspeed" in run("games").output


def test_a_new_game_passes_its_own_checks_scenarios_and_coverage(run: Run, new_game: str) -> None:
    assert run("check", new_game).output == "space_race: no faults\n"
    assert run("fmt", "--check", "space_race").exit_code == 0
    assert "4 scenarios, all pass" in run("test", new_game).output
    assert run("cover", new_game, "--games", "2").exit_code == 0


def test_new_overwrites_nothing_and_refuses_names_that_lead_elsewhere(run: Run, new_game: str) -> None:
    before = Path(new_game).read_text()
    assert run("new", "space_race").exit_code == 1
    assert run("new", "../elsewhere").exit_code == 2
    assert run("new", "game", "--title", 'a "title" {x}').exit_code == 2
    assert Path(new_game).read_text() == before


def test_check_shows_faults_and_counts_them(run: Run) -> None:
    Path("bad.rules").write_text(Path(NIM).read_text().replace("heap -= n", "haep -= n"))
    result = run("check", "bad.rules")
    assert result.exit_code == 1
    assert "haep" in result.output
    assert result.output.endswith("bad: 1 error\n")
    concise = run("check", "bad.rules", "--concise").output.splitlines()
    assert concise[0].startswith("bad.rules:")
    data = json.loads(run("check", "bad.rules", "--json").output)
    assert data["errors"] == 1
    assert data["games"][0]["diagnostics"][0]["line"] == 12


def test_check_looks_at_scenarios_too(run: Run, new_game: str) -> None:
    path = Path("space_race/scenarios/first.rules")
    path.write_text(path.read_text().replace("expect heap == 12", "expect hepa == 12"))
    result = run("check", new_game)
    assert result.exit_code == 1
    assert "hepa" in result.output


def test_check_looks_again_only_at_what_changed_and_finds_each_fault_anew(
    run: Run, new_game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))
    assert run("check", new_game).output == "space_race: no faults\n"
    with monkeypatch.context() as patched:
        patched.setattr("rulelang.api.check_loaded", lambda *_: pytest.fail("unchanged texts were checked again"))
        assert run("check", new_game).output == "space_race: no faults\n"
    part = Path("space_race/scenarios/first.rules")
    before = part.read_text()
    part.write_text(before.replace("expect heap == 12", "expect hepa == 12"))
    for _ in range(2):
        assert "hepa" in run("check", new_game).output
    part.write_text(before)
    Path("space_race/scenarios/second.rules").write_text('scenario "another":\n  expect hepa == 12\n')
    assert "hepa" in run("check", new_game).output


def test_check_takes_several_games_and_variants(run: Run) -> None:
    result = run("check", "outspeed+sprint", NIM)
    assert result.exit_code == 0
    assert result.output == "outspeed+sprint: no faults\nnim: no faults\n"


def test_escape_codes_in_rules_do_not_reach_the_terminal(run: Run) -> None:
    Path("evil.rules").write_text(Path(NIM).read_text().replace("Only {heap} left", "\x1b[2J\x1b]0;owned\x07"))
    assert "\x1b" not in run("check", "evil.rules").output
    assert "\x1b" not in run("play", "evil.rules", typed="?\nlog\nquit\n").output


def test_fmt_changes_files_only_when_asked(run: Run) -> None:
    path = Path("nim.rules")
    path.write_text(Path(NIM).read_text().replace("heap -= n", "heap  -=   n"))
    loose = path.read_text()
    assert run("fmt", "--check", "nim.rules").exit_code == 1
    shown = run("fmt", "--diff", "nim.rules").output
    assert "+  heap -= n" in shown
    assert path.read_text() == loose
    assert run("fmt", ".").exit_code == 0
    assert path.read_text() == Path(NIM).read_text()
    assert run("fmt", ".").output == "nothing to change\n"
    assert run("fmt", "-", typed=loose).output == path.read_text()


def test_fmt_says_so_where_there_is_nothing_to_format(run: Run) -> None:
    Path("empty").mkdir()
    result = run("fmt", "--check", "empty")
    assert result.exit_code == 3
    assert "there is no .rules file in empty" in result.output


def test_fmt_leaves_alone_what_is_no_rules_file(run: Run) -> None:
    Path("bad.rules").write_text("game nim\n")
    assert run("fmt", "bad.rules").exit_code == 1
    assert Path("bad.rules").read_text() == "game nim\n"
    Path("noise.rules").write_bytes(b"\xff\xfe\x00")
    assert run("fmt", "noise.rules").exit_code == 3


def test_explain_tells_about_one_code_or_lists_all(run: Run) -> None:
    assert "Put right" in run("explain", "e0118").output
    assert "E0118" in run("explain").output
    assert json.loads(run("explain", "E0118", "--json").output)["id"] == "E0118"
    unknown = run("explain", "E0119x")
    assert unknown.exit_code == 2
    assert "did you mean" in unknown.output


# ------------------------------------------------------------------ play


def test_a_person_sees_the_board_and_their_options(run: Run, screen: SnapshotAssertion) -> None:
    words = ("play", str(GALLERY), "--seed", "3", "--players", "3", "--seat", "all=first", "--seat", "ann=me")
    result = run(*words, "--option", "long=yes", typed="give\nback\n1\n1 3\n?\nwalk b\nhelp\nquit\n")
    assert result.exit_code == 0
    assert result.output.partition("The game so far")[0] == screen


def test_a_log_says_what_was_agreed_as_the_option_writes_it(run: Run) -> None:
    words = ("play", "empty_space", "--seat", "all=random", "--fast", "--log", "a.jsonl")
    agreed = ("most_rounds=01", "fast=true", "starts=none")
    run(*words, *(word for some in agreed for word in ("--option", some)))
    header = json.loads(Path("a.jsonl").read_text().splitlines()[0])
    assert header["options"] == {"starts": "none", "fast": "yes", "most_rounds": "1"}
    assert run("replay", "a.jsonl", "--json").exit_code == 0


def test_a_game_without_a_screen_is_drawn_from_its_declarations(run: Run, screen: SnapshotAssertion) -> None:
    words = ("play", CONNECT_FOUR, "--seed", "7", "--seat", "all=first", "--seat", "red=me")
    result = run(*words, typed="4\n4\n?\nlog\nback\nquit\n")
    assert result.exit_code == 0
    assert result.output.partition("The game so far")[0] == screen


def test_the_board_of_the_game_that_ships_is_drawn(run: Run) -> None:
    text = run("play", "outspeed", "--seed", "7", typed="2\nquit\n").output
    assert all(
        words in text for words in ("Outspeed", "│ Purple │", "route    places", "Your tokens  none", "Resolution")
    )


def test_hidden_cards_are_backs_for_others(run: Run) -> None:
    text = run("play", str(CLASSICS / "kuhn.rules"), "--seed", "3", typed="quit\n").output
    assert "a card" in text


def test_what_is_not_allowed_is_told_with_its_reason(run: Run, new_game: str) -> None:
    words = ("play", new_game, "--seat", "all=me", "--allow-undo")
    text = run(*words, typed="3\n3\n3\n1\n?\ntake(3)\n9\nfoo\n\nundo\n?\nquit\n").output
    assert "–  Take 3: Only 2 left [SR-3]" in text
    assert "Not now: Only 2 left [SR-3]" in text
    assert "there is no 9 here" in text
    assert "nothing here is called `foo`" in text
    assert "Taken back." in text


def test_answers_may_be_numbers_words_or_the_whole_option(run: Run, new_game: str) -> None:
    result = run("play", new_game, "--seat", "all=me", typed="1\ntake(2)\nta 3\nTAKE 3\n3\n")
    assert "blue: Take 3" in result.output
    assert "red wins" in result.output
    assert result.exit_code == 0


def test_the_end_of_the_input_stops_the_game_and_keeps_it(run: Run, new_game: str) -> None:
    result = run("play", new_game, "--seed", "5", typed="1\n")
    assert result.exit_code == 0
    assert "The input has ended: the game stops here." in result.output
    assert "Standard input is not a terminal" in result.output
    kept = list(Path("state").rglob("*.jsonl"))
    assert [path.name for path in kept] == ["space_race-5.jsonl"]
    again = run("play", new_game, "--resume", str(kept[0]), typed="log\nquit\n")
    assert "red: Take 1" in again.output


def test_quitting_before_anything_was_chosen_keeps_nothing(run: Run, new_game: str) -> None:
    assert run("play", new_game, typed="log\nquit\n").exit_code == 0
    assert not Path("state").exists()


def test_a_game_is_saved_at_any_prompt_and_nothing_is_overwritten(run: Run, new_game: str) -> None:
    result = run("play", new_game, "--seed", "5", typed="save\nsave here.jsonl\n2\nsave\nsave no/where\nquit\n")
    assert {"space_race-5.jsonl", "space_race-5-2.jsonl", "here.jsonl"} <= {path.name for path in Path().iterdir()}
    assert "It cannot be saved there" in result.output


def test_taking_back_wants_leave_once_hidden_things_were_seen(run: Run) -> None:
    assert "needs --allow-undo" in run("play", "outspeed", "--seed", "7", typed="1\nundo\nquit\n").output
    opened = run("play", "empty_space", "--seed", "546557", typed="13\n14\n1\n1\n3\n3\nundo\nback\nquit\n").output
    assert "back leaves this question" in " ".join(opened.split())
    allowed = run("play", "outspeed", "--seed", "7", "--allow-undo", typed="1\nundo\nquit\n").output
    assert "Taken back." in allowed


def test_taking_back_alone_against_bots_needs_no_leave(run: Run, new_game: str) -> None:
    assert "Taken back." in run("play", new_game, typed="1\nundo\nquit\n").output


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("--players", "9"), "3 to 6 players"),
        (("--seat", "rad=me"), "did you mean red?"),
        (("--seat", "red=greedi"), "did you mean greedy?"),
        (("--seat", "red"), "SEAT=WHO"),
        (("--option", "x=1"), "no option"),
        (("--option", "x"), "NAME=VALUE"),
    ],
)
def test_a_table_that_cannot_be_set_is_wrong_use(run: Run, words: tuple[str, ...], hint: str) -> None:
    result = run("play", "outspeed", *words)
    assert result.exit_code == 2
    assert hint in result.output


@pytest.mark.long
def test_noise_typed_at_a_prompt_is_never_fatal(run: Run) -> None:
    result = run("play", "outspeed", typed=b"\xff\xfe\n\x1b[A\n" + b"x" * 30_000 + b"\n-1\n()\n{\n1\n")
    assert result.exit_code == 0
    assert "\x1b" not in result.output


def test_a_faulty_game_is_not_played_but_explained(run: Run) -> None:
    Path("bad.rules").write_text(Path(NIM).read_text().replace("heap -= n", "haep -= n"))
    result = run("play", "bad.rules")
    assert result.exit_code == 1
    assert "bad.rules cannot be run: 1 error" in result.output


# ------------------------------------------------------------------ logs


def test_the_same_seed_writes_the_same_log_and_it_replays(run: Run) -> None:
    words = ("play", "outspeed", "--players", "3", "--seat", "all=random", "--fast", "--log")
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        assert run(*words, f"{name}.jsonl", "--seed", seed).exit_code == 0
    first, again, other = (Path(f"{name}.jsonl").read_bytes() for name in "abc")
    assert first == again
    assert first != other
    assert run(*words, "a.jsonl").exit_code == 1
    replayed = run("replay", "a.jsonl")
    assert replayed.exit_code == 0
    assert "the log and the rules agree" in replayed.output
    assert "wins" not in run("replay", "a.jsonl", "--to", "3", "--as", "red").output


def test_bots_alone_stop_after_as_many_choices_as_are_asked_for_and_go_on_from_there(run: Run) -> None:
    words = ("play", "outspeed", "--seat", "all=random", "--fast", "--seed", "1", "--log")
    cut = run(*words, "a.jsonl", "--at-most", "20")
    assert cut.exit_code == 0
    assert "20 choices made (--at-most sets how many): the game stops here." in cut.output
    assert "go on with: rulelang play outspeed --resume a.jsonl" in cut.output
    assert run("replay", "a.jsonl").exit_code == 0
    assert "wins" in run("play", "--resume", "a.jsonl", "--fast").output
    run(*words, "b.jsonl")
    assert Path("a.jsonl").read_bytes() == Path("b.jsonl").read_bytes()


ENDLESS = """game endless "Endless":
  players 2
  seats first, second

names p: Player; n: 1..2

the game has:
  side: 1..2 = 1

action put(p, n) "Put {n}":
  side = n

play:
  turns p from first_player:
    p chooses one of put
"""


def test_bots_alone_give_up_a_game_that_never_ends(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("endless.rules").write_text(ENDLESS)
    monkeypatch.setattr("cli.play.terminal.MOST_CHOICES", 50)
    assert "50 choices made" in run("play", "endless.rules", "--seat", "all=random", "--fast").output


@pytest.mark.long
def test_an_edited_log_is_refused_and_another_game_differs(run: Run) -> None:
    run("play", "outspeed", "--seat", "all=random", "--fast", "--seed", "1", "--log", "a.jsonl")
    lines = Path("a.jsonl").read_bytes().splitlines(keepends=True)
    Path("edited.jsonl").write_bytes(b"".join(lines[:20] + lines[21:]))
    assert run("replay", "edited.jsonl").exit_code == 3
    assert run("replay", "nowhere.jsonl").exit_code == 3
    differs = run("replay", "a.jsonl", "--game", "outspeed+sprint")
    assert differs.exit_code == 1
    data = json.loads(run("replay", "a.jsonl", "--game", "outspeed+sprint", "--json").output)
    assert data["agrees"] is False
    assert "the rules give" in differs.output


def test_a_log_is_stepped_through_by_keys(run: Run, new_game: str) -> None:
    run("play", new_game, "--seat", "all=first", "--fast", "--seed", "1", "--log", "a.jsonl")
    result = run("replay", "a.jsonl", "--game", new_game, "--step", typed="n\np\nl\n2\nf\nv\nwhat\nq\n")
    assert "step 1 of 11" in result.output
    assert "step 11 of 11" in result.output
    assert result.exit_code == 0


def test_a_log_that_was_cut_off_goes_on(run: Run, new_game: str) -> None:
    run("play", new_game, "--seat", "all=first", "--fast", "--seed", "1", "--log", "a.jsonl")
    whole = Path("a.jsonl").read_bytes()
    lines = whole.splitlines(keepends=True)
    Path("a.jsonl").write_bytes(b"".join(lines[:9]) + lines[9][:10])
    result = run("play", new_game, "--resume", "a.jsonl", "--fast")
    assert "cut off" in result.output
    assert Path("a.jsonl").read_bytes() == whole


DIG = """
game mine "The mine":
  players 2
  seats red "Ada", blue "Bo"

names p: Player; n: 1..2

each Player has:
  coins: 0..300 = 240

play:
  turns p from first_player: p chooses one of dig

action dig(p, n: 20..240) "Dig for {n}", "{p} digs for {n}":
  needs n <= p.coins  "Too deep"
  p.coins -= n
  if p.coins < 20: finish with winner p
"""


def test_of_many_numbers_one_is_typed_and_the_prompt_says_what_for(run: Run) -> None:
    Path("mine.rules").write_text(DIG, encoding="utf-8")
    result = run("play", "mine.rules", "--seed", "1", typed="19\n107\n150\ndig\n999\nquit\n")
    said = " ".join(result.output.split())
    assert "Ada: Dig for how much? 20–240" in said
    assert "Dig for 21" not in said
    assert "there is no 19 here: 20–240" in said
    assert "Ada digs for 107" in said
    assert "Bo: Dig for how much?" in said or "Ada: Dig for how much? 20–133" in said
    assert "dig(20)" not in said
    assert re.search(r"> dig (Ada|Bo): Dig for how much\? 20–", said)
    assert re.search(r"there is no 999 here: 20–", said)


def test_a_number_that_a_rule_forbids_is_refused_by_its_words_and_the_numbers_that_go(run: Run) -> None:
    Path("mine.rules").write_text(DIG.replace("= 240", "= 60"), encoding="utf-8")
    said = " ".join(run("play", "mine.rules", "--seed", "1", typed="100\n-3\nquit\n").output.split())
    assert "Not now: Too deep: 20–60" in said
    assert "there is no -3 here: 20–60" in said


def test_who_is_asked_again_after_passing_reads_how_to_pass_for_longer(run: Run) -> None:
    rules = """\
game bids "Bids":
  players 2
names p: Player
the game has:
  pot: 0..9 = 0
action lift(p) "Lift": pot += 1, at most 9
phase talk "Talk": settle
phase bid "Bid":
  repeat 3 times:
    first_player chooses one of lift, or pass "Lift it?"
play:
  talk()
  bid()
  finish with winner {}
"""
    Path("bids.rules").write_text(rules, encoding="utf-8")
    first, second, third = run(
        "play", "bids.rules", "--seed", "1", "--seat", "all=me", typed="pass\nlift\nquit\n"
    ).output.split("Lift it?")[1:]
    assert "(pass until talk: not to be asked before that)" in second
    assert "pass until" not in first + third


def test_a_word_that_several_options_begin_with_is_asked_on(run: Run) -> None:
    several = '\nnoun step "step", "steps"\n\naction climb(p, n: 1..4) "Climb {n of step}", "{p} climbs {n of step}":\n  p.coins += 0\n'
    Path("mine.rules").write_text(DIG.replace("of dig", "of dig, climb") + several, encoding="utf-8")
    said = " ".join(run("play", "mine.rules", "--seed", "1", typed="dig\n30\nclimb\n2\nquit\n").output.split())
    assert "Ada: Dig for how much? 20–240" in said
    assert "Ada digs for 30" in said
    assert ": Climb how many steps? 1" in said
    assert "climbs 2 steps" in said


SQUARES = '''
game flags "Flags":
  players 1
  seats red "Ada"

names p: Player; s, f: Field

board Field: square
  map """
    . . . . . .
    . . . . . .
    . . . . . .
    . . . . . .
    . . . . . .
    . . . . . .
    . . . . . .
  """

each Field has:
  flagged: flag

play:
  turns p from first_player: p chooses one of plant

action plant(p, s in {f in Field if not f.flagged}) "Plant at {s}":
  s.flagged = yes
  if count(f in Field if f.flagged) > 3: finish with winner p
'''


def test_of_many_squares_the_column_is_asked_first_and_a_square_can_be_typed(run: Run) -> None:
    Path("flags.rules").write_text(SQUARES, encoding="utf-8")
    result = run("play", "flags.rules", "--seed", "1", typed="2\nb3\nd7\nc\n1\nquit\n")
    said = " ".join(result.output.split())
    assert "Ada: Plant at which" in said
    assert "1 a1 … a7 2 b1 … b7" in said
    assert "3 c1 … c7 4 d1 … d6" in said, "as letters go, whatever is left"
    assert "Plant at a1" not in said
    assert "Plant at b3" in said
    assert "Plant at d7" in said


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--players", "3"), "--players"),
        (("--seed", "2"), "--seed"),
        (("--option", "heap=3"), "--option"),
        (("--lone", "taken"), "--lone"),
        (("--log", "b.jsonl"), "--log"),
        (("--players", "3", "--seed", "2"), "--players, --seed"),
    ],
)
def test_a_log_that_is_gone_on_with_refuses_what_it_decides_itself(
    run: Run, new_game: str, words: tuple[str, ...], named: str
) -> None:
    run("play", new_game, "--seat", "all=first", "--fast", "--seed", "1", "--log", "a.jsonl")
    kept = Path("a.jsonl").read_bytes()
    result = run("play", new_game, "--resume", "a.jsonl", *words)
    assert result.exit_code == 2
    assert f"the log says how its game goes on: leave out {named}\n" in result.output
    assert Path("a.jsonl").read_bytes() == kept
    assert not Path("b.jsonl").exists()


# ------------------------------------------------------------------ test, cover, bench


def test_a_failing_scenario_says_what_differed_and_where(run: Run, new_game: str) -> None:
    path = Path("space_race/scenarios/first.rules")
    path.write_text(path.read_text().replace("expect heap == 12", "expect heap == 13"))
    result = run("test", new_game)
    assert result.exit_code == 1
    assert "1 of 4 scenarios fails" in result.output
    assert "scenarios/first.rules:5" in result.output
    assert "heap is 12" in result.output
    data = json.loads(run("test", new_game, "--json").output)["scenarios"]
    assert [scenario["passed"] for scenario in data] == [False, True, True, True]
    assert data[2]["clauses"] == ["SR-3"]


def test_scenarios_are_picked_by_their_words_and_run_on_either_executor(run: Run, new_game: str) -> None:
    assert "1 scenario, all pass" in run("test", new_game, "-k", "last match").output
    for words in ((), ("--executor", "generated"), ("--executor", "reference")):
        assert "4 scenarios, all pass" in run("test", new_game, *words).output


@pytest.mark.parametrize("more", [(), ("--json",), ("-q",), ("--all",)])
def test_words_that_no_scenario_has_in_its_name_are_no_success(run: Run, new_game: str, more: tuple[str, ...]) -> None:
    result = run("test", new_game, "-k", "last mach", *more)
    assert result.exit_code == 1
    assert f"none of the 4 scenarios of {new_game} has `last mach` in its name" in result.output
    near = run("test", new_game, "-k", "mach")
    assert "did you mean `match`?" in near.output


def test_a_game_without_scenarios_is_not_said_to_pass(run: Run) -> None:
    result = run("test", NIM)
    assert (result.exit_code, result.output) == (0, "there are no scenarios: nothing is tested\n")


WARNED = """\
game sketch "Sketch":
  players 2
  seats red, blue
the game has:
  heap: 0..9 = start
action grow(p: Player) "Grow": heap = heap + 1
play:
  for p in players: p chooses one of grow
constant start = 5
variant fast of sketch "Fast":
  constant start = 4
scenario "it grows":
  players red, blue
  expect heap > 5
"""


@pytest.mark.parametrize(
    "words", [("check", "--concise"), ("test",), ("test", "--all"), ("play", "--seat", "all=first"), ("replay",)]
)
def test_a_game_from_the_cache_warns_as_it_did_at_first(
    run: Run, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULELANG_CACHE", str(Path("cache").resolve()))
    Path("sketch.rules").write_text(WARNED)
    api.load("sketch.rules").start().log.save(Path("a.jsonl"))
    command, *more = words
    about = ("a.jsonl", "--game", "sketch.rules") if command == "replay" else ("sketch.rules",)
    shown = []
    for _ in range(2):
        result = run(command, *about, *more)
        assert result.exit_code == 0, result.output
        shown.append([line for line in result.output.splitlines() if "W0502" in line])
    assert shown[0] == shown[1]
    assert len(shown[0]) == 1
    assert shown[0][0].startswith("sketch.rules:6:39: warning[W0502]")


def test_cover_lists_what_lacks(run: Run, new_game: str) -> None:
    path = Path("space_race/rulebook.toml")
    path.write_text(path.read_text() + '\n[[clause]]\nid = "SR-5"\nkind = "rule"\ntext = "Nobody may pass."\n')
    result = run("cover", new_game, "--games", "2")
    assert result.exit_code == 1
    assert "no line cites it" in result.output
    data = json.loads(run("cover", new_game, "--games", "2", "--json").output)["clauses"]
    assert [clause["id"] for clause in data] == ["SR-1", "SR-2", "SR-3", "SR-4", "SR-5"]
    assert {"id", "kind", "cited", "shown", "exercised", "handled"} <= set(data[0])


def test_cover_finds_lines_that_no_scenario_would_miss(run: Run, new_game: str) -> None:
    assert "every line that cites a clause is noticed" in run("cover", new_game, "--games", "0", "--mutate").output


def test_bench_says_so_where_no_race_is_meant(run: Run) -> None:
    result = run("bench", "--only", "chees")
    assert result.exit_code == 1
    assert "no race has `chees` in its name" in result.output


def test_bench_prints_ratios(run: Run) -> None:
    result = run("bench", "--only", "nim", "--seconds", "0.01", "--rounds", "1")
    assert "reference" in result.output
    assert "1.00 ×" in result.output


@pytest.mark.long
def test_bench_fails_where_a_ratio_has_fallen_by_more_than_a_fifth(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "ratios.json"
    words = ("bench", CONNECT_FOUR, "--seconds", "0.01", "--rounds", "1")
    assert run(*words, "--keep", str(kept)).exit_code == 0
    ratios = json.loads(kept.read_text())
    assert ratios[CONNECT_FOUR]["generated"] == 1
    kept.write_text(json.dumps({CONNECT_FOUR: {"generated": 1.2, "gone": 9.0}, "another": {"generated": 9.0}}))
    assert run(*words, "--against", str(kept)).exit_code == 0
    kept.write_text(json.dumps({CONNECT_FOUR: {"generated": 1.3}}))
    result = run(*words, "--against", str(kept))
    assert result.exit_code == 1
    assert "generated: 1.00 × in place of 1.30 ×" in result.output


# ------------------------------------------------------------------ arena


def test_arena_counts_wins_lengths_and_ends(run: Run) -> None:
    result = run("arena", CONNECT_FOUR, "--bots", "random,first", "--games", "6")
    assert result.exit_code == 0
    assert "95 %" in result.output
    assert "choices: " in result.output
    assert "ended: " in result.output
    assert "round (of these won): " in result.output


def test_arena_says_how_often_each_action_was_taken(run: Run) -> None:
    words = ("arena", NIM, "--bots", "random,first", "--games", "4")
    told = json.loads(run(*words, "--json").output)["lineups"][0]
    assert sum(told["actions"].values()) == sum(length * games for length, games in told["choices"])
    lines = run(*words, "--actions").output.splitlines()
    table = lines[next(i for i, line in enumerate(lines) if line.split() == ["action", "times", "a", "game"]) + 1 :]
    assert {line.split()[0]: int(line.split()[1]) for line in table if line} == told["actions"]


def test_arena_that_is_stopped_gives_the_figures_so_far(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def play_two(*words: object, **named: object) -> arena.Played:
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(whole(*words, **named))  # type: ignore[arg-type]
        return played[-1]

    whole, played = arena.play, list[arena.Played]()
    monkeypatch.setattr(arena, "play", play_two)
    result = run("arena", NIM, "--bots", "random", "--games", "8")
    assert result.exit_code == 0
    assert "Stopped after 2 of 8 games." in result.output
    assert [line.split()[2] for line in result.output.splitlines() if line.startswith("random")] == ["4"]


FALL = """\
game fall "Fall":
  players 2
  seats red, blue
die d6: 1..6
names p: Player; n: 1..2
the game has:
  height: 0..9 = 9
action drop(p) "Drop": height -= roll(d6)
play:
  for p in players: p chooses one of drop, or pass
  finish lost
"""


def test_arena_goes_on_where_the_rules_go_wrong_and_says_in_which_game(run: Run) -> None:
    Path("fall.rules").write_text(FALL)
    result = run("arena", "fall.rules", "--bots", "first", "--games", "12")
    assert result.exit_code == 1
    faults = int(re.search(r"fault (\d+)", result.output)[1])  # type: ignore[index]
    assert 0 < faults < 12
    assert len(re.findall(r"seed \d+: `height` would become -", result.output)) == faults


def test_arena_gives_the_spread_of_many_values(run: Run) -> None:
    result = run("arena", CONNECT_FOUR, "--bots", "random", "--games", "40")
    assert re.search(r"turn: \d+ to \d+; 10 % up to \d+, 50 % up to \d+, 90 % up to \d+", result.output)


def test_arena_gives_the_same_figures_however_many_play_at_once(run: Run) -> None:
    words = ("arena", NIM, "--bots", "random,first", "--games", "8", "--json")
    alone = json.loads(run(*words).output)
    assert json.loads(run(*words, "--jobs", "2").output) == alone
    (lineup,) = alone["lineups"]
    assert [bot["bot"] for bot in lineup["bots"]] == ["random", "first"]
    assert sum(bot["won"] for bot in lineup["bots"]) == lineup["games"] == 8
    assert sum(count for _, count in lineup["choices"]) == 8


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--bots", "gredy"), "did you mean greedy?"),
        (("--players", "9"), "is for"),
        (("--option", "size=3"), "has no option"),
        (("--note", "heep"), "did you mean heap?"),
    ],
)
def test_arena_refuses_what_is_not_there(run: Run, words: tuple[str, ...], said: str) -> None:
    result = run("arena", NIM, *words)
    assert result.exit_code == 2
    assert said in result.output


def test_ctrl_c_ends_a_command_with_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(api, "load", interrupted)
    result = run("expand", NIM)
    assert result.exit_code == 130
    assert result.output.splitlines() == ["Interrupted."]


def test_ctrl_c_at_the_prompt_of_a_game_keeps_it_and_ends_with_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    result = run("play", NIM, "--seed", "3")
    assert result.exit_code == 130
    assert "Interrupted: the game stops here." in result.output


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_output_that_finds_no_room_is_told_as_such() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cli", "games"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 3
    assert "what this prints cannot be written: No space left on device" in done.stderr


def test_news_of_verbs_inside_verbs_is_not_indented_more_than_other_news() -> None:
    lines = outdented([Text("Turn"), Text("      red pays"), Text("        red moves")])
    assert [line.plain for line in lines] == ["Turn", "  red pays", "    red moves"]


def test_explain_names_the_codes_that_a_word_may_mean(run: Run) -> None:
    result = run("explain", "hiden")
    assert result.exit_code == 2
    assert "did you mean E0402 (a choice that would tell a secret)" in result.output
    assert "`rulelang explain` lists all" in run("explain", "xyzzyq").output


def test_a_reason_at_the_prompt_names_no_place_in_the_rules(run: Run) -> None:
    told = run("play", "outspeed", "--seed", "7", typed="why fuel\nquit\n").output
    assert "Green's fuel is 12" in told
    assert ".rules:" not in told


@pytest.mark.parametrize("charset", ["latin-1", "ascii", "cp437"])
def test_a_terminal_of_any_encoding_shows_what_it_can(charset: str) -> None:
    result = CliRunner(charset=charset).invoke(main, ["games"])
    assert result.exit_code == 0, result.exception
    assert b"outspeed" in result.stdout_bytes
    assert b"?" in result.stdout_bytes


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_warnings_are_told_once_however_often_a_game_is_loaded(run: Run, jobs: str) -> None:
    Path("odd.rules").write_text(ODD)
    result = run("arena", "odd.rules", "--bots", "random", "--games", "2", "--jobs", jobs)
    assert result.exit_code == 0, result.output
    assert result.stderr.count("W0517") == 1
    compared = run("diff", "odd.rules", "odd.rules", "--bots", "random", "--games", "2")
    assert compared.exit_code == 0, compared.output
    assert compared.stderr.count("W0517") == 1


ONE = 'variant quick of outspeed "Quick":\n  players 2\n'
"""A file that holds one variant."""


@pytest.mark.long
def test_a_file_that_holds_one_variant_means_that_variant_where_games_are_compared(run: Run) -> None:
    Path("my.rules").write_text(ONE)
    told = run("diff", "outspeed", "my.rules", "--json")
    assert json.loads(told.stdout) == {
        **json.loads(run("diff", "outspeed", "my.rules+quick", "--json").stdout),
        "after": "my.rules+quick",
    }
    assert "note:" not in told.stderr
    against_itself = json.loads(run("diff", "my.rules", "my.rules+quick", "--json").stdout)
    assert against_itself["differences"]


def test_a_file_of_variants_beside_a_game_of_ones_own_means_its_variant(run: Run) -> None:
    Path("odd.rules").write_text(ODD)
    Path("my.rules").write_text('variant few of odd "Few":\n  players 3\n')
    compared = run("diff", "odd.rules", "my.rules", "--json")
    assert json.loads(compared.stdout)["after"] == "odd.rules+my.rules+few"
    Path("my.rules").write_text('variant few of odd "Few":\n  players 3\nvariant more of odd "More":\n  players 4\n')
    assert "odd.rules+my.rules+few or odd.rules+my.rules+more" in run("diff", "odd.rules", "my.rules").output


def test_of_a_file_with_several_variants_one_is_asked_for_before_anything_is_compared(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("my.rules").write_text(ONE + ONE.replace("quick", "slow").replace("Quick", "Slow"))

    def loaded(*_: object, **__: object) -> None:
        raise AssertionError("it was loaded")

    monkeypatch.setattr("rulelang.api.load", loaded)
    for words in (["diff", "outspeed", "my.rules"], ["arena", "outspeed", "--against", "my.rules"]):
        result = run(*words)
        assert result.exit_code == 2
        assert "my.rules+quick or my.rules+slow" in result.output


@pytest.mark.parametrize(
    ("words", "by"),
    [
        (("replay", "LOG"), "`--game my/nim.rules`"),
        (("why", "LOG", "heap@1"), "`--game my/nim.rules`"),
        (("scenario", "LOG"), "`--game my/nim.rules`"),
        (("bisect", "LOG", "--to", NIM), "`--from my/nim.rules`"),
        (("log", "migrate", "LOG", "--out", "new.jsonl"), "`--to my/nim.rules`"),
        (("play", "--resume", "LOG"), "`rulelang play my/nim.rules --resume LOG`"),
    ],
    ids=lambda one: one[0] if isinstance(one, tuple) else "",
)
def test_a_log_of_a_game_of_ones_own_says_how_its_rules_are_named(run: Run, words: tuple[str, ...], by: str) -> None:
    assert run("play", NIM, "--seat", "all=random", "--fast", "--seed", "3", "--log", "nim.jsonl").exit_code == 0
    result = run(*("nim.jsonl" if word == "LOG" else word for word in words))
    assert result.exit_code == 3
    assert f"does not ship: say where its rules are, as in {by}" in result.output


def test_a_log_that_other_rules_do_not_go_on_with_says_so_and_what_to_do(run: Run) -> None:
    assert run("play", NIM, "--seat", "all=random", "--fast", "--seed", "3", "--log", "nim.jsonl").exit_code == 0
    Path("nim.rules").write_text(Path(NIM).read_text().replace("heap -= n", "heap -= 1"))
    result = run("play", "nim.rules", "--resume", "nim.jsonl")
    assert result.exit_code == 1
    assert "the log has" in result.output
    assert "other rules: they do something else" in result.output
    assert "`rulelang log migrate`" in result.output
