"""Tests of `muster` as a process of its own: what it imports, its streams, signals."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parent.parent.parent
FIRST: Final = "armies/club/first.yaml"
COMMAND: Final = [sys.executable, "-m", "muster"]


def settings(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "generator"), **more}


def run(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own program
        [*COMMAND, *arguments],
        cwd=folder,
        env=settings(**more),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_exit_codes_leave_the_process(folder: Path) -> None:
    (folder / "illegal.yaml").write_text(
        (folder / FIRST).read_text(encoding="utf-8").replace("stands: 4", "stands: 1"),
        encoding="utf-8",
    )

    codes = [
        run(folder, *arguments).returncode
        for arguments in (["check", FIRST], ["check", "illegal.yaml"], ["check", "nothing.yaml"])
    ]

    assert codes == [0, 1, 2]


@pytest.mark.parametrize(("stands", "word"), [("4", ": LEGAL"), ("1", "NOT LEGAL")])
def test_check_imports_nothing_that_renders_or_solves(stands: str, word: str, folder: Path) -> None:
    text = (folder / FIRST).read_text(encoding="utf-8").replace("stands: 4", f"stands: {stands}")
    (folder / "mine.yaml").write_text(text, encoding="utf-8")
    script = (
        "import json, sys\n"
        "from muster.cli.program import program\n"
        "try: program.main(['check', 'mine.yaml'])\n"
        "except SystemExit: pass\n"
        "print(json.dumps(sorted(sys.modules)), file=sys.stderr)\n"
    )

    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", script],
        cwd=folder,
        env=settings(),
        capture_output=True,
        text=True,
        check=True,
    )

    loaded = set(json.loads(done.stderr.splitlines()[-1]))
    assert word in done.stdout
    assert not loaded & {"weasyprint", "jinja2", "markdown", "rich", "muster.building"}
    assert not loaded & {"ortools", "muster.solver"}
    assert not {name for name in loaded if name.startswith("muster.cli.")} - {
        *("muster.cli.program", "muster.cli.check"),
        *("muster.cli.show", "muster.cli.options"),
        *("muster.cli.army_files", "muster.cli.check_summary"),
    }


def test_piped_output_has_no_colour(folder: Path) -> None:
    done = run(folder, "check", FIRST)

    assert "\x1b" not in done.stdout + done.stderr


def test_results_and_diagnostics_go_apart(folder: Path) -> None:
    done = run(folder, "check", "nothing.yaml", FIRST)

    assert done.stdout.startswith(f"{FIRST}: First army")
    assert done.stderr.startswith("nothing.yaml")


def test_reader_that_goes_away_ends_the_run_in_silence(folder: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)

    with os.fdopen(writer, "wb") as gone:
        done = subprocess.run(  # noqa: S603 - our own program
            [*COMMAND, "list"],
            cwd=folder,
            env=settings(),
            stdout=gone,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=120,
        )

    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_interrupted_build_leaves_whole_files_and_no_worker(workers: str, folder: Path) -> None:
    command = [*COMMAND, "build", "club", "--jobs", workers]
    with subprocess.Popen(  # noqa: S603 - our own program
        command,
        cwd=folder,
        env=settings(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stderr is not None
        first = process.stderr.readline()
        os.killpg(process.pid, signal.SIGINT)
        started = time.monotonic()
        rest = process.stderr.read()
        code = process.wait(timeout=60)
        seconds = time.monotonic() - started

    assert first.startswith("built ")
    assert (code, seconds < 10) == (130, True)
    assert "Traceback" not in rest
    built = [path for path in (folder / "build").rglob("*.pdf") if path.name[0] != "."]
    assert all(path.read_bytes().rstrip().endswith(b"%%EOF") for path in built)
    assert ends_soon(process.pid)


def ends_soon(group: int) -> bool:
    """Return whether all processes of a group end within five seconds."""
    for _ in range(50):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False
