"""A small rule system to test with: the one that `muster new system` writes.

A test lays it out in a folder of its own, and spoils in it what it wants to see found.
"""

from pathlib import Path
from typing import Final

from muster.cli.new import fill_gaps

SCAFFOLD: Final = Path(__file__).resolve().parent.parent / "templates" / "new" / "system"
SYSTEM: Final = "club"
SHIPPED: Final = sorted(
    path.parent.name
    for path in (Path(__file__).resolve().parent.parent / "content").glob("*/system.yaml")
)
"""The ids of the systems that Muster ships."""


def lay_out(folder: Path, name: str = SYSTEM) -> Path:
    """Write the system and its first army below a folder; return the system's folder."""
    values = {"id": name, "title": "Club rules", "army": "First army"}
    content = folder / "content" / name
    for path in [*SCAFFOLD.rglob("*.yaml"), *SCAFFOLD.rglob("*.md")]:
        part = path.relative_to(SCAFFOLD)
        target = content / part
        if part == Path("army.yaml"):
            target = folder / "armies" / name / "first.yaml"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(fill_gaps(path.read_text(encoding="utf-8"), values), encoding="utf-8")
    return content


def spoil(path: Path, old: str, new: str) -> None:
    """Replace a text that must occur exactly once in a file."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times in {path.name}"
    path.write_text(text.replace(old, new), encoding="utf-8")
