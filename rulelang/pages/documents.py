"""Contents -> whole HTML documents: the shelf, a table's shell, a list of links, a refusal.

document("Nim", main)      <!doctype html> … with the style sheet and the script of this server alone
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

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


def document(title: str, *body: Content, live: str | None = None) -> str:
    """Returns a document; `live` is the address of the socket that keeps its `main` up to date."""
    dialog = element(
        "dialog",
        element("div", id="dialog-body"),
        element("form", element("button", "Close", type="submit"), method="dialog"),
        id="dialog",
        aria_label="Reasons and meanings",
    )
    return page(title, *body, dialog, live=live)


def page(title: str, *body: Content, script: str = "table", live: str | None = None) -> str:
    """Returns a document that runs one of the scripts of this server, with a place for notices."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("link", rel="icon", href="/static/icon.svg"),
        element("link", rel="stylesheet", href="/static/style.css"),
        element("script", "", src=f"/static/{script}.js", type="module"),
    )
    notice = element("p", id="notice", role="status", aria_live="assertive")
    shown = element("body", together(*body), notice, data_live=live)
    return f"<!doctype html>\n{element('html', head, shown, lang='en')}"


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
    said = f"{low} players" if low == high else f"{low} to {high} players"
    fields: list[Markup] = [
        element(
            "label",
            "Players ",
            element("select", (element("option", str(n), value=n) for n in range(low, high + 1)), name="players"),
        )
    ]
    if game.variants:
        boxes = (
            element("label", element("input", type="checkbox", name="variant", value=name), f" {title}")
            for name, title in game.variants
        )
        fields.append(element("fieldset", element("legend", "Variants"), tuple(boxes)))
    fields += [
        element(
            "label",
            "People, each with a link ",
            element("input", type="number", name="people", min=1, max=high, value=1),
        ),
        element("label", "Seed ", element("input", type="text", name="seed", maxlength=60, placeholder="by chance")),
        element("input", type="hidden", name="game", value=game.name),
    ]
    form = element(
        "form", tuple(fields), element("button", "Open a table", type="submit"), method="post", action=action
    )
    more = element("details", element("summary", "Open a table"), form)
    return element("li", element("h2", game.title), element("p", said if high > 1 else "1 player"), more, klass="game")


def host_page(title: str, links: Sequence[tuple[str, str, str]], shelf_path: str) -> str:
    """Returns the page of whoever opened a table: a link for each seat, as (its name, who plays it, its address)."""
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
            element("p", element("a", "All games", href=shelf_path)),
            id="host",
        ),
    )


def refusal(title: str, said: str) -> str:
    """Returns a page that says what is wrong."""
    return document(title, element("main", element("h1", title), element("p", said), id="refusal"))


def waiting_main(title: str) -> Markup:
    """Returns the `main` of a table before its first frame."""
    attributes: dict[str, Any] = {"id": "table", "data_step": "", "aria_busy": "true"}
    return element("main", element("h1", title), element("p", "Setting the table …"), **attributes)
