"""`rulelang explain E0207`: the meaning of a message, with a faulty example and its correction."""

from __future__ import annotations

import json
import re
import sys

import attrs
import click

from rulelang.diagnostics.codes import CODES, Code
from rulelang.diagnostics.suggest import suggest

from ...console import style_for

MOST = 3
"""The most codes that a hint names."""


@click.command("explain")
@click.argument("code", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print it for programs.")
def command(code: str | None, as_json: bool) -> None:
    """Explain the CODE of a message; without one, list all codes.

    \b
    Examples:
      rulelang explain E0207
      rulelang explain
    """
    if code is None:
        found = tuple(CODES[key] for key in sorted(CODES))
        if as_json:
            click.echo(json.dumps([attrs.asdict(c) for c in found], indent=2))
        else:
            for each in found:
                click.echo(f"{each.id}  {each.title}")
        return
    known = CODES.get(code.strip().upper())
    if known is None:
        raise click.UsageError(f"no message has the code {code!r}{_hint(code.strip())}")
    click.echo(json.dumps(attrs.asdict(known), indent=2) if as_json else _page(known))


def _hint(said: str) -> str:
    """Returns the end of the sentence that no message has a code: the
    code that is meant, or those that are explained with the word.
    """
    near = suggest(said.upper(), CODES)
    if near:
        return f"; did you mean {near}?"
    texts = {code: set(re.findall(r"[a-z]+", f"{code.title} {code.explanation}".lower())) for code in CODES.values()}
    words = sorted(set[str]().union(*texts.values()))
    meant = said.lower() if said.lower() in words else suggest(said.lower(), words)
    about = [f"{code.id} ({code.title})" for code, there in texts.items() if meant in there]
    if not about:
        return " (`rulelang explain` lists all)"
    more = f" and {len(about) - MOST} more" if len(about) > MOST else ""
    return f"; did you mean {', '.join(about[:MOST])}{more}?"


def _page(code: Code) -> str:
    style = style_for(sys.stdout)
    role = "warning" if code.id.startswith("W") else "error"
    parts = [f"{style(role, code.id)}  {code.title}", code.explanation.strip()]
    for title, text in (("For example", code.bad), ("Put right", code.good)):
        if text.strip():
            parts.append(style("help", f"{title}:") + "\n\n" + _indented(text))
    return "\n\n".join(parts)


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.strip("\n").splitlines())
