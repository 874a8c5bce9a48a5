"""A question -> the buttons, the toggles or the field with which it is answered.

asking(match, 0, dialogue.question, picked, ink, can_undo=True)      <section class="asking"> …
"""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.ir.numbers import Seat
from rulelang.knowledge.phrase import spliced
from rulelang.match.match import BareMatch
from rulelang.pages.drawings.chip import with_chips
from rulelang.pages.drawings.sandglass import sandglass
from rulelang.pages.ink import Ink
from rulelang.pages.markup import Markup, element
from rulelang.program.values import plain
from rulelang.session.prompt_builder import unprompted
from rulelang.session.question import Question, QuestionLine, either
from rulelang.session.references import notes
from rulelang.session.refusals import beside_a_lone_option

ENDING = ("action", "option", "phase")
"""The rules until which an answer may stand, as a page offers them."""
LONG = 12
"""The most answers that are shown without a field to search them."""


def asking(
    match: BareMatch,
    seat: int,
    asked: Question,
    picked: tuple[str, ...],
    ink: Ink,
    *,
    is_begun: bool = False,
    can_undo: bool = False,
) -> Markup:
    """Returns the question to a seat that must choose; `picked` are the members of a set that it has chosen so far."""
    choice = match.choice
    assert choice is not None
    prompt = match.prompt(seat) or unprompted(match.game, choice)
    topic = "" if asked.heading else match.topic(seat)
    sealed = "Nobody sees it before all have chosen." if choice.sealed and match.players > 1 else ""
    return element(
        "section",
        element("h2", ink.words(asked.heading or prompt), id="prompt"),
        element("p", ink.words(topic), klass="topic") if topic else None,
        element("p", sealed, klass="sealed") if sealed else None,
        element("p", sandglass(), element("span", id="time-left"), id="clock", klass="clock")
        if choice.clock is not None or choice.seconds is not None
        else None,
        _answers(match, seat, asked, picked, ink),
        element(
            "p",
            element("button", "Back", data_back=True, type="button") if is_begun else None,
            element("button", "Undo", data_undo=True, type="button") if can_undo else None,
            element("button", "What can I not do?", data_why="?", type="button"),
            klass="aside",
        ),
        id="asking",
        klass="asking",
        aria_labelledby="prompt",
    )


def beforehand(match: BareMatch, seat: int) -> Markup:
    """Returns the answers of a seat that stand, and the form for another."""
    game = match.game
    names = dict.fromkeys(rule.name for rule in game.rules if rule.what in ENDING and rule.name)
    standing = match.standing(seat)
    return element(
        "details",
        element(
            "summary",
            f"Answer beforehand ({len(standing)} stand{'s' * (len(standing) == 1)})"
            if standing
            else "Answer beforehand",
        ),
        element("p", "It is given whenever you are asked that, until something happens. Nobody else learns of it."),
        element("ul", (element("li", f"{one.answer}, until {plain(one.until)}") for one in standing))
        if standing
        else None,
        element("p", element("button", "Withdraw", type="button", data_withdraw=True)) if standing else None,
        element(
            "form",
            element("label", "Answer ", for_="beforehand-answer"),
            element("input", id="beforehand-answer", name="answer", value="pass", required=True, data_keep="value"),
            element("label", " until ", for_="beforehand-until"),
            element(
                "select",
                (element("option", plain(name), value=name) for name in (*names, "turn", "round")),
                id="beforehand-until",
                name="until",
            ),
            element("button", "Let it stand", type="submit"),
            data_beforehand=True,
        ),
        id="beforehand",
        klass="fold",
        data_keep="open",
    )


def _answers(match: BareMatch, seat: int, asked: Question, picked: tuple[str, ...], ink: Ink) -> Iterator[Markup]:
    if asked.members:
        yield from _toggles(asked, picked, ink)
    elif asked.numbers:
        yield _number(asked)
    else:
        lines, note = asked.lines, notes(match, seat)
        if len(lines) > LONG:
            yield element(
                "input",
                type="search",
                id="search",
                placeholder=f"Search {len(lines)} answers",
                data_search="answers",
                aria_label="Search the answers",
                data_keep="value",
            )
        yield element("ul", (_button(line, note(line), ink) for line in lines), id="answers", klass="answers")
        for one in beside_a_lone_option(match, Seat(seat), asked):
            yield element("p", ink.words(spliced(("Not: ", one.words, ". ", str(one.reason)))), klass="sealed")


def _button(line: QuestionLine, note: str, ink: Ink) -> Markup:
    more = element("small", ink.words(note)) if note else None
    button = element(
        "button", element("span", with_chips(line.label, ink, "signed")), more, type="button", data_choose=line.text
    )
    return element("li", button, id=f"answer-{line.key}")


def _toggles(asked: Question, picked: tuple[str, ...], ink: Ink) -> Iterator[Markup]:
    """Yields a toggle for each possible member, and the button that takes those picked."""
    left = list(picked)
    buttons = []
    for number, (name, called) in enumerate(zip(asked.members, asked.names, strict=True), start=1):
        is_picked = name in left
        if is_picked:
            left.remove(name)
        buttons.append(
            element(
                "li",
                element(
                    "button",
                    with_chips(called, ink, "signed"),
                    type="button",
                    data_choose=name,
                    data_member="yes",
                    aria_pressed="true" if is_picked else "false",
                ),
                id=f"member-{number}",
            )
        )
    yield element("ul", buttons, id="answers", klass="answers members")
    if len(picked) in asked.sizes:
        count = "nothing" if not picked else f"{len(picked)} picked"
        done = element("button", f"Take: {count}", type="button", data_done=True, klass="done")
    else:
        done = element("span", f"Pick {either(asked.sizes)}: {len(picked) or 'none'} picked", klass="sealed")
    yield element("p", done, klass="confirm")


def _number(asked: Question) -> Markup:
    low, high = (
        next(iter(keys), "") for keys in ((line.key for line in asked.lines), (line.key for line in asked.lines[::-1]))
    )
    return element(
        "form",
        element("label", f"A number, {asked.numbers} ", for_="number"),
        element(
            "input", type="number", id="number", name="number", min=low, max=high, required=True, data_keep="value"
        ),
        element("button", "Choose", type="submit"),
        id="answers",
        klass="number",
        data_number=True,
    )
