"""Codes E02: names, files, and what a game must declare."""

from __future__ import annotations

from rulelang.diagnostics.codes.code import Code

NAMES: tuple[Code, ...] = (
    Code(
        "E0201",
        "an unknown name",
        "Nothing with this name is declared where this line can see it. Names may be used before the line that declares "
        "them; a `let`, a parameter or a loop's name is seen only inside its block, after its line.",
        "the game has:\n  heap: 0..9 = 5\nto shrink(): haep -= 1\n",
        "the game has:\n  heap: 0..9 = 5\nto shrink(): heap -= 1\n",
    ),
    Code(
        "E0202",
        "declared twice",
        "A name stands for one thing. Only the cases of a verb or value share a name.",
        "constant size = 3\nconstant size = 4\n",
        "constant size = 3\nconstant height = 4\n",
    ),
    Code(
        "E0203",
        "the name of something built in",
        "Words such as `players`, `count` or `none` mean the same in every game.",
        "constant players = 3\n",
        "constant seats_taken = 3\n",
    ),
    Code(
        "E0204",
        "not a type",
        "A type is a range (`0..9`), `flag`, an enum, a kind, a board, one of these with `?`, or `set of` one.",
        'kind Card "card":\n  n: 0..3\noption many: Card = 5\n',
        "option many: 0..9 = 5\n",
    ),
    Code(
        "E0205",
        "no such attribute",
        "The name after the dot must be a field of the kind, or a variable or zone that `each KIND has:` declares.",
        "names p: Player\neach Player has:\n  fuel: 0..9 = 5\nto burn(p): p.feul -= 1\n",
        "names p: Player\neach Player has:\n  fuel: 0..9 = 5\nto burn(p): p.fuel -= 1\n",
    ),
    Code(
        "E0207",
        "the wrong number of arguments",
        "A verb, value, table or variable takes as many arguments as its head has parameters.",
        "value half(n: 0..9) = n / 2 rounded down\nvalue some = half(4, 2)\n",
        "value half(n: 0..9) = n / 2 rounded down\nvalue some = half(4)\n",
    ),
    Code(
        "E0208",
        "a parameter without a type",
        "A head says what its parameters are (`p: Player`), or `names p: Player` says it once for the whole game.",
        "to rest(p): settle\n",
        "names p: Player\nto rest(p): settle\n",
    ),
    Code(
        "E0209",
        "a name that could be several things",
        "If the rest of the line does not determine the type, a name must belong to only one member, space, thing or seat. "
        "Write `Left.up`, `Sea.a1` or `Player.red` to say which one you mean.",
        "enum Left: up, down\nenum Right: up, away\nvalue some = {up}\n",
        "enum Left: up, down\nenum Right: above, away\nvalue some = {up}\n",
    ),
    Code(
        "E0210",
        "an action that is called",
        "An action is something that a player chooses. Something that the rules do by themselves is a verb: `to NAME(…):`.",
        'names p: Player\naction rest(p) "Rest": settle\nto night(p): rest(p)\n',
        'names p: Player\naction rest(p) "Rest": settle\nto night(p): p chooses one of rest, or pass\n',
    ),
    Code(
        "E0211",
        "no game",
        'A game begins with `game NAME "Title":` and says how many play.',
        "# a whole file\nenum Colour: red, blue\n",
        "enum Colour: red, blue\n",
    ),
    Code(
        "E0212",
        "the game's frame",
        "A game says how many play (1 to 16), names a seat for each of them or none at all, and has a `play:`. Its header may raise, "
        "but not lower, the number of steps between two choices.",
        'game nim "Nim":\n  players 0\n\nplay:\n  settle\n',
        'game nim "Nim":\n  players 2\n\nplay:\n  settle\n',
    ),
    Code(
        "E0213",
        "outside of the game's folder",
        "An include, and the ledger, lie in the folder of the game's entry file or below it, also after links are followed.",
        'include "../secret.rules"\n',
        "enum Colour: red, blue\n",
    ),
    Code(
        "E0214",
        "a file that includes itself",
        "Includes form a tree: no file may include itself, directly or through others.",
        'include "sketch.rules"\n',
        "enum Colour: red, blue\n",
    ),
    Code(
        "E0215",
        "a file that cannot be read",
        "The file is missing, too large, or the ledger in it is not well-formed. A path that begins with `std:` names a part of the library.",
        'include "nowhere.rules"\n',
        "enum Colour: red, blue\n",
    ),
    Code(
        "E0216",
        "not text",
        "Rules are plain text in UTF-8.",
        'include "noise.rules"\n',
        "enum Colour: red, blue\n",
    ),
)
