"""A source of chance -> a small game of hidden cards and numbers that nobody would write, and two deals of it that one seat cannot tell.

sketched(choose)          zones, secrets, lets, verbs, passing, secret and open choices, throws behind a screen
Twins(game, seat, seed)   the same game twice: what this seat sees is the same, what it does not see is not

What a seat may see is read off the declarations here, from the rows alone: nothing of what the engine keeps of who knows what is used.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import attrs

from cli.reason import lines_of
from rulelang import api
from rulelang.api import Match
from rulelang.errors import UnknownOption
from rulelang.ir.model import StateVariable
from rulelang.ir.numbers import Seat
from rulelang.ir.types import PLAYER
from rulelang.knowledge.redaction import read
from rulelang.pages.table import SeatPage
from rulelang.session.dialogue import Dialogue
from rulelang.workbench.reasons.why import Asker, NoReason, of_event, why

HEAD = """\
game sketch "Sketch":
  players 2..3
  seats red, blue, green

names p, q, r: Player; n, m: 0..6; c, d: Card; x, y: 0..99; k: Chip
die d6: 1..6

kind Card "card":
  v: 1..9
  suit: enum(moon, sun)
  | copies | v    | suit        |
  | 1      | 1..9 | {moon, sun} |

kind Chip "chip":
  colour: enum(ruby, jade)
  | copies | colour       |
  | 3      | {ruby, jade} |

each Chip has:
  fake: 0..1 = 0, seen by nobody
  worn: 0..3 = 0

the game has:
  mines: set of 0..6 = {1, 4}, seen by nobody
  deck: pile of Card, face down
  table: group of Card, face up
  vault: group of Card, seen by nobody
  shelf: group of Card, seen by {q in players if q.gold > 2}
  note: 0..99 = 0, seen by nobody
  moment: 0..99 = 0
  chosen: Card? = none
  setter: Player = red
  setting: 0..6 = 0, seen by setter
  heap: group of Chip
  tray: group of Chip
  fakes: 0..9 = 0, seen by nobody
each Player has:
  bag: group of Chip
  liked: Chip? = none
  doubted: Chip? = none, seen by owner
  hand: group of Card, seen by owner
  aside: group of Card, seen by {q in players if q != owner}
  secret: 0..99 = 0, seen by owner
  bid: 0..99 = 0, seen by owner
  marked: Card? = none, seen by owner
  strong: flag = no, seen by owner
  mood: flag = no, seen by owner
  fav: Player? = none, seen by owner
  tab(n): 0..9 = 0, seen by owner
  found(n): 0..9 = 0, seen by owner
  gold: 0..99 = 0
  tmp: 0..99 = 0, scratch

data fee(n, p):
  cost: 0..99 = 1
  | n | cost     |
  | 1 | p.secret |
  | 2 | p.gold   |

value worth(p) -> 0..99 = sum(c.v for c in p.hand)
value score(p) -> 0..999 = worth(p) + p.secret + p.gold
value toll(p) -> 0..99 = 1
value pointed -> 0..9 =
  chosen.v if chosen != none
  0 otherwise
adjust worth(p): +1 if p.strong as bold
adjust worth(p): set 9, times 2 if p.secret > 4 as sneaky
adjust fee(n, p).cost: +1 if p.secret > 3 as sly
adjust toll(p): +1 if p.gold > 5 as rich
adjust toll(p): +0 if p.strong as proud

setup:
  move Card to deck
  shuffle(deck)
  move 2 of deck to table
  for p in players: move 2 of deck to p.hand
  for p in players: p.secret = roll(d6)
  for p in players: move 1 of deck to p.aside
  move 1 of deck to vault
  chosen = random(c in vault)
  move Chip to heap
  move 1 of heap to tray
  for k in heap: k.fake = random(0..1)

to veil_setting(): setter chooses setting in 0..6
to hand_over(p) "{p} sets": setter = p
to chip(p):
  p chooses k in heap + tray, or pass
  move k to p.bag
  if k.fake == 1: fakes += 1, at most 9
to like(p):
  p chooses k in heap, or pass after 5 seconds
  p.liked = k
to veil_doubt(p):
  p chooses k in heap, or pass
  p.doubted = k
to wear(p):
  p chooses k in heap + p.bag, or pass
  if k != none: k.worn += 1, at most 3
to say(p, x) "{p} says {x}": settle
to keep(p, x) "{p} keeps {x}": p.secret = x, at most 99
to raise(p, x): p.bid += x, at most 99
to pass_on(p, c) "{c} is passed on":
  if c in p.hand: move c to next(p).hand
to veil_bid(p): p chooses p.bid in 0..3
to veil_secret(p, x) "{p} thinks of {x}": p chooses p.secret in 0..3 "Was {x}"
to veil_card(p):
  p chooses c in p.hand, or pass
  move c to deck bottom
to veil_burn(p, q):
  p chooses c in p.hand, or pass
  if c != none:
    q chooses n in 1..2
    move c to box
to veil_mark(p):
  if p.hand != {}: p chooses p.marked in p.hand
to veil_fav(p): p chooses p.fav in players, or pass
to veil_favs(): each p in players secretly chooses p.fav in players, or pass after 5 seconds
to veil_mood(p):
  p chooses one of:
    cheer: p.mood = yes
    sulk: p.bid = 0
to veil_cast(p):
  p chooses one of:
    cast_one: p.secret = roll(d6)
    cast_none: p.mood = no
to veil_tab(p):
  p chooses n in 0..6
  p.tab(n) = 3
to veil_try(p):
  repeat:
    p secretly chooses n in 0..3
    p.bid = n
    if p.bid > 1: stop
to veil_hunt(p):
  repeat 4 times:
    p secretly chooses n in {n in 0..6 if p.found(n) == 0}, or pass
    if n == none: stop
    p.found(n) = 1 if n in mines else 2
    if p.found(n) == 1: stop
to veil_all(): each p in players secretly chooses p.bid in 0..4
to point(p, c) "{p} points at {c}": settle
to hand_on(p, c) "{p} hands {c} on": move c to next(p).hand
to hide(p, c) "{p} hides {c}": move c to vault
to shelve(p, c) "{p} shelves {c}": move c to shelf
to bury(p, c) "{p} buries {c}":
  move c to deck
  shuffle(deck)
to look_at(p, c) "{p} looks at {c}": show(c, p)
to wonder(p) "{p} wonders", else "{p} does nothing":
  if p.secret > 3: keep(p, 2)
to ponder(p, q) "{p} ponders":
  if p.strong or p.secret > 4: return
  say(q, 1)
  raise(p, 1)
to muse(p) "{p} muses":
  for q in players:
    if q.secret < 3: stop
    say(q, q.gold)
  for q in players if q.bid > 1: wonder(q)
  repeat while p.bid > 3: keep_less(p)
to keep_less(p) "{p} keeps less": p.bid -= 2
to flaunt(p, c) "{p} flaunts {c}":
  if p.strong: say(p, 2)
  move c to table
to veil_pass(p):
  if p.hand != {}:
    p chooses c in p.hand
    hand_on(p, c)
to veil_lay(p):
  if p.hand != {}:
    p chooses c in p.hand
    hide(p, c)
to veil_point(p):
  if p.hand != {}:
    p chooses c in p.hand "Which?"
    point(p, c)
    say(p, c.v)
to veil_shelve(p):
  if p.hand != {}:
    p chooses c in p.hand
    let d = c
    shelve(p, d)
    point(p, d)
to veil_bury(p):
  if p.hand != {}:
    p chooses c in p.hand
    bury(p, c)
    point(p, c)
to veil_show(p, q):
  if p.hand != {}:
    p chooses c in p.hand
    look_at(q, c)
    point(p, c)
    hand_on(p, c)
to veil_label(p):
  if p.hand != {}:
    p chooses c in p.hand
    p chooses one of "With {c}?":
      lay_down "Lay {c}": hide(p, c)
      turn_back "Keep {c}": point(p, c)
to choose(p, c) "{p} points out {c}", else "{p} points out what it did": chosen = c
to tell_of(p) "{p} tells of {chosen}, of {pointed}": settle
to veil_choose(p):
  if p.hand != {}:
    p chooses c in p.hand
    choose(p, c)
to veil_chosen(p):
  if p.hand != {}: p chooses chosen in p.hand "Not {chosen} any more?"
to veil_laid(p):
  if p.hand != {}:
    p chooses c in p.hand
    chosen = c
    hide(p, chosen)
    say(p, chosen.v)
to veil_swap():
  if all(count(p.hand) > 0 for p in players):
    each p in players secretly chooses p.marked in p.hand
    simultaneously for p in players: move p.marked to next(p).hand
"""

NUMBERS = (
    "3",
    "p.gold",
    "p.secret",
    "q.secret",
    "p.bid",
    "q.bid",
    "note",
    "worth(p)",
    "worth(q)",
    "count(q.hand)",
    "fee(1, q).cost",
    "fee(2, p).cost",
    "count(c in q.hand if c.suit == moon)",
    "max(c.v for c in table)",
    "sum(c.v for c in q.aside)",
    "p.tmp",
    "chosen.v",
    "pointed",
    "count(c in p.hand if c.v > chosen.v)",
)
MORE_NUMBERS = (
    *NUMBERS,
    "p.tab(1)",
    "count(n in 0..6 if q.tab(n) > 0)",
    "p.found(min(p.secret, 6))",
    "count(x in mines)",
)
CHANGES = (
    "p.gold += toll(q), at most 99",
    "q.gold = toll(q)",
    "p.secret = NUMBER, at most 99",
    "q.secret = NUMBER, at most 99",
    "note = NUMBER, at most 99",
    "p.bid = NUMBER, at most 99",
    "p.tmp = NUMBER, at most 99",
    "p.strong = NUMBER > 4",
    "say(p, NUMBER)",
    "say(q, NUMBER)",
    "keep(q, NUMBER)",
    "keep(p, roll(d6))",
    "raise(q, NUMBER)",
    "p.secret = roll(d6)",
    "q.secret = random(1..6)",
    "p.gold += roll(d6), at most 99",
    "note = roll(d6) + NUMBER, at most 99",
    "for c in p.hand if c.v > 4: p.strong = yes",
    "for r in players by highest r.secret: r.bid += 1, at most 99",
    "if p.marked != none: pass_on(p, p.marked)",
    "move random(c in p.hand) to vault",
    "move 1 of deck to p.hand",
    "shuffle(deck)",
    "wonder(p)",
    "ponder(p, q)",
    "muse(q)",
    "if p.hand != {}: flaunt(p, random(c in p.hand))",
    "if q.hand != {}: flaunt(q, random(c in q.hand))",
    "hand_on(p, random(c in p.hand))",
    "hide(q, random(c in q.hand))",
    "shelve(p, random(c in p.hand))",
    "bury(q, random(c in q.hand))",
    "for c in q.hand: point(q, c)",
    "for c in p.hand: say(p, c.v)",
    "for c in shelf: point(p, c)",
    "move random(c in shelf) to p.hand",
    "move random(c in vault) to q.hand",
    "move random(c in q.hand) to deck bottom",
    "p.gold = 3",
    "q.gold = 0",
    "if q.hand != {}: look_at(p, random(c in q.hand))",
    "chosen = random(c in p.hand)",
    "choose(p, random(c in q.hand))",
    "chosen = random(c in table)",
    "choose(q, random(c in vault))",
    "choose(p, top(deck))",
    "if p.marked != none: choose(p, p.marked)",
    "if chosen in q.hand: hand_on(q, chosen)",
    "move chosen to table",
    "hide(p, chosen)",
    "shelve(q, chosen)",
    "bury(p, chosen)",
    "look_at(q, chosen)",
    "reveal(chosen)",
    "tell_of(q)",
    "point(p, chosen)",
    "say(q, pointed)",
    "setting = NUMBER, at most 6",
    "setting = setting",
    "hand_over(q)",
    "hand_over(p)",
    "if p.liked != none: fakes = p.liked.fake",
    "for k in q.bag: k.worn = 1",
)
MORE_CHANGES = (
    *CHANGES,
    "p.tab(min(NUMBER, 6)) = 2",
    "q.tab(2) = min(NUMBER, 9)",
    "p.mood = q.tab(3) > 2",
    "q.fav = p if p.mood else none",
    "mines += {min(NUMBER, 6)}",
    "q.found(min(NUMBER, 6)) = 1",
    "repeat min(NUMBER, 3) times: note = roll(d6)",
    "for n in 1..min(NUMBER, 3): p.tab(n) = n",
)
THROWN_CHANGES = (
    *MORE_CHANGES,
    "p.bid = roll(d6) if NUMBER > 3 else 0",
    "note = random(1..6) if p.mood else NUMBER, at most 99",
    "if NUMBER > 3: q.bid = roll(d6)",
    "if roll(d6) > NUMBER: p.strong = yes",
    "move random(c in vault) to box",
    "move 1 of deck to box",
    "q.secret = count(c in Card if c in box)",
    "note = count(c in Card if c in box and c.v > 4)",
    "if NUMBER > NUMBER: move 1 of p.hand to box",
)
QUIET = (
    "say(p, NUMBER)",
    "say(q, 1)",
    "keep(q, NUMBER)",
    "raise(p, 1)",
    "wonder(q)",
    "wonder(p)",
    "ponder(q, p)",
    "muse(p)",
    "for c in q.hand: point(q, c)",
    "for c in q.hand: say(p, c.v)",
    "tell_of(p)",
    "point(q, chosen)",
)
"""Verbs that do nothing that all see."""
MORE_QUIET = (
    *QUIET,
    "q.bid = roll(d6)",
    "p.secret = random(1..6)",
    "note = roll(d6)",
    "shuffle(deck)",
    "p.gold = 0",
    "q.gold -= 1, at least 0",
    "move random(c in vault) to vault",
    "veil_try(p)",
    "veil_try(q)",
)
"""Throws that only some may know of, questions of which nobody else learns, and changes that may change nothing, too."""


def unseen(changes: tuple[str, ...], quiet: tuple[str, ...]) -> tuple[str, ...]:
    """What nobody sees who does not see the variable, or may not know of the call: what may stand below a condition on a secret."""
    told = ("gold", "roll", "random")
    return (*(c for c in changes if "= " in c and not any(word in c for word in told)), *quiet)


QUESTIONS = (
    "veil_setting()",
    "chip(p)",
    "chip(q)",
    "like(p)",
    "veil_doubt(q)",
    "wear(p)",
    "wear(q)",
    "veil_bid(p)",
    "veil_secret(q, NUMBER)",
    "veil_card(p)",
    "veil_mark(q)",
    "veil_all()",
    "veil_pass(p)",
    "veil_pass(q)",
    "veil_lay(p)",
    "veil_point(q)",
    "veil_shelve(p)",
    "veil_bury(q)",
    "veil_show(p, q)",
    "veil_label(q)",
    "veil_swap()",
    "veil_choose(p)",
    "veil_chosen(q)",
    "veil_laid(p)",
    'p chooses n in 1..3 "Is it {LOCAL}?"',
    "q chooses n in {n in 0..6 if n <= q.secret or n == 0}",
    "p chooses n in 0..LOCAL, or pass",
    "p chooses n in 0..pointed, or pass",
    'q chooses n in 1..2 "Of {chosen}, of {chosen.v}?"',
    "q chooses d in {d in table if d.v > chosen.v}, or pass",
    "if NUMBER > 3: p chooses n in 1..2",
    "for r in players by lowest NUMBER: r chooses n in 1..2",
)
MORE_QUESTIONS = (
    *QUESTIONS,
    "veil_fav(p)",
    "veil_fav(q)",
    "veil_favs()",
    "veil_mood(q)",
    "veil_cast(p)",
    "veil_tab(q)",
    "veil_try(p)",
    "veil_try(q)",
    "veil_hunt(p)",
    "veil_hunt(q)",
    "q chooses c in {c in q.hand if c.v < 7}, or pass",
    "if deck != {}: q chooses n in 1..2",
)
COVERT = ("veil_fav", "veil_favs", "veil_mood", "veil_cast", "veil_doubt")
"""Verbs with a question of which others are not told whether its answer was to pass."""
HANDLED = (
    "veil_lay",
    "veil_point",
    "veil_shelve",
    "veil_bury",
    "veil_label",
    "veil_card",
    "veil_mark",
    "veil_pass",
    "veil_choose",
    "veil_chosen",
    "veil_laid",
)
"""What is done with a hand into which somebody has passed a card that it remembers."""

TELLING = ("wonder(p)", "ponder(p, q)", "muse(q)")
"""Verbs whose sentences tell a seat of its own number at that time."""

EVENTS = 6
"""Events whose reasons are looked at: the latest that a seat has seen."""


@attrs.frozen
class Kinds:
    """What a sketch is made of."""

    numbers: tuple[str, ...]
    changes: tuple[str, ...]
    unseen: tuple[str, ...]
    questions: tuple[str, ...]
    conditions: tuple[str, ...]
    ends: tuple[str, ...] = ()
    """How some of the games end, without a `finish`."""


CONDITIONS = ("if NUMBER > 4:", "if p.strong:", "if NUMBER == NUMBER:")
MORE_CONDITIONS = (
    *CONDITIONS,
    "if q.mood:",
    "if p.fav == q:",
    "repeat min(NUMBER, 3) times:",
    "for n in 0..6 if p.tab(n) > 0:",
)
THROWN_CONDITIONS = (*MORE_CONDITIONS, "if roll(d6) > 3:", "if roll(d6) > NUMBER:", "if random(1..6) < NUMBER:")
"""Throws that decide, and throws that secrets decide on."""
ENDS = (
    "play:\n  for p in players: go(p, next(p))\n",
    "play:\n  repeat 2 times:\n    for p in players: go(p, next(p))\n",
    "whenever p.gold > 4 for p in players as out: eliminate(p)\n"
    "play:\n  repeat while players != {}:\n    for p in players: go(p, next(p))\n",
)
"""The rules run out, or nobody is left."""
FEW = Kinds(NUMBERS, CHANGES, unseen(CHANGES, QUIET), QUESTIONS, CONDITIONS)
"""The kinds of old seeds, whose sketches stay as they were."""
MANY = Kinds(MORE_NUMBERS, MORE_CHANGES, unseen(MORE_CHANGES, MORE_QUIET), MORE_QUESTIONS, MORE_CONDITIONS, ENDS)
THROWN = Kinds(
    MORE_NUMBERS,
    THROWN_CHANGES,
    (*unseen(THROWN_CHANGES, MORE_QUIET), "q.bid = roll(d6) if NUMBER > 3 else 1", "if roll(d6) > NUMBER: p.bid = 2"),
    (*MORE_QUESTIONS, "veil_burn(p, q)", "veil_burn(q, p)"),
    THROWN_CONDITIONS,
    ENDS,
)
"""With throws under conditions and a box in which things stay hidden."""
LATE = Kinds(
    (*MORE_NUMBERS, "count(c in Card if c in q.hand)", "count(c in {first(Card)} if c in q.hand)"),
    (
        *THROWN_CHANGES,
        "p.bid = roll(d6, 1 + min(NUMBER, 2)), at most 99",
        "if NUMBER > 3 and roll(d6) > 3: p.strong = yes",
        "keep(p, random(1..6) if NUMBER > 3 else 2)",
        "p.tmp = roll(d6)",
        "q.tmp = p.tmp + NUMBER, at most 99",
        "if NUMBER > 4: p.tmp = 7",
        "q.secret = p.tmp, at most 99",
        "for c in Card if c in q.hand: p.bid += 1, at most 99",
    ),
    (
        *THROWN.unseen,
        "p.tmp = roll(d6)",
        "p.tmp = NUMBER, at most 99",
        "p.bid = roll(d6, 1 + min(NUMBER, 2)), at most 99",
    ),
    (*THROWN.questions, "p chooses n in 0..min(p.tmp, 6), or pass", "p chooses q.tmp in 0..3"),
    (
        *THROWN_CONDITIONS,
        "for c in Card if c in q.hand:",
        "if count(c in {first(Card)} if c in q.hand) > 0:",
        "if any(c in q.hand for c in {first(Card), first(c in Card by highest c.v)}):",
        "if p.tmp > 3:",
    ),
    ENDS,
)
"""The kinds of the newest seeds, with numbers of throws, scratch variables that hand secrets on, and single cards looked for."""


@attrs.define
class _Sketch:
    choose: random.Random
    kinds: Kinds
    locals: list[str] = attrs.field(factory=list)

    def fill(self, text: str) -> str:
        while "NUMBER" in text:
            text = text.replace("NUMBER", self.choose.choice([*self.kinds.numbers, *self.locals]), 1)
        return text.replace("LOCAL", self.choose.choice([*self.locals, "chosen.v"]) if self.locals else "p.gold")

    def body(self, indent: str, statements: int, depth: int = 0) -> list[str]:
        """Returns so many statements, some of them blocks."""
        lines: list[str] = []
        own = len(self.locals)
        for _ in range(statements):
            what = self.choose.random()
            if what < 0.2:
                name = f"x{len(self.locals) + 1}_{depth}"
                lines.append(f"{indent}let {name} = {self.fill('NUMBER')}")
                self.locals.append(name)
            elif what < 0.35 and depth < 2:
                head = self.choose.choice(self.kinds.conditions)
                lines.append(indent + self.fill(head))
                lines += self.body(indent + "  ", self.choose.randint(1, 2), depth + 1)
                if self.choose.random() < 0.3 and head.startswith("if"):
                    lines.append(indent + "else:")
                    lines += self.body(indent + "  ", 1, depth + 1)
            elif what < 0.75:
                lines.append(indent + self.fill(self.choose.choice(self.kinds.unseen if depth else self.kinds.changes)))
            elif depth:
                lines.append(
                    indent
                    + self.fill(self.choose.choice(("p chooses n in 1..2", "for r in players: r chooses m in 1..2")))
                )
            elif what < 0.9:
                lines.append(indent + self.fill(self.choose.choice(self.kinds.questions)))
            else:
                shown = self.fill("LOCAL")
                lines += [
                    f'{indent}p chooses one of "Now {{{shown}}}":',
                    f'{indent}  go_{len(lines)}(n in 1..3) "Go {{n}} for {{{shown}}}":'.replace("{{", "{").replace(
                        "}}", "}"
                    ),
                    f'{indent}    needs n != {self.fill("NUMBER")}  "Not with {{{shown}}}"'.replace("{{", "{").replace(
                        "}}", "}"
                    ),
                    f"{indent}    {self.fill(self.choose.choice(self.kinds.changes))}",
                    f'{indent}  rest_{len(lines)} "Rest": settle',
                ]
        del self.locals[own:]
        return lines


def timed(body: list[str]) -> list[str]:
    """Counts openly before each verb that tells of the seat's own number and stands behind a block.

    Whoever's number falls in a block that others may not know of sees whether it fell before such a verb: the rules tell that.
    """
    first = next((i for i, line in enumerate(body) if line.startswith("   ")), len(body))
    return [
        timed_line
        for i, line in enumerate(body)
        for timed_line in (["  moment += 1, at most 99", line] if i > first and line[2:] in TELLING else [line])
    ]


def sketched(choose: random.Random, kinds: Kinds = FEW) -> str:
    """Returns the text of a game; some of them check, and some of these tell no secret."""
    sketch = _Sketch(choose, kinds)
    passed = choose.random() < 0.4
    begin = ["  veil_pass(p)", f"  {choose.choice(HANDLED)}(q)"] if passed else ["  p chooses n in 1..2"]
    lines = ["to go(p, q):", *begin, *timed(sketch.body("  ", choose.randint(2, 6)))]
    is_without = bool(kinds.ends) and choose.random() < 0.3
    return with_head("\n".join(lines), choose.choice(kinds.ends) if is_without else END)


END = "play:\n  repeat 3 times:\n    for p in players: go(p, next(p))\n  finish with winner first_player\n"
"""How other games end."""


def with_head(go: str, play: str = END) -> str:
    """Returns the text of a game whose turns are a verb `go`."""
    return f"{HEAD}{go}\n{play}"


# ------------------------------------------------------------------ twins


@attrs.define
class _Scripted:
    """Chance that falls alike for twins, but for the first shuffle and the first throws of the others.

    After the set-up it falls by the number of the step, so that a draw of which a seat is not told shifts no other.
    """

    seed: str
    seat: int
    players: int
    twist: bool
    step: int = 0
    drawn: int = 0
    rolls: int = 0
    fakes: int = 0

    def _rng(self) -> random.Random:
        self.drawn += 1
        return random.Random(f"{self.seed} {self.drawn}" if self.step == 0 else f"{self.seed} step {self.step}")

    def roll(self, row: list[int], stream: int, faces: tuple[int, ...]) -> int:
        rng, self.rolls = self._rng(), self.rolls + 1
        if self.twist and self.rolls <= self.players and self.rolls - 1 != self.seat:
            rng = random.Random(f"twin {self.seed} {self.rolls}")
        return rng.choice(faces)

    def pick(self, row: list[int], stream: int, among: list[int]) -> int:
        rng = self._rng()
        if among == [0, 1]:  # which chips are fake, which nobody sees
            self.fakes += 1
            rng = random.Random(f"twin {self.seed} {self.fakes}") if self.twist else rng
        return among[rng.randrange(len(among))]

    def shuffle(self, row: list[int], stream: int, kind: int, things: list[int]) -> list[int]:
        rng, first = self._rng(), self.drawn == 1
        order = list(things)
        rng.shuffle(order)
        if first and self.twist:
            # In turn: two for the table, two for each hand, one beside each, which all see but who has it.
            beside = 2 + 2 * self.players
            mine = {0, 1, 2 + 2 * self.seat, 3 + 2 * self.seat}
            mine |= {beside + other for other in range(self.players) if other != self.seat}
            loose = [i for i in range(len(order)) if i not in mine]
            swapped = [order[i] for i in loose]
            random.Random(f"twin {self.seed}").shuffle(swapped)
            for i, thing in zip(loose, swapped, strict=True):
                order[i] = thing
        return order


@attrs.define
class Twins:
    """A game twice, which one seat cannot tell apart before the rules tell it something."""

    game: api.Game
    seat: int
    seed: str
    players: int = 3
    executor: str = "generated"
    matches: tuple[Match, Match] = attrs.field(init=False)
    chances: tuple[_Scripted, ...] = attrs.field(init=False)
    actor: int = -1
    """Who has answered last."""

    def __attrs_post_init__(self) -> None:
        self.chances = tuple(_Scripted(self.seed, self.seat, self.players, twist) for twist in (False, True))
        first, second = (
            self.game.start(self.players, chance=chance, executor=self.executor) for chance in self.chances
        )
        self.matches = first, second

    def differs(self) -> bool:
        """Tells whether the two positions are two."""
        one, other = self.matches
        return one.position.row[: one.internals.layout.size] != other.position.row[: one.internals.layout.size]

    def are_told(self) -> bool:
        """Tells whether what the declarations let the seat see differs now."""
        one, other = (self._open(match) for match in self.matches)
        return one != other

    def _open(self, match: Match) -> list[object]:
        seen: list[object] = [match.to_move, match.choice.name if match.choice else None, self._written(match)]
        seen.append(self._watched(match))
        layout, row, seat = match.internals.layout, match.position.row, self.seat
        for state in match.game.states:
            for at in range(layout.state_sizes[state.id]):
                sees = state.visible == "all" or self._owns(match, state, at)
                sees |= state.name == "setting" and row[layout.states[self._state(match, "setter")]] == seat
                if sees and not state.scratch:
                    held = row[layout.states[state.id] + at]
                    seen.append(held < 0 if state.name == "chosen" else held)
        for zone in match.game.zones:
            for at in range(layout.zone_sizes[zone.id]):
                cell = row[layout.zones[zone.id] + at]
                sees = zone.visible == "all" or (zone.visible == "owner" and at == seat)
                sees |= zone.name == "aside" and at != seat
                sees |= zone.name == "shelf" and row[layout.states[self._state(match, "gold")] + seat] > 2
                seen.append(cell if sees else match.view(None)[_name(match, zone.id, at)].count)  # type: ignore[union-attr]
        faces = [layout.faces[kind.id] for kind in match.game.kinds if kind.movable]
        up = [
            sorted(t for t in range(kind.size) if row[layout.faces[kind.id] + t])
            for kind in match.game.kinds
            if kind.movable
        ]
        return [*seen, len(faces), up]

    def _owns(self, match: Match, state: StateVariable, at: int) -> bool:
        """Tells whether the seat sees a variable as its owner."""
        size = match.internals.layout.state_sizes[state.id] // match.game.players[1]
        return state.visible == "owner" and state.owner == PLAYER and at // size == self.seat

    @staticmethod
    def _state(match: Match, name: str) -> int:
        return next(state.id for state in match.game.states if state.name == name)

    def _watched(self, match: Match) -> list[object]:
        """Returns the cards that lay, at any time, where the seat saw them, or that it was shown: also what has gone on since."""
        me = match.seats[self.seat]
        mine = {name for _, _, name in match.visibility.heaps if name in ("table", f"{me}.hand")}
        mine |= {f"{other}.aside" for other in match.seats if other != me}
        lies: dict[str, str] = {}
        gold, held, found = 0, "none", list[object]()
        setter, setting = "red", "0"
        for change in (change for event in match.events for change in event.changes):
            subject, seen = read(change.subject), mine | ({"shelf"} if gold > 2 else set())
            before = len(found)
            if change.what == "set" and subject == f"{me}.gold":
                gold = int(read(change.after))
                found += sorted(card for card, zone in lies.items() if zone == "shelf") if gold > 2 else []
            elif change.what == "set" and subject in ("setter", "setting"):
                setter, setting = (read(change.after), setting) if subject == "setter" else (setter, read(change.after))
                found += [setting] if setter == me else []
            elif change.what == "set" and subject == "chosen":
                held = read(change.after)
                found += [held] if lies.get(held) in seen else []
            elif change.what == "move":
                source, lies[subject] = read(change.before), read(change.after)
                found += [subject] if seen & {source, lies[subject]} else []
            elif change.what == "reveal" or (change.what == "show" and me in read(change.after).split(", ")):
                found.append(subject)
            found += [("chosen", held)] if held in found[before:] else []
        return found

    def _written(self, match: Match) -> list[tuple[str, str]]:
        """Returns all that was ever written where the seat sees it, also what was written over since, and by which rule.

        A number of its own that changes before a verb is told, or within it, is two things that the seat can tell apart.
        """
        open = {
            name for state, at, name in match.visibility.cells if state.visible == "all" or self._owns(match, state, at)
        }
        changes = ((event.rule, change) for event in match.events for change in event.changes)
        return [
            (rule, change.text)
            for rule, change in changes
            if change.what == "set" and read(change.subject) in open - {"chosen"}
        ]

    def play(self, rng: random.Random) -> bool:
        """Has somebody answer in both, alike unless the answer is its secret; says whether it could."""
        one, other = self.matches
        if not one.to_move:
            return False
        actor = self.actor = rng.choice(one.to_move)
        mine, theirs = list(one.options_of(actor)), list(other.options_of(actor))
        texts = {option.text for option in theirs}
        same = [option for option in mine if option.text in texts]
        assert one.choice is not None
        if one.choice.name.startswith("veil") and actor != self.seat:
            chosen, also = rng.choice(mine), rng.choice(theirs)
            is_told = one.choice.name.split("#")[0] not in COVERT
            if is_told and (chosen.branch == "pass") != (also.branch == "pass"):
                also = next((o for o in theirs if (o.branch == "pass") == (chosen.branch == "pass")), also)
        elif same:
            chosen = rng.choice(same)
            also = next(option for option in theirs if option.text == chosen.text)
        else:
            return False
        for chance in self.chances:
            chance.step += 1
        one.push(chosen)
        other.push(also)
        return True

    def are_unseen(self) -> bool:
        """Tells whether both wait for an answer of which the seat does not learn."""
        return all(
            match.choice is not None and match.choice.private and self.seat not in match.to_move
            for match in self.matches
        )

    def go_on(self, rng: random.Random) -> None:
        """Has others answer what the seat does not learn of, as often as they are asked in either."""
        for match in self.matches:
            while match.choice is not None and match.choice.private and self.seat not in match.to_move:
                match.push(rng.choice(list(match.options)))

    def seen(self, *, why: bool = True, paged: bool = True) -> tuple[object, object]:
        """Returns all that the seat is shown in either: view, prompt, options, reasons why not, log, and, which takes most of
        the time, why each thing is as it is, and the page in a browser."""
        one, other = (self._seen(match, why, paged) for match in self.matches)
        return one, other

    def _seen(self, match: Match, asks_why: bool, paged: bool) -> dict[str, object]:
        seat = self.seat
        asked = seat in match.to_move
        labels = [(o.text, o.label) for o in match.options_of(seat)] if asked else []
        why = []
        if asked and match.choice is not None:
            for branch in match.choice.branches:
                for n in range(4):
                    text = branch.name if not branch.parameters else f"{branch.name}({n})"
                    text = str(n) if branch.name == "value" else text
                    try:
                        why.append((text, str(match.why_not(f"{match.seats[seat]}: {text}"))))
                    except UnknownOption as error:
                        why.append((text, str(error)))
        return {
            "prompt": match.prompt(seat),
            "options": labels,
            "why": why,
            "log": told(match, seat),
            "view": match.view(seat),
            "information": match.information(seat),
            "reasons": list(reasons(match, seat)) if asks_why else [],
            "page": page(match, Seat(seat)) if paged else "",
        }


def page(match: Match, seat: Seat) -> str:
    """The page of a seat in a browser: what goes over the wire to it, and nothing else does."""
    question = Dialogue.of(match, seat).question if seat in match.to_move else None
    events = match.events_for(seat)
    return SeatPage(match, "twins", seat, ("person",) * match.players, len(events), events, 0, question).markup


def reasons(match: Match, seat: int) -> Iterator[tuple[str, ...]]:
    """Yields why all that a seat can ask about is as it is: what has happened in the last step, variables, numbers, options."""
    eyes = Asker(seat)
    for event in match.events_for(seat)[-EVENTS:]:
        yield tuple(link.text for link in of_event(match, event.number, eyes))
    seats = match.seats
    cells = [name for state, _, name in match.visibility.cells if state.owner in (None, PLAYER)]
    numbers = ["chosen.v", "pointed"]
    numbers += [text for s in seats for text in (f"worth({s})", f"toll({s})", f"fee(1, {s}).cost", f"fee(2, {s}).cost")]
    mine = [] if match.choice is None else [branch.name for branch in match.choice.branches]
    options = [f"{seats[seat]}: {text}" for name in mine for text in (name, f"{name}(2)", "2", "pass")]
    for about in (*cells, *numbers, *options):
        try:
            yield (about, *lines_of(why(match, about, eyes)))
        except NoReason as error:
            yield (about, str(error))


def told(match: Match, seat: int) -> str:
    """Returns a seat's log, byte by byte."""
    return match.log.for_seat(seat).text


def _name(match: Match, zone: int, at: int) -> str:
    return next(name for z, i, name in match.visibility.heaps if (z.id, i) == (zone, at))
