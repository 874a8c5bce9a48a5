"""Expressions of the IR -> words for their values, and clauses for conditions, as they hold or do not.

fuel[p] >= least(cost)              the player's fuel is at least the cost
p in players and p.lane != none     the player is still in the game and the player has a lane
"""

from __future__ import annotations

import attrs

from rulelang.ir import model as ir
from rulelang.ir.model.operators import OPERATORS
from rulelang.ir.types import NONE, FlagType, IntType, SetType, Type, offset_of
from rulelang.ir.walk import spelled_out
from rulelang.program.packing import members
from rulelang.program.values import clean, plain
from rulelang.prose.inference import NUMBER
from rulelang.prose.phrases import article_before, bare, cut, for_these, is_plural, of_several, possessive, without
from rulelang.prose.values import ValueProse
from rulelang.prose.words import Plain, Term, Words, flat, plain_text, row

VERBS = ("is", "has", "can", "may", "could", "holds", "fits", "needs", "hurries", "must", "goes", "was")
"""The verbs that make the name of a condition a clause: `holds`, `can_pay`."""
UNTIL: dict[ir.LapseMoment, str] = {
    "turn ends": "until the turn ends",
    "round ends": "until the round ends",
    "turn of owner begins": "until the owner's next turn begins",
    "turn of owner ends": "until the owner's next turn ends",
}
"""The words for how long a variable lasts."""
_NOTHING = {"is at most": "is"}
"""How a number that cannot be negative compares with 0, by how any other number does."""
NOTED = " is noted"
"""What is said of a flag of the whole game: people keep such a thing in mind, or lay out a marker."""


@attrs.frozen
class Prose(ValueProse):
    """The words for the expressions of one passage: of values, and of conditions, which hold or do not."""

    def holds(self, node: ir.Expr, *, so: bool = True) -> Words:
        """Returns a clause for a condition, or for its negation if not `so`."""
        match node:
            case ir.And(arguments=arguments) | ir.Or(arguments=arguments):
                is_all = isinstance(node, ir.And) is so
                parts = tuple(self._part(argument, so=so, in_all=is_all) for argument in arguments)
                return row(parts, " and ", " and ") if is_all else row(parts, " or ", " or ")
            case ir.Op(name="not", arguments=(of,)):
                return self.holds(of, so=not so)
            case ir.Op(name=name, arguments=(left, right)) if (held := OPERATORS[name].holds) is not None:
                return self._compared(name, left, right, held[0 if so else 1], so=so)
            case ir.Openly(condition=condition):
                return self.holds(condition, so=so)
            case ir.Const(value=value):
                return (Plain("always" if bool(value) is so else "never"),)
            case ir.Over(what="any" | "all"):
                return self._quantified(node, so=so)
            case ir.FaceUp(thing=thing):
                return flat(self.value(thing), " lies face up" if so else " lies face down")
            case ir.HasRow(data=data, arguments=arguments):
                return self._has_row(data, arguments, so=so)
            case ir.Cell(data=data, column=column):
                table = self.game.data[data]
                named = Term(self.column(data, column))
                words = cut(self.value(node), len(f"the {named.text} of "))
                if all(isinstance(argument, (ir.Local, ir.Const)) for argument in node.arguments):
                    words = self.row(data, node.arguments)
                return flat(words, " says " if so else " does not say ", named)
            case ir.Foreseen(of=ir.CallValue(value=looked, arguments=given)):
                body = spelled_out(self.game.values[looked], given).cases[0].value
                return flat(self.holds(body, so=so), *self.after(node))
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
                said = clean(kept.called) or plain(kept.name)
                if not index and isinstance(kept.type, FlagType) and not said.startswith("is "):
                    return flat(Term(said), NOTED if so else f" is not{NOTED.removeprefix(' is')}")
                return self._is(said, index, kept.dimensions, so=so)
            case ir.Column(table=table, of=of):
                own = self.without_map(of)
                return self._is(self.printed(table), own, (None,) * len(own), so=so)
            case ir.Either(condition=condition, then=then, otherwise=otherwise):
                first, second = self.holds(then, so=so), self.holds(otherwise, so=so)
                return flat("if ", self.holds(condition), ": ", first, "; else: ", second)
            case _:  # any other expression is a value that holds
                return flat(self.value(node), " holds" if so else " does not hold")

    def _has_row(self, data: int, arguments: tuple[ir.Expr, ...], *, so: bool) -> Words:
        name, keys = plain(self.game.data[data].name), self.keys(data, arguments)
        if [plain_text(key) for key in keys] == [f"the {name}"]:
            return flat("there is such a " if so else "there is no such ", bare(keys[0]))
        return flat("there is a " if so else "there is no ", name, *for_these(keys))

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
        words = self.named(value.called if so or value.denied is None else value.denied, value, arguments)
        return words if so or value.denied is not None else flat("it is not so that ", words)

    def _is(self, name: str, arguments: tuple[ir.Expr, ...], types: tuple[Type | None, ...], *, so: bool) -> Words:
        """Returns a clause for a named condition: `the founder is waiting`, `last leg`."""
        values = [self.value(a, t) for a, t in zip(arguments, types, strict=False) if a != ir.Const(NONE)]
        if not values:
            if name.startswith("is "):
                return flat("it is " if so else "it is not ", Term(name[3:]))
            return flat(Term(name), " holds" if so else " does not hold")
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

    def _compared(self, name: str, left: ir.Expr, right: ir.Expr, word: str, *, so: bool) -> Words:
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
                return self.empty(left, so=positive)
        if name == "in" and (words := self._within(left, right, so=so)):
            return words
        element = type
        if name == "in":
            element = self.types.of(right) or SetType(type or NUMBER)
            words = self.value(right, element)
            if isinstance(right, ir.CallValue) and self.game.values[right.value].called and not is_plural(words):
                return flat(self.value(left, type), " is in " if so else " is not in ", words)
            if written := _singles(right, element.element if isinstance(element, SetType) else type):
                either = row(tuple(self.value(one, type) for one in written), ", ", " or " if so else " nor ")
                return flat(self.value(left, type), " is " if so else " is neither ", either)
            if isinstance(right, ir.Const) and isinstance(element, SetType) and right.value > 0:
                some = tuple(
                    self.constant(m - offset_of(element.element), element.element) for m in members(right.value)
                )
                verb = " is " if so else " is neither " if len(some) > 1 else " is not "
                return flat(self.value(left, type), verb, row(some, ", ", " or " if so else " nor "))
            return flat(self.value(left, type), f" {word} ", words)
        if isinstance(type, FlagType) and name in ("==", "!="):
            return flat(self.holds(left), " exactly if ", self.holds(right, so=positive))
        if word in _NOTHING and right == ir.Const(0) and isinstance(type, IntType) and type.low == 0:
            word = _NOTHING[word]
        there = self.value(left, type)
        word = word.replace("is", "are", 1) if self._are_several(left, there) else word
        return flat(there, f" {word} ", self.value(right, element))

    def _are_several(self, node: ir.Expr, words: Words) -> bool:
        """Returns whether a value is spoken of as several: by its type where a name of its own stands for it."""
        named = isinstance(node, ir.Local) and node.id not in self.alone
        return isinstance(self.types.of(node), SetType) if named else is_plural(words)

    def empty(self, node: ir.Expr, *, so: bool) -> Words:
        """Returns a clause that a set is empty, or is not: `the player has no tokens`, `the deck is empty`."""
        if isinstance(node, ir.Over) and node.what == "set" and self.is_selection(node):
            return flat("there is ", self.each(node.names, node.sources, node.condition, "no" if so else "a"))
        words = self.value(node)
        type = self.types.of(node)
        plurals = (Plain(f"the {self.noun(type)[1]}"),)
        is_several = is_plural(words) or (isinstance(type, SetType) and without(words, plurals) is not None)
        if not is_several or not isinstance(node, ir.Contents | ir.CallValue):
            return flat(words, " is empty" if so else " is not empty")
        owned = isinstance(node, ir.Contents) and self.game.zones[node.zone].owner is not None
        owner = (
            self.value(node.index[0], self.game.zones[node.zone].dimensions[0])
            if owned and isinstance(node, ir.Contents)
            else ()
        )
        things = without(words, possessive(owner))
        if things is not None:
            return flat(owner, _has(owner), " no" if so else "", things)
        return flat("there are no " if so else "there are ", bare(words))

    def there(self, node: ir.Expr, *, so: bool) -> Words:
        """Returns the words for existence: `the player has a lane`, `there is no current tile`."""
        words = self.value(node)
        if isinstance(node, ir.Local):
            return (
                flat(
                    "there is such " if so else "there is no such ", article_before(bare(words)) if so else bare(words)
                )
                if node.id in self.alone
                else flat("there is " if so else "there is no ", words)
            )
        if isinstance(node, ir.Read) and self.game.states[node.state].option:
            return flat(words, " is agreed" if so else " is not agreed")
        if isinstance(node, ir.Column) and len(node.of) == 1:
            printed = (Plain(self.printed(node.table)),)
            return flat(
                self.value(node.of[0]), " has " if so else " has no ", article_before(printed) if so else printed
            )
        owner = self.game.states[node.state].owner if isinstance(node, ir.Read) else None
        owner = self.game.zones[node.zone].owner if isinstance(node, ir.InSlot) else owner
        if owner is None or not isinstance(node, ir.Read | ir.InSlot) or not node.index:
            return flat("there is ", article_before(bare(words))) if so else flat("there is no ", bare(words))
        first = self.value(node.index[0])
        words = cut(words, len(plain_text(possessive(first))) + 1)
        return flat(first, _has(first), " ", article_before(words) if so else flat("no ", words))

    def _within(self, left: ir.Expr, right: ir.Expr, *, so: bool) -> Words:
        """Returns the words for membership among the players or in a zone; () for any other set."""
        if isinstance(right, ir.Read) and right.state == self.game.players_left:
            return flat(self.value(left), " is still in the game" if so else " is out of the game")
        if isinstance(right, ir.Contents):
            type = self.types.thing(self.game.zones[right.zone].kind)
            return flat(self.value(left, type), " is in " if so else " is not in ", self.value(right))
        return ()

    def _quantified(self, node: ir.Over, *, so: bool) -> Words:
        """Returns a clause about some or all members of a set: `no founder of the team is in danger`."""
        value = node.value
        if node.what == "all" and isinstance(value, ir.Op) and value.name in ("!=", "not"):
            turned = ir.Op("==", value.arguments) if value.name == "!=" else value.arguments[0]
            return self._quantified(attrs.evolve(node, what="any", value=turned), so=not so)
        if value is None or value == ir.Const(1):
            each = self.each(node.names, node.sources, node.condition, "no" if not so else "a")
            return flat("there is ", each)
        determiner = ("at least one" if so else "no") if node.what == "any" else "every" if so else "not every"
        whole = self.each(node.names, node.sources, node.condition, determiner)
        if len(node.names) == 1 and node.condition is None:
            one, clause = self.local(node.names[0].id), self.holds(value)
            rest = without(clause, one)
            if rest is not None and self._is_predicate(value, node.names[0], rest):
                return flat(whole, rest)
            is_any = node.what == "any"
            about = self.about_one(node.names[0], value, so=is_any)
            if about is not None:
                each = self.each(node.names, node.sources, None, "a" if so is is_any else "no")
                return flat("there is ", each, about)
        if determiner == "not every":
            whole = self.each(node.names, node.sources, node.condition, "at least one")
            return flat("for ", whole, ", ", self.holds(value, so=False))
        return flat("for ", whole, ", ", self.holds(value))

    def _is_predicate(self, value: ir.Expr, one: ir.Variable, rest: Words) -> bool:
        """Returns whether what stands behind the subject of a clause can stand behind another, such as `no attack`."""
        verb, *more = plain_text(rest).split() or [""]
        is_alone = one.id in self.alone or plain_text(self.local(one.id)) not in more
        return (
            rest[0].text.startswith(" ")
            and of_several(verb) is not None
            and is_alone
            and not isinstance(value, ir.And | ir.Or)
        )


def _has(owner: Words) -> str:
    return " have" if plain_text(owner) == "you" else " has"


def _singles(node: ir.Expr, element: Type | None) -> tuple[ir.Expr, ...]:
    """Returns the members that a set is written of, `{colour, wild}`; () for any other set."""
    match node:
        case ir.Op(name="single", arguments=(one,)):
            return (one,)
        case ir.Op(name="union", arguments=(left, right)):
            first, second = _singles(left, element), _singles(right, element)
            return (*first, *second) if first and second else ()
        case ir.Const(value=value) if value > 0 and element is not None:
            return tuple(ir.Const(member - offset_of(element)) for member in members(value))
        case _:  # any other set has no members in print
            return ()
