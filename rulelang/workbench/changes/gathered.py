"""Diagnoses a game under variants: each fault in files that are not the author's once, at the operation that causes it.

in Bonus if power == nitro: copies = 0      83 errors in nine files of the game, all because of this line
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import attrs

from rulelang.api import Checked, Game
from rulelang.diagnostics.model import Diagnostic, Label
from rulelang.rulebook.ledger import check_citations, check_silence
from rulelang.scenarios.run import lower_all
from rulelang.texts.loading import Loaded
from rulelang.workbench.changes.edits import Edits


def gathered(found: Iterable[Diagnostic], loaded: Loaded, variants: tuple[str, ...]) -> tuple[Diagnostic, ...]:
    """Returns the diagnostics, with errors in the game's own files gathered at the operations that cause them.

    Errors that no operation alone brings about, and all else, stay as they are.
    """
    everything = tuple(found)
    mine = {variant.span.source.name for variant in loaded.variants if variant.name.text in variants}
    foreign = [d for d in everything if d.is_error and d.span.source.name not in mine]
    if not foreign or not variants:
        return everything
    edits = Edits.of_loaded(loaded, variants)
    left = {_key(d): d for d in foreign}
    told: list[Diagnostic] = []
    for number, edit in enumerate(edits.all):
        remaining = {_key(d) for d in all_of(edits.checked(set(range(len(edits.all))) - {number})) if d.is_error}
        gone = [d for key, d in left.items() if key not in remaining]
        if gone:
            first = gone[0]
            more = f" (and {len(gone) - 1} more in files of the game)" if len(gone) > 1 else ""
            label, primary = Label(first.span, "the first one"), Label(edit.span, "because of this")
            help = "change what uses it too; scenarios that no longer hold are voided by `rulelang test --void`"
            told.append(
                attrs.evolve(first, message=first.message + more, primary=primary, labels=(label,), help=help, fix=None)
            )
            for d in gone:
                del left[_key(d)]
    kept = [d for d in everything if d not in foreign or _key(d) in left]
    return (*kept, *told)


def each_once(
    loaded: Loaded,
    combinations: Iterable[tuple[str, ...]],
    check: Callable[[tuple[str, ...]], Checked],
    of_scenarios: Callable[[Game], Iterable[Diagnostic]],
) -> tuple[Diagnostic, ...]:
    """Returns the diagnostics of a game under each combination of its variants, with scenarios and ledger, by file and
    place.

    What several combinations share stands there once; `check` and `of_scenarios` say what is wrong with one of them.
    """
    found: dict[tuple[str, int, str, str], Diagnostic] = {}
    for combination in combinations:
        checked = check(combination)
        game = checked.game
        scenarios = of_scenarios(game) if game is not None else ()
        ledger = (*check_citations(game), *check_silence(game)) if game is not None and not combination else ()
        for d in gathered((*checked.diagnostics, *scenarios, *ledger), loaded, combination):
            found.setdefault((d.span.source.name, d.span.start, d.code, d.message), d)
    return tuple(found[key] for key in sorted(found))


def all_of(checked: Checked) -> tuple[Diagnostic, ...]:
    """Returns the diagnostics of rules and, if they can be checked, of their scenarios."""
    return (*checked.diagnostics, *(lower_all(checked.game) if checked.game is not None else ()))


def _key(diagnostic: Diagnostic) -> tuple[str, int, str]:
    return diagnostic.span.source.name, diagnostic.span.start, diagnostic.code
