"""Fixtures of all tests: no display, no shared settings, and nothing left running."""

from __future__ import annotations

import os
import sys

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # before anything imports Qt
os.environ["TILESIGHT_LANGUAGE"] = "en"  # whatever the system speaks
os.environ.pop("QT_STYLE_OVERRIDE", None)
os.environ.pop("QT_SCALE_FACTOR", None)
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # each program that tests start would compile all of it, for 0.8 s

from pathlib import Path

import pytest

pytest_plugins = [
    "guards.collector",
    "guards.examples",
    "guards.lanes",
    "guards.logs",
    "guards.processes",
    "guards.threads",
    "guards.widgets",
]

sys.dont_write_bytecode = False

ROOT = Path(__file__).resolve().parent.parent
HOME_VARIABLES = {
    "HOME": "",
    "XDG_CONFIG_HOME": ".config",
    "XDG_CACHE_HOME": ".cache",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
    "XDG_RUNTIME_DIR": "run",
}
HOMES = list[Path]()
"""The home of the test before."""


def pytest_addoption(parser: pytest.Parser) -> None:
    help_text = "contact sheets of all panels at all sizes and in all themes, in build/journeys"
    parser.addoption("--sheets", action="store_true", help=help_text)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A separate empty home for every test, so that settings and caches are never shared. One that the test before left
    empty is taken again: sixty thousand folders of a run are made, looked through and deleted otherwise."""
    folder = next((last for last in HOMES if _empty(last)), None) or tmp_path_factory.mktemp("home")
    HOMES[:] = [folder]
    for name, below in HOME_VARIABLES.items():
        place = folder / below
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        monkeypatch.setenv(name, str(place))
    return folder


def _empty(home: Path) -> bool:
    """Whether it has nothing but the folders of ``HOME_VARIABLES``, all of them writable as they were."""
    made = {home / below for below in HOME_VARIABLES.values()}
    made |= {parent for folder in made for parent in folder.parents if home in parent.parents}
    return home.is_dir() and {home, *home.rglob("*")} == made and all(os.access(folder, os.W_OK) for folder in made)


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared_samples() -> Path:
    """Vendor captures that may not be redistributed; they are beside the repository if at all."""
    folder = ROOT.parent / "shared" / "samples"
    if not folder.is_dir():
        pytest.skip("the vendor captures (../shared/samples) are not on this machine")
    return folder
