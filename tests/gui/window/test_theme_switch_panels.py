"""A window whose theme is changed looks like one that was started in that theme: every panel of every family."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.themes import begun, panels, strangers, switch
from journeys.families import write_all

CASES = {
    "poplar": "steps",
    "ascend": "tables",
    "popef": "blobs",
    "popef tensor": "tensors",
    "trace": "timeline",
    "plan": "onchip",
    "tensorflow": "host_events",
    "map": "tensor_map",
    "report": "heat",
}
"""Family, and the panel that something is chosen in."""
ALLOWED = 0.0002
"""Of a panel's pixels: less than the smallest icon."""


@pytest.fixture(scope="session")
def families(tmp_path_factory: pytest.TempPathFactory, root: Path) -> dict[str, Path]:
    return write_all(tmp_path_factory.mktemp("families"), root / "resources" / "samples")


@pytest.mark.parametrize("case", CASES)
def test_panels_follow_the_theme(families: dict[str, Path], case: str) -> None:
    path = families[case.split()[0]]
    with begun("light", path, CASES[case]) as window:
        light = panels(window)
        switch(window, "dark")
        into_dark = panels(window)
        switch(window, "light")
        back_in_light = panels(window)
    with begun("dark", path, CASES[case]) as window:
        dark = panels(window)
    assert strangers(dark, into_dark, ALLOWED) == []
    assert strangers(light, back_in_light, ALLOWED) == []
    assert len(strangers(light, dark, 0.5)) == len(light)
