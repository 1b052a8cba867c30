"""A tree of a million programs: ``PYTHONPATH=.:tests python tests/benchmarks/bench_tree.py [NODES]``.

Targets (T8): show at most 20 ms, search at most 50 ms, reveal at most 10 ms, scroll at most 8 ms.
"""

from __future__ import annotations

import sys
from functools import partial

import numpy as np
from PySide6.QtWidgets import QApplication, QLineEdit, QScrollBar

from app.analysis.hierarchy import Hierarchy, walk
from app.analysis.table import Coded, Column, Table
from app.profile.ragged import Ragged
from app.profile.strings import Strings
from app.widgets.display import Display
from app.widgets.tree.widget import TreeWidget
from benchmarks.clock import application, frames, line, median, show, timed

FAN = 100


def hierarchy(count: int, *, flat: bool) -> Hierarchy:
    """One root; all below it at once, or a hundred below each of a hundred and so on."""
    random = np.random.default_rng(1)
    lengths = np.zeros(count, np.int64)
    if flat:
        lengths[0] = count - 1
    else:
        parents = -(-(count - 1) // FAN)
        lengths[:parents] = FAN
        lengths[parents - 1] -= int(lengths.sum()) - (count - 1)
    names = Strings.of(f"model/layer_{number % 97}/matMul/op_{number}" for number in range(count))
    types = Strings.of(("Sequence", "OnTileExecute", "DoExchange", "Sync", "Repeat"))
    table = Table(
        "programs",
        "Programs",
        (
            Column("name", "Name", Coded(np.arange(count, dtype=np.int32), names)),
            Column("type", "Type", Coded(random.integers(0, 5, count).astype(np.int32), types)),
            Column("runs", "Runs", random.integers(0, 100, count)),
            Column("cycles", "Cycles", random.integers(0, 10**6, count), "cycles"),
        ),
        "program",
    )
    return Hierarchy(table, np.zeros(1, np.int64), ("control program 0",), Ragged.of(lengths, np.arange(1, count)))


def main(count: int) -> None:
    application()
    for flat in (False, True):
        tree = hierarchy(count, flat=flat)
        sys.stdout.write(f"\n{count:,} programs, {'all below one' if flat else 'a hundred below each'}\n")
        widget = TreeWidget(Display())
        show(widget, 700, 800)
        line("show", timed(partial(_show, widget, tree)), "<= 20 ms")
        line("order of all, once", median(partial(walk, tree.roots, tree.below), 3), "in idle time")
        assert tree.walk is not None
        view, field = widget.view, widget.field
        for text in ("op_99999", "MATMUL/op_77", "nothing at all"):
            line(f"search {text!r}", median(partial(_search, field, text), 3), "<= 50 ms")
        _search(field, "op_99999")
        middle, worst = frames(partial(widget.find_step, 1), 12)
        line("reveal the next hit", middle, "<= 10 ms", f"worst {worst:.1f} ms")
        root = view.items.index(0, 0)
        for row in range(min(10, view.items.rowCount(root))):
            view.expand(view.items.index(row, 0, root))
        QApplication.processEvents()
        bar = view.verticalScrollBar()
        bar.setValue(0)
        middle, worst = frames(partial(_scroll, bar, 700))
        line("scroll by a page", middle, "<= 8 ms", f"worst {worst:.1f} ms")
        widget.close()


def _show(widget: TreeWidget, tree: Hierarchy) -> None:
    widget.set_hierarchy(tree, empty="")
    widget.view.viewport().repaint()


def _search(field: QLineEdit, text: str) -> None:
    field.clear()
    field.setText(text)


def _scroll(bar: QScrollBar, step: int) -> None:
    bar.setValue(bar.value() + step)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
