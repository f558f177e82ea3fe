"""Owns WHAT is printed: sheets, cards, rosters and the index as frozen data.

Does not know HTML, fonts or pages.
"""
