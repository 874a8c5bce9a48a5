"""Writes `tables.json` anew after a change of the grammar: `make tables`."""

from __future__ import annotations

from pathlib import Path

from rulelang.syntax.tables import FILE, encode, make_tables

if __name__ == "__main__":
    Path(__file__).with_name(FILE).write_text(encode(make_tables()), encoding="utf-8")
