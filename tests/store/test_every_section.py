"""What readers make of a small file of every format comes back from the store, texts with what they were made from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec import Struct

from app.formats.collect import read
from app.formats.registry import FORMATS, by_id
from app.language import Message
from app.profile.profile import SECTION_NAMES
from app.store.codec import pack_section
from soak.corpus import cases


@pytest.mark.parametrize("name", [known.id for known in FORMATS])
def test_sections_come_back_as_they_were(name: str, tmp_path: Path) -> None:
    for number, case in enumerate(cases(name)):
        paths = []
        for file, content in case.files.items():
            path = tmp_path / str(number) / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.whole())
            paths.append(path)
        for profile in read(by_id(name), paths):
            for section in filter(None, (getattr(profile, each) for each in SECTION_NAMES)):
                assert_same(section, pack_section(section).section(None), section.SECTION)


def assert_same(before: object, after: object, place: str) -> None:
    if isinstance(before, np.ndarray):
        np.testing.assert_array_equal(after, before, place, strict=True)
    elif isinstance(before, list | tuple):
        assert isinstance(after, list | tuple), place
        for number, (one, other) in enumerate(zip(before, after, strict=True)):
            assert_same(one, other, f"{place}[{number}]")
    elif isinstance(before, dict):
        assert isinstance(after, dict), place
        assert list(before) == list(after), place
        for key in before:
            assert_same(before[key], after[key], f"{place}.{key}")
    elif isinstance(before, Struct):
        assert type(after) is type(before), place
        for name in before.__struct_fields__:
            assert_same(getattr(before, name), getattr(after, name), f"{place}.{name}")
    else:
        assert after == before or (before != before and after != after), place
        assert isinstance(after, Message) or not isinstance(before, Message), place
