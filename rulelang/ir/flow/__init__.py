"""Information flow: what each value of a game depends on, and who may see that.

    let x = next(p).secret             x depends on `next(p).secret`, which p may not see
    if x > 3: p chooses …              whether p is asked depends on it too

One analysis, over the IR, before or after weaving. What is read off it: which questions would tell a secret and where a lone option is
none (`semantics.lints.visibility`), and whose eyes the locals in words and logs are for (`ir.witness`, `knowledge.secrets`).

Invariant: where it cannot tell, it takes a value for secret.
"""
