"""Sentences about amounts that the files do not give, or that are zero or one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.analysis.checks import check
from app.analysis.poplar.parts import live_part
from app.analysis.tables.poplar_live import at_node
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.profile import Profile
from generators import poplar
from generators.trees import plain, write_json

SCALE = poplar.Scale(compute_sets=6, loops=1)


@pytest.fixture(scope="module")
def graph() -> Any:
    return plain(poplar.graph(SCALE))


@pytest.fixture(scope="module")
def execution() -> Any:
    return plain(poplar.execution(SCALE))


def profiles(folder: Path, **files: Any) -> list[Profile]:
    return list(read(FORMAT, [write_json(folder / f"{name}.json", tree) for name, tree in files.items()]))


def test_sizes_that_the_file_does_not_give_are_no_zero_bytes(tmp_path: Path, graph: Any) -> None:
    nodes = [
        {"bytes": 900, "children": [], "variables": [{"name": "a"}, {"name": "b"}]},
        {"bytes": 400, "children": [], "variables": [{"name": "a", "size": 300}]},
    ]
    liveness = graph["memory"]["liveness"]
    own = {**liveness, "notAlwaysLive": {**liveness["notAlwaysLive"], "byProgram": nodes}}
    (profile,) = profiles(tmp_path, graph={**graph, "memory": {**graph["memory"], "liveness": own}})
    notes = [table.note for table in (at_node(profile, f"live-variables/{node}") for node in (0, 1)) if table]
    assert notes == [
        "Temporarily live: 2 variables, no sizes (900 B in total).",
        "Temporarily live: 1 variable, 300 of 400 B listed.",
    ]
    parts = [live_part(profile, np.array([node])) for node in (0, 1)]
    words = [str(part.facts[0].words[0]).split(" at ")[0] for part in parts if part is not None]
    assert words == ["2 variables", "1 variable"]


def test_a_sum_is_no_share_of_zero(tmp_path: Path, graph: Any, execution: Any) -> None:
    simulation = {**execution["simulation"], "cycles": 0}
    (profile,) = profiles(tmp_path, graph=graph, execution={**execution, "simulation": simulation})
    (text,) = (issue.text for issue in check(profile) if issue.text.startswith("all kinds add up to"))
    assert text.endswith("cycles x tiles is 0")


def test_one_more_difference_is_singular(tmp_path: Path, graph: Any, execution: Any) -> None:
    steps = plain(execution["simulation"]["steps"])
    next(step for step in steps if step["type"] == "OnTileExecute")["computeSet"] = 10**6
    other = {
        "programTrace": [10**6],
        "computeSetCycles": [1, 2],
        "simulation": {**execution["simulation"], "steps": steps},
    }
    first, _ = profiles(tmp_path, graph=graph, execution={**execution, **other})
    (text,) = (issue.text for issue in first.issues if "belong together" in issue.text)
    assert "; 1 more difference. Each" in text
