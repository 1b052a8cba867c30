"""Everything of a measured run in a folder, by the real dialog: complete, and nothing else beside it."""

from __future__ import annotations

import json
from pathlib import Path

from desktop.waiting import until
from journeys.conftest import Start


def test_everything_of_a_measured_run(start: Start, samples: Path, tmp_path: Path) -> None:
    program = start(samples / "resnet-32-tiles-measured")
    program.show_panel("Summary")
    folder = tmp_path / "everything"
    program.menu("File", "Export everything…")
    program.type_path(folder, "Export everything")
    until((folder / "index.json").exists, "everything is written")
    (listed,) = json.loads((folder / "index.json").read_bytes())["profiles"]
    assert listed["figures"]["execution.measured"] == {"compute sets": "last"}
    written = {entry["file"] for entry in (*listed["tables"], *listed["plots"])}
    assert {path.name for path in folder.iterdir()} == {"index.json", *written}
    assert {"compute-sets.csv", "tile-time.csv", "timeline.svg", "heat.svg"} <= written
    assert listed["left_out"] == []
