"""The record of builds: what was written, whether it is up to date, and what may be removed."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from muster.building.inputs import Inputs, InputState, file_hash, reliable_signature
from muster.building.jobs import Request
from muster.building.print_cache import CACHE_FOLDER
from muster.building.store import STATE_FOLDER, locked, remove_partial_files, write_whole
from muster.dependencies import Dependency, FileSignature, file_signature

FORMAT_VERSION = 2
MAX_REQUESTS = 12
"""How many different calls are remembered: `build`, `build club --only sheet` and so on."""


def _digest(held: bytes) -> bytes:
    return sha256(held).hexdigest().encode()


def _verified(held: bytes) -> bytes:
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
    group: str = ""
    signature: FileSignature = ()
    sizes: dict[str, float] = field(default_factory=dict)
    """What was remembered of its layout: type sizes that fit, by what was fitted."""
    _touched: bool = field(default=False, init=False)

    @property
    def touched(self) -> bool:
        """Whether its file was found touched, though it holds what it held."""
        return self._touched

    def state(self, path: Path) -> str:
        """Tell whether the file is as it was written: `whole`, `missing` or `altered`."""
        found = file_signature(path)
        if not found:
            return "missing"
        if found == self.signature:
            return "whole"
        if found[0] != self.size or file_hash(str(path)) != self.content:
            return "altered"
        kept = reliable_signature(found)
        self._touched = self._touched or kept != self.signature
        self.signature = kept
        return "whole"


@dataclass(slots=True)
class RequestRecord:
    """One way to call a build, and what came of it: its units, and whether all went well."""

    plan_inputs: list[Dependency] = field(default_factory=list)
    """What the plan itself rests on: which systems, armies and sheets there are."""
    program_inputs: list[Dependency] = field(default_factory=list)
    """What gathers data, whatever it holds: Muster itself, and which libraries are there."""
    template_inputs: list[Dependency] = field(default_factory=list)
    """What prints: templates, style sheets, fonts and renderers."""
    templates_fingerprint: str = ""
    groups: dict[str, dict[str, Any]] = field(default_factory=dict)
    paths: list[str] = field(default_factory=list)
    """All outputs, if all went well; else none."""
    illegal: list[tuple[str, str, int]] = field(default_factory=list)
    """Armies that are not legal: name, system, findings."""


class Record:
    """All that is remembered of builds into one folder."""

    def __init__(self, out: Path) -> None:
        self.path = out / STATE_FOLDER / "record.json"
        self.outputs: dict[str, Output] = {}
        self.requests: dict[str, RequestRecord] = {}
        self.inputs = Inputs()
        try:
            self._read(orjson.loads(_verified(self.path.read_bytes())))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError):
            self.outputs, self.requests, self.inputs = {}, {}, Inputs()

    def _read(self, data: Any) -> None:
        if data["shape"] != FORMAT_VERSION:
            return
        for path, each in data["outputs"].items():
            output = Output(**each)
            output.signature = tuple(output.signature)
            output.sizes = {key: float(size) for key, size in output.sizes.items()}
            self.outputs[path] = output
        parts = [Dependency(path, pattern) for path, pattern, _, _ in data["parts"]]
        self.inputs = Inputs(
            {
                part: InputState(tuple(found), str(content))
                for part, (_, _, found, content) in zip(parts, data["parts"], strict=True)
            }
        )
        for key, each in data["asked"].items():
            asked = RequestRecord(**each)
            asked.plan_inputs = [parts[n] for n in each["plan_inputs"]]
            asked.program_inputs = [parts[n] for n in each["program_inputs"]]
            asked.template_inputs = [parts[n] for n in each["template_inputs"]]
            for unit in asked.groups.values():
                unit["uses"] = [parts[n] for n in unit["uses"]]
            self.requests[key] = asked

    def save(self) -> None:
        """Write the record whole, with what the calls remembered last were made of.

        Raises:
            OSError: If it cannot be written.
        """
        while len(self.requests) > MAX_REQUESTS:
            self.requests.pop(next(iter(self.requests)))
        number: dict[Dependency, int] = {}

        def numbered(parts: Iterable[Dependency]) -> list[int]:
            return [number.setdefault(part, len(number)) for part in parts]

        asked = {
            key: {
                "plan_inputs": numbered(each.plan_inputs),
                "program_inputs": numbered(each.program_inputs),
                "template_inputs": numbered(each.template_inputs),
                "templates_fingerprint": each.templates_fingerprint,
                "groups": {
                    name: {**unit, "uses": numbered(unit["uses"])}
                    for name, unit in each.groups.items()
                },
                "paths": each.paths,
                "illegal": each.illegal,
            }
            for key, each in self.requests.items()
        }
        never = InputState((), "")
        parts = [(*part, *self.inputs.states.get(part, never)) for part in number]
        data = {"shape": FORMAT_VERSION, "outputs": self.outputs, "parts": parts, "asked": asked}
        held = orjson.dumps(data)
        write_whole(self.path, _digest(held) + b"\n" + held)

    def remember(self, key: str, asked: RequestRecord) -> None:
        """Remember a call as the latest one."""
        self.requests.pop(key, None)
        self.requests[key] = asked

    @property
    def touched(self) -> bool:
        """Whether anything was found touched that holds what it held."""
        return self.inputs.touched or any(each.touched for each in self.outputs.values())

    def all_whole(self, out: Path, paths: Iterable[str]) -> bool:
        """Tell whether outputs are all as they were written."""
        return all(
            path in self.outputs and self.outputs[path].state(out / path) == "whole"
            for path in paths
        )


@dataclass(frozen=True, slots=True)
class UpToDate:
    """A build that is up to date: its documents, their pages, and the armies that are not legal.

    Of such an army its name, its system and the count of its findings are known.
    """

    documents: int
    pages: int
    illegal: tuple[tuple[str, str, int], ...]


def find_up_to_date(out: Path, request: Request) -> UpToDate | None:
    """Tell what stands, if nothing changed since it was built and nothing went wrong then.

    Files that were touched are compared by content; if they hold what they held, that is
    remembered, so that the next look is quick again.
    """
    record = Record(out)
    asked = record.requests.get(request.key)
    if asked is None or not asked.paths:
        return None
    if any(
        record.inputs.changed(part)
        for part in (*asked.program_inputs, *asked.template_inputs, *asked.plan_inputs)
    ):
        return None
    if not record.all_whole(out, asked.paths):
        return None
    if record.touched:
        # Whoever builds at this moment writes the record anyway.
        with suppress(OSError):
            _save_unless_changed(record, out)
    return _summarise(record, asked)


def _save_unless_changed(record: Record, out: Path) -> None:
    before = record.path.read_bytes()
    with locked(out):
        if record.path.read_bytes() == before:
            record.save()


def _summarise(record: Record, asked: RequestRecord) -> UpToDate:
    made = [record.outputs[path] for path in asked.paths]
    documents = [each for each in made if each.group != "index"]
    pages = sum(each.pages for each in documents)
    illegal = tuple((name, system, findings) for name, system, findings in asked.illegal)
    return UpToDate(len(documents), pages, illegal)


if TYPE_CHECKING:
    from muster.building.plan import Plan

INDEX_GROUP = "index"
"""The unit of the index, which every build writes."""


def remove_unplanned(plan: Plan, record: Record, out: Path) -> tuple[list[str], list[str]]:
    """Take away outputs of which the plan knows nothing more; give them, and those left.

    What could not be planned this time, for a fault in a file, stays.
    """

    def wanted(unit: str) -> bool:
        if unit in plan.groups or unit in ("", INDEX_GROUP):
            return True
        below = tuple(f"{each}{end}" for each in plan.failed for end in "/-")
        return unit in plan.failed or unit.startswith(below)

    old = [path for path, output in record.outputs.items() if not wanted(output.group)]
    return _remove_outputs(old, record, out)


def _remove_outputs(paths: Iterable[str], record: Record, out: Path) -> tuple[list[str], list[str]]:
    removed, left = [], []
    for path in sorted(paths):
        state = record.outputs.pop(path).state(out / path)
        if state == "altered":
            left.append(path)
            continue
        with suppress(OSError):
            (out / path).unlink()
            removed.append(path)
        _remove_empty_folders((out / path).parent, out)
    return removed, left


def _remove_empty_folders(folder: Path, out: Path) -> None:
    """Take away folders that hold nothing any more, up to the output folder."""
    while folder != out and out in folder.parents:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent


def clean(out: Path, *, cache_only: bool = False) -> tuple[list[str], list[str], int]:
    """Take away all that builds wrote into a folder, or the cache of prints alone.

    Returns:
        The outputs taken away, those left since they were altered, and the bytes of the cache.

    Raises:
        OSError: If the folder cannot be written.
    """
    if not (out / STATE_FOLDER).is_dir():
        return [], [], 0
    removed: list[str] = []
    left: list[str] = []
    with locked(out):
        size = sum(path.stat().st_size for path in (out / STATE_FOLDER / CACHE_FOLDER).glob("*/*"))
        shutil.rmtree(out / STATE_FOLDER / CACHE_FOLDER, ignore_errors=True)
        if not cache_only:
            remove_partial_files(out)
            record = Record(out)
            removed, left = _remove_outputs(list(record.outputs), record, out)
            shutil.rmtree(out / STATE_FOLDER, ignore_errors=True)
    if not cache_only:
        # Windows keeps a lock that is held; now it is not.
        shutil.rmtree(out / STATE_FOLDER, ignore_errors=True)
        with suppress(OSError):
            out.rmdir()
    return removed, left, size
