"""Owns what a build remembers for the next one, in one file that is written whole.

Does not decide what is due. A record that is missing, broken or of another shape counts as
empty: all is found out anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from generator.pipeline.parts import Parts, Seen, file_hash, reliable
from generator.pipeline.store import HOME, write_whole
from generator.uses import Part, Signature, signature

SHAPE = 2
MOST_ASKED = 12
"""How many different calls are remembered: `build`, `build club --only sheet` and so on."""


def _digest(held: bytes) -> bytes:
    return sha256(held).hexdigest().encode()


def _checked(held: bytes) -> bytes:
    """Give what stands below its own hash; a record is not trusted without.

    Raises:
        ValueError: If it is not what was written.
    """
    digest, _, rest = held.partition(b"\n")
    if digest != _digest(rest):
        raise ValueError("this is not what was written")
    return rest


@dataclass(slots=True)
class Output:
    """A file that was written: what it was made from, what it holds, what it cost."""

    fingerprint: str
    content: str
    size: int
    pages: int
    seconds: float
    unit: str = ""
    signature: Signature = ()
    sizes: dict[str, float] = field(default_factory=dict)
    """What was remembered of its layout: type sizes that fit, by what was fitted."""
    _touched: bool = field(default=False, init=False)

    @property
    def touched(self) -> bool:
        """Whether its file was found touched, though it holds what it held."""
        return self._touched

    def state(self, path: Path) -> str:
        """Tell whether the file is as it was written: `whole`, `missing` or `altered`."""
        found = signature(path)
        if not found:
            return "missing"
        if found == self.signature:
            return "whole"
        if found[0] != self.size or file_hash(str(path)) != self.content:
            return "altered"
        kept = reliable(found)
        self._touched = self._touched or kept != self.signature
        self.signature = kept
        return "whole"


@dataclass(slots=True)
class Asked:
    """One way to call a build, and what came of it: its units, and whether all went well."""

    uses: list[Part] = field(default_factory=list)
    """What the plan itself rests on: which systems, armies and sheets there are."""
    program: list[Part] = field(default_factory=list)
    """What gathers data, whatever it holds: Muster itself, and which libraries are there."""
    looks: list[Part] = field(default_factory=list)
    """What prints: templates, style sheets, fonts and renderers."""
    mark: str = ""
    units: dict[str, dict[str, Any]] = field(default_factory=dict)
    paths: list[str] = field(default_factory=list)
    """All outputs, if all went well; else none."""
    illegal: list[tuple[str, str, int]] = field(default_factory=list)
    """Armies that are not legal: name, system, findings."""


class Record:
    """All that is remembered of builds into one folder."""

    def __init__(self, out: Path) -> None:
        self.path = out / HOME / "record.json"
        self.outputs: dict[str, Output] = {}
        self.asked: dict[str, Asked] = {}
        self.parts = Parts()
        try:
            self._read(orjson.loads(_checked(self.path.read_bytes())))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError):
            self.outputs, self.asked, self.parts = {}, {}, Parts()

    def _read(self, data: Any) -> None:
        if data["shape"] != SHAPE:
            return
        for path, each in data["outputs"].items():
            output = Output(**each)
            output.signature = tuple(output.signature)
            output.sizes = {key: float(size) for key, size in output.sizes.items()}
            self.outputs[path] = output
        parts = [Part(path, pattern) for path, pattern, _, _ in data["parts"]]
        self.parts = Parts(
            {
                part: Seen(tuple(found), str(content))
                for part, (_, _, found, content) in zip(parts, data["parts"], strict=True)
            }
        )
        for key, each in data["asked"].items():
            asked = Asked(**each)
            asked.uses = [parts[n] for n in each["uses"]]
            asked.program = [parts[n] for n in each["program"]]
            asked.looks = [parts[n] for n in each["looks"]]
            for unit in asked.units.values():
                unit["uses"] = [parts[n] for n in unit["uses"]]
            self.asked[key] = asked

    def save(self) -> None:
        """Write the record whole, with what the calls remembered last were made of.

        Raises:
            OSError: If it cannot be written.
        """
        while len(self.asked) > MOST_ASKED:
            self.asked.pop(next(iter(self.asked)))
        number: dict[Part, int] = {}

        def numbered(parts: Iterable[Part]) -> list[int]:
            return [number.setdefault(part, len(number)) for part in parts]

        asked = {
            key: {
                "uses": numbered(each.uses),
                "program": numbered(each.program),
                "looks": numbered(each.looks),
                "mark": each.mark,
                "units": {
                    name: {**unit, "uses": numbered(unit["uses"])}
                    for name, unit in each.units.items()
                },
                "paths": each.paths,
                "illegal": each.illegal,
            }
            for key, each in self.asked.items()
        }
        never = Seen((), "")
        parts = [(*part, *self.parts.seen.get(part, never)) for part in number]
        data = {"shape": SHAPE, "outputs": self.outputs, "parts": parts, "asked": asked}
        held = orjson.dumps(data)
        write_whole(self.path, _digest(held) + b"\n" + held)

    def remember(self, key: str, asked: Asked) -> None:
        """Remember a call as the latest one."""
        self.asked.pop(key, None)
        self.asked[key] = asked

    @property
    def touched(self) -> bool:
        """Whether anything was found touched that holds what it held."""
        return self.parts.touched or any(each.touched for each in self.outputs.values())

    def whole(self, out: Path, paths: Iterable[str]) -> bool:
        """Tell whether outputs are all as they were written."""
        return all(
            path in self.outputs and self.outputs[path].state(out / path) == "whole"
            for path in paths
        )
