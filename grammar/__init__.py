"""The grammar of the rules language as data: `rules.lark`, read by `rulelang.syntax.parser`."""
