"""Owns the command line: arguments in, words and exit codes out.

Does not decide anything about rules, armies or pages; it calls those who do and prints.
"""


def main() -> None:
    """Run `muster` with the arguments of this process, and end it with its exit code."""
    import gc

    # A command is short and makes little rubbish: it must not be gone through while modules load.
    gc.set_threshold(100_000, 50, 100)
    from generator.cli.program import program

    program.main()
