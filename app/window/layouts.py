"""The default layout of each format family: where each panel is until the user moves it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from app.window.dock import Dock

REST = "*"
"""Placeholder for the panels that a layout does not name."""


class PanelGroup(Struct, frozen=True):
    """A tab group of panels, with the first offered one in front; ``weight``: share of the height."""

    weight: int
    panels: tuple[str, ...]


class Column(Struct, frozen=True):
    """Groups from top to bottom; ``weight``: share of the width; ``most``: the widest that it is at first, in average
    characters (0: any width), as a column of text gains nothing on a large screen."""

    weight: int
    groups: tuple[PanelGroup, ...]
    most: int = 0


class Layout(Struct, frozen=True):
    """Columns from left to right."""

    columns: tuple[Column, ...]

    def resolved(self, panels: Iterable[str]) -> Layout:
        """Returns the layout limited to ``panels`` (ids), with REST replaced by those that are not named; empty groups
        and columns are dropped."""
        known = list(panels)
        named = {name for column in self.columns for group in column.groups for name in group.panels}
        rest = tuple(name for name in known if name not in named)

        def group(old: PanelGroup) -> PanelGroup:
            names = (name for part in old.panels for name in (rest if part == REST else (part,)))
            return PanelGroup(old.weight, tuple(name for name in names if name in known))

        columns = (Column(c.weight, tuple(g for g in map(group, c.groups) if g.panels), c.most) for c in self.columns)
        return Layout(tuple(column for column in columns if column.groups))

    def groups(self) -> Iterator[PanelGroup]:
        for column in self.columns:
            yield from column.groups

    def order(self) -> tuple[str, ...]:
        """Returns the ids of all panels in reading order."""
        return tuple(name for group in self.groups() for name in group.panels)


def widths(columns: Sequence[Column], width: float, character: float) -> list[float]:
    """The widths of columns in ``width``, with characters as wide as ``character``: by their weights, those that would
    be wider than ``most`` so wide, if others can take the rest."""
    whole = sum(column.weight for column in columns)
    shares = [column.weight / whole * width for column in columns]
    limits = [column.most * character or width for column in columns]
    free = sum(column.weight for column, share, limit in zip(columns, shares, limits, strict=True) if share <= limit)
    if not free:
        return shares
    left = width - sum(limit for share, limit in zip(shares, limits, strict=True) if share > limit)
    return [
        limit if share > limit else column.weight / free * left
        for column, share, limit in zip(columns, shares, limits, strict=True)
    ]


MAYBE_EMPTY = ("findings", "comparison")
"""Panels that are offered for every profile and may have nothing to show: others of their group are in front first."""

ASIDE = ("summary", "details", "issues")
"""Panels that share a column: the summary until something is selected, then the details of that."""
TEXT = 76
"""Average characters of a line of text that is easy to read, with margins."""

POPLAR = Layout(  # where does memory go, and which step takes the cycles?
    (
        Column(21, (PanelGroup(100, ("tree",)),)),
        Column(
            54,
            (
                PanelGroup(44, ("timeline", "steps")),
                PanelGroup(
                    56, ("tile_memory", "findings", "statistics", "liveness", "heat", "comparison", REST, "scaling")
                ),
            ),
        ),
        Column(25, (PanelGroup(100, ASIDE),), TEXT),
    )
)

ASCEND = Layout(  # why is this operator slow: what waits, and which line causes it?
    (
        Column(
            74,
            (  # charts above, tables below: one of each is visible, and tabs have room for their names
                PanelGroup(
                    60,
                    (
                        "timeline",
                        "memory_paths",
                        "roofline",
                        "cache",
                        "memory_accesses",
                        "onchip",
                        "workload",
                        "stall_reasons",
                        "operator",
                        "core_load",
                    ),
                ),
                PanelGroup(
                    40,
                    (
                        "source",
                        "statistics",
                        "findings",
                        "comparison",
                        "tables",
                        REST,
                    ),
                ),
            ),
        ),
        Column(26, (PanelGroup(100, ASIDE),), TEXT),
    )
)

POPEF = Layout(  # what is in this file?
    (
        Column(37, (PanelGroup(100, ("blobs",)),)),
        Column(
            42,
            (
                PanelGroup(50, ("anchors", "tensors", "model", "findings", "comparison", REST)),
                PanelGroup(50, ("content",)),
            ),
        ),
        Column(21, (PanelGroup(100, ASIDE),), TEXT),
    )
)

TENSORFLOW = Layout(  # does the input keep the IPUs waiting?
    (
        Column(
            74,
            (
                PanelGroup(60, ("timeline",)),
                PanelGroup(40, ("host_events", "statistics", "tensor_map", "findings", "comparison", REST)),
            ),
        ),
        Column(26, (PanelGroup(100, ASIDE),), TEXT),
    )
)

TRACE = Layout(  # what runs when, and what takes the time in total?
    (
        Column(
            76,
            (
                PanelGroup(66, ("timeline",)),
                PanelGroup(34, ("floor_plan", "statistics", "findings", "comparison", REST)),
            ),
        ),
        Column(24, (PanelGroup(100, ASIDE),), TEXT),
    )
)

CAPTURE = Layout(  # which part of a step costs the time, and which rank or kernel?
    (
        Column(
            76,
            (
                PanelGroup(60, ("timeline",)),
                PanelGroup(
                    40,
                    (
                        "training_steps",
                        "kernels",
                        "communication",
                        "device_memory",
                        "statistics",
                        "findings",
                        "comparison",
                        REST,
                    ),
                ),
            ),
        ),
        Column(24, (PanelGroup(100, ASIDE),), TEXT),
    )
)

PYPTO = Layout(  # which cores wait, and for what: data, or the scheduler?
    (
        Column(
            76,
            (
                PanelGroup(60, ("timeline",)),
                PanelGroup(40, ("core_tasks", "statistics", "findings", "comparison", REST)),
            ),
        ),
        Column(24, (PanelGroup(100, ASIDE),), TEXT),
    )
)

TENSTORRENT = Layout(  # which operation takes the time, and which cores work for it?
    (
        Column(
            74,
            (
                PanelGroup(52, ("timeline", "core_memory")),
                PanelGroup(
                    48, ("floor_plan", "operations", "zones", "noc", "source", "heat", "findings", "comparison", REST)
                ),
            ),
        ),
        Column(26, (PanelGroup(100, ASIDE),), TEXT),
    )
)

ANY = Layout(
    (
        Column(74, (PanelGroup(60, ("timeline",)), PanelGroup(40, (REST,)))),
        Column(26, (PanelGroup(100, ASIDE),), TEXT),
    )
)

LAYOUTS = {
    "poplar": POPLAR,
    "ascend": ASCEND,
    "popef": POPEF,
    "tensorflow": TENSORFLOW,
    "trace": TRACE,
    "capture": CAPTURE,
    "pypto": PYPTO,
    "tenstorrent": TENSTORRENT,
}


def layout_of(family: str) -> Layout:
    """Returns the default layout of a family (id); ANY for unknown ones."""
    return LAYOUTS.get(family, ANY)


AREA = Qt.DockWidgetArea.TopDockWidgetArea
"""All docks share one split area: four areas around an empty centre would compete for space."""


def place(area: QMainWindow, docks: Mapping[str, Dock], layout: Layout) -> None:
    """Places every dock that ``layout`` names and hides it; the dock area shows those that are offered."""
    for dock in docks.values():
        dock.setFloating(False)  # first: a dock removed while floating is later drawn over the others
        area.removeDockWidget(dock)
    previous: Dock | None = None
    heads: list[tuple[Dock, Column]] = []
    for column in layout.columns:
        head = docks[column.groups[0].panels[0]]
        if previous is None:
            area.addDockWidget(AREA, head, Qt.Orientation.Horizontal)
        else:
            area.splitDockWidget(previous, head, Qt.Orientation.Horizontal)
        heads.append((head, column))
        previous = head
    for head, column in heads:
        _fill_column(area, docks, head, column)
    for dock in docks.values():
        dock.hide()


def _fill_column(area: QMainWindow, docks: Mapping[str, Dock], head: Dock, column: Column) -> None:
    previous = head
    for group in column.groups[1:]:
        below = docks[group.panels[0]]
        area.splitDockWidget(previous, below, Qt.Orientation.Vertical)
        previous = below
    for group in column.groups:
        before = docks[group.panels[0]]
        for name in group.panels[1:]:
            area.tabifyDockWidget(before, docks[name])
            before = docks[name]


def proportion(area: QMainWindow, docks: Mapping[str, Dock], layout: Layout) -> None:
    """Resizes the visible docks in proportion to the weights of the layout, columns of text to what they need."""
    columns = [(column, shown) for column in layout.columns if (shown := _shown_groups(docks, column))]
    wide = widths([column for column, _ in columns], area.width(), area.fontMetrics().averageCharWidth())
    heads = [(shown[0][1], width) for (_, shown), width in zip(columns, wide, strict=True)]
    _resize(area, heads, Qt.Orientation.Horizontal)
    for _, shown in columns:
        high = sum(group.weight for group, _ in shown)
        sizes = [(dock, group.weight / high * area.height()) for group, dock in shown]
        _resize(area, sizes, Qt.Orientation.Vertical)


def to_front(docks: Mapping[str, Dock], layout: Layout) -> None:
    """Raises the first visible panel of each group, one that surely shows something if there is any."""
    for column in layout.columns:
        for _, shown in _visible(docks, column):
            next((dock for dock in shown if dock.spec.id not in MAYBE_EMPTY), shown[0]).raise_()


def _shown_groups(docks: Mapping[str, Dock], column: Column) -> list[tuple[PanelGroup, Dock]]:
    """Returns the groups with a visible dock, each with its first visible dock; floating docks do not count."""
    return [(group, shown[0]) for group, shown in _visible(docks, column)]


def _visible(docks: Mapping[str, Dock], column: Column) -> list[tuple[PanelGroup, list[Dock]]]:
    """Returns the groups with a visible dock, each with all of these; floating docks do not count."""
    groups = []
    for group in column.groups:
        shown = [docks[name] for name in group.panels if not docks[name].isHidden() and not docks[name].isFloating()]
        if shown:
            groups.append((group, shown))
    return groups


def _resize(area: QMainWindow, sizes: list[tuple[Dock, float]], orientation: Qt.Orientation) -> None:
    if len(sizes) > 1:
        area.resizeDocks([dock for dock, _ in sizes], [max(1, round(size)) for _, size in sizes], orientation)
