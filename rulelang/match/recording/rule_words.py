"""The words with which an event begins: its call, its sentence, and what the sentence names.

take(red, 2)       "take(red, 2)", "Red takes 2", names red and 2

Words that depend on the arguments, on who can identify the things among them, and on numbers that everybody could
compute, are made once for a game and a number of players, whoever reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import attrs

from rulelang.ir.facts import LOCAL
from rulelang.ir.model import Counted, Expr, Local, Rule, Variable
from rulelang.ir.numbers import Mask, Thing
from rulelang.ir.types import NONE, PLAYER, KindType, Type
from rulelang.ir.walk import walk
from rulelang.knowledge.redaction import EVERYONE, NOBODY, Words, kind_of
from rulelang.knowledge.rendering import Draft, Pointing, Scene, settled
from rulelang.knowledge.secrets import Secrets
from rulelang.knowledge.visibility import Visibility
from rulelang.machines.machine import ValueFunction
from rulelang.match.recording.announced import Spoken, spoken
from rulelang.match.recording.viewer_text import called_draft
from rulelang.program.python.support import Trap

MOST = 20_000
"""The most words that are kept of one rule."""


@attrs.frozen
class RuleWords:
    """The words of a rule that begins."""

    call: Draft
    called: Words
    """The call, as it is read at once."""
    sentence: Draft
    said: Words
    """The sentence, as it is read at once."""
    otherwise: Draft
    """The sentence if the rule changes nothing."""
    spoken: Spoken
    """The values that its sentence names, and their readers."""


def words_of(rule: Rule, arguments: list[Draft], scene: Scene, pointing: Pointing) -> RuleWords:
    """Returns the words with which a rule begins, given those for its arguments, as its things can be identified now."""
    game, sentence = scene.visibility.game, rule.told or rule.label
    call, draft = pointing.named(called_draft(rule.name, arguments)), pointing.named(scene.draft(sentence))
    named = spoken(game, rule, sentence, scene.locals, scene.told, draft)
    return RuleWords(
        call, settled(call, game), draft, settled(draft, game), pointing.named(scene.draft(rule.otherwise)), named
    )


def words_made(
    pointing: Pointing, secrets: Secrets, rule: int, arguments: tuple[int, ...], functions: Mapping[int, ValueFunction]
) -> tuple[dict[Key, RuleWords] | None, Key]:
    """Returns the words of a rule made so far, and the key of those for some arguments: the arguments, by thing among them
    the viewers who can identify it now, and what its sentences compute. There are none if they depend on more than that.

    `functions` compute the holes of the sentences; see `Machine.holes`."""
    kept = pointing.visibility.rule_words
    if rule not in kept:
        kept[rule] = KeptWords.of(pointing.visibility, secrets, rule)
    found: KeptWords | None = kept[rule]
    if found is None:
        return None, ()
    zones = pointing.visibility.game.zones
    if not all(pointing.knows_all_in(zones[zone]) for zone in found.zones):
        return None, ()
    if len(found.made) >= MOST:
        found.made.clear()
    key: Key = arguments
    for position, kind in found.things:
        value = arguments[position] if position < len(arguments) else NONE
        if value != NONE:
            key += (pointing.told(kind, Thing(value), 1 << value),)
    if found.holes:
        try:
            key += tuple([functions[hole](pointing.row, *arguments) for hole in found.holes])
        except (
            KeyError,
            TypeError,
            Trap,
            RecursionError,
        ):  # worked out with the words, a fault is found with its place
            return None, ()
    return found.made, key


Key: TypeAlias = tuple[int, ...]


@attrs.frozen(eq=False)
class KeptWords:
    """The words of a rule made so far, and what they depend on besides its arguments."""

    things: tuple[tuple[int, int], ...]
    """The positions and kinds of the arguments that are things: the words depend on who can identify those."""
    holes: tuple[int, ...]
    """The numbers of the holes of its sentences, which everybody who knows the arguments could compute."""
    zones: tuple[int, ...] = ()
    """The zones whose things its sentences read: they are for everybody alike if everybody knows those."""
    made: dict[Key, RuleWords] = attrs.field(factory=dict)

    @classmethod
    def of(cls, visibility: Visibility, secrets: Secrets, rule: int) -> KeptWords | None:
        """Returns no words yet; None if they depend on more: on arguments or holes that not everybody may know, on sets of
        things, on locals around it."""
        game, about = visibility.game, visibility.game.rules[rule]
        if about.around or any(secrets.rules[rule]):
            return None
        own = {variable.id for variable in about.parameters}
        kinds = [(at, variable.type, kind_of(variable.type, game)) for at, variable in enumerate(about.parameters)]
        if own & secrets.locals or any(kind is not None and not isinstance(type, KindType) for _, type, kind in kinds):
            return None
        zones = set[int]()
        for template in (about.told or about.label, about.otherwise):
            for part, of in () if template is None else zip(template.parts, template.types, strict=True):
                read = frozenset[int]() if isinstance(part, str) else _zones_read(visibility, own, part, of)
                if read is None:
                    return None
                zones |= read
        things = tuple((at, kind.id) for at, _, kind in kinds if kind is not None)
        return cls(things, tuple(number for number, _ in visibility.holes[rule]), tuple(sorted(zones)))


def _zones_read(visibility: Visibility, own: set[int], hole: Expr, of: Type | None) -> frozenset[int] | None:
    """Returns the zones whose things a hole of a sentence reads, which else depends on some locals alone, or on what
    everybody sees; None if it depends on more. A thing that is looked up is named to those who can identify it."""
    nodes = list(walk(hole))
    names = own | {node.id for node in nodes if isinstance(node, Variable)}
    if not all(not isinstance(node, Local) or node.id in names for node in nodes):
        return None
    if LOCAL.issuperset(type(node) for node in nodes):
        return frozenset()
    is_thing = kind_of(of, visibility.game) is not None
    return None if is_thing else visibility.zones_read(hole.of if isinstance(hole, Counted) else hole)


def readers_of(
    visibility: Visibility,
    secrets: Secrets,
    noted: Mapping[int, Mask],
    rule: int,
    arguments: tuple[int, ...],
    position: int,
) -> Mask:
    """Returns the readers of an argument of a rule: for a secret one, the viewers who may know its sources, or the seat that
    chose it (the first argument); `noted` are the viewers who may know locals.
    """
    flags = secrets.rules[rule]
    if position >= len(flags) or not flags[position]:
        return EVERYONE
    parameter = visibility.game.rules[rule].parameters[position].id
    if parameter in secrets.witnessed:
        return noted.get(parameter, NOBODY)
    first = visibility.game.rules[rule].parameters[0].type
    is_seat = isinstance(first, KindType) and first.name == PLAYER and 0 <= arguments[0] < visibility.players
    return Mask(1 << arguments[0]) if is_seat else NOBODY
