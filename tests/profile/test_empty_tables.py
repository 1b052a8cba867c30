"""What a source lacks is a table without rows, of the right types, and nobody builds it by hand."""

from __future__ import annotations

from typing import Any, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from msgspec import Struct, defstruct
from msgspec.structs import fields
from typing_extensions import TypeAliasType, TypeVar

from app.profile.arrays import I32, Ragged
from app.profile.empty import no_rows, without_alias
from app.profile.popef import Metadata
from app.profile.profile import SECTION_NAMES, Profile
from app.profile.strings import Strings
from app.profile.tensorflow import Attached
from app.profile.timeline import Counters, Slices


def test_columns_have_their_types_and_cannot_be_written() -> None:
    slices = no_rows(Slices)
    assert slices.start.dtype == np.float64
    assert slices.name.dtype == np.int32
    assert not slices.start.flags.writeable
    assert slices.untimed is None
    assert len(no_rows(Metadata).load) == 0
    assert no_rows(Attached).offset.dtype == np.int64
    assert no_rows(Counters, first=np.zeros(1, np.int64)).first.tolist() == [0]


def test_columns_may_be_of_an_alias() -> None:
    """As numpy's NDArray is from 2.5 on, under Python 3.12 and newer."""
    number = TypeVar("number", bound=np.generic)
    alias: Any = TypeAliasType("alias", np.ndarray[Any, np.dtype[number]], type_params=(number,))  # type: ignore[arg-type]
    made = no_rows(defstruct("Table", [("code", alias[np.uint32]), ("where", alias[np.integer[Any]])]))
    assert (made.code.dtype, made.where.dtype) == (np.uint32, np.int64)  # type: ignore[attr-defined]


def test_what_is_no_column_is_no_table() -> None:
    with pytest.raises(TypeError, match="no column"):
        no_rows(Profile)


@pytest.mark.parametrize("name", SECTION_NAMES)
def test_parts_of_a_section_need_not_be_given(name: str) -> None:
    """Its own columns must be; tables in it, and what may be None, have defaults."""
    section = get_args(get_type_hints(Profile)[name])[0]
    kinds = get_type_hints(section)
    for field in fields(section):
        if is_part(kinds[field.name]):
            assert not field.required, f"{name}.{field.name}"


def is_part(kind: Any) -> bool:
    if type(None) in get_args(kind):
        return any(_is_table(one) or get_origin(without_alias(one)) is np.ndarray for one in get_args(kind))
    return _is_table(kind) and kind not in (Strings, Ragged)


def _is_table(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def test_parts_are_told_from_columns() -> None:
    assert is_part(Slices)
    assert is_part(I32 | None)
    assert not is_part(float | None)
    assert not is_part(I32)
    assert not is_part(Strings)
