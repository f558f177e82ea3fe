"""Owns the facts about the house as a whole: its walls, its order, its pins.

Does not know how they are found out: `walls` does. Each wall is tried twice, on the real house
and on a broken sample, since a check that cannot fail holds nothing.
"""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

import muster
from tests import walls
from tests.walls import Module

ROOT: Final = Path(__file__).resolve().parent.parent
OPENING: Final = '"""Owns a sample.\n\nDoes not do anything.\n"""\n'

Wall = Callable[[list[Module]], list[str]]


@pytest.fixture(scope="module")
def house() -> list[Module]:
    return walls.modules_below(ROOT / "generator")


@pytest.fixture(scope="module")
def files() -> list[Path]:
    return walls.house_files(ROOT)


@pytest.mark.parametrize(
    "wall",
    [
        walls.imports_upwards,
        walls.unknown_parts,
        walls.misplaced_libraries,
        walls.printing,
        walls.circles,
        walls.vague_names,
        walls.silent_openings,
        walls.long_modules,
    ],
)
def test_house_stands_within(wall: Wall, house: list[Module]) -> None:
    assert wall(house) == []


def sample(name: str, *lines: str, is_package: bool = False) -> Module:
    """Write a module of a few lines below the usual opening, so that line 5 is its first."""
    return Module(name, OPENING + "\n".join(lines) + "\n", is_package)


@pytest.mark.parametrize(
    ("name", "line", "target"),
    [
        ("problems", "import muster.values", "values"),
        ("values.band", "from muster.yamlfile import Strict", "reading"),
        ("values.band", "from generator import tables", "tables"),
        ("values.band", "from ..tables import Table", "tables"),
        ("reading.models", "from muster.values import Band", "values"),
        ("tables.table", "from muster.systems import System", "systems"),
        ("tables.table", "def f() -> None:\n    import muster.armies.army", "armies"),
        ("tables.table", "importlib.import_module('muster.cli')", "cli"),
        ("tables.table", "importlib.import_module(name)", "?"),
        ("systems.system", "if TYPE_CHECKING:\n    from muster.armies import Army", "armies"),
        ("armies.army", "from muster.documents.cards import Card", "documents"),
        ("armies.army", "from muster.editions.compare import compare", "comparing"),
        ("comparing.compare", "from muster.documents import changes", "documents"),
        ("documents.cards", "import muster.rendering as r", "rendering"),
        ("armies.demands", "from muster.solver.cpsat import Solver", "solving"),
        ("solving.repair", "from muster.building.store import write_whole", "pipeline"),
        ("rendering.studio", "from muster.building import build", "pipeline"),
        ("pipeline.build", "from muster.cli import main", "cli"),
        ("__main__", "from muster.armies import Army", "armies"),
        ("", "from muster.values import Band", "values"),
    ],
)
def test_wall_stops_an_import_upwards(name: str, line: str, target: str) -> None:
    breaches = walls.imports_upwards([sample(name, line)])

    assert len(breaches) == 1
    assert breaches[0].endswith(f"must not import {target}")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("values.band", "from muster.values.number import Number"),
        ("values.band", "from .number import Number"),
        ("tables.table", "from muster.yamlfile import Strict"),
        ("documents.cards", "from generator import __version__"),
        ("pipeline.build", "import muster.problems"),
        ("cli.check", "from muster.values import Band"),
        ("values.band", "import generators.cli"),
    ],
)
def test_wall_lets_an_import_downwards_pass(name: str, line: str) -> None:
    assert walls.imports_upwards([sample(name, line)]) == []


def test_relative_import_in_a_first_file_stays_in_its_package() -> None:
    first = sample("tables", "from .table import Table", is_package=True)

    assert list(walls.imported(first)) == [(5, "muster.tables.table.Table")]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("tables.table", "import yaml"),
        ("cli.check", "from yaml import safe_load"),
        ("armies.raising", "from ruamel.yaml import YAML"),
        ("armies.solving", "from ortools.sat.python import cp_model"),
        ("cli.repair", "import ortools"),
        ("documents.cards", "def f() -> None:\n    import jinja2"),
        ("reading.prose", "from markdown import Markdown"),
        ("pipeline.build", "import weasyprint.text.fonts"),
        ("rendering.sheet", "from multiprocessing import Pool"),
        ("cli.build", "from concurrent.futures import ProcessPoolExecutor"),
        ("rendering.sheet", "import subprocess"),
        ("cli.watch", "from watchfiles import watch"),
        ("cli.watch", "from http.server import HTTPServer"),
        ("armies.army", "import click"),
        ("pipeline.build", "from rich.progress import Progress"),
        ("values.band", "__import__('yaml')"),
    ],
)
def test_wall_stops_a_library_out_of_its_place(name: str, line: str) -> None:
    assert len(walls.misplaced_libraries([sample(name, line)])) == 1


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("reading.loader", "import yaml"),
        ("reading.rewriting", "from ruamel.yaml import YAML"),
        ("rendering.studio", "import jinja2"),
        ("pipeline.workers", "import concurrent.futures"),
        ("cli.doctor", "import subprocess"),
        ("values.band", "import yamlish"),
    ],
)
def test_wall_lets_a_library_stand_in_its_place(name: str, line: str) -> None:
    assert walls.misplaced_libraries([sample(name, line)]) == []


@pytest.mark.parametrize(
    "line", ["print(1)", "click.echo('x')", "def f() -> None:\n    sys.stderr.write('x')"]
)
def test_wall_stops_printing_below_the_command_line(line: str) -> None:
    assert len(walls.printing([sample("armies.army", line)])) == 1
    assert walls.printing([sample("cli.check", line)]) == []


def test_wall_finds_a_circle_of_three() -> None:
    broken = [
        sample("values.a", "from muster.values.b import B"),
        sample("values.b", "def f() -> None:\n    from muster.values import c"),
        sample("values.c", "from .a import A"),
        sample("values", "from .a import A", is_package=True),
    ]

    breaches = walls.circles(broken)

    assert breaches == [
        "muster.values.a:1: imports itself: values.a -> values.b -> values.c -> values.a"
    ]


def test_wall_finds_a_module_that_imports_from_its_own_package() -> None:
    broken = [
        sample("values", "from muster.values.a import A", is_package=True),
        sample("values.a", "from muster.values import B"),
    ]

    assert len(walls.circles(broken)) == 1


def test_wall_finds_no_circle_where_two_ways_meet() -> None:
    sound = [
        sample("values.a", "from .b import B", "from .c import C"),
        sample("values.b", "from .d import D"),
        sample("values.c", "from .d import D"),
        sample("values.d"),
    ]

    assert walls.circles(sound) == []


@pytest.mark.parametrize("name", ["values.utils", "helpers", "tables.common.table"])
def test_wall_refuses_a_name_that_says_nothing(name: str) -> None:
    assert len(walls.vague_names([sample(name)])) == 1


def test_wall_refuses_a_part_that_the_design_lacks() -> None:
    assert len(walls.unknown_parts([sample("magic.wand")])) == 1


@pytest.mark.parametrize(
    "text", ["", "X = 1\n", '"""Owns a sample."""\n', '"""A sample.\n\nDoes not do it.\n"""\n']
)
def test_wall_refuses_a_silent_opening(text: str) -> None:
    assert len(walls.silent_openings([Module("values.band", text)])) == 1


def test_wall_refuses_a_module_one_line_too_long() -> None:
    longest = Module("values.band", "\n" * walls.LONGEST_MODULE)
    longer = Module("values.band", "\n" * (walls.LONGEST_MODULE + 1))

    assert walls.long_modules([longest]) == []
    assert len(walls.long_modules([longer])) == 1


def test_modules_are_found_by_folder(tmp_path: Path) -> None:
    (tmp_path / "values").mkdir()
    (tmp_path / "values" / "__init__.py").write_text("A = 1\n")
    (tmp_path / "values" / "band.py").write_text("B = 1\n")

    found = walls.modules_below(tmp_path)

    assert [(module.name, module.is_package) for module in found] == [
        ("values", True),
        ("values.band", False),
    ]


def test_top_of_the_house_holds_only_what_belongs_there(files: list[Path]) -> None:
    assert walls.strange_top_level(files) == []


def test_wall_refuses_a_stranger_at_the_top() -> None:
    found = [Path("README.md"), Path(".ci/run"), Path("notes.txt"), Path("src/muster.py")]

    assert walls.strange_top_level(found) == [
        "notes.txt: not at the top of the house",
        "src: not at the top of the house",
    ]


def test_files_name_no_folder_of_this_machine(files: list[Path]) -> None:
    assert walls.machine_paths(ROOT, files, [ROOT, ROOT.parent, Path.home()]) == []


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
def test_wall_finds_a_machine_path(tmp_path: Path, text: str, count: int) -> None:
    folder = Path("/") / "srv" / "somebody"
    (tmp_path / "a.txt").write_bytes(b"\xff" + text.replace("{}", str(folder)).encode())

    assert len(walls.machine_paths(tmp_path, [Path("a.txt")], [folder])) == count


def test_machine_path_that_every_machine_has_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("/ and /tmp/x")

    assert walls.machine_paths(tmp_path, [Path("a.txt")], [Path("/"), Path("/tmp")]) == []  # noqa: S108 - named, not written to


def test_files_name_no_registry(files: list[Path]) -> None:
    assert walls.registry_addresses(ROOT, files) == []


@pytest.mark.parametrize("start", ["https://{}/simple", "http://me:pw@files.{}", "x https://{}"])
@pytest.mark.parametrize("host", walls.REGISTRIES)
def test_wall_finds_a_registry(tmp_path: Path, start: str, host: str) -> None:
    (tmp_path / "a.txt").write_text("fine\n" + start.format(host))

    breaches = walls.registry_addresses(tmp_path, [Path("a.txt")])

    assert len(breaches) == 1
    assert breaches[0].startswith("a.txt:2: a registry")


def test_wall_finds_an_index_option(tmp_path: Path) -> None:
    (tmp_path / "r.txt").write_text("a==1\n--" + "extra-index-url somewhere\n")

    assert len(walls.registry_addresses(tmp_path, [Path("r.txt")])) == 1


def test_files_of_an_unpacked_archive_leave_out_what_tools_made(tmp_path: Path) -> None:
    for name in (".venv/x", "build/x.pdf", "build/README.md", "a/__pycache__/x", "a/b.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()

    found = walls.house_files(tmp_path)

    assert found == [Path("a/b.py"), Path("build/README.md")]


def pins(*names: str) -> dict[str, str]:
    """Read requirement files into name -> what follows it, its hashes."""
    text = "\n".join((ROOT / name).read_text(encoding="utf-8") for name in names)
    blocks = re.findall(
        r"^([a-z0-9-]+)==(\S+(?: \\\n    --hash=sha256:[0-9a-f]{64})*)", text, re.MULTILINE
    )
    return dict(blocks)


def normal(requirement: str) -> str:
    """Give a requirement's name as registries write it: `types-PyYAML>=6` is `types-pyyaml`."""
    return re.sub(r"[-_.]+", "-", re.split(r"[<>=\[; ]", requirement)[0]).lower()


def test_every_dependency_is_pinned_with_a_hash() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    runtime = pins("requirements.txt")
    development = pins("requirements-dev.txt")

    assert {normal(name) for name in project["dependencies"]} <= runtime.keys()
    assert {normal(name) for name in project["optional-dependencies"]["dev"]} <= development.keys()
    assert not runtime.keys() & development.keys()
    assert all("--hash=" in pin for pin in {**runtime, **development}.values())


def test_every_line_of_the_pins_is_a_pin() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        odd = [
            line
            for line in lines
            if not re.fullmatch(r"#.*|    #.*|[a-z0-9-]+==\S+ \\|    --hash=\S+( \\)?", line)
        ]

        assert odd in ([], ["-r requirements.txt"])


def test_changelog_knows_this_version() -> None:
    assert f"## [{muster.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
