"""A part of a file that is read as if the file ended with it."""

from __future__ import annotations

import pytest

from app.formats.collect import Collector
from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.json.walk import JsonWalk
from app.formats.source import Stretch
from app.formats.walk import Broken
from generators.memory_source import MemorySource

CONTENT = b'xxxx{"a":[1,2],"b":{"c":"d"}}yyyy'


def walk(begin: int, end: int) -> JsonWalk:
    sink = Collector("test")
    return JsonWalk(Stretch(MemorySource(CONTENT), end), Problems(sink, "test"), begin=begin)


def test_offsets_are_those_of_the_file() -> None:
    stretch = Stretch(MemorySource(CONTENT), 10)
    assert stretch.size == 10
    assert stretch.read(4, 6) == CONTENT[4:10]
    assert list(stretch.chunks(4, 4)) == [(4, CONTENT[4:8]), (8, CONTENT[8:10])]
    for offset, length in ((4, 7), (-1, 2), (11, 0)):
        with pytest.raises(FormatError) as caught:
            stretch.read(offset, length)
        assert caught.value.offset == offset


def test_a_stretch_is_never_longer_than_its_source() -> None:
    assert Stretch(MemorySource(CONTENT), 10**9).size == len(CONTENT)


def test_a_walk_stays_inside() -> None:
    inside = walk(4, len(CONTENT) - 4)
    assert {key: inside.value() for key in inside.members()} == {"a": [1, 2], "b": {"c": "d"}}
    cut = walk(4, 12)
    with pytest.raises(Broken) as caught:
        list(cut.members())
    assert caught.value.offset is not None
    assert 4 <= caught.value.offset <= 12
