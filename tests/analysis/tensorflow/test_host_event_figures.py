"""Figures, tables, checks and links of event logs, against numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from app.analysis.checks import check
from app.analysis.details import Described
from app.analysis.figures import figures
from app.analysis.host_events import (
    NEW,
    NO_COMPILATION,
    NO_EXECUTION,
    THIS_COMPILATION,
    THIS_MODULE,
    its_turn,
    missing_reports,
    not_its_turn,
    some,
)
from app.analysis.matching import rows_within
from app.analysis.relations import translate
from app.analysis.tables import available, by_id
from app.analysis.tables.tensorflow import clock
from app.formats.errors import FormatError
from app.formats.tensorflow_events import FORMAT
from app.profile.profile import Profile
from app.profile.selection import Kind, Ranges, Selection, TimeRange
from app.profile.tensorflow import HostEvents
from generators import tensor_map
from generators import tensorflow_events as log
from generators.reading import profile_of, profiles_of
from generators.tensorflow_events import (
    BEGAN,
    COMPILE_BEGIN,
    COMPILE_END,
    EXECUTE,
    FROM_DEVICE,
    TO_DEVICE,
    Event,
    Layout,
)
from generators.tfrecord import records

RUN = log.run(graph='{"target": {}}', execution="x", every=2, executions=5, ml_types={"dot.1": 2, "dot.2": 1})


def profile(*steps: list[Event], layout: Layout = "old") -> Profile:
    return profile_of(FORMAT, log.log(steps, layout), "events.out.tfevents.1.host")


def cells(found: Profile, table_id: str, *keys: str) -> list[tuple[Any, ...]]:
    table = by_id(found, table_id)
    assert table is not None
    columns = {column.key: column for column in table.columns}
    return [tuple(columns[key].value(row) for key in keys) for row in range(table.rows)]


def events_of(found: Profile) -> HostEvents:
    assert found.host_events is not None
    return found.host_events


def test_main_figures() -> None:
    found = {figure.name: figure.value for figure in figures(profile(RUN, log.run("cluster_2", BEGAN + 9, ordinal=1)))}
    assert found["events.count"] == 30
    assert found["events.by_type"] == {
        "COMPILE_BEGIN": 2,
        "COMPILE_END": 2,
        "HOST_TO_DEVICE_TRANSFER": 8,
        "DEVICE_TO_HOST_TRANSFER": 8,
        "LOAD_ENGINE": 2,
        "EXECUTE": 8,
    }
    assert found["events.compile_seconds"] == 5.0
    assert found["events.bytes_to_device"] == 8 * 4160
    assert found["events.bytes_from_device"] == 8 * 4
    assert found["events.reports"] == 4
    assert (found["events.modules"], found["events.devices"]) == (2, 2)
    assert found["events.skipped"] == {"graphs": 1, "scalars": 2}
    assert (found["timeline.unit"], found["timeline.start"], found["timeline.slices"]) == ("s", 0.0, 28)


def test_a_compilation_without_a_duration_lasts_from_begin_to_end() -> None:
    both = [Event(COMPILE_BEGIN, 10.0), Event(COMPILE_END, 12.5)]
    names = {figure.name: figure.value for figure in figures(profile(both))}
    assert names["events.compile_seconds"] == 2.5
    names = {figure.name: figure.value for figure in figures(profile([Event(COMPILE_END, 12.5)]))}
    assert "events.compile_seconds" not in names
    names = {figure.name: figure.value for figure in figures(profile([Event(EXECUTE, 12.5)]))}
    assert names["events.compile_seconds"] == 0.0


def test_events_as_a_table() -> None:
    rows = cells(profile(RUN), "events", "type", "module", "time", "duration", "bytes", "tensors", "report", "step")
    assert rows[1] == ("COMPILE_END", "cluster_1", 2.5, 2.5, None, None, "JSON", 0)
    assert rows[3] == ("HOST_TO_DEVICE_TRANSFER", "", 3.0, None, 4160, 2, "", 0)
    assert rows[4] == ("EXECUTE", "cluster_1", 3.05, None, None, None, "text", 0)
    assert cells(profile(RUN), "events", "clock")[1] == ("2019-06-05 12:00:02.500000",)
    text = profile_of(FORMAT, log.sequence([("m", '{"target": {"bytesPerTile": 1}}')]).encode())
    assert cells(text, "events", "time", "clock", "step", "layout") == [(None, None, None, "")]


def test_times_without_a_date_have_no_text() -> None:
    made = clock(np.array([0.0, 1e300, -1e300, np.nan, np.inf, 9e12]))
    assert made.ids.tolist() == [0, -1, -1, -1, -1, -1]
    assert made.strings[0] == "1970-01-01 00:00:00.000000"


def test_reports_modules_and_transfers_as_tables() -> None:
    found = profile(RUN, log.run("cluster_2", BEGAN + 9, ordinal=1, executions=1))
    what = [row[0] for row in cells(found, "event-reports", "what")]
    assert what == ["compilation report", "instruction information", *["execution report"] * 3]
    modules = cells(
        found, "modules", "module", "device", "compilations", "compile_time", "executions", "reports", "gap"
    )
    assert modules == [("cluster_1", 0, 1, 2.5, 5, 4, 0.1), ("cluster_2", 1, 1, 2.5, 1, 0, None)]
    assert cells(found, "transfers", "direction", "name", "transfers", "bytes", "mean") == [
        ("host to device", "input", 6, 6 * 4096, 4096.0),
        ("host to device", "labels", 6, 6 * 64, 64.0),
        ("device to host", "loss", 6, 24, 4.0),
    ]
    assert len(cells(found, "transferred-tensors", "name")) == 18
    assert cells(found, "ml-types", "instruction", "type", "module") == [
        ("dot.1", "training forward", "cluster_1"),
        ("dot.2", "standalone", "cluster_1"),
    ]
    assert cells(found, "skipped-records", "what", "count") == [("graphs", 1), ("scalars", 2)]


def reasons(found: Profile) -> list[str]:
    ids, texts = missing_reports(events_of(found))
    return [texts.get(int(number)) for number in ids]


def executions(*has: int, module: str = "m") -> list[Event]:
    return [Event(EXECUTE, 5.0 + number, module, report="x" * one) for number, one in enumerate(has)]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([Event(COMPILE_END)], [NO_COMPILATION]),
        ([Event(COMPILE_END, report="x"), Event(COMPILE_END)], ["", THIS_COMPILATION]),
        (executions(0, 0), [NO_EXECUTION] * 2),
        ([*executions(0), *executions(1, module="n")], [THIS_MODULE, ""]),
        (executions(1, 0, 0, 1, 0), ["", *[not_its_turn(3)] * 2, "", not_its_turn(3)]),
        (
            executions(1, 0, 1, 0, 0, 0, 1)[0:5],
            ["", not_its_turn(2), "", not_its_turn(2), its_turn(2)],
        ),
        (executions(1, 1, 0), ["", "", some(2, 3)]),
        (executions(0, 1), [some(1, 2), ""]),
        ([Event(TO_DEVICE), Event(COMPILE_BEGIN)], ["", ""]),
    ],
)
def test_why_there_is_no_report(events: list[Event], expected: list[str]) -> None:
    assert reasons(profile(events)) == expected


def test_later_sdks_write_none() -> None:
    assert reasons(profile([Event(COMPILE_END, duration=5), Event(EXECUTE)], layout="new")) == [NEW, NEW]


def test_links_between_slices_events_and_reports() -> None:
    found = profile(RUN)
    assert found.timeline is not None

    def linked(kind: Kind, index: int, wanted: Kind) -> list[int]:
        indices: list[int] = translate(found, Selection(kind, (index,)), wanted).tolist()
        return indices

    (compiled,) = linked("host_event", 1, "slice")
    assert found.timeline.slices.duration[compiled] == 2.5
    assert linked("host_event", 0, "slice") == [compiled]
    assert linked("slice", compiled, "host_event") == [0, 1]
    for event in range(2, len(events_of(found))):
        (own,) = linked("host_event", event, "slice")
        assert linked("slice", own, "host_event") == [event]
    assert linked("host_event", 1, "report") == [0, 1]
    assert linked("report", 0, "host_event") == [1]
    assert linked("host_event", 10**6, "slice") == linked("slice", 10**6, "host_event") == []
    described = Described(found)
    assert described.rows("host_event", 1)[0].table.id == "events"
    assert described.rows("report", 1)[0].table.id == "event-reports"


def test_a_range_of_time_limits_the_events() -> None:
    found = profile(RUN)
    table = by_id(found, "events")
    assert table is not None
    within = rows_within(found, table, Ranges(TimeRange(2.0, 3.05)))
    assert within is not None
    assert np.flatnonzero(within).tolist() == [1, 2, 3, 4]
    tensors = by_id(found, "transferred-tensors")
    assert tensors is not None
    within = rows_within(found, tensors, Ranges(TimeRange(3.0, 3.05)))
    assert within is not None
    assert np.flatnonzero(within).tolist() == [0, 1]


def test_checks_say_what_does_not_add_up() -> None:
    events = [
        Event(TO_DEVICE, 1.0, moved=log.moved(("x", 8), ("y", 8), total=20)),
        Event(FROM_DEVICE, 1.0, moved=log.moved(total=20)),
        Event(COMPILE_BEGIN, 2.0, "a"),
        Event(COMPILE_BEGIN, 3.0, "b"),
        Event(COMPILE_END, 9.0, "b", duration=1_000_000),
    ]
    found = profile(events)
    assert [issue.text for issue in check(found)] == [
        "inconsistent transfer: its tensors have 16 bytes, but total_size is 20",
        "the compilation of module a has no end event: it failed, was repeated, or started before the log",
        "inconsistent compilation time: it states 1.000 s, but started 6.000 s earlier; figures use the stated "
        "duration, the timeline uses the start event",
    ]
    assert check(profile(RUN)) == []


def test_an_empty_log_has_tables_and_figures_without_fault() -> None:
    found = profile_of(FORMAT, records([log.version()]))
    names = {figure.name: figure.value for figure in figures(found)}
    assert (names["events.count"], names["events.by_type"], names["events.reports"]) == (0, {}, 0)
    assert [table.id for table in available(found)] == ["events", "issues"]
    assert check(found) == []


@settings(max_examples=150)
@given(st.lists(st.tuples(st.integers(0, 20_000), st.binary(min_size=1, max_size=4)), min_size=1, max_size=5))
def test_every_table_of_a_mutated_log_can_be_made(edits: list[tuple[int, bytes]]) -> None:
    maps = tensor_map.tensor_map({"c": [tensor_map.Tensor("a", ((0, 3), (2, 1)))]})
    content = bytearray(log.log([log.run(graph="{}", execution="x", tensor_map=maps, ml_types={"dot": 1})]))
    for at, value in edits:
        content[at % len(content) : at % len(content) + len(value)] = value
    try:
        found = profiles_of(FORMAT, bytes(content))
    except FormatError:
        return
    for one in found:
        for table in available(one):
            for column in table.columns:
                assert len(column.values) == table.rows
        figures(one)
        check(one)
        for row in range(len(events_of(one))):
            translate(one, Selection("host_event", (row,)), "slice")


def test_sums_of_many_bytes_stay_exact() -> None:
    found = profile(RUN)
    events = events_of(found)
    huge = replace(events, bytes=np.where(events.bytes >= 0, (1 << 48) - 1, -1))
    names = {figure.name: figure.value for figure in figures(replace(found, host_events=huge))}
    assert names["events.bytes_to_device"] == 5 * ((1 << 48) - 1)
