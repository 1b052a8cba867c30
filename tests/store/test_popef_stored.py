"""The PopEF sections come back from the column store as they went in."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np

from app.formats import popef as format_
from app.formats.collect import Collector
from app.profile.profile import Section
from app.store.codec import read_section, write_section
from generators import popef, popef_network
from generators.memory_source import MemorySource


def same(left: object, right: object) -> bool:
    if isinstance(left, np.ndarray):
        return isinstance(right, np.ndarray) and left.dtype == right.dtype and np.array_equal(left, right)
    if is_dataclass(left):
        return type(left) is type(right) and all(
            same(getattr(left, field.name), getattr(right, field.name)) for field in fields(left)
        )
    return left == right


def stored(section: Section, path: Path) -> Section:
    return read_section(section.SECTION, write_section(section, path), path)


def test_blobs_and_model_survive_the_store(tmp_path: Path) -> None:
    for number, content in enumerate((popef_network.blobs(), [popef.header(9, 48)])):
        sink = Collector("popef")
        format_.FORMAT.read([MemorySource(b"".join(content))], sink)
        (profile,) = sink.profiles
        for name in ("blobs", "model"):
            section = profile.section(name)
            assert section is not None
            assert same(section, stored(section, tmp_path / f"{name}{number}"))
