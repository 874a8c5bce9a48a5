"""Questions about the present step of a replay: why an event
happened, a value is what it is, an option is not legal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...reason import lines_of, reason_for

if TYPE_CHECKING:
    from rulelang.workbench.playback import Playback


def why(playback: Playback, what: str) -> list[str]:
    """Returns the answer to a question about the present step, in lines; raises RulelangError if there is none."""
    from rulelang.errors import UnknownOption
    from rulelang.workbench.reasons.why import ALL, Asker, NoReason

    looker = playback.looker
    match = playback.again.positions[playback.step].match
    try:
        return list(lines_of(reason_for(match, what, ALL if looker.sees_all else Asker(looker.seat))))
    except NoReason as error:
        raise UnknownOption(str(error)) from None
