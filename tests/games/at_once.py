"""Small games in which things happen at once: blocks within blocks, moves, eliminations, deferred calls that ask."""

NESTED = """\
game volleys "Volleys":
  players 3

names p, q, r: Player; n: 0..9

each Player has:
  fuel: 0..999 = 40
  marks: set of 1..90
  last: 0..9 = 0
the game has:
  pot: -9999..9999 = 0
  mark: 0..9 = 0

to volley(p):
  simultaneously for q in players if q != p:
    q.fuel -= p.last, at least 0
    q.fuel -= 1, at least 0
    pot += q.last
    simultaneously for r in players:
      r.fuel += 2
      pot -= 1
  p.fuel += 1
  mark = 4

action fire(p, n: 1..9) "Fire {n}":
  p.last = n
  simultaneously for q in players:
    q.marks += {9 * n}
    volley(q)
    if q.fuel > 30: q.last = n - 1

play:
  repeat 12 times:
    for p in players: p chooses one of fire
"""

DEALT = """\
game dealt "Dealt":
  players 3

names p, q: Player; n: 0..9

kind Card "card":
  n: 1..70
  | n     |
  | 1..70 |
names c: Card

each Player has:
  hand: group of Card
  heap: pile of Card
  done: 0..99 = 0
the game has:
  stack: pile of Card, seen by nobody

setup:
  move {c in Card} to stack
  shuffle(stack)
  for p in players: move 9 of stack to p.hand

action keep(p, n: 1..3) "Keep {n}": p.done += n

action hand_on(p) "Hand on":
  simultaneously for q in players:
    move q.hand to next(q).hand
    move 2 of stack to q.heap
    move q.heap to q.hand

play:
  repeat 5 times:
    for p in players: p chooses one of keep, hand_on
"""

OUT = """\
game out "Out":
  players 4

names p, q: Player; n: 0..9

each Player has:
  life: -99..99 = 8
  cried: 0..9 = 0

action hit(p, q in players, n: 1..4) "Hit {q}":
  q.life -= n
  simultaneously for q in players if q.life <= 5: eliminate(q)

action cry(p, n: 1..3) "Cry": p.cried += n

after eliminate(q):
  q chooses one of cry

play:
  repeat:
    for p in players: p chooses one of hit
    if count(players) < 3: finish with winner first_player
"""

DEEP = """\
game deep "Deep":
  players 3

names p, q: Player; n: 0..9

the game has:
  pot: 0..9999 = 0

action go(p, n: 1..2) "Go {n}":
  simultaneously for q in players:
    simultaneously for q in players:
      simultaneously for q in players:
        simultaneously for q in players:
          pot += n

play:
  repeat 4 times:
    for p in players: p chooses one of go
"""

HEIRS = """\
game heirs "Heirs":
  players 5

names p, q, r: Player; n: 0..9

kind Coin "coin":
  n: 1..30
  | n     |
  | 1..30 |
names c: Coin

each Player has:
  purse: group of Coin
  life: -99..99 = 12
the game has:
  bag: pile of Coin, seen by nobody

setup:
  move {c in Coin} to bag
  shuffle(bag)
  for p in players: move 2 of bag to p.purse

action hit(p, n: 1..4) "Hit {n}":
  for q in players if q != p: q.life -= n
  simultaneously for q in players if q.life <= 0: eliminate(q)
  if count(players) <= 1: finish with winner players

after eliminate(q):
  simultaneously for r in players:
    move q.purse to r.purse
    move 1 of bag to r.purse

play:
  repeat:
    for p in players: p chooses one of hit
"""
