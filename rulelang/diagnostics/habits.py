"""A line or a name in the words of a rulebook or of another language -> what to write instead.

instead("repeat until p.gold == 3:")       'write `repeat while not (p.gold == 3):`'

FORMS is tried from the top. A form is a pattern of the line, and the advice, in which `{1}` stands for the first group.
"""

from __future__ import annotations

import re

from rulelang.diagnostics.head_habits import DECLARED, HEADS

_OF = r"(?:up to )?(?:\w+|\([^()]*\)) of "
"""Matches how many of a set are chosen: `2 of`, `up to n of`, `any of`."""
FORMS: tuple[tuple[str, str], ...] = (
    # whole lines of other languages
    (
        r"(?:import|from|using|require)\b.*",
        'another text is read by `include "name.rules"`; nothing else is imported',
    ),
    (r"class (\w+).*", "what has properties is a `kind {1}`, and players have theirs in `each Player has:`"),
    (
        r"(?:try|catch|except|finally|raise|throw)\b.*",
        "what must hold is a `needs` of an action: without it, nobody can choose that",
    ),
    (r"assert (.+)", "what must hold before an action is `needs {1}`; a scenario checks what holds with `expect`"),
    (r"del (.+)", "write `{1} = none`, or `eliminate(p)` for a player, or `move … to box` for a thing"),
    (r"lambda\b.*", "a number that is computed is a `value f(p) = …`"),
    (
        r"(?:wait|sleep|pause|timer?)\b(?!\().*",
        "time runs for a question alone: its `clock` is declared beside the dice",
    ),
    (r"(?:undo|restart|save|load)\b(?!\().*", "undo, saving and a new game belong to the table, not to the rules"),
    (
        r"(?:console|system|window)\.\w+.*|\w+\.(?:say|print|log|tell|write)\(.*",
        "people read the text behind the head of a verb",
    ),
    (
        r"(?:tell|inform|notify|message|display|announce|alert|write)\b(?!\().*",
        "people read the text behind the head of a verb",
    ),
    (
        r"(?:tell|message|display|alert|write|print|say|log|echo|puts|notify)\(\"?.*",
        "people read the text behind the head of a verb",
    ),
    (r".*\b(?:input|prompt|readline|read_line)\(.*", 'a question is `p chooses n in 1..6 "How many?"`'),
    (r"\{{\s*(.+?)\s*\}}", "a block stands behind a colon, in lines further in: `{1}` on a line of its own"),
    # loops
    (r"(?:repeat|do|loop) until (.+?)(?::.*)?", "write `repeat while not ({1}):`"),
    (r"(?:do|loop) (.+?) (?:while|until) (.+)", "write `repeat while {2}:`, and `{1}` below it"),
    (r"(?:do|loop|forever|repeat forever)\s*[:{{].*", "write `repeat:`, and `stop` where it ends"),
    (r"until (.+?):.*", "write `repeat while not ({1}):`"),
    (r"repeat (\w+)(?: times)? (?!times\b|while\b|in\b)(\w.*?=.*)", "write `repeat {1} times: {2}`"),
    (r"for \(?(?:let |var |int )?(\w+) = .*;.*", "write `repeat 3 times:`, or `for {1} in 1..3:`"),
    (r"for \(?(?:let |var |const )?(\w+) of (.+?)\)?\s*[:{{].*", "write `for {1} in {2}:`"),
    (
        r"for (\w+) in players,? (?:starting|beginning) (?:with|from|at|by) (\w+(?:\(\w+\))?)\s*:.*",
        "write `for {1} in players from {2}:`",
    ),
    (r"for (\w+) in (.+?) (?:where|when|with|such that) (.+?)\s*:.*", "write `for {1} in {2} if {3}:`"),
    (
        r"for (\w+) in (\w+)\.\.(\w+) (?:step|by) (\d+)\s*:.*",
        "write `for {1} in {2}..{3} if {1} % {4} == 0:`, with the rest that is meant",
    ),
    (
        r"(?:on|at|whenever) (?:the )?(?:turn start|start of (?:the |a |each )?turn|turn begin)\b.*",
        "what happens first in a turn stands first below `turns p from …:`",
    ),
    (
        r"(?:on|at) (?:the )?(?:turn end|end of (?:the |a |each )?turn)\b.*",
        "what happens last in a turn stands last below `turns p from …:`",
    ),
    (
        r"(?:on|after|before) (?:the |a |each )?(\w+)\s*:.*",
        "write `after {1}(p): …` beside the verbs, for each time that the verb `{1}` is carried out",
    ),
    (r"while\b\s*\(?(.+?)\)?\s*(?:[:{{].*)?", "write `repeat while {1}:`"),
    (r"(?:repeat (\w+)|(?:loop|do) (\w+)(?: times)?)\s*:.*", "write `repeat {1}{2} times:`"),
    (r"for (\w+) in (\w+) (?:to|upto|until|through) (\w+)\s*:.*", "write `for {1} in {2}..{3}:`"),
    (r"(\d+) times\s*:?.*", "write `repeat {1} times:`"),
    (r"for (\w+) from (\w+) (?:to|upto|until) (\w+)\s*:.*", "write `for {1} in {2}..{3}:`"),
    (r"for (?:all|any|every) (\w+) (?:in|of) (.+?)\s*:.*", "write `for {1} in {2}:`"),
    (r"for (\w+)\s*:.*", "say what the loop goes over: `for {1} in players:`"),
    (r"(?:do|loop|forever)\s*[:{{]?", "write `repeat:`"),
    (r"for (\w+) in range\((\w+)\)\s*:.*", "write `repeat {2} times:`, or `for n in 1..{2}:`"),
    (r"for (\w+)\s*=\s*(\w+) to (\w+).*", "write `for {1} in {2}..{3}:`"),
    (r"for ?each (\w+) (?:in|of) (.+?)\s*:.*", "write `for {1} in {2}:`"),
    (r"(?:for )?(?:each|every|all) players?\b.*", "write `for q in players:`"),
    (r"for (\w+) in (?:the )?other players?\b.*", "write `for {1} in players if {1} != p:`"),
    (r"for (?:each|every|all|any) (\w+)\s*:.*", "say what the loop goes over: `for {1} in players:`"),
    (
        r"for (\w+) in (.+?) (?:except|but|other than|excluding|without)(?: for)? (\w+)\s*:.*",
        "write `for {1} in {2} if {1} != {3}:`",
    ),
    (r"for (\w+) ?= ?(\w+) ?, ?(\w+)\b.*", "write `for {1} in {2}..{3}:`"),
    (r"times (\w+)\s*:?.*", "write `repeat {1} times:`"),
    # piles
    (r"move (?:a|an|the|one|the top|top) cards? (?:from|of) (?:the )?(\S+) to (.+)", "write `move 1 of {1} to {2}`"),
    (r"(?:\w+ )?draws? (?:a|an|one|the top) card", "cards are moved: `move 1 of deck to p.hand`"),
    (r"move (?:the )?top(?: card)?", "say of which pile, and where to: `move 1 of deck to p.hand`"),
    (
        r"move (?:the )?(?:top|bottom|next|first) (?:card |one )?(?:of|from) (?:the )?(\w+)",
        "say where to: `move 1 of {1} to p.hand`",
    ),
    (
        r"move (\w+) (?:from|of) (?:the )?(?:top|bottom) (?:of|from) (?:the )?(\w+) to (.+)",
        "things of a pile come from the top: `move {1} of {2} to {3}`",
    ),
    (r"move (\w+|\w+ of \w+|\w+\.\w+|\w+\([^()]*\))", "say where to: `move {1} to discards`, or `to box`"),
    (r"move (\S+) ?(?:->|=>|,) ?(\S+)", "write `move {1} to {2}`"),
    (r"move (.+?),? (?:to )?(?:the )?top of (\w+), ?(\w+)", "write `move {1} to {3}`"),
    (r"move top of (\w+), ?(\S+)", "write `move 1 of {1} to {2}`"),
    (r"move (\d+) (?!cards?\b|of\b)(\w+) to (.+)", "write `move {1} of {2} to {3}`"),
    (r"move (\w+) cards? to (.+)", "say of which pile: `move {1} of deck to {2}`"),
    (r"move (?:the )?top (\d+) of (.+)", "the top ones are moved by `move {1} of {2}`"),
    (r"move (?:the )?bottom (\w+ )?of (\w+) .*", '`include "std:cards/piles"`: the last one is `nth(count(deck))`'),
    (r"move (.+) to (.+?) at (\w+)", '`include "std:cards/piles"`: `insert(c, n)` puts a card in under the top n'),
    (
        r"insert (\w.*) (?:into|in|at|under) (.+)",
        '`include "std:cards/piles"`: `insert(c, n)` puts a card in under the top n',
    ),
    (r"cut (?:the )?(\w+)(?: at .*)?", '`include "std:cards/piles"`: `cut(n)` moves the top n to the bottom'),
    (r"(?:for \w+ in|show\() ?(?:top )?(\d+) of (\w+).*", '`include "std:cards/piles"`: the top {1} are `upper({1})`'),
    # questions
    (
        r"(\w+) chooses (?:(?:either|between|to|whether to) )+([a-z]\w+),? (?:and|or)(?: to)? ([a-z]\w+)",
        "write `{1} chooses one of {2}, {3}`",
    ),
    (r"(\w+) chooses (?:from|of|in|out of) (.+)", "give the answer a name: `{1} chooses c in {2}`"),
    (
        r"(\w+) chooses ((?:up to )?\d+|any) (?:of|from|in) (.+)",
        "give the set a name: `{1} chooses some in {2} of {3}`",
    ),
    (r"each (\w+) chooses (.+)", "say among whom: `each {1} in players chooses {2}`"),
    (r"(.+), or (pass|stop) after (\w+) minutes?\b.*", "a time is said in seconds: `{1}, or {2} after … seconds`"),
    (
        r"(\w+ chooses .+), or (\w+) after (\w+) seconds?\b.*",
        "a table that has waited too long passes: `{1}, or pass after {3} seconds`; what that means stands below, such as `if x == none:`",
    ),
    (r"(\w+ chooses .+?),? (?:with)?in (\w+) seconds?\b.*", "write `{1}, or pass after {2} seconds`"),
    (r"(\w+ chooses \w+ in )(?:exactly|just) (\w+) of (.+)", "write `{1}{2} of {3}`"),
    (
        r"(\w+ chooses \w+ in )(?:at least (\w+)|between \w+ and \w+|\w+\.\.\w+) of (.+)",
        "how few there may be is a `needs` of an action: `action take(p, some in any of p.hand): needs count(some) >= 2`",
    ),
    (
        r"(\w+ chooses \w+ in )(?:up to \w+|any|\w+) of (.+) (?:if|where|with|such that) (.+)",
        "what is asked of all of them together is a `needs` of an action: "
        "`action take(p, some in up to 3 of p.hand): needs sum(c.v for c in some) <= p.gold`",
    ),
    (
        r"value (\w+)\((\w+)\)(.*?) = (?:match|switch|case) .*",
        "write a value case by case: `value {1}(red) = 1`, `value {1}(blue) = 2`",
    ),
    (
        r"(for \w+ in )([^(),]+?) if (.+?) else ([^\",]+?)\s*:.*",
        "write brackets: `{1}({2} if {3} else {4}):`",
    ),
    (
        r"(?:.*[=(,] *)?\{{([^{{}}]+) if ([^{{}},]+), ([^{{}}]+) if ([^{{}},]+)\}}.*",
        "each member under a condition is a set by itself: `({{{1}}} if {2} else {{}}) + ({{{3}}} if {4} else {{}})`",
    ),
    (
        r"(?:.*[=(,] *)?\{{(\w+\([^{{}}()]*\)) if ([^{{}},]+), ([^{{}}]+)\}}.*",
        "add a conditional member to the others: `({{{1}}} if {2} else {{}}) + {{{3}}}`",
    ),
    # adjustments, and what lasts for a time
    (r"adjust (\w+(?:\(.*?\))?) ?: ?double[ds]?\b(.*)", "write `adjust {1}: times 2{2}`"),
    (r"adjust (\w+(?:\(.*?\))?) ?: ?(?:\*|x|multiply by|multiplied by) ?(\w+)(.*)", "write `adjust {1}: times {2}{3}`"),
    (r"adjust (\w+(?:\(.*?\))?) ?: ?(?:=|becomes|is|to) ?(\w+)(.*)", "write `adjust {1}: set {2}{3}`"),
    (r"adjust (\w+(?:\(.*?\))?) ?: ?(?:plus|add|increase by) ?(\w+)(.*)", "write `adjust {1}: +{2}{3}`"),
    (r"adjust (\w+(?:\(.*?\))?) ?: ?(?:minus|subtract|reduce by) ?(\w+)(.*)", "write `adjust {1}: -{2}{3}`"),
    (
        r"adjust (.+?:.+?) (?:until|for|during|this) \b.*",
        "what lasts for a time is a variable, such as `storm: flag = no, until turn ends`; write `adjust {1} if storm`",
    ),
    (
        r"(?:\w+\.)?(\w+) (?:\+|-)?= (\S+),? (?:until|for) .*",
        "how long it lasts stands where `{1}` is declared: `{1}: … = …, until turn ends`",
    ),
    (
        r".*,? until (?:the )?(?:end of (?:the )?)?(?:\w+'s |your |their |owner's )?next turn\b.*",
        "write `until turn of owner begins`, or `until turn of owner ends`",
    ),
    (r".*,? until (?:the )?end of (?:the |this )?(turn|round)\b.*", "write `until {1} ends`"),
    (
        r"turns (\w+) from (\w+)(?:,)? (?:reversed|backwards?|(?:in )?reverse(?: order)?|counter-?clockwise|anti-?clockwise)\s*:.*",
        "the other way round: write `turns {1} from {2} to previous({1}):`",
    ),
    (
        r"each (?:other )?players? chooses (.+)",
        "write `each q in players from next(p) if q != p chooses …`",
    ),
    (
        r"for (\w+) in players (?:starting|clockwise)\b.*",
        "write `for {1} in players from next(p):`",
    ),
    # sets
    (
        r".*\{{(\w+) in ([^{{}}]+), (\w+) in ([^{{}}]+?)\}}.*",
        "with several names, say what is in the set: `{{{1} for {1} in {2}, {3} in {4}}}`",
    ),
    (
        rf"(\w+ chooses \w+ in )({_OF}.+? if .+? else .+?|.+? if .+? else {_OF}.+?)(?:, or \w+)?(?: ?\".*\")?",
        "how many are chosen is said once for each question: write `if …:` with one `{1}…` below it, and `else:` with another",
    ),
    (
        rf".*\w\(.*\bin (?:{_OF}[^()]+? if .+? else [^()]+?|[^()]+? if .+? else {_OF}[^()]+?)\).*",
        "how many are chosen may be a number that is computed: `in up to most(p) of S`; else write two actions",
    ),
    (r".*\w\(.*\bin ([^(),]+?) if (.+?) else ([^()]+?)\).*", "write brackets: `in ({1} if {2} else {3})`"),
    (
        r"\w+ chooses \w+ in ([^(),]+?) if (.+?) else ([^\",]+?)(?:, or \w+)?(?: ?\".*\")?",
        "write brackets: `in ({1} if {2} else {3})`",
    ),
    (
        r"((?:each \w+ in .+|\w+) chooses (\w+) in )([^(),\"]+?) if ([^\",]+?)(?:, or \w+)?(?: ?\".*\")?",
        "write `{1}{{{2} in {3} if {4}}}`; or, if the question is not always put, `if …:` with the question below it",
    ),
    (
        r"(?:action )?\w+\(.*\b(\w+) in ([^(),]+?) if ([^(),]+?)\).*",
        "write `{1} in {{{1} in {2} if {3}}}`, or `needs {3}` below it",
    ),
    (
        r"(?:.*[=(,] *)?\{{([\w.()]+) if ([^{{}},]+)\}}.*",
        "a conditional member is written `({{{1}}} if {2} else {{}})`",
    ),
    (
        r"(?:.*[=(,] *)?\{{([\w.()]+) if ([^{{}},]+), ([^{{}}]+)\}}.*",
        "add a conditional member to the others: `({{{1}}} if {2} else {{}}) + {{{3}}}`",
    ),
    (
        r"(?:.*[=(,] *)?\{{([^{{}}]+), ([\w.()]+) if ([^{{}},]+)\}}.*",
        "add a conditional member to the others: `{{{1}}} + ({{{2}}} if {3} else {{}})`",
    ),
    (
        r".*\w\(.*\bopenly\b.*\).*",
        "`openly` stands behind the condition of a whole `if`, `needs`, `for` or `whenever`, outside of brackets",
    ),
    (r"(?:break|exit)\b.*", "`stop` leaves the nearest loop"),
    (r"continue\b.*", "put the rest of the loop below an `if`"),
    (r"for (\w+), (\w+) in (.+?)\s*:.*", "write `for {1} in {3}:`, and `for {2} in {3}:` below it"),
    (r"go ?to (\w+)", "rules do not jump: call a verb, or go on in a `repeat`"),
    # conditions and numbers
    (
        r"(if|elif|needs|whenever|repeat while) (\w+) has (?:at least |exactly )?(\d+) (\w+).*",
        "write `{1} {2}.{4} >= {3}:`, or `==` for exactly so many",
    ),
    (r"(if|elif|whenever|repeat while) (.+?) (?:is )?(?:at least|no less than) (\w+).*", "write `{1} {2} >= {3}:`"),
    (r"(if|elif|whenever|repeat while) (.+?) (?:is )?(?:at most|no more than) (\w+).*", "write `{1} {2} <= {3}:`"),
    (
        r"(if|elif|whenever|repeat while) (.+?) (?:is )?(?:more|greater|higher|bigger|larger) than (\w+).*",
        "write `{1} {2} > {3}:`",
    ),
    (
        r"(if|elif|whenever|repeat while) (.+?) (?:is )?(?:less|fewer|lower|smaller) than (\w+).*",
        "write `{1} {2} < {3}:`",
    ),
    (r"(?:if|elif|needs|whenever|repeat while)", "a comment begins at `#`; how many there are is `count(p.hand)`"),
    (r"(?:el)?if (?:not )?(\w+\.\w+) (?:contains|includes|holds|has) (?:the )?([\w.()]+).*", "write `{2} in {1}`"),
    (r"(.+? = )?(.+) for (?:any|some) (\w+) in (.+)", "write `{1}any({2} for {3} in {4})`"),
    (r"(.+? = )?(.+) for (?:all|every|each) (\w+) in (.+)", "write `{1}all({2} for {3} in {4})`"),
    (r"(.+?) = (.+?) if (.+?) otherwise (.+)", "write `{1} = {2} if {3} else {4}`"),
    (r"(.+?) = if (.+?)\s*: ?(.+?) else ?:? ?(.+)", "write `{1} = {3} if {2} else {4}`"),
    (r"(.+?) = \[(.+ for .+)\]", "a set stands in braces: `{1} = {{{2}}}`"),
    (r".*\b(\w+) in ([\w.()]+) where (.+?)[)}}]*", "write `{1} in {2} if {3}`"),
    (r"[^\"]*\bwhere\b.*", "a part of a set is `{{q in players if q.gold > 3}}`"),
    (r"(.+ = )(count|sum|min|max|top|first) ([\w.]+)", "write `{1}{2}({3})`"),
    (
        r"(.*\W)(north|south|east|west|northeast|northwest|southeast|southwest|forward|backward) of (\w+)(.*)",
        "write `{1}step({3}, {2}){4}`",
    ),
    (
        r"(.*\W)(?:adjacent|next) to (\w+).*",
        "what lies next to it is `neighbours({2})`: `{1}neighbours({2})`, or `s in neighbours({2})`",
    ),
    (r"(?:set|change|make) (\w+\.[\w.()]+) (?:=|to|be|become) (.+)", "write `{1} = {2}`"),
    (r"(?:change|modify|alter) ([\w.()]+) by (.+)", "write `{1} += {2}`"),
    (r"add (\d+) (?:\w+ )?to ([\w.()]+)", "write `{2} += {1}`"),
    (r"(\+|-)(?:\+|-)([\w.()]+)", "write `{2} {1}= 1`"),
    (r"(?:the )?(\w+) of (\w+) ([+-]?=) (.+)", "write `{2}.{1} {3} {4}`"),
    (r"([^\"]*\b)(\w+)'s (\w+)([^\"]*)", "write `{1}{2}.{3}{4}`"),
    (r"([^\"]*\b)half (?:of )?(?:the )?([\w.]+)", "write `{1}{2} / 2 rounded down`"),
    (r"(.+ = )([\w.]+) halved", "write `{1}{2} / 2 rounded down`"),
    (r"(.*?[\w.()]+) mod (\w+.*)", "write `{1} % {2}`"),
    (r"([\w.()]+ [+-]= (?:[^()]|\([^()]*\))+?) if ((?:(?! else ).)+)", "write `if {2}: {1}`"),
    (r"let (\w+) ?(?:: ?[^=]+|:)= ?(.+)", "a `let` has the type of its value: `let {1} = {2}`"),
    (r".*[=!]==.*", "write `==`, or `!=`"),
    (r"(?:el)?if \(([^()]+)\) (?!and\b|or\b|in\b|is\b|then\b)(\w[^:{{]*)", "write `if {1}: {2}`"),
    (r"(.*\w)::(\w+).*", "a member is named alone: `{2}`"),
    (
        r"[^\"]*\b(player|seat) (\d+)\b(?!\.\.)[^\"]*",
        "players are named by `seats` below `game`, or as `player{2}`",
    ),
    (r"(?:toggle|flip|invert) (\w+\.\w+)", "write `{1} = not {1}`"),
    (r"(?:increment|inc) ([\w.()]+)", "write `{1} += 1`"),
    (r"(?:decrement|dec) ([\w.()]+)", "write `{1} -= 1`"),
    (r"([\w.()]+) ?(?:<-|:=|->) ?([\w.()+*-]+) ?= ?(.+)", "a property stands behind a dot: `{1}.{2} = {3}`"),
    (
        r"([\w.()]+) ?-> ?([\w.()]+)",
        "a number goes down and another up: `{1} -= 1`, `{2} += 1`; things are moved: `move {1} to {2}`",
    ),
    (r"([\w.()]+) ?(//|[*/%^]|\*\*|<<|>>)= ?(.+)", "write `{1} = {1} {2} {3}`; a division says `rounded down`"),
    (r"([\w.()]+) ?\|= ?(.+)", "write `{1} += {2}`, which adds the members"),
    (r"([\w.()]+) ?&= ?(.+)", "write `{1} = {{x in {1} if x in {2}}}`"),
    (r"([\w.()]+) = new \w+.*|([\w.()]+) = (?:set|list|dict|array|map)\(\)", "the empty set is `{{}}`"),
    (r"([\w.()]+) = \((\w+), ?(\w+)\)", "a space is named by its sign, such as `a1`; there are no pairs"),
    (r"([\w.()]+) = \+ ?(.+)", "write `{1} += {2}`, or `{1} = {2}`"),
    (
        r"([\w.()]+), ([\w.()]+) = ([\w.()]+), ([\w.()]+)",
        "write `let x = {1}`, `{1} = {2}`, `{2} = x`; what lies in zones changes places inside of `simultaneously`",
    ),
    (
        r"(\w+): (?:int|bool|float|number|boolean|list|set)\b ?=? ?(.*)",
        "a local name is `let {1} = {2}`; a variable stands below `the game has:`",
    ),
    (
        r"(?:static |final |public |private )*(?:int|bool|boolean|float|string|str|number|auto) (\w+)(?: = (.+))?",
        "a local name is `let {1} = {2}`; a variable stands below `the game has:`",
    ),
    (
        r"(?:.*[ (])?([\w.()]+) ([<>]=?) (\w+) (and|or) ([<>]=?|==|!=) ?(\w+).*",
        "say it of both: `{1} {2} {3} {4} {1} {5} {6}`",
    ),
    (r".*?([\w.()]+) (?:is )?between (\w+) and (\w+).*", "write `{1} in {2}..{3}`"),
    (r"unless (.+?):.*", "write `if not ({1}):`"),
    (
        r"(?:el)?if (?:not )?([\w.()]+) (?:contains|includes|holds|has) (?:the )?([\w.()]+).*",
        "write `{2} in {1}`; what a player holds is a zone: `{2} in {1}.hand`",
    ),
    (
        r"(if|elif|repeat|for) ([^{{}}]*?)\s*\{{[^{{}}]*[+=-]?=[^{{}}]*\}}?",
        "a block stands behind a colon: `{1} {2}:`, and its lines below it",
    ),
    (r"else if\b.*|elsif\b.*|elseif\b.*", "write `elif`"),
    (r"if (.+?),? then\b.*", "write `if {1}:`"),
    (
        r"(?:match|switch) \(?([^:(){{]+?)\)?\s*(?:[:{{].*)?",
        "write `if {1} == …:`, `elif {1} == …:`; a verb is written case by case: `to use(p, nitro): …`",
    ),
    (r"(?:match|switch|case|when)\b.*", "write `if …:`, `elif …:`"),
    (r"(?:end|endif|end if|fi|done|\}})", "a block ends where its lines are no longer indented"),
    (r"(.+?) = if (.+?) then (.+?) else (.+)", "write `{1} = {3} if {2} else {4}`"),
    (r"let (\w+\.\w+) = (.+)", "what a player has is changed without `let`: `{1} = {2}`"),
    (r"let (\w+) = \((\w+), ?(\w+)\)", "a name stands for one value: `let {1} = {2}`, and another for `{3}`"),
    (r"let (\w+) = \"[^\"]*\"", "a `let` holds a number, a flag or a member of an `enum`; texts stand in heads"),
    (r"(.*\W)(?:next|following) player\b.*", "the player who comes next is `next(p)`: `{1}next(p)`"),
    (
        r"(.*\W)(?:current|active) player\b.*",
        "the player whose turn it is has the name of `turns p from …`, or `mover`: `{1}mover`",
    ),
    (r"(.*\W)random player\b.*", "write `{1}random(players)`"),
    (r"(.*\W)random (?:card|thing|space|\w+) (?:from|of|in) ([\w.]+).*", "write `{1}random({2})`"),
    (r"([^=]+?) = ((?:[^()]|\([^()]*\))+?) if (.+)", "write `{1} = {2} if {3} else …`, or `if {3}: {1} = {2}`"),
    (r".+\?.+:.+", "write `a if condition else b`"),
    (r".*\|\|.*", "write `or`"),
    (r".*<>.*", "write `!=`"),
    (r"(.+?) unless (.+)", "write `if not ({2}): {1}`"),
    (r"(?:if )?(.+?) is (?:not )?empty\b.*", "the empty set is `{{}}`: write `{1} == {{}}`, or `{1} != {{}}`"),
    (r"(?:el)?if (.+?) is not ([^:]+):?.*", "write `if {1} != {2}:`"),
    (r"(?:el)?if (.+?) (?:is|equals) ([^:]+):?.*", "write `if {1} == {2}:`"),
    (
        r".*\bmax\((\w+), key ?= ?(?:lambda \w+: ?)?(?:\w+\.)?(\w+)\).*",
        "who has the most is `first(q in {1} by highest q.{2})`; of several, `best(…)` gives all",
    ),
    (
        r".*\bmin\((\w+), key ?= ?(?:lambda \w+: ?)?(?:\w+\.)?(\w+)\).*",
        "who has the least is `first(q in {1} by lowest q.{2})`; of several, `best(…)` gives all",
    ),
    (
        r".*\bsort(?:ed)?\((\w+), key ?= ?(?:lambda \w+: ?)?(?:\w+\.)?(\w+).*",
        "an order stands behind the set: `for q in {1} by lowest q.{2}:`",
    ),
    (r".*\bcount\(([\w.]+), (\w+) ?==? ?(\w+)\).*", "write `count(c in {1} if c.{2} == {3})`"),
    (r".*\b(?:max|min|first|best)\(.*\bkey ?=.*", "who has the most is `first(q in players by highest q.gold)`"),
    (r".*\[\s*\].*", "the empty set is `{{}}`"),
    (r".*?([\w.]+)\[.+\].*", "the card on top is `top({1})`; the keys of a variable stand in round brackets"),
    # cards and pieces
    (
        r"(\w+) (?:discards|trashes|loses) (\d+)(?: cards?)?",
        "write `{1} chooses S in {2} of {1}.hand`, and `move S to discards` below it",
    ),
    (
        r"(\w+) (?:discards|trashes|plays) (?:the |a )?([\w.()]+)",
        "write `move {2} to discards`; what a player may do is an `action`",
    ),
    (r"(?:\w+ )?takes? (\w+) (?:from|of|out of) (?:the )?([\w.]+)", "cards are moved: `move {1} to p.hand`"),
    (
        r"(?:look|peek) at (?:the )?(?:top )?(\d+)\b.*",
        '`include "std:cards/piles"`: `look_at(p, {1})`, or `show(upper({1}), p)`',
    ),
    (r"(?:look|peek) (?:at )?(.+)", "write `show({1}, p)`, for who may see it"),
    (
        r"(?!shuffle\b)(\w+) (?:discards|trashes|plays) (.+)",
        "write `move {2} to discards`; what a player may do is an `action`",
    ),
    (r"take (\d+) (\w+) from (\w+)", "write `{3}.{2} -= {1}`"),
    (r"subtract (\w+) from ([\w.()]+)", "write `{2} -= {1}`"),
    (r"(\w+\.\w+) (?:gains?|gets?|rises? by|grows? by) (\w+)", "write `{1} += {2}`"),
    (r"(\w+\.\w+) (?:loses?|falls? by|drops? by|shrinks? by) (\w+)", "write `{1} -= {2}`"),
    (r"move top of (\S+) to (.+)", "write `move 1 of {1} to {2}`"),
    (r"move (.+?) (?:into|onto|on) (.+)", "write `move {1} to {2}`"),
    (r"move (?:any|some|each|every) (\S+) to (.+)", "write `move {1} to {2}`, for all that lies there"),
    (r"transfer (\d+) (\w+) from (\w+) to (\w+)", "write `{3}.{2} -= {1}`, and `{4}.{2} += {1}` below it"),
    (r"(\w+) (?:pays?|gives?|hands?) (\d+) (\w+) to (\w+)", "write `{1}.{3} -= {2}`, and `{4}.{3} += {2}` below it"),
    (r"(?:count|number of) (?:\w+ )?(?:in|of|on) ([\w.]+).*", "write `count({1})`"),
    (r"move (?:the )?top (?:card |one )?(?:of|from) (?:the )?(\S+) to (.+)", "write `move 1 of {1} to {2}`"),
    (r"move (\S+) to (\S+) (\d+)", "write `move {3} of {1} to {2}`"),
    (r"move all (?:of |from )?(\S+) to (.+)", "write `move {1} to {2}`, for all that lies there"),
    (
        r"(?:\w+ )?takes? (?:a |the )?(?:top )?cards? (?:from|of) (?:the )?(\S+)",
        "cards are moved: `move 1 of {1} to p.hand`",
    ),
    (r"reveal (?:the )?top (?:card )?(?:of|from) (?:the )?(\S+)", "write `reveal(top({1}))`"),
    (r"reveal (?:the )?([\w.]+)", "write `reveal({1})`"),
    (
        r"(?:give|pay|hand) (\d+) (\w+) to (\w+)",
        "cards are moved: `move {1} of p.hand to {3}.hand`; a number goes down and another up: `p.{2} -= {1}`, `{3}.{2} += {1}`",
    ),
    (r"(\S+) [+-]= (\S+) to (\w+)", "write `{1} -= {2}`, and on a line of its own what `{3}` gets"),
    (
        r"swap (.+?) (?:and|with) (.+)",
        "write `let x = {1}`, `{1} = {2}`, `{2} = x`; what lies in zones changes places inside of `simultaneously`",
    ),
    (r"move (\w+) cards? (?:from|of) (\S+) to (.+)", "write `move {1} of {2} to {3}`"),
    (
        r"move (?:all|every|the) (?:cards|things|pieces)? ?(?:(?:from|of|in) (\S+) )?to (.+)",
        "write `move ZONE to {2}`, for all that lies there",
    ),
    (
        r"(?:\w+ )?draws? (\w+)(?: cards?)? (?:from|of) (?:the )?([\w.]+).*",
        "cards are moved: `move {1} of {2} to p.hand`",
    ),
    (r"(?:\w+ )?draws? (\w+)(?: cards?)?", "cards are moved: `move {1} of deck to p.hand`"),
    (r"deal (\w+)(?: cards?)?.*", "cards are moved: `for p in players: move {1} of deck to p.hand`"),
    (r"shuffle (?:the )?([\w.]+) into (?:the )?([\w.]+)", "write `move {1} to {2}`, and `shuffle({2})` below it"),
    (r"shuffle (?:the )?([\w.]+)", "write `shuffle({1})`"),
    (r"discard (?:the )?(.+)", "write `move {1} to discards`"),
    (
        r"move (.+?) from (\S+) to (.+)",
        "write `move {1} to {3}`, or `move 1 of {2} to {3}`",
    ),
    (r"(?:put|place|add|give|return) (.+?) (?:on|to|onto|into|in|under) (?:the )?(.+)", "write `move {1} to {2}`"),
    (r"(?:flip|turn over|turn up) (.+)", "write `reveal({1})`"),
    (r"[\w.]+\.(?:sort|sorted|order)(?:\(.*\))?", "an order stands where it is used: `for c in S by lowest c.n:`"),
    (
        r"[\w.]+\.(?:max|min|maximum|minimum)",
        "how far a variable goes stands behind its name: `gold: 0..9 = 0`; the largest of a set is `max(c.n for c in S)`",
    ),
    (r"([\w.]+)\.(?:reset|clear)", "a number starts again with `{1} = 0`; things are moved: `move {1} to discards`"),
    # chance
    (r".*\broll\(?\s*(\d+)\s*\*?\s*(d\d+)\)?.*", "each die is rolled by itself: `roll({2}) + roll({2})`"),
    (r".*\b(\d+)(d\d+)\b.*", "each die is rolled by itself: `roll({2}) + roll({2})`"),
    (r"roll (?:a |the )?(\w+) (?:in)?to (\S+)", "write `{2} = roll({1})`"),
    (r"(.+ = )roll (\w+)", "write `{1}roll({2})`"),
    (r"roll (?:a |the )?(\w+)", "write `let n = roll({1})`"),
    # numbers
    (r"(\S+) := (.+)", "write `{1} = {2}`"),
    (r"(?:increase|raise) (\S+) by (.+)", "write `{1} += {2}`"),
    (r"(?:decrease|reduce|lower) (\S+) by (.+)", "write `{1} -= {2}`"),
    (r"(\w+\.\w+|\w+) ([+-]) (\w+)", "write `{1} {2}= {3}`"),
    (r".*\bnumber of (?:the )?(?:\w+ )?(?:in|of|on) ([\w.]+).*", "write `count({1})`"),
    (r".*\bsum of (?:the )?(\w+).*", "say what the sum goes over: `sum(q.{1} for q in players)`"),
    (r"[^\"#]*\b\d+\.\d+\b[^\"]*", "numbers are whole: count in tenths, or divide and say `rounded down`"),
    (r"[\w.()]+ = *\"[^\"]*\"", "a variable holds a number, a flag or a member of an `enum`; texts stand in heads"),
    (r"[^/\"]+//[^/\"]*[A-Za-z]{{3}}.*", "a comment begins with `#`; a division is `a / b rounded down`"),
    (r"(\w+) (?:gains?|gets?|receives?|earns?) (\d+) (\w+)", "write `{1}.{3} += {2}`"),
    (r"(\w+) (?:pays?|loses?|spends?) (\d+) (\w+)", "write `{1}.{3} -= {2}`"),
    (r"(\w+) (?:gains?|gets?|receives?|earns?) (\d+)", "say of what: `{1}.gold += {2}`"),
    (r"(\w+) (?:pays?|spends?) (\d+)", "say of what: `{1}.gold -= {2}`"),
    (r"(?:gain|get|receive|earn) (\d+) (\w+)", "write `p.{2} += {1}`"),
    (r"(?:pay|lose|spend) (\d+) (\w+)", "write `p.{2} -= {1}`"),
    (
        r"(?:var|set|int|const|local|mut|my|dim|declare) (\w[\w.]*) (?:=|to) (.+)",
        "a local name is `let {1} = {2}`; a variable is changed by `{1} = {2}`",
    ),
    (r"let (\w+) (?:\+|-)= .+", "a `let` is bound once: give the new value another name"),
    (r"(\S+) =([+-]) (.+)", "write `{1} {2}= {3}`"),
    (r"([\w.]+)\s*(\+|-)(?:\+|-)", "write `{1} {2}= 1`"),
    (r"(.+);", "a line needs no sign at its end: `{1}`"),
    (r"(?!names\b)(.+?);\s*(.+)", "each statement has a line of its own: `{1}`, and `{2}` below it"),
    # turns and questions
    (
        r"(\w+) (?:chooses|picks|selects) (?:between )?(\w+),? (?:or|and) (\w+)\b.*",
        "write `{1} chooses x in {{{2}, {3}}}`; yes or no is an action with `or pass`",
    ),
    (
        r"(\w+) (?:chooses|picks|selects) (?:a|an|one|any) (\w+) (?:from|of|in) (.+)",
        "write `{1} chooses c in {3}`, with a name of `names`",
    ),
    (
        r"(\w+) (?:picks|selects|takes) (\w+) (?:from|in|out of) (.+)",
        "a question is `{1} chooses {2} in {3}`; what is taken is moved: `move {2} to {1}.hand`",
    ),
    (r"(\w+) chooses ?:?", "say what: `{1} chooses n in 1..3`, or `{1} chooses one of go, or pass`"),
    (r"(\w+) chooses (\w+)\.\.(\w+).*", "give the answer a name: `{1} chooses n in {2}..{3}`"),
    (
        r"(\w+) chooses (?:a|an|one|any|the|some) (\w+)",
        "say of which: `{1} chooses c in {1}.hand`, with a name of `names`",
    ),
    (
        r"(\w+) chooses (up to )?(\d+) (?:cards?|things?|tokens?|\w) (?:in|of|from) (.+)",
        "give the set a name: `{1} chooses some in {2}{3} of {4}`",
    ),
    (
        r"(\w+) chooses (\w+) in (?:the )?other (?:players?|seats?|people).*",
        "write `{1} chooses {2} in {{{2} in players if {2} != {1}}}`",
    ),
    (r"(\w+) passes", "who may decline: `{1} chooses …, or pass`; whose next turn is left out: `skip_turn({1})`"),
    (r"skip (\w+)(?:'s turn)?", "write `skip_turn({1})`"),
    (r"(\w+) (?:skips|misses|loses)(?: a| the| their| his| her)?(?: next)? turn", "write `skip_turn({1})`"),
    (
        r"(?:the )?(?:active|current) player\b.*",
        "the player whose turn it is has the name of `turns p from …`, or `mover`",
    ),
    (r"(?:your|my|his|her|their) (\w+)\b.*", "say whose: `p.{1}`"),
    (
        r"(?:next player|next turn|end (?:of )?(?:the )?turn|pass the turn)\b.*",
        "the next turn begins by itself where `turns p from …:` ends",
    ),
    (r"skip (?:the )?(?:next )?turn (?:of |for )?(\w+)", "write `skip_turn({1})`"),
    (r"(\w+) (?:takes|gets|has) (?:an |another )?(?:extra |other )?turn", "write `extra_turn({1})`"),
    (r"(?:play|go|move) again", "write `extra_turn(p)`"),
    (r"(\w+) chooses (\w+) (?:from|between) (\w+) (?:to|and) (\w+).*", "write `{1} chooses {2} in {3}..{4}`"),
    (r"(\w+) chooses (\w+) from (.+)", "write `{1} chooses {2} in {3}`"),
    (r"(?:ask|choose)\b.*", "write `p chooses n in …`, or `p chooses one of …`"),
    (r"(\w+) (?:must|has to|can|should) choose (.+)", "write `{1} chooses {2}`; who may decline: `, or pass`"),
    (r"(\w+) may (\w+).*", "write `{1} chooses one of {2}, or pass`"),
    # values and verbs
    (r"value (\w+)(\(.*?\))?\s*:\s*(.*)", "write `value {1}{2} = {3}`"),
    (
        r"(?:function|func|def|fn|sub|procedure) (\w+)\s*(\(.*?\))?.*",
        "a change is `to {1}{2}:`, a number is `value {1}{2} = …`",
    ),
    (r"return\b.*", "a verb returns nothing; a `value` does"),
    (r"(?:do nothing|nothing|skip|noop|pass)", "write `settle`"),
    # the end
    (
        r"finish (?:with |in |as )?(?:winner )?(?:an? )?(?:draw|tie|nobody|noone|no winner)|(?:it is |it's )?(?:an? )?(?:draw|tie)",
        "a draw that nobody wins is `finish with winner {{}}`, one that all share `finish with winner players`",
    ),
    (r"finish with winner (?:is|=|:) ?(\w+)", "write `finish with winner {1}`"),
    (
        r"(?:finish with winner )?(?:\w+ )*with (?:the )?(?:most|highest|greatest|largest|maximum) (\w+)(?: (?:wins|is the winner))?",
        "write `finish with ranking q in players by highest q.{1}`",
    ),
    (
        r"(?:finish with winner )?(?:\w+ )*with (?:the )?(?:least|fewest|lowest|smallest|minimum) (\w+)(?: (?:wins|is the winner))?",
        "write `finish with ranking q in players by lowest q.{1}`",
    ),
    (r"finish (?:with )?winner:? (\w+)|finish (\w+) (?:wins|won)", "write `finish with winner {1}{2}`"),
    (
        r"finish (?:with )?losers? (\w+)|(\w+) (?:is|are) the losers?",
        "say who wins: `finish with winner players - {{{1}{2}}}`; where nobody does, `finish lost`",
    ),
    (r"finish (?!lost|with|the|game|play|now)(\w+)", "write `finish with winner {1}`"),
    (r"(?:eliminate|kill|kick) (\w+)", "write `eliminate({1})`"),
    (
        r"finish(?: (?:the )?(?:game|play|now))?",
        "say how: `finish with winner p`, `finish with ranking …`, `finish with score …` or `finish lost`",
    ),
    (r"finish with (?!winner|ranking|score)(\w+)", "write `finish with winner {1}`"),
    (r"(\w+) (?:wins?|is the winner)(?: the game)?|(?:winner|win) (?:is )?(\w+)", "write `finish with winner {1}{2}`"),
    (r"(?:game over|end (?:the )?game|the game ends)\b.*", "write `finish with winner p`, or `finish lost`"),
    (r"(?:declare|make) (\w+) (?:the )?winner", "write `finish with winner {1}`"),
    (r"(\w+) (?:loses|is out|is eliminated|dies)", "write `eliminate({1})`"),
    (r"(?:print|say|show|log|echo)\b.*", "people read the text behind the head of a verb"),
    (
        r"([\w.()]+) (?:is now|becomes|is set to|equals|is) (?!empty|not\b|between\b|in\b)([\w.()]+)",
        "write `{1} = {2}`; a condition compares by `{1} == {2}`",
    ),
)
"""The patterns of whole lines, from the more particular to the more general."""


def _read(forms: tuple[tuple[str, str], ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern.replace("{{", "{").replace("}}", "}")), advice) for pattern, advice in forms)


_FORMS, _DECLARED = _read((*HEADS, *FORMS)), _read(DECLARED)
LONGEST = 200
"""The most characters of a line that is compared; patterns take longer for longer lines."""


def instead(line: str, *, declares: bool = False) -> str | None:
    """Returns advice for a line in other words, where a declaration is expected or not; None for a line in words that are
    not known.

    >>> instead("draw 2 from deck"), instead("x += 1")
    ('cards are moved: `move 2 of deck to p.hand`', None)
    """
    plain = " ".join(line.split())
    if len(plain) > LONGEST:
        return None
    for pattern, advice in (*_DECLARED, *_FORMS) if declares else _FORMS:
        found = pattern.fullmatch(plain)
        if found is not None:
            return advice.format("", *(group or "" for group in found.groups()))
    return None
