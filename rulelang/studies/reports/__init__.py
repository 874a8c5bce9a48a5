"""Turns the metrics of a study into its report: sentences, plots, figures for programs.

    folder     ->  report_of         a Report: all figures, cell by cell
    report     ->  sentences         what it shows, the most important first
    report     ->  page              one page of HTML with plots
    report     ->  plots             the same plots in letters
    folder     ->  so_far            a few figures while it is played
    report     ->  data_of, csv_of, markdown_of

Invariant: equal tables give equal reports, to the last letter.
"""
