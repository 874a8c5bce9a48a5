"""Codes E01: text that cannot be read."""

from __future__ import annotations

from rulelang.diagnostics.codes.code import Code

SYNTAX: tuple[Code, ...] = (
    Code(
        "E0101",
        "a tab",
        "Blocks are indented with spaces, two for each level. Tabs look different in every editor, so they are not allowed.",
        "setup:\n\tshuffle(deck)\n",
        "setup:\n  shuffle(deck)\n",
    ),
    Code(
        "E0102",
        "a control character",
        "A rules file is plain text. Characters that control a terminal, or change the direction of reading, would let a file "
        "look different from what it says.",
        "constant heap = 21\x07\n",
        "constant heap = 21\n",
    ),
    Code(
        "E0103",
        "an indentation that fits nowhere",
        "The first line after a block must begin in the same column as a block around it.",
        "to take(p):\n    if heap > 0:\n        heap -= 1\n  stop\n",
        "to take(p):\n  if heap > 0:\n    heap -= 1\n  stop\n",
    ),
    Code(
        "E0104",
        "nested too deeply",
        "An expression has at most 40 open brackets and 80 operators on the way down to any of its parts, and there are at "
        "most 20 blocks inside each other. An option has at most 20 parameters, a comprehension 20 names, an `if` 2000 branches. "
        "Give a part a name: with `value`, `let` or a verb.",
        f"constant deep_one = {'(' * 41}1{')' * 41}\n",
        "constant deep_one = ((1))\n",
    ),
    Code(
        "E0105",
        "too large",
        "One file has at most two million characters and 200000 words and signs. Split it: `include` reads the parts.",
        'include "everything.rules"  # a file of five million characters\n',
        'include "boons.rules"\ninclude "missions.rules"\n',
    ),
    Code(
        "E0106",
        "something else was expected",
        "The line makes sense up to this place, but the next word or sign cannot follow. The message names what could.",
        "phase morning\n  settle\n",
        "phase morning:\n  settle\n",
    ),
    Code(
        "E0107",
        "a bracket without its partner",
        "Every `(` and `{` needs its closing partner. Inside brackets, a line may continue on the next one, indented deeper than its start.",
        "constant heap = (3 + 4\n",
        "constant heap = (3 + 4)\n",
    ),
    Code(
        "E0108",
        "a text without its end",
        'A text stands between two double quotes on one line. A quote inside it is written `\\"`.',
        'option tiles: 1..12 = 12 "How many tiles\n',
        'option tiles: 1..12 = 12 "How many tiles"\n',
    ),
    Code(
        "E0109",
        "square brackets that hold no clause ids",
        "Square brackets at the end of a line name the clauses of the rulebook that the line carries out, and mean nothing "
        "else. The key of a variable stands in round brackets.",
        "to gain(r): stored[r] += 1\n",
        "to gain(r): stored(r) += 1    [XB-W.1]\n",
    ),
    Code(
        "E0110",
        "a hole in a text that cannot be filled",
        "Braces in a text hold an expression, whose value people see. `{{` and `}}` are plain braces, "
        '`\\"` is a quote and `\\\\` a backslash.',
        'action take(p, n: 1..3) "Take {n": stop\n',
        'action take(p, n: 1..3) "Take {n}": stop\n',
    ),
    Code(
        "E0111",
        "a number that is too large",
        "Numbers fit in 32 bits, with a sign: 2147483647 is the largest.",
        "constant far = 9999999999\n",
        "constant far = 999999999\n",
    ),
    Code(
        "E0112",
        "a division that does not round",
        "There are no fractions, so every division says which way it rounds.",
        "value half(n) = n / 2\n",
        "value half(n) = n / 2 rounded up\n",
    ),
    Code(
        "E0113",
        "an `x in S` that is missing or stands in the wrong place",
        "`x in S if c` goes through a set and keeps the members that fit. It stands in braces or in `count`, `sum`, `min`, `max`, `any`, "
        "`all`, `first`, `best` and `random`, and always names the set it goes through.",
        "value strong = count(c.power > 3 if c.awake)\n",
        "value strong = count(c in Card if c.awake and c.power > 3)\n",
    ),
    Code(
        "E0114",
        "a line in the wrong place",
        "Some lines belong to certain blocks only: `needs` stands first in an action or an option, a `map` in a board, "
        "`else` below its `if`.",
        'to take(p):\n  needs heap > 0  "The heap is empty"\n  heap -= 1\n',
        'action take(p) "Take one":\n  needs heap > 0  "The heap is empty"\n  heap -= 1\n',
    ),
    Code(
        "E0115",
        "a word that cannot be a name",
        "Most keywords can also be names. These cannot: `and`, `or`, `not`, `in`, `if`, `elif`, `else`, "
        "`for` and `by`.",
        "constant by = 3\n",
        "constant author = 3\n",
    ),
    Code(
        "E0116",
        "a block is missing",
        "A line that ends in `:` opens a block. The lines of the block follow it, indented by two more spaces.",
        "setup:\nshuffle(deck)\n",
        "setup:\n  shuffle(deck)\n",
    ),
    Code(
        "E0117",
        "a line indented too deep",
        "Only the lines below a `:` (or below the `=` of a value by cases) are indented deeper than the line above them.",
        "constant heap = 21\n  constant most = 3\n",
        "constant heap = 21\nconstant most = 3\n",
    ),
    Code(
        "E0118",
        "a line that begins with no known word",
        "The first word says what a line is: at the margin a declaration such as `kind` or `action`, in a body a statement "
        "such as `let` or `move`.",
        "acton take(p): stop\n",
        "action take(p): stop\n",
    ),
    Code(
        "E0119",
        "`=` and `==` mixed up",
        "`==` compares two values, `=` stores one.",
        "to check_heap:\n  if heap = 0: finish lost\n",
        "to check_heap:\n  if heap == 0: finish lost\n",
    ),
    Code(
        "E0120",
        "a chain of comparisons",
        "A comparison has two sides. Two comparisons are joined with `and`.",
        "value small(n) -> flag = 0 < n < 4\n",
        "value small(n) -> flag = 0 < n and n < 4\n",
    ),
    Code(
        "E0121",
        "a character that means nothing",
        "Outside texts and comments, rules consist of names (letters a to z, digits and `_`), numbers, and a few signs. A "
        "letter of another alphabet may look like one of these, and some characters are invisible.",
        "constant heap = $21\n",
        "constant heap = 21\n",
    ),
    Code(
        "E0124",
        "a `let` in the wrong place of a value",
        "In the block of a value, the `let` lines come first; at least one case follows.",
        "value half(n: 0..9) =\n  n if n < 2\n  let m = n / 2 rounded down\n  m otherwise\n",
        "value half(n: 0..9) =\n  let m = n / 2 rounded down\n  n if n < 2\n  m otherwise\n",
    ),
    Code(
        "W0122",
        "an invisible character",
        "Nobody can see it, so two texts can look alike and still differ. Characters that join letters of a script or parts of an "
        "emoji are fine, and so is another kind of blank between two words of a text.",
        'option loud: flag = no "Lo\u200bud"\n',
        'option loud: flag = no "Loud"\n',
    ),
    Code(
        "W0123",
        "a letter that looks like another",
        "A word that mixes two alphabets, or a map mark or clause id that looks like plain letters but is not: nobody can see the "
        "difference. Write clause ids and marks with the letters a to z.",
        'option loud: flag = no "L\u043eud"\n',
        'option loud: flag = no "Loud"\n',
    ),
    Code(
        "E0131",
        "an unknown text of a kind",
        "In a kind, `called:` gives the name of its things for people, `text:` their description, and `sign:`, `shape:`, "
        "`colour:` and `image:` their look; all other lines are fields with a type, and rows. Only a kind has such lines.",
        'kind Card "card":\n  callled: "the {n}"\n  n: 1..3\n  | n    |\n  | 1..3 |\n',
        'kind Card "card":\n  called: "the {n}"\n  n: 1..3\n  | n    |\n  | 1..3 |\n',
    ),
)
