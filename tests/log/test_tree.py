"""The lines of play in a log: undo to an earlier point, another way from there, and all lines kept."""

from __future__ import annotations

import random
from io import BytesIO

import pytest

from rulelang import api
from rulelang.errors import LogError
from rulelang.log.format import Log
from rulelang.log.reading import ReadLog, parse_log
from rulelang.log.tree import Tree, tree_of
from tests.files import CLASSICS
from tests.seeds import few_of

NIM = str(CLASSICS / "nim.rules")


def nim(*deeds: str) -> Log:
    """A game in which numbers are taken, and `<2` takes back input 2."""
    match = api.load(NIM).start(seed=1)
    for deed in deeds:
        if deed.startswith("<"):
            match.undo(to=int(deed[1:]))
        else:
            match.play(f"take({deed})")
    return match.log


def tree(log: Log) -> Tree:
    return tree_of(as_read(log).steps)


def as_read(log: Log) -> ReadLog:
    return parse_log(BytesIO(log.text.encode()))


def shape(log: Log) -> list[tuple[int, int, int | None, bool]]:
    return [(node.step, node.depth, node.line, node.stands) for node in tree(log).nodes]


def test_a_log_without_undo_has_one_line() -> None:
    assert shape(nim("1", "2")) == [(0, 0, None, True), (1, 0, None, True), (2, 0, 1, True)]


def test_what_was_taken_back_is_a_line_of_its_own_and_what_stands_is_the_last() -> None:
    found = nim("1", "2", "<2", "3")
    assert shape(found) == [(0, 0, None, True), (1, 0, None, True), (2, 1, 1, False), (4, 0, 2, True)]
    assert tree(found).line(1) == (0, 1, 2)
    assert tree(found).line(2) == (0, 1, 4)


def test_an_undo_to_an_earlier_point_leaves_the_whole_line_there() -> None:
    found = tree(nim("1", "2", "3", "1", "<2", "1"))
    assert [found.line(number) for number in range(1, found.lines + 1)] == [(0, 1, 2, 3, 4), (0, 1, 6)]


def test_who_plays_again_what_was_taken_back_is_on_the_old_line() -> None:
    found = tree(nim("1", "2", "3", "<2", "1", "<5", "2", "1"))
    # Step 7 plays step 2 again, and 8 is another way from there.
    assert found.same == {7: 2}
    assert found.path(8) == (0, 1, 2, 8)
    assert [node.line for node in found.nodes if node.line] == [1, 2, 3]
    assert next(node for node in found.nodes if node.step == 8).stands


def test_where_the_game_stands_in_the_middle_of_a_line_it_has_no_end_there() -> None:
    found = nim("1", "2", "<2")
    assert shape(found) == [(0, 0, None, True), (1, 0, None, True), (2, 0, 1, False)]


def test_a_line_that_there_is_not_is_told() -> None:
    with pytest.raises(LogError, match="no line 3 in this log: it has 1"):
        tree(nim("1")).line(3)


@pytest.mark.parametrize("seed", few_of(20, few=6))
def test_each_line_is_what_was_played(seed: int) -> None:
    """Every path of the tree, played from the start, comes to the position after its last step."""
    rng = random.Random(seed)
    match = api.load(NIM).start(seed=seed)
    for _ in range(25):
        if match.to_move and (rng.random() < 0.7 or not match.can_undo):
            match.play(rng.choice(list(match.options)))
        else:
            match.undo()
            if match.can_undo and rng.random() < 0.5:
                match.undo()
    log = as_read(match.log)
    again, found = api.replay(log, under=NIM), tree_of(log.steps)
    assert again.difference is None
    for number in range(1, found.lines + 1):
        path = found.line(number)
        fresh = api.load(NIM).start(seed=seed)
        with log.steps.opened() as lines:
            for step in path[1:]:
                first = lines[step].first
                assert first is not None
                fresh.play(f"{first.record['seat']}: {first.record['option']}")
        assert fresh.key == again.at(path[-1]).key
    standing = [node.step for node in found.nodes if node.stands]
    assert again.at(standing[-1]).key == match.key


def test_many_lines_are_shown_without_recursion() -> None:
    deeds = ["1"]
    for number in range(2, 2000, 2):
        deeds += ["1" if number % 4 else "2", f"<{number}"]
    found = tree(nim(*deeds))
    assert found.lines == 2
