"""A checked game and the tree of its texts after an edit -> their diagnostics, with only the edited bodies looked at again.

    diagnostics_after(bases, fresh)     what a check from nothing finds; None if it must be asked

An edit mostly changes the body of one declaration, and nothing that others read of it. Then their faults are those of
before, at the places where their lines lie now.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

import attrs

from rulelang.diagnostics.model import Diagnostic, Label
from rulelang.driver.chain import Unit, all_faults
from rulelang.driver.collector import held_back
from rulelang.semantics.game import Resolved, faults_in, resolve
from rulelang.semantics.reach import reached
from rulelang.semantics.relowering import Relowered, relowered
from rulelang.source import NOWHERE, SourceText, Span
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import rewrite
from rulelang.workspace.shifts import Shift
from rulelang.workspace.words import differ_in_words

_Found = tuple[str, tuple[Diagnostic, ...]]
_Pairs = Sequence[tuple[nodes.Declaration, nodes.Declaration]]


class _Gone(Exception):
    """A place that the edit has touched."""


def is_base(unit: Unit) -> bool:
    """Returns whether a unit was checked, is whole and has no errors, so that later texts can be compared with it."""
    is_sound = unit.lowered is not None and (unit.unfolded is not None or not unit.has_passed("unfold"))
    return is_sound and unit.has_passed("check") and not _lost(unit) and unit.written is not None


def diagnostics_after(bases: Iterable[Unit], fresh: Unit) -> tuple[tuple[Diagnostic, ...], Unit] | None:
    """Returns the diagnostics of a patched unit whose texts come of those of one of the bases (`is_base`) by edits, and that
    base; None if more than bodies may have changed."""
    changed = [(pairs, base) for base in bases if (pairs := _changed(base, fresh)) is not None]
    for pairs, base in sorted(changed, key=lambda one: len(one[0])):
        if _is_cut(fresh) and any(found for _, found in _late(base)):
            continue
        with held_back(), suppress(_Gone):
            found = (*fresh.found, *_again(base, fresh, pairs))
            return attrs.evolve(fresh, found=found).diagnostics, base
    for base in itertools.islice(bases, 1):
        if _differ_in_words(base, fresh):
            continue  # they are hardly wrong
        with held_back(), suppress(_Gone):
            found = (*fresh.found, *_of_reached(base, fresh))
            return attrs.evolve(fresh, found=found).diagnostics, base
    return None


def _lost(unit: Unit) -> bool:
    return any(unread.of != "scenario" for unread in unit.unread)


def _is_cut(unit: Unit) -> bool:
    """Returns whether lines of a unit, or parts of lines, could not be read."""
    return _lost(unit) or unit.has_gaps


def _late(unit: Unit) -> list[_Found]:
    """Returns the diagnostics of all arrows that look at the whole game."""
    return [found for found in unit.found if found[0] not in ("parse", "patch")]


def _changed(base: Unit, fresh: Unit) -> _Pairs | None:
    """Returns the declarations that differ in more than words for people, old and new; None if some came or went."""
    if base.patched is None or fresh.patched is None:
        return None
    old, new = base.patched.module.declarations, fresh.patched.module.declarations
    if len(old) != len(new):
        return None
    unlike = [(a, b) for a, b in zip(old, new, strict=True) if a is not b and a != b]
    return [(a, b) for a, b in unlike if not differ_in_words(a, b)]


def _again(base: Unit, fresh: Unit, pairs: _Pairs) -> list[_Found]:
    """Returns the diagnostics of the arrows behind `patch`; raises _Gone if they do not follow from those of before."""
    moves = _Moves.between(base, fresh)
    if not pairs:
        return [(arrow, moves.all(found)) for arrow, found in _late(base)]
    assert base.resolved is not None
    assert base.written is not None
    assert fresh.patched is not None
    world = attrs.evolve(base.resolved.world, is_whole=not _lost(fresh))
    made = relowered(attrs.evolve(base.resolved, world=world), base.written, fresh.patched.module, pairs)
    if made is None:
        raise _Gone
    kept = {arrow: _outside(found, pairs) for arrow, found in base.found}
    lowered = (*moves.all(kept.get("lower", ())), *moves.all(made.diagnostics))
    early: list[_Found] = [("resolve", moves.all(kept.get("resolve", ()))), ("lower", lowered)]
    if made.game is None or not fresh.is_whole:
        return early
    return [*early, *((arrow, moves.all(found)) for arrow, found in _checked(base, fresh, made))]


def _of_reached(base: Unit, fresh: Unit) -> list[_Found]:
    """Returns the diagnostics of `resolve` and `lower` after an edit of any declarations, if they are all that is told:
    there are errors, or lines that cannot be read. Raises _Gone otherwise."""
    if fresh.patched is None or base.patched is None or base.resolved is None or fresh.has_errors != _is_cut(fresh):
        raise _Gone
    if _is_cut(fresh) and any(found for _, found in _late(base)):
        raise _Gone
    resolved = resolve(fresh.patched.module)
    if resolved.header is None:
        raise _Gone
    old, new = base.patched.module.declarations, fresh.patched.module.declarations
    first, last = _unlike(old, new)
    gone, came = old[first : len(old) - last], new[first : len(new) - last]
    known = reached(base.resolved.world, resolved.world, gone, came, new)
    if known is None:
        raise _Gone
    again = faults_in(resolved, lambda node: id(node) in known)
    if not _is_cut(fresh) and not any(one.is_error for one in (*resolved.diagnostics, *again)):
        raise _Gone
    kept = (
        *zip(old[:first], new[:first], strict=True),
        *zip(old[len(old) - last :], new[len(new) - last :], strict=True),
    )
    looked_at = [pair for pair in kept if id(pair[1]) in known]
    outside = _outside(dict(base.found).get("lower", ()), [*looked_at, *((one, one) for one in gone)])
    return [("resolve", resolved.diagnostics), ("lower", (*_Moves.between(base, fresh).all(outside), *again))]


def _differ_in_words(base: Unit, fresh: Unit) -> bool:
    """Returns whether two games differ in words for people and clauses alone."""
    pairs = _changed(base, fresh)
    return pairs is not None and rewrite(tuple(a for a, _ in pairs), _bare) == rewrite(
        tuple(b for _, b in pairs), _bare
    )


def _bare(node: nodes.Node) -> nodes.Node:
    """Returns a text without its plain pieces, a citation without its clause, and any other node itself."""
    match node:
        case nodes.TextNode(parts=parts):
            return attrs.evolve(node, raw="", parts=tuple(part for part in parts if not isinstance(part, str)))
        case nodes.CiteNode():
            return attrs.evolve(node, id="")
        case _:  # no other node is only read by people
            return node


def _unlike(old: Sequence[nodes.Declaration], new: Sequence[nodes.Declaration]) -> tuple[int, int]:
    """Returns how many declarations are alike at the beginning of two games, and at their ends."""
    most = min(len(old), len(new))
    first = next((at for at in range(most) if old[at] is not new[at] and old[at] != new[at]), most)
    most -= first
    last = next((at for at in range(most) if old[-1 - at] is not new[-1 - at] and old[-1 - at] != new[-1 - at]), most)
    return first, last


def _checked(base: Unit, fresh: Unit, made: Relowered) -> list[_Found]:
    """Returns the diagnostics of the checks of the whole game, partly at old places."""
    assert fresh.patched is not None
    assert base.resolved is not None
    resolved = Resolved(fresh.patched.module, base.resolved.header, made.world, ())
    unit = attrs.evolve(fresh, resolved=resolved, lowered=made.game, found=(), notes=base.notes)
    return list(all_faults(unit).found)


def _outside(found: Iterable[Diagnostic], pairs: _Pairs) -> list[Diagnostic]:
    """Returns the diagnostics that lie in none of the old declarations."""
    return [one for one in found if not any(old.span.holds(one.span) for old, _ in pairs)]


@attrs.frozen
class _Moves:
    """The present texts, and the edits that made them of old ones."""

    now: Mapping[str, SourceText]
    """By name: the present texts."""
    shifts: Mapping[str, tuple[SourceText, Shift]]
    """By name: the old text, and what has become of it, of those that changed."""

    @classmethod
    def between(cls, base: Unit, fresh: Unit) -> _Moves:
        assert base.loaded is not None
        assert fresh.loaded is not None
        now = {source.name: source for source in fresh.loaded.sources}
        changed = [one for one in base.loaded.sources if one.name in now and now[one.name] is not one]
        return cls(now, {one.name: (one, Shift.between(one.text, now[one.name].text)) for one in changed})

    def all(self, found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """Returns diagnostics where their places lie now; raises _Gone if the edit has touched one."""
        return tuple(
            attrs.evolve(one, primary=self._label(one.primary), labels=tuple(map(self._label, one.labels)))
            for one in found
        )

    def _label(self, label: Label) -> Label:
        span = self._span(label.span)
        return label if span is label.span else Label(span, label.text)

    def _span(self, span: Span) -> Span:
        if span.source is self.now.get(span.source.name) or span is NOWHERE:
            return span
        old, shift = self.shifts.get(span.source.name, (None, None))
        moved = None if shift is None or span.source is not old else shift.span(span, self.now[span.source.name])
        if moved is None:
            raise _Gone
        return moved
