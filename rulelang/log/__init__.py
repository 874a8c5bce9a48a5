"""Turns a match into lines of JSON, and back: the header and the inputs reproduce the rest.

    {"input":0,"seat":"first","option":"take(2)"}      an answer
    replay(read_log(path))                             Replay(match, difference=None)

Invariant: an edited log is recognised as such; a seat's log (`for_seat`) holds nothing that the seat may not know.
"""
