"""`void` lines -> the files of their variants, at the end of each variant.

variant rich of outspeed "Rich":
  constant starting_fuel = 15
  void "six fuel are left" because "starting_fuel is 15"        this line is written
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rulelang import disk
from rulelang.api import Game
from rulelang.source import SourceText
from rulelang.syntax import nodes


def written(game: Game, lines: Iterable[tuple[str, str]]) -> Iterator[tuple[Path, int]]:
    """Writes lines, each with the name of its variant, into the files; yields each file and the number of lines added.

    A file is written whole or not at all. Raises OSError with the file's path.
    """
    loaded = game.internals.whole.loaded
    paths = dict(zip(loaded.sources, loaded.paths, strict=True))
    variants = {variant.name.text: variant for variant in loaded.variants}
    by_file: dict[SourceText, dict[int, list[str]]] = {}
    for name, line in lines:
        variant = variants[name]
        by_file.setdefault(variant.span.source, {}).setdefault(_end(variant), []).append(line)
    for source, found in by_file.items():
        text = source.text
        for at, some in sorted(found.items(), reverse=True):
            text = text[:at] + "".join(f"\n  {line}" for line in some) + text[at:]
        path = paths[source]
        disk.replace(path, text.encode())
        yield path, sum(map(len, found.values()))


def _end(variant: nodes.VariantDeclaration) -> int:
    """Returns the end of a variant's last line."""
    text = variant.span.source.text
    last = variant.operations[-1].span.end if variant.operations else variant.span.end
    while last > 0 and text[last - 1] in "\n ":
        last -= 1
    end = text.find("\n", last)
    return len(text) if end < 0 else end
