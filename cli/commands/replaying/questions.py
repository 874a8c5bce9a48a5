"""Questions about the step of a replay where one is: why an event, why a value, why an option was not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...reason import lines_of

if TYPE_CHECKING:
    from rulelang.workbench.playback import Playback


def why(playback: Playback, what: str) -> list[str]:
    """Returns the answer to a question about the step where one is, in lines; raises RulelangError for none."""
    from rulelang.errors import UnknownOption
    from rulelang.workbench.reasons.why import ALL, Asker, NoReason
    from rulelang.workbench.reasons.why import why as reason_for

    looker = playback.looker
    match = playback.again.positions[playback.step].match
    try:
        return list(lines_of(reason_for(match, what, ALL if looker.sees_all else Asker(looker.seat))))
    except NoReason as error:
        raise UnknownOption(str(error)) from None
