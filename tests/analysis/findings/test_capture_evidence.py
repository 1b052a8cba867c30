"""Every piece of evidence of every finding about a capture is in a row that exists."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.analysis.findings import outcomes
from app.analysis.tables import by_id
from app.formats.collect import read
from app.formats.registry import plan
from app.profile.profile import Profile
from fakes.evidence import leads_somewhere
from generators import ascend_capture, ascend_database


def checked(folder: Path) -> list[Profile]:
    """The profiles in a folder. They have findings, with evidence that leads somewhere."""
    profiles = [profile for job in plan([folder])[0] for profile in read(job.format, job.paths)]
    for profile in profiles:
        found = [
            (one.rule.id, own) for one in outcomes(profile) for finding in one.findings for own in finding.evidence
        ]
        assert found
        assert [(rule, own.table, own.key) for rule, own in found if not leads_somewhere(profile, own)] == []
    return profiles


def test_of_generated_captures(tmp_path: Path) -> None:
    ascend_database.write_ranks(tmp_path / "db")
    ascend_capture.write(tmp_path / "text", ascend_capture.Run(ranks=2, steps=3))
    ascend_database.Rank(kernels=40, steps=0).write(tmp_path / "alone")
    for name, count in (("db", 2), ("text", 1), ("alone", 1)):
        assert len(checked(tmp_path / name)) == count


@pytest.mark.parametrize("name", ["text", "db", "text/rank1_ascend_pt", "cluster_analysis_output"])
def test_of_real_captures(shared_samples: Path, name: str) -> None:
    assert checked(shared_samples / "ascend-pt" / name)


def test_a_step_is_the_row_of_its_rank(shared_samples: Path) -> None:
    (profile,) = checked(shared_samples / "ascend-pt" / "cluster_analysis_output")
    (rule,) = (one for one in outcomes(profile) if one.rule.id == "trace.exposed-communication")
    evidence = rule.findings[0].evidence[0]
    table = by_id(profile, evidence.table)
    assert table is not None
    assert evidence.key == "Rank 11, step 2"
    cells = {column.key: column.value(evidence.row) for column in table.columns}
    assert (cells["rank"], cells["step"], cells["exposed"]) == (11, 2, evidence.value)
