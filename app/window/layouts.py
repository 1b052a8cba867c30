"""The default layout of each format family: where each panel is until the user moves it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

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
                PanelGroup(48, ("timeline", "memory_paths", "roofline", "cache", "memory_accesses", "onchip")),
                PanelGroup(
                    52,
                    (
                        "source",
                        "operator",
                        "core_load",
                        "stall_reasons",
                        "findings",
                        "statistics",
                        "workload",
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
        Column(42, (PanelGroup(50, ("anchors", "tensors", "model", "comparison", REST)), PanelGroup(50, ("content",)))),
        Column(21, (PanelGroup(100, ASIDE),), TEXT),
    )
)

TENSORFLOW = Layout(  # does the input keep the IPUs waiting?
    (
        Column(
            74,
            (
                PanelGroup(50, ("timeline",)),
                PanelGroup(50, ("host_events", "statistics", "tensor_map", "comparison", REST)),
            ),
        ),
        Column(26, (PanelGroup(100, ASIDE),), TEXT),
    )
)

TRACE = Layout(  # what runs when, and what takes the time in total?
    (
        Column(76, (PanelGroup(66, ("timeline",)), PanelGroup(34, ("statistics", "findings", "comparison", REST)))),
        Column(24, (PanelGroup(100, ASIDE),), TEXT),
    )
)

ANY = Layout(
    (
        Column(74, (PanelGroup(60, ("timeline",)), PanelGroup(40, (REST,)))),
        Column(26, (PanelGroup(100, ASIDE),), TEXT),
    )
)

LAYOUTS = {"poplar": POPLAR, "ascend": ASCEND, "popef": POPEF, "tensorflow": TENSORFLOW, "trace": TRACE}


def layout_of(family: str) -> Layout:
    """Returns the default layout of a family (id); ANY for unknown ones."""
    return LAYOUTS.get(family, ANY)
