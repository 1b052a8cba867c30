"""A profile that was closed is gone: no panel, seen or hidden, holds on to its columns."""

from __future__ import annotations

import gc
import weakref
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.document.loader import Loader
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.resources import resource
from app.store.load import read_all
from app.widgets.display import Display
from app.window.main_window import MainWindow
from app.window.screenshot import settle
from app.window.settings import SettingsFile

SAMPLES = {
    "matmul_leakyrelu.bin": ("source", Selection("line", (0,))),
    "resnet-1472-tiles": ("tree", Selection("program", (0,))),
    "resnet_inference.popef": ("content", Selection("blob", (0,))),
}
"""For each sample a panel that shows more while something is selected, and the selection."""


def columns(value: Any) -> list[np.ndarray]:
    """All arrays of a section."""
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, tuple):
        return [column for part in value for column in columns(part)]
    return [column for name in getattr(value, "__slots__", ()) for column in columns(getattr(value, name))]


def watched(profile: Profile) -> dict[str, weakref.ref[np.ndarray]]:
    """The longest column of each section."""
    found = {}
    for name in profile.filled():
        own = sorted(columns(profile.section(name)), key=lambda column: column.size)
        if own:
            found[name] = weakref.ref(own[-1])
    return found


@pytest.mark.parametrize("compared", [False, True])
@pytest.mark.parametrize("name", SAMPLES)
def test_a_closed_profile_is_held_by_nobody(qtbot: QtBot, name: str, compared: bool) -> None:
    document = Document()
    window = MainWindow(SettingsFile(None))
    qtbot.addWidget(window)
    window.fill(Loader(document), document, Display(parent=window))
    window.resize(1280, 800)
    window.show()
    with ExitStack() as stack:
        (profile,) = read_all([resource("samples") / name], stack).profiles
        entry = document.add(profile, 1)
        document.finish(entry)
        if compared:
            (other,) = read_all([resource("samples") / name], stack).profiles
            document.finish(document.add(other, 2, show=False))
            document.baselines.set(entry, document.entries[1].id)
            del other
        docks = window.prepare()
        for panel in tuple(docks.offered):
            window.show_panel(panel)
            settle(window)
            docks.docks[panel].widget().grab()
        panel, selection = SAMPLES[name]
        window.show_panel(panel)
        document.selection.set(selection)
        settle(window)
        refs = watched(profile)
        if compared:
            refs |= {f"{section} before": ref for section, ref in watched(document.entries[1].profile).items()}
        assert refs
        del profile
        while document.entries:
            document.close(document.entries[0].id)
        settle(window)
        gc.collect()
        assert [section for section, ref in refs.items() if ref() is not None] == []
