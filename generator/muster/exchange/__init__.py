"""Armies and systems in the forms of other programs: forum texts, CSV, BattleScribe data."""
