"""A table of a million rows: ``PYTHONPATH=.:tests python tests/benchmarks/bench_table.py [ROWS]``.

Targets (T7): sort at most 1.5 x np.argsort of the same column, filter at most 60 ms, scroll at most 5 ms.
"""

from __future__ import annotations

import sys
from functools import partial

import numpy as np
from PySide6.QtWidgets import QScrollBar

from app.analysis.table import Coded, Column, Table
from app.profile.strings import Strings
from app.widgets.display import Display
from app.widgets.table.model import TableModel
from app.widgets.table.widget import TableWidget
from benchmarks.clock import application, frames, line, median, show, timed

PAGE = 800
NOTCH = 72


def table(rows: int) -> Table:
    random = np.random.default_rng(1)
    names = Strings.of(f"matMul/op_{number}" for number in range(3000))
    paths = Strings.of(f"model/layer_{number % 97}/matMul/op_{number}" for number in range(rows))
    return Table(
        "bench",
        "Bench",
        (
            Column("name", "Name", Coded(random.integers(0, 3000, rows).astype(np.int32), names)),
            Column("start", "Start", np.cumsum(random.random(rows)), "us"),
            Column("duration", "Duration", random.random(rows) * 100, "us"),
            Column("rounded", "Rounded", np.round(random.random(rows) * 100, 3), "us"),
            Column("bytes", "Bytes", random.integers(0, 1 << 20, rows), "B", missing=random.random(rows) < 0.1),
            Column("share", "Share", random.random(rows) * 100, "%"),
            Column("tile", "Tile", random.integers(0, 1472, rows)),
            Column("path", "Path", Coded(np.arange(rows, dtype=np.int32), paths)),
        ),
    )


def main(rows: int) -> None:
    application()
    data = table(rows)
    widget = TableWidget(Display())
    line(f"set {rows:,} rows", timed(lambda: widget.set_table(data)), "")
    show(widget, 1200, 900)
    items = widget.view.items
    for place, column in enumerate(data.columns[:-1]):
        plain = column.values.ids if isinstance(column.values, Coded) else np.asarray(column.values)
        base = median(partial(np.argsort, plain))
        items.sort(place)  # ranks of texts are made once for a column
        ours = median(partial(_sort, items, place))
        line(f"sort by {column.key}", ours, "<= 1.5 x np.argsort", f"{ours / base:.2f} x ({base:.1f} ms)")
    items.sort(-1)
    for text in ("op_123", "MATMUL/op_77", "17", "nothing at all"):
        line(f"filter {text!r}", median(partial(items.search, text), 5), "<= 60 ms")
    items.search("")
    bar = widget.view.verticalScrollBar()
    for what, step in (("notch", NOTCH), ("page", PAGE)):
        middle, worst = frames(partial(_scroll, bar, step))
        line(f"scroll by a {what}, {len(data.columns)} columns", middle, "<= 5 ms", f"worst {worst:.1f} ms")


def _scroll(bar: QScrollBar, step: int) -> None:
    bar.setValue(bar.value() + step)


def _sort(items: TableModel, place: int) -> None:
    items._orders.clear()  # else the second time would be free
    items.sort(place)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
