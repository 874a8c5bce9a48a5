"""Whoever writes in the words of a rulebook or of another language is told what to write instead."""

from __future__ import annotations

import pytest

from rulelang import api
from rulelang.diagnostics.habits import FORMS, LONGEST, instead

HEAD = """\
game x "X":
  players 2
  seats red, blue
names p, q: Player; c: Card
die d6: 1..6
kind Card "card":
  n: 1..9
  | n    |
  | 1..9 |
the game has:
  deck: pile of Card, face down
  discard: pile of Card, face up
each Player has:
  hand: group of Card, seen by owner
  gold: 0..9 = 0
play:
  turns p from red:
    p chooses one of go
    if p.gold == 9: finish with winner p
"""
STATEMENTS = {
    "repeat until p.gold == 3: p.gold += 1": "`repeat while not (p.gold == 3):`",
    "while p.gold < 3: p.gold += 1": "`repeat while p.gold < 3:`",
    "repeat 3: p.gold += 1": "`repeat 3 times:`",
    "for each q in players: q.gold = 1": "`for q in players:`",
    "each player draws a card": "`for q in players:`",
    "for q in other players: q.gold = 1": "`for q in players if q != p:`",
    "for i in range(3): p.gold += 1": "`repeat 3 times:`",
    "let x = {c in q.hand, q in players if q != p}": "`{c for c in q.hand, q in players if q != p}`",
    "p chooses c in p.hand if p.hand != {} else deck": "`in (p.hand if p.hand != {} else deck)`",
    "p chooses c in p.hand if p.gold > 2 else 1 of deck, or pass": "`if …:` with one `p chooses c in …` below it",
    "p chooses c in p.hand if c.n > 2": "`p chooses c in {c in p.hand if c.n > 2}`",
    "each q in players chooses c in q.hand if c.n > 2": "`each q in players chooses c in {c in q.hand if c.n > 2}`",
    "if p.hand: p.gold = 1": "`… == {}`, `… != {}`",
    "if top(deck): p.gold = 1": "`… == none`",
    "p.gold = 7 mod 2": "`p.gold = 7 % 2`",
    "p.gold -= 1 if p.gold > 0": "`if p.gold > 0: p.gold -= 1`",
    "let x: 0..9 = 3": "`let x = 3`",
    "let x := 3": "`let x = 3`",
    "p gains 2": "`p.gold += 2`",
    "p must choose c in p.hand": "`p chooses c in p.hand`",
    "loop 3 times: p.gold += 1": "`repeat 3 times:`",
    "for i in 1 to 3: p.gold += i": "`for i in 1..3:`",
    "finish winner p": "`finish with winner p`",
    "finish game": "`finish with ranking …`",
    "let s = {red if p.gold > 2, blue}": "`({red} if p.gold > 2 else {}) + {blue}`",
    "let s = {blue, red if p.gold > 2}": "`{blue} + ({red} if p.gold > 2 else {})`",
    "match p.gold: settle": "`if p.gold == …:`",
    "switch (p.gold) {": "`if p.gold == …:`",
    "p.gold = first(n in 1..9 openly if n > p.gold)": "`openly` stands behind the condition",
    "for q in players clockwise from p: q.gold = 1": "`for q in players from next(p):`",
    "move top 3 of deck to p.hand": "`move 3 of deck to p.hand`",
    "insert Card(3) into deck at 2": "`insert(c, n)`",
    "cut deck at 3": "`cut(n)`",
    "p chooses one of go, or pass after 2 minutes": "or pass after … seconds`",
    "p chooses one of go, or go after 60 seconds": "`p chooses one of go, or pass after 60 seconds`",
    "p chooses one of go within 60 seconds": "`p chooses one of go, or pass after 60 seconds`",
    "p chooses some in exactly 2 of p.hand": "`p chooses some in 2 of p.hand`",
    "p chooses some in at least 2 of p.hand": "needs count(some) >= 2",
    "p chooses some in 2..3 of p.hand": "needs count(some) >= 2",
    "p chooses some in up to 3 of p.hand if sum(c.n for c in some) < 5": "needs sum(c.v for c in some) <= p.gold",
    "for c in p.hand if p.gold > 1 else {}: p.gold = 1": "`for c in (p.hand if p.gold > 1 else {}):`",
    "let x = {red if p.gold > 3, blue if p.gold > 6}": "`({red} if p.gold > 3 else {}) + ({blue} if p.gold > 6 else {})`",
    "let x = {Card(1) if p.gold > 3, Card(2)}": "`({Card(1)} if p.gold > 3 else {}) + {Card(2)}`",
    "p.gold = seat(2).gold": "`first(q in players if number(q) == 2)`",
    "p.gold = p.seat": "`number(p)`",
    "p.gold = longest_path(p)": "`longest_road(p)`",
    "for c in 3 of deck: p.gold = 1": "`upper(3)`",
    "p.gold = third(deck).n": "`nth(n)`",
    "p.gold = position(Card(3), deck)": "`first(i in 1..4 if row(i) == c)`",
    "p.gold = 3 until turn ends": "where `gold` is declared",
    "adjust power(p): +1 until turn ends": "is a variable, such as `storm: flag = no, until turn ends`",
    "for q in players starting with red: q.gold = 1": "`for q in players from red:`",
    "for q in reversed(players): q.gold = 1": "`for q in players by highest number(q):`",
    "turns q from red reversed: q.gold = 1": "`turns q from red to previous(q):`",
    "turns q from red in reverse order: q.gold = 1": "`turns q from red to previous(q):`",
    "each other player chooses one of go": "`each q in players from next(p) if q != p chooses …`",
    "draw 2 from deck": "`move 2 of deck to p.hand`",
    "p draws 2 cards": "`move 2 of deck to p.hand`",
    "deal 5 cards": "`for p in players: move 5 of deck to p.hand`",
    "shuffle discard into deck": "`move discard to deck`",
    "shuffle the deck": "`shuffle(deck)`",
    "move top(deck) from deck to p.hand": "`move top(deck) to p.hand`",
    "move 1 card from deck to p.hand": "`move 1 of deck to p.hand`",
    "put c on discard": "`move c to discard`",
    "p.gold = roll(2 d6)": "`roll(d6) + roll(d6)`",
    "p.gold = 2d6": "`roll(d6) + roll(d6)`",
    "gain 3 gold": "`p.gold += 3`",
    "red pays 2 gold": "`red.gold -= 2`",
    "p.gold++": "`p.gold += 1`",
    "p.gold =+ 1": "`p.gold += 1`",
    "set p.gold to 3": "`p.gold = 3`",
    "p.gold = p.gold + 1;": "`p.gold = p.gold + 1`",
    "p wins": "`finish with winner p`",
    "game over": "`finish with winner p`",
    "blue is eliminated": "`eliminate(blue)`",
    "p.gold = p.gold > 3 ? 1 : 2": "`a if condition else b`",
    "p.gold = 1 if p.gold > 3": "`p.gold = 1 if p.gold > 3 else …`",
    "p.gold -= 1 unless p.gold == 0": "`if not (p.gold == 0): p.gold -= 1`",
    "if p.gold > 3 then p.gold = 1": "`if p.gold > 3:`",
    "if p.hand is empty: settle": "`p.hand == {}`",
    "if p.gold <> 3: settle": "`!=`",
    "if p.gold > 3 || p.gold < 2: settle": "`or`",
    "if p.gold > 3 && p.gold < 5: settle": "`and`",
    "p.gold = deck[1].n": "`top(deck)`",
    "p chooses n from 1 to 3": "`p chooses n in 1..3`",
    "q may go": "`q chooses one of go, or pass`",
    "repeat until gold > 3: p.gold += 1": "`repeat while not (gold > 3):`",
    "red.gold -= 1 to blue": "write `red.gold -= 1`",
    "give 2 gold to blue": "`p.gold -= 2`, `blue.gold += 2`",
    "take a card from deck": "`move 1 of deck to p.hand`",
    "move top card of deck to p.hand": "`move 1 of deck to p.hand`",
    "move deck to p.hand 2": "`move 2 of deck to p.hand`",
    "move all of deck to discard": "a zone stands for everything in it",
    "reveal top card of deck": "`reveal(top(deck))`",
    "swap red.hand and blue.hand": "inside of `simultaneously`",
    "finish with p": "`finish with winner p`",
    "skip turn of blue": "`skip_turn(blue)`",
    "play again": "`extra_turn(p)`",
    "unless p.gold > 3: p.gold = 1": "`if not (p.gold > 3):`",
    "if p.gold between 1 and 3: settle": "`p.gold in 1..3`",
    "if p.gold is 3: settle": "`if p.gold == 3:`",
    "if p.gold is not 3: settle": "`if p.gold != 3:`",
    "if p.hand contains top(deck): settle": "`top(deck) in p.hand`",
    "if p.gold == 1 { p.gold = 2 }": "a block stands behind a colon",
    "goto setup": "rules do not jump",
    "p.gold := 3": "`p.gold = 3`",
    "increase p.gold by 1": "`p.gold += 1`",
    "p.gold + 1": "`p.gold += 1`",
    "p.gold = number of cards in p.hand": "`count(p.hand)`",
    "p.gold = sum of gold": "`sum(q.gold for q in players)`",
    "p.gold = 1.5": "numbers are whole",
    'p.gold = "three"': "a number, a flag or a member of an `enum`",
    "p.gold = 1 // one more": "a comment begins with `#`",
    "roll d6 into p.gold": "`p.gold = roll(d6)`",
    "for a, b in players: settle": "`for a in players:`, and `for b in players:` below it",
    "for q in sorted(players): settle": "`for q in players by lowest q.gold:`",
    "let q = max(players, key=gold)": "`first(q in players by highest q.gold)`",
    "let q = min(players, key = lambda x: x.gold)": "`first(q in players by lowest q.gold)`",
    "finish with winner max(players, key=gold)": "`first(q in players by highest q.gold)`",
    "for q in sorted(players, key=gold): settle": "`for q in players by lowest q.gold:`",
    "let q = best(q in players, key=gold)": "`first(q in players by highest q.gold)`",
    "p.gold = count(p.hand, n=3)": "`count(c in p.hand if c.n == 3)`",
    "p.gold = random(1, high=6)": "arguments have no names",
    "p.gold = random(low=1, high=6)": "arguments have no names",
    "if any(yes for q in players if q.gold = 3): settle": "write `==`",
    "if (p.gold = 3): settle": "write `==`",
    "let q = max(q in players by q.gold)": "`first(… by highest …)`",
    "p.gold = random(6)": "the set `1..n`",
    "p.gold = random(1, 6)": "`random(1..6)`",
    "p.gold = d6.roll()": "`roll(…)`",
    "deck.shuffle()": "`shuffle(…)`",
    "p.hand.append(top(deck))": "things are moved",
    "next player": "`turns p from …:`",
    "return 3": "say what it answers: `to NAME(…) -> TYPE:`",
    "print p.gold": "the text behind the head of a verb",
    "p.gold = len(p.hand)": "`count(…)`",
    "p.gold = p.hand.count": "`count(…)`",
    "if p.gold == true: settle": "`yes`",
    "p.gold = null": "`none`",
    "let x = 3\n  x += 1": "a name of its own",
}
STATEMENTS |= {
    "x = 3": "`the game has:`, such as `x: 0..9 = 0`",
    "total += p.gold": "`the game has:`, such as `total: 0..9 = 0`",
    "counter = counter + 1": "`the game has:`",
    "move top": "`move 1 of deck to p.hand`",
    "move top of deck": "`move 1 of deck to p.hand`",
    "move top of deck, discard": "`move 1 of deck to discard`",
    "move 2 of deck": "say where to",
    "move deck -> p.hand": "`move deck to p.hand`",
    "move(deck, p.hand)": "without brackets",
    "move 1 of top of deck to p.hand": "`move 1 of deck to p.hand`",
    "move 1 deck to p.hand": "`move 1 of deck to p.hand`",
    "move 2 cards to p.hand": "`move 2 of deck to p.hand`",
    "move one of deck to p.hand": "the number: `1`",
    "move first of deck to p.hand": "`1 of deck`",
    "move it to p.hand": "give it a name",
    "p.gold = p.gold.max": "how far a variable goes",
    "p.gold.max": "how far a variable goes",
    "p.gold.max = 3": "how far a variable goes",
    "p.gold = p.hand.max()": "`max(c.n for c in S)`",
    "p.gold = p.hand.min": "`min(c.n for c in S)`",
    "p.gold = p.hand.average": "/ count(S) rounded down`",
    "let c = p.hand.random": "`random(…)`",
    "let s = p.hand.filter(c.n > 3)": "`{c in S if c.n > 3}`",
    "p.hand.sort()": "`for c in S by lowest c.n:`",
    "p.hand.sort": "`for c in S by lowest c.n:`",
    "p.hand.clear()": "`move … to discards`",
    "deck.deal(3)": "`move 2 of … to p.hand`",
    "p.gold.increase(3)": "`… += 1`",
    "p.gold.reset": "`p.gold = 0`",
    "p.win()": "`finish with winner p`",
    "p.lose()": "`eliminate(p)`",
    "p.skip()": "`skip_turn(p)`",
    "if p.is_active: settle": "`mover`",
    "if p.alive: settle": "`p in players`",
    "if p.eliminated: settle": "`p not in players`",
    "let q = top(deck).owner": "`holder(c)`",
    "if deck.is_full: settle": "`count(…) == 5`",
    "let o = p.next": "`next(p)`",
    "let o = p.prev": "`previous(p)`",
    "let d = d6.value": "`roll(…)`",
    "p.gold = d6 + 1": "`roll(…)`",
    "for q of players: q.gold += 1": "`for q in players:`",
    "do p.gold += 1 while p.gold < 3": "`repeat while p.gold < 3:`",
    "until p.gold == 3: p.gold += 1": "`repeat while not (p.gold == 3):`",
    "repeat 3 times p.gold += 1": "`repeat 3 times: p.gold += 1`",
    "loop: p.gold += 1": "`repeat:`",
    "for c in p.hand where c.n > 3: settle": "`for c in p.hand if c.n > 3:`",
    "on turn start: p.gold += 1": "first below `turns p from …:`",
    "import random": "`include",
    "class Ship: pass": "`kind Ship`",
    "try: p.gold = 1": "`needs`",
    "assert p.gold > 0": "`needs p.gold > 0`",
    "wait 3": "its `clock`",
    'console.log("hello")': "the text behind the head of a verb",
    'message "hello"': "the text behind the head of a verb",
    'let x = input("How many?")': "a question is `p chooses",
    "if p.gold === 3: settle": "write `==`",
    "if (p.gold > 3) p.gold = 1": "`if p.gold > 3: p.gold = 1`",
    "if p == player 1: settle": "`player1`",
    "if p.gold == 1 or 2: settle": "`… in {2, 3}`",
    "p.gold is 3": "`p.gold = 3`",
    "p.gold *= 2": "`p.gold = p.gold * 2`",
    "p->gold = 1": "`p.gold = 1`",
    "increment p.gold": "`p.gold += 1`",
    "p.gold, q.gold = q.gold, p.gold": "`let x = p.gold`",
    "x: int = 3": "`let x = 3`",
    "p.gold = d6": "`roll(…)`",
    "p.gold = Math.max(p.gold, 3)": "`min`, `max` and `abs` stand alone",
    "draw(p, 2)": "`move 2 of deck to p.hand`",
    "p discards 2 cards": "`p chooses S in 2 of p.hand`",
    "p discards top(deck)": "move",
    "red pays 3 gold to blue": "`red.gold -= 3`, and `blue.gold += 3` below it",
    "p chooses a card from p.hand": "`p chooses c in p.hand`",
    "p chooses 1 or 2": "`p chooses x in {1, 2}`",
    "p picks c from p.hand": "`p chooses c in p.hand`",
    "skip p": "`skip_turn(p)`",
    "winner = p": "`finish with winner p`",
    "declare p winner": "`finish with winner p`",
    "your gold = 1": "`p.gold`",
    "players.gold += 1": "`for x in …: … x.gold`",
    "everybody.gold += 1": "`for q in players:`",
    "p.gold = c.n": "`c` is a Card where a parameter",
    "p.gold = top(deck).value": "what a Card has: `n`",
    "p.opponent.gold -= 1": "`next(p)`",
}
STATEMENTS |= {
    "if p.gold > 3 and < 5: settle": "`p.gold > 3 and p.gold < 5`",
    "p.gold gains 3": "`p.gold += 3`",
    "take 3 gold from red": "`red.gold -= 3`",
    "subtract 3 from p.gold": "`p.gold -= 3`",
    "let p.gold = 3": "without `let`: `p.gold = 3`",
    "for i from 1 to 3: p.gold += 1": "`for i in 1..3:`",
    "for all q in players: q.gold += 1": "`for q in players:`",
    "for q: q.gold += 1": "`for q in players:`",
    "3 times: p.gold += 1": "`repeat 3 times:`",
    "let x = roll d6": "`let x = roll(d6)`",
    "p passes": "`p chooses …, or pass`",
    "p discards top(deck) now": "`move top(deck) now to discards`",
    "move top(deck) into p.hand": "`move top(deck) to p.hand`",
    "move any p.hand to discard": "`move p.hand to discard`",
    "finish p": "`finish with winner p`",
    "finish with loser p": "`finish with winner players - {p}`",
    "eliminate p": "`eliminate(p)`",
    "p chooses": "`p chooses n in 1..3`",
    "p chooses 1..3": "`p chooses n in 1..3`",
    "p chooses a card": "`p chooses c in p.hand`",
    "p chooses 2 cards in p.hand": "`p chooses some in 2 of p.hand`",
    "p chooses q in other players": "`p chooses q in {q in players if q != p}`",
    "let x = if p.gold > 3 then 1 else 2": "`let x = 1 if p.gold > 3 else 2`",
    "let x = next player": "`let x = next(p)`",
    "let x = random player": "`let x = random(players)`",
    "let x = random card from deck": "`let x = random(deck)`",
    "let x = max(p.gold)": "`max(q.gold for q in players)`",
    'let x = "text"': "texts stand in heads",
    'message("text")': "the text behind the head of a verb",
    "kill(p)": "`eliminate(p)`",
    "p.gold = average(p.gold)": "`sum(… for q in players) / count(players) rounded down`",
    "gold += 1": "each Player has its own `gold`: write `p.gold`",
}
DECLARATIONS = {
    "value f(p): p.gold + 1": "`value f(p) = p.gold + 1`",
    "function f(p):\n  p.gold = 1": "`to f(p):`",
    "def f(p):\n  p.gold = 1": "`to f(p):`",
}
DECLARATIONS |= {
    "adjust power(p): double if p.gold > 3": "`adjust power(p): times 2 if p.gold > 3`",
    "adjust power(p): * 2": "`adjust power(p): times 2`",
    "adjust power(p): = 5": "`adjust power(p): set 5`",
    "each Player has:\n  calm: flag = no, until next turn": "`until turn of owner begins`",
    "each Player has:\n  calm: flag = no, until end of turn": "`until turn ends`",
    "const MOST = 3": "`constant MOST = 3`",
    "var coins = 0": "below `the game has:`",
    "coins: 0..9 = 0": "below `the game has:`",
    "each player has coins": "`each Player has:`",
    "class Ship: pass": "`kind Ship`",
    "enum Colour { red, blue }": "`enum Colour: red, blue`",
    "board Grid 3x3": "a board is a map",
    "die: 1..6": "`die d6: 1..6`",
    "2 dice d6": "one by one",
    "main:\n  settle": "below `play:`",
    "game has:\n  coins: 0..9 = 0": "`the game has:`",
    "win if p.gold == 9": "`whenever p.gold == 9 for p in players: finish with winner p`",
    "goal: p.gold == 9": "a game ends where the rules say so",
    "verb f(p): p.gold = 1": "`to f(p):`",
    "f(p) = p.gold": "`value f(p) = p.gold`",
    "value f(p) => p.gold": "`value f(p) = p.gold`",
    "to f(p) { p.gold = 1 }": "`to f(p):`",
    "to f(p) = p.gold": "`value f(p) = p.gold`",
    "to f(Player q): settle": "a type stands behind the name",
    "action take(p) if p.gold > 0: settle": "`needs p.gold > 0`",
}


def helps(text: str) -> list[str]:
    return [found.help or "" for found in api.check_text(text).diagnostics if found.code[0] == "E"]


@pytest.mark.parametrize(("statement", "advice"), STATEMENTS.items(), ids=STATEMENTS)
def test_a_statement_in_other_words_is_answered_with_ours(statement: str, advice: str) -> None:
    found = helps(f'{HEAD}action go(p) "Go":\n  {statement}\n')
    assert found, "it checks"
    assert advice in found[0]


@pytest.mark.parametrize(("declaration", "advice"), DECLARATIONS.items(), ids=DECLARATIONS)
def test_a_declaration_in_other_words_is_answered_with_ours(declaration: str, advice: str) -> None:
    assert advice in helps(f'{HEAD}action go(p) "Go": settle\n{declaration}\n')[0]


def test_a_near_name_of_the_game_comes_before_advice_about_other_languages() -> None:
    assert "did you mean `dices`?" in helps(f'{HEAD}value dices(p) = 3\naction go(p) "Go": p.gold = dice(p)\n')[0]


def test_a_statement_behind_a_condition_is_answered_too() -> None:
    assert "`finish with winner p`" in helps(f'{HEAD}action go(p) "Go":\n  if p.gold > 3: p wins\n')[0]


@pytest.mark.parametrize(
    ("loop", "advice"),
    [
        ("for q in players if q.gold > 3: q.gold = 1", "`if {q in players if q.gold > 3} == {}:`"),
        ("for c in p.hand by lowest c.n: settle", "`if p.hand == {}:`"),
        ("repeat while p.gold < 3: p.gold += 1", "with the loop in its block"),
    ],
)
def test_the_else_of_a_loop_is_asked_in_front_of_it(loop: str, advice: str) -> None:
    assert advice in helps(f'{HEAD}action go(p) "Go":\n  {loop}\n  else: p.gold = 2\n')[0]


def test_lines_of_our_own_are_in_no_other_words_and_long_ones_are_not_compared() -> None:
    assert [line for line in HEAD.splitlines() if instead(line.strip())] == []
    assert instead("draw 2 from " + "x" * LONGEST) is None
    assert len(FORMS) > 50


def test_a_condition_inside_brackets_is_not_taken_for_one_of_the_whole_line() -> None:
    faults = api.check_text(f'{HEAD}action go(p) "Go":\n  p.gold = max(p.gold, 3 if p.gold > 3)\n').diagnostics
    assert [(fault.code, fault.help) for fault in faults] == [("E0113", "write `a if c else b`")]
