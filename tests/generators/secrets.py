"""A source of chance -> a small game of hidden cards and numbers that nobody would write.

sketched(choose)  zones, secrets, lets, verbs, passing, secret and open choices, throws behind a screen
"""

from __future__ import annotations

import random
import re

import attrs

from tests.generators.statements import FEW, HANDLED, TELLING, Kinds

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


@attrs.define
class _Sketch:
    choose: random.Random
    kinds: Kinds
    locals: list[str] = attrs.field(factory=list)

    def fill(self, text: str) -> str:
        while "NUMBER" in text:
            text = text.replace("NUMBER", self.choose.choice([*self.kinds.numbers, *self.locals]), 1)
        return text.replace("LOCAL", self.choose.choice([*self.locals, "chosen.v"]) if self.locals else "p.gold")

    def rule(self, text: str) -> str:
        """Returns a rule from outside, its holes filled."""
        while "UNSEEN" in text:
            text = text.replace("UNSEEN", self.choose.choice(self.kinds.unseen), 1)
        # Of the parameters of `go`, a rule from outside knows but one.
        numbers = [number for number in self.kinds.numbers if number != "p.tmp"]
        while "NUMBER" in text:
            text = text.replace("NUMBER", self.choose.choice(numbers), 1)
        return re.sub(r"\bq\b", "next(p)", text)

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
    play = choose.choice(kinds.ends) if is_without else END
    if not kinds.outside:
        return with_head("\n".join(lines), play)
    is_remembered = choose.random() < 0.3
    head = HEAD.replace("seats red, blue, green\n", REMEMBERED) if is_remembered else HEAD
    outside = [sketch.rule(rule) for rule in choose.sample(kinds.outside, choose.randint(0, 3))]
    text = "\n".join((head + LOOKING_HEAD + "\n".join(lines), *outside, play))
    return text if is_remembered else text.replace("occurrences", "count(p.bag)")


END = "play:\n  repeat 3 times:\n    for p in players: go(p, next(p))\n  finish with winner first_player\n"
"""How other games end."""
REMEMBERED = "seats red, blue, green\n  history of setter, tray, mover: at most 60\n"
LOOKING_HEAD = """\
each Player has:
  rush: 0..9 = 0, until turn ends
action walk(p) "Walk":
  needs p.gold < 9  "You have walked enough"
  p.gold += 1
action lay(p, c in p.hand) "Lay {c}": hide(p, c)
"""
"""What the newest sketches have as well."""


def with_head(go: str, play: str = END) -> str:
    """Returns the text of a game whose turns are a verb `go`."""
    return f"{HEAD}{go}\n{play}"
