"""A window whose theme is changed looks like one that was started in that theme: every panel of every family."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.window.settings import ThemeChoice
from fakes.themes import begun, panels, strangers, switch
from journeys.families import write_all

CASES = {
    "ascend": "timeline",
    "popef": "tensors",
    "plan": "onchip",
    "tensorflow": "host_events",
    "map": "tensor_map",
    "report": "heat",
}
"""Families that have all panels between them, and the panel that something is chosen in."""
WAYS: tuple[tuple[ThemeChoice, ThemeChoice], ...] = (("light", "dark"), ("dark", "light"))
"""From one theme to the other; the families take turns."""
ALLOWED = 0.0002
"""Of a panel's pixels: less than the smallest icon."""


@pytest.fixture(scope="session")
def families(tmp_path_factory: pytest.TempPathFactory, root: Path) -> dict[str, Path]:
    return write_all(tmp_path_factory.mktemp("families"), root / "resources" / "samples")


@pytest.mark.parametrize(("case", "old", "new"), [(case, *WAYS[place % 2]) for place, case in enumerate(CASES)])
def test_panels_follow_the_theme(families: dict[str, Path], case: str, old: ThemeChoice, new: ThemeChoice) -> None:
    path = families[case]
    with begun(old, path, CASES[case]) as window:
        before = panels(window)  # deferred work of the first display is done
        switch(window, new)
        changed = panels(window)
    with begun(new, path, CASES[case]) as window:
        panels(window)
        wanted = panels(window)
    assert strangers(wanted, changed, ALLOWED) == []
    assert len(strangers(before, wanted, 0.5)) == len(wanted)
