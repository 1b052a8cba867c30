"""A desktop for the journeys of one test process, and the program on it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

import pytest

from desktop.eyes import Eyes, save
from desktop.program import ROOT, Program, started
from desktop.server import Desktop, desktop, missing

SIZE = (1600, 1000)
LEFT_BEHIND = ROOT / "build" / "journeys"
"""The folder of images for visual inspection; not in the repository."""

Start: TypeAlias = Callable[..., Program]
"""Starts the program with files; it is ended with the test."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Journeys come first: with the longest tests at the end, one process would work alone for minutes."""
    here = Path(__file__).parent
    items.sort(key=lambda item: here not in item.path.parents)
    if not sys.platform.startswith("linux"):
        for item in items:
            if here in item.path.parents:
                item.add_marker(pytest.mark.skip(reason="journeys need an X server"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Saves a screenshot of every failed journey before the program ends."""
    report = yield
    desk = getattr(item, "funcargs", {}).get("screen")
    if report.failed and report.when == "call" and isinstance(desk, Desktop):
        LEFT_BEHIND.mkdir(parents=True, exist_ok=True)
        picture = LEFT_BEHIND / f"failed-{item.name}.png"
        save(Eyes(desk.framebuffer).look(), picture)
        report.sections.append(("screen", str(picture)))
    return report


@pytest.fixture(scope="session")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desktop]:
    """One desktop for all journeys of this process."""
    absent = missing()
    if absent:
        pytest.fail(f"journeys need {', '.join(absent)}; packaging/dev.py test installs them")
    with desktop(tmp_path_factory.mktemp("desktop"), *SIZE) as made:
        yield made


@pytest.fixture
def start(screen: Desktop, home: Path) -> Iterator[Start]:
    """Starts the program like a user does, with an empty home (the same one at every start in a test)."""
    with ExitStack() as stack:

        def begin(*files: Path | str) -> Program:
            return stack.enter_context(started(screen, home, files))

        yield begin


@pytest.fixture(scope="session")
def samples(root: Path) -> Path:
    """The bundled sample profiles."""
    return root / "resources" / "samples"
