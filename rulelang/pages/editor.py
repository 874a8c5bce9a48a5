"""The state of the texts in an editor -> the page of the workbench, and the parts of it that change.

editor_page("Nim", "/edit/k3v9/live", "/t/…", nonce)      texts on the left, the table in a frame on the right
state_panel(state)                                        faults, scenarios, and how the table follows
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import attrs

from rulelang.diagnostics.codes import explanation
from rulelang.pages.documents import page
from rulelang.pages.markup import Markup, element, together

MOST_FAULTS = 50
"""The most faults that are listed."""


@attrs.frozen
class FileTab:
    """A file: whether its text is unsaved, its errors, whether it was changed on the disk as well."""

    name: str
    is_changed: bool = False
    errors: int = 0
    is_outside: bool = False
    in_git: str = ""
    """How the file on the disk stands to the last commit: `new`, `changed`, or "" for the same."""
    is_gone: bool = False
    """Whether it was deleted on the disk, so that only the page has its text."""


@attrs.frozen
class ShownFault:
    """A fault and its place, as an editor counts: lines and columns from 0."""

    file: str
    line: int
    column: int
    code: str
    message: str
    is_error: bool


@attrs.frozen
class ShownScenario:
    """A scenario: whether it passes, whether an edit broke it, its fault and the place of that."""

    title: str
    file: str
    line: int
    column: int
    passed: bool
    is_turned: bool = False
    said: str = ""
    head: tuple[str, int] = ("", 0)
    """The file and the line of its title."""

    @property
    def verdict(self) -> Literal["passes", "changed", "fails"]:
        """Returns how it stands, in a word."""
        return "passes" if self.passed else "changed" if self.is_turned else "fails"


@attrs.frozen
class ShownSample:
    """The number of games that have been played by the rules of now, of all, and by the course that they took."""

    games: int
    of: int
    same: int
    course: int
    winner: int
    longer: float


@attrs.frozen
class ShownClause:
    """A clause of the rulebook: the lines that carry it out, as (file, line from 0), the scenarios that cite it, as
    (title, file, line), and what it lacks."""

    id: str
    section: str
    text: str
    lines: tuple[tuple[str, int], ...]
    scenarios: tuple[tuple[str, str, int], ...]
    lacks: str = ""


@attrs.frozen
class ShownState:
    """All that is shown beside the texts."""

    tabs: tuple[FileTab, ...]
    faults: tuple[ShownFault, ...] = ()
    is_broken: bool = False
    """Whether the rules have errors, so that the table stays as it is."""
    trouble: str = ""
    """Why the table cannot follow at all."""
    parting: str = ""
    """Where the rules part from the game that was played, and which rule does it."""
    parted_by: str = ""
    """The place of that rule in a text of the game: its file, line and column, as `nim.rules:11:0`."""
    scenarios: tuple[ShownScenario, ...] = ()
    sample: ShownSample | None = None
    variants: tuple[tuple[str, str, bool], ...] = ()
    """The variants: their names, their titles, whether the table is played with them."""


@attrs.frozen
class OtherGame:
    """A game that the page leads to."""

    link: str
    title: str


def editor_page(
    title: str, live: str, table: str | None, nonce: str, games: Sequence[OtherGame] = (), logs: str = ""
) -> str:
    """Returns the page; `live` is the address of its socket, `table` that of the table beside the texts, `logs` that to
    which logs are sent.

    Without a table it is a page for no server, which leads to some games.
    """
    inside = table is None
    left = element(
        "section",
        element("nav", id="tabs", aria_label="Files"),
        element("div", id="code"),
        element("div", id="state", aria_live="polite"),
        id="texts",
        aria_label="Texts",
    )
    right = element(
        "section",
        element(
            "nav",
            element("button", "Table", type="button", data_back_to_table=True),
            element("button", "Rulebook", type="button", data_rulebook=True),
            element("button", "Scenario of the last choice", type="button", data_scenario=True),
            element("button", "Scenario of a refusal", type="button", data_refusals=True),
            element("button", "Move things", type="button", data_moves=True, aria_pressed="false"),
            element("button", "Steps of a log", type="button", data_steps=True),
            element("button", "Scenario of the position", type="button", data_position=True),
            element("button", "Scenario at the cursor onto the table", type="button", data_givens=True),
            element("button", "Run the scenario at the cursor", type="button", data_givens="run"),
            element("button", "Copy a link to this edit", type="button", data_link=True) if inside else None,
            element("button", "New game", type="button", data_new=True),
            _games(games) if games else None,
            aria_label="Beside the texts",
        ),
        element("iframe", id="table-frame", src=table, title="The game on the table", data_table=table),
        element("div", id="sheet", hidden=True, tabindex="0"),
        id="beside",
        aria_label="The game",
    )
    body = element("main", left, right, id="workbench", data_live=live, data_nonce=nonce, data_logs=logs or None)
    if not inside:
        return page(f"{title}: the workbench", body, script="editor")
    return page(title, body, script="playground", static="static", inside=True)


def _games(games: Sequence[OtherGame]) -> Markup:
    listed = (element("li", element("a", one.title, href=f"#{one.link}")) for one in games)
    return element("details", element("summary", "Games"), element("ul", listed), klass="games")


def tab_list(state: ShownState) -> Markup:
    """Returns the files, to choose one from."""
    short = [tab.name.rpartition("/")[2] for tab in state.tabs]
    tabs = (
        element(
            "button",
            name if short.count(name) == 1 else tab.name,
            element("span", " ●", title="not saved", role="img", aria_label="not saved") if tab.is_changed else None,
            _errors(tab.errors) if tab.errors else None,
            element("small", " deleted", klass="errors", title="saving writes it again") if tab.is_gone else None,
            element("small", f" {tab.in_git}", klass="git", title="against git's last commit") if tab.in_git else None,
            type="button",
            data_file=tab.name,
            title=tab.name,
            klass="tab outside" if tab.is_outside else "tab",
        )
        for tab, name in zip(state.tabs, short, strict=True)
    )
    offers = element(
        "button", "Fix", type="button", data_offers=True, klass="save", title="Edits at the cursor: Ctrl-."
    )
    save = element("button", "Save", type="button", data_save=True, klass="save", title="Ctrl-S")
    return together(element("div", tabs, klass="files"), offers, save)


def _errors(many: int) -> Markup:
    said = f"{many} error{'s' * (many > 1)}"
    return element("span", f" {many}", klass="errors", title=said, role="img", aria_label=said)


def state_panel(state: ShownState) -> Markup:
    """Returns the faults, the scenarios and how the table follows."""
    return together(
        _outside(state), _table(state), _variants(state), _sample(state.sample), _faults(state), _scenarios(state)
    )


def verdicts(state: ShownState) -> dict[str, list[tuple[int, str]]]:
    """Returns how the scenarios of each file stand, by the lines of their titles: `passes`, `changed` or `fails`."""
    found: dict[str, list[tuple[int, str]]] = {}
    for one in state.scenarios:
        file, line = one.head
        found.setdefault(file, []).append((line, one.verdict))
    return found


def _outside(state: ShownState) -> Iterator[Markup]:
    for tab in state.tabs:
        if tab.is_outside:
            yield element(
                "p",
                f"{tab.name} was changed outside, and here as well. ",
                element("button", "Take the file", type="button", data_reload=tab.name),
                element("button", "Write mine over it", type="button", data_overwrite=tab.name),
                klass="trouble",
            )


def _variants(state: ShownState) -> Markup:
    """Returns the variants, to choose those with which the table is played."""
    if not state.variants:
        return Markup("")
    chosen = [name for name, _, is_chosen in state.variants if is_chosen]
    boxes = (
        element("label", element("input", type="checkbox", data_variant=name, checked=is_chosen), f" {title or name}")
        for name, title, is_chosen in state.variants
    )
    said = f"Variants: {', '.join(chosen)}" if chosen else "Variants"
    return element("details", element("summary", said), boxes, id="variants", klass="boxes", data_keep="open")


def new_game_form(templates: Mapping[str, str], games: Sequence[str], others: Sequence[OtherGame] = ()) -> Markup:
    """Returns the form for a new game, which is like a template or is a variant of a game that ships, and below it the
    other games of the folder."""
    listed = (element("option", said, value=like) for like, said in templates.items())
    varied = (element("option", f"a variant of {name}", value=name) for name in games)
    form = element(
        "form",
        element("h2", "A new game"),
        element("p", element("label", "Name ", element("input", name="name", maxlength=41, required=True))),
        element("p", element("label", "Title ", element("input", name="title", maxlength=100))),
        element("p", element("label", "To begin with ", element("select", listed, varied, name="like"))),
        element("p", element("button", "Make it", type="submit")),
        data_begins=True,
    )
    if not others:
        return form
    doors = (element("li", element("a", one.title, href=one.link)) for one in others)
    return together(form, element("h2", "Games in this folder"), element("ul", doors, klass="games"))


def log_form() -> Markup:
    """Returns the ways to the steps of a log: of the game on the table, and of a file."""
    return together(
        element("h2", "The steps of a log"),
        element("p", "From each step you can play on: its position comes onto the table."),
        element("p", element("button", "The game on the table", type="button", data_steps="here")),
        element("p", element("label", "Another log ", element("input", type="file", id="log", accept=".jsonl,.zst"))),
    )


def scenario_form(claims: Sequence[str]) -> Markup:
    """Returns the form in which the expectations of a scenario are chosen."""
    boxes = (
        element(
            "li", element("label", element("input", type="checkbox", name="expect", value=one, checked=True), f" {one}")
        )
        for one in claims
    )
    return element(
        "form",
        element("h2", "A scenario of the last choice"),
        element("p", element("label", "Title ", element("input", name="title", maxlength=100))),
        element("p", "What must hold after it:"),
        element("ul", boxes, klass="boxes"),
        element("p", element("button", "Write it", type="submit")),
        data_expects=True,
    )


def refusal_list(refusals: Sequence[tuple[str, str]]) -> Markup:
    """Returns the options that are refused now, each with the reason; a click on one makes a scenario of it."""
    head = element("h2", "Refused now")
    if not refusals:
        return together(head, element("p", "No rule refuses anything here."))
    rows = (
        element(
            "li",
            element("button", element("b", option), f" {reason}", type="button", klass="event", data_refused=option),
        )
        for option, reason in refusals
    )
    said = element("p", "A click makes the shortest scenario that shows it.")
    return together(head, said, element("ul", rows, klass="faults"))


def _table(state: ShownState) -> Markup:
    if state.trouble:
        said = state.trouble
    elif state.is_broken:
        said = "The rules have errors: the table stays as it is."
    elif state.parting:
        buttons = (
            element("button", "Go on by these rules", type="button", data_take=True, title="Alt-Enter"),
            element("button", "Both boards", type="button", data_beside=True),
            element("button", "To the rule", type="button", data_open=state.parted_by) if state.parted_by else None,
        )
        told = element("p", f"By these rules the game goes another way: {state.parting}", klass="parting")
        return element("section", told, element("p", buttons, klass="aside"), id="follows", data_follows="parted")
    else:
        return element("section", element("p", "The table follows."), id="follows", data_follows="same")
    return element("section", element("p", said), id="follows", data_follows="stays")


def _sample(sample: ShownSample | None) -> Markup:
    if sample is None:
        return Markup("")
    figures = (
        (sample.same, "the same", "same"),
        (sample.course, "another course", "course"),
        (sample.winner, "another winner", "winner"),
    )
    doors = (
        element("button", f"{many} {said}", type="button", klass="event", data_game=course)
        for many, said, course in figures
        if many
    )
    done = "" if sample.games == sample.of else f"{sample.games} of "
    longer = "" if not round(sample.longer, 1) else f"; {'longer' if sample.longer > 0 else 'shorter'} by "
    longer += f"{abs(sample.longer):.1f} choices" if longer else ""
    listed = (together(", " if nth else "", door) for nth, door in enumerate(doors))
    return element(
        "p", f"{done}{sample.of} game{'s' * (sample.of != 1)}: ", listed, longer, id="sample", data_games=sample.games
    )


def clause_sheet(clauses: tuple[ShownClause, ...]) -> Markup:
    """Returns the rulebook, clause by clause, each with doors to its lines and scenarios."""
    if not clauses:
        return element("p", "This game has no ledger (rulebook.toml), so there are no clauses.")
    rows, section = list[Markup](), ""
    for clause in clauses:
        if clause.section != section:
            section = clause.section
            rows.append(element("h2", section))
        lines = (_door(f"{file}:{line + 1}", file, line) for file, line in clause.lines)
        shown = (_door(title, file, line) for title, file, line in clause.scenarios)
        rows.append(
            element(
                "article",
                element("p", element("b", clause.id), f" {clause.text}"),
                element("p", "Rules: ", lines, klass="doors") if clause.lines else None,
                element("p", "Scenarios: ", shown, klass="doors") if clause.scenarios else None,
                element("p", clause.lacks, klass="lacks") if clause.lacks else None,
                data_clause=clause.id,
            )
        )
    return together(rows)


def _door(said: str, file: str, line: int) -> Markup:
    return element("button", said, type="button", klass="event", data_open=f"{file}:{line}:0")


def _faults(state: ShownState) -> Markup:
    if not state.faults:
        return Markup("")
    listed = sorted(state.faults, key=lambda one: not one.is_error)[:MOST_FAULTS]
    first = {one.code: one for one in reversed(listed)}.values()
    rows = (
        element(
            "li",
            element(
                "button",
                element("b", fault.code, klass="error" if fault.is_error else "warning"),
                f" {fault.message}",
                element("small", f" {fault.file}:{fault.line + 1}"),
                type="button",
                klass="event",
                data_open=f"{fault.file}:{fault.line}:{fault.column}",
            ),
            _explained(fault.code) if fault in first else "",
        )
        for fault in listed
    )
    return element("section", element("ul", rows, klass="faults"), id="faults", aria_label="Faults")


def _explained(code: str) -> Markup:
    """Returns the meaning of a code, folded."""
    summary = element("summary", f"What {code} means")
    return element("details", summary, element("pre", explanation(code)), id=f"meaning-{code}", data_keep="open")


def _scenarios(state: ShownState) -> Markup:
    if not state.scenarios:
        return Markup("")
    red = [one for one in state.scenarios if not one.passed]
    turned = sum(one.is_turned for one in red)
    many = len(state.scenarios)
    passing = "1 scenario passes" if many == 1 else f"{many} scenarios pass"
    said = passing if not red else f"{len(red)} of {many} scenario{'s' * (many > 1)} fail{'s' * (len(red) == 1)}"
    said += f", {turned} since an edit" if turned else ""
    if state.is_broken:
        said = f"Before this error: {said}"
    rows = (
        element(
            "li",
            element(
                "button",
                element("b", one.verdict, klass="error"),
                f" {one.title}",
                element("small", f" {one.said}"),
                type="button",
                klass="event",
                data_open=f"{one.file}:{one.line}:{one.column}",
            ),
        )
        for one in red[:MOST_FAULTS]
    )
    head = element("p", said, klass="quietly" if state.is_broken else "red" if red else "green")
    listed = element("ul", rows, klass="faults") if red else None
    return element("section", head, listed, id="scenarios", aria_label="Scenarios")
