"""A word on the screen -> its explanations: things, members, variables, actions, options, clauses with that name.

    explained(match, 0, "nitro")     Explained("nitro", "power", "One zone forward", (), ("OS-7.30",))
    explained(match, 0, "12")        Explained("12", "number", "", ("Red's fuel", "things in the bonus stack"))

Everything is explained as one seat may know it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import attrs

from rulelang.ir import model as ir
from rulelang.ir.numbers import Seat, Thing
from rulelang.ir.types import NONE, PLAYER, EnumType, FlagType, IntType, SetType, Type
from rulelang.knowledge.redaction import back, name_of, said_cell, said_value, said_zone, thing_name, zone_name
from rulelang.match import inputs
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.match.options.words import says, words_of
from rulelang.match.view import Eyes, heaps_of, variables_of
from rulelang.program.layout import index_at
from rulelang.program.packing import members
from rulelang.program.values import clean, plain
from rulelang.prose.prose import UNTIL, Prose
from rulelang.prose.words import plain_text
from rulelang.screens.build import NOTHING
from rulelang.screens.model import Part
from rulelang.screens.picture import on_screen, picture
from rulelang.screens.sights import LINE, lines, said, sights

BOX = "box"
OUT_OF_PLAY = "in the box, out of play"
EMPTY = ("no", "none", "nothing", "")
"""Printed values that need not be told."""
MOST_ROWS = 12
"""The most rows of a thing: more are a table to look things up in, and not what a card shows."""
CITING = "the lines of the rules that cite it"
"""What is said of a clause that no sentence of the rules cites."""
PLACES = ("row", "column")
"""The attributes of every space of a map with coordinates, which repeat its name."""
MOST_READ = 200
"""The most values of a variable that are looked at."""
MOST_VALUES = 6
"""The most values of a variable that are listed."""


@attrs.frozen
class Explained:
    """An explanation: a name, the noun for its bearer, its text, facts about it, clauses."""

    name: str
    noun: str
    text: str = ""
    facts: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    is_whole: bool = False
    """Whether it has everything that the screen shows of it."""


def explained(match: BareMatch, seat: int | None, word: str) -> tuple[Explained, ...]:
    """Returns the explanations of a word, best first; () if nothing has that name."""
    wanted, viewer = _bare(word), inputs.viewer(seat, match.players)
    if not wanted:
        return ()
    parts = picture(match, seat)
    all_names = tuple(_all(match, viewer, parts))
    found = _named(all_names, lambda written, one: wanted in (_bare(written), _bare(one.name)))
    seen = [Explained(one.name, one.noun, "", one.shown, is_whole=one.is_whole) for one in sights(parts, wanted)]
    found = _seen_too(found, seen)
    if wanted.isdecimal() and wanted.isascii():
        found += _with_number(match, viewer, int(wanted))
        found += [Explained(wanted, "on the screen", "", some)] if (some := lines(parts, wanted)) else []
    elif not found:
        found = _named(all_names, lambda _, one: _bare(one.name).startswith(wanted))
    shown = tuple(
        line
        for line in lines(parts, wanted)
        if not (seen and line.casefold().startswith(f"{wanted}:")) and not (found and line.casefold() == wanted)
    )
    if shown and not any(one.is_whole for one in found):
        found = [*(one for one in found if one.text or one.facts), Explained(word.strip(), "on the screen", "", shown)]
    found = found or [one for name, one in _values(match, viewer) if wanted in (_bare(name), _bare(one.name))]
    words = words_of(word)
    found = found or _named(all_names, lambda written, one: says(words, words_of(f"{written} {one.name}")))
    return tuple(dict.fromkeys(found))


def explained_option(match: BareMatch, option: Option) -> Explained:
    """Returns the explanation of a legal option: its cost and gain, the rules that forbid such options, its clauses."""
    seat = option.seat
    choice = match.choice
    assert choice is not None
    rule, shown = match.game.rules[choice.branches[option.answer[0]].rule], match.shown(seat)(option)
    return Explained(
        option.label,
        "answer",
        shown,
        tuple(dict.fromkeys(_needs(match.game, rule, Prose.of_game(match.game)))),
        rule.clauses,
    )


def _seen_too(found: list[Explained], seen: list[Explained]) -> list[Explained]:
    """Returns explanations with the facts that the screen shows, then those of names that only the screen has."""
    merged = list(found)
    for one in seen:
        at = next((i for i, other in enumerate(merged) if other.name == one.name and not other.is_whole), None)
        if at is None:
            merged.append(one)
        elif one.noun in (merged[at].noun, LINE) or not merged[at].facts:
            merged[at] = attrs.evolve(merged[at], facts=(*one.facts, *merged[at].facts))
    return merged


def _named(all_names: Iterable[tuple[str, Explained]], fits: Callable[[str, Explained], bool]) -> list[Explained]:
    return list(dict.fromkeys(one for written, one in all_names if fits(written, one)))


def _bare(word: str) -> str:
    words = plain(word.strip().strip("?!.").casefold()).split()
    return " ".join(words[1:] if words[:1] in (["the"], ["a"], ["an"]) and len(words) > 1 else words)


def _all(match: BareMatch, seat: Seat | None, parts: tuple[Part, ...]) -> Iterator[tuple[str, Explained]]:
    """Yields everything that has a name, each with its written form."""
    boxed, there = _boxed(match, seat), "\n".join(line for part in parts for line in said(part))
    yield from _things(match, seat, boxed)
    yield from _members(match, seat)
    yield from _variables(match, seat, boxed, there)
    yield from _zones(match, seat, boxed, there)
    yield from _dice(match.game)
    yield from _rules(match)
    yield from _clauses(match)


def _things(match: BareMatch, seat: Seat | None, boxed: frozenset[tuple[str, str]]) -> Iterator[tuple[str, Explained]]:
    eyes, shown = Eyes(match.position, seat), on_screen(match.game)
    for kind in match.game.kinds:
        seen: set[str] = set()
        for thing in map(Thing, range(kind.size if kind.id or match.players == kind.size else match.players)):
            name = thing_name(kind, thing)
            if name in seen:
                continue
            seen.add(name)
            text = eyes.read(kind.texts[thing]) if thing < len(kind.texts) else ""
            is_out = (kind.name, name) in boxed
            has = (OUT_OF_PLAY,) if is_out else tuple(_has(match, eyes, shown, kind, thing))
            facts = (*_printed(eyes, match.game, kind, thing), *_rows(eyes, match.game, kind, thing), *has)
            yield kind.names[thing], Explained(name, clean(kind.label), text, facts)
        yield kind.name, Explained(clean(kind.label), "kind", facts=(f"{len(seen)} of them: {_some(sorted(seen))}",))


def _boxed(match: BareMatch, seat: Seat | None) -> frozenset[tuple[str, str]]:
    """Returns the kinds and names of the things that are in the box, as far as a seat may know, and nowhere else."""
    there: dict[bool, set[tuple[str, str]]] = {True: set(), False: set()}
    for heap in heaps_of(match.position, seat, thing_name):
        there[heap.name == BOX or heap.name.startswith(f"{BOX}(")] |= {
            (heap.kind, name) for name in heap.things if name
        }
    return frozenset(there[True] - there[False])


def _printed(eyes: Eyes, game: ir.GameRules, kind: ir.Kind, thing: Thing) -> Iterator[str]:
    """Yields the printed attributes of a thing, except empty ones; of members that have a text, with it."""
    is_board = any(board.kind == kind.id for board in game.boards)
    for name, table, type in kind.columns:
        if is_board and name in PLACES:
            continue
        value = game.tables[table].values[thing]
        if value == NONE or name_of(value, type, game) in EMPTY:
            continue
        said = clean(game.tables[table].called) or plain(name)
        if isinstance(type, FlagType):
            yield said
            continue
        texts = list(_texts(eyes, game, value, type))
        yield from texts or [f"{said} {name_of(value, type, game)}"]


def _rows(eyes: Eyes, game: ir.GameRules, kind: ir.Kind, thing: Thing) -> Iterator[str]:
    """Yields the rows of data whose first key is a thing, each with its other keys, without its empty cells."""
    for data in game.data:
        keys: tuple[Type, ...] = tuple(parameter.type for parameter in data.parameters)
        if data.keys == len(keys) and getattr(keys[0], "name", "") == kind.name:
            at = [index_at(keys, i) for i, row in enumerate(data.rows) if row >= 0]
            own = [index for index in at if index[0][0] == thing]
            if len(own) <= MOST_ROWS:
                yield from filter(None, (_row(eyes, game, data, index) for index in own))


def _row(eyes: Eyes, game: ir.GameRules, data: ir.DataTable, index: tuple[tuple[int, Type], ...]) -> str:
    """Returns a row of data in words; "" if all its cells are empty."""
    key = tuple(ir.Const(value) for value, _ in index)
    said: list[str] = []
    for number, column in enumerate(data.columns):
        value = eyes.read(ir.Template((ir.Cell(data.id, number, key),), (column.type,)))
        called = clean(column.called) or plain(column.name)
        if value not in (*EMPTY, "0"):
            said.append(called if isinstance(column.type, FlagType) else f"{called} {value}")
    numbers = [name_of(value, type, game) for value, type in index[1:] if isinstance(type, IntType)]
    others = [name_of(value, type, game) for value, type in index[1:] if not isinstance(type, IntType)]
    head = ", ".join((" ".join((plain(data.name), *numbers)), *others))
    return f"{head}: {', '.join(said)}" if said else ""


def _texts(eyes: Eyes, game: ir.GameRules, value: int, type: Type) -> Iterator[str]:
    """Yields the members of a value that have texts, each with its text."""
    element = type.element if isinstance(type, SetType) else type
    enum = next((enum for enum in game.enums if isinstance(element, EnumType) and enum.name == element.name), None)
    for member in members(value) if isinstance(type, SetType) else [value]:
        text = "" if enum is None or member >= len(enum.texts) else eyes.read(enum.texts[member])
        if text:
            yield f"{name_of(member, element, game)}: {text}"


def _has(match: BareMatch, eyes: Eyes, shown: frozenset[str], kind: ir.Kind, thing: Thing) -> Iterator[str]:
    """Yields the variables of a thing whose changes are told, with their values, except empty ones."""
    for state in match.game.states:
        is_its = len(state.dimensions) == 1 and getattr(state.dimensions[0], "name", "") == kind.name
        if is_its and not state.builtin and not state.scratch and (not state.untold or state.name in shown):
            value = eyes.read(ir.Template((ir.Read(state.id, (ir.Const(thing),)),), (state.type,)))
            if value not in NOTHING:
                yield f"{clean(state.called) or plain(state.name)} {value}"


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
            facts = tuple(_bearers(match.game, enum.name, i, clean(called)))
            yield names[i], Explained(clean(called), clean(enum.label), text, facts, enum.clauses[i])


def _bearers(game: ir.GameRules, enum: str, member: int, called: str) -> Iterator[str]:
    """Yields the named things on which a member is printed, by the attribute that they have it as; not its namesakes."""
    for kind in game.kinds:
        if any(board.kind == kind.id for board in game.boards):
            continue
        for name, table, type in kind.columns:
            if isinstance(type, EnumType) and type.name == enum:
                own = [Thing(thing) for thing, value in enumerate(game.tables[table].values) if value == member]
                every = (thing_name(kind, thing) for thing in own if kind.names[thing].isidentifier())
                named = [name for name in dict.fromkeys(every) if name != called]
                if named:
                    yield f"{clean(game.tables[table].called) or plain(name)} of {_some(named)}"


def _variables(
    match: BareMatch, seat: Seat | None, boxed: frozenset[tuple[str, str]], there: str
) -> Iterator[tuple[str, Explained]]:
    eyes, shown = Eyes(match.position, seat), on_screen(match.game)
    for state in match.game.states:
        if state.scratch or (state.builtin and state.name not in shown):
            continue
        told = [] if state.until is None else [f"lasts {UNTIL[state.until]}"]
        for at in _foremost(match, boxed, there, state.dimensions, match.internals.layout.state_sizes[state.id]):
            index = tuple(ir.Const(value) for value, _ in index_at(state.dimensions, at))
            value = eyes.read(ir.Template((ir.Read(state.id, index),), (state.type,)))
            told.append(f"{said_cell(match.game, state, at)}: {_in_seconds(match.game, state, value)}")
        clauses = match.game.sites[state.site].clauses if state.site < len(match.game.sites) else ()
        yield (
            state.name,
            Explained(
                clean(state.called) or plain(state.name),
                "variable",
                eyes.read(state.text),
                tuple(told),
                clauses,
                is_whole=True,
            ),
        )


def _in_seconds(game: ir.GameRules, state: ir.StateVariable, value: str) -> str:
    """Returns the value of a variable; that of a clock in seconds, if anything runs against it."""
    number, clock = next(((n, one) for n, one in enumerate(game.clocks) if one.state == state.id), (None, None))
    if clock is not None and all(choice.clock != number for choice in game.choices):
        return "it does not run"
    per_second = 0 if clock is None else clock.per_second
    return f"{round(int(value) / per_second, 1):g} s" if per_second and value.isdecimal() else value


def _foremost(
    match: BareMatch, boxed: frozenset[tuple[str, str]], there: str, keys: tuple[Type, ...], count: int
) -> list[int]:
    """Returns the first instances of a variable or zone with such keys: of things on the screen, whose lines are `there`,
    then of others in play, which are not `boxed`."""
    names = {at: _names(match, keys, at) for at in range(min(count, MOST_READ))}
    in_play = [at for at, some in names.items() if some is not None and boxed.isdisjoint(some)]
    return sorted(in_play, key=lambda at: not any(name in there for _, name in names[at] or ()))[:MOST_VALUES]


def _names(match: BareMatch, keys: tuple[Type, ...], at: int) -> list[tuple[str, str]] | None:
    """Returns the kinds and names of an instance's keys; None if one is a seat that is not in the match."""
    index = index_at(keys, at)
    if any(getattr(type, "name", "") == PLAYER and value >= match.players for value, type in index):
        return None
    return [(getattr(type, "name", ""), name_of(value, type, match.game)) for value, type in index]


def _with_number(match: BareMatch, seat: Seat | None, number: int) -> Iterator[Explained]:
    """Yields everything on the screen with a given number that the seat may know: variables, and sizes of zones."""
    shown, game = on_screen(match.game), match.game
    known, boxed = {seen.name: seen.value for seen in variables_of(match.position, seat)}, _boxed(match, seat)
    cells = [
        said_cell(game, state, at)
        for state, at, name in match.visibility.cells
        if state.name in shown and isinstance(state.type, IntType) and known.get(name) == number
        if boxed.isdisjoint(_names(match, state.dimensions, at) or ())
    ]
    heaps = {heap.name: len(heap.things) for heap in heaps_of(match.position, seat, thing_name)}
    piles = [
        said_zone(game, zone, at)
        for zone, at, name in match.visibility.heaps
        if zone.name != BOX and not _is_on_board(game, zone) and number and heaps.get(name) == number
    ]
    places = [*cells, *(f"things in {pile}" for pile in piles)]
    if places:
        yield Explained(str(number), "number", facts=tuple(places[:MOST_VALUES]), is_whole=True)


def _is_on_board(game: ir.GameRules, zone: ir.Zone) -> bool:
    """Returns whether a zone is a space, or a slot, which holds one thing at most."""
    return zone.form == "slot" or any(zone.owner == game.kinds[board.kind].name for board in game.boards)


def _zones(
    match: BareMatch, seat: Seat | None, boxed: frozenset[tuple[str, str]], there: str
) -> Iterator[tuple[str, Explained]]:
    """Yields the zones with the number of things in each, which is public, and which they are where all are known."""
    eyes = Eyes(match.position, seat)
    heaps = {heap.name: heap.things for heap in heaps_of(match.position, seat, thing_name)}
    for zone in match.game.zones:
        if zone.name == BOX:
            continue
        facts: list[str] = []
        for instance in _foremost(match, boxed, there, zone.dimensions, match.internals.layout.zone_sizes[zone.id]):
            things = heaps.get(zone_name(match.game, zone, instance), ())
            kind = match.game.kinds[zone.kind]
            known = [name for name in things if name is not None]
            noun = clean(kind.label) if len(things) == 1 else back(kind)[1]
            which = f": {_some(known)}" if known and len(known) == len(things) else ""
            facts.append(f"{said_zone(match.game, zone, instance)}: {len(things)} {noun}{which}")
        clauses = match.game.sites[zone.site].clauses if zone.site < len(match.game.sites) else ()
        name = clean(zone.called) or plain(zone.name)
        yield zone.name, Explained(name, zone.form, eyes.read(zone.text), tuple(facts), clauses, is_whole=True)


def _dice(game: ir.GameRules) -> Iterator[tuple[str, Explained]]:
    for die in game.dice:
        faces = (f"faces {', '.join(map(str, die.faces))}",)
        yield f"{plain(die.name)} die", Explained(f"{plain(die.name)} die", "die", facts=faces)
        yield die.name, Explained(f"{plain(die.name)} die", "die", facts=faces)


def _rules(match: BareMatch) -> Iterator[tuple[str, Explained]]:
    """Yields the rules with words for people, each by its name and by its first words on the screen."""
    prose = Prose.of_game(match.game)
    for rule in match.game.rules:
        if rule.what in ("action", "option", "verb", "phase"):
            needs = tuple(dict.fromkeys(_needs(match.game, rule, prose)))
            clauses = tuple(dict.fromkeys(rule.clauses))
            is_whole = rule.what in ("action", "option")
            heading = _heading(match.game, rule)
            if rule.what == "verb" and not (heading or clauses):
                continue  # It is bookkeeping, of which nobody reads.
            noun = "event" if rule.what == "verb" else rule.what
            one = Explained(plain(rule.name), noun, heading, needs, clauses, is_whole)
            yield rule.name, one
            if rule.label is not None and rule.what != "verb" and isinstance(rule.label.parts[0], str):
                lead = clean(rule.label.parts[0]).strip()
                yield from ((words, one) for words in dict.fromkeys((lead, lead.partition(" ")[0])))


def _values(match: BareMatch, seat: Seat | None) -> Iterator[tuple[str, Explained]]:
    """Yields the named values, with the present result of those without parameters."""
    eyes = Eyes(match.position, seat)
    for value in match.game.values:
        clauses = match.game.sites[value.site].clauses if value.site < len(match.game.sites) else ()
        facts: tuple[str, ...] = ()
        if not value.parameters:
            facts = (eyes.read(ir.Template((ir.CallValue(value.id, ()),), (value.type,))),)
        keys = (_word(match.game, key) for key in value.parameters)
        if value.called is None and not (facts or clauses):
            continue  # It is worked out for bots or for the screen alone.
        name = plain(value.name) if value.called is None else said_value(value, keys)
        yield value.name, Explained(name, "term", "", facts, clauses)


def _heading(game: ir.GameRules, rule: ir.Rule) -> str:
    """Returns the heading of a rule, with words in place of its holes."""
    return _filled(game, rule.label or rule.called, (*rule.parameters, *rule.around))


def _filled(game: ir.GameRules, text: ir.Template | None, variables: tuple[ir.Variable, ...]) -> str:
    """Returns a text with words for its variables: the nouns of things, the names of numbers."""
    if text is None:
        return ""
    words = {variable.id: _word(game, variable) for variable in variables}
    said = [part if isinstance(part, str) else words.get(getattr(part, "id", -1), "…") for part in text.parts]
    for at, part in enumerate(said[:-1]):
        # "The {lane} route" names its noun already: "The … route".
        if not isinstance(text.parts[at], str) and said[at + 1].split()[:1] == [part]:
            said[at] = "…"
    return clean("".join(said))


def _word(game: ir.GameRules, variable: ir.Variable) -> str:
    type = variable.type.element if isinstance(variable.type, SetType) else variable.type
    several = isinstance(variable.type, SetType)
    nouns: tuple[ir.Kind | ir.Enumeration, ...] = (*game.kinds, *game.enums)
    for noun in nouns:
        if noun.name == getattr(type, "name", ""):
            return noun.plural if several else noun.label
    return plain(variable.name) if len(variable.name) > 1 else "…"


def _needs(game: ir.GameRules, rule: ir.Rule, prose: Prose) -> Iterator[str]:
    """Yields the conditions under which an action is refused, with the words of the refusals and their clauses."""
    for refusal, cited in _refusals(game, rule, prose):
        yield refusal + (f" [{', '.join(cited)}]" if cited else "")


def _refusals(game: ir.GameRules, rule: ir.Rule, prose: Prose) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields when a rule is not allowed, each with the words of the refusal, and its clauses."""
    for choice in game.choices:
        for branch in (branch for branch in choice.branches if branch.rule == rule.id):
            say = prose.about(branch, choice.who, choice.variable, rule)
            for need in branch.needs:
                is_never = isinstance(need.condition, ir.Const)
                words = (
                    "never allowed" if is_never else f"not allowed if {plain_text(say.holds(need.condition, so=False))}"
                )
                said = refusal(game, branch, need)
                yield words + (f": “{said}”" if said else ""), need.clauses or game.sites[need.site].clauses


def refusal(game: ir.GameRules, branch: ir.Branch, need: ir.Need) -> str:
    """Returns the words in which a need refuses an answer, whatever its parts are; "" if it has no words of its own."""
    return _filled(game, need.message, tuple(parameter.variable for parameter in branch.parameters))


def _clauses(match: BareMatch) -> Iterator[tuple[str, Explained]]:
    """Yields the clauses, each with the rules and the refusals that cite it, else with the lines that do."""
    game, prose = match.game, Prose.of_game(match.game)
    said: dict[str, list[str]] = {}
    for rule in game.rules:
        heading = _heading(game, rule)
        for clause in rule.clauses if heading else ():
            said.setdefault(clause, []).append(f"{plain(rule.name)}: {heading}")
        for refusal, cited in _refusals(game, rule, prose):
            for clause in cited:
                said.setdefault(clause, []).append(f"{plain(rule.name)} is {refusal}")
    written: dict[str, list[str]] = {}
    for site in game.sites:
        for clause in site.clauses:
            written.setdefault(clause, []).append(" ".join(site.span.text.split("\n")[0].split()))
    for clause, rules in written.items():
        told = tuple(dict.fromkeys(said.get(clause) or filter(None, rules)))
        text = "" if clause in said else CITING
        yield clause, Explained(clause, "clause", text, told[:MOST_VALUES], is_whole=True)
