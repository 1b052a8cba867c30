"""Steps collected in parts are those of one part, and written in any style they are the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.formats.poplar.steps import StepRecord, StepsBuilder, StepsPart, merged
from app.profile.poplar import Steps
from app.profile.profile import Profile
from generators import poplar
from generators.trees import plain, write_cbor, write_json

SCALE = poplar.Scale(mode="COMPUTE_SETS", tiles_per_ipu=4, compute_sets=5, loops=2)

a_number = st.none() | st.floats(allow_nan=False) | st.integers(-3, 2**50).map(float)
a_step = st.builds(
    StepRecord,
    type=st.none() | st.sampled_from(["", "Sync", "sync", "DoExchange", "StreamCopy", "Neu"]),
    name=st.none() | st.text(max_size=5),
    program=a_number,
    exchange=a_number,
    host_exchange=a_number,
    cycles=a_number,
    tile_balance=a_number,
)


def part(records: list[tuple[int, StepRecord]]) -> StepsPart:
    builder = StepsBuilder()
    for place, record in records:
        builder.add([record], np.array([place], np.int64))
    return builder.part()


def values(steps: Steps) -> dict[str, list[Any]]:
    columns = {name: getattr(steps, name) for name in Steps.__struct_fields__ if name != "strings"}
    assert columns.pop("number") is None
    return {**{name: column.tolist() for name, column in columns.items()}, "strings": steps.strings.tolist()}


@given(st.lists(a_step, max_size=12), st.integers(0, 12), st.sets(st.integers(0, 10)))
def test_parts_are_merged_in_order(records: list[StepRecord], border: int, lost: set[int]) -> None:
    read_ones = [(place, record) for place, record in enumerate(records) if place not in lost]
    cut = min(border, max((place for place, _ in read_ones), default=0))
    before = [pair for pair in read_ones if pair[0] < cut]
    behind = [(place - cut, record) for place, record in read_ones if place >= cut]
    first = part(before)
    first = first.padded(cut)
    np.testing.assert_equal(values(merged([first, part(behind)])), values(merged([part(read_ones)])))


def floats(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {key: floats(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [floats(value) for value in tree]
    return float(tree) if type(tree) is int else tree


def reordered(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {key: reordered(tree[key]) for key in sorted(tree, key=lambda key: key[::-1])}
    return [reordered(value) for value in tree] if isinstance(tree, list) else tree


@pytest.mark.parametrize("style", [floats, reordered])
@pytest.mark.parametrize("write", [write_json, lambda path, tree: write_json(path, tree, indent=2), write_cbor])
def test_styles_of_writing(tmp_path: Path, style: Any, write: Any) -> None:
    """Whole numbers may be written as floats (12.0), in matrices and in steps; keys come in any order."""
    run = plain(poplar.execution(SCALE))
    own, other = (profile(write(tmp_path / f"{name}.json", tree)) for name, tree in (("a", run), ("b", style(run))))
    assert own.steps is not None
    assert other.steps is not None
    assert other.issues == own.issues == ()
    np.testing.assert_equal(values(other.steps), values(own.steps))
    assert own.measured_cycles is not None
    assert other.measured_cycles is not None
    np.testing.assert_array_equal(other.measured_cycles.compute_sets, own.measured_cycles.compute_sets)


def profile(path: Path) -> Profile:
    (read_one,) = read(FORMAT, [path])
    return read_one
