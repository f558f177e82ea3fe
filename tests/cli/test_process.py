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

from tests import processes
from tests.processes import MUSTER, ends_soon, settings

FIRST: Final = "armies/club/first.yaml"


def run(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return processes.run(folder, [*MUSTER, *arguments], **more)


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

    done = processes.run(folder, [sys.executable, "-c", script])

    loaded = set(json.loads(done.stderr.splitlines()[-1]))
    assert word in done.stdout
    assert not loaded & {"weasyprint", "jinja2", "markdown", "rich", "babel", "muster.building"}
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
            [*MUSTER, "list"],
            cwd=folder,
            env=settings(),
            stdout=gone,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=120,
        )

    assert (done.returncode, done.stderr) == (141, "")


COMMANDS: Final = [
    ["list"],
    ["check", FIRST],
    ["lookup", "club", "movement"],
    ["export", "club"],
    ["check", FIRST, "--format", "json"],
    ["build", "club", "--dry-run"],
    ["repair", "illegal.yaml"],
    ["--help"],
]


def exit_code_of(arguments: list[str]) -> int:
    # The army that is repaired is illegal.
    return 1 if "repair" in arguments else 0


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_terminal_without_unicode_gets_what_it_can_show(arguments: list[str], folder: Path) -> None:
    text = (folder / FIRST).read_text(encoding="utf-8")
    (folder / FIRST).write_text(text.replace("Greys", "“Łódź” → 龍"), encoding="utf-8")
    (folder / "illegal.yaml").write_text(
        text.replace("Greys", "“Łódź”").replace("stands: 4", "stands: 1"), encoding="utf-8"
    )

    done = [
        subprocess.run(  # noqa: S603 - our own program
            [*MUSTER, *arguments],
            cwd=folder,
            env=settings(**environment),
            capture_output=True,
            check=False,
            timeout=120,
        )
        for environment in (
            {"PYTHONIOENCODING": "latin-1"},
            {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        )
    ]

    for each in done:
        assert each.returncode == exit_code_of(arguments), each.stderr
        assert b"Traceback" not in each.stderr
    if "json" in arguments or "export" in arguments:
        assert json.loads(done[0].stdout.decode("latin-1")) == json.loads(done[1].stdout)
    elif FIRST in arguments:
        assert b'"?\xf3d?" > ?' in done[0].stdout


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such redirection")
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_stdout_that_is_closed_or_full_ends_no_run_with_a_bug(
    arguments: list[str], folder: Path
) -> None:
    (folder / "illegal.yaml").write_text(
        (folder / FIRST).read_text(encoding="utf-8").replace("stands: 4", "stands: 1"),
        encoding="utf-8",
    )

    def redirect(where: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - our own program
            ["/bin/sh", "-c", f'exec "$@" >{where}', "sh", *MUSTER, *arguments],
            cwd=folder,
            env=settings(PYTHONUNBUFFERED=""),
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=120,
        )

    closed, full = redirect("&-"), redirect("/dev/full")

    assert closed.returncode == exit_code_of(arguments), closed.stderr
    assert full.returncode == 2
    assert full.stderr == "muster: standard output: No space left on device\n"
    assert "Traceback" not in closed.stderr + full.stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        (["new", "system", "mine"], "/mine/"),
        (["new", "army", "mine", "--system", "club"], "armies/club/mine.yaml"),
        (["export", "club", "--out", "club.json"], "club.json"),
        (["schema", "--out", "schemas"], "schemas/"),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, list) else "",
)
def test_full_disk_names_the_path_and_leaves_nothing(
    arguments: list[str], path: str, folder: Path
) -> None:
    before = {each for each in folder.rglob("*") if each.is_file()}
    # Files may not be larger than this, as if the disk were full.
    script = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "from muster.cli import main\n"
        f"sys.argv = {['muster', *arguments]!r}\n"
        "main()\n"
    )

    done = processes.run(folder, [sys.executable, "-c", script])

    assert done.returncode == 2, done.stderr
    assert "File too large" in done.stderr
    assert path in done.stderr
    assert {each for each in folder.rglob("*") if each.is_file()} == before


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
@pytest.mark.parametrize("module", ["click", "muster.armies", "yaml"])
def test_interrupt_while_loading_is_told_in_a_line(module: str, folder: Path) -> None:
    script = (
        "import builtins, signal, sys\n"
        "def load(name, *rest, real=builtins.__import__):\n"
        f"    if name == {module!r} or name.startswith({module + '.'!r}):\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "    return real(name, *rest)\n"
        "builtins.__import__ = load\n"
        "from muster.cli import main\n"
        f"sys.argv = ['muster', 'check', {FIRST!r}]\n"
        "main()\n"
    )

    done = processes.run(folder, [sys.executable, "-c", script])

    assert done.stderr == "muster: interrupted\n"
    # Python itself may end by the signal, which a shell calls 130 too.
    assert done.returncode in (130, -signal.SIGINT)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_interrupted_build_leaves_whole_files_and_no_worker(workers: str, folder: Path) -> None:
    command = [*MUSTER, "build", "club", "--jobs", workers]
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
