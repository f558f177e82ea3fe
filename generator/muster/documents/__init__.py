"""What is printed, as frozen data: sheets, cards, rosters, rulebooks, websites and the index."""
