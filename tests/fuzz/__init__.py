"""What strangers may send: seeded generators of texts, logs and cache files, and what must hold of each.

An attack is a function of a source of chance that raises `Finding` where something does not hold. `tests/test_fuzz.py` runs
some hundred of each and all that was ever found (`corpus/`); `make fuzz` goes on for as long as it is let.
"""
