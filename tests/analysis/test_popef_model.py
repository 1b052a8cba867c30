"""Sizes, groups, added dimensions, links, figures and tables of PopEF models."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis.figures import figures
from app.analysis.popef.anchors import (
    element_sizes,
    elements,
    expected_payload,
    explained,
    own_shape,
    shape_text,
    tensor_bytes,
)
from app.analysis.relations import translate
from app.analysis.table import Table
from app.analysis.tables import available, by_id
from app.formats import popef as format_
from app.formats.collect import Collector
from app.profile.arrays import Ragged
from app.profile.popef import DATA_TYPES, Model
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from generators import popef, popef_network
from generators.memory_source import MemorySource


def opened(*blobs: bytes) -> Profile:
    sink = Collector("popef")
    format_.FORMAT.read([MemorySource(b"".join(blobs), "a.popef")], sink)
    return sink.profiles[0]


def model_of(profile: Profile) -> Model:
    assert profile.model is not None
    return profile.model


def table(profile: Profile, name: str) -> Table:
    made = by_id(profile, name)
    assert made is not None
    return made


def rows(profile: Profile, name: str, *keys: str) -> list[tuple[object, ...]]:
    made = table(profile, name)
    columns = {column.key: column for column in made.columns}
    return [tuple(columns[key].value(row) for key in keys) for row in range(made.rows)]


def ragged(*shapes: tuple[int, ...]) -> Ragged:
    lengths = np.array([len(shape) for shape in shapes], np.int64)
    return Ragged.of(lengths, np.array([size for shape in shapes for size in shape], np.int64))


@pytest.mark.parametrize(
    ("shape", "count"),
    [
        ((), 1),
        ((7,), 7),
        ((2, 3, 4), 24),
        ((0, 2**62, 2**62), 0),
        ((2**60,), 2**60),
        ((2**31, 2**31), 2**62),
        ((2**32, 2**32), -1),
        ((2**63 - 1, 2), -1),
        ((3, -1), -1),
        ((0, -1), -1),
    ],
)
def test_elements_of_a_shape(shape: tuple[int, ...], count: int) -> None:
    assert elements(ragged((5, 5), shape, (2,))).tolist() == [25, count, 2]


def test_bytes_of_every_data_type() -> None:
    widths = dict(zip(popef.NAMES, popef.SIZES, strict=True))
    assert {kind.name: kind.size for kind in DATA_TYPES} == widths
    numbers = np.array([-1, 0, 2, 3, 12, 14, 15, 65535], np.int32)
    assert element_sizes(numbers).tolist() == [-1, 1, 2, 4, 8, 1, -1, -1]
    assert tensor_bytes(ragged((2**60,), (2**60,), (3,)), np.array([12, 2, 99], np.int32)).tolist() == [-1, 2**61, -1]


def test_a_feeds_payload_is_all_its_tensors() -> None:
    blobs = (popef.feed("f", (2, 3), 2, 5), popef.feed("g", (2,), 3, 0), popef.tensor("s", (), 4))
    data = model_of(opened(*blobs)).tensors
    assert expected_payload(data).tolist() == [60, 0, 8]


@pytest.mark.parametrize(
    ("remote", "repeats", "replication", "per_replica", "shape", "text"),
    [  # the six examples of the PopEF user guide, 2.3.3, in its order
        (True, 3, 2, True, (2, 3, 8, 3, 1), "2 replicas × 3 repeats × [8, 3, 1]"),
        (True, 3, 1, True, (3, 8, 3, 1), "3 repeats × [8, 3, 1]"),
        (True, 3, 2, False, (3, 8, 3, 1), "3 repeats × [8, 3, 1]"),
        (False, 1, 1, False, (8, 3, 1), ""),
        (False, 3, 2, True, (2, 8, 3, 1), "2 replicas × [8, 3, 1]"),
        (True, 1, 2, True, (2, 8, 3, 1), "2 replicas × [8, 3, 1]"),
    ],
)
def test_added_dimensions_are_those_of_the_guides_examples(
    remote: bool, repeats: int, replication: int, per_replica: bool, shape: tuple[int, ...], text: str
) -> None:
    anchor = popef.Anchor("x", shape=shape, remote=remote, repeats=repeats, per_replica=per_replica)
    model = model_of(opened(popef.metadata(popef.Model(anchors=[anchor], replication=replication))))
    assert own_shape(model.anchors, model.metadata.replication_factor, 0) == (8, 3, 1)
    assert explained(model.anchors, model.metadata.replication_factor, 0) == text


def test_a_shape_without_the_dimensions_it_should_have_is_told() -> None:
    anchor = popef.Anchor("x", shape=(8, 3), per_replica=True)
    model = model_of(opened(popef.metadata(popef.Model(anchors=[anchor], replication=2))))
    text = explained(model.anchors, model.metadata.replication_factor, 0)
    assert text == "does not start with 2 replicas, which its flags require"


def test_a_monstrous_shape_is_cut_where_it_is_shown() -> None:
    assert shape_text((1,) * 32) == f"[{', '.join('1' * 32)}]"
    assert shape_text((1,) * 5000).endswith(", … 5,000 dimensions]")


def test_anchors_are_grouped_as_the_guide_prints_them() -> None:
    """The guide counts an output as provided when a tensor has its name."""
    assert rows(opened(*popef.guide_blobs()), "anchors", "group", "name", "handle", "programs", "size") == [
        ("Inputs (user provided)", "user_input", "h2d_user_input", "[5]", 8),
        ("Inputs (PopEF provided)", "input_parameter", "h2d_input_parameter", "[0]", 8),
        ("Outputs (user provided)", "Add:0", "anchor_d2h_Add:0", "[5]", 8),
        ("Outputs (PopEF provided)", "input_parameter", "weight_d2h_input_parameter", "[7]", 8),
    ]


def figure_values(profile: Profile) -> dict[str, object]:
    return {figure.name: figure.value for figure in figures(profile)}


def test_figures_of_the_guides_model() -> None:
    assert figure_values(opened(*popef.guide_blobs())) == {
        "popef.blobs": {"POPLAR_EXECUTABLE": 1, "METADATA": 1, "DATA_TENSOR": 1, "DATA_FEED": 0, "OPAQUE": 1},
        "popef.bytes": sum(len(blob) for blob in popef.guide_blobs()),
        "popef.tensor_bytes": 8,
        "popef.feed_bytes": 0,
        "popef.executables": ["3284579348837926701"],
        "popef.opaques": ["popart"],
        "popef.tensors": 1,
        "popef.feeds": 0,
        "popef.models": 1,
        "popef.anchors": 4,
        "popef.user_inputs": 1,
        "popef.popef_inputs": 1,
        "popef.user_outputs": 1,
        "popef.popef_outputs": 1,
        "popef.replication_factor": 1,
        "popef.ipus": 1,
        "popef.ipu_version": 2,
        "popef.device_iterations": 1,
        "popef.inference": True,
    }


def test_figures_that_only_metadata_can_tell_are_left_out_without_it() -> None:
    values = figure_values(opened(popef.tensor("x", (5,), 2), popef.feed("y", (3,), 6, 4), popef.header(7, 48)))
    assert values["popef.tensor_bytes"] == 10
    assert values["popef.feed_bytes"] == 12
    counts = values["popef.blobs"]
    assert isinstance(counts, dict)
    assert counts["unknown (7)"] == 1
    assert not {name for name in values if "put" in name or "anchor" in name or "ipu" in name}


def test_every_table_of_the_network_is_filled_and_even() -> None:
    profile = opened(*popef_network.blobs())
    made = {one.id: one for one in available(profile)}
    assert list(made) == [
        "blobs",
        "executables",
        "anchors",
        "tensors",
        "feeds",
        "opaques",
        "metadata",
        "options",
        "programs-map",
    ]
    for one in made.values():
        assert {len(column.values) for column in one.columns} == {one.rows}
        assert all(column.value(one.rows - 1) is None or column.key for column in one.columns)
    assert "not verified with a file written by the Graphcore SDK" in made["blobs"].note
    assert rows(profile, "executables", "name", "compressed", "uncompressed", "metadata", "opaques") == [
        (popef_network.EXECUTABLE, True, 181_337, 1, 1)
    ]
    assert rows(profile, "feeds", "name", "type", "shape", "count", "size", "bytes", "anchors") == [
        ("images", "F16", "[4, 24, 24, 3]", 6, 82944, 82944, 1)
    ]
    assert rows(profile, "opaques", "name", "executable", "linked") == [("popart", popef_network.EXECUTABLE, True)]
    assert ("device", "ipuLinkDomainSize", "2") in rows(profile, "options", "kind", "name", "value")
    assert sum(cell for (cell,) in rows(profile, "blobs", "share") if isinstance(cell, float)) == pytest.approx(100)


def test_metadata_and_programs_are_told_in_full() -> None:
    profile = opened(*popef.guide_blobs())
    fields = {key: value for key, value in rows(profile, "metadata", "key", "value")}  # noqa: C416
    assert fields == {
        "Version": "1",
        "Runs": "inference",
        "Replication factor": "1",
        "IPUs": "1",
        "IPU version": "2",
        "Processes": "1",
        "Pod": "no or not stated",
        "Device iterations": "1",
        "Seed handle": "",
        "Program flow: load": "[0, 1]",
        "Program flow: main": "[5]",
        "Program flow: save": "[7]",
    }
    programs = rows(profile, "programs-map", "index", "name", "flow", "anchors")
    assert programs[0] == (0, "WeightsFromHost", "load 1", 1)
    assert programs[2] == (2, "RandomSeedFromHost", "", 0)
    assert programs[5] == (5, "Program", "main 1", 2)
    assert len(programs) == 10


def test_programs_without_a_map_are_still_listed() -> None:
    profile = opened(popef.metadata(popef.Model(flow=((2,), (7, 2, 7), ()))))
    assert rows(profile, "programs-map", "index", "name", "flow") == [
        (2, "", "load 1, main 2"),
        (7, "", "main 1, main 3"),
    ]


@pytest.mark.parametrize(
    ("start", "indices", "end", "found"),
    [
        ("anchor", (1,), "tensor", [0]),
        ("anchor", (3,), "tensor", [0]),
        ("anchor", (0,), "tensor", []),
        ("tensor", (0,), "anchor", [1, 3]),
        ("tensor", (0,), "blob", [3]),
        ("blob", (3,), "tensor", [0]),
        ("blob", (3,), "anchor", [1, 3]),
        ("blob", (1,), "anchor", [0, 1, 2, 3]),  # the executable of the metadata
        ("blob", (0,), "anchor", [0, 1, 2, 3]),  # the metadata
        ("blob", (2,), "anchor", []),
        ("anchor", (0,), "blob", [0, 1]),  # the metadata and their executable
        ("anchor", (0, 1), "blob", [0, 1, 3]),
        ("tensor", (99,), "blob", []),
    ],
)
def test_links_lead_both_ways(start: Kind, indices: tuple[int, ...], end: Kind, found: list[int]) -> None:
    profile = opened(*popef.guide_blobs())
    assert translate(profile, Selection(start, indices), end).tolist() == found


def test_rows_select_what_they_stand_for() -> None:
    profile = opened(*popef_network.blobs())
    anchors = table(profile, "anchors")
    model = model_of(profile)
    assert anchors.selects == "anchor"
    for row in range(anchors.rows):
        assert anchors.columns[1].value(row) == model.strings.get(int(model.anchors.name[anchors.key(row)]))
    feeds = table(profile, "feeds")
    assert model.tensors.feed[feeds.key(0)]
    executables = table(profile, "executables")
    assert (executables.selects, executables.key(0)) == ("blob", 1)
