"""Expressions of the IR -> words for their values, and clauses for conditions.

fuel[p] >= least(cost)      the player's fuel is at least the cost
"""

from __future__ import annotations

from typing import assert_never

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import (
    NONE,
    FlagType,
    IntType,
    SetType,
    Type,
    offset_of,
)
from rulelang.ir.walk import walk
from rulelang.knowledge.redaction import name_of, plain, with_article
from rulelang.program.packing import mask_of, members
from rulelang.program.values import clean
from rulelang.rulebook.printed.inference import NUMBER, is_player
from rulelang.rulebook.printed.model import Plain, Term, Words, flat, plain_text, row
from rulelang.rulebook.printed.passage import SINGULAR, PassageNames
from rulelang.rulebook.printed.phrases import (
    article_before,
    bare,
    cut,
    for_these,
    is_plural,
    of_these,
    possessive,
    with_one_article,
)
from rulelang.semantics.names.nouns import noun_from

COMPARED = {
    "==": ("is", "is not"), "!=": ("is not", "is"), "<": ("is less than", "is at least"),
    "<=": ("is at most", "is more than"), ">": ("is more than", "is at most"), ">=": ("is at least", "is less than"),
    "in": ("is one of", "is none of"),
}  # fmt: skip
SIGNS = {"+": " + ", "-": " − ", "*": " × "}
JOINED = {"union": " together with ", "minus": " without ", "inter": " that are also of "}
VERBS = ("is", "has", "can", "may", "could", "holds", "fits", "needs", "hurries", "must", "goes", "was")
"""The verbs that make the name of a condition a clause: `holds`, `can_pay`."""


@attrs.frozen
class Prose(PassageNames):
    """The words for the expressions of one passage."""

    # -------------------------------------------------------------- values

    def value(self, node: ir.Expr, wanted: Type | None = None) -> Words:
        """Returns the words for an expression's value; `wanted` is the type of a number that has no type of its own."""
        match node:
            case ir.Const(value=value):
                return self._constant(value, wanted)
            case ir.Local(id=id):
                return self.local(id)
            case ir.Read(state=state, index=index):
                known = self.game.states[state]
                if known.builtin and not known.owner:
                    return (Plain(_BUILTIN.get(known.name, f"the {plain(known.name)}")),)
                return self._at(clean(known.called) or plain(known.name), known.owner, known.dimensions, index)
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
                    return self._named(worth.called, worth, arguments)
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
            case ir.Way(start=start, end=end) | ir.DirectedWay(start=start, end=end):
                return flat("the number of steps from ", self.value(start), " to ", self.value(end))
            case ir.Occurrences():
                return (Plain("how often this position has stood"),)
            case ir.Foreseen():
                return (Plain("how often the position will have stood after it"),)
            case ir.And() | ir.Or() | ir.FaceUp() | ir.HasRow() | ir.Openly():
                return flat("whether ", self.holds(node))
            case _:
                assert_never(node)

    def _either(self, node: ir.Either, wanted: Type | None) -> Words:
        otherwise = node.otherwise
        if isinstance(otherwise, ir.Over) and otherwise.what == "min" and is_player(self.types.of(node)):
            match otherwise.condition:
                case ir.Op(name=">", arguments=(_, who)):
                    return flat("the next player after ", self.value(who))
        first, second = self.value(node.then, wanted), self.value(otherwise, wanted)
        return flat(first, " if ", self.holds(node.condition), ", else ", second)

    def _constant(self, value: int, wanted: Type | None) -> Words:
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
            return row(tuple(self._constant(one, wanted.element) for one in some))
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
        article: str = "the ",
    ) -> Words:
        """Returns the words for something with an owner or keys: `the player's fuel`, `the forcefields of z`."""
        values = [self.value(one, type) for one, type in zip(index, dimensions, strict=False)]
        if owner and values:
            return flat(possessive(values[0]), f" {name}", *of_these(values[1:], name))
        return flat(f"{article}{name}", *of_these(values, name))

    def zone(self, zone: int, index: tuple[ir.Expr, ...], *, thing: bool = False) -> Words:
        """Returns the words for a zone, or for the thing in a slot."""
        known = self.game.zones[zone]
        name, noun = plain(known.name), self.noun(self.types.thing(known.kind))[0]
        if thing and not set(noun.split()) & set(name.split()) and name.split()[-1] not in ("card", "tile", "token"):
            name = f"{name} {noun}"
        return self._at(name, known.owner, known.dimensions, index)

    def _column(self, table: int, of: tuple[ir.Expr, ...]) -> Words:
        name, known = self._printed(table), self.game.tables[table]
        if "." not in known.name:
            return self._next(known, of)
        of = self._without_map(of)
        return flat(possessive(self.value(of[0])), f" {plain(name)}")

    def _without_map(self, of: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
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

    def _named(self, words: ir.Template, value: ir.Value, arguments: tuple[ir.Expr, ...]) -> Words:
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
        return flat(Term(name), *of_these(values, name))

    def _cell(self, data: int, column: int, arguments: tuple[ir.Expr, ...]) -> Words:
        table = self.game.data[data]
        if all(isinstance(argument, (ir.Local, ir.Const)) for argument in arguments):
            return flat(possessive((Plain(f"the {plain(table.name)}"),)), f" {plain(table.columns[column].name)}")
        keys = [
            self.value(argument, parameter.type)
            for argument, parameter in zip(arguments, table.parameters, strict=False)
            if argument != ir.Const(NONE)
            and any(isinstance(node, ir.Local) for node in walk(argument))
            and not (isinstance(argument, ir.Local) and is_player(self.types.of(argument)))
        ]
        head = f"the {plain(table.columns[column].name)} of "
        if len(keys) == 1 and plain_text(keys[0]).split()[-1] == plain(table.name):
            return flat(head, keys[0])
        return flat(f"{head}the {plain(table.name)}", *for_these(keys))

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
        match name:
            case "+" | "-" | "*":
                return flat(values[0], SIGNS[name], *values[1:])
            case "neg":
                return flat("−", values[0])
            case "floordiv" | "ceildiv":
                return flat(values[0], " / ", values[1], " rounded down" if name == "floordiv" else " rounded up")
            case "mod":
                return flat("the rest of ", values[0], " / ", values[1])
            case "abs":
                return flat("the amount of ", values[0])
            case "min" | "max":
                return flat("the smallest of " if name == "min" else "the largest of ", row(tuple(values)))
            case "union" | "minus" | "inter":
                return flat(values[0], JOINED[name], values[1])
            case "size":
                return flat("the number of ", self._several(arguments[0]))
            case "range":
                return flat(values[0], " to ", values[1])
            case "single":
                element = wanted.element if isinstance(wanted, SetType) else None
                return self.value(arguments[0], element)
            case "not" | "in" | "==" | "!=" | "<" | "<=" | ">" | ">=":
                return flat("whether ", self.holds(ir.Op(name, arguments)))
            case _:
                assert_never(name)

    def _several(self, node: ir.Expr) -> Words:
        """Returns the words for counted items."""
        if isinstance(node, ir.Over) and node.what == "set" and node.value == ir.Local(node.names[0].id):
            return self.each(node.names, node.sources, node.condition, many=True)
        return bare(self.value(node)) if isinstance(node, ir.Read) else self.value(node)

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
        *,
        many: bool = False,
    ) -> Words:
        """Returns the words for the source of a comprehension or a loop: `player q of the crew of z where …`, or
        `players q …`.
        """
        inner = sources[0].mask if len(names) == 1 else None
        if (
            isinstance(inner, ir.Over)
            and inner.what == "set"
            and inner.value == ir.Local(inner.names[0].id)
            and sources[0].pile is None
            and inner.names[0].name == names[0].name
        ):
            both = inner.condition if condition is None else condition
            both = (
                ir.And((inner.condition, condition)) if condition is not None and inner.condition is not None else both
            )
            return self.each(names, inner.sources, both, many=many)
        pairs = zip(names, sources, strict=True)
        over = row(tuple(flat(self.new(n, many=many), *self._from(n, s)) for n, s in pairs))
        return over if condition is None else flat(over, " where ", self.holds(condition))

    def _from(self, variable: ir.Variable, source: ir.Source) -> Words:
        """Returns the words for the domain of a name; none if it may be any value of its type."""
        if source.pile is None and self._is_all(source.mask, variable.type):
            return ()
        word = " from " if isinstance(variable.type, IntType) else " of "
        return flat(word, self.all_of(source, variable.type))

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
        keys = self.ranked(node.keys)
        same = isinstance(node.value, ir.Local) and len(node.names) == 1 and node.value.id == node.names[0].id
        match node.what:
            case "count":
                return flat("the number of ", self.each(node.names, node.sources, node.condition, many=True))
            case "set":
                return flat("each ", each) if same else flat(value, " for each ", each)
            case "sum":
                return flat("the sum of ", value, " for each ", each)
            case "min" | "max":
                best = "smallest" if node.what == "min" else "largest"
                return flat(
                    f"the {best} ",
                    self.measure(node.value, node.names) if node.value is not None else "",
                    " of any ",
                    each,
                )
            case "first":
                return flat("the ", each, *((" with ", keys) if keys else ()))
            case "best":
                return flat("each ", each, " with ", keys, " (several where they tie)")
            case "any" | "all":
                return flat("whether ", self.holds(node))
            case _:
                assert_never(node.what)

    def ranked(self, keys: tuple[ir.Order, ...]) -> Words:
        """Returns the words for sort keys: `the highest fuel, then the lowest zone`."""
        parts = (flat("the highest " if key.highest else "the lowest ", self.measure(key.value)) for key in keys)
        return row(tuple(parts), ", then ", ", then ")

    def measure(self, node: ir.Expr, of: tuple[ir.Variable, ...] = ()) -> Words:
        """Returns the words for a value without its owner, who has just been named: `fuel`, `number of tokens`."""
        if isinstance(node, ir.Op) and node.name == "size":
            return flat("number of ", self.measure(node.arguments[0], of))
        if isinstance(node, ir.Read) and len(node.index) == 1 and isinstance(node.index[0], ir.Local):
            state = self.game.states[node.state]
            return (Plain(clean(state.called) or plain(state.name)),)
        if isinstance(node, ir.Contents) and len(node.index) == 1 and isinstance(node.index[0], ir.Local):
            return (Plain(clean(self.game.zones[node.zone].called) or plain(self.game.zones[node.zone].name)),)
        if isinstance(node, ir.Column) and len(node.of) == 1 and isinstance(node.of[0], ir.Local):
            return (Plain(self._printed(node.table)),)
        return bare(self.value(node))

    def _printed(self, table: int) -> str:
        """Returns the name of a printed attribute."""
        name = next((n for kind in self.game.kinds for n, t, _ in kind.columns if t == table), "")
        return plain(name or self.game.tables[table].name.rpartition(".")[2])

    # -------------------------------------------------------------- conditions

    def holds(self, node: ir.Expr, *, so: bool = True) -> Words:
        """Returns a clause for a condition, or for its negation if not `so`."""
        match node:
            case ir.And(arguments=arguments) | ir.Or(arguments=arguments):
                is_all = isinstance(node, ir.And) is so
                parts = tuple(self._part(argument, so=so, in_all=is_all) for argument in arguments)
                return row(parts, " and ", " and ") if is_all else row(parts, " or ", " or ")
            case ir.Op(name="not", arguments=(of,)):
                return self.holds(of, so=not so)
            case ir.Op(name=name, arguments=(left, right)) if name in COMPARED:
                return self._compared(name, left, right, so=so)
            case ir.Openly(condition=condition):
                return self.holds(condition, so=so)
            case ir.Const(value=value):
                return (Plain("always" if bool(value) is so else "never"),)
            case ir.Over(what="any" | "all"):
                return self._quantified(node, so=so)
            case ir.FaceUp(thing=thing):
                return flat(self.value(thing), " lies face up" if so else " lies face down")
            case ir.HasRow(data=data, arguments=arguments):
                keys = [self.value(a) for a in arguments if any(isinstance(n, ir.Local) for n in walk(a))]
                keys = [key for key in keys if plain_text(key) != "the player"]
                if [plain_text(key) for key in keys] == [f"the {plain(self.game.data[data].name)}"]:
                    return flat("there is such a " if so else "there is no such ", bare(keys[0]))
                return flat("there is a " if so else "there is no ", plain(self.game.data[data].name), *for_these(keys))
            case ir.Cell(data=data, column=column):
                table = self.game.data[data]
                named = Term(plain(table.columns[column].name))
                words = cut(self.value(node), len(f"the {named.text} of "))
                if all(isinstance(argument, (ir.Local, ir.Const)) for argument in node.arguments):
                    words = (Plain(f"the {plain(table.name)}"),)
                return flat(words, " says " if so else " does not say ", named)
            case ir.CallValue(value=called, arguments=arguments):
                worth = self.game.values[called]
                if worth.called is not None:
                    return self._named_condition(worth, arguments, so=so)
                return self._is(plain(worth.name), arguments, tuple(v.type for v in worth.parameters), so=so)
            case ir.Read(state=state, index=index):
                kept = self.game.states[state]
                if kept.option:
                    return flat(Term(clean(kept.called) or plain(kept.name)), " is agreed" if so else " is not agreed")
                if kept.builtin and kept.name.startswith("during "):
                    return flat("it is " if so else "it is not ", "the phase ", Term(self._phase(kept.name[7:])))
                return self._is(clean(kept.called) or plain(kept.name), index, kept.dimensions, so=so)
            case ir.Column(table=table, of=of):
                own = self._without_map(of)
                return self._is(self._printed(table), own, (None,) * len(own), so=so)
            case ir.Either(condition=condition, then=then, otherwise=otherwise):
                first, second = self.holds(then, so=so), self.holds(otherwise, so=so)
                return flat("if ", self.holds(condition), ": ", first, "; else: ", second)
            case _:  # any other expression is a value that holds
                return flat(self.value(node), " holds" if so else " does not hold")

    def _phase(self, name: str) -> str:
        rule = next((r for r in self.game.rules if r.what == "phase" and r.name == name), None)
        return plain(name) if rule is None or rule.label is None else plain_text(self.template(rule.label))

    def _part(self, node: ir.Expr, *, so: bool, in_all: bool) -> Words:
        words = self.holds(node, so=so)
        alternative = isinstance(node, ir.Or if so else ir.And)
        return flat("(", words, ")") if in_all and alternative else words

    def _named_condition(self, value: ir.Value, arguments: tuple[ir.Expr, ...], *, so: bool) -> Words:
        """Returns the words that a condition itself has, for when it holds or does not."""
        assert value.called is not None
        words = self._named(value.called if so or value.denied is None else value.denied, value, arguments)
        return words if so or value.denied is not None else flat("it is not so that ", words)

    def _is(self, name: str, arguments: tuple[ir.Expr, ...], types: tuple[Type | None, ...], *, so: bool) -> Words:
        """Returns a clause for a named condition: `the founder is waiting`, `last leg`."""
        values = [self.value(a, t) for a, t in zip(arguments, types, strict=False) if a != ir.Const(NONE)]
        if not values:
            if name.startswith("is "):
                return flat("it is " if so else "it is not ", Term(name[3:]))
            return flat(Term(name)) if so else flat(Term(name), " does not hold")
        first, rest = values[0], values[1:]
        beside = flat(" (", row(tuple(rest)), ")") if rest else ()
        word = name.split(maxsplit=1)[0]
        if word in VERBS or (word.endswith("s") and not word.endswith("ss")):
            return (
                flat(first, " ", Term(name), beside)
                if so
                else flat("it is not so that ", first, " ", Term(name), beside)
            )
        return flat(first, " is " if so else " is not ", Term(name), beside)

    def _compared(self, name: str, left: ir.Expr, right: ir.Expr, *, so: bool) -> Words:
        type = self.types.of(left) or (self.types.of(right) if name != "in" else None)
        if name == "in" and type is None and isinstance(holder := self.types.of(right), SetType):
            type = holder.element
        if isinstance(left, ir.Const) and not isinstance(right, ir.Const) and name in ("==", "!="):
            left, right = right, left
        positive = (name == "==") is so
        if name in ("==", "!=") and isinstance(right, ir.Const):
            if right.value == NONE:
                return self.there(left, so=not positive)
            if isinstance(type, FlagType):
                return self.holds(left, so=positive is bool(right.value))
            if isinstance(type, SetType) and right.value == 0:
                if isinstance(left, ir.Contents):
                    return flat("nothing lies in " if positive else "something lies in ", self.value(left))
                if isinstance(left, ir.CallValue) and is_plural(there := self.value(left)):
                    return flat("there are no " if positive else "there are ", bare(there))
                return flat(self.value(left), " is empty" if positive else " is not empty")
        if name == "in" and (words := self._within(left, right, so=so)):
            return words
        element = type
        if name == "in":
            element = self.types.of(right) or SetType(type or NUMBER)
            words = self.value(right, element)
            if isinstance(right, ir.CallValue) and self.game.values[right.value].called and not is_plural(words):
                return flat(self.value(left, type), " is in " if so else " is not in ", words)
            if written := _singles(right):
                either = row(tuple(self.value(one, type) for one in written), ", ", " or " if so else " nor ")
                return flat(self.value(left, type), " is " if so else " is neither ", either)
            if isinstance(right, ir.Const) and isinstance(element, SetType) and right.value > 0:
                some = tuple(
                    self._constant(m - offset_of(element.element), element.element) for m in members(right.value)
                )
                verb = " is " if so else " is neither " if len(some) > 1 else " is not "
                return flat(self.value(left, type), verb, row(some, ", ", " or " if so else " nor "))
            return flat(self.value(left, type), f" {COMPARED[name][0 if so else 1]} ", words)
        if isinstance(type, FlagType) and name in ("==", "!="):
            return flat(self.holds(left), " exactly if ", self.holds(right, so=positive))
        there, word = self.value(left, type), COMPARED[name][0 if so else 1]
        word = word.replace("is", "are", 1) if is_plural(there) else word
        return flat(there, f" {word} ", self.value(right, element))

    def there(self, node: ir.Expr, *, so: bool) -> Words:
        """Returns the words for existence: `the player has a lane`, `there is no current tile`."""
        words = self.value(node)
        if isinstance(node, ir.Local):
            return flat("there is " if so else "there is no ", words if so else bare(words))
        owner = self.game.states[node.state].owner if isinstance(node, ir.Read) else None
        owner = self.game.zones[node.zone].owner if isinstance(node, ir.InSlot) else owner
        if owner is None or not isinstance(node, ir.Read | ir.InSlot) or not node.index:
            return flat("there is ", article_before(bare(words))) if so else flat("there is no ", bare(words))
        first = self.value(node.index[0])
        words = cut(words, len(plain_text(possessive(first))) + 1)
        return flat(first, " has ", article_before(words)) if so else flat(first, " has no ", words)

    def _within(self, left: ir.Expr, right: ir.Expr, *, so: bool) -> Words:
        """Returns the words for membership among the players or in a zone; () for any other set."""
        if isinstance(right, ir.Read) and right.state == self.game.players_left:
            return flat(self.value(left), " is still in the game" if so else " is out of the game")
        if isinstance(right, ir.Contents):
            type = self.types.thing(self.game.zones[right.zone].kind)
            return flat(self.value(left, type), " is in " if so else " is not in ", self.value(right))
        return ()

    def _quantified(self, node: ir.Over, *, so: bool) -> Words:
        each = self.each(node.names, node.sources, node.condition)
        head = "for at least one " if (node.what == "any") is so else "for every " if so else "not for every "
        if node.what == "any" and not so:
            head = "for no "
        if node.value is None or node.value == ir.Const(1):
            return flat("there is a " if so else "there is no ", each)
        return flat(head, each, " ", self.holds(node.value))

    # -------------------------------------------------------------- texts

    def template(self, template: ir.Template) -> Words:
        """Returns the words of a template with names in place of its holes."""
        pairs = zip(template.parts, template.types, strict=True)
        return with_one_article(
            clean(part) if isinstance(part, str) else self._hole(part, type) for part, type in pairs
        )

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
            case ir.Read(state=state, index=index) if index:
                known = self.game.states[state]
                return (Term(clean(known.called) or plain(known.name)),)
            case ir.Cell(data=data, column=column):
                return (Term(plain(self.game.data[data].columns[column].name)),)
            case ir.CallValue(value=value) if self._is_short(self.game.values[value]):
                return (Term(plain(self.game.values[value].name).removesuffix(" of")),)
            case ir.Column(table=table):
                return (Term(self._printed(table)),)
            case ir.Bound(of=of):
                return self._hole(of, type)
            case ir.Op(name="min" | "max" as name, arguments=(first, *_)):
                return flat("up to " if name == "min" else "at least ", self._hole(first, type))
            case _:  # any other expression is worded as in a sentence
                return self.value(node, type)


_BUILTIN = {"players": "the players", "all players": "the players", "mover": "whose turn it is"}


def _singles(node: ir.Expr) -> tuple[ir.Expr, ...]:
    """Returns the members that a set is written of, `{colour, wild}`; () for any other set."""
    match node:
        case ir.Op(name="single", arguments=(one,)):
            return (one,)
        case ir.Op(name="union", arguments=(left, right)):
            first, second = _singles(left), _singles(right)
            return (*first, *second) if first and second else ()
        case _:  # any other set has no members in print
            return ()


def _is_sum(node: ir.Expr) -> bool:
    return isinstance(node, ir.Op) and node.name in (*SIGNS, "floordiv", "ceildiv", "mod", "union", "minus", "inter")
