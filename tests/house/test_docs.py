"""Every example in the pages for people is run: rules are checked and their scenarios played, Python is a doctest."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from rulelang import api
from rulelang.diagnostics.codes.code import whole
from rulelang.scenarios.run import SEEDS, run_scenarios, variants_own
from tests.files import DOCS, ROOT

PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
LIBRARIES = {"training.md": ("gymnasium", "pettingzoo", "pyspiel")}
"""The libraries without which the examples of a page do not run."""
FENCE = re.compile(r"^```rules(?: ([^\n]*))?\n(.*?)^```", re.M | re.S)


def examples(page: Path) -> list[tuple[str, str, str]]:
    """Returns (place, tag, text) of each block; one tagged `given` is put before the others of its `##` section."""
    found = []
    last = ""
    text = page.read_text()
    for section in re.split(r"^(?=## )", text, flags=re.M):
        given = ""
        for match in FENCE.finditer(section):
            tag, body = match.group(1) or "", match.group(2)
            line = text[: text.index(section)].count("\n") + section[: match.start()].count("\n") + 1
            before = last if tag == "more" else given
            if tag == "given":
                last = given = body
                before = ""
            found.append((f"{page.name}:{line}", tag, f"{before}\n{body}" if before else body))
    return found


EXAMPLES = [example for page in PAGES for example in examples(page)]


@pytest.mark.parametrize(("place", "tag", "text"), EXAMPLES, ids=[e[0] for e in EXAMPLES])
def test_a_rules_example_means_what_the_page_says(place: str, tag: str, text: str, tmp_path: Path) -> None:
    """A block is fine, or tagged with the code that it shows: ```rules E0404. One tagged `upon` is a variant of a game that ships."""
    entry = tmp_path / "sketch.rules"
    entry.write_text(text if tag == "upon" else whole(text))
    checked = api.check(entry, tuple(re.findall(r"^variant (\w+)", text, re.M)) if tag == "upon" else ())
    expected = {tag} if re.fullmatch(r"[EW]\d{4}", tag) else set()
    # A sketch shows a part of a game, and need not say how it ends.
    open = set() if re.search(r"^game ", text, re.M) else {"W0517"} - expected
    assert {d.code for d in checked.diagnostics} - open == expected, [
        f"{d.span.place} {d.message}" for d in checked.diagnostics
    ]
    game = checked.game
    games = [] if game is None else [game]
    # A variant that voids scenarios is of a game that has them in another file.
    stands_alone = game is not None and not game.variants and not re.search(r"^ +void ", text, re.M)
    for variant in game.internals.loaded.variants if game is not None and stands_alone else ():
        varied = api.check(entry, (variant.name.text,))
        assert varied.game is not None, [f"{d.span.place} {d.message}" for d in varied.diagnostics]
        games.append(varied.game)
    for one in games:
        # A game that ships has hundreds of scenarios, which other tests run on both executors and with the other seeds.
        own = variants_own(one) if tag == "upon" else None
        results = run_scenarios(one, titles=own, executor="both")
        results += run_scenarios(one, executor="generated", seeds=SEEDS[:1]) if tag == "upon" else ()
        assert not [(r.name, r.faults) for r in results if not r.passed]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_the_python_of_a_page_runs(page: Path) -> None:
    for library in LIBRARIES.get(page.name, ()):
        pytest.importorskip(library, reason=f"{page.name} shows {library}, which is not installed")
    result = doctest.testfile(
        str(page), module_relative=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    )
    assert result.failed == 0


def test_the_screen_in_the_readme_is_one_that_people_see() -> None:
    shown = (ROOT / "README.md").read_text().partition("```text\n")[2].partition("```")[0]
    assert "Which route?" in shown
    assert f"```text\n{shown}```" in (DOCS / "screens.md").read_text()
