"""What happened in a match -> lines of JSON, and back: the header and the inputs reproduce the rest.

    {"input":0,"seat":"first","option":"take(2)"}      an answer
    replay(read_log(path))                             Replay(match, difference=None)

Invariant: a log that was changed is told from one that was not; what one seat may not know is not in its log (`for_seat`).
"""
