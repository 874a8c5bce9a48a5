"""Letters typed at random places of the largest game -> the times of what an editor asks after each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import process_time

NAME = "typing in exit_velocity"
GAME = "exit_velocity"
LETTERS = 60
"""The letters that are typed."""
SEED = 1


def typing() -> dict[str, float]:
    """Returns milliseconds of the CPU from a letter that is typed or deleted to the diagnostics, and to what is asked then.

    Each letter is taken back before the next one, so that the texts are whole most of the time, as in an editor.
    """
    from rulelang.language_service.completion import completions
    from rulelang.language_service.hover import hover
    from rulelang.language_service.service import LanguageService
    from rulelang.texts.reader import find_entry

    service, entry, rng = LanguageService(), find_entry(GAME).resolve(), Random(SEED)
    service.open(entry, entry.read_text(encoding="utf-8"))
    service.faults(entry)
    texts = _texts(service, entry)
    taken: dict[str, list[float]] = {}

    def timed(what: str, ask: Callable[[], object]) -> None:
        start = process_time()
        ask()
        taken.setdefault(what, []).append((process_time() - start) * 1000)

    for _ in range(LETTERS):
        path, text = rng.choices(texts, [len(text) for _, text in texts])[0]
        at = rng.randrange(len(text))
        letter = rng.choice("abcdefghijklmnopqrstuvwxyz0123456789 ")
        new = text[:at] + letter + text[at:] if rng.randrange(2) else text[:at] + text[at + 1 :]
        service.open(path, new)
        timed("diagnostics", lambda path=path: service.first_faults(path))  # type: ignore[misc]
        place = service.documents[path].place(at)
        timed("completion", lambda path=path, place=place: completions(service, path, place))  # type: ignore[misc]
        timed("hover", lambda path=path, place=place: hover(service, path, place))  # type: ignore[misc]
        timed("definition", lambda path=path, place=place: service.definition(path, place))  # type: ignore[misc]
        service.open(path, text)
        service.first_faults(path)
    found = {}
    for what, times in taken.items():
        found[f"{NAME}, to its {what}: median"] = median(times)
        found[f"{NAME}, to its {what}: 95 of 100"] = quantiles(times, n=20)[-1]
    return found


def _texts(service: object, entry: Path) -> list[tuple[Path, str]]:
    """Returns the files of the game itself, without its variants and scenarios."""
    from rulelang.language_service.service import LanguageService

    assert isinstance(service, LanguageService)
    loaded = service.workspace.loaded(entry)
    apart = {one.span.source.name for one in (*loaded.variants, *loaded.scenarios)}
    pairs = zip(loaded.paths, loaded.sources, strict=True)
    return [(path, source.text) for path, source in pairs if source.name not in apart]
