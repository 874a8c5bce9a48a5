"""Turns a game's IR into its information flow: the secrets that each value and each question depends on.

    let x = next(p).secret             x depends on `next(p).secret`, which p may not see
    if x > 3: p chooses …              whether p is asked depends on it too

    One analysis of the IR, before or after weaving. It finds questions that would
    reveal a secret and lone options that must be asked (`semantics.lints.visibility`),
    and who may read the locals in words and logs (`ir.witness`, `knowledge.secrets`).

Invariant: when in doubt, it treats a value as secret.
"""
