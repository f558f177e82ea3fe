"""Test that the types that the scripts of the list builder state in JSDoc agree with their code."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from muster.rendering.builder_files import SCRIPTS, without_comments
from tests.builder.conftest import ROOT

COMPILER = os.environ.get("MUSTER_TSC") or shutil.which("tsc")
"""The TypeScript compiler, such as one that `npm install typescript` put elsewhere."""

needs_compiler = pytest.mark.skipif(
    COMPILER is None, reason="there is no `tsc`; MUSTER_TSC may name that of `npm i typescript`"
)


def complaints(folder: Path, files: list[Path]) -> str:
    """Return what the compiler says of scripts; nothing is compiled."""
    options = {
        "noEmit": True,
        "allowJs": True,
        "checkJs": True,
        "target": "es2023",
        "lib": ["es2023", "dom", "dom.iterable"],
        "types": [],
    }
    names = [str(each) for each in (ROOT / "tests" / "builder" / "globals.d.ts", *files)]
    config = folder / "tsconfig.json"
    config.write_text(json.dumps({"compilerOptions": options, "files": names}), encoding="utf-8")
    assert COMPILER is not None
    call = [COMPILER, "--pretty", "false", "-p", str(config)]
    done = subprocess.run(call, capture_output=True, text=True, check=False, timeout=300)  # noqa: S603 - the compiler
    return done.stdout


@pytest.mark.slow
@needs_compiler
def test_types_of_the_scripts_agree_with_their_code(tmp_path: Path) -> None:
    folder = ROOT / "templates" / "builder"

    told = complaints(tmp_path, [folder / f"{name}.js" for name in SCRIPTS])

    assert told == "", told


@pytest.mark.slow
@needs_compiler
def test_a_wrong_type_is_found(tmp_path: Path) -> None:
    script = (ROOT / "templates" / "builder" / "army.js").read_text(encoding="utf-8")
    wrong = tmp_path / "army.js"
    wrong.write_text(script.replace("this.kind = kindOf(this);", "this.path = 1;"), "utf-8")

    assert "Type 'number' is not assignable to type 'string'" in complaints(tmp_path, [wrong])


def test_comments_of_scripts_are_left_out() -> None:
    script = (
        "/* One\n   two. */\nconst a = 1; // stays\n  // goes\n  /* goes */\n"
        '  a("// b");\n/** @type {A} */ b;\n'
    )

    assert without_comments(script) == 'const a = 1; // stays\na("// b");\nb;'
