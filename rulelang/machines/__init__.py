"""Positions that run: the protocol, two machines that implement it, and where chance comes from."""
