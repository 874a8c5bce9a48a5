"""The folder of a study that is being played -> its figures so far, in a few words.

so_far(folder)        "win(first) 52.1 % (50.3 to 53.9), length 17.2 (17.0 to 17.4)"
"""

from __future__ import annotations

from rulelang.studies.figures.metrics import wins_and_length
from rulelang.studies.figures.tables import tables_of
from rulelang.studies.reports.sentences import interval, shown
from rulelang.studies.storage import Folder


def so_far(folder: Folder) -> str:
    """Returns how often the first seat wins and how long games are, in the first cell; "" if no game is there yet."""
    facts = folder.facts()
    first = facts["cells"][0]
    tables = tables_of(folder, first["number"], tuple(facts["seats"][: first["players"]]), names=("games",))
    told = wins_and_length(tables) if tables is not None else {}
    return ", ".join(f"{name} {shown(name, one)} ({interval(name, one)})" for name, one in told.items())
