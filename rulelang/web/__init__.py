"""Turns games into tables that people reach by links, in a browser: pages, sockets, logs in a folder.

    hall = Hall(Folder(path), library)
    app = application(hall, Doors(hosts=("127.0.0.1:8000",)))      an ASGI application, for uvicorn

Invariant: a link shows what its seat may see; a choice is on the disk before any page shows it; the logs in the folder
are all that is kept.
"""
