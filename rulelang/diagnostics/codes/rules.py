"""Codes E04 and W05: the rules of the game, and rules that look doubtful."""

from __future__ import annotations

from rulelang.diagnostics.codes.code import Code

_CARDS = (
    'names p, q: Player; c: Card\n\nkind Card "card":\n  n: 1..3\n  | n    |\n  | 1..3 |\n\n'
    "each Player has:\n  hand: group of Card, seen by owner\n  lane: 0..3 = 0\n\n"
)

RULES: tuple[Code, ...] = (
    Code(
        "E0401",
        "dice where none may be",
        "A value or a condition may be looked at many times, and a die is thrown once. Throw it in a statement and keep the "
        "result with `let`. `least(…)` and `most(…)` tell the ends of what may come.",
        "die d6: 1..6\nvalue lucky = roll(d6) == 6\n",
        "die d6: 1..6\nthe game has:\n  lucky: flag = no\nsetup:\n  let d = roll(d6)\n  if d == 6: lucky = yes\n",
    ),
    Code(
        "E0402",
        "a choice that would tell a secret",
        "The list of options, whether one is allowed, and whether somebody is asked at all tell whom the rules ask. They may depend "
        "only on what that seat may see, through whatever names and verbs it comes in; how many things a hidden zone holds is no "
        "secret, nor what the rules have done in the open before. Where it is meant to be told, say `openly`.",
        _CARDS + 'action ask(p, q) "Ask {q}":\n  needs any(c.n == 3 for c in q.hand)  "No three there"\n  settle\n'
        "play:\n  turns p from first_player: p chooses one of ask, or stop\n",
        _CARDS + 'action ask(p, q) "Ask {q}":\n  needs count(q.hand) > 0  "Nothing there"\n  settle\n'
        "play:\n  turns p from first_player: p chooses one of ask, or stop\n",
    ),
    Code(
        "E0403",
        "read while under seal",
        "While all choose in secret, what they choose is not known to the rules either: ask for a bound, `least(…)` or `most(…)`.",
        _CARDS
        + 'action steer(p, n: 1..3) "Lane {n}":\n  needs count(q in players if q.lane == n) < 2  "Full"\n  p.lane = n\n'
        "play:\n  each p in players secretly chooses one of steer\n",
        _CARDS + 'action steer(p, n: 1..3) "Lane {n}":\n'
        '  needs least(count(q in players if q.lane == n)) < 2  "Full"\n  p.lane = n\n'
        "play:\n  each p in players secretly chooses one of steer\n",
    ),
    Code(
        "E0404",
        "a loop that never ends",
        "`repeat:` goes on until something inside says `stop`, asks a player, or ends the game.",
        "the game has:\n  heap: 0..9 = 5\nto spin():\n  repeat:\n    heap = heap\n",
        "the game has:\n  heap: 0..9 = 5\nto spin():\n  repeat:\n    heap = heap\n    stop\n",
    ),
    Code(
        "E0405",
        "something that needs itself",
        "Verbs and values do not call themselves, not even by way of others, unless they say how deep: "
        "`to spread(c) at most 8 deep:`.",
        "to there(): back()\nto back(): there()\n",
        "to there(): back()\nto back(): settle\n",
    ),
    Code(
        "E0406",
        "too many calls inside each other",
        "A verb may call another, which calls a third, and a value may ask for another; not more than 50 at a time. What calls "
        "itself does so up to 50 deep, and verbs that call each other must not reach more than 1000 combinations of depths.",
        "to v0(): settle\n" + "".join(f"to v{i}(): v{i - 1}()\n" for i in range(1, 51)),
        "to v0(): settle\n" + "".join(f"to v{i}(): v{i - 1}()\n" for i in range(1, 9)),
    ),
    Code(
        "E0407",
        "a race",
        "The passes of a `simultaneously` block happen at once: what each adds or takes is summed, and `=` may only be to what "
        "belongs to the pass's own, or to one constant in all passes.",
        "names p: Player\nthe game has:\n  last: Player? = none\nplay:\n  simultaneously for p in players: last = p\n",
        "names p: Player\nthe game has:\n  last: Player? = none\nplay:\n  for p in players: last = p\n",
    ),
    Code(
        "E0408",
        "nothing to leave",
        "`stop` leaves the nearest loop, `proceed` runs what `instead of` stands for.",
        "to rest(): stop\n",
        "to rest():\n  repeat 3 times: stop\n",
    ),
    Code(
        "E0409",
        "not while all act at once",
        "Inside `simultaneously` nobody chooses and the game does not end.",
        "names p: Player\nplay:\n  simultaneously for p in players: finish with winner p\n",
        "names p: Player\nplay:\n  for p in players: finish with winner p\n",
    ),
    Code(
        "E0410",
        "a case that is never reached",
        "Cases are looked at from the top; one without a condition always fits.",
        "value some(n: 0..9) =\n  1 otherwise\n  2 if n > 3\n",
        "value some(n: 0..9) =\n  2 if n > 3\n  1 otherwise\n",
    ),
    Code(
        "E0413",
        "an adjustment that reads what it adjusts",
        "An adjustment's condition is looked at while the number is worked out, so it cannot ask for that number.",
        "value reach = 3\nadjust reach(): +1 if reach > 2\n",
        "the game has:\n  long: flag = no\nvalue reach = 3\nadjust reach(): +1 if long\n",
    ),
    Code(
        "E0415",
        "a history that cannot be",
        "A position is made of variables and zones, by name; counters never come back. What `occurrences after` foresees asks nobody, "
        "draws nothing and reads no secret.",
        'game sketch "Sketch":\n  players 2\n  history of heap, turn: at most 50\n\nthe game has:\n  heap: 0..9 = 5\n',
        'game sketch "Sketch":\n  players 2\n  history of heap, mover: at most 50\n\nthe game has:\n  heap: 0..9 = 5\n',
    ),
    Code(
        "W0501",
        "a choice that may have no option",
        "If nothing can be chosen, the game stops with an error. Ask first, or let the chooser decline.",
        _CARDS + "play:\n  turns p from first_player:\n    p chooses kept in p.hand\n    finish with winner p\n",
        _CARDS
        + "play:\n  turns p from first_player:\n    if p.hand != {}: p chooses kept in p.hand\n    finish with winner p\n",
    ),
    Code(
        "W0502",
        "a range that may be left",
        "If the number leaves its range while the game is played, the game stops with an error.",
        "the game has:\n  heap: 0..9 = 5\nto grow(): heap = heap + 1\n",
        "the game has:\n  heap: 0..9 = 5\nto grow(): heap = heap + 1, at most 9\n",
    ),
    Code(
        "W0504",
        "two replacements that can meet",
        "Where two `instead of` one verb both fit, the last one declared wins. Make their conditions exclude each other, or say "
        "that this is meant by their order.",
        "to rest(): settle\ninstead of rest(): settle\ninstead of rest(): settle\n",
        "to rest(): settle\ninstead of rest(): settle\n",
    ),
    Code(
        "W0505",
        "very many options",
        "More than 4096 options cannot be looked through, by people or bots.",
        'names p: Player\naction aim(p, a: 1..80, b: 1..80) "Aim at {a}, {b}": settle\n'
        "play:\n  turns p from first_player: p chooses one of aim, or stop\n",
        'names p: Player\naction aim(p, a: 1..8, b: 1..8) "Aim at {a}, {b}": settle\n'
        "play:\n  turns p from first_player: p chooses one of aim, or stop\n",
    ),
    Code(
        "W0506",
        "a floor and a ceiling that can meet",
        "Where an `at least` and a lower `at most` of one number both fit, the ceiling wins. Make their conditions exclude each "
        "other, or say that this is meant.",
        "the game has:\n  long: flag = no\n  lame: flag = no\nvalue reach = 3\nadjust reach(): at least 4 if long\n"
        "adjust reach(): at most 2 if lame\n",
        "the game has:\n  long: flag = no\nvalue reach = 3\nadjust reach(): at least 4 if long\n"
        "adjust reach(): at most 2 if not long\n",
    ),
    Code(
        "W0507",
        "a seat where nobody may sit",
        "When fewer play than there are seats, the last seats stay empty, and their names mean `none`. What needs a player there "
        "stops the game. Ask first whether somebody sits there.",
        'game sketch "Sketch":\n  players 2..3\n  seats red, green, blue\n\n'
        "each Player has:\n  coins: 0..9 = 0\nsetup:\n  blue.coins = 3\n",
        'game sketch "Sketch":\n  players 2..3\n  seats red, green, blue\n\n'
        "each Player has:\n  coins: 0..9 = 0\nsetup:\n  if blue in players: blue.coins = 3\n",
    ),
    Code(
        "W0508",
        "a parameter with a seat's name",
        "The names in a hook's or an adjustment's head are parameters. One that is called like a seat stands for any player all the "
        "same; what holds for one seat alone is said by a condition.",
        'game sketch "Sketch":\n  players 2\n  seats red, blue\n\nnames p: Player\n'
        "to rest(p): settle\nbefore rest(red): settle\n",
        'game sketch "Sketch":\n  players 2\n  seats red, blue\n\nnames p: Player\n'
        "to rest(p): settle\nbefore rest(p) if p == red: settle\n",
    ),
    Code(
        "W0509",
        "a hex map without indentation",
        "Which rows of a hex map are shifted is read from where they begin. Where all begin one below the other, every second row "
        "counts as shifted to the right.",
        'board Space: hex\n  map """\n    . .\n    . .\n  """\n',
        'board Space: hex\n  map """\n    . .\n     . .\n  """\n',
    ),
    Code(
        "W0510",
        "`none` where none is held",
        "What may be `none` stops the game where it comes to a variable, a parameter or a value that holds none, or is reckoned with: a step "
        "over the edge of a board, `next` of the last member, `first` or `min` of what may be empty, a value without a case that fits. Added to "
        "a set or moved to a zone, it is left out. Ask first, or let it hold `none`. A ring has no end.",
        'board Lane: track\n  map """\n    . . .\n  """\nthe game has:\n  at: Lane = a1\n'
        "to go(): at = step(at, forward)\n",
        'board Lane: track\n  map """\n    . . .\n  """\nthe game has:\n  at: Lane = a1\n'
        "to go():\n  if step(at, forward) != none: at = step(at, forward)\n",
    ),
    Code(
        "W0511",
        "a key that may lie outside",
        "What is read at a number outside of the keys of a variable, a zone or a table stops the game. Ask first, or widen what is read.",
        "the game has:\n  at(n: 1..4): 0..9 = 3\n  here: 1..4 = 1\nvalue ahead = at(here + 1)\n",
        "the game has:\n  at(n: 1..4): 0..9 = 3\n  here: 1..4 = 1\nvalue ahead = at(here + 1) if here < 4\n",
    ),
    Code(
        "W0512",
        "a question that tells the others",
        "Everybody sees who is asked. Where what only some may see decides that, the others learn of it: as the seat that is asked may "
        "see it, this is allowed. Say `openly` where it is meant.",
        "names p: Player\neach Player has:\n  luck: 0..9 = 0, seen by owner\n"
        "play:\n  for p in players if p.luck > 5: p chooses n in 1..2\n",
        "names p: Player\neach Player has:\n  luck: 0..9 = 0, seen by owner\n"
        "play:\n  for p in players if p.luck > 5 openly: p chooses n in 1..2\n",
    ),
    Code(
        "W0513",
        "two options that read alike",
        "Who is asked reads names. Two options of one choice whose names differ in case, blanks, underscores or number alone "
        "cannot be told apart, and neither can be typed by its name.",
        'names p: Player\nenum Lane: left "the short way", right "The short way"\n'
        "play:\n  turns p from first_player: p chooses lane in Lane\n",
        'names p: Player\nenum Lane: left "the short way", right "the long way"\n'
        "play:\n  turns p from first_player: p chooses lane in Lane\n",
    ),
)
