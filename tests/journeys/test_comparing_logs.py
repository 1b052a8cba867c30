"""Two TensorFlow logs of which one has another module: the row is named, the baseline swapped, and all that ended."""

from __future__ import annotations

from pathlib import Path

from desktop.accessible import Node
from desktop.program import BUTTONS, Program
from desktop.waiting import until
from generators.tensorflow_events import log, run
from journeys.conftest import Start


def modules(program: Program) -> Node:
    return program.show_panel("Tables").find("table")


def statuses(program: Program) -> list[str]:
    table = modules(program).again()
    return [table.cell(row, 0).name for row in range(table.rows)]


def test_a_module_that_only_one_log_has(start: Start, tmp_path: Path) -> None:
    sides = []
    for name, more in (("before", []), ("after", run("planted", executions=5))):
        folder = tmp_path / name
        folder.mkdir()
        path = folder / "events.out.tfevents.1559736000.host"
        path.write_bytes(log([[*run(), *more]]))
        sides.append(path)
    program = start("--baseline", *sides)
    program.find(BUTTONS, lambda name: name.endswith("(baseline)"))
    modules(program)
    program.hands.click(program.find("list", "Tables of this profile").middle)

    def only_after() -> bool:
        program.hands.type("modu")  # again if Qt took more than 0.4 s to read them, when it forgets the first ones
        program.rest()
        return statuses(program) == ["only in the comparison"]

    until(only_after, "the module that only one log has")
    program.menu("Compare", "Swap baseline")
    until(lambda: statuses(program) == ["only in the baseline"], "the same the other way round")
    program.menu("Compare", "End comparison")
    until(lambda: "only in the baseline" not in statuses(program), "the tables of one profile")
