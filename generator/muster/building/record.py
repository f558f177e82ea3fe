"""The record of builds: what was written, whether it is up to date, and what may be removed."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import orjson

from muster.building.builder_edition import BUILDER_GROUP
from muster.building.inputs import Inputs, InputState, file_hash, reliable_signature
from muster.building.jobs import INDEX_GROUP, Request, SystemSummary
from muster.building.print_cache import CACHE_FOLDER
from muster.building.store import (
    STATE_FOLDER,
    has_link,
    is_relative_name,
    locked,
    refuse_link,
    remove_partial_files,
    write_whole,
)
from muster.dependencies import Dependency, FileSignature, file_signature
from muster.yamlfile.textfile import open_regular

if TYPE_CHECKING:
    from muster.building.plan import Plan

FORMAT_VERSION = 4
_MOST_BYTES = 64 * 1024 * 1024
"""The size of the largest record that is read."""
LARGEST_SIZE = 1_000_000
"""Every size that a layout remembers is smaller, and at least 0, in points or pixels."""
MAX_REQUESTS = 12
"""How many different calls are remembered, such as `build` and `build my-rules --only sheet`."""


@dataclass(slots=True)
class Output:
    """A file that was written: what it was made from, what it contains, how long it took."""

    fingerprint: str
    content: str
    """The hash of its bytes."""
    size: int
    pages: int
    seconds: float
    group: str = ""
    signature: FileSignature = ()
    sizes: dict[str, float] = field(default_factory=dict)
    """Type sizes that fitted in its layout, by what was fitted."""
    _touched: bool = field(default=False, init=False)

    @property
    def touched(self) -> bool:
        """Whether the file's signature changed, though its content did not."""
        return self._touched

    def state(self, path: Path) -> str:
        """Return `whole` if the file is as it was written, else `missing` or `altered`."""
        signature = file_signature(path)
        if not signature:
            return "missing"
        if signature == self.signature:
            return "whole"
        if signature[0] != self.size or file_hash(str(path)) != self.content:
            return "altered"
        signature = reliable_signature(signature)
        self._touched = self._touched or signature != self.signature
        self.signature = signature
        return "whole"


@dataclass(slots=True)
class GroupRecord:
    """A group of jobs as it was planned: its inputs, its jobs without data, and its armies."""

    inputs: list[Dependency]
    jobs: list[dict[str, Any]]
    armies: list[dict[str, Any]]


@dataclass(slots=True)
class RequestRecord:
    """One way to call a build, and the result of the last build that was called so."""

    plan_inputs: list[Dependency] = field(default_factory=list)
    """The inputs of the plan: which systems, armies and sheets there are, and what is in them."""
    program_inputs: list[Dependency] = field(default_factory=list)
    """The inputs that affect all data: Muster itself, and which libraries are installed."""
    template_inputs: list[Dependency] = field(default_factory=list)
    """The inputs that affect all prints: templates, style sheets, fonts and renderers."""
    templates_fingerprint: str = ""
    groups: dict[str, GroupRecord] = field(default_factory=dict)
    paths: list[str] = field(default_factory=list)
    """All outputs if nothing went wrong, else none."""
    illegal: list[tuple[str, str, int]] = field(default_factory=list)
    """Armies that are not legal: name, system, number of findings."""

    def all_inputs(self) -> Iterator[Dependency]:
        """Yield all that the documents of the request were made from."""
        yield from (*self.program_inputs, *self.template_inputs, *self.plan_inputs)


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file as the index lists it; an empty army means that it is the system's own."""

    system: str
    army: str
    kind: str
    title: str
    format: str
    paper: str
    size: int
    pages: int


@dataclass(frozen=True, slots=True)
class ListedArmy:
    """An army as the index lists it."""

    name: str
    legal: bool
    points: str
    limit: str
    findings: int
    elsewhere: str = ""
    """The path of its file, if that lies where only a build of this army finds it."""


@dataclass(slots=True)
class IndexRecord:
    """The contents of the index: files by path, systems by id, armies by `system/army`."""

    files: dict[str, ListedFile] = field(default_factory=dict)
    systems: dict[str, SystemSummary] = field(default_factory=dict)
    armies: dict[str, ListedArmy] = field(default_factory=dict)


class Record:
    """The record of the builds into one folder.

    A file that is missing, damaged or of another version counts as empty.
    """

    def __init__(self, out: Path) -> None:
        self.path = out / STATE_FOLDER / "record.json"
        self._clear()
        try:
            self._read(orjson.loads(_verified(_read_record(self.path))))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError):
            self._clear()

    def _clear(self) -> None:
        self.outputs: dict[str, Output] = {}
        self.requests: dict[str, RequestRecord] = {}
        self.index = IndexRecord()
        self.inputs = Inputs()

    def _read(self, data: Any) -> None:
        if data["version"] != FORMAT_VERSION:
            return
        for path, saved in data["outputs"].items():
            if not is_relative_name(path):
                raise ValueError("an output lies elsewhere")
            output: Output = _checked(Output(**saved))
            output.signature = tuple(output.signature)
            if not all(abs(float(size)) < LARGEST_SIZE for size in output.sizes.values()):
                raise ValueError("nothing has this size")
            self.outputs[path] = output
        listed = data["index"]
        if not all(is_relative_name(path) for path in listed["files"]):
            raise ValueError("a listed file lies elsewhere")
        self.index = IndexRecord(
            {path: _checked(ListedFile(**saved)) for path, saved in listed["files"].items()},
            {key: _checked(SystemSummary(**saved)) for key, saved in listed["systems"].items()},
            {key: _checked(ListedArmy(**saved)) for key, saved in listed["armies"].items()},
        )
        inputs = [Dependency(path, pattern) for path, pattern, _, _ in data["inputs"]]
        states = [InputState(tuple(seen), str(content)) for _, _, seen, content in data["inputs"]]
        self.inputs = Inputs(dict(zip(inputs, states, strict=True)))
        for key, saved in data["requests"].items():
            request = _checked(RequestRecord(**saved))
            request.paths = [str(path) for path in request.paths]
            request.illegal = [
                (str(name), str(system), int(findings))
                for name, system, findings in request.illegal
            ]
            request.plan_inputs = [inputs[n] for n in saved["plan_inputs"]]
            request.program_inputs = [inputs[n] for n in saved["program_inputs"]]
            request.template_inputs = [inputs[n] for n in saved["template_inputs"]]
            request.groups = {
                name: GroupRecord(
                    [inputs[n] for n in group["inputs"]], group["jobs"], group["armies"]
                )
                for name, group in saved["groups"].items()
            }
            self.requests[key] = request

    def save(self) -> None:
        """Write the record whole, with the inputs of the latest requests.

        Raises:
            OSError: If it cannot be written.
        """
        while len(self.requests) > MAX_REQUESTS:
            self.requests.pop(next(iter(self.requests)))
        number: dict[Dependency, int] = {}

        def numbered(inputs: Iterable[Dependency]) -> list[int]:
            return [number.setdefault(each, len(number)) for each in inputs]

        requests = {
            key: {
                "plan_inputs": numbered(request.plan_inputs),
                "program_inputs": numbered(request.program_inputs),
                "template_inputs": numbered(request.template_inputs),
                "templates_fingerprint": request.templates_fingerprint,
                "groups": {
                    name: {
                        "inputs": numbered(group.inputs),
                        "jobs": group.jobs,
                        "armies": group.armies,
                    }
                    for name, group in request.groups.items()
                },
                "paths": request.paths,
                "illegal": request.illegal,
            }
            for key, request in self.requests.items()
        }
        never_read = InputState((), "")
        content = orjson.dumps(
            {
                "version": FORMAT_VERSION,
                "outputs": self.outputs,
                "index": self.index,
                "inputs": [(*each, *self.inputs.states.get(each, never_read)) for each in number],
                "requests": requests,
            }
        )
        write_whole(self.path, _digest(content) + b"\n" + content)

    def remember(self, key: str, request: RequestRecord) -> None:
        """Remember a request as the latest one.

        Others that were made from an input that has another content now are forgotten: their
        documents are compared with what they would be made from now.
        """
        renewed = self.inputs.renewed
        self.requests = {
            other: known
            for other, known in self.requests.items()
            if other != key and renewed.isdisjoint(known.all_inputs())
        }
        self.requests[key] = request

    @property
    def touched(self) -> bool:
        """Whether the signature of any file changed, though its content did not."""
        return self.inputs.touched or any(output.touched for output in self.outputs.values())

    def all_whole(self, out: Path, paths: Iterable[str]) -> bool:
        """Return whether all of some outputs are as they were written."""
        return all(
            path in self.outputs and self.outputs[path].state(out / path) == "whole"
            for path in paths
        )


def _read_record(path: Path) -> bytes:
    """Return the content of a record.

    Raises:
        OSError: If it cannot be read, or is not a regular file.
        ValueError: If it is larger than any record.
    """
    with open_regular(path) as file:
        content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise ValueError("this is not what was written")
    return content


_PLAIN_TYPES: dict[str, Any] = {"str": str, "int": int, "float": (int, float), "bool": bool}
_Saved = TypeVar("_Saved")


def _checked(saved: _Saved) -> _Saved:
    """Return what was read, whose plain fields must have the types of their annotations.

    Raises:
        ValueError: If one has not: somebody else wrote the record.
    """
    for each in fields(saved):  # type: ignore[arg-type]  # one of our dataclasses
        if not isinstance(getattr(saved, each.name), _PLAIN_TYPES.get(str(each.type), object)):
            raise ValueError(f"{each.name} is not {each.type}")  # noqa: TRY004 - of the file, not ours
    return saved


def _digest(content: bytes) -> bytes:
    return sha256(content).hexdigest().encode()


def _verified(content: bytes) -> bytes:
    """Return what follows the first line, which must be its hash.

    Raises:
        ValueError: If it is not what was written.
    """
    digest, _, rest = content.partition(b"\n")
    if digest != _digest(rest):
        raise ValueError("this is not what was written")
    return rest


@dataclass(frozen=True, slots=True)
class UpToDate:
    """A build that is up to date: the number of its documents and pages, and its illegal armies.

    Each illegal army is given by its name, its system and the number of its findings; each file by
    its path in the output folder, in the order of the plan, the index last.
    """

    documents: int
    pages: int
    illegal: tuple[tuple[str, str, int], ...]
    paths: tuple[str, ...] = ()


def find_up_to_date(out: Path, request: Request) -> UpToDate | None:
    """Return the earlier build of a request, if nothing changed since and nothing went wrong then.

    Files that were touched are compared by content. If the content is the same, the record is
    saved with their new signatures, so that the next call is quick again.
    """
    record = Record(out)
    known = record.requests.get(request.key)
    if known is None or not known.paths:
        return None
    if any(map(record.inputs.changed, known.all_inputs())):
        return None
    if not record.all_whole(out, known.paths):
        return None
    if record.touched:
        # A build that runs at this moment saves the record anyway.
        with suppress(OSError):
            _save_unless_changed(record, out)
    documents = [
        record.outputs[path] for path in known.paths if record.outputs[path].group != INDEX_GROUP
    ]
    illegal = tuple((name, system, findings) for name, system, findings in known.illegal)
    pages = sum(each.pages for each in documents)
    return UpToDate(len(documents), pages, illegal, tuple(known.paths))


def _save_unless_changed(record: Record, out: Path) -> None:
    before = _read_record(record.path)
    with locked(out):
        if _read_record(record.path) == before:
            record.save()


def remove_unplanned(
    plan: Plan, record: Record, out: Path, request: Request
) -> tuple[list[str], list[str]]:
    """Remove the outputs that are no longer planned.

    All documents of an army whose file has gone leave with any build of its system; other
    documents leave with a build of all kinds. Systems that the list builder no longer offers leave
    with any build of it. What could not be planned this time, because of an error in a file, stays.

    Returns:
        The outputs removed, and those kept since they were altered.
    """
    failed_below = tuple(f"{group}{end}" for group in plan.failed for end in "/-")

    def in_new_builder(group: str) -> bool:
        system, *rest = group.split("/")
        return (
            system == BUILDER_GROUP
            and BUILDER_GROUP in plan.groups
            and not any(each.startswith(f"{system}/{rest[0]}/") for each in plan.failed)
        )

    def stays(group: str) -> bool:
        if group in plan.groups or group in ("", INDEX_GROUP):
            return True
        if group in plan.failed or group.startswith(failed_below):
            return True
        system, *rest = group.split("/")
        if system not in plan.whole_systems:
            everything = request.covers_all_systems and request.covers_all_kinds
            return not (everything or in_new_builder(group))
        if len(rest) < 2 or rest[0] != "armies":  # noqa: PLR2004 - a folder and a name
            return not request.covers_all_kinds
        if f"{system}/armies/{rest[1]}" in plan.groups:
            return not request.covers_all_kinds
        army = record.index.armies.get(f"{system}/{rest[1]}")
        return army is not None and bool(army.elsewhere) and Path(army.elsewhere).is_file()

    planned = {job.path for job in plan.jobs}
    old = [
        path
        for path, output in record.outputs.items()
        if path not in planned and not stays(output.group)
    ]
    return _remove_outputs(old, record, out)


def _remove_outputs(paths: Iterable[str], record: Record, out: Path) -> tuple[list[str], list[str]]:
    removed, left = [], []
    for path in sorted(paths):
        state = record.outputs.pop(path).state(out / path)
        if state == "altered" or has_link(out, path):
            left.append(path)
            continue
        with suppress(OSError):
            (out / path).unlink()
            removed.append(path)
        _remove_empty_folders((out / path).parent, out)
    return removed, left


def _remove_empty_folders(folder: Path, out: Path) -> None:
    """Remove a folder and those above it, up to the output folder, as long as they are empty."""
    while folder != out and out in folder.parents:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent


def clean(out: Path, *, cache_only: bool = False) -> tuple[list[str], list[str], int]:
    """Remove all that builds wrote into a folder, or only the cache of printed documents.

    Returns:
        The outputs removed, those kept since they were altered, and the bytes of the cache.

    Raises:
        OSError: If the folder cannot be written.
    """
    if not (out / STATE_FOLDER).is_dir():
        return [], [], 0
    refuse_link(out, f"{STATE_FOLDER}/{CACHE_FOLDER}")
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
        # Windows cannot remove a file that is locked; now the lock is released.
        shutil.rmtree(out / STATE_FOLDER, ignore_errors=True)
        with suppress(OSError):
            out.rmdir()
    return removed, left, size
