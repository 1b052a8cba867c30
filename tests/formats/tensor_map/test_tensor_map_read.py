"""Tensor maps of the four generations, whole and broken."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import registry
from app.formats.errors import FormatError
from app.formats.tensor_map import FORMAT
from app.profile.profile import Profile
from app.profile.tensorflow import TensorMap
from generators import tensor_map
from generators.reading import profile_of, profiles_of
from generators.tensor_map import Tensor

COMPUTATIONS = {
    "cluster_1__.42": [
        Tensor("arg0.1", [(0, 10), (3, 6)], (4, 4), "half", name="XLA_Args/_arg_x_0_0/_3"),
        Tensor("constant.2", [(7, 1)], (32, 32), "float", constant=True, aliases=True),
        Tensor("add.0", [], (0,), "int", output=1),
    ],
    "empty": [],
    "region.7": [Tensor("reduce.1", [(1215, 5)], (5,), "bool")],
}


def read(text: str | bytes, name: str = "m.tensor_map.json") -> tuple[Profile, TensorMap]:
    profile = profile_of(FORMAT, text.encode() if isinstance(text, str) else text, name)
    assert profile.tensor_map is not None
    return profile, profile.tensor_map


def texts(found: TensorMap, ids: Any) -> list[str]:
    return [found.strings.get(i) for i in ids.tolist()]


@pytest.mark.parametrize("generation", [1, 2, 3, 4])
@pytest.mark.parametrize("key", ["mappings", "mapping"])
@pytest.mark.parametrize("indent", [None, 3])
def test_each_generation(generation: int, key: str, indent: int | None) -> None:
    profile, found = read(tensor_map.tensor_map(COMPUTATIONS, generation, key, indent))
    tensors = found.tensors
    assert profile.issues == ()
    assert texts(found, tensors.instruction) == ["arg0.1", "constant.2", "add.0", "reduce.1"]
    assert texts(found, tensors.computation) == ["cluster_1__.42"] * 3 + ["region.7"]
    assert found.first.tolist() == [0, 2, 3, 3, 4]
    assert found.tile.tolist() == [0, 3, 7, 1215]
    assert found.count.tolist() == [10, 6, 1, 5]
    assert found.intervals.tolist() == ([1] * 4 if generation < 3 else [])
    assert tensors.elements.tolist() == [16, 1, 0, 5]
    assert (tensors.constant.tolist(), tensors.aliases.tolist()) == ([0, 1, 0, 0], [0, 1, 0, 0])
    assert tensors.output.tolist() == [0, 0, 1, 0]
    kinds = ["half", "float", "", "bool"] if generation == 1 else ["half", "float", "int", "bool"]
    assert texts(found, tensors.type) == kinds
    shapes = [tensors.shape.row(row).tolist() for row in range(4)]
    assert shapes == ([[]] * 4 if generation == 1 else [[4, 4], [32, 32], [0], [5]])
    assert texts(found, tensors.name) == (["XLA_Args/_arg_x_0_0/_3", "", "", ""] if generation == 4 else [""] * 4)
    expected = 3 if generation == 2 else generation
    assert tensors.generation.tolist() == [generation, generation, expected, generation]


def test_no_tensors_are_no_error() -> None:
    for text in ('{"mappings": null}', '{"mappings": {}}', '{"mappings": {"c": null, "d": []}}'):
        profile, found = read(text)
        assert len(found) == 0
        assert found.first.tolist() == [0]
        assert profile.issues == ()


def test_the_name_is_the_module() -> None:
    assert read(tensor_map.tensor_map(COMPUTATIONS), "cluster_1.tensor_map.json")[0].name == "cluster_1"
    assert read(tensor_map.tensor_map(COMPUTATIONS), "tensor_map.json")[0].name == "tensor_map.json"


BAD: list[tuple[Any, str]] = [
    (["add.0", 0, [32, 32], "float", 0, 0, 2, 256, [[0, 1]]], "eighth item"),
    (["add.0", 0], "eighth item"),
    ([5, 0, [], "float", 0, 0, 2, []], "first item"),
    (["a", 0, [-1], "float", 0, 0, 2, []], "shape"),
    (["a", 0, "x", "float", 0, 0, 2, []], "shape"),
    (["a", 0, [1], "float", 0, 0, 2, [[0, 1], [1]]], "expected lists of equal length"),
    (["a", 0, [1], "float", 0, 0, 2, [0, 1]], "expected lists of equal length"),
    (["a", 0, [1], "float", 0, 0, 2, [[0, 1.5]]], "expected only whole numbers"),
    (["a", 0, [1], "float", 0, 0, 2, [["0", "1"]]], "expected only whole numbers"),
    (["a", 0, [1], "float", 0, 0, 2, [[0, 1, 2, 3]]], "neither two nor three"),
    (["a", 0, [1], "float", 0, 0, 2, [[-1, 1]]], "an implausible tile"),
    (["a", 0, [1], "float", 0, 0, 2, [[2**31, 1]]], "an implausible tile"),
    (["a", 0, [1], "float", 0, 0, 2, [[2**70, 1]]], "does not fit into 64 bits"),
    (["a", 0, [1], "float", 0, 0, 2, [[0, 2**40]]], "more elements on a tile"),
    (["a", 0, [1], "float", 0, 0, 2, [[0, -1]]], "more elements on a tile"),
    ({"inst_name": "a"}, "no inst_name or no list"),
    ({"inst_name": "a", "tiles": [5]}, "not an object"),
    ({"inst_name": "a", "tiles": [{"tile_id": None, "num_elements": 4}]}, "expected only whole numbers"),
    ("text", "not a list"),
    (None, "not a list"),
]


@pytest.mark.parametrize(("bad", "text"), BAD)
def test_a_tensor_that_is_none_is_left_out(bad: Any, text: str) -> None:
    good = tensor_map.tensor(Tensor("good"))
    profile, found = read(json.dumps({"mappings": {"c": [good, bad, good]}}))
    assert len(found) == 2
    (issue,) = profile.issues
    assert issue.severity == "warning"
    assert issue.text.startswith("tensor 1 of computation c is skipped: ")
    assert text in issue.text


def test_figures_that_cannot_be_meant_are_not_stated() -> None:
    tensor = ["a", -1, [1], 5, 2, "x", 2**70, [[0, 1]], None]
    _, found = read(json.dumps({"mappings": {"c": [tensor]}}))
    tensors = found.tensors
    figures = (tensors.output, tensors.type, tensors.constant, tensors.aliases, tensors.elements, tensors.name)
    assert [int(column[0]) for column in figures] == [-1] * 6


def test_a_map_that_ends_in_the_middle_shows_the_tensors_before() -> None:
    text = tensor_map.tensor_map(COMPUTATIONS)
    profile, found = read(text[: text.index("region.7") + 30])
    assert len(found) == 3
    assert "cannot be read completely" in profile.issues[-1].text


@pytest.mark.parametrize("text", ["[]", "{}", '{"mapping', '{"other": {}}', "not valid JSON", '{"mappings": {"a": [1'])
def test_what_is_no_map_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="not a tensor map"):
        read(text)


@pytest.mark.parametrize(
    ("name", "text", "format_id"),
    [
        ("x.json", tensor_map.tensor_map(COMPUTATIONS), "tensor-map"),
        ("x.json", tensor_map.tensor_map(COMPUTATIONS, 1, indent=2), "tensor-map"),
        ("m.tensor_map.json", '{"mappings": null}', "tensor-map"),
        ("m.tensor_map.json", '{"version": 1, "mapping": {}}', "tensor-map"),
    ],
)
def test_content_decides(tmp_path: Path, name: str, text: str, format_id: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert registry.sniff(path).id == format_id


def test_mappings_of_other_programs_are_left_alone() -> None:
    for text in (b'{"mappings": {"properties": {"a": 1}}}', b'{"mappings": {}}', b'{"mappings": {"a": ["b"]}}', b"[]"):
        assert FORMAT.sniff(text, Path("index.json")) == 0


def test_a_large_map_takes_memory_like_its_columns() -> None:
    tensors = [Tensor(f"a.{n}", tensor_map.linear(100_000, 1000, n)) for n in range(300)]
    text = tensor_map.tensor_map({"c": tensors}).encode()
    tracemalloc.start()
    try:
        profile = profile_of(FORMAT, text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert profile.tensor_map is not None
    assert len(profile.tensor_map.tile) == 300_000
    assert profile.tensor_map.count.dtype == np.uint8
    assert peak < 4 * len(text) + 16_000_000  # a piece of the text takes most of the latter


BASE = tensor_map.tensor_map(COMPUTATIONS).encode()
EDITS = st.lists(
    st.tuples(
        st.integers(0, 2000), st.binary(min_size=1, max_size=3) | st.sampled_from([b"null", b"9" * 20, b"[", b"]"])
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=300)
@given(st.sampled_from([BASE, tensor_map.tensor_map(COMPUTATIONS, 1).encode()]), EDITS, st.none() | st.integers(0, 900))
def test_only_format_errors_come_out_of_mutated_maps(
    base: bytes, edits: list[tuple[int, bytes]], cut: int | None
) -> None:
    content = bytearray(base)
    for at, value in edits:
        content[at % len(content) : at % len(content) + len(value)] = value
    try:
        profiles = profiles_of(FORMAT, bytes(content[:cut]))
    except FormatError:
        return
    for profile in profiles:
        found = profile.tensor_map
        assert found is not None
        assert int(found.first[-1]) == len(found.tile) == len(found.count)
        assert len(found.first) == len(found) + 1
