"""Columns from the cache whose values, with the right checksum, are others than readers make: damaged, and nothing
else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from app.analysis import tables
from app.analysis.figures import figures
from app.formats.collect import read
from app.formats.registry import FORMATS, by_id
from app.profile.arrays import Array
from app.profile.bounds import Ends, Index, Offsets, Parents, TextEnds
from app.profile.profile import SECTION_NAMES, Profile, Section
from app.store.codec import SECTION_TYPES, pack_section
from app.store.column_bounds import Field, fields_of, wrong_column
from soak.corpus import cases

NUMBERS: dict[str, str] = {
    "Target": "relative_sync_delay",
    "VertexTypes": "sizes",
    "Strings": "blob",
    "ComputeSets": "cycles active_cycles active_cycles_by_type",
    "Ragged": "items",  # declared where they are indices
    "ExchangeList": "sent received cycles code",
    "InstructionBytes": "bytes",
    "TileMemory": "interleaved interleaved_with_gaps non_interleaved non_interleaved_with_gaps overflowed "
    "overflowed_with_gaps total total_with_gaps always_live temporary_max",
    "Categories": "bytes totals",
    "Liveness": "bytes depth",
    "LiveVariables": "number size steps",
    "VertexCycles": "cycles",
    "MeasuredCycles": "compute_sets compute_sets_single external_exchanges host_exchanges",
    "Steps": "cycles cycles_from cycles_to overlapped active_tiles data number",
    "Slices": "record address",
    "Pieces": "offset size first",
    "ReportFiles": "size",
    "Variables": "number equivalence size offset alignment",
    "Lines": "line range_start range_end",
    "Instructions": "address line",
    "Workload": "unit",
    "CoreLoad": "core",
    "MemoryPaths": "path",
    "Cache": "sets",
    "CacheLines": "line",
    "CacheSide": "range_start range_end",
    "MemoryAccesses": "core record address size pc",
    "CallStacks": "pc line column",
    "RawBlocks": "offset payload size padding version reserved",
    "Entries": "type header offset size",
    "OnchipBlocks": "part address size allocated start end",
    "Blobs": "offset size header_size info_size payload_size",
    "Metadata": "replication_factor ipus processes ipu_version device_iterations",
    "Anchors": "repeats",
    "TensorData": "count",
    "Executables": "uncompressed_size",
    "HostEvents": "ordinal step bytes offset size",
    "Attached": "offset size",
    "TransferTensors": "bytes",
    "TensorMap": "count intervals",
    "MappedTensors": "output constant aliases elements",
    "Capture": "rank device",
    "Kernels": "step stream task context start duration wait blocks mix_blocks connection",
    "Collectives": "step start end count connection",
    "Packets": "step count",
    "Links": "step source target",
    "TrainingSteps": "step start end device_start device_end",
    "MemoryRecord": "time allocated reserved active",
    "MemoryOperators": "size allocated_at released_at inactive_at",
    "Calls": "count",
    "TaskCores": "number thread",
    "Tasks": "token run blocks",
    "Blocks": "dispatch receive start end finish",
    "Dependencies": "argument",
    "WorkerCores": "device x y zones firmware kernel",
    "Zones": "line count cycles most cores total",
    "Runs": "device run cores cycles most",
    "Operations": "device call",
    "NocTransfers": "bytes",
    "NocLinks": "device x y",
    "MemoryDevices": "device rows columns l1 base",
    "MemoryOperations": "number dram buffers",
    "CoreMemory": "used parts gap free",
    "Buffers": "device layout address size",
    "Tensors": "number device address",
}
"""Columns of integers that count, measure or number something, and are no index."""
AS_STORED: dict[str, str] = {
    "Programs": "compute_set exchange call control functions",
    "Liveness": "program",
    "Execution": "trace",
    "VertexCycles": "compute_set type",
    "Steps": "program compute_set exchange",
    "MemoryAccesses": "operation space block_type",
    "RawBlocks": "type",
    "Blobs": "type",
    "ProgramNames": "index",
    "Anchors": "data_type type",
    "TensorData": "data_type",
    "HostEvents": "type",
    "Variables": "tile",
}
"""Numbers that are unchanged from the file, often about another file: whoever follows them checks them."""


def records() -> set[type[Struct]]:
    """All records that sections consist of."""
    seen: set[type[Struct]] = set()

    def walk(hint: Any) -> None:
        if isinstance(hint, type) and issubclass(hint, Struct) and hint not in seen:
            seen.add(hint)
            for own in get_type_hints(hint).values():
                walk(own)
        for part in get_args(hint):
            walk(part)

    for section in SECTION_TYPES.values():
        walk(section)
    return seen


def is_undeclared(field: Field) -> bool:
    integers = field.number is np.generic or np.issubdtype(field.number or np.float64, np.integer)
    return field.bound is None and bool(integers)


def test_every_column_of_integers_is_declared_or_known_to_be_no_index() -> None:
    undeclared = {
        f"{kind.__name__}.{field.name}" for kind in records() for field in fields_of(kind) if is_undeclared(field)
    }
    listed = {f"{kind}.{name}" for of in (NUMBERS, AS_STORED) for kind, names in of.items() for name in names.split()}
    assert undeclared == listed


@cache
def corpus(name: str) -> list[Profile]:
    """The profiles of the small files of a format, as they come from the store."""
    profiles = []
    for case in cases(name):
        with TemporaryDirectory() as folder:
            paths = []
            for file, content in case.files.items():
                paths.append(Path(folder) / file)
                paths[-1].parent.mkdir(parents=True, exist_ok=True)
                paths[-1].write_bytes(content.whole())
            profiles += read(by_id(name), paths)
    return [
        replace(profile, **{name: stored(section) for name, section in sections(profile).items()})
        for profile in profiles
    ]


def sections(profile: Profile) -> dict[str, Section]:
    return {name: section for name in SECTION_NAMES if (section := profile.section(name)) is not None}


def stored(section: Section) -> Section:
    """A copy whose columns can be changed."""
    packed = pack_section(section)
    return replace(packed, packed=bytearray(packed.packed)).section(None)


def wrong(profile: Profile) -> str:
    return wrong_column(sections(profile), len(profile.origin.paths))


def columns(record: Any) -> Iterator[tuple[str, Field, Array]]:
    """The columns of a record and the records inside it."""
    kind: type[Struct] = type(record)
    for field in fields_of(kind):
        value = getattr(record, field.name)
        if isinstance(value, np.ndarray):
            yield kind.__name__, field, value
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Struct):
                yield from columns(part)


def changed(profile: Profile, name: str, column: int, place: int, number: int) -> Profile:
    """A profile in which a column of a section, by its place among them, has another number."""
    section = stored(sections(profile)[name])
    values = list(columns(section))[column][2]
    values.flat[place] = number
    return replace(profile, **{name: section})


@pytest.mark.parametrize("name", [known.id for known in FORMATS])
def test_what_readers_make_is_right(name: str) -> None:
    for profile in corpus(name):
        assert wrong(profile) == ""


@pytest.mark.parametrize("name", [known.id for known in FORMATS])
def test_an_index_beyond_what_it_indexes_is_damage(name: str) -> None:
    for profile in corpus(name):
        for section_name, section in sections(profile).items():
            for at, (record, field, column) in enumerate(columns(section)):
                numbers = f"{record}.{field.name}" == "TypedColumn.values"  # that may be no ids
                if column.size and field.bound is not None and not numbers:
                    most = np.iinfo(column.dtype).max
                    damaged = changed(profile, section_name, at, column.size - 1, most)
                    assert wrong(damaged) == f"{record}.{field.name}"


@pytest.mark.parametrize("name", [known.id for known in FORMATS])
@given(data=st.data())
def test_changed_values_are_damage_or_do_no_harm(name: str, data: st.DataObject) -> None:
    """One value of one column is another one: what is accepted gives every table and figure."""
    profile = data.draw(st.sampled_from(range(len(corpus(name)))).map(corpus(name).__getitem__))
    section = data.draw(st.sampled_from(sorted(sections(profile))))
    found = [
        (at, column)
        for at, (_, _, column) in enumerate(columns(sections(profile)[section]))
        if column.size and column.dtype.kind in "iu"
    ]
    if not found:
        return
    chosen = data.draw(st.integers(0, len(found) - 1))
    at, column = found[chosen]
    limits = np.iinfo(column.dtype)
    place = data.draw(st.integers(0, column.size - 1))
    number = data.draw(st.one_of(st.integers(max(limits.min, -3), 99), st.integers(limits.min, limits.max)))
    damaged = changed(profile, section, at, place, number)
    if not wrong(damaged):
        assert list(tables.each(damaged)) is not None
        assert figures(damaged) is not None


@pytest.mark.parametrize(
    ("bound", "good", "bad"),
    [
        (Index("x"), [0, 2], [[-1], [3]]),
        (Index("x", -1), [-1, 2], [[-2], [3]]),
        (Offsets("x"), [0, 1, 1, 3], [[], [1, 3], [0, 2], [0, 2, 1, 3]]),
        (TextEnds("x"), [0, 1, 3], [[], [-1, 3], [2], [2, 1, 3], [4]]),
        (Parents("x"), [-1, 0, 0], [[0, 0, 0], [-1, 2, 0], [-2, 0, 0]]),
        (Ends("x"), [3, 2, 3], [[0, 2, 3], [4, 2, 3], [3, 2, 2]]),
    ],
)
def test_bounds(bound: Any, good: list[int], bad: list[list[int]]) -> None:
    assert bound.holds(np.array(good, np.int64), 3)
    assert not any(bound.holds(np.array(values, np.int64), 3) for values in bad)
