"""`dev.py lines`: what counts as code, and the comparison with a commit."""

from __future__ import annotations

from pathlib import Path

import pytest

import dev_lines
from dev_lines import Size, floors, report, size

MODULE = '''"""A module.

Of two paragraphs."""

import os
from pathlib import (
    Path,
)

LIMIT = 3  # of anything
"""At most."""


def text() -> str:
    """A text."""
    # why
    return """two
lines"""
'''


def test_blank_lines_imports_docstrings_and_comments_are_no_code() -> None:
    assert size(MODULE) == Size(files=1, lines=18, code=4)
    assert size("") == Size(files=1, lines=0, code=0)


def test_floors_and_what_changed() -> None:
    now = floors(iter([("app/views/one.py", "a = 1\n"), ("app/views/two.py", "b = 2\nc = 3\n"), ("app/top.py", "")]))
    assert now == {"views": Size(2, 3, 3), dev_lines.TOP: Size(1, 0, 0)}
    lines = list(report(now, {"widgets": Size(1, 5, 5), "views": Size(1, 1, 1)}))
    assert lines[1].split() == ["views", "2", "(+1)", "3", "(+2)", "3", "(+2)"]
    assert lines[-1].split() == ["all", "3", "(+1)", "3", "(-3)", "3", "(-3)"]
    assert "(" not in "".join(report(now, {}))[len("floor") : -1].replace(dev_lines.TOP, "")


def test_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "app" / "views").mkdir(parents=True)
    (tmp_path / "app" / "views" / "one.py").write_text(MODULE)
    assert dev_lines.main(tmp_path, ["one", "two"]) == 2
    assert dev_lines.main(tmp_path, ["no-such-commit"]) == 1
    capsys.readouterr()
    assert dev_lines.main(tmp_path, []) == 0
    assert capsys.readouterr().out.splitlines()[-1].split() == ["all", "1", "18", "4"]
