"""A word on the screen -> what it is: things, members, variables, actions, options, clauses, by their names or as they are written.

    explained(match, 0, "nitro")     Explained("nitro", "power", "One zone forward", (), ("OS-7.30",))
    explained(match, 0, "12")        Explained("12", "number", "", ("Red's fuel", "things in the bonus stack"))

All of it goes through one seat's eyes.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.ir import model as ir
from rulelang.ir.numbers import Seat, Thing
from rulelang.ir.types import NONE, EnumType, IntType
from rulelang.knowledge.redaction import back, name_of, plain, said_cell, said_zone, thing_name, zone_name
from rulelang.match import inputs
from rulelang.match.match import BareMatch
from rulelang.match.view import Eyes, heaps_of, variables_of
from rulelang.program.layout import index_at
from rulelang.program.values import clean
from rulelang.screens.picture import on_screen

BOX = "box"
MOST_VALUES = 6
"""Values of a variable that are told."""


@attrs.frozen
class Explained:
    """An explanation: a name, its sort, its text, facts about it, clauses."""

    name: str
    sort: str
    text: str = ""
    facts: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()


def explained(match: BareMatch, seat: int | None, word: str) -> tuple[Explained, ...]:
    """Returns all that goes by a word, best first; () where nothing does."""
    wanted, viewer = _bare(word), inputs.viewer(seat, match.players)
    if not wanted:
        return ()
    found = [one for one in _all(match, viewer) if wanted in (_bare(one[0]), _bare(one[1].name))]
    if wanted.isdecimal() and wanted.isascii():
        found += ((wanted, one) for one in _with_number(match, viewer, int(wanted)))
    if not found:
        found = [one for one in _all(match, viewer) if _bare(one[1].name).startswith(wanted)]
    return tuple(dict.fromkeys(one for _, one in found))


def _bare(word: str) -> str:
    words = plain(word.strip().strip("?!.").casefold()).split()
    return " ".join(words[1:] if words[:1] in (["the"], ["a"], ["an"]) and len(words) > 1 else words)


def _all(match: BareMatch, seat: Seat | None) -> Iterator[tuple[str, Explained]]:
    """Yields everything that has a name, each with how it is written."""
    yield from _things(match, seat)
    yield from _members(match, seat)
    yield from _variables(match, seat)
    yield from _zones(match, seat)
    yield from _dice(match.game)
    yield from _rules(match)
    yield from _clauses(match)


def _things(match: BareMatch, seat: Seat | None) -> Iterator[tuple[str, Explained]]:
    eyes = Eyes(match.position, seat)
    for kind in match.game.kinds:
        seen: set[str] = set()
        for thing in map(Thing, range(kind.size if kind.id or match.players == kind.size else match.players)):
            name = thing_name(kind, thing)
            if name in seen:
                continue
            seen.add(name)
            text = eyes.read(kind.texts[thing]) if thing < len(kind.texts) else ""
            yield kind.names[thing], Explained(name, clean(kind.label), text, tuple(_printed(match.game, kind, thing)))
        yield kind.name, Explained(clean(kind.label), "kind", facts=(f"{len(seen)} of them: {_some(sorted(seen))}",))


def _printed(game: ir.GameRules, kind: ir.Kind, thing: Thing) -> Iterator[str]:
    for name, table, type in kind.columns:
        value = game.tables[table].values[thing]
        if value != NONE:
            yield f"{plain(name)} {name_of(value, type, game)}"


def _some(names: list[str]) -> str:
    more = f" and {len(names) - MOST_VALUES} more" if len(names) > MOST_VALUES else ""
    return ", ".join(names[:MOST_VALUES]) + more


def _members(match: BareMatch, seat: Seat | None) -> Iterator[tuple[str, Explained]]:
    eyes = Eyes(match.position, seat)
    types = (node for state in match.game.states for node in (state.type, *state.dimensions))
    columns = (type for kind in match.game.kinds for _, _, type in kind.columns)
    written = {type.name: type.members for type in (*types, *columns) if isinstance(type, EnumType)}
    for enum in match.game.enums:
        for i, called in enumerate(enum.called):
            names = written.get(enum.name, enum.called)
            text = eyes.read(enum.texts[i]) if i < len(enum.texts) else ""
            yield names[i], Explained(clean(called), clean(enum.label), text, (), enum.clauses[i])


def _variables(match: BareMatch, seat: Seat | None) -> Iterator[tuple[str, Explained]]:
    eyes = Eyes(match.position, seat)
    for state in match.game.states:
        if state.builtin or state.scratch:
            continue
        values: list[str] = []
        for at in range(min(match.layout.state_sizes[state.id], MOST_VALUES)):
            index = tuple(ir.Const(value) for value, _ in index_at(state.dimensions, at))
            value = eyes.read(ir.Template((ir.Read(state.id, index),), (state.type,)))
            values.append(f"{said_cell(match.game, state, at)}: {value}")
        clauses = match.game.sites[state.site].clauses if state.site < len(match.game.sites) else ()
        yield (
            state.name,
            Explained(
                clean(state.called) or plain(state.name), "variable", eyes.read(state.text), tuple(values), clauses
            ),
        )


def _with_number(match: BareMatch, seat: Seat | None, number: int) -> Iterator[Explained]:
    """Yields everything on the screen that has a number, as far as the seat may know: variables, and the sizes of zones."""
    shown, game = on_screen(match.game), match.game
    known = {seen.name: seen.value for seen in variables_of(match.position, seat)}
    cells = [
        said_cell(game, state, at)
        for state, at, name in match.visibility.cells
        if state.name in shown and isinstance(state.type, IntType) and known.get(name) == number
    ]
    heaps = {heap.name: len(heap.things) for heap in heaps_of(match.position, seat, thing_name)}
    piles = [
        said_zone(game, zone, at)
        for zone, at, name in match.visibility.heaps
        if zone.name != BOX and number and heaps.get(name) == number
    ]
    places = [*cells, *(f"things in {pile}" for pile in piles)]
    if places:
        yield Explained(str(number), "number", facts=tuple(places[:MOST_VALUES]))


def _zones(match: BareMatch, seat: Seat | None) -> Iterator[tuple[str, Explained]]:
    """Yields the zones, with how many things lie in each: that is for all to see."""
    eyes = Eyes(match.position, seat)
    heaps = {heap.name: len(heap.things) for heap in heaps_of(match.position, seat, thing_name)}
    for zone in match.game.zones:
        if zone.name == BOX:
            continue
        facts: list[str] = []
        for instance in range(min(match.layout.zone_sizes[zone.id], MOST_VALUES)):
            count = heaps.get(zone_name(match.game, zone, instance), 0)
            kind = match.game.kinds[zone.kind]
            noun = clean(kind.label) if count == 1 else back(kind)[1]
            facts.append(f"{said_zone(match.game, zone, instance)}: {count} {noun}")
        clauses = match.game.sites[zone.site].clauses if zone.site < len(match.game.sites) else ()
        name = clean(zone.called) or plain(zone.name)
        yield zone.name, Explained(name, zone.form, eyes.read(zone.text), tuple(facts), clauses)


def _dice(game: ir.GameRules) -> Iterator[tuple[str, Explained]]:
    for die in game.dice:
        faces = (f"faces {', '.join(map(str, die.faces))}",)
        yield f"{plain(die.name)} die", Explained(f"{plain(die.name)} die", "die", facts=faces)
        yield die.name, Explained(f"{plain(die.name)} die", "die", facts=faces)


def _rules(match: BareMatch) -> Iterator[tuple[str, Explained]]:
    for rule in match.game.rules:
        if rule.what in ("action", "option", "verb", "phase"):
            needs = tuple(dict.fromkeys(_needs(match.game, rule)))
            clauses = tuple(dict.fromkeys(rule.clauses))
            yield rule.name, Explained(plain(rule.name), rule.what, _heading(rule), needs, clauses)


def _heading(rule: ir.Rule) -> str:
    """Returns the heading of a rule, with the names of its holes."""
    if rule.label is None:
        return ""
    names = {v.id: v.name for v in (*rule.parameters, *rule.around)}
    parts = (p if isinstance(p, str) else names.get(getattr(p, "id", -1), "…") for p in rule.label.parts)
    return clean("".join(parts))


def _needs(game: ir.GameRules, rule: ir.Rule) -> Iterator[str]:
    for choice in game.choices:
        for branch in choice.branches:
            if branch.rule == rule.id:
                for need in branch.needs:
                    said = "".join(p if isinstance(p, str) else "…" for p in need.message.parts) if need.message else ""
                    cited = ", ".join(need.clauses or game.sites[need.site].clauses)
                    yield f"forbidden: {clean(said) or 'by a rule'}" + (f" [{cited}]" if cited else "")


def _clauses(match: BareMatch) -> Iterator[tuple[str, Explained]]:
    found: dict[str, list[str]] = {}
    for site in match.game.sites:
        for clause in site.clauses:
            lines = found.setdefault(clause, [])
            line = " ".join(site.span.text.split("\n")[0].split())
            if line and line not in lines:
                lines.append(line)
    for clause, lines in found.items():
        yield clause, Explained(clause, "clause", "", tuple(lines[:MOST_VALUES]))
