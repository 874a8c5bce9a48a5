"""Names of rulebooks and other languages -> advice on what is written instead.

NAMES["true"], MEMBERS["size"]             'write `yes`', 'write `count(…)`'
"""

from __future__ import annotations

COUNT = "write `count(…)`"
EMPTY = "the empty set is `{}`: write `… == {}`, or `… != {}`"
NAMES = {
    **dict.fromkeys(("len", "length", "size", "number_of", "num"), COUNT),
    **dict.fromkeys(("true", "True", "TRUE"), "write `yes`"),
    **dict.fromkeys(("false", "False", "FALSE"), "write `no`"),
    **dict.fromkeys(("null", "nil", "None", "undefined", "nobody", "nothing"), "write `none`"),
    **dict.fromkeys(("empty", "is_empty", "isEmpty"), EMPTY),
    **dict.fromkeys(("rand", "randint", "choice", "random_int"), "write `random(1..6)`, or `roll(d6)`"),
    **dict.fromkeys(("self", "this", "me", "you"), "name the player who acts: `action go(p)`"),
    **dict.fromkeys(("next_player", "nextplayer", "opponent"), "write `next(p)`"),
    **dict.fromkeys(("current_player", "active_player", "current"), "the player whose turn it is has the name `mover`"),
    "sorted": "an order stands behind the set: `for q in players by lowest q.gold:`",
    "all": "a zone stands for everything in it: `move deck to discards`; what all see is declared without `seen by`",
    **dict.fromkeys(
        ("int", "integer", "number", "Number", "uint", "float", "double"), "the type of a number is its range: `0..9`"
    ),
    **dict.fromkeys(("bool", "boolean", "Boolean"), "write `flag`, which is `yes` or `no`"),
    **dict.fromkeys(("argmax", "maxby", "max_by"), "who has the most is `first(q in players by highest q.gold)`"),
    **dict.fromkeys(("argmin", "minby", "min_by"), "who has the least is `first(q in players by lowest q.gold)`"),
    "range": "write `repeat 3 times:`, or `for n in 1..3:`",
    **dict.fromkeys(("average", "mean", "median"), "write `sum(… for q in players) / count(players) rounded down`"),
    **dict.fromkeys(
        ("sqrt", "pow", "log2", "exp"), "numbers are whole, and there are no powers or roots: print a `data` table"
    ),
    **dict.fromkeys(("floor", "round", "ceil"), "a division says how it is rounded: `a / b rounded down`"),
}
"""By name: the advice for who uses it."""
UNLESS_NEAR = {
    **dict.fromkeys(
        ("end_turn", "next_turn", "finish_turn", "pass_turn", "turn_end"),
        "the next turn begins by itself where the lines below `turns p from …:` end",
    ),
    **dict.fromkeys(("filter", "select", "where"), "write `{c in S if c.n > 3}`"),
    **dict.fromkeys(("exists", "some", "has_any", "anyof"), "write `any(c.n > 3 for c in S)`"),
    **dict.fromkeys(("every", "forall", "for_all", "allof"), "write `all(c.n > 3 for c in S)`"),
    "turn": "what happens in a turn stands below `turns p from …:`, its beginning first and its end last",
    **dict.fromkeys(
        ("Math", "math", "random", "dice", "roll_dice", "throw"),
        "a throw is `roll(d6)`, a random pick `random(1..6)`; `min`, `max` and `abs` stand alone",
    ),
    **dict.fromkeys(
        ("winner", "loser", "won", "lost", "game_over", "win", "lose", "end_game"),
        "write `finish with winner p`, or `finish lost`",
    ),
    **dict.fromkeys(
        ("everybody", "everyone", "others", "all_players"), "write `for q in players:`, and `q` in its lines"
    ),
    **dict.fromkeys(("opponents", "enemies", "rivals", "other_players"), "write `{q in players if q != p}`"),
    **dict.fromkeys(
        ("kill", "remove", "delete", "destroy"), "write `eliminate(p)` for a player, `move c to box` for a thing"
    ),
    "top": "the card on top is `top(deck)`; it is taken with `move 1 of deck to p.hand`",
    "one": "write the number: `1`",
    **dict.fromkeys(
        ("it", "them", "that", "this_card"), "give it a name: `let c = top(deck)`, and `c` in the lines below"
    ),
    "move": "write `move c to p.hand`, without brackets",
    **dict.fromkeys(
        ("first", "next"), "the top ones of a pile are `1 of deck`; one of a set is `first(c in S if c.n > 3)`"
    ),
    **dict.fromkeys(("message", "write", "tell"), "people read the text behind the head of a verb"),
    **dict.fromkeys(("draw", "deal"), "cards are moved: `move 2 of deck to p.hand`"),
    **dict.fromkeys(("discard", "play_card"), "cards are moved: `move c to discards`"),
    **dict.fromkeys(("other", "left", "right"), "the player to the left is `next(p)`, to the right `previous(p)`"),
    **dict.fromkeys(
        ("sleep", "wait", "pause"), "time runs for a question alone: its `clock` is declared beside the dice"
    ),
    **dict.fromkeys(
        ("set", "list", "Set", "List", "dict", "array"), "a set is written `{a, b}`, and the empty one `{}`"
    ),
    **dict.fromkeys(("print", "say", "log", "alert"), "people read the text behind the head of a verb"),
    **dict.fromkeys(("input", "ask"), 'a question is `p chooses n in 1..6 "How many?"`'),
    **dict.fromkeys(
        ("nth", "second", "third", "item", "bottom", "last", "upper"),
        "things of a pile come from the top, so `first(c in deck if c != top(deck))` is the second; "
        '`include "std:cards/piles"` has `nth(n)` and `upper(n)`',
    ),
    **dict.fromkeys(
        ("position", "index", "index_of", "place_of"),
        "the place in a row of slots is `first(i in 1..4 if row(i) == c)`",
    ),
    **dict.fromkeys(
        ("border", "rim", "adjacent", "neighbors"),
        "what lies next to a set S is `{t for s in S, t in neighbours(s)} - S`, next to a space `neighbours(s)`",
    ),
    **dict.fromkeys(("edge", "edge_between", "side"), "the edge between two is `first(r in a.edges if r in b.edges)`"),
    **dict.fromkeys(("longest_path", "longest_road"), '`include "std:boards/roads"` has `longest_road(p)`'),
    **dict.fromkeys(
        ("player", "seat", "seat_number"),
        "a seat's number is `number(p)`; the player of a number is `first(q in players if number(q) == 2)`",
    ),
    **dict.fromkeys(
        ("reversed", "reverse"),
        "write `for q in players by highest number(q):`, or `turns p from first_player to previous(p):`",
    ),
    **dict.fromkeys(("swap",), "write `let x = a`, `a = b`, `b = x`"),
}
"""By name: the advice where no name of the game is near to it."""
MEMBERS = {
    **dict.fromkeys(("count", "size", "length", "len"), COUNT),
    **dict.fromkeys(("empty", "is_empty", "isEmpty"), EMPTY),
    **dict.fromkeys(
        ("top", "first", "last", "pop", "draw"), "the card on top is `top(…)`; take it with `move 1 of … to …`"
    ),
    **dict.fromkeys(("shuffle",), "write `shuffle(…)`"),
    "roll": "write `roll(d6)`",
    **dict.fromkeys(("opponent", "next_player", "left", "right", "neighbour"), "the player to the left is `next(p)`"),
    **dict.fromkeys(
        ("up", "down", "north", "south", "east", "west"),
        "a step on a board is `step(s, north)`; `neighbours(s)` are all around",
    ),
    **dict.fromkeys(("add", "push", "append", "remove"), "things are moved: `move … to …`"),
    **dict.fromkeys(("contains", "has", "includes"), "write `x in …`"),
    **dict.fromkeys(("number", "seat", "index", "position"), "a seat's number is `number(p)`"),
    **dict.fromkeys(("sum", "total"), "write `sum(c.n for c in …)`"),
    **dict.fromkeys(
        ("max", "maximum", "highest", "largest", "biggest"),
        "the largest of a set is `max(c.n for c in S)`; how far a variable goes is a number, or a `constant`",
    ),
    **dict.fromkeys(
        ("min", "minimum", "lowest", "smallest"),
        "the smallest of a set is `min(c.n for c in S)`; how far a variable goes is a number, or a `constant`",
    ),
    **dict.fromkeys(
        ("average", "avg", "mean"), "write `sum(c.n for c in S) / count(S) rounded down`, for a set that is not empty"
    ),
    **dict.fromkeys(("random", "pick", "sample", "choice"), "write `random(…)`"),
    **dict.fromkeys(
        ("filter", "where", "select", "find"), "write `{c in S if c.n > 3}`, or `first(c in S if c.n > 3)`"
    ),
    **dict.fromkeys(("map", "each", "foreach", "forEach"), "write `{c.n for c in S}`, or `for c in S:`"),
    **dict.fromkeys(
        ("sort", "sorted", "order", "sort_by"), "an order stands where it is used: `for c in S by lowest c.n:`"
    ),
    **dict.fromkeys(
        ("bottom", "second", "nth", "get", "at"), '`include "std:cards/piles"`: `nth(n)` is the thing n from the top'
    ),
    **dict.fromkeys(("clear", "discard", "discard_all"), "things are moved: `move … to discards`, or `to box`"),
    **dict.fromkeys(("deal", "give", "take"), "things are moved: `move 2 of … to p.hand`"),
    **dict.fromkeys(("full", "is_full", "isFull", "capacity"), "what a zone holds is counted: `count(…) == 5`"),
    **dict.fromkeys(("flip", "reveal", "turn_over"), "write `reveal(…)`"),
    **dict.fromkeys(("increase", "increment", "inc", "gain", "plus"), "write `… += 1`"),
    **dict.fromkeys(("decrease", "decrement", "dec", "lose_one", "minus"), "write `… -= 1`"),
    **dict.fromkeys(("set", "reset", "assign"), "write `… = 0`"),
    **dict.fromkeys(("win", "wins", "won", "winner"), "write `finish with winner p`"),
    **dict.fromkeys(("lose", "loses", "lost"), "write `eliminate(p)`, or `finish lost`"),
    **dict.fromkeys(("skip", "pass", "pass_turn"), "write `skip_turn(p)`"),
    **dict.fromkeys(
        ("turn", "active", "is_active", "current", "my_turn"),
        "the player whose turn it is has the name `mover`: `p == mover`",
    ),
    **dict.fromkeys(("alive", "playing", "active_player"), "who still plays is among `players`: `p in players`"),
    **dict.fromkeys(("eliminated", "dead", "out"), "who is out is no longer among `players`: `p not in players`"),
    **dict.fromkeys(("next", "following"), "write `next(p)`"),
    **dict.fromkeys(("prev", "previous", "before"), "write `previous(p)`"),
    **dict.fromkeys(("id", "seat_number"), "a seat's number is `number(p)`"),
    "name": "names stand in texts: `{p}`, `{c}`",
    **dict.fromkeys(("owner", "holder", "player"), "who has a thing is `holder(c)`"),
    **dict.fromkeys(
        ("zone", "place", "location", "where"), "where a thing lies is asked by `c in p.hand`; a space is `place(c)`"
    ),
    **dict.fromkeys(("neighbors", "neighbor", "neighbours", "adjacent", "around"), "write `neighbours(…)`"),
    **dict.fromkeys(("x", "col", "file"), "write `….column`"),
    **dict.fromkeys(("y", "rank"), "write `….row`"),
    **dict.fromkeys(("faces", "sides"), "what a die shows is a throw of it: `roll(d6)`"),
}
"""By what stands behind a dot: the advice."""
