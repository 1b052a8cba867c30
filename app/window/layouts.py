"""The default layout of each format family: where each panel is until the user moves it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

REST = "*"
"""Placeholder for the panels that a layout does not name."""


class PanelGroup(Struct, frozen=True):
    """A tab group of panels, with the first offered one in front; ``weight``: share of the height."""

    weight: int
    panels: tuple[str, ...]


class Column(Struct, frozen=True):
    """Groups from top to bottom; ``weight``: share of the width."""

    weight: int
    groups: tuple[PanelGroup, ...]


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

        columns = (Column(c.weight, tuple(g for g in map(group, c.groups) if g.panels)) for c in self.columns)
        return Layout(tuple(column for column in columns if column.groups))

    def groups(self) -> Iterator[PanelGroup]:
        for column in self.columns:
            yield from column.groups

    def order(self) -> tuple[str, ...]:
        """Returns the ids of all panels in reading order."""
        return tuple(name for group in self.groups() for name in group.panels)


POPLAR = Layout(
    (
        Column(22, (PanelGroup(62, ("tree",)), PanelGroup(38, ("summary",)))),
        Column(
            56,
            (
                PanelGroup(54, ("timeline", "steps")),
                PanelGroup(46, ("tile_memory", "findings", "liveness", "heat", "comparison", REST, "scaling")),
            ),
        ),
        Column(22, (PanelGroup(72, ("details",)), PanelGroup(28, ("issues",)))),
    )
)

ASCEND = Layout(
    (
        Column(
            72,
            (  # charts above, tables below: one of each is visible, and tabs have room for their names
                PanelGroup(44, ("timeline", "memory_paths", "roofline", "cache", "memory_accesses", "onchip")),
                PanelGroup(
                    56, ("source", "findings", "operator", "workload", "core_load", "stall_reasons", "comparison", REST)
                ),
            ),
        ),
        Column(28, (PanelGroup(42, ("summary",)), PanelGroup(38, ("details",)), PanelGroup(20, ("issues",)))),
    )
)

POPEF = Layout(
    (
        Column(34, (PanelGroup(60, ("blobs",)), PanelGroup(40, ("summary",)))),
        Column(42, (PanelGroup(50, ("anchors", "tensors", "model", "comparison", REST)), PanelGroup(50, ("content",)))),
        Column(24, (PanelGroup(72, ("details",)), PanelGroup(28, ("issues",)))),
    )
)

TENSORFLOW = Layout(
    (
        Column(70, (PanelGroup(40, ("timeline",)), PanelGroup(60, ("host_events", "tensor_map", "comparison", REST)))),
        Column(30, (PanelGroup(36, ("summary",)), PanelGroup(42, ("details",)), PanelGroup(22, ("issues",)))),
    )
)

TRACE = Layout(  # the timeline is the only main panel, so it gets most of the room
    (
        Column(77, (PanelGroup(100, ("timeline", "comparison", REST)),)),
        Column(23, (PanelGroup(60, ("details",)), PanelGroup(40, ("summary", "issues")))),
    )
)

ANY = Layout(
    (
        Column(22, (PanelGroup(100, ("summary",)),)),
        Column(54, (PanelGroup(60, ("timeline",)), PanelGroup(40, (REST,)))),
        Column(24, (PanelGroup(72, ("details",)), PanelGroup(28, ("issues",)))),
    )
)

LAYOUTS = {"poplar": POPLAR, "ascend": ASCEND, "popef": POPEF, "tensorflow": TENSORFLOW, "trace": TRACE}


def layout_of(family: str) -> Layout:
    """Returns the default layout of a family (id); ANY for unknown ones."""
    return LAYOUTS.get(family, ANY)
