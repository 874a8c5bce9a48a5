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
        "A value or a condition may be evaluated many times, but a die is rolled once. Roll it in a statement and keep the "
        "result with `let`. `least(…)` and `most(…)` give the lowest and the highest possible result.",
        "die d6: 1..6\nvalue lucky = roll(d6) == 6\n",
        "die d6: 1..6\nthe game has:\n  lucky: flag = no\nsetup:\n  let d = roll(d6)\n  if d == 6: lucky = yes\n",
    ),
    Code(
        "E0402",
        "a choice that would tell a secret",
        "A seat that is asked learns something from the list of its options, from whether each is allowed, and from being asked at "
        "all. These may depend only on what the seat may see, directly or through names and verbs. The number of things in a "
        "hidden zone is public, and so is everything that happened in the open before. If the secret is meant to be revealed, "
        "write `openly`.",
        _CARDS + 'action ask(p, q) "Ask {q}":\n  needs any(c.n == 3 for c in q.hand)  "No three there"\n  settle\n'
        "play:\n  turns p from first_player: p chooses one of ask, or stop\n",
        _CARDS + 'action ask(p, q) "Ask {q}":\n  needs count(q.hand) > 0  "Nothing there"\n  settle\n'
        "play:\n  turns p from first_player: p chooses one of ask, or stop\n",
    ),
    Code(
        "E0403",
        "read while under seal",
        "While everyone chooses in secret, the rules do not know the answers either: ask for a bound, `least(…)` or `most(…)`.",
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
        "A `repeat:` without end needs a line inside that says `stop`, asks a player, or ends the game.",
        "the game has:\n  heap: 0..9 = 5\nto spin():\n  repeat:\n    heap = heap\n",
        "the game has:\n  heap: 0..9 = 5\nto spin():\n  repeat:\n    heap = heap\n    stop\n",
    ),
    Code(
        "E0405",
        "something that depends on itself",
        "Verbs and values may not call themselves, directly or through others, unless they say how deep: "
        "`to spread(c) at most 8 deep:`.",
        "to there(): back()\nto back(): there()\n",
        "to there(): back()\nto back(): settle\n",
    ),
    Code(
        "E0406",
        "too many calls inside each other",
        "A verb or value may call another, which calls a third, up to 50 deep. A verb may call itself up to 50 deep, a value up to 4096, and "
        "verbs that call each other may reach at most 1000 combinations of depths.",
        "to v0(): settle\n" + "".join(f"to v{i}(): v{i - 1}()\n" for i in range(1, 51)),
        "to v0(): settle\n" + "".join(f"to v{i}(): v{i - 1}()\n" for i in range(1, 9)),
    ),
    Code(
        "E0407",
        "a race",
        "The passes of a `simultaneously` block happen at once: what each adds or takes is summed. `=` may only change a variable "
        "that belongs to the pass's own player or thing, or set the same constant in all passes.",
        "names p: Player\nthe game has:\n  last: Player? = none\nplay:\n  simultaneously for p in players: last = p\n",
        "names p: Player\nthe game has:\n  last: Player? = none\nplay:\n  for p in players: last = p\n",
    ),
    Code(
        "E0408",
        "nothing to leave",
        "`stop` leaves the nearest loop; `proceed` runs the verb that an `instead of` replaces.",
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
        "Cases are tried from the top; a case without a condition always applies, so nothing below it is reached.",
        "value some(n: 0..9) =\n  1 otherwise\n  2 if n > 3\n",
        "value some(n: 0..9) =\n  2 if n > 3\n  1 otherwise\n",
    ),
    Code(
        "E0413",
        "an adjustment that reads what it adjusts",
        "An adjustment's condition is tested while the number is computed, so it cannot read that number.",
        "value reach = 3\nadjust reach(): +1 if reach > 2\n",
        "the game has:\n  long: flag = no\nvalue reach = 3\nadjust reach(): +1 if long\n",
    ),
    Code(
        "E0416",
        "an impossible history or look ahead",
        "A position consists of variables and zones, given by name; counters cannot be part of it, since they never return. The verb "
        "in `occurrences after VERB(…)` or `x after VERB(…)` may not ask anyone, draw anything or read a secret; looks ahead stand inside each other three deep at most.",
        'game sketch "Sketch":\n  players 2\n  history of heap, turn: at most 50\n\nthe game has:\n  heap: 0..9 = 5\n',
        'game sketch "Sketch":\n  players 2\n  history of heap, mover: at most 50\n\nthe game has:\n  heap: 0..9 = 5\n',
    ),
    Code(
        "E0420",
        "a variable that lasts for a time",
        "A variable that lasts until a moment says what it goes back to, and the moment is one of the turns: `turn ends`, `round ends`, "
        "or, for what a player has, `turn of owner begins` and `turn of owner ends`.",
        "the game has:\n  storm: flag = no, until dinner ends\n",
        "the game has:\n  storm: flag = no, until round ends\nnames p: Player\nplay:\n  turns p from first_player: storm = yes\n",
    ),
    Code(
        "W0501",
        "a choice that may have no option",
        "If nothing can be chosen, the game stops with an error. Test first with `if`, or let the chooser decline.",
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
        "If two `instead of` for one verb both apply, the last one declared wins. Make their conditions exclude each other, or "
        "order them as you mean it.",
        "to rest(): settle\ninstead of rest(): settle\ninstead of rest(): return\n",
        "to rest(): settle\ninstead of rest(): settle\n",
    ),
    Code(
        "W0505",
        "very many options",
        "More than 4096 options are too many to look through, for people and for bots.",
        'names p: Player\naction aim(p, a: 1..80, b: 1..80) "Aim at {a}, {b}": settle\n'
        "play:\n  turns p from first_player: p chooses one of aim, or stop\n",
        'names p: Player\naction aim(p, a: 1..8, b: 1..8) "Aim at {a}, {b}": settle\n'
        "play:\n  turns p from first_player: p chooses one of aim, or stop\n",
    ),
    Code(
        "W0506",
        "a floor and a ceiling that can meet",
        "If an `at least` and a lower `at most` for one number both apply, the ceiling wins. Make their conditions exclude each "
        "other if that is not what you mean.",
        "the game has:\n  long: flag = no\n  lame: flag = no\nvalue reach = 3\nadjust reach(): at least 4 if long\n"
        "adjust reach(): at most 2 if lame\n",
        "the game has:\n  long: flag = no\nvalue reach = 3\nadjust reach(): at least 4 if long\n"
        "adjust reach(): at most 2 if not long\n",
    ),
    Code(
        "W0507",
        "a seat where nobody may sit",
        "If fewer play than there are seats, the last seats stay empty and their names mean `none`. A rule that needs a player "
        "there stops the game. Test first whether that seat is taken.",
        'game sketch "Sketch":\n  players 2..3\n  seats red, green, blue\n\n'
        "each Player has:\n  coins: 0..9 = 0\nsetup:\n  blue.coins = 3\n",
        'game sketch "Sketch":\n  players 2..3\n  seats red, green, blue\n\n'
        "each Player has:\n  coins: 0..9 = 0\nsetup:\n  if blue in players: blue.coins = 3\n",
    ),
    Code(
        "W0508",
        "a parameter with a seat's name",
        "The names in the head of a hook or an adjustment are parameters. A parameter named like a seat still stands for any player; "
        "to limit the rule to one seat, add a condition.",
        'game sketch "Sketch":\n  players 2\n  seats red, blue\n\nnames p: Player\n'
        "to rest(p): settle\nbefore rest(red): settle\n",
        'game sketch "Sketch":\n  players 2\n  seats red, blue\n\nnames p: Player\n'
        "to rest(p): settle\nbefore rest(p) if p == red: settle\n",
    ),
    Code(
        "W0509",
        "a hex map without indentation",
        "The indentation of a hex map's rows shows which of them are shifted. If all rows begin in the same column, every second "
        "row counts as shifted to the right.",
        'board Space: hex\n  map """\n    . .\n    . .\n  """\n',
        'board Space: hex\n  map """\n    . .\n     . .\n  """\n',
    ),
    Code(
        "W0510",
        "`none` where none is held",
        "`none` stops the game if it reaches a variable, a parameter or a value that cannot hold it, or a calculation. It comes from a step "
        "over the edge of a board, `next` of the last member, `first` or `min` of an empty set, or a value without a matching case. Added "
        "to a set or moved to a zone, it is left out. Test first, or let the variable hold `none` (`T?`). A ring has no end.",
        'board Lane: track\n  map """\n    . . .\n  """\nthe game has:\n  at: Lane = a1\n'
        "to go(): at = step(at, forward)\n",
        'board Lane: track\n  map """\n    . . .\n  """\nthe game has:\n  at: Lane = a1\n'
        "to go():\n  if step(at, forward) != none: at = step(at, forward)\n",
    ),
    Code(
        "W0511",
        "a key that may lie outside",
        "Reading a variable, a zone or a table at a number outside its keys stops the game. Test first, or widen the keys.",
        "the game has:\n  at(n: 1..4): 0..9 = 3\n  here: 1..4 = 1\nvalue ahead = at(here + 1)\n",
        "the game has:\n  at(n: 1..4): 0..9 = 3\n  here: 1..4 = 1\nvalue ahead = at(here + 1) if here < 4\n",
    ),
    Code(
        "W0512",
        "a question or a `show` that tells the others",
        "Everyone sees who is asked, and who is shown something. If something hidden decides that, the others learn about it. This is "
        "allowed, because the seat that is asked may see it; write `openly` if it is meant.",
        "names p: Player\neach Player has:\n  luck: 0..9 = 0, seen by owner\n"
        "play:\n  for p in players if p.luck > 5: p chooses n in 1..2\n",
        "names p: Player\neach Player has:\n  luck: 0..9 = 0, seen by owner\n"
        "play:\n  for p in players if p.luck > 5 openly: p chooses n in 1..2\n",
    ),
    Code(
        "W0513",
        "two options that read alike",
        "Players choose by name. Two options of one choice whose names differ only in case, blanks, underscores or a number "
        "cannot be told apart, and neither can be typed by its name.",
        'names p: Player\nenum Lane: left "the short way", right "The short way"\n'
        "play:\n  turns p from first_player: p chooses lane in Lane\n",
        'names p: Player\nenum Lane: left "the short way", right "the long way"\n'
        "play:\n  turns p from first_player: p chooses lane in Lane\n",
    ),
    Code(
        "W0514",
        "braces inside a text of a screen",
        "The parts of a text used to be kept apart by braces inside it, `{{…}}`. They are still read; a screen says the same with one "
        "text after another, each left out if all sets in it are empty, or by its own `if`. `rulelang fmt` rewrites them.",
        'kind Room "room":\n  exits: set of 1..4\n  | name | exits |\n  | hall | {1}   |\n'
        'screen:\n  each Room: "{r}{{leads to {r.exits}}}"\n',
        'kind Room "room":\n  exits: set of 1..4\n  | name | exits |\n  | hall | {1}   |\n'
        'screen:\n  each Room: "{r}", "leads to {r.exits}"\n',
    ),
    Code(
        "W0515",
        "an acting player with the name of something to choose",
        "The first parameter of an action is always the player who acts, even if a `names` line gives its name another type, or it has "
        "another type or a domain. Put the player first, and the things to choose after.",
        'kind Tool "tool":\n  price: 1..9\n  | name | price |\n  | saw  | 3     |\nnames p: Player; t: Tool\n'
        "action take(t): settle\nplay:\n  turns p from first_player: p chooses one of take\n",
        'kind Tool "tool":\n  price: 1..9\n  | name | price |\n  | saw  | 3     |\nnames p: Player; t: Tool\n'
        "action take(p, t): settle\nplay:\n  turns p from first_player: p chooses one of take\n",
    ),
    Code(
        "W0516",
        "a part that says nothing",
        "A variable is bounded by its type, so `at most` bounds only zones; only a pile is filled up or has a top; only a variable is "
        "`scratch`. Only what an action or option offers is chosen from a domain: a hook says `if c in p.hand`.",
        "the game has:\n  heap: 0..9 = 5, at most 7\n",
        "the game has:\n  heap: 0..7 = 5\n",
    ),
    Code(
        "W0517",
        "a game that may end undecided",
        "If the rules run out, or everybody is out of the game, nobody can be asked any more, and no rule says who has won: the game ends "
        "`undecided`. End it with a `finish`, after the last choice of `play:` or in a rule for when few players are left.",
        'names p: Player\naction go(p) "Go": settle\nplay:\n  for p in players: p chooses one of go, or pass\n',
        'names p: Player\naction go(p) "Go": settle\nplay:\n  for p in players: p chooses one of go, or pass\n'
        "  finish with winner {}\n",
    ),
    Code(
        "W0518",
        "rules that rely on an open box",
        "A thing that nobody saw when it left a hidden place stays hidden in the box: only players who saw it may read its name. If rules "
        "rely on more, say which is meant in `the game has:`, with `box: face up` or `box: face down`.",
        'kind Card "card":\n  n: 1..3\n  | n    |\n  | 1..3 |\nnames p: Player; c: Card\n'
        "each Player has:\n  hand: group of Card, seen by owner\n"
        'action drop(p, c in p.hand) "Drop {c}": move c to box\n'
        "play:\n  turns p from first_player: p chooses one of drop, or stop\n  finish with winner {}\n",
        'kind Card "card":\n  n: 1..3\n  | n    |\n  | 1..3 |\nnames p: Player; c: Card\n'
        "the game has:\n  box: face up\neach Player has:\n  hand: group of Card, seen by owner\n"
        'action drop(p, c in p.hand) "Drop {c}": move c to box\n'
        "play:\n  turns p from first_player: p chooses one of drop, or stop\n  finish with winner {}\n",
    ),
    Code(
        "W0520",
        "an aim that differs from the ways to end",
        "The `aim:` tells players how the game ends. A line `ends` names each rule with a `finish`, and no other rule.",
        'the game has:\n  heap: 0..9 = 5\nwhenever heap == 0 as empty: finish lost\naim:\n  about "Matches are taken"\n',
        'the game has:\n  heap: 0..9 = 5\nwhenever heap == 0 as empty: finish lost\naim:\n  about "Matches are taken"\n'
        '  ends empty "Without matches, all lose"\n',
    ),
    Code(
        "W0521",
        "a sentence that says what was asked for",
        "A sentence tells people what happened. If a bound cuts a number, here or in a verb that is called, or an `instead of` replaces a "
        "verb, that differs from what was asked for: write `{min(n, p.gold)}`, and give the verb a second sentence behind `else` for the "
        "case that nothing happens.",
        'names p: Player\neach Player has:\n  gold: 0..9 = 5\nto pay(p, n: 0..9) "{p} pays {n}": p.gold -= n, at least 0\n',
        "names p: Player\neach Player has:\n  gold: 0..9 = 5\n"
        'to pay(p, n: 0..9) "{p} pays {min(n, p.gold)}": p.gold -= n, at least 0\n',
    ),
    Code(
        "W0522",
        "a condition that never holds",
        "The lines under it never run: a number is compared with one outside of its range, two tests exclude each other, or an `if` "
        "before an `elif` holds whenever that does. Likewise `all(x in S if c)`, which says nothing of the members, always holds.",
        "the game has:\n  income: 0..99 = 5\nto pay():\n  if income > 100: income = 0\n",
        "the game has:\n  income: 0..99 = 5\nto pay():\n  if income > 90: income = 0\n",
    ),
    Code(
        "W0523",
        "a verb without a case for a member",
        "A verb written case by case silently does nothing for a member or thing without a case: often a card whose effect was "
        "forgotten. (A verb that leaves out a third of them or more is taken to be meant only for the rest.) A case with a parameter in "
        "that place covers all others: `to use(x: Power): return`.",
        "enum Power: nitro, tank, shield, siphon\nthe game has:\n  fuel: 0..9 = 5\n"
        "to use(nitro): fuel = 9\nto use(tank): fuel = 8\nto use(shield): fuel = 7\n",
        "enum Power: nitro, tank, shield, siphon\nthe game has:\n  fuel: 0..9 = 5\n"
        "to use(nitro): fuel = 9\nto use(tank): fuel = 8\nto use(shield): fuel = 7\nto use(x: Power): return\n",
    ),
    Code(
        "W0524",
        "a declaration that nothing uses",
        "A verb that nothing calls, an action that nobody is offered, a value that nothing reads, or an option that changes nothing often "
        "means that its use was forgotten. Texts, screens, scenarios and variants count as uses; so do bots, for `score`. The name of a "
        "die that nothing rolls, as in `let x = d6`, often stands where `roll(d6)` was meant.",
        'names p: Player\nthe game has:\n  heap: 0..9 = 5\nvalue twice = heap * 2\naction take(p) "Take": heap -= 1, at least 0\n'
        "play:\n  turns p from first_player:\n    p chooses one of take\n    if heap == 0: finish with winner p\n",
        'names p: Player\nthe game has:\n  heap: 0..9 = 5\naction take(p) "Take": heap -= 1, at least 0\n'
        "play:\n  turns p from first_player:\n    p chooses one of take\n    if heap == 0: finish with winner p\n",
    ),
    Code(
        "W0525",
        "a standing rule that runs for every match",
        "A `whenever` runs for all its matches, even if the first run has made the condition false for the others. Test it again in the "
        "block, or let the rule match once and loop over the players there.",
        "names p: Player\nthe game has:\n  pot: 0..9 = 3\neach Player has:\n  hungry: flag = no\n"
        "whenever p.hungry and pot > 0 for p in players:\n  pot -= 1, at least 0\n  p.hungry = no\n",
        "names p: Player\nthe game has:\n  pot: 0..9 = 3\neach Player has:\n  hungry: flag = no\n"
        "whenever p.hungry and pot > 0 for p in players:\n  if pot > 0:\n    pot -= 1\n    p.hungry = no\n",
    ),
    Code(
        "W0526",
        "two standing rules that undo each other",
        "Standing rules run until none applies. If each of two rules makes the condition of the other true, that never happens, and the "
        "game stops.",
        "the game has:\n  lit: flag = no\nwhenever not lit: lit = yes\nwhenever lit: lit = no\n",
        "the game has:\n  lit: flag = no\n  oil: 0..9 = 3\nwhenever not lit and oil > 0: lit = yes\n"
        "whenever lit and oil == 0: lit = no\n",
    ),
    Code(
        "W0527",
        "a player who may be out when asked",
        "The members of a loop are fixed when it begins, so a player whom an earlier pass has eliminated is asked, or acts, all the same. "
        "Test whether the player still plays, or name the players who are to act before the loop.",
        'names p, q: Player\naction hit(p, q) "Hit {q}":\n  needs q != p\n  eliminate(q)\n'
        "play:\n  for p in players: p chooses one of hit, or pass\n  finish with winner players\n",
        'names p, q: Player\naction hit(p, q) "Hit {q}":\n  needs q != p\n  eliminate(q)\n'
        "play:\n  for p in players if p in players: p chooses one of hit, or pass\n  finish with winner players\n",
    ),
    Code(
        "W0528",
        "a name that hides a member of the same name",
        "In the cells of a table, the name of a key means the value by which the row is looked up. To name a space, thing, member or seat "
        "of that name there, put its kind in front. In `count(x in S)`, `x` stands for each member of the set in turn, also if something "
        "else has that name.",
        'board Sea: square\n  map """\n    . .\n  """\ndata cost(a1: 1..2):\n  gold: 0..9\n  | a1 | gold |\n  | 1  | 2    |\n  | 2  | 3    |\n',
        'board Sea: square\n  map """\n    . .\n  """\ndata cost(n: 1..2):\n  gold: 0..9\n  | n | gold |\n  | 1 | 2    |\n  | 2 | 3    |\n',
    ),
    Code(
        "W0529",
        "an image that is not there",
        "An image of a thing is a file below the game's folder, of at most 2 MB. Without it, the thing is drawn as if the "
        "rules said nothing of an image.",
        'kind Card "card":\n  image: "art/card.svg"\n  n: 1..3\n  | n    |\n  | 1..3 |\n',
        'kind Card "card":\n  sign: "♣"\n  n: 1..3\n  | n    |\n  | 1..3 |\n',
    ),
)
