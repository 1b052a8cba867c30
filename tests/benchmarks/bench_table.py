"""A table of a million rows: ``PYTHONPATH=.:tests python tests/benchmarks/bench_table.py``.

Targets (T7): sort at most 1.5 x np.argsort of the same column, filter at most 60 ms, scroll at most 5 ms.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtWidgets import QScrollBar

from app.analysis.table import Coded, Column, Table
from app.profile.strings import Strings
from app.widgets.display import Display
from app.widgets.table.model import TableModel
from app.widgets.table.widget import TableWidget
from benchmarks.clock import application, frames, median, show, timed
from benchmarks.record import Record
from benchmarks.report import show as show_records
from benchmarks.size import FULL, Size

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
            Column("start", "Start", np.cumsum(random.random(rows)), "µs"),
            Column("duration", "Duration", random.random(rows) * 100, "µs"),
            Column("rounded", "Rounded", np.round(random.random(rows) * 100, 3), "µs"),
            Column("bytes", "Bytes", random.integers(0, 1 << 20, rows), "B", missing=random.random(rows) < 0.1),
            Column("share", "Share", random.random(rows) * 100, "%"),
            Column("tile", "Tile", random.integers(0, 1472, rows)),
            Column("path", "Path", Coded(np.arange(rows, dtype=np.int32), paths)),
        ),
    )


def measure(size: Size) -> list[Record]:
    application()
    what, data = f"table of {size.rows:,} rows", table(size.rows)
    widget = TableWidget(Display())
    records = [Record(f"{what}: set", "", timed(partial(widget.set_table, data)), "ms")]
    show(widget, 1200, 900)
    items = widget.view.items
    records += [sort(items, place, f"{what}: ", size) for place in range(len(data.columns) - 1)]
    items.sort(-1)
    for text in ("op_123", "MATMUL/op_77", "17", "nothing at all"):
        took = median(partial(items.search, text), min(5, size.repeats))
        records.append(Record(f"{what}: filter {text!r}", "T7", took, "ms", at_most=60))
    items.search("")
    bar = widget.view.verticalScrollBar()
    for name, step in (("notch", NOTCH), ("page", PAGE)):
        middle, worst = frames(partial(_scroll, bar, step), size.frames)
        note = f"worst {worst:.1f} ms"
        records.append(Record(f"{what}: scroll by a {name}", "T7", middle, "ms", at_most=5, note=note))
    widget.close()
    return records


def sort(items: TableModel, place: int, what: str, size: Size) -> Record:
    """Sorting one column, compared with np.argsort of its stored values."""
    column = items.table.columns[place]
    plain = column.values.ids if isinstance(column.values, Coded) else np.asarray(column.values)
    items.sort(place)  # ranks of texts are computed once per column
    base, ours = [], []
    for _ in range(size.repeats):  # alternating, so that both run under the same load
        base.append(timed(partial(np.argsort, plain)))
        ours.append(timed(partial(_sort, items, place)))
    middle, against = float(np.median(ours)), float(np.median(base))
    name = f"{what}sort by {column.key}"
    return Record(name, "T7", middle, "ms", ratio_at_most=1.5, baseline=against, against="np.argsort")


def _scroll(bar: QScrollBar, step: int) -> None:
    bar.setValue(bar.value() + step)


def _sort(items: TableModel, place: int) -> None:
    items._orders.clear()  # otherwise the second time would come from the cache
    items.sort(place)


if __name__ == "__main__":
    show_records(measure(FULL))
