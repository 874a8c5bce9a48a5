"""A game as prose: `replay --transcript`, as text or as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulelang.diagnostics.render import escaped
from rulelang.screens.ending import ended
from rulelang.screens.narration import ToldLine, told

if TYPE_CHECKING:
    from rulelang.match.recording.events import Event
    from rulelang.workbench.playback import Playback

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|])")
"""The characters that Markdown treats as markup."""


def transcript(playback: Playback, form: str) -> Iterator[str]:
    """Yields the lines of a game as its viewer sees it, along the viewed line of the log; `form` is text or md."""
    prints = _markdown if form == "md" else _text
    yield from prints(_told(playback), _head(playback), _end(playback))


def _told(playback: Playback) -> Iterator[ToldLine]:
    from rulelang.screens.picture import on_screen

    about, names = on_screen(playback.match.game), playback.match.seat_names
    for step in playback.path:
        if playback.again.log.steps.stands(step) != step:
            yield ToldLine(0, playback.answer(step))
            continue
        events = playback.events(step)
        lines = list(told(events, names, about))
        is_told = any(line.sentence and not line.is_heading for line in lines) or any(map(_tells_the_answer, events))
        if step and not is_told and not _is_one_of_several(playback, step):
            yield ToldLine(1, playback.said(step))
        yield from lines


def _is_one_of_several(playback: Playback, step: int) -> bool:
    """Returns whether others had still to answer, since joint answers are told when they take effect."""
    return len(playback.again.at(step - 1).to_move) > 1


def _tells_the_answer(event: Event) -> bool:
    return event.what in ("action", "option") and bool(event.sentence) and not event.goes_on and not event.is_untold


def _head(playback: Playback) -> tuple[str, str]:
    """Returns the title, and the players."""
    header, match = playback.again.log.header, playback.match
    bots = dict(header.bots)
    seats = (
        f"{name} ({bots[seat]})" if seat in bots else name
        for seat, name in zip(header.players, match.seat_names, strict=True)
    )
    agreed = "".join(f"; {name} = {value}" for name, value in header.options)
    return playback.title, f"{', '.join(seats)}{agreed}"


def _end(playback: Playback) -> str:
    """Returns the words for a game's ending, "" while it goes on."""
    match = playback.again.at(playback.path[-1])
    outcome = playback.looker.outcome(match)
    if outcome is None:
        return ""
    cited = f" [{', '.join(outcome.clauses)}]" if outcome.clauses else ""
    return f"The end: {ended(outcome, match.seat_names)}{cited}"


def _text(lines: Iterator[ToldLine], head: tuple[str, str], end: str) -> Iterator[str]:
    yield from (escaped(head[0]), escaped(head[1]), "")
    for line in lines:
        if line.is_heading:
            yield from ("", escaped(line.sentence))
            continue
        cited = f"  [{', '.join(line.clauses)}]" if line.clauses else ""
        told = "   ".join(part for part in (line.sentence, "; ".join(line.changes)) if part)
        yield "  " * line.depth + escaped(told) + cited
    if end:
        yield from ("", escaped(end))


def _markdown(lines: Iterator[ToldLine], head: tuple[str, str], end: str) -> Iterator[str]:
    yield from (f"# {_marked(head[0])}", "", _marked(head[1]), "")
    base: int | None = None
    """The depth of the first line below a heading, at which the list begins."""
    for line in lines:
        if line.is_heading:
            yield from ("", f"## {_marked(line.sentence)}", "")
            base = None
            continue
        base = line.depth if base is None else min(base, line.depth)
        changes = f"*{_marked('; '.join(line.changes))}*" if line.changes else ""
        cited = f"[{', '.join(line.clauses)}]" if line.clauses else ""
        told = " ".join(part for part in (_marked(line.sentence), changes, _marked(cited)) if part)
        yield "  " * (line.depth - base) + f"- {told}"
    if end:
        yield from ("", f"**{_marked(end)}**")


def _marked(text: str) -> str:
    """Returns text escaped so that Markdown shows it as it is."""
    return SPECIAL.sub(r"\\\1", escaped(text))
