"""Contents -> whole HTML documents: the shelf, a table's shell, a list of links, a refusal.

document("Nim", main)      <!doctype html> … with the style sheet and the script of this server alone
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import attrs

from rulelang.knowledge.phrase import named
from rulelang.pages.ink import Ink
from rulelang.pages.markup import Content, Markup, element, together


@attrs.frozen
class ShelfGame:
    """A game on the shelf: its name, its title, its fewest and most players, its variants by name and title."""

    name: str
    title: str
    players: tuple[int, int]
    variants: tuple[tuple[str, str], ...] = ()


@attrs.frozen
class ShelfTable:
    """A table on the shelf: its title, a sentence on how it stands, and the link to it."""

    title: str
    stands: str
    link: str


INSIDE = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "frame-src 'self'; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)
"""The Content-Security-Policy of a page without a server, which can send none of its own."""
EDIT_RULES = "Edit the rules"
MINE = "/mine"
"""The path of the page of one's tables."""


def document(
    title: str,
    *body: Content,
    live: str | None = None,
    static: str = "/static",
    inside: bool = False,
    door: str = "",
) -> str:
    """Returns a document; `live` is the address of the socket that keeps its `main` up to date, `door` the path at which
    the rules can be edited."""
    dialog = element(
        "dialog",
        element("div", id="dialog-body"),
        element("form", element("button", "Close", type="submit"), method="dialog"),
        id="dialog",
        aria_label="Reasons and meanings",
    )
    choices = None if live is None else _choices(is_served=not inside, door=door)
    return page(title, *body, choices, dialog, live=live, static=static, inside=inside)


def page(
    title: str,
    *body: Content,
    script: str = "table",
    live: str | None = None,
    static: str = "/static",
    inside: bool = False,
) -> str:
    """Returns a document that runs one of the scripts of this server, with a place for notices.

    `static` is the address of the scripts and the style sheet; a page that is `inside` a browser needs no server.
    """
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=INSIDE) if inside else None,
        element("title", title),
        element("link", rel="icon", href=f"{static}/icon.svg"),
        element("link", rel="stylesheet", href=f"{static}/style.css"),
        element("script", "", src=f"{static}/{script}.js", type="module"),
    )
    notice = element("p", id="notice", role="status", aria_live="assertive")
    shown = element("body", together(*body), notice, data_live=live, data_inside=inside)
    return f"<!doctype html>\n{element('html', head, shown, lang='en')}"


def _choices(*, is_served: bool, door: str = "") -> Markup:
    """Returns the foot of a table's page: the choices of its reader, which the browser keeps, and where it leads."""
    boxes = (("moves", "Pieces move"), ("notices", "Notify me when it is my turn"))
    return element(
        "footer",
        (element("label", element("input", type="checkbox", id=name), f" {said}") for name, said in boxes),
        element("a", "My tables", href=MINE) if is_served else None,
        element("a", EDIT_RULES, href=door) if door else None,
        id="choices",
    )


def my_tables() -> str:
    """Returns the page of the tables that a browser has been at; its script asks how they stand."""
    return document(
        "My tables",
        element(
            "main",
            element("header", element("h1", "My tables")),
            element("p", "Looking …", id="looking", role="status"),
            element("ul", klass="mine", id="tables"),
            element("p", element("small", "This browser alone keeps the list.")),
            id="mine",
            data_mine=MINE,
        ),
    )


def shelf(games: Sequence[ShelfGame], tables: Sequence[ShelfTable], action: str, trouble: str = "") -> str:
    """Returns the page of all games, with a form for a new table of each, and of the tables that stand."""
    standing = (
        element("li", element("a", one.title, href=one.link), element("small", one.stands), klass="standing")
        for one in tables
    )
    return document(
        "rulelang",
        element(
            "main",
            element("header", element("h1", "Games")),
            element("p", trouble, klass="trouble", role="alert") if trouble else None,
            element("ul", (_game(game, action) for game in games), klass="shelf"),
            element("section", element("h2", "Tables"), element("ul", standing), klass="tables") if tables else None,
            element(
                "section",
                element("h2", "Look at a game again"),
                element(
                    "label", "A log: drop it here, or ", element("input", type="file", id="log", accept=".jsonl,.zst")
                ),
                klass="tables",
                data_upload=f"{action.rstrip('/')}/logs",
            ),
            id="shelf",
        ),
    )


def _game(game: ShelfGame, action: str) -> Markup:
    low, high = game.players
    said = "1 player" if high == 1 else f"{low} players" if low == high else f"{low} to {high} players"
    many = len(game.variants)
    variants = f", {many} variant{'s' if many > 1 else ''}" if many else ""
    form = element(
        "form",
        element("input", type="hidden", name="game", value=game.name),
        element("button", "Play now", type="submit", klass="done", aria_label=f"Play now: {game.title}"),
        element(
            "a",
            "Set up a table",
            href=f"{action.rstrip('/')}/lobby?{urlencode({'game': game.name})}",
            klass="button",
            aria_label=f"Set up a table: {game.title}",
        ),
        method="post",
        action=action,
        klass="aside",
    )
    return element("li", element("h2", game.title), element("p", said, variants), form, klass="game")


def host_page(title: str, links: Sequence[tuple[str, str, str]], shelf_path: str, own: str = "", door: str = "") -> str:
    """Returns the page of a table's host: a link for each seat, as (its name, who plays it, its address), the path of
    their `own` page, and the `door` to the rules."""
    rows = (
        element(
            "tr", element("th", name, scope="row"), element("td", who), element("td", element("a", link, href=link))
        )
        for name, who, link in links
    )
    return document(
        title,
        element(
            "main",
            element("header", element("h1", title)),
            element("p", "Send each player the link to their seat: whoever has it sees what that seat sees."),
            element("div", element("table", element("tbody", tuple(rows))), klass="grid"),
            element("p", element("a", "Sit down at the table", href=own, klass="sit")) if own else None,
            element("p", element("a", EDIT_RULES, href=door)) if door else None,
            element("p", element("a", "All games", href=shelf_path)),
            id="host",
        ),
    )


def handing_over(title: str, name: str, who: str, ink: Ink) -> Markup:
    """Returns the `main` of a page that several people share while it goes from one to another: it shows nothing else."""
    return element(
        "main",
        element("header", element("h1", title)),
        element(
            "section",
            element("h2", "Hand over to ", ink.words(named(name, "seat"))),
            element("p", "What the others may not see comes next."),
            element("button", "Here I am", type="button", data_sit=who, klass="done"),
            id="handing-over",
            klass="asking",
        ),
        id="table",
        data_step="0",
        tabindex="-1",
    )


def sheet_page(title: str, changes: Markup, shelf_path: str) -> str:
    """Returns the page of what a variant changes."""
    return document(
        title,
        element(
            "main",
            element("header", element("h1", title), element("a", "All games", href=shelf_path)),
            element("article", changes, klass="sheet"),
            id="sheet",
        ),
    )


def refusal(title: str, said: str) -> str:
    """Returns a page that says what is wrong."""
    return document(title, element("main", element("h1", title), element("p", said), id="refusal"))


def waiting_main(title: str) -> Markup:
    """Returns the `main` of a table before its first frame."""
    attributes: dict[str, Any] = {"id": "table", "data_step": "", "aria_busy": "true"}
    return element("main", element("h1", title), element("p", "Setting the table …"), **attributes)
