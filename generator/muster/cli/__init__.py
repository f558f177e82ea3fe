"""The command line: `main` runs `muster` with the arguments of this process."""


def main() -> None:
    """Run `muster` with the arguments of this process, and end it with its exit code."""
    import gc

    # A command is short and makes little rubbish: it must not be gone through while modules load.
    gc.set_threshold(100_000, 50, 100)
    from muster.cli.program import program

    program.main()
