"""Turns the texts of one game's folder, as a person types them in a browser, into the game on the table beside them.

    desk = Desk.of(GameFolder.of(Path("nim/nim.rules")), hall, live)
    app = application(desk, hosts)          an ASGI application: `/edit/<secret>` is the page

Invariant: only files of rules and ledgers inside the folder are read or written; a save is atomic, and never replaces
what somebody else has written unless it is asked to; a broken edit leaves the game on the table as it is.
"""
