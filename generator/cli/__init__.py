"""Owns the command line: arguments in, words and exit codes out.

Does not decide anything about rules, armies or pages; it calls those who do and prints.
"""


def main() -> None:
    """Run `muster` with the arguments of this process, and end it with its exit code."""
    from generator.cli.program import program

    program.main()
