"""The figures and tables of a generated trace."""

from __future__ import annotations

import numpy as np
import orjson
import pytest
from msgspec.structs import replace

from app.analysis.figures import figures
from app.analysis.table import Column
from app.analysis.tables import available, by_id
from app.analysis.tables.timeline_counters import counters
from app.formats.ascend_trace import FORMAT
from app.formats.collect import read
from app.profile.profile import Origin, Profile
from app.profile.selection import TimeRange
from generators import ascend_trace
from generators.timelines import counter, timeline

Opened = tuple[Profile, ascend_trace.Summary, list[dict[str, object]]]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    path = tmp_path_factory.mktemp("trace") / "trace.json"
    told = ascend_trace.write(path, 5000, 2, 4)
    return read(FORMAT, [path])[0], told, orjson.loads(path.read_bytes())["traceEvents"]


def test_figures(opened: Opened) -> None:
    profile, told, events = opened
    values = {figure.name: figure.value for figure in figures(profile) if figure.name.startswith("timeline.")}
    assert values["timeline.slices"] == told.slices
    assert values["timeline.lanes"] == len(told.lanes)
    assert values["timeline.flows"] == told.flows
    assert values["timeline.counters"] == 3
    assert values["timeline.unit"] == "s"
    whole = [e for e in events if e["ph"] == "X"]
    times = [float(str(e["ts"])) for e in events if e["ph"] in ("X", "B", "E")]
    assert values["timeline.start"] == min(times) / 1e6
    ends = [float(str(e["ts"])) + float(str(e["dur"])) for e in whole] + [
        float(str(e["ts"])) for e in events if e["ph"] == "E"
    ]
    assert values["timeline.end"] == pytest.approx(max(ends) / 1e6)
    lanes = by_id(profile, "lanes")
    assert lanes is not None
    busiest = int(np.argmax(column(lanes.columns, "busy").values))  # type: ignore[arg-type]
    names = [column(lanes.columns, key).value(busiest) for key in ("process", "thread")]
    assert values["timeline.busiest_lane"] == "/".join(map(str, names))


def column(columns: tuple[Column, ...], key: str) -> Column:
    return next(c for c in columns if c.key == key)


def test_statistics_add_up(opened: Opened) -> None:
    profile, told, events = opened
    table = by_id(profile, "slice-statistics")
    assert table is not None
    rows = range(table.rows)
    assert sum(int(str(column(table.columns, "count").value(r))) for r in rows) == told.slices
    shares = {column(table.columns, "name").value(r): column(table.columns, "share").value(r) for r in rows}
    assert sum(share for share in shares.values() if isinstance(share, float)) == pytest.approx(100)
    assert shares["WAIT_FLAG"] is None
    adds = [float(str(e["dur"])) for e in events if e["ph"] == "X" and e["name"] == "VADD"]
    row = next(r for r in rows if column(table.columns, "name").value(r) == "VADD")
    assert column(table.columns, "total").value(row) == pytest.approx(sum(adds))
    assert column(table.columns, "maximum").value(row) == max(adds)


def test_flow_and_counter_tables(opened: Opened) -> None:
    profile, told, _ = opened
    made = {table.id: table for table in available(profile)}
    assert {"slices", "lanes", "slice-statistics", "flows", "flow-statistics", "counters", "counter-values"} <= set(
        made
    )
    assert made["flows"].rows == told.flows
    assert made["flows"].selects == "slice"
    delays = column(made["flows"].columns, "delay").values
    assert isinstance(delays, np.ndarray)
    assert np.all(delays >= 0)
    counts = column(made["flow-statistics"].columns, "count").values
    assert isinstance(counts, np.ndarray)
    assert counts.sum() == told.flows
    assert made["counter-values"].rows == told.counter_points
    assert column(made["counters"].columns, "series").value(0) == "throughput(MB/s)"
    for table in made.values():
        lengths = {len(c.values) for c in table.columns}
        assert len(lengths) == 1
        for cell in table.columns:
            cell.value(table.rows - 1)


def test_counters_of_a_range_have_the_value_in_force_when_it_begins() -> None:
    line = timeline([("core", "a", [[(0.0, 40.0, "x", "")]])])
    tracks = counter(0, 0, np.array([0.0, 0.0, 10.0, 20.0, 30.0]), np.array([0.0, 5.0, 9.0, 1.0, 7.0]))
    profile = replace(Profile(name="p", origin=Origin("trace", ())), timeline=replace(line, counters=tracks))

    def row(stretch: TimeRange | None) -> list[object]:
        table = counters(profile, stretch)
        assert table is not None
        names = ("points", "minimum", "maximum", "last", "start", "end")
        return [next(column for column in table.columns if column.key == name).value(0) for name in names]

    assert row(None) == row(TimeRange(0.0, 30.0)) == [5, 0.0, 9.0, 7.0, 0.0, 30.0]
    assert row(TimeRange(12.0, 25.0)) == [1, 1.0, 9.0, 1.0, 20.0, 20.0]
    assert row(TimeRange(12.0, 15.0)) == [0, 9.0, 9.0, 9.0, None, None]
    assert row(TimeRange(10.0, 20.0)) == [2, 1.0, 9.0, 1.0, 10.0, 20.0]
    assert row(TimeRange(-9.0, -5.0)) == [0, None, None, None, None, None]
