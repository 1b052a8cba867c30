"""The two lanes of tests: all of them, and with ``--quick`` those that cost little, without journeys.

``tests/slow.txt`` lists the others, one id in a line. ``--write-slow`` writes it from what the tests of a run cost;
each run names the slow tests that it lacks.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent
LIST = TESTS / "slow.txt"
SLOW_S = 0.5
"""Time of processors, of the test's process and of those that it started and waited for."""
DOUBTFUL = 2.0
"""A test costs more or less by this factor from run to run, and with the tests before it."""
COST = "seconds of processors"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="only tests that cost little, and no journeys")
    parser.addoption("--write-slow", action="store_true", help=f"write tests/{LIST.name} from a run of all tests")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # the process that has the reports of all
        config.pluginmanager.register(Costs(write=config.getoption("--write-slow")))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--quick"):
        slow = listed()
        left_out = [item for item in items if is_journey(item.nodeid) or item.nodeid in slow]
        items[:] = [item for item in items if not is_journey(item.nodeid) and item.nodeid not in slow]
        config.hook.pytest_deselected(items=left_out)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    began = os.times()
    try:
        return (yield)
    finally:
        item.user_properties.append((COST, sum(os.times()[:4]) - sum(began[:4])))


class Costs:
    """Collects what each test cost; the last lines of a run say what the list lacks."""

    def __init__(self, *, write: bool) -> None:
        self._write = write
        self._costs: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        cost = dict(report.user_properties).get(COST)
        if report.when == "call" and isinstance(cost, float) and not is_journey(report.nodeid):
            self._costs[report.nodeid] = cost

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        slow = listed()
        if self._write:
            kept = {
                name for name in slow if name not in self._costs and (TESTS.parent / name.partition("::")[0]).exists()
            }
            names = sorted(kept | {name for name, cost in self._costs.items() if cost > SLOW_S})
            LIST.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
            terminalreporter.write_line(f"{LIST.name}: {len(names)} tests")
            return
        for name, cost in self._costs.items():
            if name not in slow and cost > SLOW_S * DOUBTFUL:
                terminalreporter.write_line(f"slow and not in {LIST.name}: {cost:.1f} s {name}")


def is_journey(name: str) -> bool:
    return name.startswith("tests/journeys/")


def listed() -> set[str]:
    """The ids of tests that only the lane of all tests runs."""
    return set(LIST.read_text(encoding="utf-8").splitlines()) if LIST.exists() else set()
