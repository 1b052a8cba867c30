"""A capture that contradicts itself is reported with both figures."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis.checks import check
from app.profile.arrays import sealed
from app.profile.ascend import TypedColumn
from app.profile.ascend_capture import DATABASE, TEXT
from app.profile.ascend_report import ReportTable, ReportTables
from app.profile.profile import Profile
from app.profile.strings import Strings
from fakes import capture_sections as made
from fakes.capture_sections import Kernel, Step


def statistic(rows: list[tuple[str, str, float, float]]) -> ReportTables:
    """op_statistic: (type, core, count, µs)."""

    def texts(place: int) -> TypedColumn:
        ids = np.arange(len(rows), dtype=np.int32)[:, None]
        return TypedColumn(TITLES[place], "text", sealed(ids), Strings.of(row[place] for row in rows))  # type: ignore[misc]

    def figures(place: int) -> TypedColumn:
        return TypedColumn(TITLES[place], "float", sealed(np.array([[row[place]] for row in rows], np.float64)))

    columns = (texts(0), texts(1), figures(2), figures(3))
    return ReportTables((ReportTable("op_statistic", "op_statistic.csv", columns),))


TITLES = ("OP Type", "Core Type", "Count", "Total Time(us)")
ROWS = [Kernel(0, 5_000, type="Add"), Kernel(9_000, 7_000, type="Add"), Kernel(0, 2_000, type="Mul", core="AI_CORE")]


def of(tables: ReportTables) -> Profile:
    return made.profile(ROWS, report_tables=tables)


def test_sums_by_type_are_recomputed() -> None:
    good = [("Add", "AI_VECTOR_CORE", 2.0, 12.002), ("Mul", "AI_CORE", 1.0, 2.001)]
    assert check(of(statistic(good))) == []
    (issue,) = check(of(statistic([good[0], ("Mul", "AI_CORE", 1.0, 2.002)])))
    assert issue.where == "op_statistic.csv"
    assert "2.002" in issue.text
    assert len(check(of(statistic([("Add", "AI_VECTOR_CORE", 3.0, 12.0), ("Gone", "AI_CORE", 1.0, 1.0)])))) == 1


@pytest.mark.parametrize(
    ("mode", "computing", "issues"), [(TEXT, 10e-9, 0), (TEXT, 4e-8, 0), (TEXT, 5e-8, 1), (DATABASE, 1.2e-8, 1)]
)
def test_step_times_differ_by_no_more_than_rounding(mode: int, computing: float, issues: int) -> None:
    profile = made.profile([Kernel(0, 10)], mode=mode, training_steps=made.steps_of([Step(computing=computing)]))
    found = check(profile)
    assert len(found) == issues
    assert all("Rank 0, step 1" in issue.where for issue in found)


def test_times_of_the_producer_alone_contradict_nothing() -> None:
    assert check(made.cluster([Step(computing=1.0, exposed=2.0, communication=3.0)])) == []
