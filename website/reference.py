"""The program itself -> the pages of the reference that list its commands and the codes of its messages.

command_page(head)    "# The commands …"
"""

from __future__ import annotations

import click

from cli.main import main
from rulelang.diagnostics.codes import CODES


def command_page(head: str) -> str:
    """Returns the page of all commands: the head, and below it what `--help` prints."""
    rows = [head, "What `rulelang COMMAND --help` prints, for all commands:", "", *_described(main, "rulelang", None)]
    return "\n".join(rows) + "\n"


def _described(command: click.Command, name: str, above: click.Context | None) -> list[str]:
    context = click.Context(command, info_name=name, parent=above, max_content_width=88, terminal_width=88)
    rows = [f"## {context.command_path}", "", "```text", command.get_help(context), "```", ""]
    if isinstance(command, click.Group):
        for one in command.list_commands(context):
            found = command.get_command(context, one)
            if found is not None:
                rows += _described(found, one, context)
    return rows


def code_pages() -> str:
    """Returns the page of all codes of messages: what each means, with an example and the same put right."""
    rows = ["# Codes of messages", "", "What `rulelang explain CODE` prints, for all codes.", ""]
    for code in CODES.values():
        rows += [f"## {code.id} {code.title}", "", code.explanation, ""]
        rows += ["```rules E0000", code.bad.rstrip(), "```", "", "Put right:", ""]
        rows += ["```rules", code.good.rstrip(), "```", ""]
    return "\n".join(rows) + "\n"
