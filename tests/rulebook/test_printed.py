"""`rulelang rulebook`: the rules as people read them, made from the rules alone."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from rulelang import api
from rulelang.ir import model as ir
from rulelang.prose.phrases import is_plural
from rulelang.prose.words import Plain, SectionLink, plain_text
from rulelang.rulebook.printed import book as book_of
from rulelang.rulebook.printed.book import book, of_variant, only_changes, with_example
from rulelang.rulebook.printed.markdown import markdown
from rulelang.rulebook.printed.model import Document, Item, Section, StepList
from rulelang.rulebook.printed.page import page
from tests.files import NAMES, ONE_OF_EACH
from tests.seeds import rest_long

CLASSICS = sorted((Path(__file__).parent.parent / "classics").glob("*.rules"))
GAMES = [*api.games(), *map(str, CLASSICS)]
VARIED = [name for name in NAMES if "+" in name]
HOSTILE = """
game trap "<script>alert(1)</script> & [x](y) | *z*":
  players 2
  seats red "<b>red</b>", blue "`blue`"

names p: Player

kind Card "<img src=x>", "a|b":
  called: "# {rank}"
  rank: 1..2
  | rank | text              |
  | 1    | "</td><script>x"  |
  | 2    | "[link](http://x)" |

each Player has:
  hand: group of Card

setup: move Card to hand of Player.red

play:
  turns p from first_player: p chooses one of give, or stop "<i>which</i>?"

action give(p, c in p.hand) "Give {c} <u>away</u>":
  needs p.hand != {}
      "</li><script>nothing</script>"
  move c to box
"""


@cache
def lowered(name: str) -> ir.GameRules:
    loaded, variants = api.read(name)
    return book_of.lowered(loaded, variants)


@cache
def document(name: str) -> Document:
    return book(lowered(name))


def sections(parts: tuple[Section, ...]) -> list[Section]:
    return [inner for part in parts for inner in (part, *sections(part.sections))]


def items(parts: tuple[Item, ...]) -> list[Item]:
    return [inner for part in parts for inner in (part, *items(part.items))]


def said(parts: tuple[Section, ...]) -> list[Item]:
    return [
        item
        for section in sections(parts)
        for block in section.blocks
        if isinstance(block, StepList)
        for item in items(block.items)
    ]


def unlinked(text: str) -> str:
    return re.sub(r"\[([^]\[]*)\]\(#[^)]*\)", r"\1", text)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["rulebook", *arguments])
    assert result.exit_code == 0, result.output
    return result.output


@cache
def whole(name: str) -> Document:
    """Returns the document of a game that ships, with its example."""
    return with_example(document(name), api.load(name))


@cache
def shipped(name: str) -> str:
    """Returns what the command prints of a game that ships."""
    return markdown(whole(name))


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_rulebook_whose_links_lead_somewhere(name: str) -> None:
    printed = document(name)
    ids = [section.id for section in sections(printed.sections)]
    assert len(ids) == len(set(ids))
    words = [span for item in said(printed.sections) for span in item.words]
    assert {span.target for span in words if isinstance(span, SectionLink)} <= set(ids)
    titles = [plain_text(section.title) for section in printed.sections]
    assert "The course of play" in titles
    assert "Actions" in titles or not any(r.what == "action" for r in lowered(name).rules)


@pytest.mark.parametrize("name", api.games())
def test_every_action_every_need_and_every_phase_is_printed(name: str) -> None:
    game = lowered(name)
    ids = {section.id for section in sections(document(name).sections)}
    for rule in game.rules:
        if rule.what == "action" and any(b.rule == rule.id for c in game.choices for b in c.branches):
            assert f"action-{rule.name}" in ids
        if rule.what == "phase":
            assert f"phase-{rule.name}" in ids
    needs = {need for choice in game.choices for branch in choice.branches for need in branch.needs}
    cited = {clause for need in needs for clause in need.clauses}
    printed = markdown(document(name))
    assert not [clause for clause in cited if clause not in printed]


@pytest.mark.parametrize("name", api.games())
def test_every_clause_of_a_step_is_printed(name: str) -> None:
    """What the rules cite where something happens, people can look up where it is told."""
    game = lowered(name)
    printed = markdown(document(name))
    steps = {c for site in game.sites if site.what in ("statement", "need") for c in site.clauses}
    assert not sorted(clause for clause in steps if not re.search(rf"{re.escape(clause)}\b", printed))


@pytest.mark.parametrize("name", GAMES)
def test_no_name_of_the_compiler_is_printed(name: str) -> None:
    words = " ".join(plain_text(item.words) for item in said(document(name).sections))
    assert not re.search(r"\b(?:None|NONE|-2147483648|slot |mask)\b|#\d|\w_\w", words)


FAULTS = {
    "a word twice": r"\b(the|a|of|is|are|and|or|to) \1\b",
    "an article before another": r"\b(the|an?) (the|an?)\b",
    "two blanks, or one before a comma": r"  | [,;.:]",
    "a number that are": r"\bthe number of [^.,:;]* are (at|more|less|\d)",
    "a rule without a sentence that is done": r"\b[Dd]o [a-z]+ for\b",
    "nothing in brackets": r"\(\s*\)|“”",
    "a comparison with none": r"\b(more|less) than none\b",
}
"""What no sentence of a rulebook has in it."""


@pytest.mark.parametrize("name", GAMES)
def test_steps_read_as_sentences(name: str) -> None:
    found = {
        fault: [text for item in said(document(name).sections) if re.search(pattern, text := plain_text(item.words))]
        for fault, pattern in FAULTS.items()
    }
    assert {fault: texts[:3] for fault, texts in found.items() if texts} == {}


def test_what_an_action_needs_is_said_in_the_words_of_the_rules_with_its_clause() -> None:
    text = run("outspeed")
    assert text == shipped("outspeed")
    assert "The route is none of the open routes: “The *route* light is off” \\[OS-6.9\\]" in text
    assert "2 bonus tokens from the bonus stack to the player's offer" in text
    assert "As soon as the number of players is 0" in text


def test_what_is_struck_out_together_is_one_step() -> None:
    text = shipped("exit_velocity")
    (line,) = [line for line in text.splitlines() if "*jetpack used*" in line and "struck out" in line]
    assert "*steps left*" in line
    assert "*victim*" in line
    assert "Strike out *jetpack used*" not in text


@pytest.mark.parametrize("name", api.games())
def test_a_rulebook_begins_with_the_aim_an_overview_and_an_example(name: str) -> None:
    titles = [section.id for section in whole(name).sections]
    assert titles[:3] == ["overview", "glance", "example"]


def test_the_aim_says_no_condition_that_always_holds_and_nothing_that_never_holds() -> None:
    aim = shipped("exit_velocity").partition("## Overview")[0]
    assert "You announce what you will do in a turn, and then do it before the sand runs out." in aim
    assert "If the sand runs" not in aim
    assert "without haste" not in aim
    assert "If *play on* is agreed: A race that has launched has left." in aim


def test_an_example_tells_the_scenario_that_the_game_calls_one() -> None:
    text = shipped("outspeed").partition("## An example of a leg")[2].partition("\n## ")[0]
    assert "Red takes the left route" in text
    assert "The left route is jammed: Red does not move and pays nothing." in text
    assert not text.rstrip().endswith("*")


def test_a_game_without_such_a_scenario_is_begun_by_chance() -> None:
    text = run(str(next(path for path in CLASSICS if path.stem == "nim")))
    assert text.index("## Overview") < text.index("## How a game may begin") < text.index("## What is in the box")


def test_an_action_cites_its_own_clauses_and_not_those_of_the_question_that_offers_it() -> None:
    text = shipped("exobase")
    built = text.partition("### Build the")[2].partition("\n### ")[0]
    assert "XB-13.4" in built
    assert "XB-0.4" not in built
    assert re.search(r"You choose: “What is done next[^\n]*XB-0\.4", text)


def test_what_only_sums_up_is_not_on_the_sheet_of_a_variant() -> None:
    varied = of_variant(lowered("empty_space"), lowered("empty_space+solo"), ("Alone",))
    assert "Overview" in markdown(varied)
    assert "Overview" not in markdown(only_changes(varied))


def test_numbers_that_follow_from_what_is_agreed_are_printed_as_numbers() -> None:
    assert "your base makes at least 3 of each good every morning (3 of food)," in shipped("exobase")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param("empty_space", "“Play cards? You hold …, and may keep 4”", id="a number that is worked out is left open"),
        pytest.param("empty_space", ": the smallest of the lengths of the ways", id="the least of numbers"),
        pytest.param("exobase", "“The base is … energy short: which", id="a number named in a question is left open"),
        pytest.param("exobase", ", but not below 2 and not above 17", id="two bounds"),
        pytest.param("exobase", "the stock of the resource falls to the limit of storage, if above", id="a bound alone"),
        pytest.param("exobase", "From now on, the founder is *waiting*.\n", id="what is noted anew is not struck out"),
        pytest.param("exobase", "- Makes *makes*\n", id="what an option needs, and what it shows itself, is not said"),
    ],
)  # fmt: skip
def test_the_print_says_what_somebody_at_the_table_would(name: str, said: str) -> None:
    assert said in shipped(name)


def test_a_changed_number_changes_the_rulebook(tmp_path: Path) -> None:
    rules = tmp_path / "nim.rules"
    rules.write_text(
        'game nim "Nim":\n  players 2\n  seats red, blue\n\nnames p: Player\nconstant largest = 3\n\n'
        "the game has:\n  heap: 0..21 = 21\n\n"
        "play:\n  turns p from first_player: p chooses one of take\n\n"
        'action take(p, n: 1..largest) "Take {n}": heap -= n, at least 0\n\n'
        "whenever heap == 0 as over: finish with winner {mover}\n"
    )
    assert "Number *n*: 1 to 3." in run(str(rules))
    rules.write_text(rules.read_text().replace("largest = 3", "largest = 4"))
    assert "Number *n*: 1 to 4." in run(str(rules))


class _Tags(HTMLParser):
    """Gathers the tags of a page, and looks whether each is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.ids: list[str] = []
        self.links: set[str] = set()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add(tag)
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.links |= {value[1:] for name, value in attrs if name == "href" and value}
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_texts_of_rules_are_no_markup(tmp_path: Path) -> None:
    path = tmp_path / "trap.rules"
    path.write_text(HOSTILE.replace("hand of Player.red", "Player.red.hand"))
    printed = page(document(str(path)))
    tags = _Tags()
    tags.feed(printed)
    assert not tags.found & {"script", "img", "b", "i", "u"}
    assert "&lt;script&gt;" in printed
    text = markdown(document(str(path)))
    assert "<script" not in text.replace("\\<script", "")
    assert not re.search(r"(?<!\\)\]\(http", text)
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert all(len(re.findall(r"(?<!\\)\|", line)) == len(re.findall(r"(?<!\\)\|", table[0])) for line in table[:4])


@pytest.mark.parametrize("name", api.games())
def test_a_page_stands_alone_and_its_contents_lead_to_every_section(name: str) -> None:
    printed = page(document(name))
    tags = _Tags()
    tags.feed(printed)
    assert tags.open == []
    assert not re.search(r"(?:src|href)=.?(?:http|//)|url\(|@import", printed)
    assert tags.links <= set(tags.ids)
    assert len(tags.ids) == len(set(tags.ids))
    assert set(tags.ids) <= tags.links
    assert "@media print" in printed


def test_a_page_is_written_to_a_new_file_and_never_over_another(tmp_path: Path) -> None:
    there = tmp_path / "outspeed.html"
    assert "The rules are in" in run("outspeed", "--html", str(there))
    before = there.read_bytes()
    result = CliRunner().invoke(main, ["rulebook", "outspeed", "--html", str(there)])
    assert result.exit_code == 1
    assert "nothing is overwritten" in result.output
    assert there.read_bytes() == before


@pytest.mark.parametrize("name", rest_long(VARIED, *ONE_OF_EACH))
def test_the_sheet_of_a_variant_says_what_it_changes(name: str) -> None:
    base, _, _ = name.partition("+")
    whole = of_variant(lowered(base), lowered(name), ("It is different",))
    text = markdown(only_changes(whole))
    assert "Now: " in text or "New: " in text or "no longer" in text.lower()
    assert "## Actions" not in text
    assert unlinked(markdown(whole)).startswith(unlinked(text.rstrip("\n")))


def test_the_sheet_says_the_change_and_where(tmp_path: Path) -> None:
    text = run("outspeed+sprint", "--sheet")
    assert "Sprint: seven legs" in text
    assert "Now: After it: Move 6 tiles from the stack of tiles to the box." in text
    result = CliRunner().invoke(main, ["rulebook", "outspeed", "--sheet"])
    assert result.exit_code == 2


def test_seats_go_by_their_names(tmp_path: Path) -> None:
    path = tmp_path / "two.rules"
    path.write_text(
        """\
game two "Two":
  players 2
  seats red "Ada" in red, blue "Bo"

play:
  first_player chooses n in 1..2
"""
    )
    result = CliRunner().invoke(main, ["rulebook", str(path)])
    assert "Seats, in the order of play: Ada, Bo." in result.output


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("the player's tokens", True),
        ("the player's steps left", True),
        ("the place among the attacks", False),
        ("whose turn it is", False),
        ("the class", False),
        ("", False),
    ],
)
def test_a_noun_is_plural_by_its_own_end_whatever_stands_behind_it(words: str, expected: bool) -> None:
    assert is_plural((Plain(words),)) is expected


@cache
def printed(name: str) -> str:
    """Returns the rules of a game as Markdown."""
    return markdown(book(lowered(name)))


FAULTS_OF_PROSE = {
    "a negation without a verb": r"\b(?:[Ii]f|and|or|unless) not \*",
    "a verb that goes with another noun": r"\b(?:stock|cost|number|sum) of [^.;:()]*? are (?:more|less|at)\b",
    "a letter as a heading": r"^\| [a-z] \|(?! \w+ \|$)",
    "a formula where an amount is named": r"^#+ .*(?:smallest|largest) of",
    "a condition that becomes something": r"becomes? whether",
    "a verb without a sentence": r"[Cc]arry out",
    "a set of its own kind": r"\b[Ee]ach (\w+) of the \1s\b",
    "a moved heap of single things": r"\b[Mm]ove [^.:;]* from each ",
    "a flag as a clause": r"\*(holds no longer|holds from now on)|(?:[Ii]f|long as) \*[^*]+\*(?::|,| and| or)",
    "a case that cannot be": r"\b[Ii]f (\w+) is \1\b",
    "a negation in the middle of a quantifier": r"\b[Ff]or not every\b",
    "less than nothing": r"\b(?:left|slots) (?:of [^.:;]*)?(?:is|are) at most 0\b",
    "somebody's own": r"\byou's\b|\bYou becomes\b",
    "a hook in small letters": r"^(?:instead|before|after)\b",
    "a name after an article": r"\b[Tt]he \*\w\*",
    "a colon with nothing behind it": r"^ *(?:-|\d+\.) .* $",
    "a link whose words lost their names": r"\[(?:Take the route|Play bonus token|Tap hex)\]",
}
"""What nobody writes who prints rules for people."""


@pytest.mark.parametrize("fault", FAULTS_OF_PROSE)
@pytest.mark.parametrize("game", [*api.games(), *rest_long(VARIED, *ONE_OF_EACH)])
def test_the_rules_of_a_game_read_as_prose(game: str, fault: str) -> None:
    found = [line for line in printed(game).splitlines() if re.search(FAULTS_OF_PROSE[fault], line)]
    assert not found


@pytest.mark.long
def test_a_sheet_says_where_a_changed_line_stands() -> None:
    said = CliRunner().invoke(main, ["rulebook", "exobase+draft", "--sheet"]).output
    assert "- Now: After it: Repeat 2 times: *g* for *f*" in unlinked(said)
    assert "Now: After it:\n" not in said
    mixed = CliRunner().invoke(main, ["rulebook", "exobase+mixed", "--sheet"]).output
    assert "- Now: *hard days*: The hard side of the Time card? may be yes or no, unless agreed no" in mixed


SMALL = """
game small "Small":
  players 2
  seats red "Red", blue "Blue"

names p, q: Player
names c: Card

kind Card "card":
  rank: 1..3, called "height"
  hard: flag, called "hard to get"
  | rank | hard |
  | 1    |      |
  | 2    | yes  |
  | 3    |      |

the game has:
  deck: pile of Card, face down, called "the heap"
  shown: slot for Card, called "the middle of the table"
  begun: flag = no

each Player has:
  hand: group of Card, called "cards in hand"
  coins: 0..9 = 0

value tall -> set of Card, called "the cards on the heap that are tall" = {c in deck if c.rank > 1}

to begin(p) called "{p} begins":
  begun = yes
  p.coins += 1
  for q in Player by highest q.coins if q.coins > 0 and q != p: pay(q, min(q.coins, count(p.hand)))
  p chooses one of begin_again, or pass "Again?"

action begin_again(p) "Begin again", "{p} begins again":
  needs any(c.rank == 3 for c in p.hand)
  needs p.coins > 0
  p.coins += 1

to pay(p, n: 0..9) "{p} pays {n} coins": p.coins -= n, at least 0

setup:
  move {c in Card if not c.hard} to deck

play:
  turns p from first_player:
    if begun and tall != {}: move 1 of deck to shown
    begin(p)
    if p.hand == {}: finish with winner {p}
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("small") / "small.rules"
    path.write_text(SMALL)
    return markdown(document(str(path)))


@pytest.mark.parametrize(
    "sentence",
    [
        "Move the cards that are not *hard to get* to the heap.",
        "Note *begun*.",
        "Turn by turn, beginning with Red, each player:",
        "| height | hard to get |",
        "If *begun* is noted and there are cards on the heap that are tall: move 1 card from the heap to the middle of the",
        "[The player begins](#the-player-begins).",
        "For each player *q* whose coins are more than 0 and who is not the player, in order of the coins, highest first:",
        "[*q* pays *n* coins](#the-player-pays-n-coins), where *n* is the smallest of *q*'s coins and the number of",
        "If the player has no cards in hand:",
        "- There is no card of the player's cards in hand whose height is 3.",
        "- The player's coins are 0.",
    ],
)
def test_rules_are_said_with_names_relative_clauses_and_counts(small: str, sentence: str) -> None:
    assert sentence in small


def test_a_number_is_named_by_what_it_is_of_and_nothing_is_said_twice() -> None:
    page = printed("exit_velocity")
    assert "takes *metal* and *fuel*; your team has deposited *metal stock* and *fuel stock*" in page
    assert "Notes are taken on up to 5 attacks; nothing in the box stands for them." in page
    assert "5 different attacks" not in page
