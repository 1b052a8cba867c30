"""Small files that are hard on the readers of JSON, CBOR, tensor maps, event logs and PopEF: time and memory follow
their size."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest

from app.formats import source as source_module
from app.formats.collect import Collector
from app.formats.errors import FormatError
from app.formats.registry import by_id
from fakes.measured_read import measured
from generators.hostile_streams import CASES, Hostile
from generators.memory_source import MemorySource

GREEDY = ("long-text", "endless", "empty", "texts")
READS = 64
"""Times that a byte may be read from the file: some parts are gone through twice, and heads are looked at ahead."""


def sized(case: Hostile, size: int) -> bytes:
    """A file of the case of about ``size`` bytes."""
    return case.make(max(2, 100 * size // (len(case.make(200)) - len(case.make(100)))))


def written(cases: Iterable[Hostile], size: int, folder: Path) -> list[Path]:
    paths = []
    for case in cases:
        place = folder / f"{case.id}-{size}"
        place.mkdir()
        paths.append(place / case.name)
        paths[-1].write_bytes(sized(case, size))
    return paths


def test_time_follows_the_file(tmp_path: Path) -> None:
    """Four times the file takes less than nine times as long (sixteen if it were quadratic)."""
    small = measured(written(CASES, 15_000, tmp_path))
    large = measured(written(CASES, 60_000, tmp_path))
    slow = [
        f"{case.id}: {a['seconds']:.2f} s, then {b['seconds']:.2f} s"
        for case, a, b in zip(CASES, small, large, strict=True)
        if b["seconds"] > 9 * a["seconds"] + 0.3
    ]
    assert not slow


def test_memory_follows_the_file(tmp_path: Path) -> None:
    """Ten times the file and 100 million bytes, whatever lies in it."""
    greedy = [case for case in CASES if any(word in case.id for word in GREEDY)]
    told = measured(written(greedy, 150_000, tmp_path), megabytes=100)  # which fails where the memory does not do
    assert len(told) == len(greedy)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_each_byte_is_read_a_few_times(case: Hostile) -> None:
    """Where a short array costs a whole piece of the file, a file of short arrays costs hundreds of times its size."""
    content = sized(case, 40_000)
    source = MemorySource(content, case.name)
    with suppress(FormatError):
        by_id(_format(case)).read([source], Collector("hostile"))
    assert sum(length for _, length in source.reads) <= READS * len(content) + (1 << 20)


def _format(case: Hostile) -> str:
    known = {"m.tensor_map.json": "tensor-map", "m.popef": "popef"}
    logs = ("events", "compile", "trace")
    return known.get(case.name) or ("tensorflow-events" if case.name.startswith(logs) else "poplar")


@pytest.mark.parametrize(
    "name", ["json-empty-steps", "cbor-endless-steps", "json-empty-programs", "cbor-empty-nodes", "log-tiny-events"]
)
def test_next_to_nothing_very_often_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns of millions of empty records would take a hundred times the file."""
    monkeypatch.setattr(source_module, "FREE", 0)
    case = next(case for case in CASES if case.id == name)
    sink = Collector("hostile")
    said = ""
    try:
        by_id(_format(case)).read([MemorySource(case.make(5_000), case.name)], sink)
    except FormatError as error:
        said = str(error)
    said += " ".join(issue.text for profile in sink.profiles for issue in profile.issues)
    assert "implausible" in said or "exceed the limit for this file" in said
