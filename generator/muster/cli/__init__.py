"""The command line: `main` runs `muster` with the arguments of this process."""


def main() -> None:
    """Run `muster` with the arguments of this process, and end it with its exit code."""
    import gc

    # A command is short-lived and leaves little garbage, so the collector should hardly run while
    # modules load.
    gc.set_threshold(100_000, 50, 100)
    from muster.cli.program import program

    program.main()
