"""Sections of Ascend operator files survive the column store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import Struct

from app.formats.ascend_bin import FORMAT
from app.store.codec import write_section
from generators.ascend_bin import block, device_instructions, small
from generators.reading import profile_of


def same(before: Any, after: Any) -> None:
    assert type(before) is type(after) or isinstance(before, np.ndarray)
    if isinstance(before, np.ndarray):
        assert before.dtype == after.dtype
        np.testing.assert_array_equal(before, after)
        assert not after.flags.writeable
    elif isinstance(before, Struct):
        for name in before.__struct_fields__:
            same(getattr(before, name), getattr(after, name))
    elif isinstance(before, tuple):
        assert len(before) == len(after)
        for one, other in zip(before, after, strict=True):
            same(one, other)
    else:
        assert before == after


@pytest.mark.parametrize(
    "content",
    [small(1), small(2), small(3), block(4, device_instructions()), block(0x0E, b"{}"), block(5, b"{}")],
    ids=["first", "second", "third", "device", "empty cache", "empty operator"],
)
def test_every_section_comes_back_as_it_was(content: bytes, tmp_path: Path) -> None:
    profile = profile_of(FORMAT, content)
    assert profile.filled()
    for name in profile.filled():
        section = profile.section(name)
        assert section is not None
        same(section, write_section(section, tmp_path / name).section(tmp_path))


def test_no_column_of_a_section_can_be_written_to() -> None:
    def columns(value: Any) -> list[np.ndarray]:
        if isinstance(value, np.ndarray):
            return [value]
        parts = [getattr(value, name) for name in value.__struct_fields__] if isinstance(value, Struct) else []
        parts += value if isinstance(value, tuple) else ()
        return [column for part in parts for column in columns(part)]

    profile = profile_of(FORMAT, small())
    for name in profile.filled():
        for column in columns(profile.section(name)):
            assert not column.flags.writeable, name
