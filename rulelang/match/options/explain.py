"""A pending choice -> words about it: the prompt, each option's label, the reason why an answer is refused.

needs stock(victim, r) >= n  "{victim} holds only {stock(victim, r)} {r}"    # the reason, its clause, its line
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import attrs

from rulelang.errors import RuntimeRules
from rulelang.ir.model import BeginBody, Branch, Choice, Expr, GameRules, Kind, Local, Need, Parameter, Rule, Template
from rulelang.ir.numbers import Seat, Thing
from rulelang.ir.types import EnumType, IntType, KindType, SetType, Type
from rulelang.ir.walk import read_in, walk
from rulelang.knowledge.phrase import spliced
from rulelang.knowledge.redaction import EVERYONE, VALUE, name_of, ranges, read
from rulelang.knowledge.rendering import Looking, Pointing, Scene
from rulelang.knowledge.secrets import Secrets
from rulelang.machines.evaluate import Locals, sequence
from rulelang.machines.machine import Answer
from rulelang.machines.offers.offer import Offer
from rulelang.machines.walk import Evaluation, evaluate
from rulelang.match.options.option import Option
from rulelang.match.position import Position
from rulelang.program.packing import mask_of, members
from rulelang.program.subsets import TRIED
from rulelang.program.values import plain, written
from rulelang.source import NOWHERE, Span

SHOWN = 8
"""The most members of a domain that a refusal lists."""


@attrs.frozen
class Reason:
    """The reason why an option is refused: the rule's own words, the clauses it cites, its place."""

    message: str
    clauses: tuple[str, ...] = ()
    span: Span = attrs.field(default=NOWHERE, repr=False)
    is_outside: bool = attrs.field(default=False, repr=False)
    """Whether the answer names a value outside the domain of its parameter, which no rule needs to forbid."""

    def __str__(self) -> str:
        return self.message + (f" [{', '.join(self.clauses)}]" if self.clauses else "")


def prompt(position: Position, seat: Seat) -> str:
    """Returns the question that a seat is asked, through its eyes."""
    choice = position.choice
    if choice is None or choice.prompt is None or seat not in position.to_move:
        return ""
    locals = position.locals(choice, seat)
    return _read(position, choice.prompt, locals, _told(position, choice.prompt, locals, {}), seat)


def topic(position: Position, seat: Seat) -> str:
    """Returns the name and the text of the thing or member that the question of a seat names; "" if it names none that has
    a text of its own, or several. The attributes printed on those it names are not its topic: `Does {founder} learn {ability}?`"""
    choice = position.choice
    if choice is None or choice.prompt is None or seat not in position.to_move:
        return ""
    locals = position.locals(choice, seat)
    told = _told(position, choice.prompt, locals, {})
    found: list[tuple[Template, Template]] = []
    for part, type in zip(choice.prompt.parts, choice.prompt.types, strict=True):
        if type is None or isinstance(part, str):
            continue
        look = _looking(position, told)
        try:
            value = look.value(part, dict(locals))
        except (RuntimeRules, KeyError):
            continue
        if look.seers & position.visibility.bit(seat):
            name = attrs.evolve(choice.prompt, parts=(part,), types=(type,))
            texts = _texts_of(position, type, value, seat) if _is_own(position.game, type, value) else []
            found += [(name, text) for text in texts]
    if len(found) != 1:
        return ""
    name, text = found[0]
    return spliced((_read(position, name, locals, told, seat), ": ", _read(position, text, {}, {}, seat)))


def _is_own(game: GameRules, type: Type, value: int) -> bool:
    """Returns whether a text of a thing or member is its own, and not that of what is printed on it."""
    if not isinstance(type, KindType):
        return True
    texts = next((kind.texts for kind in game.kinds if kind.name == type.name), ())
    return 0 <= value < len(texts) and texts[value] is not None


def labels(position: Position, choice: Choice, seat: Seat) -> Callable[[Option], str]:
    """Returns a function that labels a seat's options with the words of their rules in the present position."""
    around = _around(position, choice, seat)

    def label(option: Option) -> str:
        rule, own, told = around(option)
        if rule is None or rule.label is None:
            return named_option(position.game, choice, option)
        return _read(position, rule.label, own, told, seat)

    return label


def named_option(game: GameRules, choice: Choice, option: Option) -> str:
    """Returns the label of an option that has no words of its own: `fuel tank`, `take 2`."""
    branch = choice.branches[option.answer[0]]
    values = zip(option.answer[1:], branch.parameters, strict=True)
    names = spliced((name_of(value, parameter.variable.type, game) for value, parameter in values), ", ")
    if branch.name == VALUE:
        return names
    return spliced((plain(branch.name), " ", names)) if names else plain(branch.name)


def shown(position: Position, choice: Choice, seat: Seat) -> Callable[[Option], str]:
    """Returns a function for the words that an option's rule
    `shows` (what it costs and brings); "" if it shows nothing.
    """
    around = _around(position, choice, seat)

    def said(option: Option) -> str:
        rule, own, told = around(option)
        fields = () if rule is None else rule.shows
        if not fields:
            return _text_of(position, choice.branches[option.answer[0]], option, seat)
        kept = (f for f in fields if f.condition is None or _holds(position, f.condition, own, told, seat))
        return ", ".join(_read(position, field.text, own, told, seat) for field in kept)

    return said


def _text_of(position: Position, branch: Branch, option: Option, seat: Seat) -> str:
    """Returns the text of the thing or member that an option names last; "" if it has several texts, or the seat may
    not know it.

    Earlier names in an option say only whom or where it is about: `Steal 10 fuel from the Natantus`.
    """
    return text(position, branch.parameters[-1].variable.type, option.answer[-1], seat) if branch.parameters else ""


def text(position: Position, type: Type, value: int, seat: Seat) -> str:
    """Returns the text of a thing or member; "" if it has several texts, or the seat may not know it."""
    texts = _texts_of(position, type, value, seat)
    return _read(position, texts[0], {}, {}, seat) if len(texts) == 1 else ""


def _texts_of(position: Position, type: Type, value: int, seat: Seat) -> list[Template]:
    """Returns the text of a thing or member, or the texts of its printed attributes; none if the seat may not know it."""
    game = position.game
    match type:
        case EnumType(name=name):
            known = next((enum for enum in game.enums if enum.name == name), None)
            text = known.texts[value] if known is not None and 0 <= value < len(known.texts) else None
            return [] if text is None else [text]
        case KindType(name=name) if value >= 0:
            kind = game.kind_called.get(name)
            if kind is None or (kind.movable and not _is_told(position, kind, Thing(value), seat)):
                return []
            own = kind.texts[value] if value < len(kind.texts) else None
            if own is not None:
                return [own]
            printed = ((type, game.tables[table].values[value]) for _, table, type in kind.columns)
            return [t for type, v in printed for one, v in _members(type, v) for t in _texts_of(position, one, v, seat)]
        case _:  # only things and members have clauses
            return []


def _members(type: Type, value: int) -> list[tuple[Type, int]]:
    """Returns the members of enums that a value is made of, with their types."""
    if isinstance(type, SetType) and isinstance(type.element, EnumType):
        return [(type.element, member) for member in members(value)] if value >= 0 else []
    return [(type, value)] if isinstance(type, EnumType) else []


def _is_told(position: Position, kind: Kind, thing: Thing, seat: Seat) -> bool:
    """Returns whether a seat can tell which thing is meant, by its place or because it was told."""
    pointing = Pointing(position.visibility, position.row, position.knowledge)
    return bool(pointing.told(kind.id, thing) & position.visibility.bit(seat))


def _holds(position: Position, condition: Expr, locals: Locals, told: Mapping[int, int], seat: Seat) -> bool:
    """Returns whether a condition holds, and a seat may know it."""
    look = _looking(position, told)
    try:
        return look.value(condition, dict(locals)) > 0 and bool(look.seers & position.visibility.bit(seat))
    except (RuntimeRules, KeyError):
        return False


def _looking(position: Position, told: Mapping[int, int]) -> Looking:
    """Returns an evaluation that notes who may know what it reads; `told` says who may know each local."""
    visibility, knowledge = position.visibility, position.witnesses.knowledge
    return Looking(position.row, position.game, position.layout, visibility=visibility, knowledge=knowledge, told=told)


def _around(
    position: Position, choice: Choice, seat: Seat
) -> Callable[[Option], tuple[Rule | None, Locals, dict[int, int]]]:
    """Returns a function that finds an option's rule, the locals
    its words read, and their readers; no rule if it has no words.
    """
    locals = position.locals(choice, seat)

    def around(option: Option) -> tuple[Rule | None, Locals, dict[int, int]]:
        branch = choice.branches[option.answer[0]]
        rule = position.game.rules[branch.rule]
        if branch.declines or (rule.label is None and not rule.shows):
            return None, {}, {}
        begin = next(n for n in walk(branch.body) if isinstance(n, BeginBody) and n.rule == branch.rule)
        own = _own(position, branch, begin, option, locals)
        heard = [(v.id, read.id) for v, read in zip(rule.around, begin.around, strict=True) if isinstance(read, Local)]
        known = position.witnesses.told({id: locals[id] for _, id in heard}, position.row)
        told = {id: known[read] for id, read in heard} | dict.fromkeys(own, EVERYONE)
        return rule, {id: locals[read] for id, read in heard} | own, told

    return around


def _own(position: Position, branch: Branch, begin: BeginBody, option: Option, locals: Locals) -> Locals:
    """Returns the values of the parameters of an option and of its rule."""
    own, rule = bound(branch, option), position.game.rules[branch.rule]
    try:
        values = [evaluate(a, position.row, locals | own, position.game, position.layout) for a in begin.arguments]
    except (RuntimeRules, KeyError):
        values = []
    return own | {v.id: value for v, value in zip(rule.parameters, values, strict=False)}


def bound(branch: Branch, option: Option) -> Locals:
    """Returns the values of a branch's parameters in an option."""
    return {p.variable.id: value for p, value in zip(branch.parameters, option.answer[1:], strict=False)}


def _read(position: Position, template: Template, locals: Locals, told: Mapping[int, int], seat: Seat) -> str:
    """Returns the words of a template as the choosing seat reads them; `told` says who may know each local."""
    knowledge = position.witnesses.knowledge
    scene = Scene(
        position.visibility,
        position.row,
        knowledge,
        locals,
        told,
        position.secrets.locals,
        patience=position.patience,
    )
    return read(scene.words(template), position.visibility.bit(seat))


def _told(position: Position, words: Template | Expr, locals: Locals, own: Locals) -> dict[int, int]:
    """Returns the readers of the locals of a template or a condition: the chooser knows an option's own parameters; not
    everyone knows the surrounding ones.
    """
    around = {id: locals[id] for id in read_in(words) if id in locals}
    return position.witnesses.told(around, position.row) | dict.fromkeys(own, EVERYONE)


# ------------------------------------------------------------------ refusals


def reason(position: Position, option: Option) -> Reason | None:
    """Returns the first reason why an option is refused; None when it is legal."""
    choice = position.choice
    if choice is None:
        return Reason("there is nothing to choose")
    if option.choice != choice.name:
        return Reason(f"`{option.text}` belongs to another choice")
    if option.seat not in position.to_move:
        known = option.seat in range(position.players)
        return Reason(f"{position.seats[option.seat]} has nothing to choose now" if known else "nobody")
    refusal = position.machine.refusal(option.seat, option.answer)
    if refusal is None:
        return None
    if refusal.branch is None or not 0 <= refusal.branch < len(choice.branches):
        return Reason(f"`{option.text}` is not on offer")
    branch = choice.branches[refusal.branch]
    locals = position.locals(choice, option.seat)
    if refusal.need is not None:
        return _needed(position, branch.needs[refusal.need], locals, bound(branch, option), option.seat)
    number = refusal.parameter or 0
    return _outside(position, branch, number, option, locals)


def needed(position: Position, choice: Choice, branch: Branch, need: Need, answer: Answer, seat: Seat) -> Reason:
    """Returns the reason that a need gives against an answer, of which only what the need reads must be known."""
    own = {p.variable.id: value for p, value in zip(branch.parameters, answer[1:], strict=False)}
    return _needed(position, need, position.locals(choice, seat), own, seat)


def _needed(position: Position, need: Need, around: Locals, own: Locals, seat: Seat) -> Reason:
    site = position.game.sites[need.site]
    if need.message is not None:
        told = _told(position, need.message, around, own)
        message = _read(position, need.message, around | own, told, seat)
    else:
        message = _against(position, need, around | own, _told(position, need.condition, around, own), seat)
    return Reason(message, need.clauses or site.clauses, site.span)


def _against(position: Position, need: Need, values: Locals, told: Mapping[int, int], seat: Seat) -> str:
    """Returns the reason that a `needs` without words of its own gives, as a seat may know it."""
    choice, game = position.choice, position.game
    assert choice is not None
    passage = (choice, game.rules[choice.rule].parameters)
    known = {id: v if told.get(id, EVERYONE) & position.visibility.bit(seat) else None for id, v in values.items()}
    # Most matches refuse nothing, and all would wait for prose.
    from rulelang.prose.present import against, present

    return against(present(game, passage, known), need.condition)


def _outside(position: Position, branch: Branch, number: int, option: Option, locals: Locals) -> Reason:
    """Returns the reason that a value is outside the domain of its parameter, with the members of the domain."""
    site = position.game.sites[branch.site]
    if number >= len(option.answer) - 1:
        return Reason(f"`{branch.name}` wants more", site.clauses, site.span)
    parameter = branch.parameters[number]
    value = name_of(option.answer[number + 1], parameter.variable.type, position.game)
    message = f"{value} is not on offer"
    some = _domain(position, parameter, locals | bound(branch, option))
    return Reason(message + (f": {some}" if some else ""), site.clauses, site.span, is_outside=True)


def _domain(position: Position, parameter: Parameter, locals: Locals) -> str:
    """Returns the members of a parameter's domain in words, in the present position."""
    look = Evaluation(position.row, position.game, position.layout)
    element = getattr(parameter.variable.type, "element", parameter.variable.type)
    try:
        members = sequence(parameter.domain, look, dict(locals))
    except (RuntimeRules, KeyError):
        return ""
    of = "" if parameter.low is None else "some of "
    if isinstance(element, IntType) and len(members) > SHOWN:
        return of + ranges(members)
    names = list(dict.fromkeys(name_of(member, element, position.game) for member in members))
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return of + ", ".join(names[:SHOWN]) + more if names else "there is none"


def alike_on_offer(position: Position, choice: Choice, seat: Seat, answer: Answer) -> Iterator[Answer]:
    """Yields the legal answer, if there is one, that is written like another answer, with the lowest such things."""
    locals, look = position.locals(choice, seat), Evaluation(position.row, position.game, position.layout)
    values = []
    for parameter, value in zip(choice.branches[answer[0]].parameters, answer[1:], strict=True):
        type = parameter.variable.type
        if isinstance(type, SetType):
            there: dict[str, list[int]] = {}
            for thing in sorted(sequence(parameter.domain, look, locals), reverse=True):
                there.setdefault(written(thing, type.element, position.game), []).append(thing)
            named = [written(thing, type.element, position.game) for thing in members(value)]
            if any(named.count(name) > len(there.get(name, ())) for name in set(named)):
                return
            value = mask_of(there[name].pop() for name in named)
        locals[parameter.variable.id] = value
        values.append(value)
    found = (answer[0], *values)
    if position.machine.allows(seat, found):
        yield found


# ------------------------------------------------------------------ guesses of others


def asks_in_secret(choice: Choice, secrets: Secrets) -> bool:
    """Returns whether a choice asks for something that others may not know."""
    return choice.id in secrets.asking


def guesses(position: Position, choice: Choice, seat: Seat) -> dict[tuple[int, int], tuple[int, ...]]:
    """Returns the answers that a seat could have given, if its answer is secret: by parameter and seat.

    Parameters whose domains are not public are left out, since their members would reveal a secret.
    """
    found: dict[tuple[int, int], set[int]] = {}
    secret = position.secrets.open
    answers = Offer(position.machine, seat).first(TRIED + 1)
    if len(answers) > TRIED:
        return {}  # The answer could be anything.
    for answer in answers:
        for parameter, value in zip(choice.branches[answer[0]].parameters, answer[1:], strict=True):
            if parameter.variable.id in secret:
                found.setdefault((parameter.variable.id, seat), set()).add(value)
    return {key: tuple(sorted(values)) for key, values in found.items()}
