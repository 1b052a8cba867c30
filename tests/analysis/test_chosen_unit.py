"""The unit of times set by hand: every figure follows, and nothing else changes."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.analysis.checks import check
from app.analysis.chosen_unit import with_unit
from app.analysis.compare.tables import unit_scale
from app.analysis.details import Described
from app.analysis.export import tsv
from app.analysis.figures import figures
from app.analysis.table import Table
from app.analysis.tables import by_id, each
from app.analysis.timeline.times import unit_text
from app.formats.collect import read
from app.formats.registry import plan
from app.profile.file_state import ChosenName, ChosenUnit
from app.profile.profile import Origin, Profile, Target
from app.profile.selection import Selection
from app.profile.timeline import can_choose
from app.views.table import Cells
from app.views.units import format_value
from generators import pipe_words
from generators.ascend_report import device_files, pack_of
from generators.timelines import timeline

MHZ = 1650.0
TO_MICROSECONDS = {"µs": 1.0, "ns": 1000.0, "cycles": MHZ}
"""How many of each unit make a microsecond."""
UNITS = {"µs": ChosenUnit("µs"), "ns": ChosenUnit("ns"), "cycles": ChosenUnit("cycles", MHZ * 1e6)}


def profile_of(slices: list[tuple[float, float]], factor: float = 1.0) -> Profile:
    rows = [[(start * factor, length * factor, f"n{n % 3}", "")] for n, (start, length) in enumerate(slices)]
    line = replace(timeline([("core0", f"lane{n}", [row]) for n, row in enumerate(rows)]), basis="trace")
    return Profile(name="t", origin=Origin("ascend-trace", (Path("t.json"),)), timeline=line)


def seconds(profile: Profile) -> dict[str, float]:
    """All figures and table cells that are times, in seconds, by their place."""
    made = {f.name: float(str(f.value)) for f in figures(profile) if f.unit == "s" and isinstance(f.value, float)}
    assert profile.timeline is not None
    per_unit = profile.timeline.seconds_per_unit
    assert per_unit is not None
    for table in each(profile):
        for column in table.columns:
            if column.unit in ("s", "ns", "µs", "cycles"):
                assert column.unit == profile.timeline.unit
                values = (column.value(row) for row in range(table.rows))
                for row, value in enumerate(values):
                    if isinstance(value, int | float):
                        made[f"{table.id} {column.key} {row}"] = value * per_unit
    return made


slices = st.lists(st.tuples(st.floats(0, 1e6), st.floats(1e-3, 1e5)), min_size=1, max_size=6)


@given(slices)
def test_one_trace_in_each_unit_has_the_same_times_in_seconds(made: list[tuple[float, float]]) -> None:
    plain = seconds(profile_of(made))
    assert "timeline.span" in plain
    assert any(name.startswith("slice-statistics total") for name in plain)
    for name in get_args(ChosenName):
        other = seconds(with_unit(profile_of(made, TO_MICROSECONDS[name]), UNITS[name]))
        assert other.keys() == plain.keys()
        for place, value in plain.items():
            assert other[place] == pytest.approx(value, rel=1e-6, abs=1e-12 * max(plain.values())), place


@pytest.mark.parametrize("name", get_args(ChosenName))
def test_nothing_stays_in_the_former_unit_and_all_say_so(name: ChosenName) -> None:
    before = profile_of([(986.0, 10.0), (2000.0, 40.5)])
    after = with_unit(before, UNITS[name])
    assert after.timeline is not None
    assert before.timeline is not None
    assert after.timeline.slices is before.timeline.slices  # the times of the file, in another unit
    marked = "cycles at 1650 MHz set by hand" if name == "cycles" else f"{name} set by hand"
    for table in each(after):
        if table.own_time is None:
            continue
        heads = tsv(table).splitlines()[0]
        times = [column for column in table.columns if column.unit in TO_MICROSECONDS]
        assert heads.count(f"[{marked}]") == len(times)
        assert "set manually" in table.note
    texts = {figure.name: figure.value for figure in figures(after)}
    shown = {figure.name: figure.display for figure in figures(after)}
    assert texts["timeline.unit_reason"] == "set-by-hand"
    assert shown["timeline.unit_reason"] == f"{unit_text(after.timeline)}, set manually instead of µs"
    assert texts["timeline.unit_by_hand"] is True
    assert texts["timeline.span"] == pytest.approx(1054.5e-6 / TO_MICROSECONDS[name])
    (row,) = [row for row in Described(after).rows("slice", 1) if row.table.id == "slices"]
    cells = Cells(row.table)
    column = [column.key for column in row.table.columns].index("duration")
    assert cells.header(column) == f"Duration ({name})"
    assert cells.tip(column, 1) == f"Duration: 40.5 {name}"
    several = Described(after).several(Selection("slice", (0, 1)))
    assert {one.own_time for one in several} == {row.table.own_time}


def test_a_clock_of_its_own_goes_before_that_of_the_profile() -> None:
    profile = replace(profile_of([(0.0, 2000.0)]), target=Target(kind="Ascend", clock_hz=1e9))
    table = next(iter(each(with_unit(profile, ChosenUnit("cycles", 2e9)))))
    assert table.clock(1e9) == 2e9
    assert Table("t", "T", ()).clock(1e9) == 1e9
    unknown = with_unit(profile, ChosenUnit("cycles"))  # that of the profile
    assert unknown.timeline is not None
    assert unknown.timeline.clock_hz == pytest.approx(1e9)
    assert profile.timeline is not None
    words = replace(profile, timeline=replace(profile.timeline, unit="cycles", seconds_per_unit=None, basis="words"))
    span = next(figure for figure in figures(words) if figure.name == "timeline.span")
    assert (span.unit, span.clocked) == ("cycles", False)
    assert next(iter(each(words))).clock(1e9) is None


def test_reset_is_what_the_reader_determined() -> None:
    before = profile_of([(986.0, 10.0), (2000.0, 40.5)])
    made = before
    for chosen in (UNITS["ns"], UNITS["cycles"], UNITS["µs"], None):
        made = with_unit(made, chosen)
    assert made.timeline is not None
    assert before.timeline is not None
    for name in before.timeline.__struct_fields__:
        assert getattr(made.timeline, name) is getattr(before.timeline, name)


def test_a_unit_that_the_format_states_stays() -> None:
    line = timeline([("p", "t", [[(0.0, 1.0, "a", "")]])])
    profile = Profile(name="p", origin=Origin("poplar", ()), timeline=line)
    assert not can_choose(line)
    assert not can_choose(None)
    assert with_unit(profile, UNITS["ns"]) is profile


def opened(path: Path) -> Profile:
    ((job,), _) = plan([path])
    profile = read(job.format, job.paths)[0]
    return replace(profile, issues=(*profile.issues, *check(profile)))


def test_the_issue_about_the_length_follows_the_unit(tmp_path: Path) -> None:
    path = tmp_path / "one.rep"
    path.write_bytes(pack_of(device_files() | {"trace.json": pipe_words.trace(4, first=5)}))
    profile = opened(path)
    others = [issue for issue in profile.issues if "times as long" not in issue.text]

    def long(made: Profile) -> list[str]:
        assert [issue for issue in made.issues if "times as long" not in issue.text] == others
        return [issue.text for issue in made.issues if "times as long" in issue.text]

    lengths = {name: long(with_unit(profile, ChosenUnit("cycles", hz))) for name, hz in (("slow", 1e6), ("fast", 1e12))}
    assert len(lengths["slow"]) == 1
    assert lengths["fast"] == []
    assert long(with_unit(with_unit(profile, ChosenUnit("cycles", 1e6)), ChosenUnit("cycles", 1e12))) == []
    assert long(with_unit(with_unit(profile, ChosenUnit("cycles", 1e12)), None)) == long(profile)


def test_texts_of_nanoseconds() -> None:
    assert format_value(1234.0, "ns") == "1.23 µs"
    assert ChosenUnit("ns", 5.0).valid is False
    assert ChosenUnit("cycles", 0.5).valid is False
    assert ChosenUnit("cycles", 1.65e9).valid


def test_times_in_different_units_are_compared_as_times() -> None:
    made = [(0.0, 20.0), (50.0, 10.0)]
    before, after = profile_of(made), with_unit(profile_of(made, 1000.0), UNITS["ns"])
    tables = (by_id(profile, "slice-statistics") for profile in (before, after))
    one, other = (next(column for column in table.columns if column.key == "total") for table in tables if table)
    scale = unit_scale(one.unit, other.unit)
    assert scale is not None
    assert isinstance(one.values, np.ndarray)
    assert isinstance(other.values, np.ndarray)
    assert (one.values * scale).tolist() == pytest.approx(other.values.tolist())
    assert unit_scale("ns", "cycles") is None
