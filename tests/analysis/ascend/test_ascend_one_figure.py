"""One figure is one figure: the same unit, digits and name wherever it is shown, written or exported."""

from __future__ import annotations

import csv
import io
import json
import struct
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from app.analysis.checks.ascend import check
from app.analysis.details import Described
from app.analysis.export import export
from app.analysis.kinds import KINDS
from app.analysis.table import Table
from app.analysis.tables import available, by_id
from app.formats.ascend_bin import FORMAT
from app.formats.collect import read
from app.formats.registry import by_id as format_by_id
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.table import Cells
from generators.ascend_bin import block, small
from generators.reading import profile_of

CAPTURES = ("ascend-mix-910B4.bin", "ascend-vector-2024-05.bin")


def payloads(path: Path) -> dict[int, Any]:
    """The JSON of each block, by the container alone."""
    data, place, found = path.read_bytes(), 0, {}
    while place + 12 <= len(data):
        size, kind, padding, _, _ = struct.unpack_from("<QBBBB", data, place)
        found[kind] = orjson.loads(data[place + 12 : place + 12 + size - padding])
        place += 12 + size
    return found


def rows(profile: Profile, name: str) -> list[dict[str, str]]:
    table = by_id(profile, name)
    assert table is not None
    return list(csv.DictReader(io.StringIO("".join(export(table, "csv")))))


def tables_of_all(profile: Profile) -> Iterator[tuple[Table, Cells]]:
    for table in available(profile):
        yield table, Cells(table)


def fractions(generation: int) -> Profile:
    """The share 56.3 % (563 of 1,000 cycles) and a hit rate of 13 / 77, stored as fractions of two digits or so."""
    detail = {"name": "ALL_ACTIVE", "unit": 3, "value": 0.56, "origin_value": 563.0}
    item = {"block_id": 0, "block_type": "vector", **({"data_detail": detail} if generation == 1 else detail)}
    counted = {"block_id": 0, "block_type": "vector", "name": "ALL_ACTIVE", "unit": 1, "value": 3606.0}
    entry = {
        "core_no": 0,
        "L2cache": {"hit": 13, "miss": 64, "hit_ratio": 0.16883116960525513},
        "Vector": {"cycle": 563, "total_cycles": 1000, "ratio": 56.3},
    }
    cache = {"table_name": "Cache", "header_name": ["", "hit", "miss", "total", "hit rate"]}
    cache_row = {"name": "L2 Cache Write", "value": [13, 64, 77, 0.16883116960525513]}
    content = {
        6: {"subblock_detail": [item]},
        7: {"subblock_detail": [counted]},
        8: {"core_memory_map": [entry]},
        9: {"table_per_block": [{"block_id": 0, "table_detail": [{**cache, "row": [cache_row]}]}]},
    }
    return profile_of(FORMAT, b"".join(block(kind, orjson.dumps(made)) for kind, made in content.items()))


@pytest.mark.parametrize("generation", [1, 2])
def test_a_share_stored_as_a_fraction_is_one_percentage_everywhere(generation: int) -> None:
    profile = fractions(generation)
    (share, _) = rows(profile, "workload")
    assert (share["value"], share["unit"], share["share [%]"]) == ("56.3", "%", "56.3")
    assert profile.workload is not None
    assert profile.workload.value.tolist()[0] == 56
    (memory,) = rows(profile, "memory-blocks")
    assert memory["hit_rate [%]"] == "16.8831168831169"
    assert memory["stored_hit_rate [%]"] == "16.883116960525513"
    (cache,) = rows(profile, "memory-table/0/Cache")
    assert cache["hit_rate [%]"] == "16.8831168831169"
    assert [issue for issue in check(profile) if "hit rate" in issue.text] == []


@pytest.mark.parametrize("generation", [1, 2])
def test_no_column_in_percent_holds_a_fraction(generation: int) -> None:
    """56.3 and 16.9 are all the percentages of that file."""
    for table, _ in tables_of_all(fractions(generation)):
        for column in table.columns:
            if column.unit == "%" and isinstance(column.values, np.ndarray):
                known = column.values[~np.isnan(column.values)]
                assert ((np.abs(known - 56.3) < 0.5) | (np.abs(known - 16.88) < 0.1)).all(), (table.id, column.key)


def test_counts_are_whole_numbers_with_a_group_sign(shared_samples: Path) -> None:
    path = shared_samples / CAPTURES[1]
    (profile,) = read(FORMAT, [path])
    table = by_id(profile, "workload")
    assert table is not None
    cells, keys = Cells(table), [column.key for column in table.columns]
    stored = payloads(path)
    items = [*stored[6]["subblock_detail"], *stored[7]["subblock_detail"]]
    first = len(stored[6]["subblock_detail"])
    assert items[first]["value"] == 3606.0
    assert cells.text(keys.index("value"), first) == "3,606"
    assert cells.text(keys.index("unit"), first) == "instructions"
    assert cells.tip(keys.index("value"), first) == "Value: 3,606 instructions"
    exported = rows(profile, "workload")
    units = {1: "instructions", 2: "B", 3: "%", 0: "µs"}
    for item, row in zip(items, exported, strict=True):
        assert row["unit"] == units[item["unit"]]
        expected = str(int(item["value"])) if item["value"] == int(item["value"]) else repr(item["value"])
        assert row["value"] == expected


@pytest.mark.parametrize("name", CAPTURES)
def test_exported_figures_have_the_digits_of_the_file(name: str, shared_samples: Path) -> None:
    """Every bandwidth, share and duration of the captures, as text against text; a trailing zero does not count."""
    path = shared_samples / name
    (profile,) = read(FORMAT, [path])
    stored = payloads(path)

    def same(text: str, value: Any) -> None:
        if value == "NA":
            assert text == ""
        elif isinstance(value, str):
            assert text == repr(float(value))
        else:
            assert text == repr(value)

    units = [unit for entry in stored[8]["core_memory_map"] for unit in entry["memory_unit"]]
    for row, unit in zip(rows(profile, "memory-paths"), units, strict=True):
        same(row["bandwidth [GB/s]"], unit["bandwidth"])
        same(row["peak [%]"], unit["peak_ratio"])
    operator = {row["figure"]: row for row in rows(profile, "operator")}
    assert operator["Duration"]["value"] == repr(stored[5]["duration"])
    assert operator["Duration"]["unit"] == "µs"


def test_a_made_file_has_the_digits_of_its_roofline() -> None:
    data = small()
    profile = profile_of(FORMAT, data)
    place, lines = 0, []
    while place + 12 <= len(data):
        size, kind, padding, _, _ = struct.unpack_from("<QBBBB", data, place)
        start = place + 12 + (4096 if kind == 1 else 0)
        if kind == 0x0D:
            charts = orjson.loads(data[start : start + size - padding])["multiple_rooflines"]
            lines = [line for chart in charts for line in chart["rooflines"]]
        place = start + size
    assert lines
    for row, line in zip(rows(profile, "roofline"), lines, strict=True):
        assert [row["intensity [Ops/Byte]"], row["performance [TOps/s]"]] == [repr(float(x)) for x in line["point"]]
        assert row["bandwidth [TB/s]"] == repr(float(line["bw"]))


def test_microseconds_are_written_with_the_greek_letter_everywhere(shared_samples: Path) -> None:
    profiles = [profile_of(FORMAT, small())]
    for name in CAPTURES:
        profiles += read(FORMAT, [shared_samples / name])
    profiles += read(format_by_id("ascend-trace"), [shared_samples / "ascend-ffn-dense.trace.json"])
    seen = False
    for profile in profiles:
        for table, cells in tables_of_all(profile):
            heads = next(export(table, "csv")).replace('"', "").strip().split(",")
            titles = [cells.header(place) for place in range(len(table.columns))]
            for text in (*heads, *titles, *(issue.text for issue in check(profile))):
                assert "[us]" not in text
                assert "(us)" not in text
                assert " us " not in f"{text} "
                assert "μ" not in text, "one letter for micro, U+00B5"
            seen |= any("[µs]" in head for head in heads)
    assert seen


def test_a_quantity_has_the_heading_it_has_elsewhere(shared_samples: Path) -> None:
    (old,) = read(FORMAT, [shared_samples / CAPTURES[1]])
    (new,) = read(FORMAT, [shared_samples / CAPTURES[0]])
    heads = {
        name: [Cells(table).header(place) for place in range(2, len(table.columns))]
        for profile, name in ((old, "memory-table/Cache"), (new, "memory-table/L1"), (old, "memory-table/UB"))
        if (table := by_id(profile, name)) is not None
    }
    assert heads == {
        "memory-table/Cache": ["Hits", "Misses", "Total", "Hit rate (%)"],
        "memory-table/L1": ["Requests", "Throughput (GB/s)", "Peak share (%)"],
        "memory-table/UB": ["Requests", "Throughput (GB/s)", "Peak share (%)"],
    }


def test_values_under_a_shifted_title_have_no_unit(shared_samples: Path) -> None:
    """The table Pipe of that writer has four titles and five values: 6,138 is no percentage."""
    (old,) = read(FORMAT, [shared_samples / CAPTURES[1]])
    table = by_id(old, "memory-table/0/Pipe")
    assert table is not None
    assert {column.unit for column in table.columns} == {""}
    assert "lack a unit" in table.note


def test_a_cache_line_is_called_by_the_number_in_the_file_and_its_hits_are_its_hits() -> None:
    """The 175th line of this file has number 900 and 3 hits: it was called "hits 174"."""
    side = {"Address Range": [], "Value": [1, 0.5]}
    records = [{"Cacheline Id": place, "Hit": side, "Miss": side} for place in range(174)]
    records.append({"Cacheline Id": 900, "Hit": {**side, "Value": [3, 0.75]}, "Miss": {**side, "Value": [1, 0.25]}})
    records.append({"Cacheline Id": "NA", "Hit": side, "Miss": side})
    profile = profile_of(FORMAT, block(0x0E, orjson.dumps({"Cacheline Records": records})))
    assert KINDS["cache_hit"].name(profile, 174) == "cache line 900 (hits)"
    assert KINDS["cache_miss"].name(profile, 174) == "cache line 900 (misses)"
    assert KINDS["cache_line"].name(profile, 174) == "cache line 900"
    assert KINDS["cache_hit"].name(profile, 175) == "cache line without a number (hits)"
    (found,) = Described(profile).rows("cache_hit", 174)
    shown = {column.title: column.value(found.row) for column in found.table.columns}
    assert (shown["Cache line"], shown["Hits"], shown["Misses"]) == (900, 3, 1)
    related = {one.selection.kind: one.text for one in Described(profile).related(Selection("cache_line", (174,)))}
    assert related["cache_hit"] == "cache line 900 (hits)"


def test_times_of_a_trace_have_the_digits_of_the_file(shared_samples: Path) -> None:
    """Starts and durations as the file writes them; ends and delays without the last two digits of doubles."""
    path = shared_samples / "ascend-ffn-dense.trace.json"
    (profile,) = read(format_by_id("ascend-trace"), [path])
    events = json.loads(path.read_bytes(), parse_float=Decimal)["traceEvents"]
    slices = {event["name"]: event for event in events if event["ph"] == "X"}
    zero = min(event["ts"] for event in slices.values())
    exported = rows(profile, "slices")
    assert len(exported) == len(slices)
    for row in exported:
        event = slices[row["name"]]
        assert row["duration [µs]"] == repr(float(event["dur"]))
        assert row["start [µs]"] == repr(float(event["ts"] - zero))
        end = event["ts"] - zero + event["dur"]
        assert float(row["end [µs]"]) == pytest.approx(float(end), rel=1e-14, abs=0)
        assert len(row["end [µs]"].replace(".", "")) <= 15
    starts = {event["id"]: event["ts"] for event in events if event["ph"] == "s"}
    ends = {event["id"]: event["ts"] for event in events if event["ph"] == "f"}
    delays = sorted(float(ends[key] - starts[key]) for key in starts)
    assert sorted(float(row["delay [µs]"]) for row in rows(profile, "flows")) == delays


def test_a_share_reads_the_same_in_both_columns(shared_samples: Path) -> None:
    (profile,) = read(FORMAT, [shared_samples / CAPTURES[1]])
    table = by_id(profile, "workload")
    assert table is not None
    cells, keys = Cells(table), [column.key for column in table.columns]
    shares = [row for row in range(table.rows) if cells.text(keys.index("unit"), row) == "%"]
    assert len(shares) == 32
    for row in shares:
        assert cells.text(keys.index("value"), row) == cells.text(keys.index("share"), row)
