"""One run in both forms gives the same figures, within what the digits of the text form allow (Ascend captures,
section 6)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.formats.collect import read
from app.formats.registry import plan
from app.profile.profile import Profile
from generators.ascend_database import Rank
from oracles import capture_as_text

NS, QUARTER, KIB = 1, 0.25e-6 + 1e-12, 1024


def opened(folder: Path) -> Profile:
    jobs, refused = plan([folder])
    assert not refused
    (profile,) = [profile for job in jobs for profile in read(job.format, job.paths)]
    return profile


def texts(section: Any, name: str) -> list[str]:
    return [section.strings.get(one) for one in getattr(section, name).tolist()]


def both(first: Profile, second: Profile, name: str) -> tuple[Any, Any]:
    pair = getattr(first, name), getattr(second, name)
    assert None not in pair
    assert len(pair[0]) == len(pair[1])
    return pair


def near(first: Any, second: Any, bound: float) -> None:
    assert (np.isnan(first) == np.isnan(second)).all()
    assert np.nanmax(np.abs(first - second), initial=0) <= bound


def compare(text: Profile, database: Profile) -> None:
    """Each section of both, row by row."""
    one, other = both(text, database, "kernels")
    for name in ("name", "type", "core", "state", "input_shapes", "input_types", "output_shapes", "output_formats"):
        assert texts(one, name) == texts(other, name), name
    for name in ("step", "stream", "task", "context", "blocks", "mix_blocks"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist(), name
    for name in ("start", "duration", "wait"):
        near(getattr(one, name), getattr(other, name), NS)
    columns = {column.name: column.values for column in other.pmu}
    assert [column.name for column in one.pmu] == list(columns)
    for column in one.pmu:
        near(column.values, columns[column.name], 0.0005 + 1e-9)
    _communication(text, database)
    one, other = both(text, database, "training_steps")
    for name in ("computing", "exposed", "overlapped", "communication", "free", "bubble", "exposed_without_receive"):
        near(getattr(one, name), getattr(other, name), 1e-9)
    for name in ("stage", "preparing"):
        near(getattr(one, name), getattr(other, name), QUARTER)
    for name in ("step", "device_start", "device_end"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist(), name
    one, other = both(text, database, "memory_record")
    assert texts(one, "component") == texts(other, "component")
    for name in ("time", "allocated", "reserved", "active"):
        near(getattr(one, name), getattr(other, name), KIB if name != "time" else 0)
    one, other = both(text, database, "memory_operators")
    assert texts(one, "name") == texts(other, "name")
    for name in ("size", "allocated_at", "released_at", "inactive_at"):
        near(getattr(one, name), getattr(other, name), 0)
    one, other = both(text, database, "calls")
    order, others = (np.lexsort((texts(each, "name"), texts(each, "level"))) for each in (one, other))
    assert [texts(one, "name")[row] for row in order] == [texts(other, "name")[row] for row in others]
    for name in ("count", "total", "shortest", "longest"):
        near(getattr(one, name)[order], getattr(other, name)[others], 1e-9)


def _communication(text: Profile, database: Profile) -> None:
    one, other = both(text, database, "collectives")
    for name in ("name", "group"):
        assert texts(one, name) == texts(other, name), name
    for name in ("step", "kind"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist(), name
    for name in ("start", "end"):
        near(getattr(one, name), getattr(other, name), NS)
    for name in ("transit", "wait", "synchronization", "idle"):
        near(getattr(one, name), getattr(other, name), 1e-9)
    same_rows(*both(text, database, "packets"), ("name", "group", "transport"), ("step", "count", "size", "time"))
    names = ("name", "selection", "group", "transport")
    same_rows(*both(text, database, "links"), names, ("step", "source", "target", "size", "time", "bandwidth"))


def same_rows(one: Any, other: Any, names: tuple[str, ...], numbers: tuple[str, ...]) -> None:
    """In any order: JSON has what is point to point first."""

    def rows(section: Any) -> list[tuple[Any, ...]]:
        columns = [*(texts(section, name) for name in names), *(getattr(section, name).tolist() for name in numbers)]
        return sorted(zip(*columns, strict=True))

    for first, second in zip(rows(one), rows(other), strict=True):
        assert first[: len(names)] == second[: len(names)]
        assert first[len(names) :] == pytest.approx(second[len(names) :], rel=1e-15, abs=0)


@pytest.mark.parametrize("newer", [False, True])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("steps", [0, 1, 3])
def test_a_generated_run(tmp_path: Path, newer: bool, seed: int, steps: int) -> None:
    folder = tmp_path / "db" / "rank1_ascend_pt"
    main, analysis = Rank(1, seed=seed, newer=newer, steps=steps).write(folder / "ASCEND_PROFILER_OUTPUT")
    text = capture_as_text.write(main, analysis, tmp_path / "text" / "rank1_ascend_pt", 1)
    compare(opened(text), opened(folder))


@pytest.mark.parametrize("rank", [0, 1])
def test_a_real_run(shared_samples: Path, tmp_path: Path, rank: int) -> None:
    folder = shared_samples / f"ascend-pt/db/rank{rank}_ascend_pt"
    output = folder / "ASCEND_PROFILER_OUTPUT"
    main, analysis = output / f"ascend_pytorch_profiler_{rank}.db", output / "analysis.db"
    text = capture_as_text.write(main, analysis, tmp_path / f"rank{rank}_ascend_pt", rank)
    compare(opened(text), opened(folder))


def test_both_forms_in_one_folder_do_not_disagree(tmp_path: Path) -> None:
    folder = tmp_path / "rank0_ascend_pt"
    main, analysis = Rank(0).write(tmp_path / "made")
    capture_as_text.write(main, analysis, folder, 0)
    for path in (main, analysis):
        path.rename(folder / "ASCEND_PROFILER_OUTPUT" / path.name)
    profile = opened(folder)
    assert [issue.text for issue in profile.issues if "disagree" in issue.text] == []
    kernels = profile.kernels
    assert kernels is not None
    assert kernels.connection.min() >= 0
