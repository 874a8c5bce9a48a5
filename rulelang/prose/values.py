"""Expressions of the IR -> words for their values.

p.fuel + 1      the player's fuel + 1
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import assert_never

import attrs

from rulelang.ir import model as ir
from rulelang.ir.model.operators import OPERATORS
from rulelang.ir.types import (
    NONE,
    EnumType,
    FlagType,
    IntType,
    SetType,
    Type,
    offset_of,
)
from rulelang.ir.walk import spelled_out, walk
from rulelang.knowledge.redaction import name_of, with_article
from rulelang.program.packing import mask_of, members
from rulelang.program.values import clean, noun_from, plain
from rulelang.prose.inference import NUMBER, is_player
from rulelang.prose.passage import SINGULAR, PassageNames
from rulelang.prose.phrases import (
    bare,
    determined,
    for_these,
    is_plural,
    noun_once,
    of_these,
    possessive,
    relative,
    said_once,
    with_one_article,
    without,
    without_article,
)
from rulelang.prose.words import Plain, Term, Words, flat, plain_text, row


@attrs.frozen
class ValueProse(PassageNames, ABC):
    """The words for the values of one passage; clauses for its conditions are left to `Prose`."""

    # -------------------------------------------------------------- values

    def value(self, node: ir.Expr, wanted: Type | None = None) -> Words:
        """Returns the words for an expression's value; `wanted` is the type of a number that has no type of its own."""
        match node:
            case ir.Const(value=value):
                return self.constant(value, wanted)
            case ir.Local(id=id):
                return self.local(id)
            case ir.Read(state=state, index=index):
                return self._state(self.game.states[state], index)
            case ir.Contents(zone=zone, index=index):
                return self.zone(zone, index)
            case ir.InSlot(zone=zone, index=index):
                return self.zone(zone, index, thing=True)
            case ir.TopOf(zone=zone, index=index):
                return flat("the top of ", self.zone(zone, index))
            case ir.Column(table=table, of=of):
                return self._column(table, of)
            case ir.PlaceOf(thing=thing):
                return flat("the place of ", self.value(thing))
            case ir.OwnerOf(owner=owner, thing=thing):
                return flat(f"the {noun_from(owner)} that holds ", self.value(thing))
            case ir.CallValue(value=called, arguments=arguments):
                worth = self.game.values[called]
                if worth.called is not None:
                    return self.named(worth.called, worth, arguments)
                return self._called(plain(worth.name), arguments, worth.parameters)
            case ir.Cell(data=data, column=column, arguments=arguments):
                return self._cell(data, column, arguments)
            case ir.Op(name=name, arguments=arguments):
                return self._operator(name, arguments, wanted)
            case ir.Over():
                return self._over(node)
            case ir.Roll(die=die, times=times):
                return self._roll(die, times)
            case ir.Pick(of=source):
                return flat(
                    f"{with_article(self.noun(self.types.member(source))[0])} drawn at random from ",
                    self.all_of(source),
                )
            case ir.Either():
                return self._either(node, wanted)
            case ir.Bound(most=most, of=of):
                return flat("the most" if most else "the least", " that ", self.value(of), " can be")
            case ir.Counted(of=of, one=one, many=many):
                of_number = of.value if isinstance(of, ir.Const) else None
                return flat(self.value(of), f" {clean(one if of_number == SINGULAR else many)}")
            case ir.Way() | ir.DirectedWay():
                return self._way(node)
            case ir.Occurrences():
                return (Plain("how often this position has stood"),)
            case ir.Foreseen(of=ir.CallValue(value=looked, arguments=given)):
                return flat(
                    self.value(spelled_out(self.game.values[looked], given).cases[0].value, wanted), *self.after(node)
                )
            case ir.Foreseen():
                return (Plain("how often the position will have stood after it"),)
            case ir.And() | ir.Or() | ir.FaceUp() | ir.HasRow() | ir.Openly():
                return flat("whether ", self.holds(node))
            case _:
                assert_never(node)

    def _way(self, node: ir.Way | ir.DirectedWay) -> Words:
        if node.end is None:
            return flat(self.value(node.within), " connected with ", self.value(node.start))
        return flat("the number of steps from ", self.value(node.start), " to ", self.value(node.end))

    def after(self, node: ir.Foreseen) -> Words:
        """Returns the words for the verb behind which something is looked at: ` after shift (s, t)`."""
        verb = self.game.procedures[node.procedure]
        given = [self.value(part, v.type) for part, v in zip(node.arguments, verb.parameters, strict=True)]
        listed = flat(" (", row(tuple(given), ", ", ", "), ")") if given else ()
        return flat(" after ", Term(plain(verb.name)), *listed)

    def _state(self, known: ir.StateVariable, index: tuple[ir.Expr, ...]) -> Words:
        if known.builtin and not known.owner:
            return (Plain(_BUILTIN.get(known.name, f"the {plain(known.name)}")),)
        if known.option and not known.called:
            return (Term(plain(known.name), is_name=True),)
        return self._at(clean(known.called) or plain(known.name), known.owner, known.dimensions, index)

    def _either(self, node: ir.Either, wanted: Type | None) -> Words:
        otherwise = node.otherwise
        if isinstance(otherwise, ir.Over) and otherwise.what in ("min", "max") and is_player(self.types.of(node)):
            match otherwise.condition:
                case ir.Op(name=">" | "<" as beyond, arguments=(_, who)):
                    where = "next player after " if beyond == ">" else "player before "
                    return flat(f"the {where}", self.value(who, self.types.thing(0)))
                case _:  # any other condition has no words of its own
                    pass
        first, second = self.value(node.then, wanted), self.value(otherwise, wanted)
        return flat(first, " if ", self.holds(node.condition), ", else ", second)

    def constant(self, value: int, wanted: Type | None) -> Words:
        if isinstance(wanted, SetType) and value >= 0:
            some = [member - offset_of(wanted.element) for member in members(value)]
            if not some:
                return (Plain("nothing"),)
            whole = len(some) > SINGULAR and len(some) == getattr(wanted.element, "size", 0)
            whole = whole or len(some) == len(getattr(wanted.element, "members", ())) > SINGULAR
            if whole:
                return (Plain(f"all {self.noun(wanted.element)[1]}"),)
            if isinstance(wanted.element, IntType) and len(some) > 2 and some[-1] - some[0] == len(some) - 1:
                return (Plain(f"{some[0]} to {some[-1]}"),)
            return row(tuple(self.constant(one, wanted.element) for one in some))
        if is_player(wanted) and self.game.players[1] == 1:
            return (Plain("you"),)
        if isinstance(wanted, FlagType):
            return (Plain("so" if value else "not so"),)
        return (Plain(name_of(value, wanted if wanted != NUMBER else None, self.game)),)

    def _at(
        self,
        name: str,
        owner: str | None,
        dimensions: tuple[Type, ...],
        index: tuple[ir.Expr, ...],
    ) -> Words:
        """Returns the words for something with an owner or keys: `the player's fuel`, `the forcefields of z`."""
        values = [self.value(one, type) for one, type in zip(index, dimensions, strict=False)]
        name = without_article(name)
        is_number = bool(dimensions) and isinstance(dimensions[-1], IntType)
        if owner and values:
            return flat(possessive(values[0]), f" {name}", *of_these(values[1:], name, is_number=is_number))
        keys = of_these(values, name, is_number=is_number)
        return flat(f"the {noun_once(name, values[-1]) if keys[:1] == (' ',) else name}", *keys)

    def zone(self, zone: int, index: tuple[ir.Expr, ...], *, thing: bool = False) -> Words:
        """Returns the words for a zone, or for the thing in a slot."""
        known = self.game.zones[zone]
        name, noun = clean(known.called) or plain(known.name), self.noun(self.types.thing(known.kind))[0]
        if thing and self.is_spot(zone):
            return flat(f"the {noun} in ", self._at(name, known.owner, known.dimensions, index))
        if thing and not set(noun.split()) & set(name.split()) and name.split()[-1] not in ("card", "tile", "token"):
            name = f"{name} {noun}"
        return self._at(name, known.owner, known.dimensions, index)

    def is_spot(self, zone: int) -> bool:
        """Returns whether a zone is called by its spot, `the middle of the table`, and not by what lies there."""
        known = self.game.zones[zone]
        words, noun = clean(known.called).split(), self.noun(self.types.thing(known.kind))[0]
        return words[:1] == ["the"] and not set(noun.split()) & set(words)

    def _column(self, table: int, of: tuple[ir.Expr, ...]) -> Words:
        known = self.game.tables[table]
        if "." not in known.name:
            return self._next(known, of)
        of = self.without_map(of)
        return flat(possessive(self.value(of[0])), f" {self.printed(table)}", self._beside(table, of))

    def _beside(self, table: int, of: tuple[ir.Expr, ...]) -> Words:
        """Returns the key of a printed attribute that has one, in brackets; else ()."""
        types = self.game.tables[table].dimensions
        keys = tuple(self.value(one, type) for one, type in zip(of[1:], types[1:], strict=False) if type != types[0])
        return flat(" (", row(keys), ")") if keys and isinstance(types[-1], EnumType) else ()

    def without_map(self, of: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
        """Returns the keys of a board's table without the chosen map."""
        first = of[0] if len(of) > 1 else None
        is_map = isinstance(first, ir.Read) and self.game.states[first.state].option
        return of[1:] if is_map else of

    def _next(self, table: ir.Table, of: tuple[ir.Expr, ...]) -> Words:
        """Returns the words for a board's neighbours and directions."""
        values = [self.value(one, type) for one, type in zip(of, table.dimensions, strict=False)]
        word = plain(table.name.replace(".", " ")).split()[-1]
        match word:
            case "step":
                return flat("the space next to ", values[-2], " in direction ", values[-1])
            case "opposite":
                return flat("the opposite of ", values[-1])
            case "neighbours":
                return flat("the neighbours of ", values[-1])
            case _ if word.endswith("spaces"):
                return (Plain("all spaces"),)
            case _:  # a board's tables are recognised by name only
                return flat(f"the {word} of ", row(tuple(values)))

    def named(self, words: ir.Template, value: ir.Value, arguments: tuple[ir.Expr, ...]) -> Words:
        """Returns the name of a value, with the words for its keys."""
        pairs = zip(value.parameters, arguments, strict=True)
        return self.filled(words, {v.id: self.value(argument, v.type) for v, argument in pairs})

    def filled(self, words: ir.Template, keys: dict[int, Words]) -> Words:
        """Returns a value's name with words in place of its keys; an article is said once."""
        parts = words.parts
        return with_one_article(
            clean(p) if isinstance(p, str) else keys[p.id] for p in parts if isinstance(p, str | ir.Local)
        )

    def _called(self, name: str, arguments: tuple[ir.Expr, ...], parameters: tuple[ir.Variable, ...]) -> Words:
        values = [self.value(a, v.type) for a, v in zip(arguments, parameters, strict=False)]
        return flat("the ", Term(name), *of_these(values, name))

    def column(self, data: int, column: int) -> str:
        """Returns the name of a column of data."""
        known = self.game.data[data].columns[column]
        return clean(known.called) or plain(known.name)

    def _cell(self, data: int, column: int, arguments: tuple[ir.Expr, ...]) -> Words:
        table = self.game.data[data]
        if all(isinstance(argument, (ir.Local, ir.Const)) for argument in arguments):
            return flat(possessive(self.row(data, arguments)), f" {self.column(data, column)}")
        keys = self.keys(data, arguments)
        head = f"the {self.column(data, column)} of "
        if len(keys) == 1 and plain_text(keys[0]).split()[-1] == plain(table.name):
            return flat(head, keys[0])
        return flat(f"{head}the {plain(table.name)}", *for_these(keys))

    def row(self, data: int, arguments: tuple[ir.Expr, ...]) -> Words:
        """Returns the words for the row at locals around and at keys that are the same for all: `the space`, `level 1`."""
        table, keys = self.game.data[data], self.keys(data, arguments, around=False)
        fixed = [a for a in arguments if isinstance(a, ir.Const) and a.value != NONE]
        types = [v.type for v, a in zip(table.parameters, arguments, strict=False) if a in fixed]
        if len(keys) == 1 and isinstance(types[0], IntType):
            return flat(f"{plain(table.name)} ", keys[0])
        return flat(f"the {plain(table.name)}", *((" of ", row(tuple(keys))) if keys else ()))

    def keys(self, data: int, arguments: tuple[ir.Expr, ...], *, around: bool = True) -> list[Words]:
        """Returns the words for the keys of a row, without those that go without saying: the player, what is the same
        for all at the table, and the other locals unless `around`.
        """
        return [
            self.value(argument, parameter.type)
            for argument, parameter in zip(arguments, self.game.data[data].parameters, strict=False)
            if argument != ir.Const(NONE)
            and not (isinstance(argument, ir.Local) and (not around or is_player(self.types.of(argument))))
            and any(isinstance(node, ir.Local | ir.Const) for node in walk(argument))
        ]

    def _roll(self, die: ir.Expr, times: ir.Expr | None) -> Words:
        known = (
            self.game.dice[die.value].name if isinstance(die, ir.Const) and die.value < len(self.game.dice) else None
        )
        one = (Plain(f"{plain(known)} die"),) if known is not None else self.value(die)
        if times is None:
            return flat("a throw of the ", bare(one))
        return flat("the sum of ", self.value(times), " throws of the ", bare(one))

    def _operator(self, name: ir.Operator, arguments: tuple[ir.Expr, ...], wanted: Type | None) -> Words:
        type = next((t for t in map(self.types.of, arguments) if t is not None), wanted)
        values = [self.inner(argument, type) for argument in arguments]
        if any(said := OPERATORS[name].said):
            before, between, after = said
            return flat(before, row(tuple(values), between, between) if between else row(tuple(values)), after)
        match name:
            case "size":
                return flat("the number of ", self._several(arguments[0]))
            case "range":
                return flat(values[0], " to ", values[1])
            case "single":
                element = wanted.element if isinstance(wanted, SetType) else None
                return self.value(arguments[0], element)
            case _:  # every other operator holds or does not
                return flat("whether ", self.holds(ir.Op(name, arguments)))

    def _several(self, node: ir.Expr) -> Words:
        """Returns the words for counted items: `cards in the player's hand`, `players whose zone is 3`."""
        if isinstance(node, ir.Over) and self.is_selection(node):
            return self.selected(node, "")
        words = self.value(node)
        type = self.types.of(node)
        if isinstance(node, ir.Contents | ir.Read) and isinstance(type, SetType) and not is_plural(words):
            return flat(f"{self.noun(type)[1]} in ", words)
        if isinstance(node, ir.Over) and node.what == "set":
            return flat("different values of ", words)
        return bare(words) if isinstance(node, ir.Read) and not node.index else words

    def is_selection(self, node: ir.Over) -> bool:
        """Returns whether a set takes members of another set as they are: `{c for c in hand if c.rank == 3}`."""
        return node.what == "set" and len(node.names) == 1 and node.value == ir.Local(node.names[0].id)

    def selected(self, node: ir.Over, determiner: str = "the") -> Words:
        """Returns the words for such a set: `the cards of the player's hand whose rank is 3`."""
        return self.each(node.names, node.sources, node.condition, determiner, many=True)

    def inner(self, node: ir.Expr, type: Type | None = None) -> Words:
        """Returns the words for an operand, in brackets if it is a calculation itself."""
        words = self.value(node, type)
        return flat("(", words, ")") if isinstance(node, ir.Either) or _is_sum(node) else words

    # -------------------------------------------------------------- sets

    def all_of(self, source: ir.Source, member: Type | None = None) -> Words:
        """Returns the words for all members of a source; `member` is their type, if the source does not tell it."""
        wanted = SetType(member) if member is not None else None
        parts = [] if source.pile is None else [self.value(source.pile)]
        if source.mask is not None:
            parts.append(self.value(source.mask, wanted))
        return flat(*parts[:1], *(flat(" that are of ", part) for part in parts[1:]))

    def each(
        self,
        names: tuple[ir.Variable, ...],
        sources: tuple[ir.Source, ...],
        condition: ir.Expr | None,
        determiner: str = "each",
        *,
        many: bool = False,
    ) -> Words:
        """Returns the words for the source of a comprehension or a loop: `each player *q* of the crew whose zone is 3`,
        or with another determiner, `the players who are in the game`.
        """
        inner = sources[0].mask if len(names) == 1 else None
        if (
            isinstance(inner, ir.Over)
            and self.is_selection(inner)
            and sources[0].pile is None
            and inner.names[0].name == names[0].name
        ):
            both = inner.condition if condition is None else condition
            both = (
                ir.And((inner.condition, condition)) if condition is not None and inner.condition is not None else both
            )
            return self.each(names, inner.sources, both, determiner, many=many)
        pairs = zip(names, sources, strict=True)
        over = row(tuple(self._one_of(n, s, determiner, many=many) for n, s in pairs))
        if condition is None:
            return over
        about = self.about_one(names[0], condition, many=many) if len(names) == 1 else None
        return flat(over, about) if about is not None else flat(over, " where ", self.holds(condition))

    def about_one(self, name: ir.Variable, condition: ir.Expr, *, many: bool = False, so: bool = True) -> Words | None:
        """Returns a condition on one thing, or its negation, as it stands behind it: ` whose rank is 3`, ` that lies
        face up`; None for a condition that begins with something else.
        """
        who = "who" if is_player(name.type) else "that"
        parts = condition.arguments if isinstance(condition, ir.And | ir.Or) else (condition,)
        if any(isinstance(part, ir.And | ir.Or) for part in parts):
            return None
        clauses = [relative(self.holds(part, so=so), self.local(name.id), who, many=many) for part in parts]
        found = tuple(clause for clause in clauses if clause is not None)
        joint = " or " if isinstance(condition, ir.Or if so else ir.And) else " and "
        return flat(" ", row(found, joint, joint)) if len(found) == len(clauses) else None

    def _one_of(self, variable: ir.Variable, source: ir.Source, determiner: str, *, many: bool) -> Words:
        """Returns the words for a member of a source: `each player`, `one of the contestants who have not launched`."""
        plurals = self.noun(variable.type)[1]
        named = self.new(variable, many=many)
        if source.pile is None and self._is_all(source.mask, variable.type):
            return determined(determiner, named)
        whole = self.all_of(source, variable.type)
        if without(whole, (Plain(f"the {plurals}"),)) is None:
            return determined(determiner, flat(named, self._joint(variable.type, source, whole), whole))
        if many:
            return whole if determiner else bare(whole)
        if variable.id in self.alone:
            return flat(AMONG.get(determiner, f"{determiner} of"), " ", whole)
        one = named if determiner in ("the", "a") else self.local(variable.id)
        return determined(determiner, flat(one, " of ", whole))

    def _joint(self, type: Type, source: ir.Source, whole: Words) -> str:
        """Returns the word between a member and its source: `number
        from 1 to 6`, `card in the deck`, `card of the discards`.
        """
        zone = source.pile if source.pile is not None else source.mask
        is_inside = isinstance(zone, ir.Contents) and not is_plural(whole)
        return " from " if isinstance(type, IntType) else " in " if is_inside else " of "

    def _is_all(self, mask: ir.Expr | None, type: Type) -> bool:
        if isinstance(mask, ir.Column):
            return self.game.tables[mask.table].name.endswith("spaces")
        if isinstance(mask, ir.Read):
            return mask.state in (self.game.all_players, self.game.players_left)
        count = getattr(type, "size", None) or len(getattr(type, "members", ()))
        return isinstance(mask, ir.Const) and count > 0 and mask.value == mask_of(range(count))

    def _over(self, node: ir.Over) -> Words:
        each = self.each(node.names, node.sources, node.condition)
        value = () if node.value is None else self.value(node.value)
        match node.what:
            case "count":
                return flat("the number of ", self.each(node.names, node.sources, node.condition, "", many=True))
            case "set":
                return self.selected(node) if self.is_selection(node) else flat(value, " for ", each)
            case "sum":
                return flat("the sum of ", value, " for ", each)
            case "min" | "max":
                best = "smallest" if node.what == "min" else "largest"
                if len(node.names) == 1 and node.condition is None and node.value == ir.Local(node.names[0].id):
                    return flat(f"the {best} of ", self.all_of(node.sources[0], node.names[0].type))
                whose = self.measure(node.value, node.names) if node.value is not None else ()
                return flat(f"the {best} ", whose, " of ", self.each(node.names, node.sources, node.condition, "any"))
            case "first" if node.condition is None and not node.keys and len(node.names) == 1:
                return flat("the first of ", self.all_of(node.sources[0], node.names[0].type))
            case "first":
                the = self.each(node.names, node.sources, node.condition, "the")
                return flat(the, " with ", self.ranked(node.keys)) if node.keys else the
            case "best":
                return flat(self.selected(node), " with ", self.ranked(node.keys))
            case "any" | "all":
                return flat("whether ", self.holds(node))
            case _:
                assert_never(node.what)

    def ranked(self, keys: tuple[ir.Order, ...]) -> Words:
        """Returns the words for sort keys: `the highest fuel, then the lowest zone`."""
        return row(tuple(map(self._rank, keys)), ", then ", ", then ")

    def _rank(self, key: ir.Order) -> Words:
        start = _round_from(key.value)
        if start is not None:
            return flat("the first place, counted from ", self.value(start, self.types.thing(0)))
        return flat("the highest " if key.highest else "the lowest ", self.measure(key.value))

    def in_order(self, keys: tuple[ir.Order, ...], type: Type) -> Words:
        """Returns the words for the order of a loop: `in order of fuel, highest first, then of zone, lowest first`, or
        `beginning with the next player`."""
        starts = [start for key in keys if (start := _round_from(key.value)) is not None]
        begins = tuple(flat("beginning with ", self.value(start, type)) for start in starts)
        parts = tuple(
            flat("of ", self._the(self.measure(key.value)), f", {'highest' if key.highest else 'lowest'} first")
            for key in keys
            if _round_from(key.value) is None
        )
        if not parts:
            return row(begins, ", ", ", ")
        return flat("in order ", row((*parts, *begins), ", then ", ", then "))

    def _the(self, words: Words) -> Words:
        return words if words and isinstance(words[0], Term) else flat("the ", words)

    def measure(self, node: ir.Expr, of: tuple[ir.Variable, ...] = ()) -> Words:
        """Returns the words for a value without its owner, who has just been named: `fuel`, `number of tokens`."""
        if isinstance(node, ir.Op) and node.name == "size":
            things = self.measure(node.arguments[0], of)
            return flat("number of ", things) if is_plural(things) else bare(self.value(node))
        if isinstance(node, ir.Read) and len(node.index) == 1 and isinstance(node.index[0], ir.Local):
            state = self.game.states[node.state]
            return (Plain(without_article(clean(state.called) or plain(state.name))),)
        if isinstance(node, ir.Contents) and len(node.index) == 1 and isinstance(node.index[0], ir.Local):
            zone = self.game.zones[node.zone]
            return (Plain(without_article(clean(zone.called) or plain(zone.name))),)
        if isinstance(node, ir.Column) and len(node.of) == 1 and isinstance(node.of[0], ir.Local):
            return (Plain(self.printed(node.table)),)
        return bare(self.value(node))

    def printed(self, table: int) -> str:
        """Returns the name of a printed attribute."""
        known = self.game.tables[table]
        return clean(known.called) or plain(known.name.rpartition(".")[2])

    @abstractmethod
    def holds(self, node: ir.Expr, *, so: bool = True) -> Words:
        """Returns a clause for a condition, or for its negation if not `so`."""

    # -------------------------------------------------------------- texts

    def template(self, template: ir.Template) -> Words:
        """Returns the words of a template with names in place of its holes."""
        found: list[str | Words] = []
        parts = (*map(clean, (part if isinstance(part, str) else "" for part in template.parts)), "")
        for part, type, behind in zip(template.parts, template.types, parts[1:], strict=True):
            if isinstance(part, str):
                found.append(said_once(found[-1] if found else "", clean(part)))
            else:
                found.append(self._asked_for(part, behind) or self._hole(part, type))
        return with_one_article(found)

    def _is_short(self, value: ir.Value) -> bool:
        """Returns whether a text says a value by its identifier: one without a name, or a number whose name says its keys."""
        return value.called is None or (isinstance(value.type, IntType) and bool(value.parameters))

    def _hole(self, node: ir.Expr, type: Type | None) -> Words:
        match node:
            case ir.Local(id=id):
                variable = self.types.locals.get(id)
                if variable is None or is_player(variable.type) or id not in self.alone:
                    return self.local(id)
                return (Term(self.noun(variable.type)[0]),)
            case ir.Counted(of=of, one=one, many=many):
                word = one if of == ir.Const(SINGULAR) else many
                return flat(self._hole(of, None), f" {clean(word)}")
            case ir.Read(state=state, index=index) if index or isinstance(self.game.states[state].type, IntType):
                known = self.game.states[state]
                return (Term(clean(known.called) or plain(known.name)),)
            case ir.Cell(data=data, column=column):
                return (Term(self.column(data, column)),)
            case ir.CallValue(value=value) if self._is_short(self.game.values[value]):
                return (Term(plain(self.game.values[value].name).removesuffix(" of")),)
            case ir.Column(table=table, of=of):
                return flat(Term(self.printed(table)), self._beside(table, of))
            case ir.Bound(of=of):
                return self._hole(of, type)
            case ir.Op(name="min" | "max" as name, arguments=(first, *_)):
                return flat("up to " if name == "min" else "at least ", self._hole(first, type))
            case ir.Either() | ir.Over() | ir.Op() | ir.CallValue() if isinstance(self.types.of(node), IntType):
                return (Plain("…"),)  # "You hold …": a number that whoever asks works out
            case _:  # any other expression is worded as in a sentence
                return self.value(node, type)

    def _asked_for(self, node: ir.Expr, behind: str) -> Words:
        """Returns the words for a number that is asked for by a member of an enum, which the text behind it does not say:
        `metal stock` for `stock(r, metal)`."""
        if not isinstance(node, ir.CallValue) or not self._is_short(value := self.game.values[node.value]):
            return ()
        given = zip(node.arguments, (variable.type for variable in value.parameters), strict=True)
        members = [
            plain_text(self.constant(one.value, type))
            for one, type in given
            if isinstance(type, EnumType) and isinstance(one, ir.Const) and one.value != NONE
        ]
        is_said = len(members) != 1 or behind.startswith(f" {members[0]}") or members[0].startswith("the ")
        return () if is_said else (Term(f"{members[0]} {plain(value.name).removesuffix(' of')}"),)


AMONG = {
    "each": "each of",
    "every": "each of",
    "not every": "not each of",
    "no": "none of",
    "a": "one of",
    "an": "one of",
    "any": "any of",
    "at least one": "at least one of",
    "the": "the one of",
}
"""The determiners of one member, before a set that is named already: `none of the players who have not launched`."""
_BUILTIN = {"players": "the players", "all players": "the players", "mover": "whose turn it is"}


def _is_sum(node: ir.Expr) -> bool:
    return isinstance(node, ir.Op) and bool(OPERATORS[node.name].said[1])


def _round_from(key: ir.Expr) -> ir.Expr | None:
    """Returns the expression behind `from`, if a key says how far round a member is from there; else None."""
    match key:
        case ir.Either(otherwise=ir.Op(name="mod") as ahead):
            return _round_from(ahead)
        case ir.Op(name="mod", arguments=(ir.Op(name="-", arguments=(ir.Local(), start)), _)):
            return start
        case _:  # any other key compares something else
            return None
