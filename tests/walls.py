"""Owns the checks that keep the house in order: who may import whom, and what no file may hold.

Does not choose what is checked: `test_house` hands over the real house, and a broken sample for
each check. Every check returns its breaches as `place: what is wrong`, none for a sound house.
"""

import ast
import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "generator"

_VALUES = {"problems", "values"}
_TABLES = {*_VALUES, "uses", "reading", "tables"}
_ARMIES = {*_TABLES, "systems", "armies"}
_RENDERING = {*_ARMIES, "comparing", "documents", "rendering"}

MAY_IMPORT: Mapping[str, set[str]] = {
    "problems": {"problems"},
    "values": _VALUES,
    "uses": {"uses"},
    "reading": {"problems", "uses", "reading"},
    "tables": _TABLES,
    "systems": {*_TABLES, "systems"},
    "armies": _ARMIES,
    "solving": {*_ARMIES, "solving"},
    "comparing": {*_ARMIES, "comparing"},
    "documents": {*_ARMIES, "comparing", "documents"},
    "rendering": _RENDERING,
    "pipeline": {*_RENDERING, "pipeline"},
    "cli": {*_RENDERING, "pipeline", "solving", "cli"},
    "__main__": {"cli"},
}
"""Which parts of the package a part may import: the arrows of the design, all downwards."""

ONLY_IN: Mapping[str, set[str]] = {
    "yaml": {"reading"},
    "ruamel": {"reading"},
    "ortools": {"solving"},
    "jinja2": {"rendering"},
    "markdown": {"rendering"},
    "weasyprint": {"rendering"},
    "pypdf": {"rendering"},
    "fontTools": {"rendering"},
    "multiprocessing": {"pipeline"},
    "concurrent": {"pipeline"},
    "distributed": {"pipeline"},
    "watchfiles": {"pipeline"},
    "http": {"pipeline"},
    "subprocess": {"pipeline", "cli"},
    "click": {"cli"},
    "rich": {"cli"},
}
"""Which parts may import a library that has a place of its own."""

PRINTING = {"print", "click.echo", "click.secho", "sys.stdout.write", "sys.stderr.write"}

IMPORTING = {"importlib.import_module", "import_module", "__import__"}

VAGUE_NAMES = {"utils", "util", "helpers", "helper", "manager", "managers", "common", "misc"}

LONGEST_MODULE = 400

TOP_LEVEL = {
    *{"pyproject.toml", "Makefile", "requirements.txt", "requirements-dev.txt"},
    *{"README.md", "LICENSE", "CHANGELOG.md"},
    *{"armies", "build", "content", "generator", "templates", "tests"},
}

# Written in two halves, so that this file does not hold what it looks for.
REGISTRIES = tuple(
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


@dataclass(frozen=True, slots=True)
class Module:
    """One module of the package, read but never run."""

    name: str
    """Its dotted name below the package: `values.band`; a package's own file is `values`."""

    text: str
    is_package: bool = False

    @property
    def part(self) -> str:
        """The part of the house that it stands in; "" for the package's own first file."""
        return self.name.split(".")[0]

    @property
    def tree(self) -> ast.Module:
        """Its syntax tree."""
        return ast.parse(self.text)

    def at(self, line: int) -> str:
        """Name a place in it, as a breach begins."""
        return f"{PACKAGE}.{self.name}:{line}"


def modules_below(folder: Path) -> list[Module]:
    """Read every module of a package's folder."""
    modules = []
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        modules.append(Module(name, path.read_text(encoding="utf-8"), is_package))
    return modules


def imported(module: Module) -> Iterator[tuple[int, str]]:
    """List every import with its line and full dotted name, however deep in the code it stands.

    `from a.b import c` gives `a.b.c`: whether c is a module is for the reader to know.
    """
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            source = node.module or ""
            if node.level:
                base = [PACKAGE, *module.name.split(".")]
                base = base[: len(base) - node.level + module.is_package]
                source = ".".join([*base, *([source] if source else [])])
            for alias in node.names:
                yield node.lineno, f"{source}.{alias.name}"
        elif isinstance(node, ast.Call) and _called(node) in IMPORTING:
            yield node.lineno, _first_text(node)


def _called(call: ast.Call) -> str:
    """Name what a call calls."""
    return ast.unparse(call.func)


def _first_text(node: ast.Call) -> str:
    """Give a call's first argument where it is a text; else a name that no wall lets pass."""
    match node:
        case ast.Call(args=[ast.Constant(value=str(text)), *_]):
            return text
        case _:
            return f"{PACKAGE}.?"


def imports_upwards(modules: Iterable[Module]) -> list[str]:
    """Find imports of a part that the importing part must not know."""
    breaches = []
    for module in modules:
        for line, name in imported(module):
            top, _, rest = name.partition(".")
            target = rest.split(".")[0]
            if top != PACKAGE or target in {"", "__version__"}:
                continue
            if target not in MAY_IMPORT.get(module.part, set()):
                breaches.append(f"{module.at(line)}: {module.part} must not import {target}")
    return breaches


def unknown_parts(modules: Iterable[Module]) -> list[str]:
    """Find modules outside the parts that the design names."""
    known = {"", *MAY_IMPORT}
    return [
        f"{module.at(1)}: the design has no such part"
        for module in modules
        if module.part not in known
    ]


def misplaced_libraries(modules: Iterable[Module]) -> list[str]:
    """Find imports of a library outside the part that it belongs to."""
    breaches = []
    for module in modules:
        for line, name in imported(module):
            places = ONLY_IN.get(name.split(".")[0])
            if places is not None and module.part not in places:
                allowed = " and ".join(sorted(places))
                breaches.append(f"{module.at(line)}: only {allowed} may import {name}")
    return breaches


def printing(modules: Iterable[Module]) -> list[str]:
    """Find calls that print, outside the command line."""
    return [
        f"{module.at(node.lineno)}: only cli prints"
        for module in modules
        if module.part != "cli"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and _called(node) in PRINTING
    ]


def circles(modules: Iterable[Module]) -> list[str]:
    """Find modules that import each other, directly or by way of others.

    A package's first file counts as a module: one of its own modules must not import from it.
    """
    by_name = {module.name: module for module in modules}
    edges = {name: _neighbours(module, by_name) for name, module in by_name.items()}
    breaches = []
    done: set[str] = set()

    def follow(name: str, trail: tuple[str, ...]) -> None:
        if name in trail:
            circle = (*trail[trail.index(name) :], name)
            breaches.append(f"{PACKAGE}.{name}:1: imports itself: {' -> '.join(circle)}")
        elif name not in done:
            for target in sorted(edges[name]):
                follow(target, (*trail, name))
            done.add(name)

    for name in sorted(edges):
        follow(name, ())
    return breaches


def _neighbours(module: Module, by_name: Mapping[str, Module]) -> set[str]:
    """Name the package's modules that a module imports."""
    targets = set()
    for _, name in imported(module):
        top, _, rest = name.partition(".")
        owner = rest.rpartition(".")[0]
        if top == PACKAGE and rest in by_name:
            targets.add(rest)
        elif top == PACKAGE and owner in by_name and owner:
            targets.add(owner)
    return targets


def vague_names(modules: Iterable[Module]) -> list[str]:
    """Find modules and packages whose name says nothing."""
    return [
        f"{module.at(1)}: name it after what it owns"
        for module in modules
        if VAGUE_NAMES & set(module.name.split("."))
    ]


def silent_openings(modules: Iterable[Module]) -> list[str]:
    """Find modules that do not open with what they own, then with what they do not."""
    breaches = []
    for module in modules:
        opening = ast.get_docstring(module.tree) or ""
        first, _, rest = opening.partition("\n\n")
        if not first.startswith("Owns "):
            breaches.append(f'{module.at(1)}: open with """Owns … and say what')
        elif not rest.startswith("Does not "):
            breaches.append(f"{module.at(1)}: say after that what it Does not own")
    return breaches


def long_modules(modules: Iterable[Module]) -> list[str]:
    """Find modules that have grown past looking at twice."""
    return [
        f"{module.at(1)}: {lines} lines, {LONGEST_MODULE} at most"
        for module in modules
        if (lines := len(module.text.splitlines())) > LONGEST_MODULE
    ]


def house_files(root: Path) -> list[Path]:
    """List the files of the house, relative to its root: those in git, and those about to be.

    Outside a checkout, such as in an unpacked archive, that is every file but what tools leave
    behind and what is built.
    """
    # git is looked up on the path, as whoever types `git` does; nothing of it comes from outside.
    # A hook's own git settings would point it at another checkout.
    settings = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command
            command, cwd=root, env=settings, capture_output=True, check=True
        )
        names = done.stdout.decode().split("\0")
        found = [Path(name) for name in names if name]
    except (OSError, subprocess.CalledProcessError):
        found = [path.relative_to(root) for path in root.rglob("*")]
        left = re.compile(r"\.(venv|git|hypothesis|coverage.*|\w+_cache)$|__pycache__$|dist$")
        found = [
            path
            for path in found
            if not any(map(left.match, path.parts))
            and (path.parts[0] != "build" or path.name in {".gitignore", "README.md"})
        ]
    return [path for path in sorted(found) if (root / path).is_file()]


def strange_top_level(files: Iterable[Path]) -> list[str]:
    """Find what lies at the top of the house and does not belong there."""
    tops = sorted({path.parts[0] for path in files})
    return [
        f"{top}: not at the top of the house"
        for top in tops
        if top not in TOP_LEVEL and not top.startswith(".")
    ]


def machine_paths(root: Path, files: Iterable[Path], folders: Iterable[Path]) -> list[str]:
    """Find files that name a folder of this machine; their bytes are searched, pictures' too."""
    # A folder that every machine has, such as / or /tmp, says nothing about this one.
    telling = {str(folder) for folder in folders} - {"/", "/tmp", "/var/tmp", "."}  # noqa: S108
    if not telling:
        return []
    either = "|".join(sorted(map(re.escape, telling)))
    pattern = re.compile(rf"(?<![\w.~/-])(?:{either})(?:/[\w.]|(?![\w/.-]))".encode())
    return [breach for path in files for breach in _hits(root, path, pattern, "a machine's path")]


def registry_addresses(root: Path, files: Iterable[Path]) -> list[str]:
    """Find files that say where packages are fetched from: that is for the machine to know."""
    hosts = "|".join(map(re.escape, REGISTRIES))
    options = "|".join(f"--{option}" for option in ("index-url", "extra-index-url", "find-links"))
    pattern = re.compile(
        rf"https?://[\w.@:-]*(?:{hosts})|^\s*(?:{options})\b".encode(), re.MULTILINE
    )
    return [breach for path in files for breach in _hits(root, path, pattern, "a registry")]


def _hits(root: Path, path: Path, pattern: re.Pattern[bytes], what: str) -> Iterator[str]:
    """Say where in a file a pattern is found."""
    held = (root / path).read_bytes()
    for hit in pattern.finditer(held):
        line = held.count(b"\n", 0, hit.start()) + 1
        yield f"{path}:{line}: {what}: {hit.group().decode(errors='replace').strip()}"
