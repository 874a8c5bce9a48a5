"""What sketches of hidden games are made of: numbers, changes, questions, conditions, ends, rules from outside; more kinds from seed to seed."""

from __future__ import annotations

import attrs

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
    outside: tuple[str, ...] = ()
    """Rules from outside, of which a sketch has up to three: hooks, standing rules, interrupts, adjustments."""


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
"""With numbers of throws, scratch variables that hand secrets on, and single cards looked for."""

LOOKING = Kinds(
    (
        *LATE.numbers,
        "(q.gold after walk(q))",
        "count(walk(q))",
        "occurrences",
        "q.rush",
    ),
    (
        *LATE.changes,
        "extra_turn(q)",
        "skip_turn(p)",
        "q.rush = NUMBER, at most 9",
        "p.rush += 1, at most 9",
        "if p.hand != {}: show(first(p.hand).suit, q)",
        "for c in q.hand: show(c.v, p)",
        "each r in players secretly chooses r.bid in 0..2",
    ),
    (
        *LATE.unseen,
        "q.rush = NUMBER, at most 9",
        "raise(q, 1)",
    ),
    (
        *LATE.questions,
        "p chooses one of walk, lay",
        "q chooses one of lay, or pass",
        "if any(walk(q)): q chooses n in 1..2",
        "p chooses c in up to 2 of p.hand",
        "for r in players in order chosen by p: raise(r, r.bid)",
    ),
    (*LATE.conditions, "if any(walk(q)):", "if occurrences > 1:", "if q.rush > 0:"),
    (
        *ENDS,
        "play:\n  turns p from first_player:\n    go(p, next(p))\n    if round == 3: finish with winner {}\n",
        "play:\n  turns p from first_player:\n    go(p, next(p))\n    if turn == 7: finish with score red.gold\n",
        'phase day "Day":\n  for p in players: go(p, next(p))\nphase night "Night":\n  for p in players: go(p, previous(p))\n'
        "play:\n  day()\n  night()\n  finish with ranking p in players by highest p.gold\n",
    ),
    (
        "before raise(p, x) if NUMBER > 3:\n  UNSEEN",
        "after say(p, x):\n  UNSEEN",
        "after keep(p, x) if NUMBER > 3 as echo:\n  UNSEEN",
        "after keep(p, x) as answer: raise(next(p), 1)",
        "instead of raise(p, x) if NUMBER > 3 as block: settle",
        "instead of keep(p, x) if p.mood as twice:\n  proceed\n  proceed",
        "instead of hide(p, c) if c.v > 4 as hoard: settle",
        "before hand_on(p, c) if NUMBER > 2:\n  UNSEEN",
        "after point(p, c) if c.v > NUMBER as boast: raise(p, 1)",
        "whenever p.bid > 3 for p in players as greedy:\n  p.bid = 0\n  UNSEEN",
        "whenever note > NUMBER for p in players as noted:\n  note = 0\n  UNSEEN",
        "whenever p.secret > 5 for p in players as proud_of:\n  p.secret = 1\n  UNSEEN",
        "adjust toll(p): +1 if NUMBER > 4 as odd",
        "adjust score(p): at most 40 if p.rush > 2 as rushed",
        'action nod(p) at any time "Nod":\n  needs p.gold > 0  "You have no gold"\n  p.gold -= 1\n  UNSEEN',
        'action cry(p) at any choice "Cry":\n  needs p.gold > 1  "You have too little gold"\n  p.gold -= 2\n  UNSEEN',
        'action hint_at(p, n: 1..3) beside walk "Hint at {n}":\n  needs p.gold > 0 or n < NUMBER  "You may not say {n}"\n  raise(p, n)',
        "before eliminate(p) if NUMBER > 3 as last_words: say(p, NUMBER)",
    ),
)
"""The kinds of the newest seeds: rules from outside, looks ahead, turns, interrupts, parts of things, compared positions."""
