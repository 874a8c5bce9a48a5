"""The words with which an event begins: its call, its sentence, and what the sentence names.

take(red, 2)       "take(red, 2)", "Red takes 2", names red and 2

Words that depend on the arguments, on who can identify the things among them, and on numbers that everybody could
compute, are made once for a game and a number of players, whoever reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import attrs

from rulelang.ir.facts import LOCAL, kind_of
from rulelang.ir.model import Counted, Expr, Local, Rule, Variable
from rulelang.ir.numbers import Mask, Thing
from rulelang.ir.types import NONE, PLAYER, KindType, Type
from rulelang.ir.walk import walk
from rulelang.knowledge.redaction import EVERYONE, NOBODY, Words
from rulelang.knowledge.rendering import Draft, Pointing, Scene, is_settled, settled
from rulelang.knowledge.secrets import Secrets
from rulelang.knowledge.visibility import Visibility
from rulelang.machines.machine import ValueFunction
from rulelang.match.recording.announced import Spoken, actor, spoken
from rulelang.match.recording.viewer_text import called_draft, deed
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
    done: Words
    """The call as people read it, if there is no sentence and somebody did it; see `deed`."""
    names_things: bool
    has_sentence: bool
    actor: int | None
    """The seat that the rule is about; see `actor`."""


NO_WORDS = RuleWords((), (), (), (), (), {}, (), False, False, None)
"""The words of an event that goes on, and of all events where nobody reads them."""


def words_of(
    rule: Rule, arguments: tuple[int, ...], drafts: list[Draft], scene: Scene, pointing: Pointing
) -> RuleWords:
    """Returns the words with which a rule begins, given its arguments in words, as its things can be identified now."""
    game, sentence = scene.visibility.game, rule.told or rule.label
    call, draft = pointing.named(called_draft(rule.name, drafts)), pointing.named(scene.draft(sentence))
    otherwise = pointing.named(scene.draft(rule.otherwise))
    named = spoken(game, rule, sentence, scene.locals, scene.told, draft)
    called, said, who = settled(call, game), settled(draft, game), actor(rule, arguments)
    done = () if draft or who is None else settled(deed(call), game)
    things = not (called is call and said is draft and is_settled(otherwise))
    return RuleWords(call, called, draft, said, otherwise, named, done, things, sentence is not None, who)


def words_kept(visibility: Visibility, secrets: Secrets, rule: int) -> KeptWords | None:
    """Returns the words of a rule made so far; None if they depend on more than `KeptWords.key` tells apart."""
    kept = visibility.rule_words
    if rule not in kept:
        kept[rule] = KeptWords.of(visibility, secrets, rule)
    found: KeptWords | None = kept[rule]
    return found


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
    around: tuple[int, ...] = ()
    """The locals around it, apart from things: the words depend on who may know those."""
    made: dict[Key, RuleWords] = attrs.field(factory=dict)
    is_plain: bool = attrs.field(init=False)
    """Whether the words depend on the arguments alone, which then are their key."""

    @is_plain.default
    def _is_plain(self) -> bool:
        return not (self.things or self.holes or self.zones or self.around)

    def key(
        self,
        pointing: Pointing,
        noted: Mapping[int, Mask],
        arguments: tuple[int, ...],
        functions: Mapping[int, ValueFunction],
    ) -> Key | None:
        """Returns the key of the words for some arguments: the arguments, by thing among them the viewers who can identify
        it now, by other local around the rule those who may know it, and what the sentences compute; None if the words
        depend on more than that.

        `noted` are the viewers who may know locals; `functions` compute the holes of the sentences; see `Machine.holes`."""
        zones = pointing.visibility.game.zones
        if self.zones and not all(pointing.knows_all_in(zones[zone]) for zone in self.zones):
            return None
        key: Key = arguments
        for position, kind in self.things:
            value = arguments[position] if position < len(arguments) else NONE
            if value != NONE:
                key += (pointing.told(kind, Thing(value), 1 << value),)
        for local in self.around:
            key += (noted.get(local, EVERYONE),)
        if self.holes:
            try:
                key += tuple([functions[hole](pointing.row, *arguments) for hole in self.holes])
            except (KeyError, TypeError, Trap, RecursionError):
                # Worked out with the words, a fault is found with its place.
                return None
        return key

    def keep(self, key: Key, words: RuleWords) -> None:
        """Keeps words under their key."""
        if len(self.made) >= MOST:
            self.made.clear()
        self.made[key] = words

    @classmethod
    def of(cls, visibility: Visibility, secrets: Secrets, rule: int) -> KeptWords | None:
        """Returns no words yet; None if they depend on more: on arguments or holes that not everybody may know, on sets of
        things."""
        game, about = visibility.game, visibility.game.rules[rule]
        if any(secrets.rules[rule]):
            return None
        variables = (*about.parameters, *about.around)
        own = {variable.id for variable in variables}
        kinds = [(at, variable.type, kind_of(variable.type, game)) for at, variable in enumerate(variables)]
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
        around = tuple(variable.id for variable in about.around if kind_of(variable.type, game) is None)
        return cls(things, tuple(number for number, _ in visibility.holes[rule]), tuple(sorted(zones)), around)


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
