"""What has happened is told by cause: what a sentence led to is folded beneath it."""

from __future__ import annotations

import re

from rulelang import api
from rulelang.pages.ink import Ink
from rulelang.pages.news import news
from tests.files import TESTS


def test_what_a_choice_led_to_is_folded_beneath_it() -> None:
    match = api.load(str(TESTS / "library/whist.rules")).start(seed=1)
    for _ in range(5):
        match.push(match.options[0])
    told = str(news(match.events_for(None), Ink.of_match(match), match.seat_names, match.game, {}))
    assert told.count("<details") == told.count("</details>") > 3
    assert told.count("<li") == told.count("</li>")
    groups = re.findall(r'<details id="(told-\d+)" open data-keep="open"><summary', told)
    assert len(groups) == len(set(groups)) == told.count("<details")
    first = told.index(": Play ")
    opened = told[first:].index('<ol class="news">')
    assert " plays " in told[first + opened :][:400], "a choice comes before what it led to"
    assert '<summary class="phase"' in told
