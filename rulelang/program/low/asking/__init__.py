"""What runs from one choice to the next: chunks of cut procedures, questions and their options, sealed answers.

p chooses one of take(n)        ->  o0 lists the options, b1 goes on when one was chosen
"""
