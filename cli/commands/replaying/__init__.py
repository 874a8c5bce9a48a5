"""Turns a replayed log into the output of `replay`: a transcript, the lines of play, or screens to step through.

playback      ->  transcript    prose, as text or Markdown
              ->  lines         the tree of play, with answers taken back
              ->  frame         one screen with a number of columns and rows, as values
key, viewer   ->  viewer        the effect of a key; only `application` touches the terminal

Invariant: everything is shown as the chosen viewer may see it.
"""
