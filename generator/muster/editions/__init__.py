"""Compare two editions of a rule system, and judge armies under both."""
