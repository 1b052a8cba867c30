"""Ranges come back with their profile, whatever panels have been seen: tables hold rows of the profile before for a
moment, and the files are of different sizes."""

from __future__ import annotations

from pathlib import Path

from app.document.document import Document
from app.profile.selection import Ranges, TileRange, TimeRange
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.window.main_window import MainWindow
from app.window.screenshot import read_all, settle
from fakes.themes import begun
from journeys.families import write_all


def own_range(document: Document) -> Ranges:
    """One that fits the profile that is shown: the last part of its timeline, its last tiles."""
    profile = document.profile
    assert profile is not None
    timeline, target = profile.timeline, profile.target
    time = None
    if timeline is not None and len(timeline.slices.start):
        end = float((timeline.slices.start + timeline.slices.duration).max())
        time = TimeRange(float(timeline.slices.start.min()) + 0.9 * (end - float(timeline.slices.start.min())), end)
    tiles = None if target is None or not target.tiles else TileRange(tuple(range(target.tiles - 3, target.tiles)))
    return Ranges(time, tiles)


def look_at_all(window: MainWindow) -> None:
    docks = window.prepare()
    for name in docks.offered:
        window.show_panel(name)
        settle(window)


def test_ranges_come_back_and_every_table_follows_them(tmp_path: Path, root: Path) -> None:
    paths = write_all(tmp_path, root / "resources" / "samples")
    with begun("light", paths["report"], "steps") as window:
        document, docks = window.document, window.prepare()
        window.open([paths[name] for name in ("ascend", "trace", "map")])
        read_all(window)
        wanted = {}
        for entry in document.entries:
            document.show(entry.id)
            look_at_all(window)
            wanted[entry.id] = own_range(document)
            document.ranges.set(wanted[entry.id])
            settle(window)
        for entry in reversed(document.entries):
            document.show(entry.id)
            settle(window)
            assert document.ranges.value == wanted[entry.id]
            for name in docks.offered:
                window.show_panel(name)
                settle(window)
                tables = docks.docks[name].widget().findChildren(TableWidget)
                links = [link for table in tables if table.isVisible() for link in table.findChildren(LinkedTable)]
                assert not any(link.stale for link in links), (entry.profile.name, name)
