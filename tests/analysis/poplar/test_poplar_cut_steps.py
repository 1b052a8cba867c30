"""Steps by type: mean, median, least and most are of whole steps, against loops over the JSON of the run."""

from __future__ import annotations

import json
from statistics import mean, median
from typing import Any

import pytest

from app.analysis.table import Table
from app.analysis.tables import by_id
from app.analysis.tables.poplar_steps import kinds
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.profile import Profile
from app.profile.selection import TimeRange

RUN = 1000
STEPS: list[dict[str, Any]] = [
    {"type": "OnTileExecute", "program": 0, "name": "a", "cycles": 100, "cyclesFrom": 0, "cyclesTo": 100},
    {"type": "OnTileExecute", "program": 0, "name": "b", "cycles": 40, "cyclesFrom": 150, "cyclesTo": 190},
    {"type": "DoExchange", "program": 0, "name": "e", "cycles": 60, "cyclesFrom": 190, "cyclesTo": 250},
    {"type": "Sync", "program": 0},
    {"type": "OnTileExecute", "program": 0, "name": "c", "cycles": 300, "cyclesFrom": 250, "cyclesTo": 550},
    {"type": "OnTileExecute", "program": 0, "name": "b", "cycles": 60, "cyclesFrom": 550, "cyclesTo": 610},
    {"type": "OnTileExecute", "program": 0, "name": "d", "cycles": 800, "cyclesFrom": 610, "cyclesTo": 1410},
]
"""The last one ends behind the end of the run."""


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    path = tmp_path_factory.mktemp("cut") / "execution.json"
    run = {"profilerMode": "IPU", "programTrace": [0] * len(STEPS), "simulation": {"cycles": RUN, "steps": STEPS}}
    path.write_text(json.dumps(run))
    (profile,) = read(FORMAT, [path])
    return profile


def cells(table: Table, row: int) -> dict[str, object]:
    return {column.key: column.value(row) for column in table.columns}


@pytest.mark.parametrize("stretch", [None, TimeRange(50, 600), TimeRange(160, 500), TimeRange(10, 90)])
def test_whole_steps_make_the_statistics_and_cut_ones_are_counted(profile: Profile, stretch: TimeRange | None) -> None:
    table = kinds(profile, stretch)
    assert table is not None
    begin, end = (0, 10**9) if stretch is None else (stretch.start, stretch.end)
    for row in range(table.rows):
        seen = cells(table, row)
        own = [step for step in STEPS if step["type"] == seen["type"] and "cyclesFrom" in step]
        touched = [step for step in own if step["cyclesTo"] > begin and step["cyclesFrom"] < end]
        whole = [
            step["cycles"] for step in touched if begin <= step["cyclesFrom"] and step["cyclesTo"] <= min(end, RUN)
        ]
        if seen["type"] == "Sync":
            assert [seen[key] for key in ("cycles", "mean", "median", "least", "most")] == [None] * 5
            continue
        assert (seen["steps"], seen["cut"]) == (len(touched), len(touched) - len(whole))
        some = bool(whole)
        assert seen["mean"] == (pytest.approx(mean(whole)) if some else None)
        assert seen["median"] == (median(whole) if some else None)
        assert (seen["least"], seen["most"]) == ((min(whole), max(whole)) if some else (None, None))
        parts = [min(step["cyclesTo"], end) - max(step["cyclesFrom"], begin) for step in touched]
        assert seen["cycles"] == pytest.approx(sum(parts))


def test_the_command_line_has_the_same_table(profile: Profile) -> None:
    table, shown = by_id(profile, "steps-by-type"), kinds(profile)
    assert table is not None
    assert shown is not None
    assert [cells(table, row) for row in range(table.rows)] == [cells(shown, row) for row in range(shown.rows)]
