"""The project as a whole: its import contracts, what its files may hold, its pins."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import distributions
from pathlib import Path
from typing import Final

import pytest

import muster

ROOT: Final = Path(__file__).resolve().parent.parent
TOP_LEVEL: Final = {
    *{"pyproject.toml", "Makefile", "requirements.txt", "requirements-dev.txt"},
    *{"README.md", "LICENSE", "CHANGELOG.md"},
    *{"armies", "build", "content", "generator", "templates", "tests"},
}
LEFT_BY_TOOLS: Final = re.compile(
    r"\.(venv|git|hypothesis|coverage.*|\w+_cache)$|__pycache__$|dist$"
)

# In two halves each, so that this file does not hold what it looks for.
REGISTRIES: Final = tuple(
    ".".join(halves)
    for halves in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
        ("crates", "io"),
        ("golang", "org"),
        ("debian", "org"),
    )
)


# Imports


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter with the project's contracts on the package that lies in a folder."""
    return subprocess.run(  # noqa: S603 - our own tool
        [
            *(
                sys.executable,
                "-c",
                "from importlinter.cli import lint_imports_command as run; run()",
            ),
            *("--config", str(ROOT / "pyproject.toml"), "--no-cache"),
        ],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def stand_in_package(folder: Path, **modules: str) -> Path:
    """Write a package `muster` with all of its parts, empty but for the modules that are given."""
    parts = {path.parent.name for path in (ROOT / "generator/muster").glob("*/__init__.py")}
    for part in parts:
        (folder / "muster" / part).mkdir(parents=True)
        (folder / "muster" / part / "__init__.py").touch()
    for name in ("__init__", "__main__", "dependencies", "limits", "names", "problems"):
        (folder / "muster" / f"{name}.py").touch()
    for name, text in modules.items():
        (folder / "muster" / f"{name.replace('__', '/')}.py").write_text(text)
    return folder


def test_imports_keep_the_contracts() -> None:
    done = lint_imports(ROOT / "generator")

    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("values__band", "from muster.tables import table", "Imports run downwards"),
        ("yamlfile__nodes", "from muster.values import band", "Imports run downwards"),
        ("tables__table", "def f():\n    import muster.armies.army", "Imports run downwards"),
        ("rendering__a", "from muster.building import plan", "Imports run downwards"),
        ("strange", "", "Imports run downwards"),
        ("armies__army", "import yaml", "YAML is read"),
        ("cli__check", "def f():\n    from ortools.sat import cp_model", "OR-Tools"),
        ("documents__cards", "import jinja2", "Pages are laid out"),
        ("cli__watch", "from http.server import HTTPServer", "Processes, servers"),
        ("rendering__sheet", "import subprocess", "Other programs"),
        ("building__plan", "import click", "The terminal"),
        ("building__plan", "from muster.solver import cpsat", "Only the command line"),
    ],
)
def test_contract_refuses_an_import(tmp_path: Path, module: str, line: str, contract: str) -> None:
    other = {
        "tables__table": "",
        "armies__army": "",
        "building__plan": "",
        "solver__cpsat": "",
        "values__band": "",
    }

    done = lint_imports(stand_in_package(tmp_path, **{**other, module: line}))

    broken = [text for text in done.stdout.splitlines() if text.endswith("BROKEN")]
    assert done.returncode == 1
    assert [text for text in broken if text.startswith(contract)], done.stdout


def test_contract_refuses_a_circle(tmp_path: Path) -> None:
    circle = {
        "values__a": "from muster.values.b import B",
        "values__b": "def f():\n    from muster.values import c",
        "values__c": "from muster.values.a import A",
    }

    done = lint_imports(stand_in_package(tmp_path, **circle))

    assert "No module imports itself by way of others BROKEN" in done.stdout


# Files


def project_files(root: Path) -> list[Path]:
    """List the project's files relative to its root: those in git, and those about to be.

    Outside a checkout, such as in an unpacked archive, these are all files but what tools leave
    behind and what is built.
    """
    # A hook's own git settings would point it at another checkout.
    settings = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command
            command, cwd=root, env=settings, capture_output=True, check=True
        )
        found = [Path(name) for name in done.stdout.decode().split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        found = [
            path
            for path in (each.relative_to(root) for each in root.rglob("*"))
            if not any(map(LEFT_BY_TOOLS.match, path.parts))
            and (path.parts[0] != "build" or path.name in {".gitignore", "README.md"})
        ]
    return [path for path in sorted(found) if (root / path).is_file()]


def places(root: Path, paths: Iterable[Path], pattern: re.Pattern[bytes]) -> list[str]:
    """Return `file:line` of every place that a pattern matches; files are searched as bytes."""
    found = []
    for path in paths:
        data = (root / path).read_bytes()
        for hit in pattern.finditer(data):
            line = data.count(b"\n", 0, hit.start()) + 1
            found.append(f"{path}:{line}")
    return found


def machine_path(folders: Iterable[Path]) -> re.Pattern[bytes]:
    """Return a pattern of paths into some folders of this machine."""
    # A folder that every machine has, such as / or /tmp, says nothing about this one.
    telling = {str(folder) for folder in folders} - {"/", "/tmp", "/var/tmp", "."}  # noqa: S108
    either = "|".join(sorted(map(re.escape, telling))) or "(?!)"
    return re.compile(rf"(?<![\w.~/-])(?:{either})(?:/[\w.]|(?![\w/.-]))".encode())


def registry_address() -> re.Pattern[bytes]:
    """Return a pattern of addresses and options that say where packages are fetched from."""
    hosts = "|".join(map(re.escape, REGISTRIES))
    options = "|".join(f"--{option}" for option in ("index-url", "extra-index-url", "find-links"))
    return re.compile(rf"https?://[\w.@:-]*(?:{hosts})|^\s*(?:{options})\b".encode(), re.MULTILINE)


@pytest.fixture(scope="module")
def files() -> list[Path]:
    return project_files(ROOT)


def test_top_level_holds_only_what_belongs_there(files: list[Path]) -> None:
    tops = {path.parts[0] for path in files}

    assert {top for top in tops if not top.startswith(".")} <= TOP_LEVEL


def test_no_file_names_a_folder_of_this_machine(files: list[Path]) -> None:
    assert places(ROOT, files, machine_path([ROOT, ROOT.parent, Path.home()])) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("see {}/notes", 1),
        ("'{}'", 1),
        ("\n\nfile://x\n{}/a and {}/b", 2),
        ("other{}/notes", 0),
        ("{}-like", 0),
    ],
)
def test_path_of_this_machine_is_found(tmp_path: Path, text: str, count: int) -> None:
    folder = Path("/") / "srv" / "somebody"
    (tmp_path / "a.txt").write_bytes(b"\xff" + text.replace("{}", str(folder)).encode())

    assert len(places(tmp_path, [Path("a.txt")], machine_path([folder]))) == count


def test_path_that_every_machine_has_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("/ and /tmp/x")

    assert places(tmp_path, [Path("a.txt")], machine_path([Path("/"), Path("/tmp")])) == []  # noqa: S108 - named, not written to


def test_no_file_names_a_registry(files: list[Path]) -> None:
    assert places(ROOT, files, registry_address()) == []


@pytest.mark.parametrize("start", ["https://{}/simple", "http://me:pw@files.{}", "x https://{}"])
@pytest.mark.parametrize("host", REGISTRIES)
def test_address_of_a_registry_is_found(tmp_path: Path, start: str, host: str) -> None:
    (tmp_path / "a.txt").write_text("fine\n" + start.format(host))

    assert places(tmp_path, [Path("a.txt")], registry_address()) == ["a.txt:2"]


def test_index_option_is_found(tmp_path: Path) -> None:
    (tmp_path / "r.txt").write_text("a==1\n--" + "extra-index-url somewhere\n")

    assert places(tmp_path, [Path("r.txt")], registry_address()) == ["r.txt:2"]


def test_files_of_an_unpacked_archive_leave_out_what_tools_made(tmp_path: Path) -> None:
    for name in (".venv/x", "build/x.pdf", "build/README.md", "a/__pycache__/x", "a/b.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()

    assert project_files(tmp_path) == [Path("a/b.py"), Path("build/README.md")]


# Pins

PIN_FILES = ("requirements.txt", "requirements-dev.txt")


def pins(*names: str) -> dict[str, str]:
    """Read requirement files into name -> what follows it, its hashes."""
    text = "\n".join((ROOT / name).read_text(encoding="utf-8") for name in names)
    blocks = re.findall(
        r"^([a-z0-9-]+)(?:\[[a-z0-9,-]+\])?==(\S+(?: \\\n    --hash=sha256:[0-9a-f]{64})*)",
        text,
        re.MULTILINE,
    )
    return dict(blocks)


def normal(requirement: str) -> str:
    """Return a requirement's name as registries write it: `types-PyYAML>=6` is `types-pyyaml`."""
    return re.sub(r"[-_.]+", "-", re.split(r"[<>=\[; ]", requirement)[0]).lower()


def test_every_dependency_is_pinned_with_a_hash() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    runtime = pins("requirements.txt")
    development = pins("requirements-dev.txt")

    assert {normal(name) for name in project["dependencies"]} <= runtime.keys()
    assert {normal(name) for name in project["optional-dependencies"]["dev"]} <= development.keys()
    assert not runtime.keys() & development.keys()
    assert all("--hash=" in pin for pin in {**runtime, **development}.values())


def test_a_pin_names_the_extras_that_others_ask_for() -> None:
    """Without them pip looks for the newest release, and refuses it for want of a hash."""
    text = "".join((ROOT / name).read_text(encoding="utf-8") for name in PIN_FILES)
    pinned = set(re.findall(r"^([a-z0-9-]+\[[a-z0-9,-]+\])==", text, re.MULTILINE))
    runtime = {normal(name) for name in pins(*PIN_FILES)}
    asked = {
        f"{normal(extras[1])}[{extras[2]}]"
        for package in distributions()
        if normal(package.name) in runtime
        for requirement in package.requires or ()
        if "extra ==" not in requirement
        and (extras := re.match(r"([\w.-]+) ?\[([\w,-]+)\]", requirement))
    }

    assert asked
    assert asked <= pinned


def test_every_line_of_the_pins_is_a_pin() -> None:
    for name in PIN_FILES:
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        odd = [
            line
            for line in lines
            if not re.fullmatch(
                r"#.*|    #.*|[a-z0-9-]+(\[[a-z0-9,-]+\])?==\S+ \\|    --hash=\S+( \\)?", line
            )
        ]

        assert odd in ([], ["-r requirements.txt"])


def test_changelog_knows_this_version() -> None:
    assert f"## [{muster.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
