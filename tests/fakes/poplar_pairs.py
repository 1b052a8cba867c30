"""Pairs of generated Poplar profiles with a planted change."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication, QWidget

from app.document.document import Document
from app.formats.collect import read
from app.formats.registry import plan
from app.profile.profile import Profile
from app.widgets.refresh import Refresh
from generators import poplar
from generators.trees import plain, write_json

Tree = dict[str, Any]


def tree_of(scale: poplar.Scale) -> Tree:
    """Graph and execution in one tree of plain values."""
    return {**plain(poplar.graph(scale)), **plain(poplar.execution(scale))}


def profile_of(folder: Path, tree: Tree) -> Profile:
    """The profile that the tree makes, written into a new file of ``folder``."""
    place = folder / f"run{len(list(folder.iterdir()))}"
    place.mkdir()
    jobs, _ = plan([write_json(place / "graph.json", tree)])
    (profile,) = read(jobs[0].format, jobs[0].paths)
    return profile


def changed(tree: Tree, change: Callable[[Tree], None]) -> Tree:
    """A copy of the tree with a change."""
    made = copy.deepcopy(tree)
    change(made)
    return made


def compare(document: Document, panel: QWidget, baseline: Profile) -> None:
    """Makes ``baseline`` the baseline of the shown profile, and fills the panel again."""
    assert document.current_id is not None
    document.baselines.set(document.current_id, document.add(baseline, job=99, show=False))
    settle(panel)


def end(document: Document, panel: QWidget) -> None:
    """Ends the comparison, and fills the panel again."""
    assert document.current_id is not None
    document.baselines.end(document.current_id)
    settle(panel)


def settle(panel: QWidget) -> None:
    QApplication.processEvents()
    for refresh in panel.findChildren(Refresh):
        refresh.now()


def grow(tree: Tree, tile: int, amount: int, category: str = "variable") -> None:
    """Adds bytes of a category, always live, to one tile."""
    memory = tree["memory"]
    for key in ("nonInterleaved", "total"):
        memory["byTile"][key][tile] += amount
        memory["byTile"][f"{key}IncludingGaps"][tile] += amount
    memory["byCategory"][category]["nonInterleaved"]["nonOverlapped"][tile] += amount
    memory["byCategory"][category]["total"][tile] += amount
    memory["liveness"]["alwaysLive"]["bytesByTile"][tile] += amount
