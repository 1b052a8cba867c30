"""Links from scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import app as tilesight
from app.analysis.view_links.text import parse
from app.profile.selection import Ranges, TileRange, TimeRange

NETWORK = Path(__file__).parents[2] / "resources" / "samples" / "resnet-1472-tiles"


def test_a_link_names_what_was_asked_for() -> None:
    with tilesight.open(NETWORK) as profile:
        link = parse(profile.link("tile_memory", ("tile", [5, 6]), time=(0.0, 10.5), tiles=[3, 1], baseline=profile))
        clock = profile.figures["target.clock_hz"]
        assert link.profile.paths == (NETWORK / "graph.json", NETWORK / "execution.json")
        assert link.baseline == link.profile
        assert link.chosen is not None
        assert (link.panel, link.chosen.kind, link.chosen.indices) == ("tile_memory", "tile", (5, 6))
        assert link.ranges == Ranges(TimeRange(0.0, 10.5 * clock), TileRange((1, 3)))
        drawn: dict[str, Any] = {
            "time": np.array([0.0, 10.5]),
            "tiles": np.array([3, 1]),
            "selection": ("tile", np.array([5, 6])),
        }
        assert parse(profile.link("tile_memory", baseline=profile, **drawn)) == link
        finding = profile.findings()[0]
        assert parse(finding.link).view["rule"] == finding.rule
        assert parse(finding.evidence[0].link).profile == link.profile
        for wrong in (("tile", [1472]), ("program", [-1]), ("program", [])):
            with pytest.raises(ValueError, match="has no"):
                profile.link(selection=wrong)
        for time in ((2.0, 1.0), (float("nan"), 1.0), (0.0, float("inf")), (-1e300, 1e300)):
            with pytest.raises(ValueError, match="parameter time"):
                profile.link(time=time)
        with pytest.raises(ValueError, match="parameter tiles"):
            profile.link(tiles=[-5])
        with pytest.raises(TypeError):
            profile.link(selection=("tile", [1.5]))  # type: ignore[list-item]
        with pytest.raises(ValueError, match="parameter panel"):
            profile.link("no panel")
