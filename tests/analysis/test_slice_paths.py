"""Slices by path: merged by the names around them, with sums that hold."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.analysis.tables import by_id
from app.analysis.tables import timeline as tables
from app.analysis.timeline import slice_paths as model
from app.analysis.timeline.intervals import lane_spans
from app.analysis.timeline.slice_paths import SlicePaths, slice_paths
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline
from fakes.timeline_desk import profile
from generators.timelines import timeline

Entry = tuple[float, float, str, str]
NESTED = timeline(
    [
        (
            "host",
            "main",
            [
                [(0.0, 10.0, "step 1", ""), (10.0, 8.0, "step 2", ""), (20.0, 5.0, "save", "")],
                [(1.0, 3.0, "load", ""), (5.0, 4.0, "run", ""), (11.0, 2.0, "load", "")],
                [(6.0, 1.0, "load", "")],
            ],
        ),
        ("host", "other", [[(2.0, 4.0, "step 3", "")]]),
    ]
)


def by_text(paths: SlicePaths) -> dict[str, tuple[int, float, float]]:
    """(count, total, self) by path."""
    rows = zip(paths.count.tolist(), paths.total.tolist(), paths.own.tolist(), strict=True)
    return dict(zip(paths.texts(np.arange(len(paths))), rows, strict=True))


def test_slices_with_equal_names_around_them_are_one_path() -> None:
    assert by_text(slice_paths(NESTED)) == {
        "step": (3, 22.0, 13.0),
        "save": (1, 5.0, 5.0),
        "step › load": (2, 5.0, 5.0),
        "step › run": (1, 4.0, 3.0),
        "step › run › load": (1, 1.0, 1.0),
    }


def test_a_range_cuts_and_lanes_limit() -> None:
    cut = slice_paths(NESTED, TimeRange(4.0, 12.0), np.array([0, 1, 4, 5, 6, 7]))
    assert by_text(cut)["step"] == (3, 10.0, 5.0)
    assert by_text(cut)["step › load"] == (1, 1.0, 1.0)
    alone = slice_paths(NESTED, None, np.array([3, 4, 5, 6]))
    assert by_text(alone) == {"load": (2, 5.0, 5.0), "run": (1, 4.0, 3.0), "run › load": (1, 1.0, 1.0)}


def test_a_path_stands_for_its_slices() -> None:
    table = by_id(profile(NESTED), "slice-paths")
    assert table is not None
    assert table.row_items is not None
    paths = table.columns[0].values
    assert isinstance(paths, tuple)
    assert table.row_items.items_of(np.array([paths.index("step › load")])).tolist() == [3, 5]
    assert by_id(profile(timeline([("a", "b", [[(0.0, 1.0, "x", "")]])])), "slice-paths") is None


def test_what_is_left_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "MOST_LEVELS", 2)
    monkeypatch.setattr(tables, "MOST_PATHS", 3)
    paths = slice_paths(NESTED)
    assert (len(paths), paths.deeper) == (4, 1)
    note = tables.paths_table(paths).note
    assert "1 path with a smaller total is not listed." in note
    assert "1 slice nested more than" in note


def test_unknown_durations_are_no_zero() -> None:
    untimed = np.zeros(8, np.bool_)
    untimed[2] = True
    paths = slice_paths(replace(NESTED, slices=replace(NESTED.slices, untimed=untimed)))
    count, total, own = by_text(paths)["save"]
    assert count == 1
    assert np.isnan((total, own)).all()


def test_a_long_path_loses_its_outermost_names() -> None:
    depth = 40
    line = timeline([("a", "b", [[(float(n), 100.0 - 2 * n, "x" * 90 + chr(97 + n % 26), "")] for n in range(depth)])])
    text = slice_paths(line).texts(np.array([depth - 1]))[0]
    assert len(text) == model.LONGEST + 1
    assert text.startswith("…")


@st.composite
def nested(draw: st.DrawFn) -> Timeline:
    """A lane of properly nested slices with few names."""
    rows: list[list[Entry]] = []
    spans = [(0, 256)]
    for _ in range(draw(st.integers(1, 5))):
        row: list[Entry] = []
        inside: list[tuple[int, int]] = []
        for low, high in spans:
            edges = sorted(draw(st.sets(st.integers(low, high), max_size=4)))
            for start, end in list(pairwise(edges))[::2]:
                row.append((float(start), float(end - start), draw(st.sampled_from("abc")), ""))
                inside.append((start, end))
        rows.append(row)
        spans = inside
    return timeline([("p", "t", rows)])


@given(nested())
def test_sums_hold(line: Timeline) -> None:
    paths = slice_paths(line)
    assert paths.count.sum() == len(line.slices.start)
    assert paths.own.sum() == lane_spans(line, 0).total
    inside = np.zeros(len(paths))
    below = paths.parent >= 0
    np.add.at(inside, paths.parent[below], paths.total[below])
    assert (inside <= paths.total).all()
    assert (paths.own == paths.total - inside).all()
    assert (paths.width == paths.total).all()
    right, parent = paths.left + paths.width, paths.parent[below]
    assert (paths.left[below] >= paths.left[parent]).all()
    assert (right[below] <= right[parent]).all()
    for low, high in pairwise(paths.first.tolist()):
        assert (paths.left[low + 1 : high] >= right[low : high - 1]).all()


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20), st.sampled_from("ab")), max_size=6), max_size=4)
)
def test_overlaps_widen_the_frames_around_them(rows: list[list[tuple[int, int, str]]]) -> None:
    stack = [sorted((float(start), float(length), name, "") for start, length, name in row) for row in rows]
    paths = slice_paths(timeline([("p", "t", stack)]))
    assert (paths.width >= paths.total).all()
    right, below = paths.left + paths.width, paths.parent >= 0
    assert (right[below] <= right[paths.parent[below]] + 1e-9).all()
