"""The data of everything that is printed: sheets, cards, rosters, rulebooks and websites."""
