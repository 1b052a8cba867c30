"""Rows become sealed columns of the widths that the sections declare."""

from __future__ import annotations

from array import array

import numpy as np
import pytest

from app.formats.rows import Rows
from app.profile.popef import Executables, TensorData


def test_columns_have_the_declared_types_and_are_sealed() -> None:
    rows = Rows(TensorData)
    rows.add(3, 7, array("q", [2, -(2**62)]), 1, True, 5)
    rows.add(4, 8, array("q"), 2, False, 1)
    data = rows.finish()
    assert len(rows) == len(data) == 2
    assert [data.blob.dtype, data.feed.dtype, data.count.dtype] == [np.int32, np.bool_, np.int64]
    assert [data.shape.row(row).tolist() for row in range(2)] == [[2, -(2**62)], []]
    assert data.feed.tolist() == [True, False]
    for column in (data.blob, data.name, data.data_type, data.feed, data.count, data.shape.items, data.shape.first):
        assert not column.flags.writeable


def test_no_rows_are_empty_columns() -> None:
    data = Rows(TensorData).finish()
    assert len(data) == len(data.shape) == 0
    assert Rows(Executables).finish().compressed.dtype == np.bool_


def test_a_value_too_many_or_too_few_is_an_error() -> None:
    rows = Rows(Executables)
    rows.add(1, 2, True)
    with pytest.raises(ValueError, match="zip"):
        rows.finish()
