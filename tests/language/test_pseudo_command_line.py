"""In the language for tests, whatever the command line writes bears the mark, but for data."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from app.language import PSEUDO
from app.preferred_language import VARIABLE
from dev_texts import for_people
from fakes.marked import without_marked

SAMPLES = ("matmul_leakyrelu.bin", "resnet_inference.popef", "resnet-1472-tiles")
DATA = re.compile(r"--\S+( [A-Z]\S*)?|\b[A-Z]+\b(\|[A-Z]+)*|\S*[/._]\S*|tilesight( \w+)?|-h|\{light,dark\}")
"""Options, their arguments, names of files and of this program."""


def run(root: Path, *words: str) -> str:
    """What the program writes in the pseudo language, marked texts cut out."""
    environment = os.environ | {VARIABLE: PSEUDO, "COLUMNS": "10000", "PYTHONUTF8": "1"}
    command = [sys.executable, str(root / "main.py"), *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, encoding="utf-8", check=False)
    return without_marked(done.stdout + done.stderr)


def test_marked_texts_are_cut_out() -> None:
    assert without_marked("⟦à ⟦b⟧ c⟧ left ⟦d⟧") == " left "


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["info", "--help"],
        ["export", "--help"],
        ["scaling", "--help"],
        ["dump", "--help"],
        ["info", "no_such.bin"],
        ["export", "no_such.bin", "--table", "x", "-o", "x.csv"],
    ],
    ids=" ".join,
)
def test_help_and_refusals_bear_the_mark(root: Path, words: list[str]) -> None:
    rest = [DATA.sub("", line) for line in run(root, *words).splitlines()]
    assert [line for line in rest if for_people(line)] == []


def test_figures_and_lists_bear_the_mark(root: Path) -> None:
    samples = [str(root / "resources" / "samples" / name) for name in SAMPLES]
    listed = run(root, "tables", *samples).splitlines()
    assert len(listed) > 60
    rest = [DATA.sub("", line) for line in listed if "--plot" not in line and "memory-table/" not in line]
    assert [line for line in rest if for_people(line)] == []
