"""Typed columns: what the declared types make of cells in any form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from app.formats.ascend_bin.columns import Cells, finish
from app.formats.collect import Collector
from app.formats.events import Began
from app.formats.json.problems import Problems
from app.profile.ascend import TypedColumn


def column(*pieces: Sequence[Any], dtype: int | None = None, name: str = "c") -> TypedColumn | None:
    sink = Collector("ascend-bin")
    sink(Began("test", ()))
    cells = Cells(name)
    for piece in pieces:
        cells.add(list(piece))
    return finish(cells, dtype, Problems(sink, "test"), 0)


def made(*pieces: Sequence[Any], dtype: int | None = None, name: str = "c") -> TypedColumn:
    result = column(*pieces, dtype=dtype, name=name)
    assert result is not None
    return result


def said(found: TypedColumn) -> list[list[Any]]:
    """Cells as plain values, None for no data."""
    rows: list[list[Any]] = []
    for row in found.values.tolist():
        if found.strings is not None:
            rows.append([found.strings[code] if code >= 0 else None for code in row])
        else:
            rows.append([None if cell != cell or cell == -1 else cell for cell in row])
    return rows


def test_whole_numbers_for_each_core() -> None:
    found = made([[1, 2], [3, 4]], [[5, -1]], dtype=1)
    assert found.kind == "int"
    assert found.values.dtype == np.int32
    assert said(found) == [[1, 2], [3, 4], [5, None]]
    assert found.of_core(1).tolist() == [2, 4, -1]
    assert found.missing(1).tolist() == [False, False, True]
    assert found.of_core(7).tolist() == found.of_core(0).tolist()


def test_floats_that_are_whole_become_whole_numbers_and_others_stay() -> None:
    assert made([[15674.0], [3]], dtype=1).values.dtype == np.int32
    found = made([[15703.5], [3]], dtype=1)
    assert (found.kind, said(found)) == ("float", [[15703.5], [3.0]])
    assert made([2**40], dtype=1).values.dtype == np.int64


def test_whole_numbers_in_float_and_percent_columns_are_not_lost() -> None:
    assert said(made([[85], [-1], ["NA"]], dtype=4)) == [[85.0], [None], [None]]
    assert said(made([[7], [2.5]], dtype=2)) == [[7.0], [2.5]]


def test_texts_that_spell_numbers_and_words_for_no_data() -> None:
    assert said(made(["12", "NA", "N/A", "", None, 7], dtype=1)) == [[12], [None], [None], [None], [None], [7]]
    assert said(made([[True], [False]], dtype=1)) == [[1], [0]]


def test_text_columns_spell_numbers_out() -> None:
    assert said(made(["MTE2", None, 3, 2.5, ""], dtype=3)) == [["MTE2"], [None], ["3"], ["2.5"], [None]]


def test_the_hit_rate_that_earlier_writers_declare_as_text_is_a_percentage() -> None:
    found = made(["85.5", "NA"], dtype=3, name="L2Cache Hit Rate")
    assert (found.kind, said(found)) == ("percent", [[85.5], [None]])
    assert made(["high", "low"], dtype=3, name="L2Cache Hit Rate").kind == "text"


def test_shorter_lists_and_single_values_stand_for_all_cores() -> None:
    found = made([[1, 2, 3]], [[4]], [5], [[6, 7]], [[]], dtype=1)
    assert said(found) == [[1, 2, 3], [4, 4, 4], [5, 5, 5], [6, 7, 6], [None, None, None]]


def test_percentages_with_details() -> None:
    first = {"Percent": 0.25, "Details": {"Wait": 3, "Active": 1}}
    found = made([[first], [{"Percent": 0.5, "Details": {"Wait": 2}}]], [[{"Percent": -1, "Details": {}}]], dtype=100)
    assert (found.kind, said(found)) == ("details", [[25.0], [50.0], [None]])
    parts = found.details
    assert parts is not None
    assert parts.reasons.tolist() == ["Wait", "Active"]
    assert parts.first.tolist() == [0, 2, 3, 3]
    assert parts.reason.tolist() == [0, 1, 0]
    assert parts.count.tolist() == [3, 1, 2]


def test_details_of_uneven_rows_are_given_once_each() -> None:
    one, two = ({"Percent": share, "Details": {"Wait": n}} for share, n in ((0.1, 5), (0.2, 6)))
    found = made([[one, two], [two]], dtype=100)
    assert said(found) == [[10.0, 20.0], [20.0, 20.0]]
    assert found.details is not None
    assert found.details.first.tolist() == [0, 1, 2, 3, 3]
    assert found.details.count.tolist() == [5, 6, 6]


def test_rows_of_details_in_another_order() -> None:
    cells = [{"Percent": n / 10, "Details": {"a": n, "b": 2 * n}} for n in range(1, 4)]
    parts = made([[cell] for cell in cells], dtype=100).details
    assert parts is not None
    turned = parts.of_rows(np.array([2, 0, 1]), 1)
    assert turned.first.tolist() == [0, 2, 4, 6]
    assert turned.count.tolist() == [3, 6, 1, 2, 2, 4]


@pytest.mark.parametrize("value", [1e200, 10**400, ["", 10**400], {"Percent": 10**400, "Details": {"a": -(10**400)}}])
def test_implausible_numbers_are_no_data(value: Any) -> None:
    """Also where other cells of their column are texts, or where Python cannot make floats of them."""
    assert len(made([value, "text"]).values) == 2
    assert said(made([value, 3]))[0][0] is None


def test_register_states_are_kept_as_json_text() -> None:
    states = [{"regIndex": "R0", "regStatus": 2, "survivalTime": 4}]
    found = made([states, []], dtype=5)
    assert found.kind == "json"
    assert said(found) == [['[{"regIndex":"R0","regStatus":2,"survivalTime":4}]'], [None]]


def test_hidden_columns_are_left_out() -> None:
    assert column([1, 2], dtype=0) is None


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([1, 2], "int"),
        ([1.0, 2.0], "int"),
        ([1.5], "float"),
        (["a"], "text"),
        (["1", "NA"], "int"),
        ([{"x": 1}], "json"),
        ([None, None], "int"),
        ([[{"Percent": 1}]], "details"),
    ],
)
def test_undeclared_columns_are_what_their_cells_are(cells: list[Any], kind: str) -> None:
    assert made(cells).kind == kind


def test_numbers_that_cannot_be_divided_by_are_0() -> None:
    assert said(made([1e-320, 0.5], dtype=2)) == [[0.0], [0.5]]


def test_an_unknown_type_code_is_treated_as_undeclared() -> None:
    assert said(made([3], dtype=77)) == [[3]]


def test_uneven_rows_claim_no_memory_that_the_file_does_not_hold() -> None:
    wide = [list(range(50_000))]
    found = made(wide, [[n] for n in range(20_000)], dtype=1)
    assert found.values.shape == (20_001, 1)
    assert found.values[-1, 0] == 19_999


def test_a_column_that_appears_late_has_no_data_before() -> None:
    cells = Cells("late")
    cells.skip(2)
    cells.add([[7, 8]])
    sink = Collector("ascend-bin")
    sink(Began("test", ()))
    found = finish(cells, 1, Problems(sink, "test"), 0)
    assert found is not None
    assert said(found) == [[None, None], [None, None], [7, 8]]
