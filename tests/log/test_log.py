"""Logs: written as the game goes, read with distrust, played again and compared."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import attrs
import jsonschema
import pytest

from rulelang import api
from rulelang.errors import LogError, RangeViolation, ReplayMismatch
from rulelang.ir.model import Const, GameRules, Op
from rulelang.knowledge.analysis import secrets_of
from rulelang.log import format as log_format
from rulelang.log.fields import LONGEST_LINE
from rulelang.log.format import Chain, Header, Log, LogWriter, canonical, record_of
from rulelang.log.reading import ReadLog, parse_log, read_log
from rulelang.log.replay import Replay, replay, resume
from rulelang.machines.chance import Seeded
from rulelang.machines.machine import Chance
from rulelang.match.match import BareMatch
from rulelang.match.recording.events import Event
from rulelang.program.layout import lay_out
from tests.files import DOCS
from tests.games.hidden import hidden, interpreted
from tests.games.in_ir import GAMES
from tests.match.test_match import overflowing

ALL = {**GAMES, "hidden": hidden}
SCHEMA = json.loads(Path(log_format.__file__).with_name("schema.json").read_text())


def begin(game: GameRules, seed: int | str = 1, chance: Chance | None = None, **more: Any) -> BareMatch:
    layout = lay_out(game)
    return BareMatch(
        game,
        layout,
        partial(interpreted, game, layout),
        len(game.seats),
        seed=seed,
        chance=chance,
        secrets=secrets_of(game),
        **more,
    )


def header(match: BareMatch, seed: int | str | None = 1) -> Header:
    return Header(match.game.id, match.seats, seed, options=(("tiles", "8"),), rules="r", text="t", engine="0.1")


def play_on(match: BareMatch, plies: int = 200, seed: int = 1) -> BareMatch:
    rng = random.Random(seed)
    for _ in range(plies):
        if not match.to_move:
            break
        match.play(rng.choice(list(match.options)))
    return match


def played(name: str, seed: int = 1) -> tuple[BareMatch, Log]:
    match = play_on(begin(ALL[name](), seed))
    return match, Log.of(header(match, seed), match)


def as_read(text: str) -> ReadLog:
    return parse_log(BytesIO(text.encode()))


def replayed(log: ReadLog, game: GameRules, **more: Any) -> Replay:
    return replay(log, game, lay_out(game), lambda chance: begin(game, chance=chance), **more)


# ------------------------------------------------------------------ writing


@pytest.mark.parametrize("name", ALL)
def test_every_line_fits_the_schema(name: str) -> None:
    match, log = played(name)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for whole in (log, log.for_seat(0), log.for_seat(None)):
        for line in whole.lines:
            validator.validate(json.loads(line))
    assert match.outcome is not None


def test_undo_and_fault_lines_fit_the_schema() -> None:
    match = begin(overflowing())
    match.play("pile(5)")
    with pytest.raises(RangeViolation):
        match.play("pile(6)")
    match.undo()
    lines = Log.of(header(match), match).lines
    for line in lines:
        jsonschema.validate(json.loads(line), SCHEMA)
    kinds = [next(key for key in ("fault", "event", "input", "rulelang") if key in json.loads(line)) for line in lines]
    assert kinds == ["rulelang", "event", "input", "event", "input", "fault", "input"]


@pytest.mark.parametrize("name", ALL)
def test_the_same_seed_gives_the_same_bytes_and_another_does_not(name: str) -> None:
    assert played(name)[1].text == played(name)[1].text
    assert played(name, 1)[1].text != played(name, 2)[1].text


def test_a_log_written_as_the_game_goes_is_the_log_of_the_game() -> None:
    file = BytesIO()
    match = begin(hidden())
    writer = LogWriter(file, header(match))
    for entry in match.journal:
        writer(entry)
    match.listen(writer)
    play_on(match)
    assert file.getvalue().decode() == Log.of(header(match), match).text


@pytest.mark.parametrize("name", ALL)
def test_the_line_of_an_event_says_what_its_record_says_to_whoever_reads_it(name: str) -> None:
    match = play_on(begin(ALL[name]()))
    whole = Log.of(header(match), match)
    for log in (whole, whole.for_seat(None), whole.for_seat(0)):
        lines = zip(log.entries, log.lines[1:], strict=True)
        events = [(entry, line) for entry, line in lines if isinstance(entry, Event)]
        assert [line for _, line in events] == [canonical(record_of(event, match.seats)) for event, _ in events]


def test_each_line_is_flushed_before_the_next_is_written(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with path.open("wb") as file:
        match = begin(GAMES["nim"]())
        writer = LogWriter(file, header(match))
        for entry in match.journal:
            writer(entry)
        sizes = [path.stat().st_size]
        match.listen(lambda entry: sizes.append(path.stat().st_size))
        match.listen(writer)
        match.listen(lambda entry: sizes.append(path.stat().st_size))
        match.play("take(1)")
    assert all(after > before for before, after in zip(sizes[1::2], sizes[2::2], strict=True))


def test_a_saved_log_is_read_again(tmp_path: Path) -> None:
    _, log = played("drawing")
    log.save(tmp_path / "a.jsonl")
    found = read_log(tmp_path / "a.jsonl")
    assert found.header == log.header
    assert found.is_complete
    assert found.notes == ()
    assert found.size == (tmp_path / "a.jsonl").stat().st_size


# ------------------------------------------------------------------ what one seat may read


def test_a_seats_log_has_no_seed_and_no_hidden_outcome() -> None:
    match, log = played("hidden")
    mine = log.for_seat(0)
    lines = [json.loads(line) for line in mine.lines]
    assert (lines[0]["seed"], lines[0]["for"]) == (None, "red")
    assert all("order" not in line for line in lines if line.get("input") == "shuffle")
    assert all("value" not in line for line in lines if line.get("input") == "pick")
    rolls = [line for line in lines if line.get("input") == "roll"]
    assert "face" not in rolls[0], "the throw for luck, which nobody may see"
    assert mine.events_for(0) == match.events_for(0)


def test_a_seats_log_has_the_others_secrets_covered() -> None:
    match = begin(hidden())
    match.play("red: 1")
    log = Log.of(header(match), match)
    assert '"option":"1"' in log.for_seat(0).text
    assert '"option":"(sealed)"' in log.for_seat(1).text
    match.undo()
    match.play("red: 2")
    match.play("blue: 3")
    theirs = [json.loads(line) for line in Log.of(header(match), match).for_seat(1).lines]
    assert [line["option"] for line in theirs if line.get("input") == "choice"] == ["(sealed)", "?", "3"]


@pytest.mark.long
def test_twins_have_the_same_log_for_who_cannot_tell_them_apart() -> None:
    logs: dict[object, set[str]] = {}
    for seed in range(120):
        match = begin(hidden(), seed)
        for text in ("red: 1", f"blue: {seed % 3 + 1}"):
            match.play(text)
        while match.to_move:
            hides = [option for option in match.options if option.branch == "hide"]
            match.play(hides[-1] if hides and match.to_move == (1,) else "pass")
        drawn = tuple(c.text for event in match.events_for(0) for c in event.changes if "red.hand" in c.text)
        logs.setdefault(drawn, set()).add(Log.of(header(match, seed), match).for_seat(0).text)
    assert all(len(texts) == 1 for texts in logs.values())
    assert len(logs) < 60


def test_a_seats_log_cannot_be_played_again() -> None:
    _, log = played("hidden")
    with pytest.raises(LogError, match="for one seat"):
        replayed(as_read(log.for_seat(0).text), hidden())


# ------------------------------------------------------------------ replay


@pytest.mark.parametrize("name", ALL)
def test_a_log_plays_again_to_the_same_end(name: str) -> None:
    match, log = played(name)
    again = replayed(as_read(log.text), ALL[name]())
    assert again.difference is None
    assert again.match.outcome == match.outcome
    assert again.match.events == match.events


def test_a_log_without_a_seed_plays_again_from_its_outcomes() -> None:
    match, log = played("hidden")
    bare = Log(attrs.evolve(log.header, seed=None), log.entries)
    again = replayed(as_read(bare.text), hidden())
    assert again.difference is None
    assert again.match.events == match.events


def test_a_match_under_explicit_chance_plays_again() -> None:
    rng = random.Random(4)
    match = begin(hidden(), explicit_chance=True)
    while match.chance or match.to_move:
        if match.chance:
            match.play_chance(rng.choice(match.chance))
        else:
            match.play(rng.choice(list(match.options)))
    log = Log.of(header(match, None), match)
    again = replayed(as_read(log.text), hidden())
    assert again.difference is None
    assert again.match.outcome == match.outcome


def test_one_can_step_through_a_replay_and_see_what_a_seat_saw() -> None:
    match, log = played("hidden")
    again = replayed(as_read(log.text), hidden())
    assert len(again.positions) == 1 + sum(json.loads(line).get("input") == "choice" for line in log.lines)
    first, last = again.positions[0], again.positions[-1]
    assert first.match.to_move == (0, 1)
    assert last.match.view(1) == match.view(1)
    assert [p.line for p in again.positions] == sorted({p.line for p in again.positions})
    assert first.match.events_for(0) == match.events_for(0)[: len(first.match.events)]


def test_undone_answers_are_played_and_undone_again() -> None:
    match = begin(hidden())
    for text in ("red: 1", "blue: 2", "pass"):
        match.play(text)
    match.undo(0)
    play_on(match, 3)
    match.undo()
    play_on(match)
    again = replayed(as_read(Log.of(header(match), match).text), hidden())
    assert again.difference is None
    assert again.match.key == match.key


def test_a_fault_is_played_again() -> None:
    match = begin(overflowing())
    match.play("pile(5)")
    with pytest.raises(RangeViolation):
        match.play("pile(6)")
    play_on(match, 1)
    again = replayed(as_read(Log.of(header(match), match).text), overflowing())
    assert again.difference is None


# ------------------------------------------------------------------ under changed rules


def changed(game: GameRules, change: Callable[[Any], Any]) -> GameRules:
    """The same game with some of its nodes replaced."""
    from rulelang.ir.walk import rewrite

    choices = tuple(rewrite(choice, change) for choice in game.choices)
    procedures = tuple(rewrite(procedure, change) for procedure in game.procedures)
    return attrs.evolve(game, choices=choices, procedures=procedures)


def test_under_changed_rules_the_first_difference_is_shown_with_both_sides() -> None:
    _, log = played("nim")
    smaller = attrs.evolve(GAMES["nim"](), states=_with_heap(11))
    difference = replayed(as_read(log.text), smaller).difference
    assert difference is not None
    assert "heap: 12 -> " in difference.logged
    assert "heap: 11 -> " in difference.played
    lines = log.lines
    assert json.loads(lines[difference.line - 1])["changes"][0][1] == "heap"
    with pytest.raises(ReplayMismatch, match=f"line {difference.line}: the log has"):
        raise difference.error


def _with_heap(size: int) -> Any:
    states = GAMES["nim"]().states
    return tuple(attrs.evolve(s, initial=Const(size)) if s.name == "heap" else s for s in states)


def test_an_option_that_is_no_longer_legal_says_why() -> None:
    match = begin(GAMES["nim"]())
    match.play("take(3)")
    two = changed(
        GAMES["nim"](), lambda n: Op("range", (Const(1), Const(2))) if n == Op("range", (Const(1), Const(3))) else n
    )
    difference = replayed(as_read(Log.of(header(match), match).text), two).difference
    assert difference is not None
    assert difference.logged == "red: take(3)"
    assert "3 is not on offer: 1, 2" in difference.played


def test_a_foreign_log_is_refused_by_name() -> None:
    _, log = played("nim")
    with pytest.raises(LogError, match="a log of `nim`, not of `hidden`"):
        replayed(as_read(log.text), hidden())


def test_a_logged_outcome_that_cannot_come_is_a_difference() -> None:
    _, log = played("hidden")
    text = forged(log, lambda line: {**line, "face": 9} if line.get("input") == "roll" else line)
    difference = replayed(as_read(text), hidden()).difference
    assert difference is not None
    assert "cannot" in difference.played


def forged(log: Log, change: Callable[[dict[str, Any]], dict[str, Any]]) -> str:
    """A log with changed lines and a running hash that agrees with them."""
    chain, lines = Chain(), []
    for line in log.lines:
        record = change(json.loads(line))
        digits = chain.add(record)
        lines.append(canonical({**record, "h": digits} if "h" in record else record))
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("seed", range(40))
def test_a_forged_log_never_gives_a_traceback(seed: int) -> None:
    """Fields are swapped for others of their kind; the hash agrees. What comes is a difference or a clear word."""
    rng = random.Random(seed)
    _, log = played(rng.choice(["hidden", "drawing", "sealed", "nim"]))
    wild: list[Any] = [
        "",
        "red",
        "nobody",
        "take(99)",
        "{" * 50,
        -1,
        0,
        10**9,
        None,
        [],
        ["x"],
        [[]],
        {},
        True,
        "\x1b[2J",
    ]

    def change(record: dict[str, Any]) -> dict[str, Any]:
        if rng.random() < 0.9:
            return record
        return {**record, rng.choice(sorted(record)): rng.choice(wild)}

    said = ""
    try:
        difference = replayed(as_read(forged(log, change)), ALL[log.header.game]()).difference
        said = difference.logged + difference.played if difference else ""
    except LogError as error:
        said = str(error)
    assert said == "" or said.isprintable()


# ------------------------------------------------------------------ faulty files


@pytest.mark.parametrize("name", ["nim", "hidden"])
def test_a_log_that_lost_any_line_is_refused(name: str) -> None:
    _, log = played(name)
    lines = log.lines
    for lost in range(1, len(lines) - 1):
        with pytest.raises(LogError, match="line"):
            as_read("".join(f"{line}\n" for line in (*lines[:lost], *lines[lost + 1 :])))


@pytest.mark.parametrize("name", ["nim", "hidden"])
def test_a_log_with_any_changed_line_is_refused(name: str) -> None:
    _, log = played(name)
    lines = list(log.lines)
    for at in range(len(lines)):
        record = json.loads(lines[at])
        field = "sentence" if "event" in record else "rule" if "end" in record else "game" if at == 0 else "n"
        record[field] = 99 if field == "n" else "changed"
        with pytest.raises(LogError, match="line"):
            as_read("\n".join([*lines[:at], canonical(record), *lines[at + 1 :], ""]))


@pytest.mark.long
def test_a_log_cut_off_anywhere_is_read_up_to_there() -> None:
    _, log = played("hidden")
    text = log.text.encode()
    first = text.index(b"\n") + 1
    for cut in range(first, len(text), 97):
        found = parse_log(BytesIO(text[:cut]))
        assert replayed(found, hidden()).difference is None
        assert bool(found.notes) == (text[cut - 1 : cut] != b"\n")


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "empty"),
        (b"\n", "no header"),
        (b"not json\n", "no header"),
        (b"[]\n", "no header"),
        (b'{"a":1}\n', "no header"),
        (b"\xff\xfe\n", "no header"),
        (b'{"rulelang":"log","format":5}\n', "newer"),
        (b'{"rulelang":"log","format":"1"}\n', "no header"),
        (b'{"rulelang":"log","format":3}\n', "`game` is missing"),
        (b'{"rulelang":"log","format":NaN}\n', "no header"),
        (b"[" * 100_000 + b"\n", "no header"),
        (b'{"a":' * 100_000 + b"\n", "no header"),
        (b"1" * 10_000 + b"\n", "no header"),
        (b" " * (LONGEST_LINE + 5), "longer than"),
        (b'{"rulelang":"log"', "no header"),
    ],
    ids=range(15),
)
def test_what_is_no_log_is_refused_in_plain_words(raw: bytes, message: str) -> None:
    with pytest.raises(LogError, match=message):
        parse_log(BytesIO(raw))


def test_a_file_that_is_not_there_is_refused_in_plain_words(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="cannot be read"):
        read_log(tmp_path / "none.jsonl")
    with pytest.raises(LogError, match="cannot be read"):
        read_log(tmp_path)


# ------------------------------------------------------------------ resume


@pytest.mark.parametrize("cut", [0.1, 0.3, 0.5, 0.7, 0.95, 1.0])
def test_a_killed_game_goes_on_where_its_log_ends(tmp_path: Path, cut: float) -> None:
    match = begin(hidden())
    for text in ("red: 1", "blue: 2", "pass", "pass", "pass"):
        match.play(text)
    raw = Log.of(header(match), match).text.encode()
    path = tmp_path / "game.jsonl"
    path.write_bytes(raw[: max(int(len(raw) * cut), raw.index(b"\n") + 1)])
    again = replayed(read_log(path), hidden())
    writer = resume(path, again)
    play_on(again.match)
    writer.close()
    whole = read_log(path)
    assert whole.is_complete
    assert replayed(whole, hidden()).match.outcome == again.match.outcome
    assert path.read_text() == Log.of(header(match), again.match).text


PAGE = (DOCS / "log.md").read_text()
SCRIPT = ("red: 6", "blue: 3", "lay", "undo", "pass", "undo", "undo", "blue: 2", "lay", "lay")
"""Answers to the page's example: sealed ones, throws, a hidden hand; some are taken back, at last one under seal."""


@pytest.fixture
def high_card(tmp_path: Path) -> api.Game:
    entry = tmp_path / "high_card.rules"
    entry.write_text(PAGE.split("```rules\n")[1].split("```")[0])
    game = api.check(entry).game
    assert game is not None
    return game


def act(match: BareMatch, text: str) -> None:
    if text == "undo":
        match.undo()
    else:
        match.play(match.options[0] if text == "lay" else text)


@pytest.mark.long
def test_a_process_killed_at_any_moment_loses_nothing_but_its_last_line(high_card: api.Game, tmp_path: Path) -> None:
    """Cut at every byte of the last lines and at some before, and gone on with: the file is the one that would have been."""
    path = tmp_path / "game.jsonl"
    whole = high_card.start(seed=7)
    for text in SCRIPT:
        act(whole, text)
    assert whole.outcome is not None
    uncut = whole.log.text.encode()
    first, last = uncut.index(b"\n") + 1, len(uncut) - 320
    rng = random.Random(1)
    for cut in {first, *range(last, len(uncut) + 1), *(rng.randrange(first, last) for _ in range(40))}:
        path.write_bytes(uncut[:cut])
        again = api.replay(path, under=high_card)
        answers = sum(line.what in ("choice", "undo") for line in again.log.lines)
        writer = resume(path, again)
        for text in SCRIPT[answers:]:
            act(again.match, text)
        writer.close()
        assert path.read_bytes() == uncut


def test_a_log_cut_off_in_its_first_line_has_nothing_to_go_on_with(high_card: api.Game, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    header = high_card.start(seed=7).log.text.encode().splitlines(keepends=True)[0]
    for cut in range(len(header)):
        path.write_bytes(header[:cut])
        with pytest.raises(LogError, match=r"first line|empty"):
            read_log(path)


def test_a_log_that_the_rules_disagree_with_is_not_gone_on_with(tmp_path: Path) -> None:
    _, log = played("nim")
    log.save(tmp_path / "a.jsonl")
    before = (tmp_path / "a.jsonl").read_bytes()
    smaller = attrs.evolve(GAMES["nim"](), states=_with_heap(11))
    with pytest.raises(ReplayMismatch):
        resume(tmp_path / "a.jsonl", replayed(read_log(tmp_path / "a.jsonl"), smaller))
    assert (tmp_path / "a.jsonl").read_bytes() == before


def test_a_seeded_chance_is_what_a_match_draws_from_by_itself() -> None:
    game = hidden()
    assert begin(game, 7).position.row == begin(game, 7, chance=Seeded(7, game, lay_out(game))).position.row
