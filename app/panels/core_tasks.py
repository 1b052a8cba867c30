"""The panel of the tasks of a PyPTO run."""

from __future__ import annotations

from app.language import tr
from app.panels.pages_panel import BarsPanel, Page, table_plot
from app.panels.registry import SPECS
from app.views.pypto import functions_picture

FUNCTIONS = "pypto-kernels"


class CoreTasksPanel(BarsPanel):
    """Tasks by function, each of them, the cores, and what waits for what."""

    spec = SPECS["core_tasks"]
    empty = tr("The run has no tasks.")
    tables = (
        Page(tr("Functions"), FUNCTIONS, "core_tasks", draw=functions_picture),
        Page(tr("Tasks"), "tasks", "core_tasks"),
        Page(tr("Blocks"), "task-blocks", "core_tasks"),
        Page(tr("Cores"), "cores", "core_tasks"),
        Page(tr("Dependencies"), "dependencies", "core_tasks"),
    )


PLOTS = (table_plot("task-functions", tr("Functions of tasks"), functions_picture, FUNCTIONS, "core_tasks"),)
