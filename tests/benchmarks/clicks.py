"""Clicks, hover, Escape, the wheel and another theme or text size in the real window, with a million steps, 94,208
tiles or a million slices: the longest turn of the event loop that each causes, in milliseconds of processor time of the
window's thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from app.document.background import Background
from app.panels.program_tree import ProgramTree
from app.panels.tile_memory.panel import TileMemoryPanel
from app.panels.timeline.panel import TimelinePanel
from app.widgets.timeline.canvas import TimelineCanvas
from app.window.idle import module_imports
from app.window.main_window import MainWindow
from benchmarks import hand, inputs, targets
from benchmarks.bench_poplar import machine, window_of
from benchmarks.clock import application
from benchmarks.record import Record
from benchmarks.size import Size
from benchmarks.styled import CLICKED

POINTED = 2
"""Points that are hovered over for each click."""
NOTCHES = 12

Action: TypeAlias = tuple[str, Callable[[], hand.Turn]]


PATHS: tuple[Callable[[Size], tuple[Path, ...]], ...] = (
    inputs.execution,
    machine,
    lambda size: (inputs.styled_trace("different", size),),
)
"""The files of each of CLICKED."""


def measure(size: Size) -> list[Record]:
    """A record for each action in each input."""
    application()
    for load in module_imports():  # as the program has them soon after its start
        load()
    every = zip(CLICKED, PATHS, strict=True)
    wanted = [one for one in every if not size.only or any(word in one[0] for word in size.only)]
    return [record for name, paths in wanted for record in _of_input(name.partition("/")[2], paths(size), size.repeats)]


def _of_input(large: str, paths: tuple[Path, ...], clicks: int) -> Iterator[Record]:
    """The records of one input; ``large``: what it has very many of; ``clicks``: on things of each kind."""
    with window_of(paths) as window:
        window.activateWindow()
        while any(thread.busy for thread in window.findChildren(Background)):  # figures of the summary, for example
            hand.longest()
        hand.longest()
        profile = window.document.profile
        assert profile is not None
        count = {
            "steps": len(profile.steps or ()),
            "tiles": 0 if profile.tile_memory is None else profile.tile_memory.tiles,
            "slices": 0 if profile.timeline is None else len(profile.timeline.slices.start),
        }[large]
        actions = [(*action, targets.TURN_MS) for action in _actions(window, clicks * POINTED)]
        for name, act, target in [*actions, *((*look, targets.LOOKS_MS) for look in _looks(window))]:
            turn = act()
            what, note = f"window of {count:,} {large}: {name}", f"{turn.clock:.0f} ms of the clock"
            yield Record(what, "T2", turn.worked, "ms", target, note=note)


def _actions(window: MainWindow, count: int) -> Iterator[Action]:
    """What a hand does, in the order in which it is done; ``count``: points in each panel."""
    panel, tiles, tree = (window.findChild(kind) for kind in (TimelinePanel, TileMemoryPanel, ProgramTree))
    if isinstance(tiles, TileMemoryPanel) and tiles.canvas.layout_now() is not None:
        plot = tiles.canvas.layout_now().plot
        at = [QPoint(round(plot.left() + plot.width() * share), round(plot.center().y())) for share in _shares(count)]
        yield from _of_items("tile", tiles.canvas, tiles.canvas, at)
    if isinstance(tree, ProgramTree):
        view = tree.tree.view
        rows = [view.visualRect(view.indexAt(QPoint(40, y))).center() for y in range(10, view.viewport().height(), 40)]
        at = [QPoint(60, row.y()) for row in rows if row.y() > 0]
        yield from _of_items("program", view.viewport(), view, at[:count])
    if isinstance(panel, TimelinePanel) and panel.canvas.shown is not None:
        at = _slices(panel.canvas, count)
        yield from _of_items("slice", panel.canvas, panel.canvas, at)
        yield "zoom in and out by the wheel", lambda: hand.zoom(panel.canvas, at[len(at) // 2], NOTCHES)


def _looks(window: MainWindow) -> Iterator[Action]:
    """Another theme, and another size of texts, and back."""
    looks: tuple[tuple[str, str, tuple[object, object]], ...] = (
        ("another theme", "theme", ("dark", "light")),
        ("another text size", "text_size", (125, 100)),
    )
    for name, key, values in looks:
        steps = [partial(window.choose, **{key: value}) for value in values]
        yield name, partial(hand.longest, *steps)


def _of_items(what: str, widget: QWidget, focus: QWidget, points: list[QPoint]) -> Iterator[Action]:
    """Clicks on items at every other point, Escape after each, and hover over all of them."""
    escapes: list[hand.Turn] = []

    def clicks() -> hand.Turn:
        turns = []
        for point in points[::POINTED]:
            turns.append(hand.click(widget, point))
            escapes.append(hand.escape(focus))
        return hand.worst(turns)

    yield f"click on a {what}", clicks
    yield f"Escape, a {what} is selected", lambda: hand.worst(escapes)
    yield f"hover over a {what}", lambda: hand.hover(widget, points)


def _shares(count: int) -> list[float]:
    return [(number + 0.5) / count for number in range(count)]


def _slices(canvas: TimelineCanvas, count: int) -> list[QPoint]:
    """``count`` points on the lanes in sight from left to right."""
    shown = canvas.shown
    assert shown is not None
    body, top = shown.place.body, shown.view.top
    bands = [band for band in shown.layout.in_view(top, int(body.height)) if band.rows]
    heights = [body.y + shown.layout.line(band.rows_y, top) + band.row_height / 2 for band in bands]
    return [
        QPoint(round(body.x + body.width * share), round(heights[number % len(heights)]))
        for number, share in enumerate(_shares(count))
    ]
