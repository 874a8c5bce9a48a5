"""A tree -> text that shows its nodes, one a line, as `rulelang dump --stage tree` prints it.

    ConstantDeclaration @1:1    the class of the node, and where it stands
      name: IdentNode heap @1:10    a node without nodes inside is one line
      value: NumberExpression 21 @1:17

Fields that are empty, None or False are left out. The text is for people: nothing parses it.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.syntax import nodes


def print_tree(module: nodes.ModuleNode) -> str:
    """Returns the nodes of a tree as indented lines.

    >>> from rulelang.source import SourceText
    >>> from rulelang.syntax.parser import parse
    >>> print(print_tree(parse(SourceText("nim.rules", "constant heap = 21\\n")).module), end="")
    nim.rules
      ConstantDeclaration @1:1
        name: IdentNode heap @1:10
        value: NumberExpression 21 @1:17
    """
    lines: list[str] = []
    file = None
    for declaration in module.declarations:
        if declaration.span.source.name != file:
            file = declaration.span.source.name
            lines.append(file)
        lines += _node(declaration, "  ", "")
    return "".join(f"{line}\n" for line in lines)


def _node(node: nodes.Node, margin: str, name: str) -> Iterator[str]:
    plain: list[str] = []
    parts: list[tuple[str, object]] = []
    for field in attrs.fields(type(node)):
        value = getattr(node, field.name)
        if field.name == "span" or value is None or value is False or value == ():
            continue
        if isinstance(value, nodes.Node | tuple):
            parts.append((field.name, value))
        else:
            plain.append(
                field.name if value is True else str(value) if field.name in _BARE else f"{field.name}={value}"
            )
    line, column = node.span.source.position(node.span.start)
    yield margin + name + " ".join([type(node).__name__, *plain, f"@{line}:{column}"])
    for part, value in parts:
        yield from _part(value, margin + "  ", f"{part}: ")


_BARE = ("text", "value", "raw", "id", "operator", "what", "when")
"""Fields whose value is shown without the field's name."""


def _part(value: object, margin: str, name: str) -> Iterator[str]:
    """Yields the lines of one field: a node, a plain value, or several of either."""
    if isinstance(value, nodes.Node):
        yield from _node(value, margin, name)
    elif isinstance(value, tuple) and not any(_holds_node(part) for part in value):
        yield f"{margin}{name}{', '.join(map(str, value))}"
    elif isinstance(value, tuple):
        yield margin + name.rstrip()
        for part in value:
            yield from _part(part, margin + "  ", "-" if isinstance(part, tuple) else "")
    else:
        yield f"{margin}{name}{value!r}" if isinstance(value, str) else f"{margin}{name}{value}"


def _holds_node(value: object) -> bool:
    return isinstance(value, nodes.Node) or (isinstance(value, tuple) and any(map(_holds_node, value)))
