"""Sections survive the column store bit for bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.formats.errors import FormatError
from app.profile.strings import Strings
from app.profile.timeline import Lanes, Pieces, Slices, Timeline
from app.store.codec import write_section


def timeline(slices: int) -> Timeline:
    count = np.arange(slices)
    i32, i64, f64 = count.astype(np.int32), count.astype(np.int64), count.astype(np.float64) / 3
    return Timeline(
        unit="µs",
        seconds_per_unit=1e-6,
        strings=Strings.of(["core0", "µs", ""]),
        lanes=Lanes(i32[:1], i32[:1], np.array([0, 1], np.int32)),
        slices=Slices(f64, f64, i32, i32, i64, i64, np.array([0, slices], np.int64)),
        pieces=Pieces(0, i64, i64, i64),
    )


@pytest.mark.parametrize("slices", [0, 1, 7, 100_000])
def test_section_comes_back_as_it_was(tmp_path: Path, slices: int) -> None:
    before = timeline(slices)
    after = write_section(before, tmp_path / "columns").section(tmp_path)
    assert isinstance(after, Timeline)
    assert after.strings.tolist() == ["core0", "µs", ""]
    assert after.seconds_per_unit == 1e-6
    assert after.pieces is not None
    np.testing.assert_array_equal(after.slices.start, before.slices.start)
    np.testing.assert_array_equal(after.slices.first, before.slices.first)
    assert after.slices.name.dtype == np.int32


def test_what_comes_back_is_read_only(tmp_path: Path) -> None:
    after = write_section(timeline(3), tmp_path / "columns").section(tmp_path)
    assert isinstance(after, Timeline)
    with pytest.raises(ValueError, match="read-only"):
        after.slices.start[0] = 1.0


def test_a_column_file_that_is_too_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "columns"
    columns = write_section(timeline(1000), path)
    path.chmod(0o600)
    with path.open("r+b") as file:
        file.truncate(500)
    with pytest.raises(FormatError, match="does not match"):
        columns.section(tmp_path)


def test_matrices_keep_shape_and_width(tmp_path: Path) -> None:
    wide = timeline(6)
    path = tmp_path / "columns"
    skeleton = write_section(wide, path).skeleton
    assert skeleton["slices"]["start"]["shape"] == [6]
    assert skeleton["slices"]["start"]["type"] == "<f8"
    assert skeleton["slices"]["start"]["at"] % 64 == 0


def test_columns_are_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "columns"
    path.write_bytes(b"somebody else's")
    with pytest.raises(FileExistsError):
        write_section(timeline(1), path)
    assert path.read_bytes() == b"somebody else's"
