"""The diagnostics of a game with variants -> each fault in files of the base game once, at the operation that causes
it.

in Bonus if power == nitro: copies = 0      83 errors in nine files of the game, all because of this line

If all of these are in scenarios, the game can be played, so
they count as scenarios that the variant changes: a warning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from typing import TypeAlias

import attrs

from rulelang.api import Checked, Game
from rulelang.diagnostics.model import Diagnostic, Label
from rulelang.rulebook.ledger import check_citations, check_silence
from rulelang.scenarios.run import lower_all
from rulelang.semantics.lints.unused import check_unused
from rulelang.source import Span
from rulelang.syntax.recovery.follow import without_followers
from rulelang.texts.loading import Loaded
from rulelang.texts.shipped import LIBRARY
from rulelang.workbench.changes.edits import Edit, Edits

_Key: TypeAlias = tuple[str, int, str]


def gathered(
    found: Iterable[Diagnostic], loaded: Loaded, variants: tuple[str, ...], alone: Container[_Key] = ()
) -> tuple[Diagnostic, ...]:
    """Returns the diagnostics, with errors in the game's own files gathered at the operations that cause them.

    Errors that no single operation causes, and all other diagnostics, stay as they are; so do those that the game has
    `alone`, which no operation can cause.
    """
    everything = tuple(found)
    mine = {variant.span.source.name for variant in loaded.variants if variant.name.text in variants}
    scenarios = tuple(scenario.span for scenario in loaded.scenarios)

    def is_foreign(d: Diagnostic) -> bool:
        return d.span.source.name not in mine or any(scenario.holds(d.span) for scenario in scenarios)

    foreign = [d for d in everything if d.is_error and is_foreign(d) and _key(d) not in alone]
    if not foreign or not variants:
        return everything
    left = {_key(d): d for d in foreign}
    told: list[Diagnostic] = []
    for edit, remaining in _without_each(Edits.of_loaded(loaded, variants), {_key(d) for d in everything}):
        gone = [d for key, d in left.items() if key not in remaining]
        if gone:
            told.append(_told(gone, edit, scenarios))
            for d in gone:
                del left[_key(d)]
        if not left:
            break
    kept = [d for d in everything if d not in foreign or _key(d) in left]
    return (*kept, *told)


def _without_each(edits: Edits, known: set[_Key]) -> Iterator[tuple[Edit, set[_Key]]]:
    """Yields each edit with the errors that remain without it; edits on which no other edit depends come first.

    Edits that depend on it, and so have errors of their own without it, are removed together with it, such as the row
    of a new thing that shows a new member of an enum. If errors caused by its absence still remain, it is left out.
    """
    needed = []
    for number, edit in enumerate(edits.all):
        found = all_of(edits.checked(_all_but(edits, {number})))
        if _fresh(found, known):
            needed.append(number)
        else:
            yield edit, {_key(d) for d in found if d.is_error}
    for number in needed:
        taken = {number}
        while True:
            found = all_of(edits.checked(_all_but(edits, taken)))
            fresh = _fresh(found, known)
            more = {at for at, edit in enumerate(edits.all) if any(edit.span.holds(d.span) for d in fresh)} - taken
            if not more:
                break
            taken |= more
        if not fresh:
            yield edits.all[number], {_key(d) for d in found if d.is_error}


def _all_but(edits: Edits, taken: set[int]) -> frozenset[int]:
    return frozenset(range(len(edits.all))) - taken


def _fresh(found: Iterable[Diagnostic], known: set[_Key]) -> list[Diagnostic]:
    return [d for d in found if d.is_error and _key(d) not in known]


def _told(gone: list[Diagnostic], edit: Edit, scenarios: tuple[Span, ...]) -> Diagnostic:
    """Returns the diagnostic at an operation for the errors that disappear without it."""
    most = Counter(d.message for d in gone).most_common(1)[0][0]
    first = next(d for d in gone if d.message == most)
    touched = [scenario for scenario in scenarios if any(scenario.holds(d.span) for d in gone)]
    if all(any(scenario.holds(d.span) for scenario in touched) for d in gone):
        many = f"{len(touched)} scenarios" if len(touched) > 1 else "a scenario"
        message = f"{many} of the game cannot be read any more: {first.message}"
        help = "`rulelang test --void` prints the lines that void what no longer holds"
        return Diagnostic("W0610", message, Label(edit.span, "because of this"), (Label(first.span, "here"),), help)
    more = f" (and {len(gone) - 1} more in files of the game)" if len(gone) > 1 else ""
    return attrs.evolve(
        first,
        message=first.message + more,
        primary=Label(edit.span, "because of this"),
        labels=(Label(first.span, "the first one"),),
        help="change what uses it too; scenarios that no longer hold are voided by `rulelang test --void`",
        fix=None,
    )


def each_once(
    loaded: Loaded,
    combinations: Iterable[tuple[str, ...]],
    check: Callable[[tuple[str, ...]], Checked],
    of_scenarios: Callable[[Game], Iterable[Diagnostic]],
) -> tuple[Diagnostic, ...]:
    """Returns the diagnostics of a game under each combination of
    its variants, with scenarios and ledger, by file and place.

    Diagnostics that several combinations share appear once; `check` and `of_scenarios` return those of one combination.
    """
    found: dict[tuple[str, int, str, str], Diagnostic] = {}
    alone: set[_Key] = set()
    for combination in combinations:
        checked = check(combination)
        game = checked.rules
        scenarios = without_followers(of_scenarios(game), loaded.module.unread) if game is not None else ()
        # A variant's line that could not be read may cite a clause, or use what nothing else does.
        is_read = not combination and not any(lost.of == "variant" for lost in loaded.module.unread)
        ledger = (*check_citations(game), *check_silence(game)) if game is not None and is_read else ()
        unused = _unused(game, loaded) if game is not None and is_read else ()
        everything = (*checked.diagnostics, *scenarios, *ledger, *unused)
        if not combination:
            alone = {_key(d) for d in everything if d.is_error}
        for d in gathered(everything, loaded, combination, alone):
            found.setdefault((d.span.source.name, d.span.start, d.code, d.message), d)
    return tuple(found[key] for key in sorted(found))


def _unused(game: Game, loaded: Loaded) -> tuple[Diagnostic, ...]:
    """Returns a warning of each declaration of the game's own that nothing uses: of a part of the library it may use
    what it likes."""
    found = check_unused(game.ir, loaded.module, (*loaded.variants, *loaded.scenarios))
    return tuple(one for one in found if not one.span.source.name.startswith(LIBRARY))


def all_of(checked: Checked) -> tuple[Diagnostic, ...]:
    """Returns the diagnostics of rules and, if they can be checked, of their scenarios."""
    return (*checked.diagnostics, *(lower_all(checked.game) if checked.game is not None else ()))


def _key(diagnostic: Diagnostic) -> _Key:
    return diagnostic.span.source.name, diagnostic.span.start, diagnostic.code
