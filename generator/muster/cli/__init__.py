"""The command line: `main` runs `muster` with the arguments of this process."""


def main() -> None:
    """Run `muster` with the arguments of this process, and end it with its exit code."""
    import gc
    import sys

    # A command is short-lived and leaves little garbage, so the collector should hardly run while
    # modules load.
    gc.set_threshold(100_000, 50, 100)
    try:
        from muster.cli.program import program
    except KeyboardInterrupt:
        # As `Program.run` does, which cannot be asked yet.
        sys.stderr.write("muster: interrupted\n")
        sys.exit(130)

    program.main()
