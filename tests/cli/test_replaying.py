"""A log as it is looked at: transcripts, lines of play, and the screen on which one steps through it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from syrupy.assertion import SnapshotAssertion

from cli.commands.replaying.application import show
from cli.commands.replaying.frame import frame
from cli.commands.replaying.questions import why
from cli.commands.replaying.viewer import PlayOn, Viewer
from rulelang import api
from rulelang.errors import InvalidInput
from rulelang.ir.numbers import Seat
from rulelang.knowledge.redaction import read
from rulelang.log.format import Chain, Log, entries_for, sealed_line
from rulelang.log.reading import parse_log
from rulelang.match.match import BareMatch
from rulelang.match.recording.events import Taken, Undone
from rulelang.workbench.playback import Looker, Playback
from tests.conftest import Run
from tests.files import CLASSICS, DOCS
from tests.views import variable, zone

NIM = str(CLASSICS / "nim.rules")
SECRETS = """
game secrets "Secrets":
  players 2
  seats red, blue

names p: Player
kind Card "card":
  rank: 1..6
  | rank |
  | 1..6 |

the game has:
  deck: pile of Card, face down
  box: face up
each Player has:
  hand: group of Card, seen by owner
  points: 0..90 = 0

setup:
  move Card to deck
  shuffle(deck)
  for p in players: move 2 of deck to p.hand

action keep(p, c in p.hand) "Keep {c}", "{p} keeps {c}":            [S-1]
  p.points += c.rank                                                 [S-2]
action lay(p, c in p.hand) "Lay {c}", "{p} lays {c}":               [S-3]
  needs c.rank > 1  "a 1 is never laid"
  move c to box

play:
  opening()
  endgame()
  finish with ranking p in players by highest p.points

phase opening "Opening":
  for p in players: p chooses one of keep, or pass

phase endgame "Endgame":
  for p in players: p chooses one of lay, or pass
"""


def secrets(folder: Path) -> tuple[str, Log]:
    path = folder / "secrets.rules"
    path.write_text(SECRETS)
    match = api.load(path).start(seed=3)
    for _ in range(2):
        match.play(next(option for option in match.options if option.text.startswith("keep")))
    match.undo()
    match.play("blue: pass")
    for _ in range(2):
        match.play(next(option for option in match.options if option.text.startswith("lay")))
    return str(path), match.log


def viewer_of(folder: Path, eyes: str | None = None) -> Viewer:
    rules, log = secrets(folder)
    again = api.replay(log, under=rules)
    header = log.header
    lookers = tuple(Looker.called(name, header) for name in (None, *header.players, "all"))
    return Viewer(Playback(again, Looker.called(eyes, header)), why, lookers)


def screen_of(viewer: Viewer, width: int = 80, height: int = 24) -> str:
    return "\n".join(line.plain.rstrip() for line in frame(viewer, width, height))


# ------------------------------------------------------------------ whose eyes


def test_eyes_are_a_seats_a_spectators_or_of_one_who_sees_all(tmp_path: Path) -> None:
    _, log = secrets(tmp_path)
    names = [Looker.called(name, log.header).name(log.header.players) for name in (None, "spectator", "red", "all")]
    assert names == ["spectator", "spectator", "red", "all"]
    with pytest.raises(InvalidInput, match="no seat is called 'green'"):
        Looker.called("green", log.header)


def test_who_sees_all_sees_hands_and_piles_and_the_others_do_not(tmp_path: Path) -> None:
    rules, log = secrets(tmp_path)
    match = api.replay(log, under=rules).at(1)

    def unknown(match: BareMatch, seat: int | None) -> int:
        return sum(thing is None for heap in match.view(seat).zones for thing in heap.things)

    def shown(name: str | None) -> str:
        return repr(Looker.called(name, log.header).picture(match))

    assert shown("all") != shown("red") != shown(None)
    assert unknown(match, 0) == 4
    assert unknown(match.opened(), None) == unknown(match.opened(), 1) == 0
    # The match itself tells nobody more than before.
    assert unknown(match, 0) == 4


# ------------------------------------------------------------------ getting about


def test_undone_steps_are_skipped_unless_they_are_asked_for(tmp_path: Path) -> None:
    viewer = viewer_of(tmp_path)
    assert list(viewer.playback.path) == [0, 1, 4, 5, 6]
    viewer.press("u")
    assert list(viewer.playback.path) == [0, 1, 2, 3, 4, 5, 6]
    viewer.type("u")
    viewer.type("g4")
    viewer.press("enter")
    viewer.press("up")
    assert viewer.playback.step == 1


@pytest.mark.parametrize(
    ("keys", "step"),
    [
        (["down"], 1),
        (["down", "down", "up"], 1),
        (["end"], 6),
        (["end", "home"], 0),
        (["pagedown"], 6),
        (["]"], 4),
        (["]", "]"], 4),
        (["end", "["], 4),
        (["g", "5", "enter"], 5),
        (["g", "3", "enter"], 1),
        (["g", "x", "enter"], 0),
        (["r", *"lay", "enter"], 5),
        (["r", *"lay", "enter", "n"], 6),
        (["r", *"lay", "enter", "n", "N"], 5),
        (["c", *"s-1", "enter"], 1),
        (["s", *"blue", "enter"], 4),
        (["/", *"lays", "enter"], 5),
        (["/", *"lays", "escape"], 0),
        (["/", *"lays", "backspace", "enter"], 5),
        (["n"], 0),
        (["t", "end"], 2),
        (["t", "t", "end"], 6),
    ],
)
def test_keys_go_about_in_the_log(tmp_path: Path, keys: list[str], step: int) -> None:
    viewer = viewer_of(tmp_path)
    for key in keys:
        viewer.press(key)
    assert viewer.playback.step == step


def test_what_is_not_found_is_said(tmp_path: Path) -> None:
    viewer = viewer_of(tmp_path)
    viewer.type("r")
    viewer.type("nothing")
    viewer.press("enter")
    assert "no rule 'nothing' after this step" in screen_of(viewer)


def test_the_screen_shows_the_step_what_happened_and_the_board(tmp_path: Path, screen: SnapshotAssertion) -> None:
    viewer = viewer_of(tmp_path, "red")
    pages = [screen_of(viewer)]
    for keys in ("]", "]]", "e", "/lays\n", "?", "q", "u", "w"):
        for key in keys:
            viewer.press("enter" if key == "\n" else key)
        pages.append(screen_of(viewer))
    assert all(len(page.split("\n")) == 24 and max(map(len, page.split("\n"))) <= 80 for page in pages)
    assert "\n\n=====\n".join(pages) == screen


def test_a_screen_fits_whatever_its_size(tmp_path: Path) -> None:
    viewer = viewer_of(tmp_path, "all")
    for step in viewer.playback.path:
        viewer.playback.step = step
        for width, height in ((80, 24), (200, 60), (30, 8), (10, 3)):
            lines = frame(viewer, width, height)
            assert len(lines) <= height
            assert all(line.cell_len <= width for line in lines)


def test_a_small_screen_keeps_the_board_in_sight_and_says_how_the_game_ended() -> None:
    match = api.load("outspeed").start(3, seed=2)
    while match.choice is not None:
        match.play(match.options[0])
    again = api.replay(match.log)
    viewer = Viewer(Playback(again, Looker()), why, (Looker(),))
    boards = []
    for step in (0, len(viewer.playback.path) // 2, viewer.playback.last):
        viewer.playback.go(step)
        boards.append(screen_of(viewer))
    assert all(re.search(r"^└─+┴.*┘$", board, re.M) for board in boards), "the track is cut"
    assert re.search(r"^(A draw: |.* wins?\.|The game ends)", boards[-1], re.M)
    assert not re.search(r"\bwins\.", boards[0])


def test_what_is_different_from_the_step_before_stands_in_reverse(tmp_path: Path) -> None:
    viewer = viewer_of(tmp_path, "red")
    viewer.press("down")
    assert variable(viewer.playback.match.state, "red.points").text == "2"
    reversed_ = [
        line.plain[span.start : span.end]
        for line in frame(viewer, 80, 24)
        for span in line.spans
        if "reverse" in str(span.style)
    ]
    assert reversed_ == ["2"]
    viewer.press("home")
    assert not any("reverse" in str(span.style) for line in frame(viewer, 80, 24) for span in line.spans)


def test_no_eyes_read_what_is_not_theirs(tmp_path: Path) -> None:
    """The screen of a spectator, and of blue, is the same whatever red holds in secret."""
    rules, log = secrets(tmp_path)
    viewer = viewer_of(tmp_path)
    held = zone(api.replay(log, under=rules).at(0).view(0), "red.hand").things
    red_cards = [str(card).replace("Card(", "card ").removesuffix(")") for card in held]
    viewer.press("down")
    page = screen_of(viewer)
    assert "keeps a card" in page
    assert not any(f"keeps {card}" in page for card in red_cards)
    viewer.playback.looker = Looker.called("red", log.header)
    assert any(f"keeps {card}" in screen_of(viewer) for card in red_cards)


# ------------------------------------------------------------------ why, and playing on


def test_why_is_answered_where_one_is(tmp_path: Path) -> None:
    viewer = viewer_of(tmp_path, "all")
    viewer.press("down")
    viewer.type("w")
    viewer.type("red.points")
    viewer.press("enter")
    assert "S-1" in screen_of(viewer)
    viewer.press("escape")
    assert not viewer.is_over
    viewer.type("w")
    viewer.type("nothing")
    viewer.press("enter")
    assert "nothing" in viewer.message


def test_a_seat_is_not_told_why_others_may_not(tmp_path: Path) -> None:
    viewer = viewer_of(tmp_path, "blue")
    viewer.type("w")
    viewer.type("red: lay(Card(1))")
    viewer.press("enter")
    assert viewer.message
    assert not viewer.answer


def test_who_plays_on_is_said_at_the_foot(tmp_path: Path) -> None:
    viewer = viewer_of(tmp_path)
    viewer.press("down")
    viewer.type("o")
    viewer.type("red=me blue=first")
    viewer.press("enter")
    assert viewer.is_over
    assert viewer.play_on == PlayOn(1, ("red=me", "blue=first"))


class Terminal(DummyOutput):
    """A terminal of 80 columns and 24 rows that shows nothing."""

    def get_size(self) -> Size:
        return Size(rows=24, columns=80)


def test_a_terminal_sends_its_keys_and_is_left(tmp_path: Path) -> None:
    viewer = viewer_of(tmp_path)
    with create_pipe_input() as keys:
        keys.send_text("\x1b[B" + "/lays\r" + "n" + "q")
        show(viewer, input=keys, output=Terminal())
    assert viewer.playback.step == 6
    assert viewer.is_over


# ------------------------------------------------------------------ transcripts and trees


def test_a_transcript_tells_the_game_as_prose_and_as_markdown(
    run: Run, tmp_path: Path, screen: SnapshotAssertion
) -> None:
    rules, log = secrets(tmp_path)
    log.save("a.jsonl")
    words = ("replay", "a.jsonl", "--game", rules, "--transcript")
    texts = [run(*words), run(*words, "md", "--as", "red"), run(*words, "--line", "1", "--as", "all")]
    assert all(text.exit_code == 0 for text in texts)
    assert "\n=====\n".join(text.output for text in texts) == screen


def test_signs_of_markdown_in_texts_are_texts(run: Run, tmp_path: Path) -> None:
    rules, _ = secrets(tmp_path)
    Path(rules).write_text(SECRETS.replace('"{p} keeps {c}"', '"{p} *keeps* <b>{c}</b> _now_"'))
    match = api.load(rules).start(seed=3)
    match.play(match.options[0])
    match.log.save("a.jsonl")
    text = run("replay", "a.jsonl", "--game", rules, "--transcript", "md").output
    assert r"\*keeps\* \<b\>" in text
    assert r"\_now\_" in text


def test_the_tree_shows_every_line_and_each_can_be_replayed(run: Run, tmp_path: Path) -> None:
    rules, log = secrets(tmp_path)
    log.save("a.jsonl")
    text = run("replay", "a.jsonl", "--game", rules, "--tree", "--as", "all").output
    assert re.search(r"^ {7,8}2  blue keeps card \d   \(line 1\)$", text, re.M)
    assert "(line 2, which stands)" in text
    data = json.loads(run("replay", "a.jsonl", "--game", rules, "--tree", "--json").output)
    assert data["lines"] == 2
    assert [step["step"] for step in data["steps"] if step["stands"]] == [0, 1, 4, 5, 6]
    steps = [
        json.loads(line)
        for line in run("replay", "a.jsonl", "--game", rules, "--steps", "--line", "1").output.splitlines()
    ]
    assert [step["step"] for step in steps] == [0, 1, 2]
    wrong = run("replay", "a.jsonl", "--game", rules, "--line", "3", "--to", "1")
    assert wrong.exit_code == 2
    assert "it has 2" in wrong.output


# ------------------------------------------------------------------ branches in play


def test_in_play_one_goes_back_to_any_step_and_the_old_line_stays(run: Run) -> None:
    words = ("play", NIM, "--seat", "all=me", "--allow-undo", "--log", "a.jsonl")
    typed = "take(3)\ntake(2)\ntake(1)\ntake(3)\nsteps\nundo to 1\ntake(1)\nundo 9\nundo to 77\nundo x\nquit\n"
    said = run(*words, typed=typed).output
    assert "   4  second: take 3" in said.replace("Take", "take")
    assert "Taken back; it stays in the log." in said
    assert "you have made 1 choice so far" in said
    assert "nothing that stands is step 77" in said
    assert "undo to 12" in said
    tree = run("replay", "a.jsonl", "--game", NIM, "--tree").output
    assert "(line 1)" in tree
    assert "(line 2, which stands)" in tree
    assert run("replay", "a.jsonl", "--game", NIM).exit_code == 0


def test_undo_takes_back_ones_last_so_many(run: Run) -> None:
    words = ("play", NIM, "--seat", "first=me", "--seat", "second=first", "--log", "a.jsonl")
    run(*words, typed="take(3)\ntake(3)\ntake(3)\nundo 2\ntake(1)\nquit\n")
    tree = json.loads(run("replay", "a.jsonl", "--game", NIM, "--tree", "--json").output)
    assert tree["lines"] == 2
    assert run("replay", "a.jsonl", "--game", NIM).exit_code == 0


def test_a_log_is_gone_on_with_from_any_step_of_any_line(run: Run) -> None:
    words = ("play", NIM, "--seat", "all=me", "--allow-undo")
    run(*words, "--log", "a.jsonl", typed="take(3)\ntake(2)\ntake(1)\nundo to 1\ntake(1)\nquit\n")
    # Step 3 is on the line that was left.
    said = run("play", NIM, "--resume", "a.jsonl", "--at", "3", typed="take(2)\nquit\n")
    assert said.exit_code == 0, said.output
    data = json.loads(run("replay", "a.jsonl", "--game", NIM, "--tree", "--json").output)
    assert data["lines"] == 2
    stands = [step["answer"] for step in data["steps"] if step["stands"]]
    assert stands == ["", "first: take(3)", "second: take(2)", "first: take(1)", "second: take(2)"]
    assert run("replay", "a.jsonl", "--game", NIM).exit_code == 0
    assert run("play", NIM, "--resume", "a.jsonl", "--at", "99").exit_code == 2
    assert run("play", NIM, "--at", "3").exit_code == 2


def test_playing_on_from_the_screen_asks_for_the_next_choice_there(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("play", NIM, "--seat", "all=me", "--log", "a.jsonl")
    run(*words, typed="take(3)\ntake(2)\ntake(1)\nquit\n")

    def wish(viewer: Viewer) -> None:
        viewer.type("g1")
        viewer.press("enter")
        viewer.type("osecond=first")
        viewer.press("enter")

    monkeypatch.setattr("cli.commands.replaying.application.show", wish)
    monkeypatch.setattr("cli.commands.replay._can_show", lambda console: True)
    said = run("replay", "a.jsonl", "--game", NIM, "--step", typed="take(1)\nquit\n")
    assert said.exit_code == 0, said.output
    data = json.loads(run("replay", "a.jsonl", "--game", NIM, "--tree", "--json").output)
    stands = [step["answer"] for step in data["steps"] if step["stands"]]
    assert stands[:4] == ["", "first: take(3)", "second: take(1)", "first: take(1)"]
    assert data["lines"] == 2


def test_a_log_that_is_only_looked_at_is_compared_where_one_looks(tmp_path: Path) -> None:
    rules, log = secrets(tmp_path)
    records = [json.loads(line) for line in log.lines]
    forged = next(record for record in records if record.get("rule") == "lay")
    forged["changes"][0][3] = "deck"
    chain = Chain()
    lines = (sealed_line({k: v for k, v in r.items() if k != "h"}, chain, n) for n, r in enumerate(records, 1))
    read = parse_log(BytesIO("".join(f"{line}\n" for line in lines).encode()))
    again = api.replay(read, under=rules, compares=False)
    assert again.difference is None
    assert api.replay(read, under=rules).difference is not None
    viewer = Viewer(Playback(again, Looker()), why, (Looker(),))
    seen = {}
    for step in viewer.playback.path:
        viewer.playback.step = step
        seen[step] = "the log has" in screen_of(viewer)
    assert seen == {0: False, 1: False, 4: False, 5: True, 6: False}


def test_what_the_rules_do_not_take_is_a_difference_in_any_case(tmp_path: Path) -> None:
    rules, log = secrets(tmp_path)
    Path(rules).write_text(SECRETS.replace("c.rank > 1", "c.rank > 5"))
    found = api.replay(log, under=rules, compares=False).difference
    assert found is not None
    assert "cannot be" in found.played


# ------------------------------------------------------------------ quickly


@pytest.mark.parametrize("eyes", [None, "red", "blue", "all"])
def test_an_answer_reads_by_itself_as_in_the_whole_log_of_a_seat(eyes: str | None, tmp_path: Path) -> None:
    """Sealed answers too, which some take back before they are opened."""
    entry = tmp_path / "high_card.rules"
    entry.write_text((DOCS / "log.md").read_text().split("```rules\n")[1].split("```")[0])
    match = api.load(entry).start(seed=7)
    for text in ("red: 6", "undo", "red: 5", "blue: 3", "lay", "undo", "pass", "undo", "undo", "blue: 2"):
        if text == "undo":
            match.undo()
        else:
            match.play(match.options[0] if text == "lay" else text)
    playback = Playback(api.replay(match.log, under=str(entry)), Looker.called(eyes, match.header), with_undone=True)
    seat = None if playback.looker.seat is None else Seat(playback.looker.seat)
    told = (entry for entry, _ in entries_for(match.journal, seat, match.visibility.bit(seat)))
    wanted = [
        f"{match.seats[entry.seat]}: {read(entry.option)}" if isinstance(entry, Taken) else f"undo to {entry.to}"
        for entry in (match.journal if eyes == "all" else told)
        if isinstance(entry, Taken | Undone)
    ]
    assert [playback.answer(step) for step in playback.path[1:]] == wanted
    assert any("(sealed)" in answer for answer in wanted) == (eyes in (None, "blue"))


def test_what_comes_is_worked_out_while_nobody_presses_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    viewer = viewer_of(tmp_path)
    ahead, looked = Playback.ahead, list[int]()

    with create_pipe_input() as keys:

        def watched(playback: Playback) -> Iterator[int]:
            for step in ahead(playback):
                looked.append(step)
                yield step
            keys.send_text("q")

        monkeypatch.setattr(Playback, "ahead", watched)
        show(viewer, input=keys, output=Terminal())
    assert looked == [0, 1, 4, 5, 6]


def test_a_jump_into_a_long_log_works_out_no_answer_but_those_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer = viewer_of(tmp_path)
    monkeypatch.delattr(Playback, "_label_all")
    for step in viewer.playback.path:
        viewer.playback.go(step)
        assert viewer.playback.said(step) or step == 0


def test_a_step_in_the_list_is_what_the_one_who_answered_did(tmp_path: Path) -> None:
    """Sealed answers are carried out at once, in the order of the seats: the first that is told of may be another's."""
    match = api.load("outspeed").start(players=3, seed=3)
    for answer in ("green: program(left)", "red: program(left)", "blue: program(middle)"):
        match.play(answer)
    playback = Playback(api.replay(match.log, compares=False), Looker())
    assert [playback.sentence(step) for step in playback.path[1:]] == [
        "Green: Take the left route",
        "Red: Take the left route",
        "Blue: Take the middle route",
    ]


def test_help_fits_into_80_columns(tmp_path: Path) -> None:
    viewer = viewer_of(tmp_path)
    viewer.press("?")
    assert "…" not in screen_of(viewer)
    assert "by number" in screen_of(viewer)


def test_an_undo_is_no_choice_that_is_counted(run: Run) -> None:
    match = api.load(NIM).start(seed=3)
    for answer in ("take(1)", "take(2)", "take(3)"):
        match.play(answer)
    match.undo()
    match.play("take(1)")
    match.log.save("a.jsonl")
    again = api.replay(match.log, under=NIM)
    assert (len(again.positions) - 1, again.choices) == (5, 4)
    assert (
        run("replay", "a.jsonl", "--to", "9", "--under", NIM)
        .output.splitlines()[-1]
        .startswith("4 choices played again")
    )


@pytest.mark.long
def test_a_log_of_a_variant_that_does_not_ship_says_how_its_rules_are_named(run: Run) -> None:
    Path("my.rules").write_text('variant tanker of outspeed "Tanks":\n  constant starting_fuel = 15\n')
    api.load("outspeed+my.rules+tanker").start(3, seed=1).log.save("mine.jsonl")
    refused = run("replay", "mine.jsonl")
    assert refused.exit_code == 1
    assert "--game outspeed+FILE+tanker" in refused.output
    assert run("replay", "mine.jsonl", "--game", "outspeed+my.rules+tanker").exit_code == 0


HIDING = """\
game g "G":
  players 2
  seats red, blue
names p: Player; n: 0..9
each Player has:
  secret: 0..9 = 0, seen by owner
  bid: 0..9 = 0, seen by owner
to mark(p) "{p} marks": p.bid = 1
play:
  red chooses red.secret in 0..9
  repeat red.secret times: mark(red)
  blue chooses n in 1..2
  finish with winner blue
"""


def test_steps_are_on_no_line_for_a_seat_from_which_lines_are_hidden(run: Run, tmp_path: Path) -> None:
    rules, shown = tmp_path / "g.rules", dict[tuple[int, str], list[str]]()
    rules.write_text(HIDING)
    for secret in (2, 8):
        match = api.load(rules).start(2, seed=1)
        match.play(f"red: {secret}")
        match.play("blue: 1")
        log = tmp_path / f"{secret}.jsonl"
        match.log.save(log)
        for seat in ("blue", "all"):
            for how in (["--steps"], ["--to", "2"]):
                done = run("replay", str(log), "--game", str(rules), "--as", seat, *how)
                shown.setdefault((secret, seat), []).append(done.output)
    assert shown[2, "blue"] == shown[8, "blue"]
    assert shown[2, "all"] != shown[8, "all"]
