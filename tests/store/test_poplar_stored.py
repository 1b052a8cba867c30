"""The Poplar sections come back from the column store as they went in."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest

from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.store.codec import read_section, write_section
from generators import poplar


def same(left: object, right: object) -> bool:
    if isinstance(left, np.ndarray):
        if not isinstance(right, np.ndarray) or left.dtype != right.dtype:
            return False
        return np.array_equal(left, right, equal_nan=left.dtype.kind == "f")
    if is_dataclass(left):
        return type(left) is type(right) and all(
            same(getattr(left, field.name), getattr(right, field.name)) for field in fields(left)
        )
    if isinstance(left, dict):
        return isinstance(right, dict) and list(left) == list(right) and all(same(left[k], right[k]) for k in left)
    return left == right


@pytest.mark.parametrize("mode", ["IPU_MODEL", "COMPUTE_SETS", "VERTICES", "NONE"])
def test_sections_survive_the_store(tmp_path: Path, mode: str) -> None:
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path, poplar.Scale(mode=mode, named_liveness=True)))
    for name in profile.filled():
        section = profile.section(name)
        assert section is not None
        path = tmp_path / name
        assert same(section, read_section(name, write_section(section, path), path)), name
