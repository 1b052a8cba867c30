"""The default layout of each format family: where each panel is until the user moves it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

REST = "*"
"""Placeholder for the panels that a layout does not name."""


@dataclass(frozen=True, slots=True)
class Group:
    """A tab group of panels, with the first offered one in front; ``weight``: share of the height."""

    weight: int
    panels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """Groups from top to bottom; ``weight``: share of the width."""

    weight: int
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns from left to right."""

    columns: tuple[Column, ...]

    def resolved(self, panels: Iterable[str]) -> Layout:
        """Returns the layout limited to ``panels`` (ids), with REST replaced by those that are not named; empty groups
        and columns are dropped."""
        known = list(panels)
        named = {name for column in self.columns for group in column.groups for name in group.panels}
        rest = tuple(name for name in known if name not in named)

        def group(old: Group) -> Group:
            names = (name for part in old.panels for name in (rest if part == REST else (part,)))
            return Group(old.weight, tuple(name for name in names if name in known))

        columns = (Column(c.weight, tuple(g for g in map(group, c.groups) if g.panels)) for c in self.columns)
        return Layout(tuple(column for column in columns if column.groups))

    def groups(self) -> Iterator[Group]:
        for column in self.columns:
            yield from column.groups

    def order(self) -> tuple[str, ...]:
        """Returns the ids of all panels in reading order."""
        return tuple(name for group in self.groups() for name in group.panels)


POPLAR = Layout(
    (
        Column(22, (Group(62, ("tree",)), Group(38, ("summary",)))),
        Column(56, (Group(54, ("timeline", "steps")), Group(46, ("tile_memory", "liveness", "heat", REST, "scaling")))),
        Column(22, (Group(72, ("details",)), Group(28, ("issues",)))),
    )
)

ASCEND = Layout(
    (
        Column(
            72,
            (  # charts above, tables below: one of each is visible, and tabs have room for their names
                Group(44, ("timeline", "memory_paths", "roofline", "cache", "memory_accesses", "onchip")),
                Group(56, ("source", "operator", "workload", "core_load", "stall_reasons", REST)),
            ),
        ),
        Column(28, (Group(42, ("summary",)), Group(38, ("details",)), Group(20, ("issues",)))),
    )
)

POPEF = Layout(
    (
        Column(34, (Group(60, ("blobs",)), Group(40, ("summary",)))),
        Column(42, (Group(50, ("anchors", "tensors", "model", REST)), Group(50, ("content",)))),
        Column(24, (Group(72, ("details",)), Group(28, ("issues",)))),
    )
)

TENSORFLOW = Layout(
    (
        Column(70, (Group(40, ("timeline",)), Group(60, ("host_events", "tensor_map", REST)))),
        Column(30, (Group(36, ("summary",)), Group(42, ("details",)), Group(22, ("issues",)))),
    )
)

TRACE = Layout(  # the timeline is the only main panel, so it gets most of the room
    (
        Column(77, (Group(100, ("timeline", REST)),)),
        Column(23, (Group(60, ("details",)), Group(40, ("summary", "issues")))),
    )
)

ANY = Layout(
    (
        Column(22, (Group(100, ("summary",)),)),
        Column(54, (Group(60, ("timeline",)), Group(40, (REST,)))),
        Column(24, (Group(72, ("details",)), Group(28, ("issues",)))),
    )
)

LAYOUTS = {"poplar": POPLAR, "ascend": ASCEND, "popef": POPEF, "tensorflow": TENSORFLOW, "trace": TRACE}


def layout_of(family: str) -> Layout:
    """Returns the default layout of a family (id); ANY for unknown ones."""
    return LAYOUTS.get(family, ANY)
