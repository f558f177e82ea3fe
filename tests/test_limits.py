"""Test that the limits are told as they are."""

from __future__ import annotations

import re
from pathlib import Path

from muster import limits

README = Path(__file__).parent.parent / "content" / "README.md"


def test_readme_tells_every_limit_with_a_reason() -> None:
    section = README.read_text(encoding="utf-8").partition("## Limits")[2]
    rows = re.findall(r"^\| [^|]+ \| (\d+) \| [^|]+ \|$", section, re.MULTILINE)
    values = [value for name, value in vars(limits).items() if name.isupper()]

    assert sorted(map(int, rows)) == sorted(values)
