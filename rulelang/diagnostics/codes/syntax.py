"""Codes E01: text that cannot be read."""

from __future__ import annotations

from rulelang.diagnostics.codes.code import Code

SYNTAX: tuple[Code, ...] = (
    Code(
        "E0101",
        "a tab",
        "Blocks are made of spaces, two for each step inwards. A tab looks different in every editor, so there are none.",
        "setup:\n\tshuffle(deck)\n",
        "setup:\n  shuffle(deck)\n",
    ),
    Code(
        "E0102",
        "a control character",
        "A rules file is plain text. Characters that only steer a screen, or turn the direction of reading, would let a file "
        "look different from what it says.",
        "constant heap = 21\x07\n",
        "constant heap = 21\n",
    ),
    Code(
        "E0103",
        "an indentation that fits nowhere",
        "When a block ends, its next line stands exactly below the line that some outer block began with.",
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
        "Up to this place the line could be read; what stands here cannot follow. The message names what could.",
        "phase morning\n  settle\n",
        "phase morning:\n  settle\n",
    ),
    Code(
        "E0107",
        "a bracket without its partner",
        "Every `(` and `{` is closed before its line ends. A line may go on inside brackets, indented deeper than its start.",
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
        "else. What a variable is asked for stands in round brackets.",
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
        "`x in S if c` goes through a set and keeps what fits. It stands in braces or in `count`, `sum`, `min`, `max`, `any`, "
        "`all`, `first`, `best` and `random`, and always says what it goes through.",
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
        "Most keywords are names wherever a name is wanted. These are not: `and`, `or`, `not`, `in`, `if`, `elif`, `else`, "
        "`for` and `by`.",
        "constant by = 3\n",
        "constant author = 3\n",
    ),
    Code(
        "E0116",
        "a block is missing",
        "A line that ends in `:` opens a block. What belongs to it stands on the lines below, two spaces deeper.",
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
        "Outside texts and comments there are names of the letters a to z, digits and `_`, numbers, and a handful of signs. A "
        "letter of another alphabet may look like one of them, and some characters show nothing at all.",
        "constant heap = $21\n",
        "constant heap = 21\n",
    ),
    Code(
        "E0124",
        "a `let` in the wrong place of a value",
        "The lines that give names to parts of a value begin its block; the cases follow, and there is at least one.",
        "value half(n: 0..9) =\n  n if n < 2\n  let m = n / 2 rounded down\n  m otherwise\n",
        "value half(n: 0..9) =\n  let m = n / 2 rounded down\n  n if n < 2\n  m otherwise\n",
    ),
    Code(
        "W0122",
        "an invisible character",
        "Nobody sees it, so two texts can look alike and differ, and what was meant for a space is none. What joins the letters "
        "of a script or the parts of a picture may stand, and so may a blank of another kind between two words of a text.",
        'option loud: flag = no "Lo\u200bud"\n',
        'option loud: flag = no "Loud"\n',
    ),
    Code(
        "W0123",
        "a letter that looks like another",
        "A word of two alphabets, a mark of a map or a clause id that looks like plain letters and is something else: nobody "
        "finds it by its looks. Clause ids and marks are best written with the letters a to z.",
        'option loud: flag = no "L\u043eud"\n',
        'option loud: flag = no "Loud"\n',
    ),
    Code(
        "E0131",
        "no text of a kind",
        "What people call the things of a kind stands behind `called:`, what they do behind `text:`; other lines of a kind are fields "
        "with a type, and rows. Only a kind has such lines.",
        'kind Card "card":\n  callled: "the {n}"\n  n: 1..3\n  | n    |\n  | 1..3 |\n',
        'kind Card "card":\n  called: "the {n}"\n  n: 1..3\n  | n    |\n  | 1..3 |\n',
    ),
)
