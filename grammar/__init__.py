"""The grammar of the rules language as data: `rules.lark`, and its `tables.json` as `rulelang.syntax.parser` follows them."""
