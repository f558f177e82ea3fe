"""Compare everything that Muster prints at two commits: a refactoring changes none of it.

    .venv/bin/python tests/compare_outputs.py main~20 .          # two commits; "." is this folder
    .venv/bin/python tests/compare_outputs.py main~20 . --words  # the words may differ, no fact may

Both sides run under the interpreter that runs this script. Each side builds every document of every
system and runs each command that prints a result; what comes out is kept below `--keep` (by default
a temporary folder), so that a side that is a commit is run only once. Exit codes: 0 the same,
1 differences, which are listed.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SYSTEMS = ("huzzah", "lshm-skirmish", "order-markers", "seven-years-war", "slaughterloo")
WORDS = {"message", "remedy", "allowed", "actual"}
"""The keys of a verdict whose values are words for people."""

COMMANDS = (
    *("build", "check", "clean", "diff", "doctor", "draft", "export", "impose", "lint", "list"),
    *("lookup", "new", "prove", "raise", "repair", "schema", "watch"),
)


@dataclass(frozen=True)
class Tree:
    """The files of one commit, or of the folder that one works in."""

    folder: Path

    def run(self, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
        """Run `muster` as it is in this tree, also where its package is still `generator`."""
        source = self.folder / "generator"
        renamed = (source / "muster").is_dir()
        environment = {
            **os.environ,
            "PYTHONPATH": str(source if renamed else self.folder),
            "MUSTER_CACHE_MB": "0",
            "COLUMNS": "100",
        }
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        return subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", "muster" if renamed else "generator", *words],
            cwd=cwd or self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )


def cases_of(tree: Tree, system: str, folder: Path) -> list[Path]:
    """Write the armies of a system's cases as army files and return them."""
    written = []
    for path in sorted((tree.folder / "tests" / "cases" / system).glob("*.yaml")):
        lines = path.read_text(encoding="utf-8").splitlines()
        first = lines.index("army:") + 1
        last = next((n for n, line in enumerate(lines) if line.startswith("findings:")), 0)
        if not last:
            continue  # The army cannot be read; its case names the problems instead.
        army = folder / f"{path.stem}.yaml"
        army.write_text("\n".join(line[2:] for line in lines[first:last]) + "\n", encoding="utf-8")
        written.append(army)
    return written


def commands_of(tree: Tree, scratch: Path) -> Iterator[tuple[str, list[str]]]:
    """Name each command that prints a result, with its words."""
    yield "help.txt", ["--help"]
    for command in COMMANDS:
        yield f"help/{command}.txt", [command, "--help"]
    yield "list.txt", ["list"]
    yield "lint.json", ["lint", "--format", "json"]
    yield "lint.txt", ["lint"]
    yield "schema.json", ["schema"]
    for system in SYSTEMS:
        armies = sorted((tree.folder / "armies" / system).glob("*.yaml"))
        names = [str(path.relative_to(tree.folder)) for path in armies]
        yield f"{system}/list.txt", ["list", system]
        yield f"{system}/export.json", ["export", system]
        yield f"{system}/prove.txt", ["prove", system]
        yield f"{system}/check.json", ["check", "--format", "json", *names]
        yield f"{system}/check.txt", ["check", *names]
        for path, name in zip(armies, names, strict=True):
            yield f"{system}/room-{path.stem}.txt", ["check", "--room", name]
            yield f"{system}/repair-{path.stem}.txt", ["repair", name]
        folder = scratch / system
        folder.mkdir()
        cases = [str(path.relative_to(scratch)) for path in cases_of(tree, system, folder)]
        yield f"{system}/cases.json", ["check", "--format", "json", *cases]
        yield f"{system}/cases.txt", ["check", *cases]
        for table in sorted((tree.folder / "content" / system / "tables").glob("*.yaml")):
            yield f"{system}/lookup/{table.stem}.txt", ["lookup", system, table.stem]
        for seed in (1, 2):
            target = scratch / "drafts" / f"{system}-{seed}"
            words = ["draft", system, "--seed", str(seed), "--out", str(target)]
            yield f"{system}/draft-{seed}.txt", words
    editions = ["content/huzzah", "content/slaughterloo"]
    yield "diff/systems.txt", ["diff", *editions]
    yield "diff/systems.json", ["diff", *editions, "--format", "json"]


def snapshot(tree: Tree, folder: Path) -> None:
    """Write all that a tree prints below a folder: `printed` by commands, `built` by the build."""
    scratch = Path(tempfile.mkdtemp(prefix="muster-scratch-"))
    printed = folder / "printed"
    commands = list(commands_of(tree, scratch))

    def keep(named: tuple[str, list[str]]) -> None:
        name, words = named
        # Cases are named by relative paths, so that no temporary folder is printed.
        done = tree.run(*words, cwd=scratch if "/cases." in name else None)
        target = printed / name
        target.parent.mkdir(parents=True, exist_ok=True)
        said = done.stdout + done.stderr + f"exit code {done.returncode}\n".encode()
        for path in (str(scratch), str(tree.folder)):
            said = said.replace(path.encode(), b"<folder>")
        target.write_bytes(said)

    # A case is read with the systems of its tree, copied since no link out of a folder is followed.
    for part in ("content", "templates", "armies"):
        shutil.copytree(tree.folder / part, scratch / part)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(keep, commands))
    if (scratch / "drafts").is_dir():
        shutil.copytree(scratch / "drafts", printed / "drafts")
    done = tree.run("build", "--out", str(folder / "built"), "--progress", "plain")
    if done.returncode not in {0, 1}:
        sys.exit(f"the build failed:\n{done.stderr.decode(errors='replace')}")
    shutil.rmtree(folder / "built" / ".muster", ignore_errors=True)
    shutil.rmtree(scratch, ignore_errors=True)


def side(name: str, kept: Path) -> Path:
    """Return the snapshot of a commit or of a folder, taken now unless a commit's is kept."""
    if Path(name).is_dir():
        target = kept / "working-tree"
        shutil.rmtree(target, ignore_errors=True)
        snapshot(Tree(Path(name).resolve()), target)
        return target
    git = ["git", "-C", str(ROOT)]
    commit = subprocess.run(  # noqa: S603 - our own git
        [*git, "rev-parse", f"{name}^{{commit}}"], capture_output=True, check=True, text=True
    ).stdout.strip()
    target = kept / commit
    if not target.is_dir():
        tree = kept / f"tree-{commit}"
        if not tree.is_dir():
            subprocess.run(  # noqa: S603 - as above
                [*git, "worktree", "add", "--quiet", "--detach", str(tree), commit], check=True
            )
        unfinished = kept / f"unfinished-{commit}"
        shutil.rmtree(unfinished, ignore_errors=True)
        snapshot(Tree(tree), unfinished)
        unfinished.rename(target)
        subprocess.run([*git, "worktree", "remove", "--force", str(tree)], check=True)  # noqa: S603
    return target


def without_words(value: object) -> object:
    """Return a JSON value without the texts that are for people."""
    if isinstance(value, dict):
        return {key: without_words(held) for key, held in value.items() if key not in WORDS}
    if isinstance(value, list):
        return [without_words(held) for held in value]
    return value


def facts(path: Path) -> object:
    """Return what a file says apart from its words; of a file of words, nothing."""
    if path.suffix == ".json" and "schema" not in path.name:
        text = re.sub(r"exit code \d+\n$", "", path.read_text(encoding="utf-8"))
        return without_words(json.loads(text))
    return None


def differences(before: Path, after: Path, *, words: bool) -> list[str]:
    """List the files that differ, each with the lines that do where it is a text."""
    names = {
        path.relative_to(folder)
        for folder in (before, after)
        for path in folder.rglob("*")
        if path.is_file()
    }
    found = []
    for name in sorted(names):
        old, new = before / name, after / name
        if not (old.is_file() and new.is_file()):
            found.append(f"only {'before' if old.is_file() else 'after'}: {name}")
        elif old.read_bytes() != new.read_bytes():
            if words and facts(old) == facts(new):
                continue
            found.append(f"differs: {name}")
            if name.suffix in {".txt", ".json", ".yaml"}:
                said, says = (
                    path.read_text(encoding="utf-8", errors="replace").splitlines()
                    for path in (old, new)
                )
                lines = difflib.unified_diff(said, says, "before", "after", n=0, lineterm="")
                found += [f"    {line[:200]}" for line in list(lines)[2:14]]
    return found


def main() -> int:
    """Compare two commits, print what differs, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", help="a git revision, or a folder")
    parser.add_argument("after", help="a git revision, or a folder")
    parser.add_argument("--words", action="store_true", help="texts for people may differ")
    parser.add_argument("--keep", type=Path, help="where snapshots are kept")
    options = parser.parse_args()
    kept = options.keep or Path(tempfile.mkdtemp(prefix="muster-outputs-"))
    kept.mkdir(parents=True, exist_ok=True)
    before, after = (side(name, kept) for name in (options.before, options.after))
    found = differences(before, after, words=options.words)
    print("\n".join(found) or "no difference")  # noqa: T201 - a script's result
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
