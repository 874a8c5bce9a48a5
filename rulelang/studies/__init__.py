"""Turns a study (a game, what is swept, bots, seeds) into many played games on disk, and those into figures.

    study.toml     ->  cells        each a checked variant of the game
    cell           ->  chunks       tables of games, written once each
    tables         ->  metrics      estimates with intervals
    metrics        ->  report       sentences, plots, JSON

Invariant: a chunk's tables depend on its cell, its number and the study alone, so any number of machines writes the same
bytes, and a study that was broken off goes on from the files that are there.
"""
