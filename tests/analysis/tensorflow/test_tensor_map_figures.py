"""Figures, tables, checks and links of tensor maps, against numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec.structs import replace

from app.analysis.checks import check
from app.analysis.figures import figures
from app.analysis.kinds import KINDS
from app.analysis.matrices import available, rows_table
from app.analysis.relations import translate
from app.analysis.search import search
from app.analysis.tables import by_id
from app.analysis.tables.tensorflow import places, tensors
from app.analysis.tensor_map import histogram, per_tile, tensor_matrix, tiles_of_ipu
from app.formats.tensor_map import FORMAT
from app.profile.profile import Profile, Target
from app.profile.selection import Selection
from app.profile.tensorflow import TensorMap
from generators import tensor_map
from generators.reading import profile_of
from generators.tensor_map import Tensor

MAP = {
    "entry": [
        Tensor("arg.1", [(0, 10), (3, 6)], (4, 4), "half", name="XLA_Args/x"),
        Tensor("const.2", [(3, 1)], (32, 32), "float", constant=True),
        Tensor("odd.3", [(5, 2)], (2,), "complex", output=1),
        Tensor("empty.4", [], (0,), "int"),
    ]
}


def read(computations: dict[str, list[Tensor]] | None = None, generation: int = 4) -> Profile:
    text = tensor_map.tensor_map(MAP if computations is None else computations, generation)
    return profile_of(FORMAT, text.encode(), "m.tensor_map.json")


def map_of(profile: Profile) -> TensorMap:
    assert profile.tensor_map is not None
    return profile.tensor_map


def cells(profile: Profile, table_id: str, *keys: str) -> list[tuple[Any, ...]]:
    table = by_id(profile, table_id)
    assert table is not None
    columns = {column.key: column for column in table.columns}
    return [tuple(columns[key].value(row) for key in keys) for row in range(table.rows)]


def test_main_figures() -> None:
    found = {figure.name: figure.value for figure in figures(read())}
    assert found == {
        "tensors.count": 4,
        "tensors.elements": 19,
        "tensors.tiles": 3,
        "tensors.bytes": 36,
        "tensors.computations": 1,
        "tensors.generation": "2020-02 or later",
        "tensors.worst_imbalance": 1.25,
    }
    empty = {figure.name: figure.value for figure in figures(read({}))}
    assert (empty["tensors.count"], empty["tensors.elements"], empty["tensors.tiles"]) == (0, 0, 0)


def test_tensors_as_a_table() -> None:
    keys = ("instruction", "name", "shape", "bytes", "elements", "tiles", "largest", "at", "imbalance", "constant")
    assert cells(read(), "mapped-tensors", *keys) == [
        ("arg.1", "XLA_Args/x", "4 × 4", 32, 16, 2, 10, 0, 1.25, False),
        ("const.2", "", "32 × 32", 4, 1, 1, 1, 3, 1.0, True),
        ("odd.3", "", "2", None, 2, 1, 2, 5, 1.0, False),
        ("empty.4", "", "0", 0, 0, 0, 0, None, None, False),
    ]
    assert cells(read(generation=1), "mapped-tensors", "shape", "name")[0] == (None, None)
    table = tensors(read(), np.array([False, True, True, False]))
    assert table is not None
    assert table.keys is not None
    assert (table.rows, table.keys.tolist()) == (2, [1, 2])
    assert [column.value(1) for column in table.columns if column.key in ("instruction", "bytes")] == ["odd.3", None]


def test_tiles_and_types_as_tables() -> None:
    keys = ("tile", "ipu", "tensors", "elements", "bytes")
    assert cells(read(), "mapped-tiles", *keys) == [
        (0, 0, 1, 10, 20),
        (1, 0, 0, 0, 0),
        (2, 0, 0, 0, 0),
        (3, 0, 2, 7, 16),
        (4, 0, 0, 0, 0),
        (5, 0, 1, 2, 0),
    ]
    types = {row[0]: row[1:] for row in cells(read(), "mapped-types", "type", "tensors", "elements", "bytes")}
    assert types == {"half": (1, 16, 32), "float": (1, 1, 4), "complex": (1, 2, None), "int": (1, 0, 0)}
    table = places(read(), np.array([3]))
    assert table is not None
    rows = [[column.value(row) for column in table.columns][:6] for row in range(table.rows)]
    assert rows == [[3, "arg.1", "XLA_Args/x", "half", 6, 12], [3, "const.2", "", "float", 1, 4]]
    first = cells(read(generation=2), "mapped-elements", "intervals")
    assert first == [(1,)] * 4


def test_the_histogram_of_a_tensor_and_sums_by_tile() -> None:
    found = map_of(read())
    assert histogram(found, 0).tolist() == [10, 0, 0, 6, 0, 0]
    assert histogram(found, -1).sum() == histogram(found, 99).sum() == 0
    assert per_tile(found, np.array([1])).bytes.tolist() == [0, 0, 0, 4, 0, 0]


def test_tiles_of_an_ipu_are_assumed_only_where_one_is_enough() -> None:
    assert tiles_of_ipu(read()) == 1216
    assert tiles_of_ipu(read({"c": [Tensor("a", [(1300, 1)])]})) == 1472
    assert tiles_of_ipu(read({"c": [Tensor("a", [(1500, 1)])]})) == 0
    assert cells(read({"c": [Tensor("a", [(1500, 1)])]}), "mapped-tiles", "tile")[-1] == (1500,)
    known = replace(read(), target=Target(kind="IPU", tiles_per_ipu=4))
    assert cells(known, "mapped-tiles", "ipu")[-1] == (1,)


def test_the_matrix_of_tensors_by_tiles() -> None:
    profile = read()
    matrix = tensor_matrix(map_of(profile))
    assert matrix is not None
    assert matrix.values.tolist() == [[20, 0, 0, 12, 0, 0], [0, 0, 0, 4, 0, 0], [0] * 6, [0] * 6]
    assert matrix.row_names.tolist() == ["arg.1", "const.2", "odd.3:1", "empty.4"]
    few = tensor_matrix(map_of(profile), cells=6)
    assert few is not None
    assert few.keys is not None
    assert (few.values.tolist(), few.keys.tolist()) == ([[20, 0, 0, 12, 0, 0]], [0])
    assert "The 1 largest of 4 tensors" in few.help
    chosen = tensor_matrix(map_of(profile), np.array([1, 0]))
    assert chosen is not None
    assert chosen.values[:, 3].tolist() == [4, 12]
    assert (chosen.item(0), chosen.rows_of(np.array([0, 5])).tolist()) == (1, [1])
    assert [one.id for one in available(profile)] == ["tensor-map"]
    table = rows_table(matrix)
    assert (table.selects, table.keys is not None) == ("mapped_tensor", True)
    assert tensor_matrix(map_of(read({}))) is None


def test_links_between_tensors_and_tiles() -> None:
    profile = read()
    assert translate(profile, Selection("mapped_tensor", (0,)), "tile").tolist() == [0, 3]
    assert translate(profile, Selection("tile", (3,)), "mapped_tensor").tolist() == [0, 1]
    assert translate(profile, Selection("tile", (4,)), "mapped_tensor").tolist() == []
    assert translate(profile, Selection("tile", tuple(range(600))), "mapped_tensor").tolist() == []
    assert KINDS["mapped_tensor"].name(profile, 0) == "arg.1"


def test_search_by_either_name() -> None:
    profile = read()
    assert [found.indices.tolist() for found in search(profile, "const")] == [[1]]
    assert [found.indices.tolist() for found in search(profile, "xla_args")] == [[0]]


def test_checks_say_what_does_not_add_up() -> None:
    bad = [
        Tensor("a", [(0, 3)], (2,), total=4),
        Tensor("b", [(0, 3), (1, 1), (0, 2)], (6,)),
        Tensor("c", [(9, 1)], (1,)),
    ]
    profile = read({"c": bad})
    told = [issue.text for issue in check(replace(profile, target=Target(kind="IPU", tiles=8)))]
    assert told == [
        "its tiles contain 3 elements, but its total is 4",
        "its tiles contain 3 elements, but its shape has 2",
        "tile 0 is listed more than once; its elements are added",
        "it names tile 9, but the target has 8 tiles: it belongs to another graph",
    ]
    assert histogram(map_of(profile), 1).tolist()[:2] == [5, 1]
    assert check(read()) == []
    assert check(read(tensor_map.network())) == []
