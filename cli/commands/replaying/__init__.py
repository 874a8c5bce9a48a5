"""A log played again -> what `replay` prints or shows of it: a transcript, its lines of play, a screen to step through.

playback      ->  transcript    prose, as text or Markdown
              ->  lines         the tree of what was taken back
              ->  frame         one screen of so many columns and rows, as values
key, viewer   ->  viewer        what a key does; the terminal is apart, in `application`
"""
