"""A tree of a million programs: ``PYTHONPATH=.:tests python tests/benchmarks/bench_tree.py``.

Targets (T8): show at most 20 ms, search at most 50 ms, reveal at most 10 ms, scroll at most 8 ms.
"""

from __future__ import annotations

import statistics
from functools import partial

import numpy as np
from PySide6.QtWidgets import QApplication, QLineEdit, QScrollBar

from app.analysis.compare.comparison import Comparison
from app.analysis.compare.trees import tree_differences
from app.analysis.poplar.program_figures import ProgramFigures, program_figures
from app.analysis.table import Coded, Column, Table
from app.analysis.trees import Hierarchy, program_tree, programs_table, walk
from app.profile.arrays import Ragged
from app.profile.poplar import ComputeSetBytes, ComputeSets, Programs
from app.profile.profile import Origin, Profile
from app.profile.strings import Strings
from app.widgets.display import Display
from app.widgets.tree.widget import TreeWidget
from benchmarks.clock import application, frames, median, show, timed
from benchmarks.record import Record
from benchmarks.report import show as show_records
from benchmarks.size import FULL, Size

FAN = 100
SETS = 3000


def hierarchy(count: int, *, flat: bool) -> Hierarchy:
    """A tree with one root: all other nodes are its children (``flat``), or each node has a hundred children."""
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
            Column("type", "Type", Coded(random.integers(0, 5, count).astype(np.int32), types), role="kind"),
            Column("runs", "Runs", random.integers(0, 100, count)),
            Column("cycles", "Cycles", random.integers(0, 10**6, count), "cycles"),
        ),
        "program",
    )
    return Hierarchy(table, np.zeros(1, np.int64), ("control program 0",), Ragged.of(lengths, np.arange(1, count)))


def profile(count: int) -> Profile:
    """The flat tree as programs: each leaf runs one of SETS compute sets, and each set is run by many."""
    random = np.random.default_rng(2)
    below = hierarchy(count, flat=False).below
    leaf = below.lengths == 0
    own = Programs(
        strings=Strings.of(("Sequence", "OnTileExecute")),
        type=leaf.astype(np.int32),
        name=np.full(count, -1, np.int32),
        children=below,
        compute_set=np.where(leaf, random.integers(0, SETS, count), -1).astype(np.int32),
        exchange=np.full(count, -1, np.int32),
        call=np.full(count, -1, np.int32),
        control=np.zeros(1, np.int32),
        functions=np.empty(0, np.int32),
    )
    cells = random.integers(0, 1000, (SETS, 64)).astype(np.uint16)
    return Profile(
        name="big",
        origin=Origin("poplar", ()),
        programs=own,
        compute_sets=ComputeSets(count=SETS, names=Strings.of(()), cycles=cells),
        compute_set_bytes=ComputeSetBytes({"vertexDataBytes": cells}),
    )


def measure(size: Size) -> list[Record]:
    application()
    return [*_one(size, flat=False), *_one(size, flat=True), *_figures(size), *_differences(size)]


def _differences(size: Size) -> list[Record]:
    """Two such trees compared in the background, then shown in another order."""
    big = profile(size.nodes)
    tree = program_tree(big, program_figures(big) or ProgramFigures())
    assert tree is not None
    made = tree_differences(Comparison(big, big), tree, tree)
    took = timed(lambda: tree_differences(Comparison(big, big), tree, tree).table_of_all)
    widget = TreeWidget(Display())
    show(widget, 700, 800)
    widget.set_hierarchy(made.tree(made.main, by_difference=False, changed_only=False), empty="")
    shown = timed(lambda: widget.set_hierarchy(made.tree(made.main, by_difference=True, changed_only=False), empty=""))
    widget.close()
    what = f"{size.nodes:,} programs"
    return [
        Record(f"{what}: differences from as many, in the background", "", took, "ms"),
        Record(f"{what}: show the largest differences first", "", shown, "ms"),
    ]


def _figures(size: Size) -> list[Record]:
    """Figures of subtrees: computed in the background, then shown."""
    big = profile(size.nodes)
    widget = TreeWidget(Display())
    show(widget, 700, 800)
    took = median(partial(program_figures, big), min(3, size.repeats))
    figures, tree = program_figures(big), program_tree(big, ProgramFigures())
    assert figures is not None
    widget.set_hierarchy(tree, empty="")
    table = programs_table(big, figures)
    assert table is not None
    shown = timed(partial(widget.set_table, table))
    widget.close()
    what = f"{size.nodes:,} programs"
    return [
        Record(f"{what}: figures of all sub-trees, in the background", "", took, "ms"),
        Record(f"{what}: show these figures in the opened tree", "T8", shown, "ms", at_most=20),
    ]


def _one(size: Size, *, flat: bool) -> list[Record]:
    tree = hierarchy(size.nodes, flat=flat)
    what = f"tree of {size.nodes:,}, {'all below one' if flat else f'{FAN} below each'}"
    widget = TreeWidget(Display())
    show(widget, 700, 800)
    shown = statistics.median(_shown(tree) for _ in range(min(3, size.repeats)))
    _show(widget, tree)
    order = median(partial(walk, tree.roots, tree.below), min(3, size.repeats))
    records = [
        Record(f"{what}: show", "T8", shown, "ms", at_most=20),
        Record(f"{what}: order of all, once, in idle time", "", order, "ms"),
    ]
    assert tree.walk is not None
    view, field = widget.view, widget.field
    for text in ("op_99999", "MATMUL/op_77", "nothing at all"):
        took = median(partial(_search, field, text), min(3, size.repeats))
        records.append(Record(f"{what}: search {text!r}", "T8", took, "ms", at_most=50))
    _search(field, "op_99999" if size.full else "op_9")
    middle, worst = frames(partial(widget.find_step, 1), min(12, size.frames))
    note = f"worst {worst:.1f} ms"
    records.append(Record(f"{what}: reveal the next hit", "T8", middle, "ms", at_most=10, note=note))
    root = view.items.index(0, 0)
    for row in range(min(10, view.items.rowCount(root))):
        view.expand(view.items.index(row, 0, root))
    QApplication.processEvents()
    bar = view.verticalScrollBar()
    bar.setValue(0)
    middle, worst = frames(partial(_scroll, bar, 700), size.frames)
    note = f"worst {worst:.1f} ms"
    records.append(Record(f"{what}: scroll by a page", "T8", middle, "ms", at_most=8, note=note))
    widget.close()
    return records


def _shown(tree: Hierarchy) -> float:
    """Milliseconds until a new widget shows it."""
    widget = TreeWidget(Display())
    show(widget, 700, 800)
    took = timed(partial(_show, widget, tree))
    widget.close()
    return took


def _show(widget: TreeWidget, tree: Hierarchy) -> None:
    widget.set_hierarchy(tree, empty="")
    widget.view.viewport().repaint()


def _search(field: QLineEdit, text: str) -> None:
    field.clear()
    field.setText(text)


def _scroll(bar: QScrollBar, step: int) -> None:
    bar.setValue(bar.value() + step)


if __name__ == "__main__":
    show_records(measure(FULL))
