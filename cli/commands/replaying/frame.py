"""One screen of a replay, as lines of text: the step, a list of steps, the events, the board, the keys.

Outspeed   step 12 of 90   as red sees it
  11  Blue: Play nitro
> 12  Red programs left
  13  Red moves
──────────────────────────
Red's fuel falls from 9 to 7  [OS-6.12]
…the board; changed words are in reverse…
↑↓ step   ] phase   / search   e eyes   w why   o play on   ? help   q quit
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.console import Console
from rich.segment import Segment
from rich.text import Text

from rulelang.knowledge.phrase import spliced
from rulelang.screens.ending import ending
from rulelang.screens.picture import on_screen

from ...screen import draw, narrate
from ...screen.hanging import Hanging
from ...screen.styles import QUIET, Styles
from ...screen.summary import summary

if TYPE_CHECKING:
    from rulelang.screens.model import Part

    from .viewer import Viewer

KEYS = "↑↓ step  ] phase  / search  e eyes  w why  o play on  ? help  q quit"
MOST_STEPS = 7
"""The number of rows of the list of steps."""
FEWEST_STEPS = 3
"""The number of rows of that list where there is no room for more."""
MOST_NEWS = 4
"""The most rows of a summary of the events."""
BARE = 3
"""The rows of the title, the rule and the foot."""
HANGS = 4
"""The indentation of the further rows of an answer."""
EDGE = re.compile(r"[\s\u2500-\u257f]+")
"""Blanks and box-drawing characters."""
NAME = re.compile(r"[^\W_]+")
WORD = re.compile(r"\s+|[^\s]+")


def frame(viewer: Viewer, width: int, height: int) -> list[Text]:
    """Returns a screen of a width in columns and a height in rows."""
    playback = viewer.playback
    styles = Styles.of_match(playback.match)
    head = [_title(viewer, styles)]
    foot = _foot(viewer, styles)
    rows = max(min(MOST_STEPS, (height - 4) // 3), 1)
    below = _answered(viewer.answer, styles, width) if viewer.answer else _below(viewer, styles, width)
    if not viewer.answer and len(below) > height - rows - BARE:
        rows = min(rows, FEWEST_STEPS)
        below = _shorter(viewer, styles, width, height - rows - BARE)
    listed = _steps(viewer, styles, rows)
    room = max(height - len(head) - len(listed) - 1 - len(foot), 1)
    viewer.scroll = min(viewer.scroll, max(len(below) - room, 0))
    shown = below[viewer.scroll : viewer.scroll + room]
    left = len(below) - viewer.scroll - len(shown)
    rule = Text("─" * width, QUIET)
    if left or viewer.scroll:
        note = f" {viewer.scroll} above, {left} below (< >) "
        rule = Text("─" * max(width - len(note), 0) + note, QUIET)
    lines = [*head, *listed, rule, *shown, *[Text()] * (room - len(shown)), *foot]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines[:height]


def _title(viewer: Viewer, styles: Styles) -> Text:
    playback = viewer.playback
    eyes = playback.looker.name(playback.match.seat_names)
    line = styles(playback.title, "bold")
    line.append(f"   step {playback.number(playback.step)} of {playback.number(playback.path[-1])}   seen by {eyes}")
    if playback.line is not None:
        line.append(f"   line {playback.line} of {playback.tree.lines}")
    if playback.with_undone:
        line.append("   undone too", QUIET)
    return line


def _steps(viewer: Viewer, styles: Styles, rows: int) -> list[Text]:
    """Returns the list of steps around the present one."""
    playback = viewer.playback
    path = playback.path
    at = path.index(playback.step)
    first = min(max(at - rows // 2, 0), max(len(path) - rows, 0))
    lines = []
    for step in path[first : first + rows]:
        mark = ">" if step == playback.step else " "
        style = "bold" if step == playback.step else QUIET if playback.again.log.steps.stands(step) != step else ""
        lines.append(styles(spliced((f"{mark} {playback.number(step):>4}  ", playback.sentence(step))), style))
    return lines


def _below(viewer: Viewer, styles: Styles, width: int) -> list[Text]:
    """Returns the events of the step, the board after it, and the ending of the game if it has come."""
    playback = viewer.playback
    told = narrate(playback.events(), styles, on_screen(playback.match.game))
    return [*_wrapped(told, width), *_ending(viewer, styles, width), Text(), *_board(viewer, styles, width)]


def _shorter(viewer: Viewer, styles: Styles, width: int, rows: int) -> list[Text]:
    """Returns the same for little room: a summary of the events and the board in so many rows, all events below."""
    playback = viewer.playback
    about = on_screen(playback.match.game)
    told = narrate(playback.events(), styles, about)
    news = summary(playback.events(), styles, width, MOST_NEWS, about)
    above = [*_wrapped(news, width), *_ending(viewer, styles, width)]
    board = _board(viewer, styles, width, max(rows - len(above), 1))
    return [*above, *board, Text(), *_wrapped(told, width)]


def _wrapped(lines: Iterable[Text], width: int) -> list[Text]:
    return [piece for line in lines for piece in line.wrap(Console(width=width), width)]


def _ending(viewer: Viewer, styles: Styles, width: int) -> list[Text]:
    """Returns who has won, why, and the places; nothing while the game goes on."""
    playback = viewer.playback
    match = playback.match.opened() if playback.looker.sees_all else playback.match
    end = ending(match, playback.looker.seat)
    if end is None:
        return []
    line = styles(spliced((end.who, ".")), "bold").append_text(styles(f" {end.why}" if end.why else ""))
    return _wrapped([line, *([styles(end.places)] if end.places else [])], width)


def _board(viewer: Viewer, styles: Styles, width: int, rows: int | None = None) -> list[Text]:
    """Returns the board after the step, with changes in reverse video."""
    now, before = drawn(viewer.playback.picture(), styles, width, rows), viewer.playback.picture_before()
    return now if before is None else marked(drawn(before, styles, width, rows), now)


def _answered(lines: tuple[str, ...], styles: Styles, width: int) -> list[Text]:
    """Returns the rows of an answer's lines; the further rows of a long line are indented."""
    console = _page(width)
    rows: list[Text] = []
    for line in lines:
        indent = len(line) - len(line.lstrip()) + HANGS
        rows += _rows(console.render_lines(Hanging(styles(line), indent), pad=False))
    return rows


def drawn(parts: tuple[Part, ...], styles: Styles, width: int, rows: int | None = None) -> list[Text]:
    """Returns a board as lines of text with their styles, in a number of rows if possible."""
    console = _page(width)
    return _rows(console.render_lines(draw(parts, styles, console, rows), pad=False))


def _page(width: int) -> Console:
    return Console(width=width, color_system="standard", force_terminal=True, legacy_windows=False)


def _rows(lines: list[list[Segment]]) -> list[Text]:
    return [Text.assemble(*((piece.text, piece.style or "") for piece in line)) for line in lines]


def marked(before: list[Text], now: list[Text]) -> list[Text]:
    """Returns lines in which the words that are new since `before` are in reverse."""
    old, new = [line.plain.rstrip() for line in before], [line.plain.rstrip() for line in now]
    for what, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what in ("equal", "delete"):
            continue
        for at in range(k, m):
            earlier = old[i + at - k] if i + at - k < j else ""
            for start, end in _new_words(earlier, new[at]):
                now[at].stylize("reverse", start, end)
    return now


GAP = 3
"""The number of blank columns between two boards."""
NARROW = 38
"""The least width of a board beside another, in columns."""


def _words_in(lines: list[Text]) -> list[str]:
    """Returns the words in some lines, sorted."""
    return sorted(word for line in lines for word in NAME.findall(line.plain))


def side_by_side(boards: list[tuple[str, tuple[Part, ...]]], styles: Styles, width: int) -> Iterator[Text]:
    """Yields boards with their titles, two side by side if they
    fit, with the words that only the second has in reverse.
    """
    half = (width - GAP) // 2
    whole = [drawn(parts, styles, width) for _, parts in boards]
    narrow = [drawn(parts, styles, half) for _, parts in boards]
    fits = half >= NARROW and [*map(_words_in, whole)] == [*map(_words_in, narrow)]
    titles = [styles(title, "bold underline") for title, _ in boards]
    if len(boards) == 2:
        marked(*whole)
        marked(*narrow)
    if len(boards) == 2 and fits:
        for left, right in zip_longest([titles[0], *narrow[0]], [titles[1], *narrow[1]], fillvalue=Text()):
            yield Text.assemble(left, " " * (half + GAP - left.cell_len), right)
        return
    for title, lines in zip(titles, whole, strict=True):
        yield from (Text(), title, *lines)


def _new_words(before: str, now: str) -> list[tuple[int, int]]:
    """Returns the positions of the words of a line that were not there before."""
    old, new = WORD.findall(before), list(WORD.finditer(now))
    spans = []
    for what, _, _, k, m in SequenceMatcher(None, old, [word.group() for word in new], autojunk=False).get_opcodes():
        if what in ("replace", "insert"):
            spans += [word.span() for word in new[k:m] if not EDGE.fullmatch(word.group())]
    return spans


def _foot(viewer: Viewer, styles: Styles) -> list[Text]:
    if viewer.asking is not None:
        return [styles(f"{viewer.asking.words} {viewer.typed}_", "bold")]
    if viewer.message:
        return [styles(viewer.message, "yellow")]
    found = viewer.playback.difference()
    if found is not None:
        return [styles(f"line {found[0]}: the log has {found[1]}; the rules give {found[2]}", "yellow")]
    return [Text(KEYS, QUIET)]
