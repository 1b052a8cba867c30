"""Somebody truncates the column files of an open profile: the window survives, and reads the files again."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from app.store import codec, lost_pages
from fakes.told import told_by
from generators import poplar


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    poplar.write_pair(tmp_path, poplar.Scale(tiles_per_ipu=24, compute_sets=4, mode="COMPUTE_SETS", estimates=True))
    return tmp_path


@pytest.mark.skipif(not lost_pages.SUPPORTED, reason="lost pages are replaced on Linux only")
def test_mapped_columns_that_are_truncated_are_read_again(pair: Path, root: Path) -> None:
    told = told_by("fakes.truncated_window", pair, 0, root=root)
    assert told["files"] > 10
    assert told["differed"]  # until the files are read again
    assert told["notices"] == [
        f"{pair.name}: its cached columns were truncated by another program. Figures may be wrong until the files are "
        "read again."
    ]
    assert told["read again"]
    assert told["same"]
    assert told["trouble"] == []


@pytest.mark.skipif(sys.platform == "win32", reason="there a file that is open cannot be truncated")
def test_copied_columns_are_not_touched(pair: Path, root: Path) -> None:
    """Nothing is mapped of files up to this size, so nothing happens."""
    told = told_by("fakes.truncated_window", pair, codec.IN_MEMORY, root=root)
    assert told["files"] > 10
    assert not told["differed"]
    assert told["notices"] == told["trouble meanwhile"] == told["trouble"] == []
    assert not told["read again"]
