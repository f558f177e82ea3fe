"""Measure repairs, proofs and what still fits, in seconds of one core after the solver's import.

No times are asserted, since they differ between machines. Run it by hand:
`.venv/bin/python tests/benchmarks/bench_repair.py`. A test that takes some minutes shows that
model and check agree on 2,000 random armies of each system:
`MUSTER_ARMIES=2000 .venv/bin/pytest -q tests/solver/test_encoding.py -k random`
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

begun = time.process_time()
from muster.armies import Army, army_from_document, check, load_army, load_book, load_composition  # noqa: E402
from muster.armies.books import book_ids  # noqa: E402
from muster.systems import Library  # noqa: E402
from muster.yamlfile import document_from_text  # noqa: E402

light = time.process_time() - begun
from muster.solver.additions import find_additions  # noqa: E402
from muster.solver.proofs import prove_system  # noqa: E402
from muster.solver.repairs import RepairedArmy, repair_army  # noqa: E402

heavy = time.process_time() - begun - light

RUNS = 5


def faulty() -> str:
    """Return the text of an army of thirty units with five errors.

    A battalion of 5 stands, a battery of 2, foot and horse in one group, high beside low morale,
    and no commander.
    """
    lines = ["system: seven-years-war", "book: prussia", "name: Faulty", "limit: 700", "commands:"]
    for turn in range(5):
        both = ", options: [high-morale, low-morale]" if turn == 2 else ""
        lines += ["  - general: {training: average}", "    groups:", "      - units:"]
        lines += [f"          - {{unit: musketeers, stands: {5 if turn == 0 else 4}}}"]
        lines += ["          - {unit: musketeers, stands: 3}"]
        lines += ["          - {unit: grenadiers, stands: 4}"]
        lines += ["          - {unit: hussars, stands: 3}"] if turn == 1 else []
        lines += ["      - units:", f"          - {{unit: hussars, stands: 4{both}}}"]
        lines += ["          - {unit: cuirassiers, stands: 3}", "      - units:"]
        lines += [f"          - {{unit: heavy-artillery, stands: {2 if turn == 3 else 1}}}"]
    return "\n".join(lines)


def write(text: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def repaired(name: str, army: Army, library: Library) -> None:
    """Repair an army a few times, and write the median time."""
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        found = repair_army(army, library)
        times.append(time.process_time() - start)
    assert isinstance(found, RepairedArmy)
    assert check(found.army).legal
    errors = sum(finding.severity == "error" for finding in check(army).findings)
    units = sum(node.count for node in army.units())
    write(
        f"{name:32} {units:4} units, {errors:2} errors, {len(found.changes):2} changes:"
        f" {sorted(times)[RUNS // 2]:6.3f} s"
    )


def main() -> None:
    """Write a line for each army and each system."""
    library = Library(ROOT)
    write(f"import: {light:.2f} s without the solver, {heavy:.2f} s more with it")
    for path in sorted((ROOT / "armies").glob("*/illegal.yaml")):
        repaired(f"{path.parent.name}, illegal.yaml", load_army(path, library), library)
    army = army_from_document(document_from_text(faulty(), "faulty.yaml"), library)
    repaired("thirty units with five faults", army, library)
    for path in sorted((ROOT / "armies").glob("*/typical.yaml")):
        start = time.process_time()
        find_additions(load_army(path, library))
        write(f"{path.parent.name:32} room: {time.process_time() - start:6.2f} s")
    for system_id in library.systems():
        system = library.system(system_id)
        books = [load_book(system, each) for each in book_ids(system)]
        start = time.process_time()
        proof = prove_system(load_composition(system), books, library, binding=False)
        write(f"{system_id:32} can be fielded: {time.process_time() - start:6.2f} s")
        start = time.process_time()
        proof = prove_system(load_composition(system), books, library)
        assert proof.sound
        write(f"{system_id:32} and every rule binds: {time.process_time() - start:6.2f} s")


if __name__ == "__main__":
    main()
