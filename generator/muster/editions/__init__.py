"""Compare two editions of a rule system, and say what the changes do to armies."""
