"""Turns the docs, the games and the pages' script into a static site: `python -m website [FOLDER]`, or `make site`.

    build(Path("build/site"))        the docs as a site, a gallery of games, and the playground

Invariant: what it writes is not kept in the repository, and its pages ask no other machine for anything.
"""
