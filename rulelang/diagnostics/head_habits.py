"""A head or a line of a declaration in the words of a rulebook or of another language -> what to write instead.

HEADS and DECLARED are patterns and advice as in `habits.FORMS`: of heads and of what stands below them, and of lines that stand
where a declaration is expected.
"""

from __future__ import annotations

HEADS: tuple[tuple[str, str], ...] = (
    (
        r"(?:requires?|require|only if|only when|precondition|condition|ensure|guard|must have) (.*[=<>].*|.* in .*)",
        "what an action needs stands below its head: `needs {1}`",
    ),
    (r"costs? (\d+) (\w+)", "write `needs p.{2} >= {1}`, and `p.{2} -= {1}` below it"),
    (r"needs\s*:\s*(.+)", "write `needs {1}`"),
    (r"needs (.+?), ?(\".*\")", "write `needs {1}  {2}`"),
    (r"(action|to|phase) (\w+)(\(.*?\))? ?: ?(\"[^\"]*\")", "a text stands in the head: `{1} {2}{3} {4}:`"),
    (
        r"(?:after|(?:at|on) (?:the )?end of) (?:the |a |each |every )?(turn|round)s?\b.*",
        "what ends each {1} stands last below `turns p from …:`",
    ),
    (
        r"(?:before|(?:at|on) (?:the )?(?:start|beginning) of) (?:the |a |each |every )?(turn|round)s?\b.*",
        "what begins each {1} stands first below `turns p from …:`",
    ),
    (
        r"enum (\w+): \w+(?: ?[|/;] ?\w+)+",
        "write `enum {1}: red, blue`: the names of its members, with commas between them",
    ),
    (
        r"kind (\w+)\s*:\s*(\d+)\b.*",
        "write `kind {1}:`, and below it its columns and rows; how many there are of each is the column `| copies |`",
    ),
    (r"(?:die|dice) (\w+) ?:? ?(?:(?:with|has|of) )?(\d+) (?:sides?|faces?|sided)\b.*", "write `die {1}: 1..{2}`"),
    (r"(?:die|dice) (\w+) ?= ?(.+)", "write `die {1}: {2}`"),
    (r"constant (\w+) (\w+) ?[=:] ?(.+)", "a name is one word: `constant {1}_{2} = {3}`"),
    (r"constant (\w+) ?: ?(?:\w+ ?= ?)?(.+)", "write `constant {1} = {2}`"),
    (
        r"(?:(?:every|all|any) (?:player|Player)s? (?:has|have)|(?:player|Player)s? (?:has|have)|each (?:player|Player))\s*:",
        "write `each Player has:`, and the variables and zones below it",
    ),
    (r"the (?:game|board|table)\s*:", "write `the game has:`, and its variables and zones below it"),
    (
        r"(to|action|phase) (\w+) (?!at\b|untold\b|called\b|beside\b)(\w+)\s*:.*",
        "write `{1} {2}({3})`: parameters stand in brackets",
    ),
    (r"(\w+): (\d+) ?(?:-|to|–|\.\.\.|through|until) ?(\d+)(.*)", "write `{1}: {2}..{3}{4}`"),
    (r"(\w+): (?:pile|group|list|hand) of (\d+) (\w+)(.*)", "write `{1}: pile of {3}, at most {2}{4}`"),
    (
        r"(\w+): (?:list|deck|hand|stack|array|bag|collection|queue|zone|place) of (\w+)(.*)",
        "a zone is a `pile`, which has an order, a `group` or a `slot`: `{1}: pile of {2}{3}`",
    ),
    (r"(\w+): (\w+)\[\](.*)", "a zone is a `pile`, which has an order, a `group` or a `slot`: `{1}: pile of {2}{3}`"),
    (
        r"(\w+): (?:string|str|text|String|char)\b.*",
        "a variable holds a number, a flag or a member of an `enum`; texts stand in heads",
    ),
    (
        r"(\w+: .+?),? (?:hidden|secret|private|concealed|facedown|face-down|invisible)\b.*",
        "write `{1}, seen by nobody`, or `seen by owner`; of a pile, `face down`",
    ),
    (
        r"(\w+: .+?),? (?:public|visible|faceup|face-up|shared)\b.*",
        "what all see needs no word: `{1}`; of a pile, `face up`",
    ),
    (
        r"(\w+: (?:pile of|group of|slot for) \w+) (face|top|seen|at most|refills|called|text|untold)\b(.*)",
        "a comma is missing: `{1}, {2}{3}`",
    ),
    (r"(\w+: .+?),? (?:max|maximum|limit|capacity|size|holds)(?: of|:|=)? ?(\d+)\b(.*)", "write `{1}, at most {2}{3}`"),
    (
        r"(?!(?:you|constant|value|option|die|enum)\b)([a-z]\w*) = (-?\d+)",
        "a variable is declared with its range: `{1}: 0..9 = {2}`",
    ),
    (
        r"whenever (?:any|a|some|the|one) (?:player|seat|one)\b.*",
        "name who it is: `whenever p.gold == 3 for p in players: …`",
    ),
    (r"whenever (.+) for (?:any|each|every|all|some) (\w+)\s*:(.*)", "write `whenever {1} for {2} in players:{3}`"),
    (
        r"enum (\w+) ?(?:\{{|=) ?(.*?) ?\}}?",
        "write `enum {1}: red, blue`: the names of its members, with commas between them",
    ),
    (
        r"enum (\w+): .*=.*",
        "members of an `enum` are names alone, in order: `enum {1}: red, blue`; a number for each stands in a `data` table",
    ),
    (r"each (?:player|Player) has (\w+)(.*)", "write `each Player has:`, and `{1}: 0..9 = 0` below it"),
    (
        r"(?:game|board|table) has\b.*|the (?:game|board|table) has \w+.*",
        "write `the game has:`, and its variables and zones below it",
    ),
    (
        r"board(?: (\w+))? ?:? ?\d+ ?[x*×] ?\d+.*",
        "a board is a map: `board Cell: square`, and below it `map` with its rows drawn",
    ),
    (r"(?:die|dice)\s*[:=].*|dice\b.*", "a die has a name and its faces: `die d6: 1..6`"),
    (r"setup ?\(\).*", "write `setup:`"),
    (
        r"(to|action|phase) (\w+)(\(.*?\)) ?\{{.*",
        "a block stands behind a colon: `{1} {2}{3}:`, and its lines below it",
    ),
    (r"value (\w+)(\(.*?\))? ?(?:\{{|return\b|=>) ?(.*?) ?\}}?", "write `value {1}{2} = {3}`"),
    (r"to (\w+)(\(.*?\)) ?= ?(.+)", "a verb changes something and has no value: write `value {1}{2} = {3}`"),
    (
        r"(to|action|phase|value) (\w+)\((?:.*, ?)?(?:int|bool|float|str|string|number|var|let|[A-Z]\w*) (\w+)[,)].*",
        "a type stands behind the name: `{3}: 0..9`; the name alone, if `names` declares it",
    ),
    (
        r"action (\w+)(\(.*?\))(?: \".*\")? (?:needs|if|when|requires?|where|unless) (.+?)\s*:.*",
        "what an action needs stands below its head: `needs {3}`",
    ),
)
"""The patterns of heads, and of what is declared below them."""
DECLARED: tuple[tuple[str, str], ...] = (
    (
        r"(?:score|scoring|points)\s*(?:\(\w*\))?\s*:.*",
        "points are a `value score(p) = …`; who has the most wins by `finish with ranking p in players by highest score(p)`",
    ),
    (
        r"(?:struct|object|entity|record|thing|component) (\w+).*",
        "what has properties is a `kind {1}`, and players have theirs in `each Player has:`",
    ),
    (r"(?:const|constant|final|let|var|int|#define)? ?([A-Z]\w*) ?=? ?(\d+)", "write `constant {1} = {2}`"),
    (r"(?:players?|a player) (?:has|have) (?:an? )?(\w+).*", "write `each Player has:`, and `{1}: 0..9 = 0` below it"),
    (
        r"(?:if|when|whenever|on|once) (.+?)\s*:.*",
        "what holds at all times is a rule for each: `whenever p.gold == 3 for p in players: …`; what follows a verb is `after VERB(p): …`",
    ),
    (
        r"(?:main|start|begin|run|game_loop|loop|turns?|end)\s*(?:\(\))?\s*:.*",
        "what is played stands below `play:`, such as `turns p from player1:`",
    ),
    (
        r"(?:win|goal|objective|victory|lose|end|aim)\b.*",
        "a game ends where the rules say so: `whenever p.gold == 9 for p in players: finish with winner p`",
    ),
    (
        r"(?:rule|verb|sub|routine|fun|method|void) (\w+)(\(.*?\))?.*",
        "a change is `to {1}{2}:`, a number is `value {1}{2} = …`",
    ),
    (r"(\w+)(\(.*?\)) ?=>? ?(.+)", "write `value {1}{2} = {3}`"),
    (
        r"\d+ (?:dice|die|cards?|tokens?|players?)\b.*",
        "dice are declared one by one (`die d6: 1..6`), cards as rows of their `kind`, players by `players 2..4` below `game`",
    ),
    (
        r"(?:cards?|tokens?|pieces?|deck)\b.*",
        "things are a `kind`, with a row for each; where they lie is a zone below `the game has:`",
    ),
    (r"type (\w+) ?=.*", "write `enum {1}: red, blue`"),
    (r"\"\"\".*", "a comment begins with `#`"),
    (
        r"(?!(?:players|seats|rulebook|lone|given|expect)\b)(?:const|let|var|int|bool|set|number|global|variable|field|counter|attribute)? ?(\w+) ?(?:=|: ?\w+ ?=?|:? ?\d+\.\.\d+ ?=?) ?(.*)",
        "a variable stands below `the game has:` or `each Player has:`, with its range: `{1}: 0..9 = 0`",
    ),
)
"""The patterns of lines that stand where a declaration is expected, tried before the others."""
