"""A report of a run of the tests -> the slowest of them as a page.

pytest --junitxml build/tests.xml; python -m tests.slowest build/tests.xml > tests/slowest.md
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

MOST = 50


def page(report: str) -> str:
    """Returns the page of a report, as JUnit writes it: functions by the seconds of all their cases together.

    >>> case = '<testcase classname="tests.a.test_b" name="test_c[{}]" time="{}"/>'
    >>> print(page(f"<suite>{case.format(1, 2.5)}{case.format(2, 1)}</suite>"))
    # The slowest tests
    <BLANKLINE>
    Seconds of all cases together, in one run of all tests on two cores: 4 s. `make slowest` writes this page.
    <BLANKLINE>
    | seconds | cases | test |
    | ---: | ---: | --- |
    | 3.5 | 2 | a/test_b.py::test_c |
    """
    spent: dict[str, list[float]] = defaultdict(list)
    for case in ElementTree.fromstring(report).iter("testcase"):
        room = case.get("classname", "").removeprefix("tests.").replace(".", "/")
        spent[f"{room}.py::{case.get('name', '').partition('[')[0]}"].append(float(case.get("time", "0")))
    rows = sorted(((sum(times), len(times), name) for name, times in spent.items()), reverse=True)[:MOST]
    whole = sum(map(sum, spent.values()))
    return "\n".join(
        [
            "# The slowest tests",
            "",
            f"Seconds of all cases together, in one run of all tests on two cores: {whole:.0f} s. `make slowest` writes this page.",
            "",
            "| seconds | cases | test |",
            "| ---: | ---: | --- |",
            *(f"| {seconds:.1f} | {cases} | {name} |" for seconds, cases, name in rows),
        ]
    )


if __name__ == "__main__":
    print(page(Path(sys.argv[1]).read_text("utf-8")))
