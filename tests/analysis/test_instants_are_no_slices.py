"""Instants have a count of their own: figures, tables, statistics and comparisons of slices have none of them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from app.analysis.compare.comparison import Comparison
from app.analysis.compare.timelines import slice_differences, slice_matches
from app.analysis.figures import figures
from app.analysis.table import Table
from app.analysis.tables import by_id
from app.cli import main
from app.formats.ascend_trace import FORMAT
from app.formats.collect import read
from app.profile.profile import Profile
from app.views.statistics.tabs import Names, instances, offered, slices_of_lanes
from app.views.timeline.compared_words import alone_text
from app.views.timeline.model import Model
from app.views.timeline.request import Request, count_in

SLICES = [("load", 0, 10), ("work", 10, 30), ("load", 50, 10)]
MARKS = [("mark", 5), ("load", 20), ("mark", 55)]


def written(path: Path, marks: list[tuple[str, int]]) -> Path:
    where = {"pid": "host", "tid": "main"}
    events = [{"ph": "X", "name": name, "ts": ts, "dur": dur, **where} for name, ts, dur in SLICES]
    events += [{"ph": "i", "name": name, "ts": ts, "s": "t", **where} for name, ts in marks]
    path.write_text(json.dumps({"traceEvents": events}))
    return path


def opened(path: Path, marks: list[tuple[str, int]]) -> Profile:
    (profile,) = read(FORMAT, [written(path, marks)])
    return profile


@pytest.fixture
def profile(tmp_path: Path) -> Profile:
    return opened(tmp_path / "t.json", MARKS)


def cells(table: Table | None, key: str) -> list[object]:
    assert table is not None
    column = next(column for column in table.columns if column.key == key)
    return [column.value(row) for row in range(table.rows)]


def test_figures_count_them_apart(profile: Profile) -> None:
    values = {figure.name: figure.value for figure in figures(profile)}
    assert (values["timeline.slices"], values["timeline.instants"]) == (3, 3)
    assert values["timeline.lanes"] == 1, "their lane has no slices"


def test_no_instants_have_no_figure(tmp_path: Path) -> None:
    plain = opened(tmp_path / "plain.json", [])
    assert "timeline.instants" not in {figure.name for figure in figures(plain)}
    lanes = by_id(plain, "lanes")
    assert lanes is not None
    assert "instants" not in {column.key for column in lanes.columns}


def test_the_command_says_the_same(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["info", str(written(tmp_path / "t.json", MARKS)), "--json"]) == 0
    own = json.loads(capfd.readouterr().out)["profiles"][0]["figures"]
    assert (own["timeline.slices"], own["timeline.instants"]) == (3, 3)


def test_tables_of_slices_have_none(profile: Profile) -> None:
    line, slices, names = profile.timeline, by_id(profile, "slices"), by_id(profile, "slice-statistics")
    assert line is not None
    assert slices is not None
    assert names is not None
    assert names.row_items is not None
    assert cells(slices, "name") == ["load", "work", "load"]
    rows = [slices.key(row) for row in range(slices.rows)]
    assert [line.strings.get(int(line.slices.name[index])) for index in rows] == cells(slices, "name")
    assert dict(zip(cells(names, "name"), cells(names, "count"), strict=True)) == {"work": 1, "load": 2}
    assert sum(len(names.row_items.items_of(np.array([row]))) for row in range(names.rows)) == 3
    lanes = by_id(profile, "lanes")
    assert (cells(lanes, "slices"), cells(lanes, "instants")) == ([3, 0], [0, 3])
    assert cells(by_id(profile, "instants"), "name") == ["mark", "load", "mark"]


def test_panels_count_slices_only(profile: Profile) -> None:
    assert profile.timeline is not None
    model = Model.of(profile.timeline)
    request = Request(profile, model, model.rows)
    assert count_in(model, model.rows, None) == request.count == 3
    assert count_in(model, model.rows, None, (0, 1)) == 3
    assert cells(slices_of_lanes(request), "name") == ["load", "work", "load"]
    assert len(instances(request, Names.of(["load"]))[1]) == 2
    assert {"slices", "instants"} <= {tab.id for tab in offered(request)}


def test_a_comparison_of_slices_does_not_see_them(profile: Profile, tmp_path: Path) -> None:
    other = opened(tmp_path / "other.json", [*MARKS, ("mark", 58)])
    comparison = Comparison(profile, other)
    figure = {one.id: one for one in comparison.figures}
    assert (figure["timeline.slices"].difference, figure["timeline.instants"].difference) == (0, 1)
    slices, marks = comparison.table("slices"), comparison.table("instants")
    assert slices is not None
    assert marks is not None
    assert slices.matches.whole
    assert not slices.changed.any()
    assert (len(marks.matches.only_before), len(marks.matches.only_after)) == (0, 1)
    before, after = profile.timeline, other.timeline
    assert before is not None
    assert after is not None
    matches = slice_matches(comparison)
    assert (matches.rows_before, matches.rows_after) == (6, 7)
    for index, partner in zip(*(side.tolist() for side in matches.pairs), strict=True):
        names = before.strings.get(int(before.slices.name[index])), after.strings.get(int(after.slices.name[partner]))
        assert names[0] == names[1]
        assert (index in before.instants.slice) == (partner in after.instants.slice)
    differences = slice_differences(before, after, matches)
    assert alone_text(differences, Model.of(before), Model.of(after)) == "all slices matched"
